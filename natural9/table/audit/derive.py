"""What an entry of the journal should say: the round's own rules asked again, from the state before it.

Each first event of a decision is turned back into the command that it answers. What `decide` says to that command is
what the journal must hold, event for event.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, cast

import msgspec

from natural9.core.cards import Card
from natural9.core.events import Event
from natural9.core.round import Refusal, RoundState, commands
from natural9.core.round import events as round_events
from natural9.core.round.betting import is_plain_bet
from natural9.core.round.dealing import is_plain_card
from natural9.core.round.decide import SIGNED, decide
from natural9.core.round.events import RoundEvent
from natural9.core.staff import NOBODY, Rank, Staff
from natural9.games.citations import cited
from natural9.journal.line import JournalLine, OriginKind, values_of
from natural9.table.commands.orders import Order, read_order

LONGEST_QUOTE: Final = 300


class Unfounded(Exception):
    """No rule leads to this event here; the message says why."""


class Decision:
    """A decision as the journal tells it, entry by entry; `due` is what is left of the one that was begun."""

    def __init__(self) -> None:
        self.due: deque[Event] = deque()

    def wrong(self, state: RoundState, line: JournalLine, earlier: RoundState | None = None) -> tuple[str, str] | None:
        """What the entry says and what it should say, if those are two things."""
        if self.due:
            expected = self.due.popleft()
        else:
            event = line.event
            if type(event) is round_events.BetPlaced and is_plain_bet(state, event.seat, event.wager, event.cents):
                return None
            if type(event) is round_events.CardDealt and is_plain_card(state, event):
                return None
            try:
                expected, *rest = derive(state, line, earlier)
            except Unfounded as error:
                return quote(line.event), f"nothing of the kind: {error}"
            self.due.extend(rest)
        return None if line.event == expected else difference(line.event, expected)


def derive(state: RoundState, line: JournalLine, earlier: RoundState | None) -> Sequence[Event]:
    """All events of the decision that this one is the first of."""
    command, why = _asked(state, cast(RoundEvent, line.event), line)
    by = who_asked(line) if type(command) in SIGNED else NOBODY
    decided = decide(state, command, by, why, earlier)
    if isinstance(decided, Refusal):
        raise Unfounded(cited(decided.message, decided.paragraph))
    if not decided:
        raise Unfounded("nothing was to be done")
    return decided


def _asked(state: RoundState, event: RoundEvent, line: JournalLine) -> tuple[commands.Command, str]:
    """The command that an event answers, where a decision may begin with it, and the reason."""
    match event:
        case round_events.BetPlaced():
            shape = commands.IncreaseBet if _lies(state, event) else commands.PlaceBet
            return shape(seat=event.seat, wager=event.wager, cents=event.cents), ""
        case round_events.SeatSettled() | round_events.RoundSettled():
            return commands.Settle(), ""
        case round_events.CardDealt():
            return commands.DealCard(card=Card.parse(event.card), put_at=event.put_at), ""
        case round_events.BetTakenBack():
            return _same_names(commands.TakeBackBet, event)
        case round_events.BetsCleared():
            return commands.ClearBets(seat=event.seat), ""
        case round_events.CardsBurnt():
            return _same_names(commands.BurnCards, event)[0], event.why
        case round_events.FaceDownBurnt():
            return commands.BurnFaceDown(rest=event.cards > 1), ""
        case round_events.BettingOpened():
            return _same_names(commands.OpenBetting, event)
        case round_events.BettingClosed():
            return commands.CloseBetting(), ""
        case round_events.CutCardAppeared():
            return commands.ReportCutCard(), ""
        case round_events.InsuranceOpened():
            return commands.OpenInsurance(), ""
        case round_events.InsurancePlaced():
            return _same_names(commands.PlaceInsurance, event)
        case round_events.InsuranceClosed():
            return commands.CloseInsurance(), ""
        case round_events.InsuranceWaived():
            return _same_names(commands.WaiveInsurance, event)
        case round_events.RoundInterrupted():
            return _same_names(commands.NoteInterruption, event)
        case round_events.CardsDiscarded():  # on its own, or with a new shoe
            return commands.DiscardHeld(cards=tuple(map(Card.parse, event.cards))), event.why
        case round_events.ResultDeclared():
            return _same_names(commands.DeclareResult, event)
        case (
            round_events.IrregularityReported()
            | round_events.ReportWithdrawn()
            | round_events.IrregularityDecided()
            | round_events.WaiverTakenBack()
            | round_events.BetVoided()
            | round_events.BetRuled()
            | round_events.InsuranceReturned()
            | round_events.RoundTakenUp()
            | round_events.SettlementReversed()
            | round_events.BetsReturned()
            | round_events.RoundVoided()
            | round_events.CardsCorrected()
        ):  # several commands begin with these, or they do not tell all that was asked
            if ordered := _by_order(line):
                return ordered
            raise Unfounded(f"nobody asked for {event.TAG}")
        case _:
            raise Unfounded(f"{event.TAG} comes only as part of a decision, and none was made")


def _lies(state: RoundState, event: round_events.BetPlaced) -> bool:
    return event.wager in state.seats[event.seat].bets


def _same_names(shape: type[commands.Command], event: RoundEvent) -> tuple[commands.Command, str]:
    """The event holds, under the same names, what was asked."""
    return shape(**{name: _value(name, getattr(event, name)) for name in _shared(shape, type(event))}), ""


def _shared(shape: type[commands.Command], event: type[Event]) -> tuple[str, ...]:
    """A command and the event that answers it are a few dozen pairs."""
    names = _SHARED.get((shape, event))
    if names is None:
        names = tuple([one.name for one in fields(shape) if hasattr(event, one.name)])  # type: ignore[arg-type]
        _SHARED[shape, event] = names
    return names


_SHARED: Final[dict[tuple[type[commands.Command], type[Event]], tuple[str, ...]]] = {}


def who_asked(line: JournalLine) -> Staff:
    """Who asked, in the rank that they held then: what the journal says of it must have sufficed."""
    origin = line.origin
    if origin.kind in (OriginKind.PROGRAM, OriginKind.READER) and not origin.rank:
        return NOBODY
    try:
        if origin.kind is OriginKind.STAFF:
            return Staff(origin.by, Rank.parse(origin.rank))
    except KeyError:
        pass
    raise Unfounded(f"{origin.words} asked in no rank of the pit, but {origin.rank!r}")


def _by_order(line: JournalLine) -> tuple[commands.Command, str] | None:
    """The order that the journal keeps beside an event that says not all of it."""
    order = _order(line.command) if line.command else None
    return (order.command, order.why) if order and type(order.command) in SIGNED else None


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


def quote(event: Event) -> str:
    text = msgspec.json.encode(values_of(event)).decode()
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
