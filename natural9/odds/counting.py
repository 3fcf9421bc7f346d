"""The best linear count of a wager: what each rank seen adds to it, and when to bet.

The effect of removal of a rank is the change of the wager's expectation when one card of it is taken out of a fresh
shoe of N cards. Over all ways to be left with n of the N cards, the linear function of them that is nearest to the true
expectation (least squares) is, for every n,

    fresh + (N - 1) * (sum of the effects of the cards seen) / n

A round's worth is an average over sets of six cards, so it is a sum of parts: a constant, one linear in the cards, one
in pairs of them beyond that, and so on, each uncorrelated with the others at any n. Averaging a linear part over the
sets drawn from n cards only divides it by n. With N - 1 cards left nothing but constant and linear part can show, so
the effects of removal are the linear part exactly. They sum to nothing over the deck: the count is balanced.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import ceil, floor, inf, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from natural9.core.cards import RANKS
from natural9.core.errors import BadInput
from natural9.core.wagers import Wager
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights
from natural9.odds.pricing import wager_odds

CARDS_IN_A_DECK: Final = 52
LARGEST_TAG: Final = 4
LARGEST_OWN_TAG: Final = 10**9  # beyond it floats would not do, nor would anyone count so
_SCALES: Final = 81  # how many sizes of tags are tried, up to the largest
_KINDS: Final = 10  # A to 9, and the four ten-value ranks, which no wager tells apart
_SIGNS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_RANKS_OF_KIND: Final = np.array([1] * 9 + [4])


@dataclass(frozen=True)
class LinearCount:
    """A wager's expectation off a fresh shoe, and the effect of removal of each rank from A to K: exact."""

    shoe: Composition
    fresh: Fraction
    effects: tuple[Fraction, ...]

    @cached_property
    def points(self) -> tuple[Fraction, ...]:
        """What a card of each rank adds to the running count when it is seen."""
        return tuple((self.shoe.cards - 1) * effect for effect in self.effects)

    def estimate(self, left: Composition) -> Fraction:
        """The expectation that the count tells with these cards left: running count over cards left, from the fresh.

        >>> from natural9.games import load_game
        >>> shoe = Composition.of(decks=8)
        >>> count = linear_count(load_game("mbs-tiger").wager("big-tiger"), shoe)
        >>> f"{float(count.fresh):.4%} {float(count.estimate(shoe.without('6666'))):.4%}"
        '-15.2533% -16.8570%'
        """
        seen = [whole - still for whole, still in zip(self.shoe.counts, left.counts, strict=True)]
        running = sum((points * cards for points, cards in zip(self.points, seen, strict=True)), Fraction())
        return self.fresh + running / left.cards

    def spread(self, left: int) -> float:
        """How far the estimate strays from shoe to shoe with so many cards left: its standard deviation. Exact.

        What is seen is drawn without replacement, so the running count's variance is that of one card's points times
        the cards seen, times cards left over all but one; and the estimate is the running count over the cards left.

        >>> from natural9.games import load_game
        >>> count = linear_count(load_game("mbs-tiger").wager("big-tiger"), Composition.of(decks=8))
        >>> f"{count.spread(416):.2%} {count.spread(208):.2%} {count.spread(26):.2%}"
        '0.00% 5.52% 21.37%'
        """
        cards = self.shoe.cards
        of_one = sum(count * points**2 for count, points in zip(self.shoe.counts, self.points, strict=True)) / cards
        return sqrt(of_one * (cards - left) / ((cards - 1) * left))


def linear_count(wager: Wager, shoe: Composition) -> LinearCount:
    """The best linear count of a wager, from the fresh shoe and the thirteen that lack one card."""
    fresh = _expected(wager, shoe)
    return LinearCount(shoe, fresh, tuple(_expected(wager, shoe.without(rank)) - fresh for rank in RANKS))


def _expected(wager: Wager, shoe: Composition) -> Fraction:
    return wager_odds(wager, outcome_weights(shoe)).expected


