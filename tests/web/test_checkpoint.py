"""A player notes a checkpoint; an auditor finds it again, and would miss one that was rewritten away."""

import re

from playwright.sync_api import Page, expect

from tests.web.eyes import look_at
from tests.web.windows import Windows

TABLE = "head"


def verify(auditor: Page, noted: str, verdict: str) -> None:
    auditor.get_by_label("A checkpoint noted earlier").fill(noted)
    auditor.get_by_role("button", name="Verify now").click()
    expect(auditor.get_by_text(verdict)).to_be_visible(timeout=60_000)


def test_a_checkpoint_noted_at_a_terminal_is_found_by_the_auditor(windows: Windows) -> None:
    windows.tell(lambda one: one.open(TABLE))
    windows.tell(lambda one: one.begin_round(TABLE))
    terminal = windows.terminal(TABLE, 5)
    terminal.get_by_role("button", name="check this shoe").click()
    noted = terminal.get_by_role("dialog").locator("dt", has_text="Checkpoint of ")
    root = noted.locator("+ dd")
    expect(root).to_have_text(re.compile("^([0-9a-f]{8} ?){8}$"))
    [size] = re.findall("[0-9,]+", noted.inner_text())

    auditor = windows.staff("auditor", "/audit/verify", bypass_csp=True)
    expect(auditor.get_by_text("No witness is named in the venue file.")).to_be_visible()
    expect(auditor.get_by_text("No time-stamp authority is named in the venue file.")).to_be_visible()
    verify(auditor, f" {size} {root.inner_text()} ", "The checkpoint that was noted, of")
    look_at(auditor)
    verify(auditor, f"{size} {'0' * 64}", "entries are not the history that was noted")
    look_at(auditor)
    auditor.goto(f"/audit/rounds/{TABLE}/1")
    expect(auditor.get_by_role("alert")).to_have_text("The whole journal was verified, and failed.")
    look_at(auditor)
    auditor.get_by_role("link", name="See where").click()
    verify(auditor, "", "Everything is correct.")
