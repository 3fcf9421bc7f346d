"""What an entry of the journal should say: the round's own rules asked again, from the state before it.

Each first event of a decision names the command that it answers. What `decide` says to that command is
what the journal must hold, event for event.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

import msgspec

from natural9.core.cards import Card
from natural9.core.game import DeckRange, Document, Game, Procedure
from natural9.core.round import Refusal, RoundState, commands
from natural9.core.round import events as round_events
from natural9.core.round.decide import SIGNED, decide
from natural9.core.staff import HOUSE_SYSTEM, Rank, Staff
from natural9.core.wagers import Wager
from natural9.journal.line import Read
from natural9.journal.records import to_record
from natural9.table.commands.orders import Order, read_order

LONGEST_QUOTE: Final = 300


class Unfounded(Exception):
    """No rule leads to this event here; the message says why."""


class Decision:
    """A decision as the journal tells it, entry by entry; `due` is what is left of the one that was begun."""

    def __init__(self) -> None:
        self.due: deque[round_events.Event] = deque()

    def wrong(self, state: RoundState, line: Read) -> tuple[str, str] | None:
        """What the entry says and what it should say, if those are two things."""
        if self.due:
            expected = self.due.popleft()
        else:
            try:
                expected, *rest = derive(state, line)
            except Unfounded as error:
                return quote(line.event), f"nothing of the kind: {error}"
            self.due.extend(rest)
        return None if line.event == expected else difference(line.event, expected)


def derive(state: RoundState, line: Read) -> Sequence[round_events.Event]:
    """All events of the decision that this one is the first of."""
    command, why = _asked(line)
    by = _by(line) if type(command) in SIGNED else HOUSE_SYSTEM
    decided = decide(state, command, by, why)
    if isinstance(decided, Refusal):
        raise Unfounded(f"{decided.message} ({decided.paragraph})" if decided.paragraph else decided.message)
    if not decided:
        raise Unfounded("nothing was to be done")
    return decided


def _by(line: Read) -> Staff:
    """Who asked, in the rank that they held then: what the journal says of it must have sufficed."""
    try:
        return Staff(line.origin.by, Rank.parse(line.origin.rank))
    except KeyError:
        raise Unfounded(f"{line.origin.by} asked in no rank of the pit, but {line.origin.rank!r}") from None


def _asked(line: Read) -> tuple[commands.Command, str]:
    """The command that the event answers, and the reason."""
    event = line.event
    if type(event) in _BY_ORDER and line.command:
        order = _order(line.command)
        if type(order.command) in SIGNED:
            return order.command, order.why
    shape = _ANSWERS.get(type(event))
    if shape is None and type(event) in _BY_ORDER:
        raise Unfounded(f"nobody asked for {event.TAG}")
    if shape is None:
        raise Unfounded(f"{event.TAG} comes only as part of a decision, and none was made")
    names = [one.name for one in fields(shape) if hasattr(event, one.name)]  # type: ignore[arg-type]
    return shape(**{name: _value(name, getattr(event, name)) for name in names}), ""


def _order(kept: bytes) -> Order:
    try:
        order = read_order(kept)
    except msgspec.DecodeError as error:
        raise Unfounded(f"the command beside it cannot be read: {error}") from None
    if isinstance(order, Refusal):
        raise Unfounded(f"the command beside it cannot be read: {order}")
    return order


def _value(name: str, value: Any) -> Any:
    """An event names its cards in text, a command has them as they are."""
    if name == "card":
        return Card.parse(value)
    return tuple(map(Card.parse, value)) if name == "cards" else value


# What each first event of a decision answers: it holds, under the same names, what was asked.
_ANSWERS: Final[Mapping[type[round_events.Event], type[commands.Command]]] = {
    round_events.BettingOpened: commands.OpenBetting,
    round_events.BetPlaced: commands.PlaceBet,
    round_events.BetIncreased: commands.IncreaseBet,
    round_events.BetTakenBack: commands.TakeBackBet,
    round_events.BetsCleared: commands.ClearBets,
    round_events.BettingClosed: commands.CloseBetting,
    round_events.CardDealt: commands.DealCard,
    round_events.CutCardAppeared: commands.ReportCutCard,
    round_events.InsuranceOpened: commands.OpenInsurance,
    round_events.InsurancePlaced: commands.PlaceInsurance,
    round_events.InsuranceClosed: commands.CloseInsurance,
    round_events.InsuranceWaived: commands.WaiveInsurance,
    round_events.ResultDeclared: commands.DeclareResult,
    round_events.SeatSettled: commands.Settle,
    round_events.RoundSettled: commands.Settle,
    round_events.IrregularityReported: commands.ReportIrregularity,
    round_events.IrregularityDecided: commands.DecideIrregularity,  # what a clause leaves nobody to decide
}
# These say not all of it, or several commands begin with them: the journal keeps the order beside them.
_BY_ORDER: Final = frozenset(
    {
        round_events.IrregularityDecided,
        round_events.SettlementReversed,
        round_events.BetsReturned,
        round_events.RoundVoided,
        round_events.CardsCorrected,
    }
)


def stand_in(game_id: str, wagers: Iterable[str]) -> Game:
    """For a round whose rules are not at hand: enough of a game to follow its money by, and no rule of it."""
    decks = DeckRange(1, 1000, "")
    document = Document(
        id="",
        title="",
        operator="",
        effective="",
        decks=decks,
        procedure=Procedure(*[""] * 12),
        clauses={},
    )
    return Game(
        id=game_id,
        title=game_id,
        document=document,
        decks=decks,
        betting_unit_cents=1,
        wagers=tuple(Wager(wager, wager, "", False, (), "") for wager in wagers),
        insurance=None,
        layouts=(),
        interpretations=(),
    )


def quote(event: round_events.Event) -> str:
    text = msgspec.json.encode(to_record(event)).decode()
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def difference(said: Any, due: Any, name: str = "") -> tuple[str, str]:
    """The first value in which two events differ, under its name."""
    if type(said) is type(due):
        if is_dataclass(said):
            start = f"{name}, " if name else ""
            for one in fields(said):
                here, there = getattr(said, one.name), getattr(due, one.name)
                if here != there:
                    return difference(here, there, f"{start}{one.name}")
        if isinstance(said, tuple) and len(said) == len(due):
            for place, (here, there) in enumerate(zip(said, due, strict=True), start=1):
                if here != there:
                    return difference(here, there, f"{name} {place} ({getattr(there, 'wager', there)})")
    if not name:
        return quote(said), quote(due)
    return f"{name}: {said!s}", f"{name}: {due!s}"
