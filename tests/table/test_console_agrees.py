"""A console is told what may be done; whatever it is told, the table decides the same."""

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.reporting import needs
from natural9.core.staff import Rank
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Facts, Who, decide
from natural9.table.commands.orders import Order
from natural9.table.state.console_parts import ReportableKind
from natural9.table.state.console_view import console_sees
from natural9.table.state.state import TableState
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from tests.core.commands_at_random import minimal_report
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, asked, live_table, table_config, terminal
from tests.table.taps_at_random import next_tap

TABLES = [
    pytest.param("mbs-tiger", ShoeSource.READ, id="dealer"),
    pytest.param("rws-nc-insurance", ShoeSource.READ, id="insurance"),
    pytest.param("rws-nc", ShoeSource.SHUFFLER, id="shuffler"),
]
NO_BETS = {"betting-not-open", "no-more-bets", "irregularity-pending", "fault", "table-not-open", "no-round"}


def answer(state: TableState, command: taps.Tap | Order, who: Who = SHIFT_MANAGER) -> Refusal | None:
    decided = decide(state, command, who, Facts(at_ms=0))
    return decided if isinstance(decided, Refusal) else None


def minimal(state: TableState, one: ReportableKind) -> Order:
    return Order("x", minimal_report(state.round, one.kind, needs(one.kind)))


def check(state: TableState) -> None:
    console, view = console_sees(state), everybody_sees(state)
    assert [one.kind for one in console.reports] == list(Kind)
    for one in console.reports:
        refusal = answer(state, minimal(state, one), DEALER)
        if one.bet and not one.not_now and refusal:  # there is none to name, or it is reported already
            assert refusal.code in ("bad-report", "already-done")
            continue
        assert (one.not_now and one.not_now.code) == (refusal and refusal.code), f"{one}: {refusal}"
    for shape in (staff.OpenTable, staff.PauseTable, staff.ResumeTable, staff.CloseTable):
        refusal = answer(state, asked(shape, request="x"))
        assert (shape.TAG in console.table_commands) == (refusal is None)
    limits = answer(state, asked(staff.ChangeLimits, request="x", why="-"))  # those in force, in any case refused
    assert limits
    assert ("change-limits" in console.table_commands) == (limits.code != "table-in-play")
    bet = taps.Bet(request="x", round=state.round.number, wager="player", cents=1)  # never a whole unit
    refusal = answer(state, bet, terminal(9))
    assert refusal
    assert view.takes_bets == (refusal.code not in NO_BETS), refusal
    check_corrections(state)


def check_corrections(state: TableState) -> None:
    correction, now = console_sees(state).correction, state.round
    first = now.cards[0].rank if now.cards else ""  # another suit alone is always the dealer's
    left = [card for card in ALL_CARDS if card not in now.held and (not now.shoe or now.shoe.left(card))]
    other = next(str(card) for card in left if card.rank != first)  # none that waits: that is no correction
    mend = asked(round_commands.CorrectCard, request="x", place=1, card=other, why="misread")
    refusal = answer(state, mend, DEALER)
    if correction is None:
        assert refusal
        return
    if not now.cards or now.phase == "void":  # cards that only wait, or lie for nothing: the record alone
        return
    too_low = Rank.parse(correction.rank) > Rank.DEALER
    assert too_low == (refusal is not None and refusal.code == "rank-too-low"), refusal
    assert correction.card == (not now.declared)
    if correction.card:
        assert answer(state, asked(round_commands.CorrectCard, request="x", place=1, card=other), DEALER) == refusal, (
            "no why needed"
        )
    longer = (*map(str, now.cards), other)
    if len(now.cards) < 6:
        refusal = answer(
            state, asked(round_commands.CorrectResult, request="x", cards=longer, why="one more lies there")
        )
        assert correction.result == (refusal is None or refusal.code != "bad-correction"), refusal
    assert correction.reverses == (now.phase == "settled")


@pytest.mark.parametrize(("game", "shoe"), TABLES)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_console_is_told_what_the_table_would_decide(game: str, shoe: ShoeSource, seed: int) -> None:
    async def story() -> None:
        chance = Random(seed)
        table = await live_table(table_config(game, mode=Mode.DEALER, shoe=shoe), chance=chance)
        await table.buy(1, 100_000)
        for _ in range(120):
            await table.ask(*next_tap(table, chance))
            check(table.state)

    asyncio.run(asyncio.wait_for(story(), 60))


async def dealt(cards: str, game: str = "rws-nc-insurance") -> LiveTable:
    table = await live_table(table_config(game))
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal(cards)
    return table


def not_now(table: LiveTable, kind: Kind) -> str:
    [one] = [one for one in console_sees(table.state).reports if one.kind is kind]
    return one.not_now.code if one.not_now else ""


async def test_in_a_window_a_card_is_due_after_it_and_may_be_missing() -> None:
    table = await dealt("4S 5H KD QC")
    assert (table.state.round.phase, console_sees(table.state).due) == ("four-cards-insurance", None)
    assert everybody_sees(table.state).draws == "player"
    assert not_now(table, Kind.INSUFFICIENT_CARDS) == ""
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.INSUFFICIENT_CARDS)


