"""A player notes the head of the journal; an auditor finds it again, and would miss one that was rewritten away."""

import re

from playwright.sync_api import expect

from tests.web.windows import Windows


def test_a_head_noted_at_a_terminal_is_found_by_the_auditor(windows: Windows) -> None:
    terminal = windows.terminal("cash", 5)
    terminal.get_by_role("button", name="check this shoe").click()
    dialog = terminal.get_by_role("dialog")
    head = dialog.locator("dt", has_text="Entry ").locator("+ dd")
    expect(head).to_have_text(re.compile("^[0-9a-f]{64}$"))
    noted = head.inner_text()

    auditor = windows.staff("auditor", "/audit/verify")
    field = auditor.get_by_label("A head that somebody noted earlier")
    field.fill(f" {noted} ")
    auditor.get_by_role("button", name="Verify now").click()
    expect(auditor.get_by_text("The head that was noted is entry")).to_be_visible(timeout=60_000)

    field.fill("00" * 32)
    auditor.get_by_role("button", name="Verify now").click()
    expect(auditor.get_by_role("alert")).to_contain_text("no entry with the hash 0000", timeout=60_000)
