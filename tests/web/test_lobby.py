"""Several tables on one terminal, in a real browser: the lobby, tables side by side, tabs, one credit, a lost line."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from tests.server.live_server import Visit, new_venue, running, table
from tests.web.conftest import open_windows
from tests.web.eyes import look_at, serious_faults
from tests.web.resize import resize
from tests.web.test_sizes import MEASURE, TERMINAL, UNREACHED
from tests.web.windows import Windows, aside, banner, meter, spot

LOBBY = "[lobby]\nside_by_side = 4\n"
TABLES = {
    "own": "rws-nc-insurance",  # insurance spots are the highest that a panel has
    "second": "mbs-tiger",
    "third": "rws-nc-super-six-plus",
    "fourth": "mbs-fortune-six-nc",
}
TIGHT = ((360, 640), (422, 195), (844, 390), (1024, 768), (1280, 800))  # where the key has least room
# Of several tables each has its own; nothing lies on anything else.
SEVERAL = {**TERMINAL, "must": [".hand.player", "button.spot.side-player.main", ".road", ".meters", ".actions button"]}


@pytest.fixture
def visiting(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    folder = tmp_path_factory.mktemp("lobby")
    tables = [table(id, game, title=f"Table {id}") for id, game in TABLES.items()]
    aside(lambda: new_venue(folder, LOBBY, *tables, table("closed", "rws-nc", visitors=False)))
    with running(folder) as server:
        yield from open_windows(browser, server)


async def betting_everywhere(one: Visit) -> None:
    for id in TABLES:
        await one.begin_round(id)


def row(page: Page, id: str) -> Locator:
    return page.locator("li", has=page.get_by_role("heading", name=f"Table {id}"))


def add(page: Page, id: str) -> None:
    page.get_by_role("button", name="LOBBY", exact=True).click()
    row(page, id).get_by_role("button", name="Add beside").click()


def one_of(page: Page, id: str) -> Locator:
    return page.get_by_role("region", name=f"Table {id}", exact=True)


def player_spot(at: Locator) -> Locator:
    return at.locator("button.spot.side-player.main")


def test_a_player_goes_round_the_floor_with_one_credit(visiting: Windows) -> None:
    windows = visiting
    windows.tell(betting_everywhere)
    page = windows.terminal("own", 7, 100_000, bypass_csp=True)
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Player").click()
    expect(meter(page, "CREDIT")).to_have_text("999.00")

    # The lobby, and another table alone.
    page.get_by_role("button", name="LOBBY", exact=True).click()
    expect(row(page, "own")).to_contain_text("your own table")
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(4)  # one takes no visitors
    expect(row(page, "second")).to_contain_text("Place your bets")
    look_at(page)
    row(page, "second").get_by_role("button", name="Play here").click()
    expect(page.get_by_role("heading", name="Table second")).to_be_attached()
    expect(meter(page, "CREDIT")).to_have_text("999.00")
    spot(page, "Player").click()
    expect(spot(page, "Player")).to_contain_text("registered")
    expect(meter(page, "CREDIT")).to_have_text("998.00")
    page.reload()
    expect(spot(page, "Player")).to_contain_text("registered")  # it stays where it was

    # Its own beside it, then all four.
    add(page, "own")
    for id in ("own", "second"):
        expect(player_spot(one_of(page, id))).to_contain_text("registered")
    expect(meter(page, "BET")).to_have_text("2.00")
    for id in ("third", "fourth"):
        add(page, id)
        player_spot(one_of(page, id)).click()
        expect(player_spot(one_of(page, id))).to_contain_text("registered")
    expect(meter(page, "CREDIT")).to_have_text("996.00")
    faults = serious_faults(page)
    for width, height in ((1440, 1200), (1600, 1000), (1920, 1080), (2560, 1440), (3840, 2160)):
        faults += [f"{width}x{height}: {fault}" for fault in measured(page, width, height)]

    # A round at one of them; the others do not move.
    windows.tell(lambda one: one.finish("second", "4C 2D 5D 2S"))
    expect(one_of(page, "second").get_by_role("status").first).to_contain_text("Player wins")
    expect(meter(page, "WIN").locator(".sr-only")).to_have_text("1.00")
    expect(meter(page, "CREDIT")).to_have_text("998.00")
    faults += measured(page, 1600, 1000)
    assert not faults, "\n".join(faults)
    console = windows.staff("dealer", "/console/third")
    expect(console.get_by_text("visitor from own, seat 7")).to_be_visible()
    console.close()  # or it would ask about a round that others lead on

    # Where there is room for one, each has a tab.
    resize(page, 1280, 800)
    tabs = page.get_by_role("group", name="Your tables")
    expect(tabs.get_by_role("button")).to_have_count(4)
    expect(tabs.get_by_role("button", name="Table third").get_by_role("img")).to_have_attribute(
        "aria-label", "Bets are open"
    )
    expect(tabs.get_by_role("button", name="Table second").get_by_role("img")).to_have_count(0)
    tabs.get_by_role("button", name="Table third").click()
    expect(spot(page, "Player")).to_contain_text("registered")
    for id in ("third", "fourth"):
        page.get_by_role("button", name="LOBBY", exact=True).click()
        row(page, id).get_by_role("button", name="Leave").click()
        page.get_by_role("dialog").get_by_role("button", name="Close").first.click()
    expect(one_of(page, "second")).to_be_visible()  # two of them fit
    faults = measured(page, 1280, 800) + measured(page, 1366, 768)
    assert not faults, "\n".join(faults)

    # One collects all that is not at risk; what was left behind comes home when it is decided.
    page.get_by_role("button", name="COLLECT", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Collect 998.00").click()
    expect(page.get_by_role("dialog")).to_contain_text("998.00")
    page.get_by_role("button", name="I have it").click()
    windows.tell(lambda one: one.finish("third", "4C 2D 5D 2S"))
    expect(meter(page, "CREDIT")).to_have_text("2.00")


def measured(page: Page, width: int, height: int, screen: dict[str, Any] = SEVERAL) -> list[str]:
    resize(page, width, height)
    found: list[str] = page.evaluate(MEASURE, screen) + page.evaluate(UNREACHED, "body")
    return found


def test_a_lost_line_is_one_tables_own_and_the_key_fits_every_window(visiting: Windows) -> None:
    windows = visiting
    windows.tell(betting_everywhere)
    page = windows.terminal("own", 7, 100_000)
    expect(banner(page)).to_contain_text("Place your bets")
    faults = [fault for size in TIGHT for fault in measured(page, *size, screen=TERMINAL)]
    assert not faults, "\n".join(faults)
    resize(page, 1920, 1080)
    lines: list[WebSocketRoute] = []
    cut: list[bool] = []

    def through(line: WebSocketRoute) -> None:
        lines.append(line)
        if cut:  # whoever tries again finds nobody
            line.close()
        else:
            line.connect_to_server()

    page.route_web_socket("**/ws/table/second*", through)
    add(page, "second")
    page.reload()
    for id in ("own", "second"):
        expect(player_spot(one_of(page, id))).to_have_attribute("aria-disabled", "false")
    cut.append(True)
    lines[-1].close()
    expect(one_of(page, "second")).to_contain_text("Connection lost")
    expect(player_spot(one_of(page, "second"))).to_have_attribute("aria-disabled", "true")
    player_spot(one_of(page, "own")).click()
    expect(player_spot(one_of(page, "own"))).to_contain_text("registered")
    expect(one_of(page, "own")).not_to_contain_text("Connection lost")
