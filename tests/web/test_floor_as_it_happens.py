"""What goes wrong on a floor, as the people there live through it: at the console, in the pit, at the terminal."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from tests.server.live_server import PEOPLE, new_venue, password, running, table
from tests.web.conftest import open_windows
from tests.web.console import QUICK_MS, answered, deal_four, key_cards, next_step, settle, space
from tests.web.eyes import look_at
from tests.web.test_restart import AWAY, keep_its_port
from tests.web.windows import Windows, aside, banner, meter, spot

CREDIT = 100_000
SEAT = 4


class Story:
    """A console, a pit and a terminal with a credit of 1,000.00 at one table, betting open."""

    def __init__(self, windows: Windows, at: str) -> None:
        self.windows, self.at = windows, at
        windows.tell(lambda one: one.begin_round(at))
        self.terminal = windows.terminal(at, SEAT, CREDIT)
        self.console = windows.staff("dealer", f"/console/{at}")
        self.manager = windows.staff("shift-manager", f"/pit/{at}")
        expect(banner(self.terminal)).to_contain_text("Place your bets")

    def bet(self, *wagers: str) -> None:
        """25.00 on each."""
        self.terminal.get_by_role("radio", name="25.00", exact=True).click()
        for wager in wagers:
            spot(self.terminal, wager).click()
            expect(spot(self.terminal, wager)).to_contain_text("25.00registered")

    def credit_is(self, amount: str) -> None:
        expect(meter(self.terminal, "CREDIT")).to_have_text(amount)

    def play(self, cards: str, declares: str) -> None:
        """From the close of bets to settlement."""
        space(self.console, "Close bets")
        deal_four(self.console, cards)
        space(self.console, declares)
        settle(self.console)

    def what_happened(self, kind: str) -> Locator:
        """The report of this kind, opened at the console: what it asks for."""
        dialog = self.console.get_by_role("dialog", name="What happened?")
        if not dialog.is_visible():
            self.console.keyboard.press("r")
        dialog.get_by_role("button", name=re.compile(f"^{kind}")).click()
        return dialog


def decision(page: Page) -> Locator:
    return page.get_by_role("dialog").filter(has=page.get_by_role("group", name="What is done"))


def sign(form: Locator, role: str) -> None:
    form.get_by_label("Your id").fill(PEOPLE[role])
    form.get_by_label("Password").fill(password(role))
    form.get_by_label("Password").press("Enter")


def back_to_the_table(page: Page) -> None:
    page.get_by_role("button", name="Back to the table").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_late_bet_is_refused_and_a_withdrawn_one_put_back(windows: Windows) -> None:
    """Both wait at once; each is decided on its own, and the terminal's money follows."""
    story = Story(windows, "late")
    console, terminal = story.console, story.terminal
    story.bet("Banker", "Player")
    terminal.get_by_role("button", name="UNDO").click()  # seen by the dealer after "No more bets"
    expect(spot(terminal, "Player")).not_to_contain_text("25.00registered")
    story.credit_is("975.00")
    space(console, "Close bets")

    report = story.what_happened("Withdrawn bet")
    expect(report.get_by_role("combobox", name="Bet")).to_have_value("player")  # the only one that was taken back
    report.get_by_role("button", name="Report it").click()
    expect(decision(console)).to_contain_text(f"Seat {SEAT} · Player · 25.00")
    expect(banner(terminal)).to_contain_text("A bet was withdrawn")
    decision(console).get_by_role("button", name="Something else happened as well").click()
    report = story.what_happened("Late bet")
    expect(report.get_by_role("combobox", name="Bet")).to_have_value("banker")
    look_at(console)
    report.get_by_role("button", name="Report it").click()
    expect(decision(console)).to_contain_text("2 irregularities wait.")
    expect(next_step(console)).to_have_text("2 irregularities wait: the Dealer decides the first")
    floor = windows.staff("pit-supervisor", "/pit")
    mine = floor.get_by_role("article").filter(has_text="late")
    for kind in ("Withdrawn bet", "Late bet"):
        expect(mine.get_by_role("heading", name=kind)).to_be_visible()

    put_back = decision(console).get_by_role("button", name="The bet stands")
    expect(decision(console)).to_contain_text("Puts back 25.00 of 1 seat.")
    expect(put_back).to_be_disabled()  # until there is a reason
    decision(console).get_by_label("Why (kept with the round)").fill("a hand came in after the call")
    look_at(console)
    put_back.click()
    expect(spot(terminal, "Player")).to_contain_text("25.00registered")
    story.credit_is("950.00")
    expect(decision(console)).to_contain_text("Returns 25.00 to 1 seat.")
    decision(console).get_by_label("Why (kept with the round)").fill("laid after the call")
    decision(console).get_by_role("button", name="Refuse the bet").click()
    back_to_the_table(console)
    expect(spot(terminal, "Banker")).not_to_contain_text("25.00registered")
    story.credit_is("975.00")
    expect(mine).to_have_count(0)

    deal_four(console, "9S KH QD KC")
    space(console, "Declare: PLAYER wins, 9 over 0")
    settle(console)
    story.credit_is("1,025.00")


