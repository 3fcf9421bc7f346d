"""Every page as people with other eyes, hands and screens meet it: axe, a phone, a 27-inch terminal."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from tests.server.live_server import Server, Visit, visit
from tests.web.console import next_step
from tests.web.eyes import look_at
from tests.web.resize import resize
from tests.web.windows import NOBODY, Windows, aside, banner, spot

LOOK = "look"  # a table with a round behind it and betting open


@pytest.fixture(scope="module")
def look(floor: Server) -> Server:
    async def story(one: Visit) -> None:
        for id in (LOOK, "boxes"):
            await one.begin_round(id)
            terminal = await one.sit(id, 1, 100_000)
            await terminal.betting_open()
            await terminal.bet("banker", 2_500)
            await one.finish(id, "9S 2H KD 6C")
            await one.do("dealer", id, staff.StartRound)

    aside(lambda: visit(floor, story))
    return floor


class Window(NamedTuple):
    role: str
    path: str
    shows: str  # when this is to be read, the page is there


PAGES = [
    Window("", "/", "Running now"),
    Window("dealer", "/", "Running now"),
    Window("dealer", "/console", "Choose a table"),
    Window("dealer", f"/console/{LOOK}", "Close bets"),
    Window("dealer", "/console/boxes", "Close bets"),
    Window("shift-manager", "/pit", "Voids and corrections"),
    Window("shift-manager", f"/pit/{LOOK}", "Last rounds"),
    Window("cashier", "/cashier", "Last transactions"),
    Window("cashier", "/players", "New player"),
    Window("", "/terminal", "This terminal is not set up yet"),
    Window("auditor", "/audit", "Last rounds"),
    Window("auditor", f"/audit/rounds/{LOOK}/1", "Seal of this round"),
    Window("auditor", "/audit/search", "Fill in any of the fields"),
    Window("auditor", "/audit/verify", "Verify the journal"),
    Window("auditor", "/audit/shoes", "A shoe against its promise"),
    Window("auditor", "/audit/reports/win", "Reports"),
    Window("auditor", "/audit/reports/hold", "Reports"),
    Window("", "/odds", "Take cards out"),
    Window("administrator", "/admin", "Staff"),
    Window("administrator", "/admin/devices", "Devices"),
    Window("administrator", "/admin/permissions", "Who may do what"),
]


@pytest.mark.usefixtures("look")
@pytest.mark.parametrize("window", PAGES, ids=lambda one: f"{one.role or 'anybody'} {one.path}")
def test_a_page_on_every_screen(windows: Windows, window: Window) -> None:
    if window.role:
        page = windows.staff(window.role, window.path, bypass_csp=True)
    else:
        windows.expect_error(NOBODY)
        page = windows.stranger(window.path, bypass_csp=True)
    if window.path == "/audit/shoes":
        windows.expect_error(r"/api/shoes/.*: .*status of 404")  # a table that has had no shoe yet
    expect(page.get_by_text(window.shows).first).to_be_visible()
    look_at(page)


# Of what stands in every row, where it begins; of numbers, where they end.
COLUMNS = """() => {
    const parts = ['.pulse', '.name', '.phase', 'a > .hand', '.road', '.number:nth-child(1)', '.number:last-child'];
    return parts.map(part => [part, ...new Set([...document.querySelectorAll(`.tables > li ${part}`)].map(one => {
        const box = one.getBoundingClientRect();
        return Math.round(part.startsWith('.number') ? box.right : box.left);
    }))]);
}"""
PRINT = "parseFloat(getComputedStyle(document.querySelector('.tables strong')).fontSize)"


def test_the_rows_of_the_pit_line_up_and_fill_a_large_screen(windows: Windows) -> None:
    page = windows.staff("pit-manager", "/pit")
    expect(page.locator(".tables > li").nth(3)).to_be_visible()
    print_px = {}
    for width, height in (960, 800), (1280, 800), (1920, 1080), (3840, 2160):
        resize(page, width, height)
        at = {part: places for part, *places in page.evaluate(COLUMNS)}
        assert {part: len(places) for part, places in at.items()} == dict.fromkeys(at, 1), (width, at)
        print_px[width] = page.evaluate(PRINT)
    assert print_px[3840] == 2 * print_px[1920] == 2 * print_px[960]


@pytest.mark.usefixtures("look")
def test_the_wall_on_every_screen(windows: Windows) -> None:
    page = windows.display(LOOK, bypass_csp=True)
    expect(page.get_by_role("status")).to_contain_text("Place your bets")
    look_at(page)


@pytest.mark.usefixtures("look")
def test_the_dialogs_of_the_console_on_every_screen(windows: Windows) -> None:
    page = windows.staff("dealer", f"/console/{LOOK}", bypass_csp=True)
    expect(next_step(page)).to_have_text("Close bets")
    for key in "rvflm?":  # irregularity, void, dispute, terminals, the table, keys
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        look_at(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.usefixtures("look")
def test_the_desk_with_a_terminal_on_every_screen(windows: Windows) -> None:
    page = windows.staff("cashier", "/cashier", bypass_csp=True)
    page.get_by_label("Voucher or terminal").fill(f"{LOOK}-1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Terminal")).to_contain_text("Credit balance")
    page.get_by_label("Amount").fill("50")
    look_at(page)
    page.get_by_role("button", name="Credit 50.00").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    look_at(page)


def test_the_offer_of_insurance_on_every_screen(windows: Windows) -> None:
    page = windows.terminal("offer", 9, 100_000, bypass_csp=True)
    windows.tell(lambda one: one.begin_round("offer"))
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("radio", name="100.00", exact=True).click()
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("100.00registered")  # "not yet registered" is something else
    windows.do("dealer", "offer", round_commands.CloseBetting)
    windows.tell(lambda one: one.deal("offer", "5S 6H KD QC"))
    windows.do("dealer", "offer", round_commands.OpenInsurance)
    expect(page.get_by_role("region", name="Insurance?")).to_be_visible()
    look_at(page, within="[aria-label='Insurance?']")  # for these seconds it covers what cannot be used anyway


def test_the_terminal_on_every_screen(windows: Windows) -> None:
    """Betting, each view and each dialog, and a result."""
    page = windows.terminal("played", 9, 100_000, bypass_csp=True)
    windows.tell(lambda one: one.begin_round("played"))
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text(re.compile(r"\dregistered"))
    look_at(page)
    for _ in ("roads large", "spots large"):
        page.get_by_role("button", name="SWAP VIEW").click()
        look_at(page)
    for name in (
        "COLLECT",
        "INSERT VOUCHER",
        "HELP",
        "PAY TABLE",
        "Settings",
        "Statistics",
        "Last rounds",
        "check this shoe",
    ):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        look_at(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    windows.tell(lambda one: one.finish("played", "9S 2H KD 6C"))
    expect(banner(page)).to_contain_text("Player wins")
    look_at(page)
