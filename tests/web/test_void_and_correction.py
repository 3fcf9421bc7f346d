"""A void, a correction and a relief, as every screen shows them: terminal, console, pit, wall and audit."""

from playwright.sync_api import Locator, Page, expect

from tests.server.live_server import PEOPLE, password
from tests.web.console import deal_four, key_cards, next_step, settle, space
from tests.web.windows import Windows, banner, meter, spot

CREDIT = 100_000
WHY = "the lamp over the table fell"
MISREAD = "a nine, keyed as an eight"


class Screens:
    """Five windows on one table with a bet of 25.00 on Banker."""

    def __init__(self, windows: Windows, table: str) -> None:
        self.windows, self.table = windows, table
        windows.tell(lambda one: one.begin_round(table))
        self.terminal = windows.terminal(table, 4, CREDIT)
        self.console = windows.staff("dealer", f"/console/{table}")
        self.pit = windows.staff("shift-manager", f"/pit/{table}")
        self.wall = windows.display(table)
        expect(banner(self.terminal)).to_contain_text("Place your bets")
        self.terminal.get_by_role("radio", name="25.00", exact=True).click()
        spot(self.terminal, "Banker").click()
        expect(spot(self.terminal, "Banker")).to_contain_text("25.00registered")
        expect(self.wall.get_by_role("status")).to_contain_text("Place your bets")
        expect(fact(self.pit, "At stake")).to_have_text("25.00")

    def audit(self) -> Page:
        return self.windows.staff("auditor", f"/audit/rounds/{self.table}/1")


def fact(page: Page, name: str) -> Locator:
    return page.locator("dl > div", has=page.get_by_text(name, exact=True)).locator("dd").first


def sign(page: Page, role: str) -> None:
    """The field of the id has the focus, or gets it: then the password and Enter."""
    page.get_by_label("Your id").fill(PEOPLE[role])
    page.get_by_label("Password").fill(password(role))
    page.keyboard.press("Enter")


def test_a_void_is_seen_on_every_screen(windows: Windows) -> None:
    screens = Screens(windows, "void")
    console = screens.console
    expect(next_step(console)).to_have_text("Close bets")
    console.keyboard.press("v")
    dialog = console.get_by_role("dialog", name="Void the round")
    expect(dialog).to_contain_text("25.00")  # what it does to the money is said first
    console.keyboard.type(WHY)
    sign(console, "shift-manager")
    expect(dialog).to_have_count(0)
    expect(console.get_by_text(f"Round 1 is void: {WHY}")).to_be_visible()

    expect(banner(screens.terminal)).to_contain_text("This round is void")
    expect(banner(screens.terminal)).to_contain_text(WHY)
    expect(banner(screens.terminal)).to_contain_text("25.00 came back to your credit")
    expect(meter(screens.terminal, "CREDIT")).to_have_text("1,000.00")

    expect(fact(screens.pit, "Round")).to_have_text("1 · Void")
    expect(fact(screens.pit, "At stake")).to_have_text("0.00")
    expect(screens.pit.get_by_role("row", name="1 Void 25.00 25.00")).to_be_visible()
    expect(screens.pit.get_by_role("region", name="Voids and corrections")).to_contain_text(WHY)

    expect(screens.wall.get_by_role("status")).to_contain_text("This round is void")
    expect(screens.wall.get_by_role("status")).to_contain_text(WHY)

    audit = screens.audit()
    expect(audit.get_by_role("note")).to_contain_text(WHY)
    expect(audit.get_by_text("25.00 went back: the round is void")).to_be_visible()
    expect(fact(audit, "House win")).to_have_text("0.00")


