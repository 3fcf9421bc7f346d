"""A round's history for a dispute: its raw entries, each with what is needed to check its hash (requirement 48)."""

from typing import Final

from msgspec import Struct

from natural9.store.contract import Store, Written
from natural9.table.audit.check_round import hash_before
from natural9.table.audit.history import history_of
from natural9.table.audit.recall import recall

MOST_ENTRIES: Final = 20_000  # in one answer


class TransferExported(Struct, frozen=True):
    kind: str
    source: str
    target: str
    cents: int


class DocumentExported(Struct, frozen=True):
    """Written beside an entry, such as a table's snapshot; no `sha256` where it was taken away."""

    key: str
    sha256: str | None


class EntryExported(Struct, frozen=True, kw_only=True):
    """`hash` is the SHA-256 of the bytes of `previous_hash`, that of the entry before it in its stream, the length of
    the envelope as eight bytes, the envelope (a JSON list of 2, stream, number, kind, at_ms, day, label, request,
    first_transfer, the transfers, the documents and documents_sum), and `body` as it is."""

    seq: int  # its place among the entries of all streams
    stream: str
    number: int  # in its stream
    kind: str
    body: str
    at_ms: int
    day: str
    label: str
    request: str
    first_transfer: int
    transfers: tuple[TransferExported, ...]
    documents: tuple[DocumentExported, ...]
    documents_sum: str  # over all that its stream wrote and took away; "" if this one wrote none
    previous_hash: str
    hash: str


class RoundExport(Struct, frozen=True, kw_only=True):
    table: str
    round: int
    dealers: tuple[str, ...]  # who dealt it, in order
    exported_at_ms: int
    entries: tuple[EntryExported, ...]
    more_after: int | None = None  # the round has more entries: ask again for those after this one


async def export_round(
    store: Store, table: str, number: int, *, at_ms: int, after: int = 0, most: int = MOST_ENTRIES
) -> RoundExport:
    """Its entries after this one, as many as fit into one answer."""
    following = [written for written in await history_of(store, table, number) if written.seq > after]
    history = following[:most]
    before = await _hashes_before(store, history)
    return RoundExport(
        table=table,
        round=number,
        dealers=(await recall(store, table, number, only_seat=0)).dealers,
        exported_at_ms=at_ms,
        entries=tuple(entry_exported(written, before[written.seq]) for written in history),
        more_after=history[-1].seq if len(following) > most else None,
    )


async def _hashes_before(store: Store, history: list[Written]) -> dict[int, bytes]:
    """The hash of the entry before each of these in its stream, by the place of the latter."""
    hashes: dict[int, bytes] = {}
    last: Written | None = None
    for written in history:
        follows_it = last is not None and last.number == written.number - 1
        hashes[written.seq] = last.hash if last and follows_it else await hash_before(store, written)
        last = written
    return hashes


def entry_exported(written: Written, previous: bytes) -> EntryExported:
    return EntryExported(
        seq=written.seq,
        stream=written.stream,
        number=written.number,
        kind=written.kind,
        body=written.body.decode(),
        at_ms=written.at_ms,
        day=written.day,
        label=written.label,
        request=written.request,
        first_transfer=written.first_transfer,
        transfers=tuple(TransferExported(*transfer) for transfer in written.transfers),
        documents=tuple(DocumentExported(*document) for document in written.documents),
        documents_sum=written.documents_sum,
        previous_hash=previous.hex(),
        hash=written.hash.hex(),
    )