def test_a_wrong_result_is_found_after_the_next_round_has_opened(windows: Windows) -> None:
    """The Banker's 9 was keyed as an 8. The shift manager corrects the earlier round; the one in play goes on."""
    story = Story(windows, "found-late")
    console, pit = story.console, story.manager
    story.bet("Banker")
    story.play("8S KH QD 8C", "Declare: TIE at 8")
    story.credit_is("1,000.00")
    space(console, "Open betting")
    story.bet("Player")
    story.credit_is("975.00")
    space(console, "Close bets")

    report = story.what_happened("Wrong result announced")
    report.get_by_label("It is about an earlier round").check()
    expect(report.get_by_label("In which round")).to_have_value("1")
    report.get_by_role("button", name="Report it").click()
    expect(decision(console)).to_contain_text("A Shift Manager or above decides.")
    expect(decision(console)).to_contain_text("Round 1")

    waiting = pit.locator("section").filter(has=pit.get_by_role("group", name="What is done")).first
    expect(waiting).to_contain_text("Round 1: name its cards as they lay")
    waiting.get_by_role("button", name="4 8 of clubs").click()
    for key in ("9", "c"):
        pit.keyboard.press(key)
    expect(waiting).to_contain_text("Takes back 25.00 from 1 seat.")
    expect(waiting).to_contain_text("Pays 50.00 to 1 seat, stakes included.")
    waiting.get_by_label("Why (kept with the round)").fill("a nine, keyed as an eight")
    look_at(pit)
    waiting.get_by_role("button", name="Settle by the cards").click()
    expect(pit.get_by_role("row", name="1 Banker 8:9 25.00 50.00")).to_be_visible()
    story.credit_is("1,000.00")  # 25.00 of it won in round 1, and 25.00 lie in round 2
    expect(spot(story.terminal, "Player")).to_contain_text("25.00registered")
    back_to_the_table(console)

    deal_four(console, "9S KH QD KC")
    space(console, "Declare: PLAYER wins, 9 over 0")
    settle(console)
    story.credit_is("1,050.00")
    expect(pit.get_by_role("row", name="2 Player 9:0 25.00 50.00")).to_be_visible()


def test_a_report_that_was_a_mistake_is_withdrawn(windows: Windows) -> None:
    story = Story(windows, "mistaken")
    console = story.console
    story.bet("Player")
    space(console, "Close bets")
    key_cards(console, ("Deal to PLAYER, first card", "9S"))
    story.what_happened("Foreign card").get_by_role("button", name="Report it").click()
    expect(banner(story.terminal)).to_contain_text("A card that does not belong was found. A pit supervisor decides.")

    dialog = decision(console)
    dialog.get_by_role("radio", name="Withdraw the report").check()
    dialog.get_by_label("Why (kept with the round)").fill("a smudge, no foreign card")
    look_at(console)
    sign(dialog, "pit-supervisor")  # it takes the rank that would decide it, up to the supervisor
    expect(console.get_by_text("The report is withdrawn.")).to_be_visible()
    back_to_the_table(console)
    expect(story.manager.get_by_role("group", name="What is done")).to_have_count(0)
    expect(banner(story.terminal)).to_contain_text("No more bets")
    expect(spot(story.terminal, "Player")).to_contain_text("25.00registered")
    story.credit_is("975.00")

    lines = ("Deal to BANKER, first card", "Deal to PLAYER, second card", "Deal to BANKER, second card")
    key_cards(console, *zip(lines, ("KH", "QD", "KC"), strict=True))
    space(console, "Declare: PLAYER wins, 9 over 0")
    settle(console)
    story.credit_is("1,025.00")