@dataclass(frozen=True)
class TagCount:
    """A count that a person can keep: a small whole number for each rank, A to K, added when it is seen.

    The estimate is fresh + slope * (running count / cards left). Tags that do not sum to nothing over a deck are
    brought into balance by taking their mean off each card seen.
    """

    tags: tuple[int, ...]
    linear: LinearCount
    trigger: float | None
    """The running count for each deck left from which the estimate favours the bettor; None if it never can."""

    @property
    def balanced_tags(self) -> tuple[Fraction, ...]:
        mean = Fraction(sum(self.tags), len(self.tags))
        return tuple(tag - mean for tag in self.tags)

    @property
    def slope(self) -> float:
        """What a running count of one for each card left is worth, as the trigger implies."""
        return -CARDS_IN_A_DECK * float(self.linear.fresh) / self.trigger if self.trigger else 0.0

    @property
    def points(self) -> tuple[float, ...]:
        return tuple(self.slope * float(tag) for tag in self.balanced_tags)

    @property
    def correlation(self) -> float:
        """Betting correlation: how near the tags are to the effects of removal, 1 being the same but for scale."""
        tags, effects = self.balanced_tags, self.linear.points
        of_both = sum(tag * effect for tag, effect in zip(tags, effects, strict=True))
        sizes = float(sum(tag**2 for tag in tags)) * float(sum(effect**2 for effect in effects))
        return float(of_both) / sqrt(sizes) if sizes else 0.0


def tag_count(linear: LinearCount, tags: tuple[int, ...], trigger: float | None = None) -> TagCount:
    """A count of these tags, for A to 9 and ten-value cards; bet from `trigger`, or where least squares puts it."""
    if len(tags) != _KINDS:
        raise BadInput("bad-tags", f"a count has {_KINDS} tags, for A to 9 and the ten-value cards, not {len(tags)}")
    if max(map(abs, tags)) > LARGEST_OWN_TAG:
        raise BadInput("bad-tags", f"a tag is at most {LARGEST_OWN_TAG}")
    if trigger is not None and not 0 < trigger < inf:
        raise BadInput("bad-trigger", f"a trigger is a running count a deck of more than nothing, not {trigger:g}")
    whole = tags + tags[-1:] * 3
    count = TagCount(whole, linear, None)
    squares = sum(tag**2 for tag in count.balanced_tags)
    if trigger is None and squares:
        both = zip(count.balanced_tags, linear.points, strict=True)
        slope = float(sum((tag * points for tag, points in both), Fraction()) / squares)
        trigger = -CARDS_IN_A_DECK * float(linear.fresh) / slope if slope > 0 else None
    return TagCount(whole, linear, trigger)


def best_tags(linear: LinearCount, largest: int = LARGEST_TAG) -> tuple[int, ...]:
    """The balanced tags, none beyond `largest`, that correlate best with the effects of removal; the smaller of equals.

    They are looked for among the effects at many scales, each rounded up or down.
    """
    effects = np.array([float(effect) for effect in linear.effects[:_KINDS]])
    if not effects.any():
        return (0,) * _KINDS
    found: tuple[float, int, tuple[int, ...]] = (-1.0, 0, (0,) * _KINDS)
    for scale in np.linspace(0.5, largest, _SCALES):
        tags = _roundings(effects * scale / np.abs(effects).max())
        tags = tags[(tags @ _RANKS_OF_KIND == 0) & tags.any(axis=1)]
        if not len(tags):
            continue
        fit = (tags * effects) @ _RANKS_OF_KIND / np.sqrt(tags**2 @ _RANKS_OF_KIND)
        for place in np.flatnonzero(fit >= fit.max() - 1e-12):
            size = -int(np.abs(tags[place]).sum())
            better = (round(float(fit[place]), 12), size, tuple(int(tag) for tag in tags[place]))
            found = max(found, better)
    return found[2]


def key_cards(linear: LinearCount) -> tuple[int, ...]:
    """The one or two kinds of cards to watch, +1 or -1 each and nothing for all others, that tell the most.

    Nobody keeps a running count for it: what is left of those two kinds says it all. It is brought into balance as any
    other count.
    """
    effects = np.array([float(effect) for effect in linear.effects[:_KINDS]])
    if not effects.any():
        return (0,) * _KINDS
    one = np.eye(_KINDS, dtype=np.int64)
    tags = np.array(
        [*one, *-one, *(a * one[i] + b * one[j] for i, j in combinations(range(_KINDS), 2) for a, b in _SIGNS)]
    )
    cards = _RANKS_OF_KIND.sum()
    balanced = tags - (tags @ _RANKS_OF_KIND / cards)[:, None]
    fit = (balanced * effects) @ _RANKS_OF_KIND / np.sqrt(balanced**2 @ _RANKS_OF_KIND)
    return tuple(int(tag) for tag in tags[np.argmax(np.round(fit, 12))])


def _roundings(exact: NDArray[np.float64]) -> NDArray[np.int64]:
    """Every way to round each of these up or down."""
    return np.array(list(product(*({floor(one), ceil(one)} for one in exact))), np.int64)
