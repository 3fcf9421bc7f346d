"""What is true on the floor, whatever the program was told: the cards that lie there, and every seat's money.

The money follows the transcribed pay tables; nothing here asks the program what anything pays.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from natural9.core.cards import ALL_CARDS, Card
from tests.core.books import Insured, RoundBook, SeatBook
from tests.transcription.insurance_tables import Window, expected_offer
from tests.transcription.table_of_play import HandName


class Shoe:
    """A real set of cards, from which chance draws."""

    def __init__(self, number: int, decks: int) -> None:
        self.number = number
        self.left = Counter(dict.fromkeys(ALL_CARDS, decks))

    def draw(self, card: Card) -> Card:
        assert self.left[card], f"the story took a {card} that this shoe does not hold"
        self.left[card] -= 1
        return card


@dataclass(frozen=True)
class LateBet:
    """A bet, or so much more on one, that came after the call and lies: it should not."""

    seat: int
    wager: str
    cents: int


@dataclass
class FloorRound(RoundBook):
    """A round as the floor knows it. `cards` is what the program was told, `felt` what lies there."""

    shoe: int = 0
    waived: bool = False  # the second insurance window, for a squeeze
    felt: list[Card] = field(default_factory=list)
    late: list[LateBet] = field(default_factory=list)
    called: Counter[tuple[int, str]] = field(default_factory=Counter)  # what lay at the call, and should lie

    @property
    def withdrawn(self) -> list[LateBet]:
        """What was taken away after the call."""
        missing = [(at, cents - self.seat(at[0]).bets[at[1]]) for at, cents in self.called.items()]
        return [LateBet(*at, cents) for at, cents in missing if cents > 0]

    def lay(self, seat: int, wager: str, cents: int, *, late: bool) -> None:
        """So much more or less on a wager. After the call, only what lay then counts."""
        bets = self.seat(seat).bets
        bets[wager] += cents
        if not late:
            self.called[seat, wager] = bets[wager]
        more = bets[wager] - self.called[seat, wager]
        self.late = [one for one in self.late if (one.seat, one.wager) != (seat, wager)]
        if more > 0:
            self.late.append(LateBet(seat, wager, more))

    @property
    def wrong_places(self) -> list[int]:
        return [at for at, (told, card) in enumerate(zip(self.cards, self.felt, strict=False)) if told != str(card)]

    @property
    def felt_ranks(self) -> str:
        return "".join(card.rank for card in self.felt)

    @property
    def bets(self) -> list[tuple[int, str, int]]:
        """Every bet that lies: the seat, the wager and the cents."""
        return [
            (seat, w, cents) for seat, book in sorted(self.seats.items()) for w, cents in book.bets.items() if cents
        ]

    def told(self, cards: list[str]) -> None:
        """The program has these cards now; insurance on a situation that did not exist goes back."""
        was, now = self.ranks, "".join(card[0] for card in cards)
        for seat in self.seats.values():
            seat.insurance = [one for one in seat.insurance if _odds(one, was) == _odds(one, now)]
        self.cards = tuple(cards)

    def take(self, seat: int, wager: str, cents: int) -> None:
        """So much of a bet goes back, and insurance that what is left of it does not cover (3.5.2)."""
        book = self.seat(seat)
        book.bets[wager] -= cents
        for one in reversed(list(book.insurance)):  # what was taken last goes back first
            insured = [taken for taken in book.insurance if taken.hand == wager]
            if one.hand == wager and sum(_pays(taken, self.ranks) for taken in insured) > book.bets[wager]:
                book.insurance.remove(one)

    def void(self) -> None:
        self.status = "void"
        self.late.clear()
        for seat in self.seats:
            self.seats[seat] = SeatBook()


def _pays(one: Insured, ranks: str) -> Fraction:
    return one.cents * (_odds(one, ranks) or Fraction())


def _odds(one: Insured, ranks: str) -> Fraction | None:
    window, at = cast(Window, one.window), 4 if one.window == "four-cards" else 5
    return expected_offer(window, cast(HandName, one.hand), ranks[:at])


@dataclass
class Book:
    """Every seat's money, from all that it bought, was paid, and won or lost."""

    game: str
    bought: Counter[int] = field(default_factory=Counter)
    rounds: dict[int, FloorRound] = field(default_factory=dict)

    def net(self, seat: int) -> int:
        """Credit, less what is owed."""
        return self.bought[seat] + sum(self._brought(book, seat) for book in self.rounds.values())

    def _brought(self, round_: FloorRound, seat: int) -> int:
        book = round_.seats.get(seat)
        if book is None or round_.status == "void":
            return 0
        returned = self.pays(round_, book) if round_.status == "settled" else 0
        return returned - book.staked

    def pays(self, round_: FloorRound, book: SeatBook) -> int:
        return book.due(self.game, round_.ranks)
