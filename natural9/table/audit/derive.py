"""What an entry of the journal should say: the round's own rules asked again, from the state before it.

Each first event of a decision is turned back into the command that it answers. What `decide` says to that command is
what the journal must hold, event for event.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final

import msgspec

from natural9.core.cards import Card
from natural9.core.game import DeckRange, Document, Game, Procedure
from natural9.core.round import Refusal, RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.decide import decide
from natural9.core.staff import Rank, Staff
from natural9.core.wagers import Wager
from natural9.journal.line import Read
from natural9.journal.records import to_record
from natural9.table.commands import commands

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
    asked = _ASKED.get(type(line.event))
    if asked is None:
        raise Unfounded(f"{line.event.TAG} comes only as part of a decision, and none was made")
    decided = decide(state, asked(line.event, line))
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


def _open(event: round_events.BettingOpened, line: Read) -> round_commands.Command:
    return round_commands.OpenBetting(
        round=event.round, betting_unit_cents=event.betting_unit_cents, limits=event.limits, boxes=event.boxes
    )


def _reported(event: round_events.IrregularityReported, line: Read) -> round_commands.Command:
    return round_commands.ReportIrregularity(
        kind=event.kind,
        by=_by(line),
        detail=event.detail,
        cards=_cards(event.cards),
        seats=tuple(event.seats),
        about_round=event.about_round,
    )


def _decided(event: round_events.IrregularityDecided, line: Read) -> round_commands.Command:
    asked = _command(line)
    given = asked if isinstance(asked, commands.Decide) else commands.Decide(request="-", remedy=event.remedy)
    return round_commands.DecideIrregularity(
        remedy=event.remedy,
        by=_by(line),
        why=event.why,
        cards=_cards(given.cards),
        replace_shoe=given.replace_shoe,
    )


def _by_command(event: round_events.Event, line: Read) -> round_commands.Command:
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


def _command(line: Read) -> commands.TableCommand | None:
    if line.command is None:
        return None
    try:
        return _decoder.decode(line.command)
    except msgspec.DecodeError as error:
        raise Unfounded(f"the command beside it cannot be read: {error}") from None


_decoder: Final[msgspec.json.Decoder[commands.TableCommand]] = msgspec.json.Decoder(commands.TableCommand)


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


_ASKED: Final[dict[type[round_events.Event], Callable[[Any, Read], round_commands.Command]]] = {
    round_events.BettingOpened: _open,
    round_events.BetPlaced: lambda event, _: round_commands.PlaceBet(
        seat=event.seat, wager=event.wager, cents=event.cents
    ),
    round_events.BetIncreased: lambda event, _: round_commands.IncreaseBet(
        seat=event.seat, wager=event.wager, cents=event.cents
    ),
    round_events.BetTakenBack: lambda event, _: round_commands.TakeBackBet(
        seat=event.seat, wager=event.wager, cents=event.cents
    ),
    round_events.BetsCleared: lambda event, _: round_commands.ClearBets(seat=event.seat),
    round_events.BettingClosed: lambda event, _: round_commands.CloseBetting(),
    round_events.CardDealt: lambda event, _: round_commands.DealCard(card=Card.parse(event.card), put_at=event.put_at),
    round_events.CutCardAppeared: lambda event, _: round_commands.ReportCutCard(),
    round_events.InsuranceOpened: lambda event, _: round_commands.OpenInsurance(),
    round_events.InsurancePlaced: lambda event, _: round_commands.PlaceInsurance(
        seat=event.seat, hand=event.hand, cents=event.cents
    ),
    round_events.InsuranceClosed: lambda event, _: round_commands.CloseInsurance(),
    round_events.InsuranceWaived: lambda event, line: round_commands.WaiveInsurance(by=_by(line)),
    round_events.ResultDeclared: lambda event, _: round_commands.DeclareResult(
        winner=event.winner, player_total=event.player_total, banker_total=event.banker_total
    ),
    round_events.SeatSettled: lambda event, _: round_commands.Settle(),
    round_events.RoundSettled: lambda event, _: round_commands.Settle(),
    round_events.IrregularityReported: _reported,
    round_events.IrregularityDecided: _decided,
    round_events.SettlementReversed: _by_command,
    round_events.BetsReturned: _by_command,
    round_events.RoundVoided: _by_command,
    round_events.CardsCorrected: _by_command,
}


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
        wagers=tuple(Wager(wager, {}, False, (), "") for wager in wagers),
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
