"""Figures and conditions as a par sheet prints them."""

from fractions import Fraction
from typing import Final

from natural9.core.insurance import Window
from natural9.core.wagers import Wager

MINUS: Final = "−"
PLACES: Final = 9  # of a probability
EDGE_PLACES: Final = 6  # of a percentage

WINDOWS: Final = {Window.FOUR_CARDS: "four cards", Window.THIRD_CARD: "third card"}


def decimal(value: Fraction, places: int) -> str:
    """Rounded from the exact fraction, half to even.

    >>> decimal(Fraction(2, 3), 4), decimal(Fraction(-1, 8), 2)
    ('0.6667', '−0.12')
    """
    scaled = round(abs(value) * 10**places)
    whole, rest = divmod(scaled, 10**places)
    sign = MINUS if value < 0 and scaled else ""
    return f"{sign}{whole:,}.{rest:0{places}}"


def chance(value: Fraction) -> str:
    return decimal(value, PLACES)


def edge(value: Fraction) -> str:
    """A share of the stake in percent.

    >>> edge(Fraction(1, 81))
    '1.234568%'
    """
    return decimal(100 * value, EDGE_PLACES) + "%"


def one_in(value: Fraction) -> str:
    """How often something happens, as people say it.

    >>> one_in(Fraction(1, 37)), one_in(Fraction())
    ('1 in 37.00', 'never')
    """
    return f"1 in {decimal(1 / value, 2)}" if value else "never"


def number(value: float, places: int, *, plus: bool = False) -> str:
    """
    >>> number(-1234.5, 1), number(2, 2, plus=True)
    ('−1,234.5', '+2.00')
    """
    return f"{value:{'+' if plus else ''},.{places}f}".replace("-", MINUS)


def wager_name(wager: Wager) -> str:
    """Its name in every language; a writer that lacks a script leaves that part out."""
    return " ".join([wager.title, *(name for language, name in wager.names.items() if language != "en")])


def points(totals: tuple[int, ...]) -> str:
    return str(totals[0]) if len(totals) == 1 else f"{totals[0]}–{totals[-1]}"


def is_code(value: str) -> bool:
    """Whether a value is to be compared sign by sign, as a hash is, and so set in type of one width."""
    return " " not in value and len(value) > 40
