"""Pictures of every screen, taken from the running demo. `make pictures` takes them anew and writes docs/screens.md;
`python -m tests.pictures --write lobby` takes those of one part, of those that need no other.

The demo first plays fast, so that the roads and the reports have something to show, and then goes on at a person's
pace, so that there is time to look at it.
"""

import base64
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page

from bench.browser import MAY_BET, WIDE, cdp, chromium, demo, enter, lay, open_page, wait_for_betting

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "screens.md"
HISTORY_S = 100  # at the fast pace: some fifty rounds at each table
SETTLED_MS = 900  # cards slide and turn, lists fill
QUALITY = 70
SMALL = (1280, 800)
PHONE = (390, 844)
WALL = (1920, 1080)
MOST_ROUNDS = 40  # until insurance is offered to the Banker


class Picture(NamedTuple):
    """What one of them shows; the name is that of its file."""

    name: str
    group: str
    says: str


PICTURES = (
    Picture("start", "Start", "What is running, and in the demo one click for each role."),
    Picture(
        "terminal-betting", "Player terminal", "Betting is open: chips on the felt, the same countdown for everyone."
    ),
    Picture("terminal-cards", "Player terminal", "No more bets: the cards as they are dealt."),
    Picture(
        "terminal-result", "Player terminal", "The result: each bet with what it paid, by which odds and paragraph."
    ),
    Picture(
        "terminal-insurance", "Player terminal", "Insurance: the situation, the odds, and how much may be insured."
    ),
    Picture(
        "terminal-boxes",
        "Player terminal",
        "A table with nine boxes, drawn as its approved layout: everybody sees every bet.",
    ),
    Picture("terminal-roads", "Player terminal", "SWAP VIEW: the five roads."),
    Picture("terminal-help", "Player terminal", "HELP: the rules and the pay table, with their paragraphs."),
    Picture("terminal-voucher", "Player terminal", "COLLECT: all credit on a voucher."),
    Picture(
        "terminal-waits",
        "Player terminal",
        "An irregularity: play stops, the bets are safe, and the screen says who decides.",
    ),
    Picture("terminal-lobby", "Player terminal", "LOBBY: every table with its road; play there, or beside one's own."),
    Picture("terminal-beside", "Player terminal", "Four tables side by side, with one rack and one credit."),
    Picture("terminal-phone", "Player terminal", "The same terminal on a phone."),
    Picture("terminal-chinese", "Player terminal", "And in Chinese."),
    Picture(
        "console", "Game console", "What to do next in one line; cards by the pad, the keyboard or a reading shoe."
    ),
    Picture("console-insurance", "Game console", "The insurance window of a table with boxes."),
    Picture("console-what-happened", "Game console", "The red key: what happened?"),
    Picture(
        "console-irregularity", "Game console", "The remedy, its paragraph, who decides, and what it does to the money."
    ),
    Picture("training", "Game console", "Training: what happens on the felt, and how the last thing was handled."),
    Picture("pit", "Pit", "All tables live; what waits for this rank stands on top."),
    Picture("pit-table", "Pit", "One table: its terminals, its limits, its last rounds."),
    Picture("cashier", "Cashier", "A voucher is looked at before it is paid; the drawer stands beside it."),
    Picture("players", "Cashier", "Players with names, where the venue wants them: a card, a PIN, a statement."),
    Picture("display", "Wall display", "Five roads, readable across the room."),
    Picture("display-several", "Wall display", "Several tables on one wall."),
    Picture("audit-search", "Auditor", "Whatever was moved, said or decided, found by what is known of it."),
    Picture("audit-round", "Auditor", "Any round again, step by step, under its seal."),
    Picture("audit-verify", "Auditor", "The whole journal, derived again while the tables play."),
    Picture("audit-report", "Auditor", "Hold against what the exact odds expect."),
    Picture("odds", "Odds", "Cards taken out of the shoe, and every edge as it moves."),
    Picture("odds-insurance", "Odds", "What insurance is worth at each pair of points."),
    Picture("admin", "Administrator", "People and what they may do."),
)


def page_text() -> str:
    """docs/screens.md."""
    lines = ["# The screens", "", "Taken from the running demo by `make pictures`."]
    group = ""
    for picture in PICTURES:
        if picture.group != group:
            group = picture.group
            lines += ["", f"## {group}"]
        lines += ["", picture.says, "", f"![{group}: {picture.says}](pictures/{picture.name}.webp)"]
    return "\n".join(lines) + "\n"


