"""Players with names on the screens: an account at the desk, the card at a terminal, and nobody else sees who plays."""

from playwright.sync_api import Page, expect

from tests.web.eyes import look_at
from tests.web.windows import Windows

TABLE = "carded"


def open_account(windows: Windows, name: str) -> tuple[Page, str, str]:
    """The desk's window, and the card and PIN that it shows once."""
    desk = windows.staff("cashier", "/players", bypass_csp=True)
    desk.get_by_label("Wants to be called").fill(name)
    desk.get_by_role("button", name="Open an account").click()
    slip = desk.locator("article.slip")
    expect(slip.get_by_role("heading", name=name)).to_be_visible()
    expect(slip.get_by_role("img", name="QR code of the card")).to_be_visible()
    card, pin = slip.locator("dd").all_inner_texts()
    look_at(desk)
    slip.get_by_role("button", name="Handed over").click()
    return desk, card, pin


def card_in(page: Page, card: str, pin: str) -> None:
    page.get_by_role("button", name="Card in").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Card", exact=True).fill(card)
    dialog.get_by_label("PIN").fill(pin)
    dialog.get_by_role("button", name="Card in").click()


def test_a_player_cards_in_is_welcomed_here_alone_and_excluded_at_the_desk(windows: Windows) -> None:
    desk, card, pin = open_account(windows, "Mei Ling")
    page = windows.terminal(TABLE, 1, 10_000, bypass_csp=True)
    other, wall = windows.terminal(TABLE, 2), windows.display(TABLE)
    windows.expect_error(r"/api/card: .*status of 403")
    card_in(page, card, "000001")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("This card and PIN were not accepted")
    look_at(page)
    page.keyboard.press("Escape")
    card_in(page, f"natural9-card:{card.replace('-', '')}", pin)  # as a scanner types it
    dialog = page.get_by_role("dialog", name="My card")
    expect(dialog).to_contain_text("Welcome, Mei Ling")
    expect(dialog).to_contain_text("0 points in all")
    look_at(page)
    dialog.get_by_role("button", name="My statement").click()
    expect(page.get_by_role("dialog").get_by_role("table")).to_contain_text(f"{TABLE}-1")
    look_at(page)
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("button", name="Welcome, Mei Ling")).to_be_visible()
    for stranger in (other, wall):
        assert "Mei" not in stranger.content()
        assert "10001" not in stranger.content()

    desk.get_by_role("button", name="Exclude", exact=True).click()
    asked = desk.get_by_role("dialog")
    asked.get_by_label("Permanently").check()
    asked.get_by_label("Reason").fill("asked at the desk")
    look_at(desk)
    asked.get_by_role("button", name="Exclude").click()
    expect(desk.get_by_text("Until a Shift Manager lifts it.")).to_be_visible()
    page.get_by_role("button", name="Welcome, Mei Ling").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("You may not play on")
    dialog.get_by_role("button", name="Collect and card out").click()
    page.get_by_role("button", name="Collect 100.00").click()
    page.get_by_role("button", name="I have it").click()
    card_in(page, card, pin)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("You are excluded from play here")
