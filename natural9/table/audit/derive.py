"""What an entry of the journal should say: the round's own rules asked again, from the state before it.

Each first event of a decision is turned back into the command that it answers. What `decide` says to that command is
what the journal must hold, event for event.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, cast

import msgspec

from natural9.core.cards import Card
from natural9.core.events import Event
from natural9.core.round import Refusal, RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.decide import decide
from natural9.core.round.events import RoundEvent
from natural9.core.staff import Rank, Staff
from natural9.journal.line import JournalLine, values_of
from natural9.table.commands import commands

LONGEST_QUOTE: Final = 300


class Unfounded(Exception):
    """No rule leads to this event here; the message says why."""


class Decision:
    """A decision as the journal tells it, entry by entry; `due` is what is left of the one that was begun."""

    def __init__(self) -> None:
        self.due: deque[Event] = deque()

    def wrong(self, state: RoundState, line: JournalLine) -> tuple[str, str] | None:
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


def derive(state: RoundState, line: JournalLine) -> Sequence[Event]:
    """All events of the decision that this one is the first of."""
    decided = decide(state, _asked(state, cast(RoundEvent, line.event), line))
    if isinstance(decided, Refusal):
        raise Unfounded(f"{decided.message} ({decided.paragraph})" if decided.paragraph else decided.message)
    if not decided:
        raise Unfounded("nothing was to be done")
    return decided


def _asked(state: RoundState, event: RoundEvent, line: JournalLine) -> round_commands.Command:
    """The command that an event answers, where a decision may begin with it."""
    match event:
        case round_events.BetPlaced():
            more = event.wager in state.seats[event.seat].bets
            shape = round_commands.IncreaseBet if more else round_commands.PlaceBet
            return shape(seat=event.seat, wager=event.wager, cents=event.cents)
        case round_events.SeatSettled() | round_events.RoundSettled():
            return round_commands.Settle()
        case round_events.CardDealt():
            return round_commands.DealCard(card=Card.parse(event.card), put_at=event.put_at)
        case round_events.BetTakenBack():
            return round_commands.TakeBackBet(seat=event.seat, wager=event.wager, cents=event.cents)
        case round_events.BetsCleared():
            return round_commands.ClearBets(seat=event.seat)
        case round_events.BettingOpened():
            return _open(event)
        case round_events.BettingClosed():
            return round_commands.CloseBetting()
        case round_events.CutCardAppeared():
            return round_commands.ReportCutCard()
        case round_events.InsuranceOpened():
            return round_commands.OpenInsurance()
        case round_events.InsurancePlaced():
            return round_commands.PlaceInsurance(seat=event.seat, hand=event.hand, cents=event.cents)
        case round_events.InsuranceClosed():
            return round_commands.CloseInsurance()
        case round_events.InsuranceWaived():
            return round_commands.WaiveInsurance(by=_by(line))
        case round_events.ResultDeclared():
            return round_commands.DeclareResult(
                winner=event.winner, player_total=event.player_total, banker_total=event.banker_total
            )
        case round_events.IrregularityReported():
            return _reported(event, line)
        case round_events.IrregularityDecided():
            return _decided(event, line)
        case (
            round_events.SettlementReversed()
            | round_events.BetsReturned()
            | round_events.RoundVoided()
            | round_events.CardsCorrected()
        ):
            return _by_command(event, line)
        case _:
            raise Unfounded(f"{event.TAG} comes only as part of a decision, and none was made")


def _by(line: JournalLine) -> Staff:
    """Who asked, in the rank that they held then: what the journal says of it must have sufficed."""
    try:
        return Staff(line.origin.by, Rank.parse(line.origin.rank))
    except KeyError:
        raise Unfounded(f"{line.origin.by} asked in no rank of the pit, but {line.origin.rank!r}") from None


def _open(event: round_events.BettingOpened) -> round_commands.Command:
    return round_commands.OpenBetting(
        round=event.round, betting_unit_cents=event.betting_unit_cents, limits=event.limits, boxes=event.boxes
    )


def _reported(event: round_events.IrregularityReported, line: JournalLine) -> round_commands.Command:
    return round_commands.ReportIrregularity(
        kind=event.kind,
        by=_by(line),
        detail=event.detail,
        cards=_cards(event.cards),
        seats=tuple(event.seats),
        about_round=event.about_round,
    )


def _decided(event: round_events.IrregularityDecided, line: JournalLine) -> round_commands.Command:
    asked = _command(line)
    given = asked if isinstance(asked, commands.Decide) else commands.Decide(request="-", remedy=event.remedy)
    return round_commands.DecideIrregularity(
        remedy=event.remedy,
        by=_by(line),
        why=event.why,
        cards=_cards(given.cards),
        replace_shoe=given.replace_shoe,
    )


def _by_command(event: Event, line: JournalLine) -> round_commands.Command:
    """Several commands begin with these events: the journal keeps which one it was."""
    asked = _command(line)
    match asked:
        case commands.VoidRound():
            return round_commands.VoidRound(by=_by(line), why=asked.why)
        case commands.CorrectCard():
            return round_commands.CorrectCard(
                place=asked.place, card=Card.parse(asked.card), by=_by(line), why=asked.why
            )
        case commands.CorrectResult():
            return round_commands.CorrectResult(cards=_cards(asked.cards), by=_by(line), why=asked.why)
        case _:
            raise Unfounded(f"nobody asked for {event.TAG}")


def _command(line: JournalLine) -> commands.TableCommand | None:
    if line.command is None:
        return None
    try:
        return _decoder.decode(line.command)
    except msgspec.DecodeError as error:
        raise Unfounded(f"the command beside it cannot be read: {error}") from None


_decoder: Final[msgspec.json.Decoder[commands.TableCommand]] = msgspec.json.Decoder(commands.TableCommand)


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


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
