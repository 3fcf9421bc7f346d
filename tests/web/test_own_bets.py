"""A player's own ways to bet: the own box, favourites, chips of one's choice, and as much as a spot takes."""

from playwright.sync_api import Page, expect

from tests.web.eyes import look_at
from tests.web.windows import Windows, banner, meter, spot

TABLE, SEAT = "own-bets", 3


def chip(page: Page, amount: str) -> None:
    page.get_by_role("radio", name=amount, exact=True).click()


def test_a_player_bets_in_the_own_box_by_favourites_with_own_chips_and_up_to_the_limit(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round(TABLE))
    page = windows.terminal(TABLE, SEAT, 100_000, bypass_csp=True)
    expect(banner(page)).to_contain_text("Place your bets")

    # The own box is tapped like the spots; the others are only looked at.
    for _ in ("roads", "boxes"):
        page.get_by_role("button", name="SWAP VIEW").click()
    chip(page, "25.00")
    mine = page.get_by_role("group", name=f"Box {SEAT} (yours)")
    mine.get_by_role("button", name="Your box, Banker: no bet").click()
    banker = mine.get_by_role("button", name="Your box, Banker: 25.00")
    expect(banker).to_be_visible()
    banker.press("Enter")
    expect(spot(page, "Banker")).to_contain_text("50.00registered")
    mine.get_by_role("button", name="Your box, Tie: no bet").click()
    expect(spot(page, "Tie")).to_contain_text("25.00registered")
    expect(page.get_by_role("img", name="Box 4: no bet").get_by_role("button")).to_have_count(0)
    look_at(page)
    page.get_by_role("button", name="SWAP VIEW").click()

    # What lies is kept, and laid again as one.
    page.get_by_role("button", name="Favourites").click()
    favourites = page.get_by_role("dialog", name="Favourites")
    favourites.get_by_role("button", name="Keep these bets").click()
    first = favourites.get_by_role("button", name="★ 1 Banker 50.00, Tie 25.00 75.00")
    expect(first).to_be_visible()
    look_at(page)
    first.click()
    expect(favourites).to_have_count(0)
    expect(meter(page, "BET")).to_have_text("150.00")
    page.get_by_role("button", name="UNDO", exact=True).click()
    expect(meter(page, "BET")).to_have_text("75.00")
    page.keyboard.press("Shift+Digit1")
    expect(meter(page, "BET")).to_have_text("150.00")
    page.reload()
    expect(meter(page, "BET")).to_have_text("150.00")
    page.keyboard.press("Shift+Digit1")
    expect(meter(page, "BET")).to_have_text("225.00")

    # Chips of one's choice, one of them of an amount of one's own.
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Choose your chips").click()
    rack = page.get_by_role("dialog", name="Choose your chips")
    rack.get_by_role("checkbox", name="1.00", exact=True).click()
    for key in "137":
        rack.get_by_role("button", name=key, exact=True).click()
    rack.get_by_role("button", name="Put this chip in the rack").click()
    expect(rack.get_by_role("checkbox", name="137.00", exact=True)).to_be_checked()
    rack.get_by_label("A chip of your own amount").fill("0.50")
    rack.get_by_role("button", name="Put this chip in the rack").click()
    expect(rack.get_by_role("alert")).to_have_text("A chip here is a multiple of 1.00, and at most 50,000.00.")
    look_at(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", name="1.00", exact=True)).to_have_count(0)
    expect(page.get_by_role("radio", name="137.00", exact=True)).to_be_checked()
    spot(page, "Player").click()
    expect(spot(page, "Player")).to_contain_text("137.00registered")

    # As much as a spot takes: shown first, by a key or by a press that is held; never by one tap.
    page.get_by_role("button", name="MAX", exact=True).click()
    spot(page, "Player").click()
    most = page.get_by_role("dialog", name="MAX on Player")
    expect(most).to_contain_text("638.00 Your credit is 638.00.")
    look_at(page)
    most.get_by_role("button", name="Lay nothing").click()
    expect(meter(page, "BET")).to_have_text("362.00")
    spot(page, "Player").click(delay=1_500)
    most.get_by_role("button", name="Lay 638.00 on Player").click()
    expect(spot(page, "Player")).to_contain_text("775.00registered")
    expect(meter(page, "CREDIT")).to_have_text("0.00")
    page.keyboard.press("+")
    page.keyboard.press("b")
    empty = page.get_by_role("dialog", name="MAX on Banker")
    expect(empty).to_contain_text("Nothing more can be laid on Banker. Your credit is 0.00.")
