"""One's own password, changed at the start page; and the times there, by the clock on the venue's wall."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from tests.server.live_server import Visit
from tests.web.eyes import look_at
from tests.web.windows import NOBODY, Windows

OLD, NEW = "seven green lamps", "nine brass buttons"
REFUSED = r"/api/change-password: .*status of 40[03]"


def hire(windows: Windows, id: str) -> None:
    """Someone whose password no other test needs."""

    async def story(one: Visit) -> None:
        admin = await one.person("administrator")
        issued = await admin.post("/api/staff/", {"id": id, "name": id.title(), "role": "auditor"})
        await (await one.stranger()).post("/api/set-password", {"code": issued["code"], "password": OLD})

    windows.tell(story)


def sign_in(page: Page, id: str, password: str) -> None:
    page.get_by_label("Your id").fill(id)
    page.get_by_label("Password").fill(password)
    page.get_by_label("Password").press("Enter")


def fill(dialog: Locator, present: str, new: str, again: str = "") -> None:
    for label, word in (("Present password", present), ("New password", new), ("The same again", again or new)):
        dialog.get_by_label(label).fill(word)


def test_changing_ones_own_password(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    hire(windows, "nora")
    page, elsewhere = windows.stranger("/", bypass_csp=True), windows.stranger("/")
    for one in (page, elsewhere):
        sign_in(one, "nora", OLD)
        expect(one.get_by_text("Nora", exact=True)).to_be_visible()
    opener = page.get_by_role("button", name="Change password")
    opener.press("Enter")
    dialog = page.get_by_role("dialog", name="Change password")
    expect(dialog.get_by_label("Present password")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
    opener.press("Enter")

    windows.expect_error(REFUSED)
    for present, new, again, field, says in (
        (OLD, NEW, "nine brass butons", "The same again", "not the same"),
        (OLD, NEW, "nine brass butons", "The same again", "not the same"),
        (OLD, "short", "", "New password", "at least 10 characters"),
        (OLD, OLD, "", "New password", "choose another"),
        ("guessed", NEW, "", "Present password", "not the present password"),
    ):
        fill(dialog, present, new, again)
        dialog.get_by_role("button", name="Change password").click()
        expect(dialog.get_by_role("alert")).to_contain_text(says)
        expect(dialog.get_by_label(field)).to_be_focused()
        expect(dialog.get_by_label(field)).to_have_accessible_description(re.compile(says))
    expect(dialog.get_by_label("Present password")).to_have_value("")
    look_at(page)

    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "change-password" in request.url else None)
    fill(dialog, OLD, NEW)
    dialog.get_by_role("button", name="Change password").dblclick()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("Your password is changed")
    expect(opener).to_be_focused()
    assert len(sent) == 1
    look_at(page)
    page.reload()
    expect(page.get_by_text("Nora", exact=True)).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)

    elsewhere.reload()
    windows.expect_error(r"/api/sign-in: .*status of 401")
    sign_in(elsewhere, "nora", OLD)
    expect(elsewhere.get_by_role("alert")).to_contain_text("not accepted")
    sign_in(elsewhere, "nora", NEW)
    expect(elsewhere.get_by_text("Nora", exact=True)).to_be_visible()


def test_a_lock_out_is_said_at_the_field_and_in_chinese(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    hire(windows, "nils")
    page = windows.stranger("/")
    sign_in(page, "nils", OLD)
    page.get_by_role("button", name="中文").click()
    page.get_by_role("button", name="更改密码").click()
    dialog = page.get_by_role("dialog", name="更改密码")
    windows.expect_error(REFUSED)
    for says in ("当前密码不正确", "当前密码不正确", "账户在此处已锁定"):
        for label, word in (("当前密码", "guessed"), ("新密码", NEW), ("再输一次", NEW)):
            dialog.get_by_label(label).fill(word)
        page.keyboard.press("Enter")
        expect(dialog.get_by_label("当前密码")).to_have_value("")
        expect(dialog.get_by_label("当前密码")).to_have_accessible_description(re.compile(says))


def test_the_end_of_the_session_is_told_by_the_venues_clock(windows: Windows) -> None:
    page = windows.staff("dealer", "/", timezone_id="America/New_York")
    page.get_by_text("What you may do").click()
    line = page.get_by_text("Without activity, the session ends at")
    expect(line).to_be_visible()
    ends = datetime.now(ZoneInfo("Asia/Singapore")) + timedelta(minutes=30)
    soon = {(ends + timedelta(minutes=minutes)).strftime("%H:%M") for minutes in range(-10, 2)}
    assert re.findall(r"\d\d:\d\d", line.inner_text())[0] in soon


def test_whoever_signs_in_next_finds_no_dialog_of_the_one_before(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    hire(windows, "nell")
    page = windows.stranger("/")
    sign_in(page, "nell", OLD)
    page.get_by_role("button", name="Change password").click()
    dialog = page.get_by_role("dialog")
    fill(dialog, OLD, NEW)
    page.context.clear_cookies()  # the session has ended
    windows.expect_error(r"/api/change-password: .*status of 401")
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog).to_have_count(0)
    sign_in(page, "nell", OLD)
    expect(page.get_by_role("button", name="Change password")).to_be_visible()
    expect(dialog).to_have_count(0)
