"""Two players and a dealer, three windows, one round with insurance."""

from collections.abc import Iterator

from playwright.sync_api import expect

from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from tests.server.live_server import Visit
from tests.web.console import deal_four, key_cards, load_shoe, next_step, settle, space
from tests.web.eyes import look_at
from tests.web.windows import Windows, banner, meter, money, spot

TABLE = "insured"
CREDIT = 100_000


def test_a_round_with_insurance(windows: Windows) -> None:
    """Banker leads 6 to 5, is insured, and loses: 25.00 of insurance come back as the odds say."""
    windows.do("pit-manager", TABLE, staff.OpenTable)
    dealer = windows.staff("dealer", f"/console/{TABLE}")
    backer, other = windows.terminal(TABLE, 2, CREDIT), windows.terminal(TABLE, 5, CREDIT)
    load_shoe(dealer)
    space(dealer, "Open betting")
    for page, hand in ((backer, "Banker"), (other, "Player")):
        expect(banner(page)).to_contain_text("Place your bets")
        page.get_by_role("radio", name="100.00", exact=True).click()
        spot(page, hand).click()
        expect(spot(page, hand)).to_contain_text("100.00registered")
    total = dealer.locator("dl > div", has=dealer.get_by_text("Total at risk", exact=True))
    expect(total).to_contain_text("200.00")

    space(dealer, "Close bets")
    expect(banner(backer)).to_contain_text("No more bets")
    deal_four(dealer, "5S 6H KD QC")
    space(dealer, "Open insurance")
    expect(banner(other)).to_contain_text("Banker 6, Player 5, Player draws")
    expect(other.get_by_role("region", name="Insurance?")).to_have_count(0)  # nothing of theirs lies on Banker
    dealer.keyboard.press("r")
    what = dealer.get_by_role("dialog", name="What happened?")
    expect(what.get_by_role("button", name="The shoe is empty")).to_be_enabled()  # a card is due after the window
    expect(what.get_by_role("button", name="Error found in an earlier round")).to_be_disabled()
    dealer.keyboard.press("Escape")
    expect(what).to_have_count(0)
    sheet = backer.get_by_role("region", name="Insurance?")
    expect(sheet).to_contain_text("Banker 6, Player 5, Player draws")
    as_it_lies = "You end: Player wins −100.00, Banker wins +50.00 or +100.00, Tie ±0.00"
    with_most = "With 33.00 insured you end: Player wins −1.00, Banker wins +17.00 or +67.00, Tie ±0.00"
    for said in (as_it_lies, with_most):
        expect(sheet).to_contain_text(said)
    sheet.get_by_role("button", name="Insure 25.00", exact=True).click()
    expect(sheet).to_contain_text("25.00 insured")
    expect(sheet).to_contain_text("You end: Player wins −25.00, Banker wins +25.00 or +75.00, Tie ±0.00")
    expect(dealer.get_by_text("box 2: 25.00")).to_be_visible()
    for _ in ("roads", "boxes"):  # everybody sees everybody's chips
        other.get_by_role("button", name="SWAP VIEW").click()
    for page in (dealer, other):
        box = page.get_by_role("img", name="Box 2: Banker 100.00, Banker Insurance 25.00")
        expect(box).to_be_visible()
        expect(box).to_contain_text("25")  # a chip on the spot, not only words for whoever cannot see
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_have_count(0)

    space(dealer, "Close insurance")
    key_cards(dealer, ("PLAYER draws a third card", "6D"))
    space(dealer, "Open insurance")
    expect(banner(backer)).to_contain_text("Banker 6, Player 1, Banker draws")
    backer.get_by_role("region", name="Insurance?").get_by_role("button", name="No insurance").click()
    space(dealer, "Close insurance")
    key_cards(dealer, ("BANKER draws a third card", "4H"))
    space(dealer, "Declare: PLAYER wins, 1 over 0")
    settle(dealer)
    expect(next_step(dealer)).to_have_text("Open betting")

    seats = {seat["seat"]: seat for seat in windows.get("auditor", f"/api/rounds/{TABLE}/1")["seats"]}
    for page, seat in ((backer, 2), (other, 5)):
        expect(banner(page)).to_contain_text("Player wins")
        expect(meter(page, "CREDIT")).to_have_text(money(seats[seat]["credit_after_cents"]))
    assert seats[5]["credit_after_cents"] == CREDIT + 10_000
    [insured] = seats[2]["insurance_lines"]
    assert insured["net_cents"] > 0
    assert seats[2]["credit_after_cents"] == CREDIT - 10_000 + insured["net_cents"]
    expect(spot(backer, "Banker Insurance")).to_contain_text(f"+{money(insured['net_cents'])}")


