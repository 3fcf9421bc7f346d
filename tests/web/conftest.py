"""A real browser, a real server with a table for every test, and a window for everybody who takes part."""

import asyncio
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from natural9.games import game_ids, load_game
from natural9.server.screens import BUILT
from tests.server.live_server import Server, automatic, new_venue, running, table
from tests.web.windows import Windows, aside

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Pages behind an address bar that nobody sees: each window started a process for them, which took as long as ours.
UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
# Of several such lists a browser takes the last: what Playwright switches off stays off.
BY_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
OPTIONS = ["--no-sandbox", "--disable-gpu", f"--disable-features={','.join(UNSEEN + BY_PLAYWRIGHT)}"]
PLAYERS = "[players]\non = true\npoints_per_100 = 10\n"  # so that every look at a terminal has the key for a card
PRINTER = '[printer]\naddress = "folder:slips-{table}-{seat}"\n'
SLOW = {"betting": 300, "result": 300}  # nothing moves before the test has looked


# Both end with this folder's last test: other folders run event loops of their own, and a browser needs the thread's.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium found: the screens are tested in a real browser (on Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def floor(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """One venue for the whole folder; each test plays at tables that no other test plays at."""
    del browser  # without one there is no need for a venue
    assert (BUILT / "index.html").is_file(), "the screens are not built: run `make web` first"
    tables = [one_table(game) for game in game_ids()]
    tables += [table(id, game) for id, game in DEALT.items()]
    tables += [table("squeezed", "rws-nc", squeeze=600), automatic("own-play", "rws-nc", **SLOW)]
    one_round = 8 * 52 - 6  # is all that there is in a shoe
    tables += [table("mixed", "rws-nc", joint_shoe=True, mix=300, shoe="shuffler", cut_cards=one_round)]
    tables += [table("typist", "rws-nc", seats=60)]
    tables += [table("paid", "mbs-tiger", seat_minimum=1)]
    folder = tmp_path_factory.mktemp("web")
    aside(lambda: new_venue(folder, *tables, PLAYERS, PRINTER))
    with running(folder) as server:
        yield server
        aside(lambda: asyncio.run(server.check_every_round()))


def one_table(game: str) -> str:
    if load_game(game).document.dealer_announces:
        return table(game[:20], game, shoe="shuffler")
    return automatic(game[:20], game, **SLOW)


DEALT = {
    "insured": "rws-nc-insurance",
    "searched": "mbs-tiger",
    "followed": "rws-nc-insurance",
    "carded": "rws-nc",
    "void": "mbs-tiger",
    "corrected": "rws-nc",
    "cash": "rws-nc",
    "seat": "rws-nc",
    "bank": "mbs-nc",
    "look": "mbs-tiger-nc",
    "boxes": "rws-nc-insurance",
    "zh": "mbs-tiger",
    "zh-boxes": "rws-nc-insurance",
    "zh-said": "mbs-tiger",
    "offer": "rws-nc-insurance",
    "played": "mbs-tiger-nc",
    "head": "rws-nc",
    "reported": "mbs-tiger",
    "relieved": "mbs-nc",
    "late": "rws-nc-super-six-plus",
    "found-late": "rws-nc",
    "mistaken": "rws-nc",
    "ruled": "mbs-tiger",
    "miskeyed": "rws-nc",
    "squeeze": "rws-nc-insurance",
    "burnt": "rws-nc",
    "totals": "rws-nc",
    "asked": "rws-nc-insurance",
    "sizes": "mbs-tiger-nc",
    "size-boxes": "rws-nc-insurance",
    "size-console": "rws-nc-insurance",
    "size-list": "mbs-tiger-nc",
    "size-wall": "mbs-tiger",
    **{f"wall-{letter}": "mbs-tiger" for letter in "abcdef"},
    "called": "rws-nc",
    "doubled": "rws-nc",
    "typed": "rws-nc",
    "stray": "mbs-tiger",
    "keys": "rws-nc-insurance",
    "unordered": "rws-nc",
    "red": "rws-nc",
    "focus": "mbs-nc",
    "signed": "mbs-nc",
    "passed": "rws-nc-insurance",
    "on-layout": "rws-nc-insurance",
    "own-bets": "rws-nc-insurance",
    "proved": "rws-nc",
    "unanswered": "rws-nc",
    "elsewhere": "rws-nc",
}


@pytest.fixture
def windows(browser: Browser, floor: Server) -> Iterator[Windows]:
    yield from open_windows(browser, floor)


def open_windows(browser: Browser, server: Server) -> Iterator[Windows]:
    windows = Windows(browser, server)
    try:
        yield windows
    finally:
        windows.close()
    assert not windows.wrong, "\n".join(windows.wrong)
