"""How likely something at least as far from what is due would be, in either direction, if all were fair."""

from math import erfc, exp, lgamma, log, sqrt
from typing import Final

MANY_DEGREES: Final = 1000  # beyond these the cube root of a chi-square is as good as normal
_SMALLEST: Final = 1e-300


def normal_p(deviations: float) -> float:
    """
    >>> round(normal_p(2.5758293), 6)
    0.01
    """
    return erfc(abs(deviations) / sqrt(2))


def chi_square_p(statistic: float, degrees: int) -> float:
    """Both tails: a fit that is too good is as strange as one that is too bad.

    >>> round(chi_square_p(11.0705, 5), 3)
    0.1
    """
    if degrees > MANY_DEGREES:
        variance = 2 / (9 * degrees)
        return normal_p(((statistic / degrees) ** (1 / 3) - (1 - variance)) / sqrt(variance))
    beyond = _upper_gamma(degrees / 2, statistic / 2)
    return min(1.0, 2 * min(beyond, 1 - beyond))


def _upper_gamma(a: float, x: float) -> float:
    """The regularised incomplete gamma function, from x up (Press et al., Numerical Recipes, 6.2)."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        while term > total * 1e-16:
            a += 1
            term *= x / a
            total += term
        return 1 - scale * total
    b = x + 1 - a
    c, d = 1 / _SMALLEST, 1 / b
    fraction, step = d, 0
    while True:
        step += 1
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b or _SMALLEST)
        c = b + factor / c or _SMALLEST
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            return scale * fraction
