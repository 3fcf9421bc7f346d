"""A player notes the head of the journal; an auditor finds it again, and would miss one that was rewritten away."""

import re

from playwright.sync_api import Page, expect

from tests.web.eyes import look_at
from tests.web.windows import Windows

TABLE = "head"


def verify(auditor: Page, head: str, verdict: str) -> None:
    auditor.get_by_label("A head noted earlier").fill(head)
    auditor.get_by_role("button", name="Verify now").click()
    expect(auditor.get_by_text(verdict)).to_be_visible(timeout=60_000)


def test_a_head_noted_at_a_terminal_is_found_by_the_auditor(windows: Windows) -> None:
    windows.tell(lambda one: one.open(TABLE))
    windows.tell(lambda one: one.begin_round(TABLE))
    terminal = windows.terminal(TABLE, 5)
    terminal.get_by_role("button", name="check this shoe").click()
    head = terminal.get_by_role("dialog").locator("dt", has_text="Entry ").locator("+ dd")
    expect(head).to_have_text(re.compile("^[0-9a-f]{64}$"))

    auditor = windows.staff("auditor", "/audit/verify", bypass_csp=True)
    verify(auditor, f" {head.inner_text()} ", "The head that was noted is entry")
    look_at(auditor)
    verify(auditor, "00" * 32, "no entry with the hash 0000")
    look_at(auditor)
    auditor.goto(f"/audit/rounds/{TABLE}/1")
    expect(auditor.get_by_role("alert")).to_have_text("The whole journal was verified, and failed.")
    look_at(auditor)
    auditor.get_by_role("link", name="See where").click()
    verify(auditor, "", "Everything is correct.")
