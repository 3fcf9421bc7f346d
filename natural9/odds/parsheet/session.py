"""The distribution of a session's result: so many rounds of one unit on one wager."""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from natural9.odds.pricing import WagerOdds

Chances = NDArray[np.float64]


@dataclass(frozen=True)
class SessionOdds:
    """The bettor's result in units: `chances[i]` is the chance of `least + i * step`, rounds taken as independent."""

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

    @property
    def ahead(self) -> float:
        """The chance that the bettor ends with more than at the start."""
        first = int(-self.least / self.step) + 1
        return float(self.chances[first:].sum())


def session_of(priced: WagerOdds, *, rounds: int) -> SessionOdds:
    """Convolve the wager's net result with itself, once a round."""
    nets: dict[Fraction, Fraction] = {Fraction(-1): priced.lose}
    for one in priced.rows:
        net = one.row.odds.ratio if one.row.odds else Fraction()
        nets[net] = nets.get(net, Fraction()) + one.probability
    least = min(nets)
    gaps = [net - least for net in nets if net != least]
    step = _step(gaps)
    single = np.zeros(int((max(nets) - least) / step) + 1)
    for net, chance in nets.items():
        single[int((net - least) / step)] += float(chance)
    return SessionOdds(
        rounds,
        least * rounds,
        step,
        min(gaps, default=step),
        _power(single, rounds),
        float(priced.expected) * rounds,
        priced.standard_deviation * sqrt(rounds),
    )


def _step(gaps: list[Fraction]) -> Fraction:
    """The largest step in which every result can be reached."""
    below = lcm(*(gap.denominator for gap in gaps))
    return Fraction(gcd(*(int(gap * below) for gap in gaps)), below) if gaps else Fraction(1)


def _power(single: Chances, rounds: int) -> Chances:
    """The distribution of a sum of so many, by doubling; no Fourier transform, whose noise would drown the tails."""
    total, doubled = np.ones(1), single
    while rounds:
        if rounds & 1:
            total = np.convolve(total, doubled)
        rounds >>= 1
        if rounds:
            doubled = np.convolve(doubled, doubled)
    return total