class Studio:
    """A browser for every role, and a camera."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self._browser, self._address, self._folder = browser, address, folder

    def page(
        self, role: str, path: str, *, table: str = "", size: tuple[int, int] = WIDE, language: str = "en"
    ) -> Page:
        return open_page(enter(self._browser, self._address, role, table=table, size=size, language=language), path)

    def shoot(self, page: Page, name: str, *, settled_ms: int = SETTLED_MS) -> None:
        assert name in {picture.name for picture in PICTURES}, name
        page.wait_for_timeout(settled_ms)
        size = page.viewport_size
        assert size
        clip = {"x": 0, "y": 0, **size, "scale": 2 if size["width"] == PHONE[0] else 1}
        taken = cdp(page, "Page.captureScreenshot", format="webp", quality=QUALITY, clip=clip)
        (self._folder / f"{name}.webp").write_bytes(base64.b64decode(taken["data"]))
        print(name, flush=True)


def start(studio: Studio) -> None:
    page = studio.page("", "/")
    page.wait_for_selector("#running")
    studio.shoot(page, "start")
    page.context.close()


def tiger(studio: Studio) -> tuple[int, str]:
    """A round at the Tiger table, and another until something is won. Gives the round, and the voucher's text."""
    page = studio.page("terminal", "/terminal", table="tiger-1")
    for tries in range(5):
        wait_for_betting(page)
        _bet_on_tiger(page)
        studio.shoot(page, "terminal-betting", settled_ms=2500)
        page.locator(".dealt").nth(3).wait_for(timeout=60_000)
        studio.shoot(page, "terminal-cards", settled_ms=700)
        page.wait_for_selector(".hand.wins, .hand.tied", timeout=60_000)
        if tries == 4 or page.locator(".spot.win").count():
            break
    studio.shoot(page, "terminal-result")
    number = re.search(r"#(\d+)", page.locator("header").first.inner_text())
    assert number
    page.keyboard.press("v")
    studio.shoot(page, "terminal-roads")
    page.keyboard.press("v")
    page.keyboard.press("v")
    page.keyboard.press("h")
    studio.shoot(page, "terminal-help")
    page.keyboard.press("Escape")
    voucher = _collect(studio, page)
    page.context.close()
    return int(number[1]), voucher


def _bet_on_tiger(page: Page) -> None:
    page.keyboard.press("2")
    for wager in ("Banker", "Banker", "Tie"):
        lay(page, wager)
    page.keyboard.press("1")
    for wager in ("Tiger", "Small Tiger", "Tiger Pair"):
        lay(page, wager)
    page.locator(".laid").nth(4).wait_for()
    page.mouse.move(5, 500)


def _collect(studio: Studio, page: Page) -> str:
    page.get_by_role("button", name="COLLECT").click()
    page.locator("dialog .primary").first.click()
    page.wait_for_selector(".slip img")
    studio.shoot(page, "terminal-voucher")
    number, code, *_ = page.locator(".slip dd").all_inner_texts()
    page.get_by_role("button", name="I have it").click()
    return f"natural9:{number}:{code}"


def phone_and_chinese(studio: Studio) -> None:
    phone = studio.page("terminal", "/terminal", table="nc-1", size=PHONE)
    chinese = studio.page("terminal", "/terminal", table="fortune-1", language="zh")
    wait_for_betting(phone)
    for wager in ("Player", "Player", "Player Pair"):
        lay(phone, wager)
    phone.locator(".dealt").nth(3).wait_for(timeout=60_000)
    studio.shoot(phone, "terminal-phone", settled_ms=700)
    phone.context.close()
    wait_for_betting(chinese)
    chinese.keyboard.press("2")
    for wager in ("Banker", "Player Pair", "Fortune Six"):
        lay(chinese, wager)
    chinese.mouse.move(5, 500)
    studio.shoot(chinese, "terminal-chinese", settled_ms=2500)
    chinese.context.close()


