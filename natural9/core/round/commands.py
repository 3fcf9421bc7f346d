"""Commands: what somebody asks of the round. Imperative, and nothing happens until `decide` agrees.

A command with a tag is one of the staff: the console gives it as it stands here. Who asks and why are arguments of
`decide`, not fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Final, NamedTuple, TypeVar, dataclass_transform

from natural9.core.cards import Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import MAX_CENTS
from natural9.core.outcome import Winner
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.state import Limit
from natural9.core.table_of_play import Hand


class Reason(NamedTuple):
    """A command that takes a reason: how it is refused without one. `after_result`: only once a result is declared."""

    code: StrEnum
    message: str
    after_result: bool = False


class Command:
    """Something asked of a table. `TAG` is its permanent name among the commands of staff; others have none."""

    __slots__ = ()
    TAG: ClassVar[str] = ""
    REASON: ClassVar[Reason | None] = None  # None: it may have one


class Bounds(NamedTuple):
    """The least and the most that a field takes from outside: of a number itself, of all else its length."""

    least: int
    most: int


Words = Annotated[str, Bounds(0, 500)]
SeatNumber = Annotated[int, Bounds(1, 1_000_000)]
RoundNumber = Annotated[int, Bounds(0, 2**53)]
Cents = Annotated[int, Bounds(1, MAX_CENTS)]
Total = Annotated[int, Bounds(0, 9)]
CardsNamed = Annotated[tuple[Card, ...], Bounds(0, 60)]
CardsOfRound = Annotated[tuple[Card, ...], Bounds(1, 6)]

STAFF_COMMANDS: Final[dict[str, type[Command]]] = {}
C = TypeVar("C", bound=Command)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def command(
    tag: str = "", *, reason: Reason | None = None, instead_of: type[Command] | None = None
) -> Callable[[type[C]], type[C]]:
    """`instead_of`: the table asks for the command of this tag in its own way, and fills in what it knows."""

    def declare(shape: type[C]) -> type[C]:
        about = shape.__doc__  # where there is none, dataclass would write one
        # Frozen to the type checker, as events are: a bet passes through one of each.
        made: type[C] = dataclass(unsafe_hash=True, slots=True, kw_only=True)(shape)
        made.TAG, made.REASON, made.__doc__ = tag, reason, about
        if tag:
            assert STAFF_COMMANDS.get(tag) is instead_of, f"command tag {tag} is taken"
            STAFF_COMMANDS[tag] = made
        return made

    return declare


def without_reason(command: Command, why: str, *, declared: bool) -> Refusal | None:
    """Whether the reason that this command takes is missing."""
    needs = command.REASON
    if needs is None or why.strip() or (needs.after_result and not declared):
        return None
    return Refusal(needs.code, needs.message)


CORRECTED_WHY: Final = "A result is corrected only with a reason: say why"


@command("new-shoe")
class LoadShoe(Command):
    """A new set of cards, and which optional wagers are on for as long as it lasts; None means all."""

    shoe: int
    decks: int
    optional: frozenset[str] | None = None


@command("open-betting")
class OpenBetting(Command):
    """Begin a round. Without boxes there are as many seats as terminals."""

    round: int
    betting_unit_cents: int
    limits: Mapping[str, Limit] = field(default_factory=dict)
    boxes: int | None = None


@command()
class PlaceBet(Command):
    """Bet on a wager where the seat has nothing yet."""

    seat: int
    wager: str
    cents: int


@command()
class IncreaseBet(Command):
    """Add to a bet that lies."""

    seat: int
    wager: str
    cents: int


@command()
class TakeBackBet(Command):
    """Take back part of a bet; without an amount, all of it."""

    seat: int
    wager: str
    cents: int | None = None


@command()
class ClearBets(Command):
    """Take back all bets of a seat."""

    seat: int


@command("close-betting")
class CloseBetting(Command):
    """No more bets."""


@command("deal")
class DealCard(Command):
    """The next card: by its name, or without one the shuffler's next. `put_at`: the area that it was physically put
    in, if not the one where it belongs."""

    card: Card | None = None
    put_at: Hand | None = None


@command("cut-card")
class ReportCutCard(Command):
    """The cut card has come."""


@command("open-insurance")
class OpenInsurance(Command):
    """Open the insurance window that the round stands in."""


@command()
class PlaceInsurance(Command):
    """Insure a hand that the seat has backed."""

    seat: int
    hand: Hand
    cents: int


@command("close-insurance")
class CloseInsurance(Command):
    """Close the open insurance window."""


@command("waive-insurance")
class WaiveInsurance(Command):
    """The house lets a player see or squeeze the Banker's third card first."""


@command("declare")
class DeclareResult(Command):
    """The result as announced; without one, as the cards show it."""

    winner: Winner | None = None
    player_total: Total | None = None
    banker_total: Total | None = None


@command("settle")
class Settle(Command):
    """Pay and collect."""


@command("report")
class ReportIrregularity(Command):
    """What happened, not what to do: the governing clause answers with the remedy and who decides. `cards` are those
    drawn but not registered; `about_round` an earlier round that it concerns."""

    kind: Kind
    detail: Words = ""
    cards: CardsNamed = ()
    seats: Annotated[tuple[SeatNumber, ...], Bounds(0, 100)] = ()
    about_round: RoundNumber | None = None


@command("decide")
class DecideIrregularity(Command):
    """The remedy, by the person whose rank the clause names. `cards`: the order, or the cards as they lie."""

    remedy: Remedy
    cards: CardsNamed = ()
    replace_shoe: bool = False


@command("void-round", reason=Reason(Code.BAD_REPORT, "Say why the round is void: every terminal shows the reason"))
class VoidRound(Command):
    """Void by authority, for what no clause covers."""


@command("correct-card", reason=Reason(Code.BAD_CORRECTION, CORRECTED_WHY, after_result=True))
class CorrectCard(Command):
    """Correct one registered card; places count from 1 in dealt order. A mis-key takes no reason, a result does."""

    place: Annotated[int, Bounds(1, 6)]
    card: Card


@command("correct-result", reason=Reason(Code.BAD_CORRECTION, CORRECTED_WHY))
class CorrectResult(Command):
    """Correct the registered result, from all the cards as they lie on the table, in dealt order."""

    cards: CardsOfRound
