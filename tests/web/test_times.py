"""Times are those on the venue's wall, also in a browser that takes itself to be elsewhere."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.web.windows import Windows

VENUE = ZoneInfo("Asia/Singapore")
ELSEWHERE = {"timezone_id": "America/St_Johns", "locale": "en-GB"}  # half an hour apart: no minute is the same


def test_the_code_of_a_device_is_good_until_a_time_of_the_venue(windows: Windows) -> None:
    page = windows.staff("administrator", "/admin/devices", **ELSEWHERE)
    issue(page, "Make codes")


def test_the_code_of_an_account_is_good_until_a_time_of_the_venue(windows: Windows) -> None:
    page = windows.staff("administrator", "/admin/staff", **ELSEWHERE)
    page.get_by_label("Id, such as").fill("elsa.where")
    page.get_by_label("Name").fill("Elsa Where")
    issue(page, "Add")


def issue(page: Page, button: str) -> None:
    with page.expect_response(lambda one: one.request.method == "POST") as answered:
        page.get_by_role("button", name=button, exact=True).click()
    issued = answered.value.json()
    code = issued[0] if isinstance(issued, list) else issued
    until = datetime.fromtimestamp(code["expires_ms"] / 1000, VENUE)
    codes = page.get_by_role("region", name="One-time codes")
    expect(codes).to_contain_text(code["code"])
    expect(codes).to_contain_text(f"Good until {until:%Y-%m-%d %H:%M:%S}.")


def test_the_program_was_checked_at_a_time_of_the_venue(windows: Windows) -> None:
    page = windows.staff("administrator", "/admin/program", **ELSEWHERE)
    # Answered here: a file that somebody edits while the tests run would stop every table of the venue.
    unchanged = {"program_sha256": "0" * 64, "changed": []}
    page.route("**/api/program/check", lambda route: route.fulfill(json=unchanged))
    page.clock.set_fixed_time(datetime(2026, 7, 1, 23, 4, 5, tzinfo=UTC))
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_role("status")).to_contain_text("Checked at 07:04:05.")
