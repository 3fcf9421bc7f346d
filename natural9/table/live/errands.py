"""What the program asks of a table's writer, and what it is answered: values, so that the table may be elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

import msgspec

from natural9.core.round import Refusal
from natural9.core.saying import Said
from natural9.journal.sentence import decode_said, encode_said
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order, WrittenOrder, read, write
from natural9.table.commands.terminal import OfTheServer, Tap, TerminalCommand
from natural9.table.commands.visiting import Fetched, Parcel, WantedCredit
from natural9.table.live.answers import CODES, Accepted, Answer, NotKnown
from natural9.table.state.visits import SeatPlace

if TYPE_CHECKING:
    from natural9.table.live.recorder import Recorder

Outcome = TypeVar("Outcome")


class Errand(msgspec.Struct, Generic[Outcome], frozen=True, tag_field="errand", tag=True):
    """Carried out by the table's writer in its turn, and answered once that is durable."""

    IN_TURN: ClassVar[bool] = True  # or at once, by what may be ahead of the journal
    OUTCOME: ClassVar[Any]  # its type, as it is written

    def run(self, recorder: "Recorder", at_ms: int) -> Outcome:
        raise NotImplementedError

    def write(self, outcome: Outcome) -> Any:
        """The outcome as it is sent."""
        return outcome

    def read(self, written: Any) -> Outcome:
        outcome: Outcome = written
        return outcome


class WrittenRefusal(msgspec.Struct, frozen=True):
    code: str
    message: Said
    paragraph: str

    @staticmethod
    def of(refusal: Refusal) -> "WrittenRefusal":
        return WrittenRefusal(str(refusal.code), refusal.message, refusal.paragraph)

    @property
    def refusal(self) -> Refusal:
        return Refusal(CODES[self.code], self.message, self.paragraph)


class WrittenAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the three."""

    accepted: Accepted | None = None
    refused: WrittenRefusal | None = None
    unknown: NotKnown | None = None


class WrittenFetched(msgspec.Struct, frozen=True):
    parcel: Parcel | None
    why_not: WrittenRefusal | None


class TakeAlong(Errand[Fetched], frozen=True):
    """Credit of a terminal of this table, for a bet at another."""

    seat: int
    wanted: WantedCredit
    to: SeatPlace

    OUTCOME = WrittenFetched

    def run(self, recorder: "Recorder", at_ms: int) -> Fetched:
        return recorder.take_along(self.seat, self.wanted, self.to, at_ms)

    def write(self, outcome: Fetched) -> WrittenFetched:
        why_not = WrittenRefusal.of(outcome.why_not) if outcome.why_not else None
        return WrittenFetched(outcome.parcel, why_not)

    def read(self, written: WrittenFetched) -> Fetched:
        return Fetched(written.parcel, written.why_not.refusal if written.why_not else None)


class Receive(Errand[None], frozen=True):
    """Credit that was sent to this table."""

    parcel: Parcel

    OUTCOME = None

    def run(self, recorder: "Recorder", at_ms: int) -> None:
        recorder.receive(self.parcel, at_ms)


class SeatVisitor(Errand[int], frozen=True):
    """The seat of a terminal of another table."""

    home: SeatPlace

    OUTCOME = int

    def run(self, recorder: "Recorder", at_ms: int) -> int:
        return recorder.seat_visitor(self.home, at_ms)


class CatchUp(Errand[None], frozen=True):
    """Nothing, once all that was decided before is durable."""

    OUTCOME = None

    def run(self, recorder: "Recorder", at_ms: int) -> None:
        pass


class CardAt(Errand[str | None], frozen=True):
    """The number of the player whose card is in at a seat."""

    seat: int

    OUTCOME = str | None

    def run(self, recorder: "Recorder", at_ms: int) -> str | None:
        card = recorder.state.terminal(self.seat).card
        return card.player if card else None


class WhatSeatsHold(Errand[list[tuple[Said, ...]]], frozen=True):
    """What of a player's is at each of these seats at this moment, so that who asks can act before anything changes."""

    seats: Sequence[int]

    IN_TURN = False
    OUTCOME = list[tuple[Said, ...]]

    def run(self, recorder: "Recorder", at_ms: int) -> list[tuple[Said, ...]]:
        return [recorder.state.holds(seat) for seat in self.seats]


class CreditAt(Errand[int], frozen=True):
    """The cents at a seat at this moment."""

    seat: int

    IN_TURN = False
    OUTCOME = int

    def run(self, recorder: "Recorder", at_ms: int) -> int:
        return recorder.state.credit_cents(self.seat)


class TimeAhead(Errand[int], frozen=True):
    """By how much the tables' own time is ahead of the play clock: it is one for the whole venue."""

    IN_TURN = False
    OUTCOME = int

    def run(self, recorder: "Recorder", at_ms: int) -> int:
        return recorder.state.ahead_ms


class AskTable(Errand[Answer], frozen=True):
    """What somebody asks for, a terminal or staff: queued, decided and answered like all that they ask themselves."""

    who: Who
    tap: TerminalCommand | OfTheServer | None = None
    order: WrittenOrder | None = None

    OUTCOME = WrittenAnswer

    @staticmethod
    def of(asked: Tap | Order, who: Who) -> "AskTable":
        if isinstance(asked, Order):
            order = WrittenOrder(request=asked.request, command=write(asked.command), why=asked.why)
            return AskTable(who, order=order)
        return AskTable(who, tap=asked)  # type: ignore[arg-type]  # every tap is one of those

    @property
    def asked(self) -> Tap | Order:
        if self.tap is not None:
            return self.tap
        assert self.order is not None, "a tap or an order"
        command = read(self.order.command)
        assert not isinstance(command, Refusal), "its cards were written by us"
        return Order(self.order.request, command, self.order.why)

    def write(self, outcome: Answer) -> WrittenAnswer:
        match outcome:
            case Accepted():
                return WrittenAnswer(accepted=outcome)
            case Refusal():
                return WrittenAnswer(refused=WrittenRefusal.of(outcome))
            case NotKnown():
                return WrittenAnswer(unknown=outcome)

    def read(self, written: WrittenAnswer) -> Answer:
        if written.refused:
            return written.refused.refusal
        answer = written.accepted or written.unknown
        assert answer is not None, "an answer is one of the three"
        return answer


AnyErrand = TakeAlong | Receive | SeatVisitor | CatchUp | CardAt | WhatSeatsHold | CreditAt | TimeAhead | AskTable

_encode: Final = msgspec.msgpack.Encoder(enc_hook=encode_said).encode


def encode_errand(errand: Errand[Any]) -> bytes:
    return _encode(errand)


def decode_errand(written: bytes) -> AnyErrand:
    return msgspec.msgpack.decode(written, type=AnyErrand, dec_hook=decode_said)  # type: ignore[no-any-return]


def encode_outcome(errand: Errand[Outcome], outcome: Outcome) -> bytes:
    return _encode(errand.write(outcome))


def decode_outcome(errand: Errand[Outcome], written: bytes) -> Outcome:
    return errand.read(msgspec.msgpack.decode(written, type=errand.OUTCOME, dec_hook=decode_said))
