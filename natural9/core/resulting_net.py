"""What one seat ends with, by who wins: its bets and its insurance together, before the last card is known.

A bet counts as soon as who wins decides what it pays. Player, Tie and Banker always count: where one of them pays by
how the hand wins (a Banker with 6), there is a net for each way. A side bet that more than the winner decides is still
open, and is left out by name.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from natural9.core.cards import Rank
from natural9.core.exposure import insurance_net, nets_by_winner, scale_of
from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow
from natural9.core.outcome import Winner

_MAIN: Final = ("player", "tie", "banker")


class ResultingNet(NamedTuple):
    """By each winner that is still possible, what the seat ends with, the least first; and the bets left out of it."""

    by_winner: dict[Winner, tuple[int, ...]]
    left_out: tuple[str, ...]


def resulting_net(
    game: Game, ranks: tuple[Rank, ...], bets: Mapping[str, int], insured: Mapping[InsuranceRow, int]
) -> ResultingNet:
    """Over all ways in which the round can still end."""
    ways, scale = nets_by_winner(game, ranks), scale_of(game)
    counted: dict[int, int] = {}  # the stake on each wager that counts, by the wager's place
    left_out = []
    for place, wager in enumerate(game.wagers):
        if stake := bets.get(wager.id, 0):
            if wager.id in _MAIN or all(len({row[place] for row in rows}) == 1 for rows in ways.values()):
                counted[place] = stake
            else:
                left_out.append(wager.id)
    by_winner = {}
    for winner in Winner:
        if rows := ways.get(winner):
            insurance = insurance_net(insured, winner, scale)
            nets = {sum(row[place] * stake for place, stake in counted.items()) + insurance for row in rows}
            by_winner[winner] = tuple([net // scale for net in sorted(nets)])
    return ResultingNet(by_winner, tuple(left_out))