def test_the_manager_rules_on_one_bet(windows: Windows) -> None:
    """A lost bet of the round before is void; everything else of that round stands."""
    story = Story(windows, "ruled")
    pit = story.manager
    story.bet("Banker", "Tie")
    story.play("9S KH QD KC", "Declare: PLAYER wins, 9 over 0")
    story.credit_is("950.00")
    space(story.console, "Open betting")

    pit.get_by_role("button", name="Rule on a bet of round 1").click()
    dialog = pit.get_by_role("dialog", name="Rule on a bet")
    expect(dialog.get_by_role("combobox", name="Seat")).to_have_value(str(SEAT))
    dialog.get_by_role("combobox", name="Bet").select_option("banker")
    expect(dialog).to_contain_text("By the cards it returned 0.00, stake included.")
    expect(dialog).to_contain_text("Pays 25.00 to 1 seat, stakes included.")
    dialog.get_by_role("radio", name="It returns another amount").check()
    dialog.get_by_role("textbox", name="Amount").fill("12.50")
    expect(dialog).to_contain_text("Pays 12.50 to 1 seat, stakes included.")
    dialog.get_by_role("radio", name="The bet is void").check()
    look_at(pit)
    rule = dialog.get_by_role("button", name="Rule on the bet")
    expect(rule).to_be_disabled()
    dialog.get_by_label("Why (kept with the round)").fill("the player was misled by the display")
    rule.click()
    expect(dialog).to_have_count(0)
    story.credit_is("975.00")
    expect(pit.get_by_role("row", name="1 Player 9:0 50.00 25.00")).to_be_visible()
    expect(pit.get_by_role("region", name="Voids and corrections")).to_contain_text("misled by the display")

    windows.expect_error(r"/preview: .*status of 409")
    story.console.keyboard.press("i")  # at the console somebody signs who may
    dialog = story.console.get_by_role("dialog", name="Rule on a bet")
    dialog.get_by_label("Round", exact=True).fill("1")
    dialog.get_by_role("combobox", name="Bet").select_option("tie")
    expect(dialog).to_contain_text("Pays 25.00 to 1 seat, stakes included.")
    dialog.get_by_label("Why (kept with the round)").fill("the same, on the tie")
    sign(dialog, "shift-manager")
    expect(dialog).to_have_count(0)
    story.credit_is("1,000.00")


def test_a_card_that_cannot_be_there_offers_the_earlier_one_first(windows: Windows) -> None:
    """Eight kings of hearts are keyed, one of them wrong: the ninth is refused, and the record corrected."""
    story = Story(windows, "miskeyed")
    console = story.console
    windows.expect_error(r"/commands: .*status of 409")
    story.play("9S KH KH KH", "Declare: PLAYER wins, 9 over 0")
    space(console, "Open betting")
    story.play("9S KH KH KH", "Declare: PLAYER wins, 9 over 0")
    space(console, "Open betting")
    space(console, "Close bets")
    key_cards(
        console,
        ("Deal to PLAYER, first card", "KH"),
        ("Deal to BANKER, first card", "KH"),
        ("Deal to PLAYER, second card", "KH"),
    )
    console.get_by_role("button", name="Correct an earlier card").click()
    dialog = console.get_by_role("dialog", name="Correct an earlier round")
    rounds = dialog.get_by_role("group", name="Earlier rounds").get_by_role("button")
    expect(rounds).to_have_count(3)  # this one, too
    look_at(console)
    dialog.get_by_role("button", name=re.compile("^1 ")).click()
    for key in ("k", "d"):
        console.keyboard.press(key)
    expect(dialog).to_contain_text("No money moves.")
    dialog.get_by_label("Why (kept with the round)").fill("a diamond, keyed as a heart")
    look_at(console)
    dialog.get_by_role("button", name="Correct round 1").click()  # another suit is the dealer's own to correct
    expect(dialog).to_have_count(0)
    expect(console.get_by_text("Not done.")).to_have_count(0)
    key_cards(console, ("Deal to PLAYER, second card", "KH"))
    expect(next_step(console)).to_have_text("Deal to BANKER, second card")