def test_a_window_that_nobody_can_use_takes_one_press(windows: Windows) -> None:
    """Banker is insured as far as it can be: nobody is asked again, and one key passes the second window."""
    windows.tell(lambda one: one.begin_round("passed"))
    dealer = windows.staff("dealer", "/console/passed")
    backer = windows.terminal("passed", 2, CREDIT)
    expect(banner(backer)).to_contain_text("Place your bets")
    backer.get_by_role("radio", name="100.00", exact=True).click()
    spot(backer, "Banker").click()
    expect(spot(backer, "Banker")).to_contain_text("100.00registered")
    space(dealer, "Close bets")
    deal_four(dealer, "5S 6H KD QC")  # insured at 3 to 1: 33.00 cover all but 1.00
    space(dealer, "Open insurance")
    backer.get_by_role("region", name="Insurance?").get_by_role("button", name="Insure 33.00", exact=True).click()
    expect(backer.get_by_role("region", name="Insured")).to_contain_text("33.00 insured")
    expect(backer.get_by_role("region", name="Insurance?")).to_have_count(0)
    expect(dealer.get_by_text("nobody: every bet on that hand is fully insured")).to_be_visible()
    worst = dealer.locator("dl > div", has=dealer.get_by_text("Worst case for the house", exact=True))
    expect(worst).to_contain_text("−67.00")  # Banker wins 100.00, and 33.00 of insurance are lost
    space(dealer, "Close insurance")
    key_cards(dealer, ("PLAYER draws a third card", "6D"))
    space(dealer, "Pass insurance: nobody can insure")
    expect(next_step(dealer)).to_have_text("BANKER draws a third card")
    expect(banner(backer)).not_to_contain_text("Insurance")


def test_insurance_is_laid_on_the_layout(windows: Windows) -> None:
    """Without the sheet: a tap on the insurance spot lays the chosen chip, or what is left; the net stands on it."""
    table = "on-layout"
    windows.tell(lambda one: one.begin_round(table))
    page = windows.terminal(table, 2, CREDIT, bypass_csp=True)
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name="Insurance sheet").uncheck()
    page.keyboard.press("Escape")
    insurance = spot(page, "Banker Insurance")
    expect(insurance).to_have_attribute("aria-disabled", "true")
    page.get_by_role("radio", name="100.00", exact=True).click()
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("100.00registered")
    page.get_by_role("radio", name="25.00", exact=True).click()
    windows.do("dealer", table, round_commands.CloseBetting)
    windows.tell(lambda one: one.deal(table, "5S 6H KD QC"))
    windows.do("dealer", table, round_commands.OpenInsurance)
    expect(insurance).to_contain_text("3:1 if Player wins up to 33.00")
    expect(insurance).to_contain_text("With 25.00 insured you end: Player wins −25.00, Banker wins +25.00 or +75.00")
    expect(page.get_by_role("region", name="Insurance?")).to_have_count(0)
    expect(spot(page, "Player Insurance")).to_have_attribute("aria-disabled", "true")
    look_at(page)
    insurance.click()
    expect(insurance).to_contain_text("up to 8.00 ✓ 25.00 insured")
    expect(insurance).to_contain_text("With 8.00 insured you end: Player wins −1.00, Banker wins +17.00 or +67.00")
    insurance.press("Enter")
    expect(insurance).to_contain_text("✓ 33.00 insured")
    expect(insurance).to_contain_text("You end: Player wins −1.00, Banker wins +17.00 or +67.00, Tie ±0.00")
    insurance.click(force=True)  # nothing is left: it says so, and nothing is laid
    expect(page.get_by_role("status").filter(has_text="Nothing can be insured")).to_be_visible()
    windows.tell(lambda one: _finish(one, table, iter(["6D", "4H"])))  # Player 1, Banker 0
    expect(insurance).to_contain_text("+75.00 · 3:1 · Rule 4.1.2 / +24.00 · 3:1 · Rule 4.1.2")
    expect(meter(page, "CREDIT")).to_have_text(money(CREDIT - 100))


async def _finish(one: Visit, table: str, cards: Iterator[str]) -> None:
    """The dealer does what is next until the round is settled."""
    while (move := await one.next_move(table)) != "open-betting":
        await one.do("dealer", table, staff.BY_TAG[move], **({"card": next(cards)} if move == "deal" else {}))
