"""What can go wrong at a table, and what a clause may demand. Which clause demands what is the documents' data."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from natural9.core.saying import Said, say
from natural9.core.staff import Rank


class Kind(StrEnum):
    """What happened, as the floor would say it."""

    FOREIGN_CARD = "foreign-card"
    SHORTAGE_OR_EXCESS = "shortage-or-excess"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    INSUFFICIENT_CARDS = "insufficient-cards"
    UNSHUFFLED_CARDS = "unshuffled-cards"
    EXCESS_OR_EXPOSED = "excess-or-exposed"
    WRONG_AREA = "wrong-area"
    WRONG_RESULT = "wrong-result"
    DRAWN_TOGETHER_ORDER_KNOWN = "drawn-together-order-known"
    DRAWN_TOGETHER_ORDER_UNKNOWN = "drawn-together-order-unknown"
    ORDER_ALTERED = "order-altered"
    FACE_UP_IN_SHOE = "face-up-in-shoe"
    TABLE_INTERRUPTION = "table-interruption"
    TERMINAL_INTERRUPTION = "terminal-interruption"
    LATE_BET = "late-bet"
    WITHDRAWN_BET = "withdrawn-bet"
    FOUND_LATER = "found-later"
    NOT_COVERED = "not-covered"

    @property
    def words(self) -> Said:
        """As the console's button says it."""
        return _KINDS[self]


class Remedy(StrEnum):
    """What is done about it."""

    VOID = "void"  # every bet of the round goes back
    CONTINUE = "continue"  # play on, with the cards as they lie
    # Cards go back to the order in which they should have come: rws-nc 1.17, rws-nc-super-six-plus 1:reconstruction.
    RECONSTRUCT = "reconstruct"
    DECIDE_ORDER = "decide-order"  # somebody decides which card came first
    USE_IN_NEXT_ROUND = "use-in-next-round"  # the excess cards open the next round
    DISCARD = "discard"  # the cards drawn are burnt
    SETTLE_BY_CARDS = "settle-by-cards"  # the cards on the table are the result
    REFUSE_BET = "refuse-bet"  # the late bet goes back
    BET_STANDS = "bet-stands"  # the withdrawn bet is put back, and plays
    CONFIRM_CARDS = "confirm-cards"  # these are the cards as they lie, after an interruption
    NO_EFFECT = "no-effect"  # neither this round nor the earlier one changes

    @property
    def words(self) -> Said:
        """As the console's button says it."""
        return _REMEDIES[self]


_KINDS: Final = {
    Kind.FOREIGN_CARD: say("foreign card"),
    Kind.SHORTAGE_OR_EXCESS: say("too many or too few of a card"),
    Kind.WRONG_NUMBER_OF_CARDS: say("a hand has too many or too few cards"),
    Kind.INSUFFICIENT_CARDS: say("the shoe is empty"),
    Kind.UNSHUFFLED_CARDS: say("cards not shuffled"),
    Kind.EXCESS_OR_EXPOSED: say("a card too many was drawn or shown"),
    Kind.WRONG_AREA: say("card in the wrong area"),
    Kind.WRONG_RESULT: say("wrong result announced"),
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: say("two cards came out together, order known"),
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: say("two cards came out together, order not known"),
    Kind.ORDER_ALTERED: say("the order of the cards was changed"),
    Kind.FACE_UP_IN_SHOE: say("card face up in the shoe"),
    Kind.TABLE_INTERRUPTION: say("the table was interrupted"),
    Kind.TERMINAL_INTERRUPTION: say("a terminal was interrupted"),
    Kind.LATE_BET: say("late bet"),
    Kind.WITHDRAWN_BET: say("withdrawn bet"),
    Kind.FOUND_LATER: say("error found in an earlier round"),
    Kind.NOT_COVERED: say("something else"),
}
_REMEDIES: Final = {
    Remedy.VOID: say("void the round"),
    Remedy.CONTINUE: say("play on"),
    Remedy.RECONSTRUCT: say("reconstruct"),
    Remedy.DECIDE_ORDER: say("decide the order"),
    Remedy.USE_IN_NEXT_ROUND: say("use in the next round"),
    Remedy.DISCARD: say("burn the cards"),
    Remedy.SETTLE_BY_CARDS: say("settle by the cards"),
    Remedy.REFUSE_BET: say("refuse the bet"),
    Remedy.BET_STANDS: say("the bet stands"),
    Remedy.CONFIRM_CARDS: say("these are the cards as they lie"),
    Remedy.NO_EFFECT: say("no effect"),
}


class Condition(StrEnum):
    """When a remedy of a clause is the one that applies."""

    ALWAYS = "always"
    ESTABLISHED = "established"
    NOT_ESTABLISHED = "not-established"
    CARD_DUE = "card-due"  # the round still takes a card
    NO_CARD_DUE = "no-card-due"  # it takes none: what is drawn now belongs to the next one
    IN_PLAY = "in-play"  # not settled yet


@dataclass(frozen=True)
class ClauseRemedy:
    """One remedy that a clause allows, by which paragraph, and when."""

    do: Remedy
    paragraph: str
    condition: Condition = Condition.ALWAYS


@dataclass(frozen=True)
class Clause:
    """A document's answer to one kind of irregularity: the remedies it allows and the rank that decides."""

    kind: Kind
    remedies: tuple[ClauseRemedy, ...]
    rank: Rank
    may_replace_shoe: str = ""  # the paragraph that lets the same rank replace the set of cards
    after_first_card: bool = False  # covers only what is found once a card of the round has been dealt
    until_next_round: bool = False  # still open after settlement, until the next round commences
    after_void: bool = False  # a void round leaves it open as well: it is about cards for the next one
    rank_later: Rank | None = None  # who decides about a round once the next has opened; None: nobody, by this clause
    previous_stand: str = ""  # the paragraph by which earlier rounds keep their outcomes
