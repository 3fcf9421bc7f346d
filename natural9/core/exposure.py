"""What the house can still lose on a round: what lies on every spot times what each way to end pays, as one product."""

from collections.abc import Mapping
from math import lcm
from operator import mul
from typing import Final

from natural9.core.cards import Rank
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow
from natural9.core.outcome import Outcome, Winner, completions
from natural9.core.wagers import Result, Wager

_MOST_KEPT: Final = 256  # deals so far whose rows a game keeps

Rows = Mapping[Winner, tuple[tuple[int, ...], ...]]


def worst_loss_cents(
    game: Game, ranks: tuple[Rank, ...], laid: Mapping[str, int], insured: Mapping[InsuranceRow, int] | None = None
) -> int:
    """The most that these bets and this insurance can still cost the house, over all ways to end; 0 if it must win."""
    scale = scale_of(game)
    stakes = [laid.get(wager.id, 0) for wager in game.wagers]
    worst: int = max(
        max([sum(map(mul, row, stakes)) for row in rows]) + insurance_net(insured or {}, winner, scale)
        for winner, rows in nets_by_winner(game, ranks).items()
    )
    return max(0, worst // scale)


def scale_of(game: Game) -> int:
    """All odds of the game are whole numbers of this part of a cent: 20 where Banker pays 0.95:1."""
    return lcm(*[odds.denominator for _, odds in game.odds()])


def nets_by_winner(game: Game, ranks: tuple[Rank, ...]) -> Rows:
    """What each way to end pays on each wager, by who wins. Of 779 outcomes, 16 to 96 differ in what they pay."""
    if ranks not in game.pay_rows:
        scale = scale_of(game)
        by_winner: dict[Winner, set[tuple[int, ...]]] = {}
        for outcome in completions(ranks):
            row = tuple([_net(wager, outcome, scale) for wager in game.wagers])
            by_winner.setdefault(outcome.winner, set()).add(row)
        if len(game.pay_rows) == _MOST_KEPT:
            game.pay_rows.clear()
        game.pay_rows[ranks] = {winner: tuple(rows) for winner, rows in by_winner.items()}
    return game.pay_rows[ranks]


def _net(wager: Wager, outcome: Outcome, scale: int) -> int:
    """What a cent on this wager costs the house, times the scale."""
    row = wager.row_for(outcome)
    if row is None:
        return -scale
    return scale * row.odds.numerator // row.odds.denominator if row.odds else 0


def insurance_net(insured: Mapping[InsuranceRow, int], winner: Winner, scale: int) -> int:
    """What this insurance costs the house when this hand wins, times the scale: it looks at nothing else."""
    loss = 0
    for row, cents in insured.items():
        result = row.result_for(winner)
        if result is Result.WIN:
            loss += cents * scale * row.odds.numerator // row.odds.denominator
        elif result is Result.LOSE:
            loss -= cents * scale
    return loss
