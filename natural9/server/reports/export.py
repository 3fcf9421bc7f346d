"""A round's history for a dispute: its raw entries, each with what is needed to check its hash (requirement 48)."""

from msgspec import Struct

from natural9.store.chain import START
from natural9.store.contract import Store, Written
from natural9.table.audit.history import PAGE, history_of
from natural9.table.audit.recall import recall


class TransferExported(Struct, frozen=True):
    kind: str
    source: str
    target: str
    cents: int


class EntryExported(Struct, frozen=True, kw_only=True):
    """`hash` is the SHA-256 of the bytes of `previous_hash`, the length of the envelope as eight bytes, the envelope
    (a JSON list of 1, seq, stream, kind, at_ms, day, label, request, first_transfer and the transfers), and `body` as
    it is."""

    seq: int
    stream: str
    kind: str
    body: str
    at_ms: int
    day: str
    label: str
    request: str
    first_transfer: int
    transfers: tuple[TransferExported, ...]
    previous_hash: str
    hash: str


class RoundExport(Struct, frozen=True, kw_only=True):
    table: str
    round: int
    dealers: tuple[str, ...]  # who dealt it, in order
    exported_at_ms: int
    entries: tuple[EntryExported, ...]


async def export_round(store: Store, table: str, number: int, *, at_ms: int) -> RoundExport:
    history = await history_of(store, table, number)
    before = await _hashes_before(store, history)
    return RoundExport(
        table=table,
        round=number,
        dealers=(await recall(store, table, number, only_seat=0)).dealers,
        exported_at_ms=at_ms,
        entries=tuple(_exported(written, before[written.seq - 1]) for written in history),
    )


async def _hashes_before(store: Store, history: list[Written]) -> dict[int, bytes]:
    """The hash of every entry that one of these follows; other tables' entries may lie between."""
    wanted = {written.seq - 1 for written in history}
    hashes = {0: START.hash}
    after = max(history[0].seq - 2, 0)
    while after < history[-1].seq and (page := await store.entries(after=after, limit=PAGE)):
        hashes |= {written.seq: written.hash for written in page if written.seq in wanted}
        after = page[-1].seq
    return hashes


def _exported(written: Written, previous: bytes) -> EntryExported:
    return EntryExported(
        seq=written.seq,
        stream=written.stream,
        kind=written.kind,
        body=written.body.decode(),
        at_ms=written.at_ms,
        day=written.day,
        label=written.label,
        request=written.request,
        first_transfer=written.first_transfer,
        transfers=tuple(TransferExported(*transfer) for transfer in written.transfers),
        previous_hash=previous.hex(),
        hash=written.hash.hex(),
    )
