"""Events as the journal keeps them: tag, version and values, and beside them who asked, by which request, for what."""

from typing import Any

import msgspec

from natural9.core.errors import BadInput
from natural9.core.round.events import Event
from natural9.journal.records import from_record
from natural9.store.contract import Written

_encode = msgspec.json.Encoder().encode
_NOTHING = msgspec.Raw(b"null")


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where an event came from: who asked, by which request, for what, and in which rank of the pit."""

    by: str
    request: str = ""
    command: str = ""
    rank: str = ""


class Kept(msgspec.Struct, omit_defaults=True):
    """One line of the journal. `command` is there with the first event that it led to."""

    event: str  # its tag
    v: int
    record: Any  # its values
    by: str
    request: str = ""
    command: msgspec.Raw = _NOTHING
    type: str = ""  # the command's, beside every event that it led to
    rank: str = ""  # that who asked acted in


def encode_kept(event: Event, origin: Origin, command: bytes | None) -> bytes:
    raw = msgspec.Raw(command) if command is not None else _NOTHING
    return _encode(Kept(event.TAG, event.VERSION, event, origin.by, origin.request, raw, origin.command, origin.rank))


_decoder = msgspec.json.Decoder(Kept)


class Read(msgspec.Struct):
    """A journal line understood."""

    event: Event
    origin: Origin
    command: bytes | None


def read_body(body: bytes) -> Read:
    try:
        kept = _decoder.decode(body)
        record = msgspec.convert(kept.record, dict[str, Any])
    except msgspec.DecodeError as error:
        raise BadInput("bad-event", f"this is not a line of the journal: {error}") from None
    command = bytes(kept.command) if bytes(kept.command) != b"null" else None
    event = from_record({**record, "event": kept.event, "v": kept.v})
    return Read(event, Origin(kept.by, kept.request, kept.type, kept.rank), command)


def read(written: Written) -> Read:
    try:
        return read_body(written.body)
    except BadInput as error:
        raise BadInput(error.code, f"entry {written.seq}: {error.message}") from None
