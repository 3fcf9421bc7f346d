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
from natural9.core.saying import Said, say
from natural9.core.table_of_play import Hand


class Reason(NamedTuple):
    """A command that takes a reason: how it is refused without one. `after_result`: only once a result is declared."""

    code: StrEnum
    message: Said
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
WagerName = Annotated[str, Bounds(0, 40)]
ReportNumber = Annotated[int, Bounds(1, 2**53)]
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


CORRECTED_WHY: Final = say("A result is corrected only with a reason: say why")


@command("new-shoe")
class LoadShoe(Command):
    """A new set of cards, and which optional wagers are on for as long as it lasts; None means all."""

    shoe: int
    decks: int
    optional: frozenset[str] | None = None
    discard: tuple[Card, ...] = ()  # of the cards that wait to be played first: these are burnt
    required: bool = False  # no round may open on the cards at the table
    burns: bool = False  # its first cards are burnt before the first round
    counts_burnt: bool = False  # a device reads those burnt face down, too, one by one


@command("burn")
class BurnCards(Command):
    """Turn the first card of a new shoe face up and burn as many as its points face down: the card by its name, or
    without one the shuffler's first. Given again before the first round, with a reason, it corrects the card."""

    card: Card | None = None


@command("burn-face-down")
class BurnFaceDown(Command):
    """A device has read one of the cards that are burnt face down. `rest`: all of them lie burnt, read or not."""

    rest: bool = False


@command("open-betting")
class OpenBetting(Command):
    """Begin a round. Without boxes there are as many seats as terminals."""

    round: int
    betting_unit_cents: int
    limits: Mapping[str, Limit] = field(default_factory=dict)
    boxes: int | None = None
    dealer: str = ""  # who is signed on


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
    """The house lets the player of this seat see or squeeze the Banker's third card first."""

    seat: SeatNumber


@command("take-back-waiver", reason=Reason(Code.BAD_REPORT, say("Say why the waiver is taken back")))
class TakeBackWaiver(Command):
    """It was pressed by mistake, or the player asks no longer."""


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
    drawn but not registered; `about_round` an earlier round that it concerns; `seat` and `wager` a bet that came late
    or was taken away, with the amount if it is not all of it; `seats` the terminals that were interrupted."""

    kind: Kind
    detail: Words = ""
    cards: CardsNamed = ()
    seats: Annotated[tuple[SeatNumber, ...], Bounds(0, 100)] = ()
    about_round: RoundNumber | None = None
    seat: SeatNumber | None = None
    wager: WagerName = ""
    cents: Cents | None = None


@command("withdraw-report", reason=Reason(Code.BAD_REPORT, say("Say why the report is withdrawn")))
class WithdrawReport(Command):
    """It was a mistake: the table is as before. The number may be left out while one report waits."""

    report: ReportNumber | None = None


@command("decide")
class DecideIrregularity(Command):
    """The remedy, by the person whose rank the clause names. `cards`: the order, or the cards as they lie. The number
    of the report may be left out while one waits."""

    remedy: Remedy
    cards: CardsNamed = ()
    replace_shoe: bool = False
    report: ReportNumber | None = None


@command("discard-held", reason=Reason(Code.BAD_REPORT, say("Say why the cards are burnt")))
class DiscardHeld(Command):
    """Burn cards that wait to be played first."""

    cards: Annotated[tuple[Card, ...], Bounds(1, 60)]


VOID_WHY: Final = say("Say why the round is void: every terminal shows the reason")


@command("void-round", reason=Reason(Code.BAD_REPORT, VOID_WHY))
class VoidRound(Command):
    """Void by authority, for what no clause covers."""


@command("correct-card", reason=Reason(Code.BAD_CORRECTION, CORRECTED_WHY, after_result=True))
class CorrectCard(Command):
    """Correct one registered card; places count from 1 in dealt order, cards that wait come after those. A card keyed
    wrong takes no reason until the result is declared. `round`: an earlier one."""

    place: Annotated[int, Bounds(1, 60)]
    card: Card
    round: RoundNumber | None = None


@command("correct-result", reason=Reason(Code.BAD_CORRECTION, CORRECTED_WHY))
class CorrectResult(Command):
    """Correct the registered result, from all the cards as they lie on the table, in dealt order. `round`: an earlier
    one."""

    cards: CardsOfRound
    round: RoundNumber | None = None


@command("rule-on-bet", reason=Reason(Code.BAD_REPORT, say("Say why: a ruling is kept with its reason")))
class RuleOnBet(Command):
    """The shift manager's ruling on a single bet of a seat: what it returns in all; without an amount the bet is void,
    and its stake goes back. `round`: an earlier one. Insurance is named player-insurance or banker-insurance."""

    seat: SeatNumber
    wager: WagerName
    returned_cents: Annotated[int, Bounds(0, MAX_CENTS)] | None = None
    round: RoundNumber | None = None


@command()
class NoteInterruption(Command):
    """The table is back after it was cut off: how long it was away, whether that was brief with nothing missing, and
    whether its cards are real ones, which somebody must look at."""

    away_ms: int
    brief: bool
    real_cards: bool
