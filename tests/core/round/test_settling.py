"""The result declared and settled."""

import pytest

from natural9.core.outcome import Winner
from natural9.core.round import commands, events, what_next
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.settlement import settle_round
from natural9.games import game_ids, load_game
from tests.core.round.table import BOTH_DRAW, DEALS, NATURAL, TIE_AT_NINE, Table, of

rule = pytest.mark.rule


@rule("rws-nc 3.13", "rws-nc 1.18", "rws-nc-super-six-plus 1:round-of-play", "mbs 1.1.13")
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("game", game_ids())
def test_every_seat_is_settled_as_the_settlement_of_its_bets_says(game: str, deal: str) -> None:
    """A round begins with the opening and is over when all are settled; only then can the next one open."""
    wagers = [wager.id for wager in load_game(game).wagers]
    bets = {1: dict.fromkeys(wagers, 2_000), 2: {"player": 500}, 700: {"tie": 10_000}}
    table = Table(game)
    table.open(bets)
    assert commands.OpenBetting not in what_next(table.state).commands
    table.deal(deal)
    table.declare()
    happened = table.do(commands.Settle())
    ranks = [card.rank for card in table.state.cards]
    settled = {event.seat: event for event in of(events.SeatSettled, happened)}
    assert set(settled) == set(bets)
    for seat, at_seat in bets.items():
        expected = settle_round(load_game(game), ranks, at_seat)
        assert (settled[seat].lines, settled[seat].returned_cents) == (expected.lines, expected.returned_cents)
        assert all(line.paragraph for line in settled[seat].lines)
    [total] = of(events.RoundSettled, happened)
    assert (
        total.staked_cents
        == total.stakes_returned_cents + total.collected_cents
        == sum(sum(at.values()) for at in bets.values())
    )
    assert total.stakes_returned_cents + total.winnings_cents == sum(event.returned_cents for event in settled.values())
    lines = [line for event in settled.values() for line in event.lines]
    assert total.collected_cents == sum(line.stake_cents for line in lines if line.returned_cents == 0)
    assert total.paragraph == load_game(game).document.procedure.settlement
    assert table.refused(commands.Settle()).code is Code.ALREADY_DONE
    assert commands.OpenBetting in what_next(table.state).commands


@rule("rws-nc 3.12", "rws-nc 1.11", "rws-nc-super-six-plus 3.10", "rws-nc-super-six-plus 1:original-bet", "mbs 3.9.1")
@pytest.mark.parametrize("game", game_ids())
def test_a_tie_returns_the_original_bets(game: str) -> None:
    table = Table(game)
    table.play(TIE_AT_NINE, {1: {"player": 10_000}, 2: {"banker": 10_000}, 3: {"tie": 1_000}})
    assert [table.net(seat) for seat in (1, 2, 3)] == [0, 0, 8_000]


@rule("rws-nc 3.11", "rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.9", "mbs 3.9")
@pytest.mark.parametrize("game", game_ids())
def test_what_is_declared_must_be_what_the_cards_show(game: str) -> None:
    table = Table(game)
    table.open()
    table.deal(BOTH_DRAW)  # Player 5, Banker 6
    assert table.refused(commands.Settle()).code is Code.NOT_DECLARED
    wrong = [(Winner.PLAYER, 5, 6), (Winner.TIE, 5, 6), (Winner.BANKER, 4, 6), (Winner.BANKER, 5, 7)]
    for winner, player, banker in wrong:
        refusal = table.refused(commands.DeclareResult(winner=winner, player_total=player, banker_total=banker))
        assert refusal.code is Code.RESULT_DIFFERS
        assert "The cards show Banker, Player 5, Banker 6" in refusal.message
    table.do(commands.DeclareResult(winner=Winner.BANKER, player_total=5, banker_total=6))
    [declared] = of(events.ResultDeclared, table.happened)
    assert declared.paragraph == load_game(game).document.procedure.winner
    again = commands.DeclareResult(winner=Winner.BANKER, player_total=5, banker_total=6)
    assert table.refused(again).code is Code.ALREADY_DONE


def test_nothing_is_declared_or_settled_before_the_last_card() -> None:
    table = Table("mbs-nc")
    table.open()
    cards = BOTH_DRAW.split()
    for card in cards[:-1]:
        table.deal(card)
        declared = commands.DeclareResult(winner=Winner.PLAYER, player_total=9, banker_total=1)
        assert table.refused(declared).code is Code.NOT_COMPLETE
        assert table.refused(commands.Settle()).code is Code.NOT_COMPLETE


def test_a_round_without_bets_settles() -> None:
    table = Table("mbs-nc")
    table.play(NATURAL, {})
    [total] = of(events.RoundSettled, table.happened)
    assert (total.staked_cents, total.winnings_cents, table.state.phase) == (0, 0, Phase.SETTLED)
