"""The completion solver: what is already certain about a partly dealt round.

A wager is decided when it ends the same way in every way that the round can still be completed. The same answer says
whether an outcome has been established (rws-nc 5.1, mbs 5.9; interpretation `outcome-established`).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from natural9.core.cards import Rank
from natural9.core.outcome import Outcome, completions
from natural9.core.wagers import Result, Wager


class Standing(StrEnum):
    """Where a wager stands before the round has ended."""

    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    OPEN = "open"


_DECIDED = {Result.WIN: Standing.WON, Result.LOSE: Standing.LOST, Result.PUSH: Standing.PUSHED}


def standing(wager: Wager, outcomes: Iterable[Outcome]) -> Standing:
    """Where a wager stands while these outcomes are still possible."""
    result: Result | None = None
    for outcome in outcomes:
        if result is None:
            result = wager.result(outcome)
        elif wager.result(outcome) is not result:
            return Standing.OPEN
    assert result is not None, "a round always has an outcome left"
    return _DECIDED[result]


def standings(wagers: Iterable[Wager], ranks: Sequence[Rank]) -> dict[str, Standing]:
    """Where every wager stands after these cards."""
    outcomes = completions(ranks)
    return {wager.id: standing(wager, outcomes) for wager in wagers}


def established(wagers: Iterable[Wager], ranks: Sequence[Rank]) -> bool:
    """Whether some wager on offer has conclusively won or lost. A certain push is neither."""
    outcomes = completions(ranks)
    return any(standing(wager, outcomes) in (Standing.WON, Standing.LOST) for wager in wagers)
