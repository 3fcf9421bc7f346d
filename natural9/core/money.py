"""Money is whole cents, odds are exact ratios, and nothing is ever rounded."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.saying import name_of, say

# Ten thousand million: far beyond any table, and fifty thousand such bets at 100 to 1 still fit 64 bits.
MAX_CENTS: Final = 10**12

_AMOUNT: Final = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?", re.ASCII)
_ODDS: Final = re.compile(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odds:
    """What a win pays for each unit staked, written as the document writes it.

    >>> Odds.parse("0.95:1").winnings(10_000), Odds.parse("1:2").winnings(2500)
    (9500, 1250)
    """

    numerator: int
    denominator: int
    text: str = field(compare=False)

    @property
    def ratio(self) -> Fraction:
        """The odds as an exact fraction of the stake."""
        return Fraction(self.numerator, self.denominator)

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def parse(text: str) -> "Odds":
        """Odds as the documents write them: ``12:1``, ``0.95:1``."""
        match = _ODDS.fullmatch(text)
        pays, for_each = (Fraction(match[1]), Fraction(match[2])) if match else (0, 0)
        if not pays or not for_each:
            raise BadInput("bad-odds", say("odds {odds} are not a ratio: write 12:1, 1:2 or 0.95:1", odds=repr(text)))
        ratio = Fraction(pays) / for_each
        return Odds(ratio.numerator, ratio.denominator, text)

    def winnings(self, stake_cents: int) -> int:
        """What a winning stake earns on top of itself."""
        won, rest = divmod(stake_cents * self.numerator, self.denominator)
        if rest:
            raise BadInput(
                "fraction-of-a-cent",
                say(
                    "{stake} at {odds} would pay a fraction of a cent; stake a multiple of {unit}",
                    stake=show_cents(stake_cents),
                    odds=self.text,
                    unit=show_cents(self.denominator),
                ),
            )
        return won


def parse_cents(text: str) -> int:
    """An amount as people write it, in whole cents.

    >>> parse_cents("100"), parse_cents("1,250.50")
    (10000, 125050)
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise BadInput("bad-amount", say("{amount} is not an amount of money: write 100 or 2.50", amount=repr(text)))
    whole, fraction = match[1].replace(",", ""), match[2] or ""
    if fraction[2:].strip("0"):
        raise BadInput("fraction-of-a-cent", say("{amount} is not a whole number of cents", amount=text))
    if len(whole) > 15:
        most = show_cents(MAX_CENTS)
        raise BadInput("stake-too-large", say("{amount} is more than any table takes, {most}", amount=text, most=most))
    return int(whole) * 100 + int((fraction + "00")[:2])


def show_cents(cents: int) -> str:
    """
    >>> show_cents(125050), show_cents(-5)
    ('1,250.50', '-0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02}"


def check_stake(stake_cents: object, wager: str) -> None:
    """A stake is a whole number of cents, more than nothing and no more than any table takes."""
    if type(stake_cents) is not int:
        none = say(
            "the stake {stake} on {wager} is not a whole number of cents", stake=repr(stake_cents), wager=name_of(wager)
        )
        raise BadInput("bad-stake", none)
    if stake_cents <= 0:
        shown = show_cents(stake_cents)
        less = say("the stake on {wager} must be more than nothing, not {stake}", wager=name_of(wager), stake=shown)
        raise BadInput("bad-stake", less)
    if stake_cents > MAX_CENTS:
        raise BadInput(
            "stake-too-large",
            say(
                "the stake {stake} on {wager} is more than any table takes, {most}",
                stake=show_cents(stake_cents),
                wager=name_of(wager),
                most=show_cents(MAX_CENTS),
            ),
        )
