"""What a command would do to the money is what it then does, and asking changes nothing."""

from typing import Any

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from natural9.table.commands.preview import Preview, preview
from natural9.table.state.console_view import console_sees
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, asked, live_table, table_config

CREDIT = 100_000
BETS = {1: ("player", 10_000), 2: ("banker", 20_000)}


async def played(game: str = "rws-nc") -> LiveTable:
    table = await live_table(table_config(game))
    await table.open()
    for seat, (wager, cents) in BETS.items():
        await table.buy(seat, CREDIT)
        await table.bet(seat, wager, cents)
    await table.do(round_commands.CloseBetting, DEALER)
    return table


def previewed(table: LiveTable, shape: type[round_commands.Command], **fields: Any) -> Preview:
    answer = preview(table.state, asked(shape, request="-", **fields).command)
    assert isinstance(answer, Preview)
    return answer


def credit_of(table: LiveTable) -> dict[int, int]:
    return {seat: table.state.credit_cents(seat) for seat in BETS}


async def test_a_void_returns_every_stake_and_says_so_before() -> None:
    table = await played()
    assert previewed(table, round_commands.VoidRound) == Preview(returned_cents=30_000, returned_seats=2)
    assert credit_of(table) == {1: 90_000, 2: 80_000}
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a spill")
    assert credit_of(table) == {1: CREDIT, 2: CREDIT}


async def test_settling_and_correcting_are_previewed_to_the_cent() -> None:
    table = await played()
    await table.deal("9S KH KD 5C")  # Player 9, Banker 5
    await table.do(round_commands.DeclareResult, DEALER)
    settled = Preview(paid_cents=20_000, paid_seats=1, collected_cents=20_000)
    assert previewed(table, round_commands.Settle) == settled
    await table.do(round_commands.Settle, DEALER)
    right = ("4S", "KH", "KD", "9C")  # Banker 9
    corrected = previewed(table, round_commands.CorrectResult, cards=right)
    assert corrected == Preview(
        reversed_cents=20_000, reversed_seats=1, paid_cents=40_000, paid_seats=1, collected_cents=10_000
    )
    before = credit_of(table)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=right, why="misread")
    assert credit_of(table) == {1: before[1] - 20_000, 2: before[2] + 40_000}


async def test_a_decision_is_previewed_without_its_rank_and_a_replaced_shoe_costs_nothing() -> None:
    table = await played()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.WRONG_NUMBER_OF_CARDS)
    void = previewed(table, round_commands.DecideIrregularity, remedy=Remedy.VOID, replace_shoe=True)
    assert void == Preview(returned_cents=30_000, returned_seats=2)


@pytest.mark.parametrize(
    ("shape", "fields"), [(round_commands.Settle, {}), (round_commands.CorrectCard, {"place": 1, "card": "9H"})]
)
async def test_what_would_be_refused_is_refused_here_too(
    shape: type[round_commands.Command], fields: dict[str, Any]
) -> None:
    table = await played()
    assert isinstance(preview(table.state, asked(shape, request="-", **fields).command), Refusal)


async def test_the_console_knows_what_the_table_does_not_allow_and_which_cards_were_reported() -> None:
    table = await played("mbs-tiger")
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards=("5H", "6D"))
    [reported] = console_sees(table.state).reported
    assert (reported.cards, reported.withdraw_rank) == (("5H", "6D"), "dealer")
    await table.do(round_commands.DecideIrregularity, DEALER, remedy=Remedy.RECONSTRUCT)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.FOREIGN_CARD)
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.VOID, why="a joker")
    seen = console_sees(table.state)
    assert "foreign card" in (seen.new_shoe.said if seen.new_shoe else "")
    assert ("open-betting" in seen.commands, "new-shoe" in seen.commands) == (False, True)
    await table.do(staff.LoadNewShoe, DEALER)
    seen = console_sees(table.state)
    assert (seen.new_shoe, "open-betting" in seen.commands, "new-shoe" in seen.commands) == (None, True, False)


async def test_the_console_sees_who_may_insure_under_the_cap() -> None:
    table = await played("rws-nc-insurance")
    await table.deal("3S KH 4D 4C")  # Player 7, Banker 4: the Player is insured at 4 to 1
    seats = console_sees(table.state).seats
    assert {seat.seat: dict(seat.may_insure) for seat in seats} == {1: {"player": 2_500}, 2: {}}