def test_a_squeeze_is_agreed_to_for_a_seat_and_taken_back(windows: Windows) -> None:
    story = Story(windows, "squeeze")
    console = story.console
    story.bet("Banker")
    space(console, "Close bets")
    deal_four(console, "5S 6H KD QC")
    expect(next_step(console)).to_have_text("Open insurance")
    waived = console.get_by_text("The second window is waived for this round.")
    console.keyboard.press("w")
    dialog = console.get_by_role("dialog", name="Squeeze: waive second insurance")
    dialog.get_by_label("Which seat asks?").fill(str(SEAT))
    look_at(console)
    sign(dialog, "pit-supervisor")  # the house agrees, not the dealer
    expect(waived).to_be_visible()
    expect(dialog).to_have_count(0)
    console.keyboard.press("o")
    dialog = console.get_by_role("dialog", name="Take back the waiver")
    dialog.get_by_label("Why (kept with the round)").fill("the player asks no longer")
    sign(dialog, "pit-supervisor")
    expect(dialog).to_have_count(0)
    expect(waived).to_have_count(0)


def test_what_was_decided_elsewhere_is_not_told_as_decided_here(windows: Windows) -> None:
    """The dealer's console withdraws the first of two reports; the other is withdrawn in the pit, with it open here."""
    story = Story(windows, "elsewhere")
    console = story.console
    story.bet("Player")
    space(console, "Close bets")
    key_cards(console, ("Deal to PLAYER, first card", "9S"))
    answered(console)
    for kind in (Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS):
        windows.do("dealer", story.at, round_commands.ReportIrregularity, kind=kind)
    expect(next_step(console)).to_contain_text("2 irregularities wait")
    console.keyboard.press("r")
    dialog = decision(console)
    dialog.get_by_role("radio", name="Withdraw the report").check()
    dialog.get_by_label("Why (kept with the round)").fill("a smudge")
    sign(dialog, "pit-supervisor")
    expect(dialog).not_to_contain_text("2 irregularities wait")
    windows.do("pit-manager", story.at, round_commands.WithdrawReport, why="a smudge, too")
    expect(console.get_by_text("Nothing waits to be decided any more.")).to_be_visible()
    back_to_the_table(console)


def test_a_card_that_waits_is_burnt_and_other_cards_come_before_the_cut(windows: Windows) -> None:
    story = Story(windows, "burnt")
    console = story.console
    story.play("9S KH QD KC", "Declare: PLAYER wins, 9 over 0")
    report = story.what_happened("A card too many was drawn or shown")
    for key in ("5", "h"):
        console.keyboard.press(key)
    report.get_by_role("button", name="Report it").click()
    dialog = decision(console)
    expect(dialog).to_contain_text("5 of hearts")
    dialog.get_by_role("radio", name="Use in the next round").check()
    sign(dialog, "pit-supervisor")
    back_to_the_table(console)

    console.keyboard.press("-")
    dialog = console.get_by_role("dialog", name="Burn cards that wait")
    dialog.get_by_role("button", name="5 of hearts").click()
    expect(dialog).to_contain_text("Burnt: 5 of hearts")
    dialog.get_by_label("Why (kept with the round)").fill("everybody has seen it")
    look_at(console)
    sign(dialog, "pit-supervisor")
    expect(dialog).to_have_count(0)
    console.keyboard.press("n")
    dialog = console.get_by_role("dialog", name="New shoe")
    expect(dialog).to_contain_text("The cut card has not come")
    expect(dialog.get_by_role("group", name="Cards that wait")).to_have_count(0)  # it is burnt
    dialog.get_by_label("Why (kept with the shoe)").fill("the players ask for other cards")
    look_at(console)
    sign(dialog, "pit-supervisor")
    expect(dialog).to_have_count(0)
    space(console, "Open betting")
    expect(console.get_by_text("Shoe 2")).to_be_visible()


