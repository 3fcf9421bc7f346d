"""What an event is: something that happened. Past tense, made only of plain values, and complete.

Whatever is true of an event is said once, where it is declared: its permanent tag and version, who may be shown it, how
much it weighs, whether it moves money, and the sentence it is told in. One that lacks an answer does not import.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import ClassVar, Final, TypeVar, dataclass_transform

from natural9.core.saying import Said


class SeenBy(Enum):
    """Who may be shown it, beside the staff."""

    ALL = "all"  # everybody at the table has seen it anyway
    SEAT = "seat"  # the seat that it is about
    STAFF = "staff"  # nobody else


class Weight(Enum):
    """How much an event weighs."""

    QUIET = "quiet"  # comes by the thousand: the round does not move by it, and the others hear of it now and then
    ORDINARY = "ordinary"
    SIGNIFICANT = "significant"  # security, errors, money by hand, settings: shown to staff at once (requirement 43)


class Marks(Flag):
    """What else is true of an event; NONE where nothing is."""

    NONE = 0
    MONEY = auto()  # it moves money
    IRREGULAR = auto()  # the round left its ordinary way
    OVERRIDE = auto()  # a person changed what the table would have done by itself
    EVERY_SEAT = auto()  # it changes what every seat may do, not only the one it is about


class Event:
    """Something that happened. Cards are written as ``9H``, money in cents, people by their own id."""

    __slots__ = ()
    TAG: ClassVar[str]
    VERSION: ClassVar[int]
    SEEN_BY: ClassVar[SeenBy]
    FOUND_BY: ClassVar[str]  # the field that a journal finds it by, such as "round"; "" for none
    # How it was declared, as plain answers: asking a flag would cost more than all else that a bet asks.
    IS_QUIET: ClassVar[bool]
    IS_SIGNIFICANT: ClassVar[bool]
    MOVES_MONEY: ClassVar[bool]
    IS_IRREGULAR: ClassVar[bool]
    IS_OVERRIDE: ClassVar[bool]
    TOUCHES_EVERY_SEAT: ClassVar[bool]
    IS_FOUND_AGAIN: ClassVar[bool]  # it is significant, or found by one of its fields

    def describe(self) -> Said:
        """The event in one sentence, for staff."""
        raise NotImplementedError

    def describe_publicly(self) -> Said:
        """The same for everybody: without sums over all seats, and without what staff wrote to each other."""
        return self.describe()


EventType = TypeVar("EventType", bound=Event)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event(
    tag: str,
    seen_by: SeenBy,
    weight: Weight,
    marks: Marks,
    *,
    version: int = 1,
    found_by: str = "",
) -> Callable[[type[EventType]], type[EventType]]:
    """Declare an event: a dataclass with all that is true of it."""

    def declare(shape: type[EventType]) -> type[EventType]:
        # Frozen to the type checker; freezing at run time as well would make each four times as dear to make.
        made: type[EventType] = dataclass(unsafe_hash=True, slots=True, kw_only=True)(shape)
        made.TAG, made.VERSION, made.SEEN_BY, made.FOUND_BY = tag, version, seen_by, found_by
        made.IS_QUIET, made.IS_SIGNIFICANT = weight is Weight.QUIET, weight is Weight.SIGNIFICANT
        made.MOVES_MONEY, made.IS_IRREGULAR = Marks.MONEY in marks, Marks.IRREGULAR in marks
        made.IS_FOUND_AGAIN = made.IS_SIGNIFICANT or bool(found_by)
        made.IS_OVERRIDE, made.TOUCHES_EVERY_SEAT = Marks.OVERRIDE in marks, Marks.EVERY_SEAT in marks
        assert made.describe is not Event.describe, f"{tag} has no sentence: write its describe()"
        assert not found_by or found_by in made.__slots__, f"{tag} has no {found_by} to be found by"
        assert seen_by is not SeenBy.SEAT or "seat" in made.__slots__, f"{tag} is about no seat"
        return made

    return declare


def seat_of(event: Event) -> int | None:
    """The seat that it is about."""
    seat: int | None = getattr(event, "seat", None)
    return seat


def reason_of(event: Event) -> str:
    """The reason that somebody gave, or the program."""
    reason: str = getattr(event, "reason", "") or getattr(event, "why", "") or getattr(event, "detail", "")
    return reason


def paragraph_of(event: Event) -> str:
    """The paragraph it follows from."""
    return str(getattr(event, "clause", "") or getattr(event, "paragraph", ""))


def spoken(tag: str) -> str:
    """A tag in words: pit-manager is pit manager."""
    return tag.replace("-", " ")


# For declarations, so that a line says what it means.
ALL: Final = SeenBy.ALL
SEAT: Final = SeenBy.SEAT
STAFF: Final = SeenBy.STAFF
QUIET: Final = Weight.QUIET
ORDINARY: Final = Weight.ORDINARY
SIGNIFICANT: Final = Weight.SIGNIFICANT
NOTHING: Final = Marks.NONE
MONEY: Final = Marks.MONEY
IRREGULAR: Final = Marks.IRREGULAR
OVERRIDE: Final = Marks.OVERRIDE
EVERY_SEAT: Final = Marks.EVERY_SEAT
