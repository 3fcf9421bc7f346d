"""Bookkeeping without any file: what an append does to the head, the balances and the meters. All stores share it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

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
_new: Final = tuple.__new__


def check(entries: Sequence[Entry]) -> None:
    """Refuse what no store can keep, before anything is queued."""
    if not entries:
        raise ValueError("an append needs at least one entry")
    stream = entries[0].stream
    for own, tag, body, at_ms, _, _, transfers, documents, _ in entries:
        if own != stream:
            raise ValueError(f"an append is to one stream, not to {stream} and {own}")
        if not 0 <= at_ms < 2**63:
            raise ValueError(f"{tag}: {at_ms} is no time in milliseconds since 1970")
        for kind, source, target, cents in transfers:
            if type(cents) is not int or not 0 < cents <= MOST_CENTS:
                raise ValueError(f"{kind}: {cents!r} is no amount to transfer: whole cents from 1 to {MOST_CENTS}")
            if source == target:
                raise ValueError(f"{kind}: {source} cannot transfer {cents} cents to itself")
        body.decode()  # what is no UTF-8 is a UnicodeDecodeError here, not a broken commit later
        for key, _ in documents:
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
        number, known, before = self.streams.get(stream, STREAM_START)
        if after != number or (after_hash is not None and after_hash != known):
            raise NotTheHead(
                f"{stream} ends with entry {number}, and not with the entry {after} that was to be continued:"
                " somebody else has written there"
            )
        seq, _, ledger = self.head
        previous, numbered = known or GENESIS, before
        move = self.balances.move
        written: list[Written] = []
        kept: list[Hashed] = []
        try:
            for _, kind, body, at_ms, day, label, transfers, documents, request in entries:
                number += 1
                hashed, added = _NO_DOCUMENTS
                if documents:
                    hashed = hash_documents(documents)
                    kept.append(self.documents.change(stream, hashed))
                    added = self.documents.sum_of(stream)
                first = numbered + 1
                previous = link(
                    previous, stream, number, kind, body, at_ms, day, label, request, first, transfers, hashed, added
                )
                if transfers:
                    move(transfers)
                    numbered += len(transfers)
                seq += 1
                # What the named tuple's own way to be made does, without its call; below, too: every bet comes by here.
                values = (
                    seq, stream, number, kind, body, at_ms, day, label, request,
                    first, transfers, hashed, added, previous,
                )  # fmt: skip
                written.append(_new(Written, values))
        except BaseException:
            for changed in reversed(kept):
                self.documents.change(stream, changed)
            for one in reversed(written):
                self.balances.move_back(one.transfers)
            raise
        self.head = _new(Head, (seq, previous, ledger + numbered - before))
        self.streams[stream] = _new(StreamHead, (number, previous, numbered))
        return written
