"""A player calls an attendant: at the terminal, on the console and in the pit, three windows and one bell."""

from playwright.sync_api import Locator, Page, expect

from natural9.table.commands import staff
from tests.server.live_server import PEOPLE
from tests.web.eyes import look_at
from tests.web.windows import Windows

TABLE = "called"


def key(page: Page, text: str) -> Locator:
    return page.get_by_role("button", name=text, exact=True)


def calls(page: Page) -> Locator:
    return page.get_by_role("list", name="Calls for an attendant").get_by_role("listitem")


def test_a_call_goes_round_the_floor(windows: Windows) -> None:
    windows.do("pit-manager", TABLE, staff.OpenTable)
    player = windows.terminal(TABLE, 7, bypass_csp=True)
    console = windows.staff("dealer", f"/console/{TABLE}", bypass_csp=True)
    pit = windows.staff("pit-supervisor", "/pit", bypass_csp=True)
    expect(key(player, "ATTENDANT")).to_have_attribute("aria-pressed", "false")
    expect(pit.get_by_role("list", name="Tables")).to_be_visible()

    key(player, "ATTENDANT").click()
    expect(key(player, "CALLED")).to_have_attribute("aria-pressed", "true")
    for page in (console, pit):
        expect(calls(page)).to_have_count(1)
        expect(calls(page)).to_contain_text("Seat 7")
        look_at(page)
    key(player, "CALLED").click()
    for page in (console, pit):
        expect(calls(page)).to_have_count(0)

    key(player, "ATTENDANT").click()
    calls(pit).get_by_role("button", name="Take").click()
    expect(key(player, "ON THE WAY")).to_be_visible()
    expect(calls(console)).to_contain_text(PEOPLE["pit-supervisor"])
    look_at(player)
    player.reload()
    expect(key(player, "ON THE WAY")).to_be_visible()
    calls(console).get_by_role("button", name="Done").click()
    expect(key(player, "ATTENDANT")).to_be_visible()
    for page in (console, pit):
        expect(calls(page)).to_have_count(0)
