"""The exact distribution of outcomes: of a round from any shoe, or of one partly dealt.

Weights are whole numbers of ordered six-card deals, so that probabilities are exact: a weight over their sum.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from natural9.core.cards import RANKS, Rank
from natural9.core.errors import BadInput
from natural9.core.outcome import Outcome, reachable_outcomes
from natural9.core.table_of_play import next_hand, played_count
from natural9.odds import kernel
from natural9.odds.backend import COMPILED, np
from natural9.odds.composition import MOST_CARDS_IN_A_ROUND, Composition, ordered_draws

OUTCOMES: Final = tuple(sorted(reachable_outcomes()))
_LARGEST_64_BIT: Final = 2**63 - 1


def _place(outcome: Outcome) -> int:
    """Where an outcome's weight stands in the kernel's array, flattened."""
    pairs = kernel.SAME_PAIR if outcome.same_pair else outcome.player_pair + 2 * outcome.banker_pair
    drew = (outcome.player_cards - 2, outcome.banker_cards - 2)
    place = 0
    for number, size in zip((pairs, outcome.player_total, outcome.banker_total, *drew), kernel.SHAPE, strict=True):
        place = place * size + number
    return place


_PLACES: Final = [_place(outcome) for outcome in OUTCOMES]
PLACES: Final = np.array(_PLACES)


def outcome_weights(shoe: Composition) -> dict[Outcome, int]:
    """How many ordered six-card deals from this shoe end in each outcome: exact.

    >>> sum(outcome_weights(Composition.of(decks=8)).values())
    4998398275503360
    """
    shoe.check_for_a_round()
    if COMPILED and ordered_draws(shoe.cards, MOST_CARDS_IN_A_ROUND) <= _LARGEST_64_BIT:
        flat = kernel.outcome_weights(np.array(shoe.counts, np.int64)).ravel()
    else:  # beyond any table, or with nothing to compile: the same lines on Python's integers
        flat = kernel.outcome_weights.py_func(np.array([*shoe.counts], object)).ravel()
    return _by_outcome(flat)


def weights_from_totals(shoe: Composition, *, player_total: int, banker_total: int) -> dict[Outcome, int]:
    """The same, of the deals in which the first two cards of each hand make these totals.

    >>> {outcome.winner for outcome in weights_from_totals(Composition.of(decks=8), player_total=9, banker_total=7)}
    {<Winner.PLAYER: 'player'>}
    """
    shoe.check_for_a_round()
    totals = (player_total, player_total + 1, banker_total, banker_total + 1)
    return _by_outcome(kernel.weights_between(np.array([*shoe.counts], object), *totals).ravel())


def _by_outcome(flat: Any) -> dict[Outcome, int]:
    return {outcome: int(flat[place]) for outcome, place in zip(OUTCOMES, _PLACES, strict=True) if flat[place]}


def completion_weights(dealt: Sequence[Rank], left: Composition) -> dict[Outcome, int]:
    """How many ordered ways of drawing the rest, up to six cards, end in each outcome; `left` is what is still there.

    >>> list(completion_weights("4K55", Composition.of(decks=8).without("4K55")).values())
    [169332]
    """
    if played_count(dealt) < len(dealt):
        raise BadInput("card-in-excess", f"{len(dealt)} cards: the round ends after {played_count(dealt)} of them")
    if not dealt:
        return outcome_weights(left)
    if left.cards + len(dealt) < MOST_CARDS_IN_A_ROUND:
        raise BadInput("too-few-cards", f"{left.cards} cards are left, too few to be sure of completing the round")
    weights: Counter[Outcome] = Counter()
    for ranks, weight in _completions(tuple(dealt), list(left.counts), 1):
        weights[Outcome.of(ranks)] += weight
    return dict(weights)


def _completions(dealt: tuple[Rank, ...], counts: list[int], ways: int) -> Iterator[tuple[tuple[Rank, ...], int]]:
    if next_hand(dealt) is None:
        yield dealt, ways * ordered_draws(sum(counts), MOST_CARDS_IN_A_ROUND - len(dealt))
        return
    for place, rank in enumerate(RANKS):
        if counts[place]:
            counts[place] -= 1
            yield from _completions((*dealt, rank), counts, ways * (counts[place] + 1))
            counts[place] += 1
