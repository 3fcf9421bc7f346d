"""Events as records and back: what a journal stores. Tags and versions are permanent; an old record loads for ever."""

from typing import Any

import msgspec

from natural9.core.errors import BadInput
from natural9.core.round.events import EVENTS, Event


def to_record(event: Event) -> dict[str, Any]:
    """The event as plain JSON values, with its tag and version."""
    return {"event": event.TAG, "v": event.VERSION, **msgspec.to_builtins(event)}


def from_record(record: dict[str, Any]) -> Event:
    fields = dict(record)
    tag, version = fields.pop("event", None), fields.pop("v", None)
    shape = EVENTS.get((tag, version)) if isinstance(tag, str) and isinstance(version, int) else None
    if shape is None:
        raise BadInput("unknown-event", f"no event {tag!r} of version {version!r} was ever defined")
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError as error:
        raise BadInput("bad-event", f"{tag} v{version}: {error}") from None
