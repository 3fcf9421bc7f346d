"""Every page as people with other eyes, hands and screens meet it: axe, a phone, a 27-inch terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from natural9.table import commands as w
from tests.server.live_server import Server, Visit, visit
from tests.web.console import next_step
from tests.web.windows import LARGE, NOBODY, PHONE, Windows, aside, banner, spot

ROOT = Path(__file__).parents[2]
AXE = (ROOT / "web/node_modules/axe-core/axe.min.js").read_text()
LOOK = "look"  # a table with a round behind it and betting open

NOT_REACHED = """within => {
    const controls = document.querySelectorAll('button, a[href], input, select, textarea, summary');
    const open = document.querySelector('dialog[open]') ?? document.querySelector(within);
    return [...controls].filter(one => open.contains(one) && one.checkVisibility({visibilityProperty: true}))
        .filter(one => {
            one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
            const box = one.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const hit = document.elementFromPoint(x, y);
            const inside = box.left >= -1 && box.right <= innerWidth + 1 && y >= 0 && y <= innerHeight;
            return !inside || !hit || !(one.contains(hit) || hit.closest('label')?.contains(one));
        })
        .map(one => `${one.tagName} ${one.textContent.trim() || one.ariaLabel || one.name}`.slice(0, 80));
}"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def look(floor: Server) -> Server:
    async def story(one: Visit) -> None:
        for id in (LOOK, "boxes"):
            await one.begin_round(id)
            terminal = await one.sit(id, 1, 100_000)
            await terminal.betting_open()
            await terminal.bet("banker", 2_500)
            await one.finish(id, "9S 2H KD 6C")
            await one.do("dealer", id, w.OpenBetting)

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
    Window("", "/terminal", "This terminal is not set up yet"),
    Window("auditor", "/audit", "Last rounds"),
    Window("auditor", f"/audit/rounds/{LOOK}/1", "Seal of this round"),
    Window("auditor", "/audit/verify", "Verify the journal"),
    Window("auditor", "/audit/shoes", "A shoe against its promise"),
    Window("auditor", "/audit/reports/win", "Reports"),
    Window("auditor", "/audit/reports/hold", "Reports"),
    Window("", "/odds", "Odds"),
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


@pytest.mark.usefixtures("look")
def test_the_offer_of_insurance_on_every_screen(windows: Windows) -> None:
    page = windows.terminal("offer", 9, 100_000, bypass_csp=True)
    windows.tell(lambda one: one.begin_round("offer"))
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("radio", name="100.00", exact=True).click()
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("registered")
    windows.do("dealer", "offer", w.CloseBetting)
    windows.tell(lambda one: one.deal("offer", "5S 6H KD QC"))
    windows.do("dealer", "offer", w.OpenInsurance)
    expect(page.get_by_role("region", name="Insurance?")).to_be_visible()
    look_at(page, within="[aria-label='Insurance?']")  # for these seconds it covers what cannot be used anyway


@pytest.mark.usefixtures("look")
def test_the_terminal_on_every_screen(windows: Windows) -> None:
    """Betting, each view and each dialog, and a result."""
    page = windows.terminal(LOOK, 9, 100_000, bypass_csp=True)
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("registered")
    look_at(page)
    for _ in ("roads", "statistics", "bets"):
        page.get_by_role("button", name="SWAP VIEW").click()
        look_at(page)
    for name in ("COLLECT", "INSERT VOUCHER", "HELP", "Settings", "Last rounds", "check this shoe"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        look_at(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    windows.tell(lambda one: one.finish(LOOK, "9S 2H KD 6C"))
    expect(banner(page)).to_contain_text("Player wins")
    look_at(page)


def look_at(page: Page, *, within: str = "body") -> None:
    """With axe's eyes, then on a phone and on 27 inches."""
    faults = serious_faults(page)
    before = page.viewport_size
    for size in (PHONE, LARGE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        faults += [f"{size['width']} wide: {fault}" for fault in unreachable(page, within)]
        if size == PHONE:
            faults += [f"{size['width']} wide: {fault}" for fault in serious_faults(page)]
    assert before
    page.set_viewport_size(before)
    assert not faults, "\n".join(faults)


def unreachable(page: Page, within: str = "body") -> Iterator[str]:
    page.wait_for_function("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    if too_wide := page.evaluate(TOO_WIDE):
        yield f"{too_wide} px too wide"
    yield from (f"not reached: {control}" for control in page.evaluate(NOT_REACHED, within))


def serious_faults(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[Any] = page.evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
