"""One line of the journal: an event with its tag and version, and beside it who asked, by which request, for what.

Whatever happens in a venue, at a table or to its people, is kept in this one shape and read by this one reader.
"""

from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round.events import BetPlaced, SeatSettled
from natural9.core.saying import Said, say, verbatim
from natural9.core.settlement import InsuranceLine, Line
from natural9.journal.catalogue import BY_TAG
from natural9.journal.sentence import decode_said, encode_said
from natural9.journal.versions import upcast
from natural9.store.contract import Written

_encode = msgspec.json.Encoder(enc_hook=encode_said).encode
_NOTHING: Final = msgspec.Raw(b"null")


class OriginKind(StrEnum):
    """What kind of originator: ids are told apart within a kind, so a person may be called anything."""

    STAFF = "staff"  # a person; `by` is their id
    TERMINAL = "terminal"  # at a seat; `by` is its table and seat, as 3-7
    READER = "reader"  # the table's reading shoe
    ACCEPTOR = "acceptor"  # the bill acceptor at a seat; `by` is its table and seat, as 3-7
    DEVICE = "device"  # any enrolled device, about itself; `by` is its id
    COMMAND_LINE = "command-line"  # somebody at the machine itself; `by` is their login
    PROGRAM = "program"  # the table or the venue, by itself


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where an event came from: what kind of originator, which one, by which request, for what, and in which rank of
    the pit. Only people have a rank; only where there are several of a kind, `by` says which."""

    kind: OriginKind
    by: str = ""
    request: str = ""
    command: str = ""
    rank: str = ""

    @property
    def person(self) -> str:
        """The id of the person who did it; nothing where no person did."""
        return self.by if self.kind is OriginKind.STAFF else ""

    @property
    def sender(self) -> str:
        """Who sent the request: no two senders of any kind have the same."""
        return sender_of(self.kind, self.by)

    @property
    def words(self) -> Said:
        """As people are told. A person's id has no space in it, so it is never mistaken for one of the others."""
        match self.kind:
            case OriginKind.STAFF:
                return verbatim(self.by)
            case OriginKind.TERMINAL:
                return say("terminal {id}", id=self.by)
            case OriginKind.READER:
                return say("the reading shoe")
            case OriginKind.ACCEPTOR:
                return say("the bill acceptor at {id}", id=self.by)
            case OriginKind.DEVICE:
                return say("device {id}", id=self.by)
            case OriginKind.COMMAND_LINE:
                return say("{login} at the command line", login=self.by or say("somebody"))
            case OriginKind.PROGRAM:
                return say("the program")


BY_PROGRAM: Final = Origin(OriginKind.PROGRAM)


def by_staff(id: str, request: str = "") -> Origin:
    """A person, outside any table."""
    return Origin(OriginKind.STAFF, id, request)


@lru_cache(maxsize=65_536)  # every bet asks for its terminal's
def sender_of(kind: OriginKind, id: str) -> str:
    """
    >>> sender_of(OriginKind.TERMINAL, "1-3"), sender_of(OriginKind.PROGRAM, "")
    ('terminal/1-3', 'program')
    """
    return f"{kind}/{id}" if id else str(kind)


class Asked(NamedTuple):
    """Who asked for what, by which request: the part of a line that is read without its event."""

    sender: str
    request: str
    command: bytes


class JournalLine(msgspec.Struct):
    """A line understood. `command` is there with the first event that it led to."""

    tag: str  # as it was written, which may be an old one
    event: Event
    origin: Origin
    command: bytes | None = None