def lobby(studio: Studio) -> None:
    page = studio.page("terminal", "/terminal", table="nc-1")
    for table in ("Tiger 1", "Fortune Six 1", "Super 6 1"):
        page.get_by_role("button", name="LOBBY", exact=True).click()
        row = page.locator("li", has=page.get_by_role("heading", name=table, exact=True))
        row.get_by_role("button", name="Add beside").wait_for()
        if table == "Tiger 1":
            studio.shoot(page, "terminal-lobby", settled_ms=1500)
        row.get_by_role("button", name="Add beside").click()
        page.get_by_role("region", name=table, exact=True).wait_for()
    studio.shoot(page, "terminal-beside", settled_ms=2500)
    page.context.close()


def _step(console: Page) -> str:
    return console.locator("#next-step").inner_text()


def _space_until(console: Page, done: Callable[[], bool], *, most: int = 40) -> bool:
    """The dealer's one key, again and again."""
    for _ in range(most):
        if done():
            return True
        console.keyboard.press(" ")
        console.wait_for_timeout(450)
    return False


def insurance(studio: Studio) -> None:
    """The dealer's table with boxes: rounds until insurance is offered to a bet that was laid."""
    console = studio.page("dealer", "/console/insurance-1")
    player = studio.page("terminal", "/terminal", table="insurance-1")
    console.wait_for_selector("#next-step")
    player.keyboard.press("3")
    sheet = player.locator(".sheet")
    for _ in range(MOST_ROUNDS):
        assert _space_until(console, lambda: "Close bet" in _step(console))
        player.wait_for_selector(MAY_BET)
        lay(player, "Banker")
        console.wait_for_timeout(2500)
        console.keyboard.press(" ")
        console.wait_for_timeout(400)
        _space_until(console, lambda: sheet.is_visible() or "Settle" in _step(console))
        if sheet.is_visible():
            break
    assert sheet.is_visible(), f"no insurance in {MOST_ROUNDS} rounds"
    studio.shoot(player, "terminal-insurance", settled_ms=500)
    studio.shoot(console, "console-insurance", settled_ms=200)
    player.get_by_role("button", name="No insurance").click()
    player.keyboard.press("v")
    studio.shoot(player, "terminal-boxes")
    player.context.close()
    console.context.close()


def irregularity(studio: Studio) -> None:
    """Cards keyed in by the dealer; then one that does not belong, and the pit is to decide."""
    console = studio.page("dealer", "/console/super-six-1")
    player = studio.page("terminal", "/terminal", table="super-six-1")
    console.wait_for_selector("#next-step")
    _play_out(console)
    player.wait_for_selector(MAY_BET)
    player.keyboard.press("2")
    for wager in ("Banker", "Super Six"):
        lay(player, wager)
    player.mouse.move(5, 500)
    console.wait_for_timeout(9_000)  # the others take their time to bet
    console.keyboard.press(" ")
    console.wait_for_timeout(500)
    for card in ("8S", "QH"):
        _key(console, card)
    console.keyboard.press("5")
    studio.shoot(console, "console")
    _key(console, "D")
    console.keyboard.press("r")
    studio.shoot(console, "console-what-happened")
    console.get_by_role("button", name="Foreign card").click()
    console.get_by_role("button", name="Report it").click()
    console.locator("dialog input[value=void]").check()
    studio.shoot(console, "console-irregularity")
    studio.shoot(player, "terminal-waits")
    player.context.close()
    pit(studio)
    console.context.close()


def training(studio: Studio) -> None:
    """The cards that the strip says are drawn, until something happens; it is let pass, and the rule is shown."""
    console = studio.page("dealer", "/console/training")
    says = console.locator("aside .says")
    says.wait_for()
    goes_on = console.get_by_role("button", name="Nothing to report")
    for _ in range(MOST_ROUNDS):
        if goes_on.is_visible():
            break
        drawn = re.search(r"You draw (\w+)([♣♦♥♠])", says.first.inner_text())
        if drawn:
            _key(console, drawn[1].replace("10", "T") + "CDHS"["♣♦♥♠".index(drawn[2])])
        else:
            console.keyboard.press(" ")
            console.wait_for_timeout(600)
    goes_on.click()
    console.locator("aside .rule").first.wait_for()
    studio.shoot(console, "training")
    console.context.close()


