"""x2 at a terminal: what it could not double it says, in the language of the player; the bets lie as it says."""

from playwright.sync_api import expect

from natural9.table.commands import staff
from tests.web.eyes import look_at
from tests.web.windows import Windows, banner, meter, spot

TABLE = "doubled"


def test_x2_says_what_it_could_not_double(windows: Windows) -> None:
    windows.do("pit-manager", TABLE, staff.OpenTable)
    windows.do("dealer", TABLE, staff.LoadNewShoe)
    windows.do("dealer", TABLE, staff.StartRound)
    page = windows.terminal(TABLE, 2, 15_000, bypass_csp=True)
    expect(banner(page)).to_contain_text("Place your bets")
    for chip, title, stake in (("25.00", "Tie", "25.00"), ("100.00", "Player", "100.00")):
        page.get_by_role("radio", name=chip, exact=True).click()
        spot(page, title).click()
        expect(spot(page, title)).to_contain_text(f"{stake}registered")
    page.get_by_role("button", name="x2", exact=True).click()
    note = page.get_by_role("status").filter(has_text="Not doubled")
    expect(note).to_contain_text(
        "Not doubled: Player stays at 100.00 (Your credit is 0.00, and this takes 100.00: 100.00 short)"
    )
    expect(spot(page, "Tie")).to_contain_text("50.00registered")
    expect(spot(page, "Player")).to_contain_text("100.00registered")
    expect(meter(page, "BET")).to_have_text("150.00")
    look_at(page)
    page.get_by_role("button", name="UNDO", exact=True).click()
    expect(meter(page, "BET")).to_have_text("125.00")
    expect(note).to_have_count(0)

    chinese = windows.terminal(TABLE, 3, 15_000, locale="zh-CN")
    for chip, title in (("25.00", "Tie"), ("100.00", "Player")):
        chinese.get_by_role("radio", name=chip, exact=True).click()
        chinese.locator(".spot").filter(has=chinese.get_by_text(title, exact=True)).click()
    expect(meter(chinese, "投注")).to_have_text("125.00")
    chinese.get_by_role("button", name="x2", exact=True).click()
    expect(chinese.get_by_role("status").filter(has_text="未加倍")).to_contain_text("闲仍为 100.00")
