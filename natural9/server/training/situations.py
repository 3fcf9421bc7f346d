"""What goes wrong at the training table: when it happens, what the dealer sees, and the report that it calls for.

Nothing here says what to do about it. The kind is what happened; the clause of the game's own document answers it, as
at any table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import Final

from natural9.core.cards import Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import show_cents
from natural9.core.round import RoundState
from natural9.core.round.reporting import Allowed, allowed, clause_of
from natural9.core.round.state import DEALING, Pending, Phase
from natural9.core.saying import Said, name_of, say
from natural9.core.table_of_play import Hand
from natural9.server.training.felt import draw, in_signs, misread, signs

CUT_CARD: Final = "cut-card"


class Moment(Enum):
    """When in a round something happens."""

    CALL = auto()  # "no more bets" is called, and the bets are not closed yet
    FIRST_CARD = auto()  # before any card is dealt
    CARD_DUE = auto()  # some cards lie, and another is due
    LAST_CARD = auto()  # no other card is due, and nothing is announced
    PAID = auto()
    NEXT_ROUND = auto()  # bets are open, and there was a round before

    def is_now(self, state: RoundState, cards: int) -> bool:
        """`cards`: how many lie before one that is due."""
        if state.pending or state.held:
            return False
        match self:
            case Moment.CALL:
                return state.phase is Phase.BETTING_OPEN and state.staked_cents > 0
            case Moment.NEXT_ROUND:
                return state.phase is Phase.BETTING_OPEN and state.number > 1
            case Moment.FIRST_CARD:
                return state.phase is Phase.BETS_CLOSED
            case Moment.CARD_DUE:
                return state.phase in DEALING and len(state.cards) >= cards
            case Moment.LAST_CARD:
                return state.phase is Phase.COMPLETE and not state.declared
            case Moment.PAID:
                return state.phase is Phase.SETTLED


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTap:
    """What a player of the training table does at a terminal."""

    seat: int
    wager: str
    cents: int
    back: bool = False  # taken back, not laid


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Something that has happened at the table, as the dealer sees it, and what a true report of it names."""

    lesson: str
    kind: Kind | None  # None: no irregularity, as the cut card
    says: Said
    cards: tuple[Card, ...] = ()  # drawn
    in_order: bool = True
    put_at: Hand | None = None  # the area that the card in the dealer's hand was put in
    tap: PlayerTap | None = None  # the bet that it is about
    seat: int | None = None  # the terminal
    about_round: int | None = None
    lay: tuple[Card, ...] = ()  # the cards of the round as they really lay
    also: frozenset[Kind] = frozenset()  # other names for the same thing, where the same clause answers them
    allowed_by: str = ""  # nothing is wrong: the paragraph by which play goes on

    def pending(self, kind: Kind) -> Pending:
        """As it would wait once it is truly reported."""
        named = self.cards if kind in _NAMES_CARDS else ()
        bet = self.tap or PlayerTap(seat=0, wager="", cents=0)
        return Pending(
            0,
            kind,
            cards=named,
            seat=bet.seat or None,
            wager=bet.wager,
            cents=bet.cents or None,
            about_round=self.about_round,
        )

    def answer(self, state: RoundState) -> Allowed:
        """What the governing clause says of it, as things stand."""
        assert self.kind is not None, "there is an irregularity to answer"
        return allowed(state, self.pending(self.kind))

    def kinds(self, state: RoundState) -> frozenset[Kind]:
        """The reports of it that are true: its own kind, another name for it where the same clause answers in the same
        way, and "something else" where the document has no clause of its own."""
        if self.kind is None:
            return frozenset()
        mine = self.answer(state)[:2]  # the remedies with their paragraphs, and the rank
        true = {kind for kind in self.also if allowed(state, self.pending(kind))[:2] == mine}
        if clause_of(state, self.kind, cards_dealt=len(state.cards)).kind is Kind.NOT_COVERED:
            true.add(Kind.NOT_COVERED)
        return frozenset({self.kind, *true})

    @property
    def settles_by(self) -> Remedy | None:
        """The one remedy that does it, where the shift manager could choose another and leave the money wrong."""
        return Remedy.SETTLE_BY_CARDS if self.lay else None