def _play_out(console: Page) -> None:
    """To the next opening; the demo before may have been stopped in the middle of a round, which goes on."""
    for card in ("2C", "3D", "4H", "5S", "6C", "7D", "2H", "3S", "4C", "5D"):
        if _space_until(console, lambda: "Close bet" in _step(console), most=6):
            return
        _key(console, card)
    raise AssertionError(f"the console stands at {_step(console)!r}")


def _key(console: Page, card: str) -> None:
    for key in card:
        console.keyboard.press(key)
    console.wait_for_timeout(500)


def pit(studio: Studio) -> None:
    page = studio.page("pit-manager", "/pit")
    page.wait_for_selector("article")
    studio.shoot(page, "pit", settled_ms=2500)
    page.goto("/pit/tiger-1")
    page.wait_for_selector("main")
    studio.shoot(page, "pit-table", settled_ms=2000)
    page.context.close()


def cashier(studio: Studio, voucher: str) -> None:
    page = studio.page("cashier", "/cashier", size=SMALL)
    page.fill("#scan", voucher)
    page.get_by_role("button", name="Find").click()
    studio.shoot(page, "cashier", settled_ms=1500)
    page.goto("/players")
    page.get_by_label("Wants to be called").fill("Mei")
    page.get_by_role("button", name="Open an account").click()
    page.locator(".slip").wait_for()
    studio.shoot(page, "players")
    page.context.close()


def display(studio: Studio) -> None:
    page = studio.page("display", "/display/nc-1", size=WALL)
    page.locator(".hands").wait_for()
    studio.shoot(page, "display", settled_ms=1500)
    page.goto("/display/nc-1/tiger-1/fortune-1/insurance-1")
    studio.shoot(page, "display-several", settled_ms=4000)
    page.context.close()


def audit(studio: Studio, round: int) -> None:
    page = studio.page("auditor", "/audit/verify")
    page.get_by_role("button", name="Verify now").click()
    page.wait_for_selector(".verdict", timeout=60_000)
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    studio.shoot(page, "audit-verify")
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    page.goto(f"/audit/rounds/tiger-1/{round}")
    page.wait_for_selector(".film")
    page.wait_for_timeout(1000)
    page.keyboard.press("ArrowLeft")
    studio.shoot(page, "audit-round")
    page.goto("/audit/search?table=tiger-1&least=20")
    page.locator("main tbody tr, main li").first.wait_for()
    studio.shoot(page, "audit-search", settled_ms=1500)
    page.goto("/audit/reports/hold")
    page.wait_for_selector("svg")
    studio.shoot(page, "audit-report", settled_ms=2000)
    page.context.close()


def odds(studio: Studio) -> None:
    page = studio.page("", "/odds")
    page.select_option("select", "mbs-tiger")
    for rank, times in (("6", 5), ("9", 3), ("A", 4), ("K", 2)):
        for _ in range(times):
            page.get_by_role("button", name=re.compile(f"Take out one {rank}:")).click()
    studio.shoot(page, "odds", settled_ms=2500)
    page.goto("/odds?game=rws-nc-insurance")
    page.get_by_text("Insurance by points").first.scroll_into_view_if_needed()
    studio.shoot(page, "odds-insurance", settled_ms=2500)
    page.context.close()


def admin(studio: Studio) -> None:
    page = studio.page("administrator", "/admin/staff")
    studio.shoot(page, "admin", settled_ms=1500)
    page.context.close()


def take_all(studio: Studio) -> None:
    start(studio)
    odds(studio)
    display(studio)
    round, voucher = tiger(studio)
    audit(studio, round)
    lobby(studio)
    phone_and_chinese(studio)
    insurance(studio)
    irregularity(studio)
    training(studio)
    cashier(studio, voucher)
    admin(studio)


PARTS = {part.__name__: part for part in (start, odds, display, lobby, phone_and_chinese, insurance, training, admin)}


def write(take: Callable[[Studio], object] = take_all) -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as venue:
        with demo("--folder", venue, "--fast"):
            time.sleep(HISTORY_S)
        with demo("--folder", venue, "--no-dealer-bot", "--bots", "30") as address, chromium() as browser:
            take(Studio(browser, address, FOLDER))
    PAGE.write_text(page_text())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write"]:
            write()
        case ["--write", part] if part in PARTS:
            write(PARTS[part])
        case _:
            sys.exit(f"usage: python -m tests.pictures --write [{'|'.join(PARTS)}]")
    print(f"wrote {FOLDER.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}")