def test_a_correction_is_seen_on_every_screen(windows: Windows) -> None:
    """The Banker's 9 was keyed as an 8: what was a tie is won by the Banker, and paid so."""
    screens = Screens(windows, "corrected")
    console, terminal = screens.console, screens.terminal
    space(console, "Close bets")
    deal_four(console, "8S KH QD 8C")
    space(console, "Declare: TIE at 8")
    settle(console)
    expect(banner(terminal)).to_contain_text("Tie")
    expect(meter(terminal, "CREDIT")).to_have_text("1,000.00")
    expect(screens.wall.get_by_role("status")).to_contain_text("Tie")
    expect(next_step(console)).to_have_text("Open betting")

    console.keyboard.press("x")
    dialog = console.get_by_role("dialog", name="Correct the result")
    expect(dialog).to_contain_text("Nothing is changed yet.")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "9", "c"):
        console.keyboard.press(key)
    expect(dialog).not_to_contain_text("Nothing is changed yet.")
    expect(dialog).to_contain_text("Takes back 25.00 from 1 seat.")
    register = dialog.get_by_role("button", name="Register these cards")
    reason = dialog.get_by_label("Why (kept with the round)")
    reason.fill("  ")
    expect(register).to_be_disabled()
    reason.fill(MISREAD)
    expect(register).to_be_disabled()  # another result takes the supervisor's signature
    sign(console, "pit-supervisor")
    expect(dialog).to_have_count(0)
    expect(console.get_by_role("group", name="BANKER")).to_contain_text("wins")

    expect(banner(terminal)).to_contain_text("Banker wins")
    expect(meter(terminal, "CREDIT")).to_have_text("1,025.00")
    expect(spot(terminal, "Banker")).to_contain_text("+25.00")
    expect(screens.wall.get_by_role("status")).to_contain_text("Banker wins")
    expect(screens.pit.get_by_role("row", name="1 Banker 8:9 25.00 50.00")).to_be_visible()
    expect(screens.pit.get_by_role("region", name="Voids and corrections")).to_contain_text(MISREAD)

    audit = screens.audit()
    audit.get_by_role("button", name="Irregularities and corrections").click()
    expect(audit.get_by_role("button", name=MISREAD)).to_be_visible()
    expect(fact(audit, "House win")).to_have_text("−25.00")


def test_a_relief_in_the_middle_of_a_round_is_seen_on_every_screen(windows: Windows) -> None:
    """One click, and Space is the next step again: neither console stops."""
    screens = Screens(windows, "relieved")
    console, head = screens.console, screens.console.get_by_role("banner")
    expect(head).to_contain_text("Dealer: nobody")
    head.get_by_role("button", name="Sign on").click()
    expect(head).to_contain_text("Dealer: dora")
    expect(head.get_by_role("button", name="Sign off")).to_be_visible()
    space(console, "Close bets")
    key_cards(console, ("Deal to PLAYER, first card", "8S"), ("Deal to BANKER, first card", "KH"))

    relief = windows.staff("pit-supervisor", f"/console/{screens.table}")
    expect(relief.get_by_role("banner")).to_contain_text("Dealer: dora")
    relief.get_by_role("button", name="Relieve").click()
    for page in (relief, console):
        expect(page.get_by_role("banner")).to_contain_text("Dealer: vera")
    key_cards(relief, ("Deal to PLAYER, second card", "QD"), ("Deal to BANKER, second card", "9C"))
    space(relief, "Declare: BANKER wins, 9 over 8")
    settle(relief)
    expect(meter(screens.terminal, "CREDIT")).to_have_text("1,025.00")

    expect(fact(screens.pit, "Dealer")).to_have_text("vera")
    floor = windows.staff("pit-supervisor", "/pit")
    expect(floor.get_by_role("link", name="Dealer: vera")).to_be_visible()
    expect(screens.audit().get_by_text("Dealt by dora, vera")).to_be_visible()
    for page in (screens.terminal, screens.wall):
        expect(page.locator("body")).not_to_contain_text("vera")

    screens.pit.get_by_role("button", name="Sign the dealer off").click()
    screens.pit.get_by_role("dialog").get_by_role("button", name="Sign the dealer off").click()
    expect(head).to_contain_text("Dealer: nobody")