@pytest.fixture
def venue(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    aside(lambda: new_venue(tmp_path, table("t", "mbs-tiger"), table("faulty", "rws-nc", reader="tcp:127.0.0.1:9")))
    with running(tmp_path) as server:
        keep_its_port(server)
        yield from open_windows(browser, server)


def test_the_power_fails_with_four_cards_on_the_felt_and_two_keyed(venue: Windows) -> None:
    """What lies on the felt counts: the supervisor completes the cards, and the natural is concluded."""
    story = Story(venue, "t")
    console, terminal = story.console, story.terminal
    wall = venue.display("t")
    expect(wall.get_by_role("status")).to_contain_text("Place your bets")
    story.bet("Player")
    space(console, "Close bets")
    key_cards(console, ("Deal to PLAYER, first card", "9S"), ("Deal to BANKER, first card", "KH"))
    expect(next_step(console)).to_have_text("Deal to PLAYER, second card")
    answered(console)
    venue.expect_error(AWAY)
    venue.server.kill()
    expect(console.get_by_role("alert")).to_contain_text("No connection to the table.")
    venue.server.start()

    expect(next_step(console)).to_have_text("Irregularity: the Pit Supervisor decides")
    expect(banner(terminal)).to_contain_text("the cards on it are being looked at. Your bets are safe.")
    expect(wall.get_by_role("status")).to_contain_text("One moment, please")
    console.keyboard.press("r")
    dialog = decision(console)
    expect(dialog).to_contain_text("Look at the felt.")
    expect(dialog.get_by_role("radio")).to_have_count(1)  # nobody reported it, so nobody can withdraw it
    look_at(console)
    for key in ("q", "d", "k", "c"):
        console.keyboard.press(key)
    dialog.get_by_label("Why (kept with the round)").fill("four cards lay on the felt")
    sign(dialog, "pit-supervisor")
    back_to_the_table(console)
    for page in (console.locator("#next-step").locator(".."), banner(terminal), wall.get_by_role("status")):
        expect(page).to_contain_text("goes on where it stood")
    space(console, "Declare: PLAYER wins, 9 over 0")
    settle(console)
    story.credit_is("1,025.00")
    expect(banner(terminal)).to_contain_text("Player wins")
    venue.do("dealer", "t", staff.StartRound)
    expect(banner(terminal)).to_contain_text("Place your bets")
    expect(banner(terminal)).not_to_contain_text("was away")


def test_a_fault_holds_the_table_and_says_which(venue: Windows) -> None:
    """Nothing answers where the reading shoe should: the console says who clears it, and why."""
    venue.do("pit-manager", "faulty", staff.OpenTable)
    console = venue.staff("dealer", "/console/faulty")
    expect(next_step(console)).to_have_text("A fault holds the table: a Pit Supervisor or above clears it")
    expect(console.get_by_text("the reading shoe at tcp:127.0.0.1:9 is lost")).to_be_visible()
    expect(console.get_by_role("button", name="New shoe")).to_be_disabled()
    console.wait_for_timeout(QUICK_MS)  # a key hit too soon after the news does nothing
    console.get_by_role("button", name="Clear the fault").click()
    dialog = console.get_by_role("dialog", name="The table")
    expect(dialog.get_by_role("radio", name="Clear the fault")).to_be_checked()
    expect(dialog).to_contain_text("Pit Supervisor signs here")
    look_at(console)
