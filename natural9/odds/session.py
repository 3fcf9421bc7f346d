"""The distribution of a session's result: so many rounds of the same bets, each taken to come from a fresh shoe."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.odds.pricing import WagerOdds

MOST_ROUNDS: Final = 100_000
MOST_RESULTS: Final = 20_000_000  # a gigabyte while it is convolved
_LONG: Final = 20_000  # results: beyond it a convolution takes seconds

Chances = NDArray[np.float64]


@dataclass(frozen=True)
class SessionOdds:
    """The bettor's result, in whatever the nets are in; rounds taken as independent.

    `chances[i]` is the chance of `least + i * step`.
    """

    rounds: int
    least: Fraction
    step: Fraction
    gap: Fraction  # the smallest that one round can add to a loss: results lie in heaps so far apart
    chances: Chances
    mean: float
    standard_deviation: float

    def result(self, place: int) -> float:
        return float(self.least + place * self.step)

    def interval(self, share: float) -> tuple[float, float]:
        """The central results: as much of what is left out lies below as above, as nearly as the results allow."""
        below = np.cumsum(self.chances)
        low, high = np.searchsorted(below, [(1 - share) / 2, (1 + share) / 2])
        return self.result(int(low)), self.result(min(int(high), len(self.chances) - 1))

    def quantile(self, share: float) -> float:
        """The smallest result that so many sessions do not exceed."""
        place = int(np.searchsorted(np.cumsum(self.chances), share))
        return self.result(min(place, len(self.chances) - 1))

    @property
    def ahead(self) -> float:
        """The chance that the bettor ends with more than at the start."""
        first = int(-self.least / self.step) + 1
        return float(self.chances[first:].sum())


Nets = Mapping[Fraction, Fraction]  # what a round may end with, and how likely


def nets_of(priced: WagerOdds) -> Nets:
    """Of one unit on one wager."""
    nets: dict[Fraction, Fraction] = {Fraction(-1): priced.lose}
    for one in priced.rows:
        net = one.row.odds.ratio if one.row.odds else Fraction()
        nets[net] = nets.get(net, Fraction()) + one.probability
    return nets


def session_of(nets: Nets, *, rounds: int) -> SessionOdds:
    """Convolve the result of a round with itself, once a round."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput("bad-rounds", f"a session of {rounds:,} rounds is out of range: give 1 to {MOST_ROUNDS:,}")
    least, most = min(nets), max(nets)
    gaps = [net - least for net in nets if net != least]
    step = _step(gaps)
    places = (most - least) / step * rounds
    if places > MOST_RESULTS:
        told = f"{rounds:,} rounds of these bets can end in {int(places):,} ways"
        way_out = "ask for fewer rounds, or for bets that are multiples of one amount"
        raise BadInput("too-many-results", f"{told}, which is more than can be told apart: {way_out}")
    single = np.zeros(int((most - least) / step) + 1)
    for net, chance in nets.items():
        single[int((net - least) / step)] += float(chance)
    mean = sum((net * chance for net, chance in nets.items()), Fraction())
    variance = sum((net**2 * chance for net, chance in nets.items()), Fraction()) - mean**2
    return SessionOdds(
        rounds,
        least * rounds,
        step,
        min(gaps, default=step),
        _power(single, rounds),
        float(mean) * rounds,
        sqrt(variance * rounds),
    )


def _step(gaps: list[Fraction]) -> Fraction:
    """The largest step in which every result can be reached."""
    below = lcm(*(gap.denominator for gap in gaps))
    return Fraction(gcd(*(int(gap * below) for gap in gaps)), below) if gaps else Fraction(1)


def _power(single: Chances, rounds: int) -> Chances:
    """The distribution of a sum of so many, by doubling; where that would take long, by a Fourier transform.

    The noise of the latter drowns tails beyond 1e-14, which nobody is shown.
    """
    results = (len(single) - 1) * rounds + 1
    if results > _LONG:
        size = 1 << results.bit_length()
        whole = np.fft.irfft(np.fft.rfft(single, size) ** rounds, size)[:results]
        return np.asarray(np.maximum(whole, 0.0))
    total, doubled = np.ones(1), single
    while rounds:
        if rounds & 1:
            total = np.convolve(total, doubled)
        rounds >>= 1
        if rounds:
            doubled = np.convolve(doubled, doubled)
    return total
