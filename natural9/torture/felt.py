"""The cards of one table as they really lie, whatever the program has been told of them."""

from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.table_of_play import Hand, is_complete, next_hand, played_count
from natural9.torture.pay_rows import RareRounds
from natural9.torture.seam import Picture
from natural9.torture.stacked import stacked


class WrongRecord(NamedTuple):
    """A round that is over: the cards that lay there, and those that the program has. Found once it is that round's
    turn, or one after."""

    lay: tuple[Card, ...]
    registered: tuple[Card, ...]
    found_in: int

    @property
    def is_whole(self) -> bool:
        """Whether the cards that lay there are a round, so that it can be settled by them."""
        return is_whole(self.lay)


def is_whole(cards: tuple[Card, ...]) -> bool:
    """All cards of a round, and none too many."""
    ranks = tuple([card.rank for card in cards])
    return len(ranks) >= 4 and is_complete(ranks) and played_count(ranks) == len(ranks)


def names(cards: tuple[Card, ...] | list[Card]) -> list[str]:
    """As they are keyed."""
    return [str(card) for card in cards]


@dataclass(slots=True)
class RealCards:
    """`out` are the cards of this round that have left the shoe: the first `laid` lie in the hands, those after them
    wait to be played first."""

    decks: int
    chance: Random
    shoe: list[Card] = field(default_factory=list)  # the next one last
    out: list[Card] = field(default_factory=list)
    laid: int = 0
    drawn: list[Card] = field(default_factory=list)  # out of turn, and nobody has reported it yet
    stray: list[Card] = field(default_factory=list)  # reported, and not decided yet
    round: int = 0
    registered: tuple[Card, ...] = ()  # of this round, as the screen last showed it
    is_void: bool = False
    wrong: dict[int, WrongRecord] = field(default_factory=dict)
    found_after: int = 0  # a mistake in the record of this round is found so many rounds later
    rare_cards: float = 0.0  # of the shoes, in which rare rounds come first
    rare: RareRounds | None = None  # that some of these rounds are

    def load(self) -> None:
        """Another set of cards, shuffled."""
        self.shoe = [card for card in ALL_CARDS for _ in range(self.decks)]
        if self.chance.random() < self.rare_cards:
            self.shoe = stacked(self.shoe, self.chance, self.rare)[::-1]
        else:
            self.chance.shuffle(self.shoe)

    def draw(self) -> Card | None:
        """The next card of the shoe; None from an empty one."""
        return self.shoe.pop() if self.shoe else None

    @property
    def lies(self) -> tuple[Card, ...]:
        """In the hands, in the order in which they came."""
        return tuple(self.out[: self.laid])

    @property
    def due(self) -> Hand | None:
        """Whose card comes next by what really lies there."""
        return next_hand(tuple([card.rank for card in self.lies]))

    @property
    def is_wrong(self) -> bool:
        """The record of this round is not what lies there."""
        return self.registered != self.lies

    def look(self, picture: Picture) -> None:
        """The screen shows another picture: what was decided about drawn cards is done with them."""
        table, console = picture["table"], picture["console"]
        if table["round"] != self.round:
            self._next_round(table["round"])
        self.is_void = table["phase"] == "void"
        self.registered = tuple([Card.parse(one["card"]) for one in table["cards"]])
        known = [*self.registered, *[Card.parse(one) for one in console["held"]]]
        self._are_reported([card for one in console["reported"] for card in one["cards"]])
        while len(self.out) < len(known) and known[len(self.out)] in self.stray:
            self.stray.remove(known[len(self.out)])
            self.out.append(known[len(self.out)])
        if not any(one["cards"] for one in console["reported"]):
            self.stray.clear()  # burnt, or void with the round
        if len(known) == len(self.out):
            self.laid = len(self.registered)

    def _are_reported(self, named: list[str]) -> None:
        for card in [card for card in self.drawn if str(card) in named]:
            self.drawn.remove(card)
            self.stray.append(card)

    def draw_out_of_turn(self, count: int = 1) -> list[Card]:
        """Cards that nobody asked for; fewer where the shoe has no more."""
        cards = [card for card in [self.draw() for _ in range(count)] if card]
        self.drawn += cards
        return cards

    def put_back(self) -> None:
        """What was drawn out of turn goes back as it came: nobody took the report."""
        self.shoe += reversed(self.drawn)
        self.drawn.clear()

    def burn(self, burnt: list[str]) -> None:
        """Cards that waited are out of play."""
        for name in burnt:
            waiting = names(self.out[self.laid :])
            if name in waiting:
                del self.out[self.laid + waiting.index(name)]

    def believe_the_screen(self, picture: Picture) -> None:
        """Nobody knows any more what lay there: the record stands."""
        waiting = [Card.parse(one) for one in picture["console"]["held"]]
        self.out, self.laid = [*self.registered, *waiting], len(self.registered)

    def _next_round(self, number: int) -> None:
        lay = self.lies[: len(self.registered)] if self.is_void else self.lies
        if self.round and lay and lay != self.registered:
            self.wrong[self.round] = WrongRecord(lay, self.registered, self.round + self.found_after)
        self.out, self.laid, self.round, self.found_after = self.out[self.laid :], 0, number, 0