_NAMES_CARDS: Final = frozenset(
    {Kind.EXCESS_OR_EXPOSED, Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN}
)
Staging = Callable[[RoundState, Random], Situation | None]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to learn: when it happens, and how it is staged from where the table stands."""

    moment: Moment
    stage: Staging


def _plain(kind: Kind, says: Said) -> Staging:
    return lambda state, chance: Situation(lesson=kind, kind=kind, says=says)


def _exposed(state: RoundState, chance: Random) -> Situation:
    cards = draw(state, chance)
    says = say("As you reach for the next card, it turns over and lies exposed: {card}.", card=in_signs(cards))
    also = frozenset({Kind.FACE_UP_IN_SHOE, Kind.WRONG_NUMBER_OF_CARDS})
    return Situation(
        lesson=Kind.EXCESS_OR_EXPOSED, kind=Kind.EXCESS_OR_EXPOSED, says=says, cards=cards, also=also
    )  # fmt: skip


def _one_too_many(state: RoundState, chance: Random) -> Situation:
    cards = draw(state, chance)
    says = say("All cards of the round lie, and your hand draws one more: {card}.", card=in_signs(cards))
    also = frozenset({Kind.WRONG_NUMBER_OF_CARDS})
    return Situation(
        lesson=_EARLY_DRAW, kind=Kind.EXCESS_OR_EXPOSED, says=says, cards=cards, also=also
    )  # fmt: skip


def _wrong_area(state: RoundState, chance: Random) -> Situation:
    cards, due = draw(state, chance), state.due
    assert due is not None, "a card is due"
    says = say(
        "You draw {card} and put it in the {area} area: it lies there.", card=in_signs(cards), area=due.other.words
    )
    return Situation(lesson=Kind.WRONG_AREA, kind=Kind.WRONG_AREA, says=says, cards=cards, put_at=due.other)


def _together(kind: Kind, *, known: bool) -> Staging:
    def stage(state: RoundState, chance: Random) -> Situation:
        cards = draw(state, chance, 2)
        first, second = map(signs, cards)
        came = say("Two cards come out of the shoe together: {first} and {second}.", first=first, second=second)
        order = say("Everybody saw that {first} came first.", first=first)
        if not known:
            order = say("Nobody saw which came first.")
        says = say("{what} {more}", what=came, more=order)
        return Situation(lesson=kind, kind=kind, says=says, cards=cards, in_order=known)

    return stage


def _face_up(state: RoundState, chance: Random) -> Situation:
    cards = draw(state, chance)
    says = say("The next card lies face up in the shoe: {card}.", card=in_signs(cards))
    also = frozenset({Kind.EXCESS_OR_EXPOSED})
    return Situation(lesson=Kind.FACE_UP_IN_SHOE, kind=Kind.FACE_UP_IN_SHOE, says=says, cards=cards, also=also)


def _wrong_number(state: RoundState, chance: Random) -> Situation:
    says = say("You look down: three cards lie in the Banker area, and the round is not that far.")
    also = frozenset({Kind.EXCESS_OR_EXPOSED})
    return Situation(lesson=Kind.WRONG_NUMBER_OF_CARDS, kind=Kind.WRONG_NUMBER_OF_CARDS, says=says, also=also)


def _wrong_result(state: RoundState, chance: Random) -> Situation | None:
    """The cards as the cameras have them."""
    lay = misread(state, chance)
    if lay is None:
        return None
    place = next(place for place, card in enumerate(lay) if card != state.cards[place])
    says = say(
        "Surveillance calls: card {place} of this round was {card}, not {registered}. Paid was the wrong hand.",
        place=place + 1,
        card=signs(lay[place]),
        registered=signs(state.cards[place]),
    )
    return Situation(lesson=Kind.WRONG_RESULT, kind=Kind.WRONG_RESULT, says=says, lay=lay)


def _late_bet(state: RoundState, chance: Random) -> Situation | None:
    free = [(seat, wager) for seat, has in state.seats.items() for wager in state.limits if wager not in has.bets]
    if not free:
        return None
    seat, wager = chance.choice(free)
    tap = PlayerTap(seat=seat, wager=wager, cents=state.limits[wager].min_cents)
    says = say(
        'You have called "No more bets". After that seat {seat} lays {amount} on {wager}, and it is registered.',
        seat=seat,
        amount=show_cents(tap.cents),
        wager=name_of(wager),
    )
    return Situation(lesson=Kind.LATE_BET, kind=Kind.LATE_BET, says=says, tap=tap)


def _withdrawn_bet(state: RoundState, chance: Random) -> Situation | None:
    lying = [(seat, wager, cents) for seat, has in state.seats.items() for wager, cents in has.bets.items()]
    if not lying:
        return None
    seat, wager, cents = chance.choice(lying)
    tap = PlayerTap(seat=seat, wager=wager, cents=cents, back=True)
    says = say(
        'You have called "No more bets". After that seat {seat} takes its {amount} off {wager}.',
        seat=seat,
        amount=show_cents(cents),
        wager=name_of(wager),
    )
    return Situation(lesson=Kind.WITHDRAWN_BET, kind=Kind.WITHDRAWN_BET, says=says, tap=tap)


def _terminal(state: RoundState, chance: Random) -> Situation | None:
    seats = [seat for seat, _ in state.seats.items()]
    if not seats:
        return None
    seat = chance.choice(seats)
    says = say("The screen of seat {seat} goes dark. Its bets were registered before.", seat=seat)
    return Situation(lesson=Kind.TERMINAL_INTERRUPTION, kind=Kind.TERMINAL_INTERRUPTION, says=says, seat=seat)


def _found_later(state: RoundState, chance: Random) -> Situation:
    about = state.number - 1
    says = say(
        "Surveillance calls: in round {round} a card was burnt out of turn, and nobody noticed. Its result stands.",
        round=about,
    )
    return Situation(lesson=Kind.FOUND_LATER, kind=Kind.FOUND_LATER, says=says, about_round=about)


def _cut_card(state: RoundState, chance: Random) -> Situation | None:
    if state.cut_card_out:
        return None
    return Situation(lesson=CUT_CARD, kind=None, says=say("The cut card comes out of the shoe."))


def _bet_in_time(state: RoundState, chance: Random) -> Situation | None:
    """As a late bet, but for the call: only whoever listens can tell the two apart."""
    late = _late_bet(state, chance)
    if late is None or late.tap is None:
        return None
    says = say(
        'Seat {seat} lays {amount} on {wager}. Then you call "No more bets".',
        seat=late.tap.seat,
        amount=show_cents(late.tap.cents),
        wager=name_of(late.tap.wager),
    )
    closes = state.game.document.procedure.closes
    return Situation(lesson=BET_IN_TIME, kind=None, says=says, tap=late.tap, allowed_by=closes)


def _card_wanted(state: RoundState, chance: Random) -> Situation | None:
    due, seats = state.due, [seat for seat, _ in state.seats.items()]
    if due is None or not seats:
        return None
    says = say(
        "Seat {seat} says that the cards run badly, and that the {hand} hand must get the next one.",
        seat=chance.choice(seats),
        hand=due.other.words,
    )
    return Situation(
        lesson=CARD_WANTED, kind=None, says=says, allowed_by=state.game.document.procedure.table_of_play
    )  # fmt: skip


BET_IN_TIME: Final = "bet-in-time"
CARD_WANTED: Final = "card-wanted"
_EARLY_DRAW: Final = "early-draw"
_KNOWN, _UNKNOWN = Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN
LESSONS: Final[Mapping[str, Lesson]] = {
    Kind.FOREIGN_CARD: Lesson(
        Moment.CARD_DUE, _plain(Kind.FOREIGN_CARD, say("You draw a card with another back: it is none of this set."))
    ),
    Kind.SHORTAGE_OR_EXCESS: Lesson(
        Moment.CARD_DUE,
        _plain(Kind.SHORTAGE_OR_EXCESS, say("The pit has counted the set at your table: one card is there too often.")),
    ),
    Kind.WRONG_NUMBER_OF_CARDS: Lesson(Moment.CARD_DUE, _wrong_number),
    Kind.INSUFFICIENT_CARDS: Lesson(
        Moment.CARD_DUE, _plain(Kind.INSUFFICIENT_CARDS, say("You reach into the shoe: it is empty."))
    ),
    Kind.UNSHUFFLED_CARDS: Lesson(
        Moment.CARD_DUE,
        _plain(Kind.UNSHUFFLED_CARDS, say("The cards come in the order of a new deck: they were never shuffled.")),
    ),
    Kind.EXCESS_OR_EXPOSED: Lesson(Moment.CARD_DUE, _exposed),
    _EARLY_DRAW: Lesson(Moment.LAST_CARD, _one_too_many),
    Kind.WRONG_AREA: Lesson(Moment.CARD_DUE, _wrong_area),
    Kind.WRONG_RESULT: Lesson(Moment.PAID, _wrong_result),
    _KNOWN: Lesson(Moment.CARD_DUE, _together(_KNOWN, known=True)),
    _UNKNOWN: Lesson(Moment.CARD_DUE, _together(_UNKNOWN, known=False)),
    Kind.ORDER_ALTERED: Lesson(
        Moment.CARD_DUE,
        _plain(
            Kind.ORDER_ALTERED,
            say("You notice it now: the last two cards did not come out in the order in which they lay in the shoe."),
        ),
    ),
    Kind.FACE_UP_IN_SHOE: Lesson(Moment.CARD_DUE, _face_up),
    Kind.TABLE_INTERRUPTION: Lesson(
        Moment.CARD_DUE,
        _plain(Kind.TABLE_INTERRUPTION, say("The power fails: the table is dark for a minute, then it is back.")),
    ),
    Kind.TERMINAL_INTERRUPTION: Lesson(Moment.CARD_DUE, _terminal),
    Kind.LATE_BET: Lesson(Moment.CALL, _late_bet),
    Kind.WITHDRAWN_BET: Lesson(Moment.CALL, _withdrawn_bet),
    Kind.FOUND_LATER: Lesson(Moment.NEXT_ROUND, _found_later),
    Kind.NOT_COVERED: Lesson(
        Moment.FIRST_CARD, _plain(Kind.NOT_COVERED, say("A player is taken ill, and the table must be cleared."))
    ),
    CUT_CARD: Lesson(Moment.CARD_DUE, _cut_card),
    BET_IN_TIME: Lesson(Moment.CALL, _bet_in_time),
    CARD_WANTED: Lesson(Moment.CARD_DUE, _card_wanted),
}
