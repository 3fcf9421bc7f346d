"""The limits of a table, checked when they are loaded and whenever they change."""

from dataclasses import replace

import pytest

from natural9.core.errors import BadInput
from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Limit
from natural9.games import game_ids, load_game
from natural9.table.venue.limits import TableLimits, check_limits, offered_wagers

GAME = load_game("mbs-tiger")
OFFERED = offered_wagers(GAME, frozenset({"tiger"}))
TERMS = TableLimits(betting_unit_cents=100, by_wager=dict.fromkeys(OFFERED, Limit(500, 10_000)))


def test_the_wagers_on_offer() -> None:
    assert OFFERED == ("player", "banker", "tie", "tiger")
    assert offered_wagers(GAME, None) == tuple(wager.id for wager in GAME.wagers)
    assert offered_wagers(GAME, frozenset()) == ("player", "banker", "tie")


@pytest.mark.parametrize("game_id", game_ids())
def test_the_round_takes_what_is_passed_here(game_id: str) -> None:
    game = load_game(game_id)
    offered = offered_wagers(game, None)
    limits = TableLimits(betting_unit_cents=100, by_wager=dict.fromkeys(offered, Limit(100, 500_000)))
    check_limits(game, limits, offered)
    shoe = decide(RoundState(game), round_commands.LoadShoe(shoe=1, decks=8))
    assert not isinstance(shoe, Refusal)
    state = fold(RoundState(game), shoe)
    opening = round_commands.OpenBetting(round=1, betting_unit_cents=100, limits=limits.by_wager)
    assert not isinstance(decide(state, opening), Refusal)
    assert tuple(fold(state, shoe).game.wagers_by_id) == offered


def test_totals_at_their_edge_are_taken() -> None:
    check_limits(GAME, replace(TERMS, seat_min_cents=500, seat_max_cents=500, table_max_cents=500), OFFERED)


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (replace(TERMS, betting_unit_cents=50), "use a multiple of 0.20"),
        (replace(TERMS, betting_unit_cents=0), "more than nothing"),
        (replace(TERMS, by_wager={**TERMS.by_wager, "tie": Limit(600, 500)}), "6.00 to 5.00 on Tie allow no bet"),
        (replace(TERMS, by_wager={**TERMS.by_wager, "tie": Limit(550, 600)}), "not whole multiples"),
        (replace(TERMS, by_wager={**TERMS.by_wager, "tie": Limit(-100, 600)}), "allow no bet"),
        (replace(TERMS, by_wager={**TERMS.by_wager, "big-tiger": Limit(100, 600)}), "'big-tiger' is not on offer"),
        (replace(TERMS, by_wager={"player": Limit(500, 600)}), "Banker is on offer but has no limits"),
        (replace(TERMS, by_wager={}), "Player is on offer but has no limits"),
        (replace(TERMS, seat_min_cents=-100), "the minimum for a seat, -1.00, is not between 0.00"),
        (replace(TERMS, seat_min_cents=150), "the minimum for a seat, 1.50, is not a whole multiple"),
        (replace(TERMS, seat_max_cents=0), "the maximum for a seat, 0.00, is under the minimum on"),
        (replace(TERMS, seat_min_cents=700, seat_max_cents=600), "is under the minimum for a seat, 7.00"),
        (replace(TERMS, table_max_cents=400), "the maximum for the table, 4.00, is under the minimum on"),
    ],
)
def test_terms_that_could_not_be_played(limits: TableLimits, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        check_limits(GAME, limits, OFFERED)
