"""Events as the journal keeps them: the event's own record, and beside it who asked, by which request, for what."""

from typing import Any

import msgspec

from natural9.core.errors import BadInput
from natural9.core.round.events import Event
from natural9.store.contract import Written
from natural9.table.evolve import Origin
from natural9.table.records import from_record

_encode = msgspec.json.Encoder().encode
# A record's opening, made once for each kind: {"event":"bet-placed","v":1,
_OPENINGS: dict[type[Event], bytes] = {}


_NOTHING = msgspec.Raw(b"null")


class Kept(msgspec.Struct, omit_defaults=True):
    """One line of the journal. `command` is there with the first event that it led to."""

    record: msgspec.Raw
    by: str
    request: str = ""
    command: msgspec.Raw = _NOTHING
    type: str = ""  # the command's, beside every event that it led to


def encode_event(event: Event) -> bytes:
    opening = _OPENINGS.get(type(event))
    if opening is None:
        opening = _OPENINGS[type(event)] = _encode({"event": event.TAG, "v": event.VERSION})[:-1]
    fields = _encode(event)
    return opening + (b"," + fields[1:] if fields != b"{}" else b"}")


def encode_kept(event: Event, origin: Origin, command: bytes | None) -> bytes:
    raw = msgspec.Raw(command) if command is not None else _NOTHING
    kept = Kept(msgspec.Raw(encode_event(event)), origin.by, origin.request, raw, origin.command)
    return _encode(kept)


_decoder = msgspec.json.Decoder(Kept)


class Read(msgspec.Struct):
    """A journal line understood."""

    event: Event
    origin: Origin
    command: bytes | None


def read_body(body: bytes) -> Read:
    try:
        kept = _decoder.decode(body)
        record = msgspec.json.decode(kept.record, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BadInput("bad-event", f"this is not a line of the journal: {error}") from None
    command = bytes(kept.command) if bytes(kept.command) != b"null" else None
    return Read(from_record(record), Origin(kept.by, kept.request, kept.type), command)


def read(written: Written) -> Read:
    try:
        return read_body(written.body)
    except BadInput as error:
        raise BadInput(error.code, f"entry {written.seq}: {error.message}") from None
