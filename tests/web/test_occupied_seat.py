"""A terminal is replaced at a seat that holds money: the pit manager signs in the form, the old terminal is told."""

from playwright.sync_api import expect

from tests.server.live_server import PEOPLE, Visit, password
from tests.web.windows import Windows

TABLE, SEAT = "seat", 7


def test_a_pit_manager_signs_in_the_administrators_form(windows: Windows) -> None:
    player = windows.terminal(TABLE, SEAT, 50_000)
    windows.expect_error(r"/api/devices/: .*status of 409")
    windows.expect_error(r"/api/me: .*status of 401")
    page = windows.staff("administrator", "/admin/devices")
    page.get_by_label("Table").select_option(value=TABLE)
    page.get_by_label("First seat").fill(str(SEAT))
    page.get_by_role("button", name="Make codes").click()
    expect(page.get_by_role("alert")).to_contain_text(f"Seat {SEAT} at table {TABLE} holds credit")
    page.get_by_label("Id of who signs").fill(PEOPLE["pit-manager"])
    page.get_by_label("Password").fill(password("pit-manager"))
    page.get_by_role("button", name="Make codes").click()
    expect(page.get_by_role("heading", name="A one-time code")).to_be_visible()
    expect(page.get_by_label("Id of who signs")).to_have_count(0)
    code = page.locator("code").first.inner_text()

    async def enrol(one: Visit) -> None:
        await (await one.stranger()).enrol(code)

    windows.tell(enrol)
    expect(player.get_by_text("This seat was given to another device")).to_be_visible()
