"""How a wager's worth strays as a shoe is dealt: its mean stays what it was, its spread grows.

By symmetry the cards left are as likely to be these as any others, so the mean of the expectation over all shoes is
that of a fresh one, at any depth (as long as every shoe is dealt so far). What grows is how far a shoe strays from it.
That is measured: whole shoes are dealt, and priced exactly before every round.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from natural9.core.game import Game
from natural9.odds import vulnerability_kernel as kernel
from natural9.odds.vulnerability import check_study, wager_net

EVERY: Final = 26  # cards: half a deck
_SHOES_AT_ONCE: Final = 100  # while they are dealt and priced, nothing is heard of Ctrl-C


@dataclass(frozen=True, slots=True)
class AtDepth:
    """Rounds dealt with so many cards left, more or less."""

    left: tuple[int, int]
    """From, to."""
    rounds: int
    edge: float
    """The house edge in the mean."""
    edge_stderr: float
    spread: float
    """The standard deviation of the house edge from shoe to shoe."""
    favourable: float
    """How often the bettor has the edge."""
    volatility: float
    """The standard deviation of one bet, in the mean."""


@dataclass(frozen=True, slots=True)
class Penetration:
    game: Game
    wager: str
    decks: int
    shoes: int
    seed: int
    depths: Sequence[AtDepth]


def edge_by_penetration(
    game: Game,
    wager: str,
    *,
    decks: int = 8,
    shoes: int = 500,
    seed: int = 1,
    cut: int = 14,
    progress: Callable[[int], object] | None = None,
) -> Penetration:
    """Half a deck at a time, from the fresh shoe to the cut card. Ctrl-C ends it early with the shoes dealt so far.

    >>> from natural9.games import load_game
    >>> found = edge_by_penetration(load_game("mbs-tiger"), "big-tiger", shoes=20)
    >>> found.depths[0].spread < found.depths[-1].spread
    True
    """
    net = wager_net(game, game.wager(wager))
    check_study(game, decks=decks, shoes=shoes, seed=seed, cut=cut)
    parts, dealt = [], 0
    try:
        while dealt < shoes:
            upto = min(dealt + _SHOES_AT_ONCE, shoes)
            unseen, now_left, _, _ = kernel.deal_shoes(np.uint64(seed), dealt, upto, decks, False, cut)
            parts.append((now_left, kernel.worths_of(unseen, net), kernel.worths_of(unseen, net**2)))
            dealt = upto
            if progress:
                progress(dealt)
    except KeyboardInterrupt:
        if not dealt:  # nothing that could be told
            raise
    shoes, whole = dealt, parts[: -(-dealt // _SHOES_AT_ONCE)]  # the last may have come with Ctrl-C
    left, worths, squares = (np.concatenate(one) for one in zip(*whole, strict=True))
    depths = []
    for low in range(52 * decks - EVERY, -1, -EVERY):
        here = (left > low) & (left <= low + EVERY)
        if not here.any():
            continue
        edges, rounds = -worths[here], int(here.sum())
        spread = float(edges.std())
        depths.append(
            AtDepth(
                (int(left[here].max()), int(left[here].min())),
                rounds,
                float(edges.mean()),
                spread / sqrt(shoes),  # rounds of one shoe go together
                spread,
                float((edges < 0).mean()),
                float(np.sqrt(squares[here] - edges**2).mean()),
            )
        )
    return Penetration(game, wager, decks, shoes, seed, tuple(depths))