class _Envelope(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    event: str  # its tag
    v: int
    record: msgspec.Raw  # its values
    kind: OriginKind = msgspec.field(name="from")
    by: str = ""
    request: str = ""
    command: msgspec.Raw = _NOTHING
    type: str = ""  # the command's, beside every event that it led to
    rank: str = ""  # that who asked acted in


def encode_line(event: Event, origin: Origin, command: bytes | None = None) -> bytes:
    raw = msgspec.Raw(command) if command is not None else _NOTHING
    return _encode(
        _Envelope(
            event.TAG,
            event.VERSION,
            cast(msgspec.Raw, event),
            origin.kind,
            origin.by,
            origin.request,
            raw,
            origin.command,
            origin.rank,
        )
    )


def text_of(text: str) -> bytes:
    """As it stands in a line."""
    return _encode(text)


_BET_LINE: Final = (
    b'{"event":"%b","v":%d,"record":{"seat":%%d,"wager":%%b,"cents":%%d},"from":"%b","by":%%b,"request":%%b,'
    b'"command":%%b,"type":"bet"}'
) % (BetPlaced.TAG.encode(), BetPlaced.VERSION, OriginKind.TERMINAL.encode())


def bet_line(seat: int, wager: bytes, cents: int, terminal: bytes, request: str, command: bytes) -> bytes:
    """What `encode_line` makes of a bet that a terminal asked for, in half the time; a test holds the two together. The
    wager and the terminal come as `text_of` them."""
    return _BET_LINE % (seat, wager, cents, terminal, _encode(request), command)


_decode = msgspec.json.Decoder(_Envelope).decode


def read_body(body: bytes) -> JournalLine:
    """The line in a journal entry's body."""
    try:
        line = _decode(body)
        event = _read_event(line.event, line.v, bytes(line.record))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("bad-event", f"this is not a line of the journal: {error}") from None
    command = line.command
    return JournalLine(
        line.event,
        event,
        Origin(line.kind, line.by, line.request, line.type, line.rank),
        None if command is _NOTHING or bytes(command) == b"null" else bytes(command),
    )


def _read_event(tag: str, version: int, record: bytes) -> Event:
    shape = _SHAPES.get(tag)
    if shape is None or shape.version != version:
        return event_of(tag, version, _values(record))
    event = shape.known.get(record)
    if event is None:
        event = shape.read(record) or event_of(tag, version, _values(record))
        if len(record) <= LONGEST_KNOWN:
            if len(shape.known) >= MOST_KNOWN:
                shape.known.clear()
            shape.known[record] = event
    return event


def read_line(written: Written) -> JournalLine:
    try:
        return read_body(written.body)
    except BadInput as error:
        raise BadInput(error.code, f"entry {written.seq}: {error.message}") from None


def read_asked(written: Written) -> Asked | None:
    """What was asked, if this entry is the first that it led to: quicker than reading all of it."""
    try:
        line = _decode(written.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput("bad-event", f"entry {written.seq}: this is not a line of the journal: {error}") from None
    command = bytes(line.command)
    return None if command == b"null" else Asked(sender_of(line.kind, line.by), line.request, command)


def values_of(event: Event) -> dict[str, Any]:
    """The event as plain JSON values, with its tag and version."""
    return {"event": event.TAG, "v": event.VERSION, **msgspec.to_builtins(event, enc_hook=encode_said)}


def event_of(tag: str, version: int, values: dict[str, Any]) -> Event:
    """The event that was written so, in any version."""
    try:
        now = upcast(tag, version, values)
    except LookupError as error:
        raise BadInput("bad-event", f"{tag} v{version}: it lacks {error}") from None
    shape = BY_TAG.get(now.tag)
    if shape is None or now.version != shape.VERSION:
        raise BadInput("unknown-event", f"no event {tag!r} of version {version!r} was ever defined")
    try:
        event = msgspec.convert(now.values, shape, dec_hook=decode_said)
    except msgspec.ValidationError as error:
        raise BadInput("bad-event", f"{tag} v{version}: {error}") from None
    if strange := _strange(now.tag, now.values):
        raise BadInput("bad-event", f"{tag} v{version}: it has no {min(strange)}")
    return event


def _strange(tag: str, values: dict[str, Any]) -> set[str]:
    """Names that this event does not have, itself or in a line that it pays."""
    strange = values.keys() - _FIELDS[tag]
    if tag == SeatSettled.TAG:
        for name, known in _LINES.items():
            for line in values[name]:
                strange |= line.keys() - known
    return strange


_LINES: Final = {
    name: frozenset(one.name for one in fields(shape))
    for name, shape in (("lines", Line), ("insurance", InsuranceLine))
}
_FIELDS: Final[dict[str, frozenset[str]]] = {tag: frozenset(shape.__slots__) for tag, shape in BY_TAG.items()}


# Reading the same at a quarter of the price, for whoever reads the whole of a journal.

# An event is a value: one that was read before (the same card to the same hand, the same bet) is not read again.
# What is longer (a settlement, a shoe) hardly comes twice, and would be kept for nothing.
MOST_KNOWN: Final = 4_096  # of a kind
LONGEST_KNOWN: Final = 128  # bytes
_values: Final = msgspec.json.Decoder(dict[str, Any]).decode


class _Shape:
    """Today's version of an event."""

    __slots__ = ("_decode", "known", "version")

    def __init__(self, shape: type[Event]) -> None:
        self.version = shape.VERSION
        self.known: dict[bytes, Event] = {}
        self._decode: Callable[[bytes], Event] = msgspec.json.Decoder(shape, dec_hook=decode_said).decode

    def read(self, record: bytes) -> Event | None:
        """None unless it is exactly what would be written: `event_of` has a closer look."""
        try:
            event = self._decode(record)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        return event if _encode(event) == record else None  # else it holds more than was understood, or is not ours


_SHAPES: Final = {tag: _Shape(shape) for tag, shape in BY_TAG.items()}
