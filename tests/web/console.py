"""The dealer's hands: the game console by its keys alone."""

import re

from playwright.sync_api import Error, Locator, Page, expect

QUICK_MS = 250  # the console does nothing that is asked sooner after a step than this


def next_step(page: Page) -> Locator:
    """The one large line that says what to do."""
    return page.locator("#next-step")


def space(page: Page, line: str) -> None:
    """Do this step with the space bar. A bar hit too soon after the last step does nothing, so we hit it again.

    But not before a busy machine has had time to answer: the second one would do the next step.
    """
    expect(next_step(page)).to_have_text(line)
    page.wait_for_timeout(QUICK_MS)
    for _ in range(10):
        page.keyboard.press("Space")
        try:
            expect(next_step(page)).not_to_have_text(line, timeout=5_000)
        except AssertionError:
            continue
        return
    raise Error(f"the space bar does not do: {line}")


def answered(page: Page) -> None:
    """What the dealer ordered last: the table's news comes sooner than the answer, and till then keys do nothing."""
    expect(page.get_by_role("button", name=re.compile("^(Sign on|Relieve|Sign off)$"))).to_be_enabled()


def load_shoe(page: Page) -> None:
    expect(next_step(page)).to_have_text("Load a new shoe")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog", name="New shoe")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def key_cards(page: Page, *cards: tuple[str, str]) -> None:
    """Each card when its own line asks for it."""
    for line, card in cards:
        expect(next_step(page)).to_have_text(line)
        expect(page.get_by_role("group", name="Card pad").get_by_role("button").first).to_be_enabled()
        page.keyboard.type(card.lower())


def deal_four(page: Page, cards: str) -> None:
    lines = [f"Deal to {hand}, {nth} card" for nth in ("first", "second") for hand in ("PLAYER", "BANKER")]
    key_cards(page, *zip(lines, cards.split(), strict=True))


def settle(page: Page) -> None:
    """Only once it is said what that does to the money."""
    expect(next_step(page)).to_have_text("Settle")
    expect(page.locator("section", has=next_step(page)).locator(".note")).not_to_be_empty()
    space(page, "Settle")