async def test_each_reason_has_a_code_of_its_own() -> None:
    table = await live_table(table_config())
    assert not_now(table, Kind.NOT_COVERED) == "no-round"
    await table.open()
    assert not_now(table, Kind.LATE_BET) == not_now(table, Kind.WITHDRAWN_BET) == "betting-still-open"
    assert not_now(table, Kind.INSUFFICIENT_CARDS) == "no-card-due"
    assert not_now(table, Kind.FOUND_LATER) == "no-earlier-round"
    await table.finish("4S 2H KD 9C 5H 5D")
    assert not_now(table, Kind.FOREIGN_CARD) == "round-concluded"
    await table.open()
    assert not_now(table, Kind.FOUND_LATER) == ""
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.FOUND_LATER, about_round=1)
    assert not_now(table, Kind.FOREIGN_CARD) == "", "another may be reported meanwhile"
    table = await live_table(table_config(shoe=ShoeSource.SHUFFLER))
    await table.open()
    assert not_now(table, Kind.EXCESS_OR_EXPOSED) == "bad-card"
    assert not_now(table, Kind.FOREIGN_CARD) == ""


async def test_the_console_is_told_whose_card_is_due_which_it_is_and_what_the_cards_show() -> None:
    table = await dealt("", "mbs-tiger")
    due = []
    for card in ["4S", "2H", "KD", "9C", "5H", "5D"]:
        seen = console_sees(table.state)
        due.append((seen.due, seen.due_card))
        assert seen.shows is None
        await table.deal(card)
    hands = ("player", "banker")
    assert due == [(hand, place) for place in (1, 2, 3) for hand in hands]
    seen = console_sees(table.state)
    assert (seen.due, seen.due_card, seen.shows) == (None, None, "player")
    table = await dealt("9S 2H KD 5C", "mbs-tiger")
    await table.finish("")
    table = await dealt("7S KH KD 5C", "mbs-tiger")  # the Player stands on 7, the Banker's third is the fifth card
    seen = console_sees(table.state)
    assert (seen.due, seen.due_card) == ("banker", 3)


async def test_what_may_be_corrected_depends_on_what_was_declared() -> None:
    table = await dealt("9S KH", "mbs-tiger")
    correction = console_sees(table.state).correction
    assert correction
    assert (correction.card, correction.result, correction.reverses) == (True, False, False)
    assert (correction.rank, console_sees(table.state).places) == ("dealer", ("player", "banker"))
    await table.deal("KD 5C")
    correction = console_sees(table.state).correction
    assert correction
    assert (correction.card, correction.result) == (True, True)
    assert console_sees(table.state).places == ("player", "banker", "player", "banker", None, None)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    seen = console_sees(table.state)
    assert seen.correction, "a card is corrected while an irregularity waits, too"
    assert len(seen.places) == 6
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    correction = console_sees(table.state).correction
    assert correction
    assert (correction.card, correction.result, correction.reverses) == (False, True, True)
    await table.do(staff.StartRound, DEALER)
    assert (console_sees(table.state).correction, console_sees(table.state).places) == (None, ())


async def test_a_card_that_waits_is_no_correction_where_it_waits() -> None:
    table = await dealt("4S 6H KD QC 2H", "mbs-tiger")
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("9S", "6H", "KD", "QC", "2H"), why="a natural")
    assert (len(table.state.round.cards), *map(str, table.state.round.held)) == (4, "2H")
    for last, code in (("2H", "bad-correction"), ("3H", "not-the-next-card")):
        named = ("9S", "6H", "KD", "QC", last)
        refusal = await table.refused(round_commands.CorrectResult, SHIFT_MANAGER, cards=named, why="one more")
        assert refusal.code == code
    check(table.state)


async def test_a_remedy_says_which_cards_its_decision_names() -> None:
    table = await dealt("4S 5H KD QC", "mbs-tiger")
    named: dict[str, dict[Remedy, str]] = {}
    for cards in ("5H 6D", "5H"):
        kind = Kind.EXCESS_OR_EXPOSED
        await table.do(round_commands.ReportIrregularity, DEALER, kind=kind, cards=tuple(cards.split()))
        [waiting] = everybody_sees(table.state).waiting
        named[cards] = {one.remedy: one.names for one in waiting.remedies}
        await table.do(
            round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=waiting.remedies[0].remedy, why="so be it"
        )
        if waiting.remedies[0].remedy is Remedy.VOID:
            break
        await table.deal(cards)
        table = await dealt("4S 5H KD QC", "mbs-tiger")
    orders = {Remedy.RECONSTRUCT, Remedy.USE_IN_NEXT_ROUND, Remedy.DECIDE_ORDER, Remedy.CONTINUE}
    assert {remedy for remedy, names in named["5H 6D"].items() if names == "order"} == orders & set(named["5H 6D"])
    assert set(named["5H"].values()) == {""}, "one card has no order"


async def test_the_table_is_opened_paused_resumed_and_closed_when_it_can_be() -> None:
    table = await live_table(table_config())
    assert console_sees(table.state).table_commands == ("open-table", "change-limits")
    await table.open()
    assert console_sees(table.state).table_commands == ("pause-table",)
    await table.do(staff.PauseTable, SUPERVISOR)
    assert console_sees(table.state).table_commands == ("resume-table",)
    await table.finish("4S 2H KD 9C 5H 5D")
    assert console_sees(table.state).table_commands == ("resume-table", "close-table", "change-limits")
