"""What people see when an answer is lost, late or not for them: nothing untrue, and a way on."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.server.live_server import PEOPLE, password
from tests.web.console import next_step
from tests.web.windows import NOBODY, Windows

TABLE = "unanswered"


def sign_in(page: Page, role: str) -> None:
    page.get_by_label("Your id").fill(PEOPLE[role])
    page.get_by_label("Password").fill(password(role))
    page.locator("form").get_by_role("button", name="Sign in", exact=True).click()


def sign_in_anew(windows: Windows, page: Page, role: str) -> None:
    """In another tab of the same browser: this page has the token of a session that is not in use there any more."""
    other = windows.stranger("/")
    sign_in(other, role)
    expect(other.get_by_role("button", name="Sign out")).to_be_visible()
    page.context.add_cookies(other.context.cookies())  # type: ignore[arg-type]


def lose_the_answer(route: Route) -> None:
    if route.request.method == "POST":
        route.fetch()
        route.abort()
    else:
        route.continue_()


def test_what_was_done_without_an_answer_is_not_called_not_done(windows: Windows) -> None:
    desk = windows.staff("cashier", "/players")
    desk.route("**/api/players", lose_the_answer)
    desk.get_by_label("Wants to be called").fill("Lost Answer")
    windows.expect_error("ERR_FAILED")
    desk.get_by_role("button", name="Open an account").click()
    alert = desk.get_by_role("alert")
    expect(alert).to_have_text("It is not known whether this was done. Look before you do it again.")
    desk.unroute("**/api/players")
    desk.reload()
    desk.get_by_label("Name, number or card").fill("Lost Answer")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("main")).to_contain_text("Lost Answer")


def test_a_dialog_stays_until_it_is_known_what_became_of_its_order(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round(TABLE))
    console = windows.staff("shift-manager", f"/console/{TABLE}")
    expect(next_step(console)).to_have_text("Close bets")
    held: list[Route] = []
    console.route("**/commands", lambda route: held.append(route))
    console.keyboard.press("v")
    dialog = console.get_by_role("dialog", name="Void the round")
    dialog.get_by_label(re.compile("^Why")).fill("a spill")
    dialog.get_by_role("button", name=re.compile("^Void round")).click()
    expect(dialog.get_by_role("button", name="On its way …")).to_be_visible()
    for _ in range(3):  # a browser closes a dialog at the second, whatever a page says
        console.keyboard.press("Escape")
    expect(dialog.get_by_role("button", name="Close")).to_be_disabled()
    expect(dialog.get_by_role("button", name="On its way …")).to_be_visible()
    held[-1].continue_()
    expect(dialog).to_have_count(0)
    expect(console.get_by_text(re.compile(r"Round \d+ is void")).first).to_be_visible()


def test_a_voucher_stays_on_the_screen_however_often_escape_is_pressed(windows: Windows) -> None:
    page = windows.terminal(TABLE, 2, 5_000)
    page.get_by_role("button", name="COLLECT").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Collect 50.00").click()
    expect(dialog).to_contain_text("Your voucher")
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(dialog).to_contain_text("SGD 50.00")
    dialog.get_by_role("button", name="I have it").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(("role", "path", "link"), [("auditor", "/audit", "Reports"), ("pit-manager", "/pit", "")])
def test_a_session_that_has_ended_asks_to_sign_in(windows: Windows, role: str, path: str, link: str) -> None:
    """Whether somebody goes on or a page asks by itself: none only says that nobody is signed in."""
    page = windows.staff(role, path)
    page.wait_for_load_state("networkidle")
    windows.expect_error("status of 401")
    page.context.clear_cookies()
    if link:
        page.get_by_role("link", name=link).click()
    expect(page.get_by_text("The session has ended. Everything done so far is saved.")).to_be_visible()
    sign_in(page, role)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_whoever_is_out_already_signs_out_and_whoever_may_still_be_in_is_told(windows: Windows) -> None:
    page = windows.staff("auditor", "/audit")
    out = page.get_by_role("button", name="Sign out")
    page.route("**/api/sign-out", lambda route: route.abort())
    windows.expect_error("ERR_FAILED")
    out.click()
    expect(page.get_by_role("alert")).to_contain_text("You are perhaps still signed in: press again.")
    page.unroute("**/api/sign-out")
    windows.expect_error("status of 401")
    page.context.clear_cookies()
    out.click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def test_a_page_follows_who_signs_in_beside_it(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    windows.expect_error("status of 403")
    page = windows.staff("administrator", "/admin/devices")
    page.get_by_label("Kind").select_option("Display")
    make = page.get_by_role("button", name="Make codes")
    sign_in_anew(windows, page, "administrator")
    make.click()
    expect(page.get_by_role("heading", name="A one-time code")).to_be_visible()
    sign_in_anew(windows, page, "dealer")
    make.click()
    expect(page.get_by_text("this screen is for another role")).to_be_visible()


def test_a_page_that_found_nobody_comes_by_itself(windows: Windows) -> None:
    """Nobody stands at a wall to press a key."""
    page = windows.display(TABLE)
    expect(page.locator(".stage")).to_be_visible()
    page.route("**/api/me", lambda route: route.abort())
    windows.expect_error("ERR_FAILED")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    page.unroute("**/api/me")
    expect(page.locator(".stage")).to_be_visible()


def test_a_page_left_open_over_an_upgrade_loads_itself_again(windows: Windows) -> None:
    """The part of it that is asked for is there no more, under that name."""
    page = windows.terminal(TABLE, 3, 5_000)
    play = page.get_by_role("button", name="Manage my play").first
    expect(play).to_be_visible()
    page.route("**/assets/ManagePlay-*.js", lambda route: route.fulfill(status=404, body=""))
    windows.expect_error("status of 404|Failed to fetch dynamically imported module")
    with page.expect_navigation():
        play.click()
    page.unroute("**/assets/ManagePlay-*.js")
    play.click()
    expect(page.get_by_role("dialog", name="Manage my play")).to_be_visible()
