"""Bookkeeping without any file: what an append does to the head, the balances and the meters. All stores share it."""

from collections.abc import Iterable, Mapping, Sequence

from natural9.store.chain import GENESIS, START, STREAM_START, link
from natural9.store.contract import (
    FLOATING,
    MOST_CENTS,
    Entry,
    Hashed,
    Head,
    Meter,
    NotTheHead,
    Overdrawn,
    StreamHead,
    Transfer,
    Written,
)
from natural9.store.documents import DocumentHashes, hash_documents

# (account, gaming day, kind) -> in_cents, in_count, out_cents, out_count
Counts = dict[tuple[str, str, str], list[int]]

_NO_DOCUMENTS: tuple[Hashed, str] = ((), "")


def check(entries: Sequence[Entry]) -> None:
    """Refuse what no store can keep, before anything is queued."""
    if not entries:
        raise ValueError("an append needs at least one entry")
    for entry in entries:
        if entry.stream != entries[0].stream:
            raise ValueError(f"an append is to one stream, not to {entries[0].stream} and {entry.stream}")
        if not 0 <= entry.at_ms < 2**63:
            raise ValueError(f"{entry.kind}: {entry.at_ms} is no time in milliseconds since 1970")
        for kind, source, target, cents in entry.transfers:
            if type(cents) is not int or not 0 < cents <= MOST_CENTS:
                raise ValueError(f"{kind}: {cents!r} is no amount to transfer: whole cents from 1 to {MOST_CENTS}")
            if source == target:
                raise ValueError(f"{kind}: {source} cannot transfer {cents} cents to itself")
        entry.body.decode()  # what is no UTF-8 is a UnicodeDecodeError here, not a broken commit later
        for key, _ in entry.documents:
            key.encode()


def count(counts: Counts, day: str, transfers: Iterable[Transfer]) -> None:
    """Add transfers to the meters of both their accounts."""
    for kind, source, target, cents in transfers:
        out = counts.get((source, day, kind))
        if out is None:
            out = counts[source, day, kind] = [0, 0, 0, 0]
        out[2] += cents
        out[3] += 1
        into = counts.get((target, day, kind))
        if into is None:
            into = counts[target, day, kind] = [0, 0, 0, 0]
        into[0] += cents
        into[1] += 1


def meters_of(counts: Counts) -> list[Meter]:
    return [Meter(*key, *counts[key]) for key in sorted(counts)]


class Balances(dict[str, int]):
    """Cents by account. An account without money is not kept, so that redeemed vouchers cost nothing."""

    def __init__(self, cents: Iterable[tuple[str, int]] = (), *, may_go_below_zero: tuple[str, ...] = FLOATING) -> None:
        super().__init__(cents)
        self.may_go_below_zero = may_go_below_zero

    def move(self, transfers: Sequence[Transfer]) -> None:
        """Move the money, or raise Overdrawn and leave every account as it was."""
        for place, (_, source, target, cents) in enumerate(transfers):
            left = self.get(source, 0) - cents
            if left < 0 and not source.startswith(self.may_go_below_zero):
                self.move_back(transfers[:place])
                raise Overdrawn(source, left)
            if left:
                self[source] = left
            else:
                del self[source]  # it held these very cents
            got = self.get(target, 0) + cents
            if got:
                self[target] = got
            else:
                del self[target]  # it was short of them

    def move_back(self, transfers: Sequence[Transfer]) -> None:
        for _, source, target, cents in reversed(transfers):
            for account, change in ((target, -cents), (source, cents)):
                self[account] = self.get(account, 0) + change
                if not self[account]:
                    del self[account]


class Book:
    """Where the journal and each of its streams end, what every account holds there, and which documents there are."""

    def __init__(
        self,
        balances: Balances,
        head: Head = START,
        streams: Mapping[str, StreamHead] | None = None,
        documents: DocumentHashes | None = None,
    ) -> None:
        self.balances = balances
        self.head = head
        self.streams = dict(streams or {})
        self.documents = DocumentHashes() if documents is None else documents

    def post(self, entries: Sequence[Entry], after: int, after_hash: bytes | None) -> list[Written]:
        """Number, chain and pay these entries, all of them or (when this raises) none."""
        stream = entries[0].stream
        number, previous, numbered = self._head_of(stream, after, after_hash)
        seq = self.head.seq
        written: list[Written] = []
        paid: list[tuple[Transfer, ...]] = []
        kept: list[Hashed] = []
        try:
            for _, kind, body, at_ms, day, label, transfers, documents, request in entries:
                if transfers:
                    self.balances.move(transfers)
                    paid.append(transfers)
                seq += 1
                number += 1
                first = numbered + 1
                hashed, added = _NO_DOCUMENTS
                if documents:
                    hashed = hash_documents(documents)
                    kept.append(self.documents.change(stream, hashed))
                    added = self.documents.sum_of(stream)
                previous = link(
                    previous, stream, number, kind, body, at_ms, day, label, request, first, transfers, hashed, added
                )
                written.append(
                    Written(
                        seq,
                        stream,
                        number,
                        kind,
                        body,
                        at_ms,
                        day,
                        label,
                        request,
                        first,
                        transfers,
                        hashed,
                        added,
                        previous,
                    )
                )
                numbered += len(transfers)
        except BaseException:
            for before in reversed(kept):
                self.documents.change(stream, before)
            for transfers in reversed(paid):
                self.balances.move_back(transfers)
            raise
        moved = numbered - self.streams.get(stream, STREAM_START).transfers
        self.head = Head(seq, previous, self.head.transfers + moved)
        self.streams[stream] = StreamHead(number, previous, numbered)
        return written

    def _head_of(self, stream: str, after: int, after_hash: bytes | None) -> tuple[int, bytes, int]:
        number, hashed, transfers = self.streams.get(stream, STREAM_START)
        if after != number or after_hash not in (None, hashed):
            raise NotTheHead(
                f"{stream} ends with entry {number}, and not with the entry {after} that was to be continued:"
                " somebody else has written there"
            )
        return number, hashed or GENESIS, transfers
