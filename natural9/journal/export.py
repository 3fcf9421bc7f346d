"""The journal as JSON lines, for whoever checks it without this program: docs/journal.md, "Export"."""

import time
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from typing import Any, Final

import msgspec

from natural9.core.errors import BadInput, did_you_mean
from natural9.store.contract import Checkpoint, Store, Written

FORMAT: Final = 1
AT_A_TIME: Final = 2000  # entries held in memory
KEY_SET: Final = "checkpoint-key-set"


async def journal_lines(
    store: Store, venue: str, stream: str = "", *, step: Callable[[int], None] = lambda entries: None
) -> AsyncIterator[bytes]:
    """The journal as docs/journal.md specifies an export, line by line. `step` is told of every entry how many there
    are."""
    heads = await store.stream_heads()
    if stream and stream not in heads:
        hint = did_you_mean(stream, heads) or f": there are {', '.join(sorted(heads)) or 'none yet'}"
        raise BadInput("no-stream", f"there is no stream {stream!r}{hint}")
    keys = [msgspec.json.decode(one.body)["record"] async for one in _entries(store, "venue") if one.kind == KEY_SET]
    yield _line({
        "natural9": "journal",
        "format": FORMAT,
        "venue": venue,
        "origin": keys[-1]["origin"] if keys else "",
        "keys": [key["key"] for key in keys],
        "stream": stream or None,
        "exported_at_ms": time.time_ns() // 1_000_000,
    })  # fmt: skip
    entries, transfers = heads[stream].number if stream else (await store.head()).seq, 0
    signed = _Checkpoints(store)
    async for one in _entries(store, stream or None):
        transfers += len(one.transfers)
        yield _line(exported(one))
        if not stream:
            async for note in signed.of(one.seq):
                yield _line({"checkpoint": note.note})
        step(entries)
    yield _line({"end": await _end(store, stream, transfers)})


def exported(one: Written) -> dict[str, Any]:
    """An entry as it stands in an export, and in a receipt."""
    return {**one._asdict(), "body": one.body.decode(), "hash": one.hash.hex()}


async def _end(store: Store, stream: str, transfers: int) -> dict[str, Any]:
    """What the store holds: all entries must come to it. Of one stream there is its own end, and no more."""
    heads = {name: head for name, head in (await store.stream_heads()).items() if stream in ("", name)}
    documents = {} if stream else await store.documents("")
    return {
        "entries": sum(head.number for head in heads.values()),
        "transfers": transfers,
        "streams": {name: (head.number, head.hash.hex() if head.hash else "") for name, head in heads.items()},
        "balances": {} if stream else dict(await store.balances()),
        "meters": [] if stream else await store.meters(),
        "documents": {key: sha256(value).hexdigest() for key, value in documents.items()},
    }


async def _entries(store: Store, stream: str | None) -> AsyncIterator[Written]:
    after = 0
    while some := await store.entries(after=after, stream=stream, limit=AT_A_TIME):
        for one in some:
            yield one
        after = some[-1].seq


class _Checkpoints:
    """Those of the store in order of size, a few at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[Checkpoint] = []
        self._after = -1
        self._more = True

    async def of(self, size: int) -> AsyncIterator[Checkpoint]:
        """All up to this size that were not handed out yet; one of no entries comes after the first."""
        while self._more or self._waiting:
            if not self._waiting:
                self._waiting = await self._store.checkpoints(after=self._after, limit=AT_A_TIME)
                self._more = bool(self._waiting)
            elif self._waiting[0].size <= size:
                self._after = self._waiting[0].size
                yield self._waiting.pop(0)
            else:
                return


def _line(item: dict[str, Any]) -> bytes:
    return msgspec.json.encode(item) + b"\n"
