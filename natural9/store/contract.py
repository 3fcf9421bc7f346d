"""What every store promises: append-only, hash-chained histories and the money they move, in one transaction.

A store knows records, not rules. It keeps these, which change together or not at all:

- the *journal*: a stream of entries for each table and one for the venue, numbered 1, 2, 3 ... without gaps, each
  chained to the one before it in its stream by its hash. All of them have their place in one order as well, that in
  which they were made durable: the leaves of one Merkle tree;
- the *ledger*: numbered transfers between accounts, the balance of every account, and meters per gaming day;
- *documents*: current values under a key (a snapshot, a sealed shoe, a password's hash), which may be overwritten.

Beside them it keeps *checkpoints*: signed notes of what the tree was.
"""

from collections.abc import Awaitable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

# Accounts that may be short of money, by how their name starts: the house's own, and what it owes.
FLOATING = ("house/", "desk/", "owed/", "vault/", "short/")
MOST_CENTS = 10**15  # of one transfer: sums of many stay inside 64 bits


class Transfer(NamedTuple):
    """Cents, at least one, that leave one account for another; `kind` says why, and meters count by it."""

    kind: str
    source: str
    target: str
    cents: int


# A document's key and its SHA-256, in hexadecimal digits; None where it is taken away.
Hashed = tuple[tuple[str, str | None], ...]


class Entry(NamedTuple):
    """Something to be written. It can be found later by its `label`, which many may share, and by its `request`, which
    is its own; most entries have neither."""

    stream: str  # whose history it belongs to: "venue", "table/3"
    kind: str  # the tag of the event
    body: bytes  # the event, as JSON
    at_ms: int  # when, in milliseconds since 1970 UTC
    day: str  # the gaming day, "2026-11-16"
    label: str = ""
    transfers: tuple[Transfer, ...] = ()
    documents: tuple[tuple[str, bytes | None], ...] = ()  # written beside it; None takes a document away
    request: str = ""  # what was asked, by whom: so that it is known again


class Written(NamedTuple):
    """An entry as it stands in the journal. Documents are not history, but what they were is: their hashes."""

    seq: int  # its place among the entries of all streams
    stream: str
    number: int  # its place in its stream
    kind: str
    body: bytes
    at_ms: int
    day: str
    label: str
    request: str
    first_transfer: int  # the number in its stream of the first of its transfers, or of the next one if it has none
    transfers: tuple[Transfer, ...]
    documents: Hashed  # those written beside it
    documents_sum: str  # of all that its stream ever wrote and took away; "" if this one wrote none
    hash: bytes

    @property
    def stream_head(self) -> "StreamHead":
        """Its stream's, if that ended here."""
        return StreamHead(self.number, self.hash, self.first_transfer + len(self.transfers) - 1)


class NumberedTransfer(NamedTuple):
    number: int  # its place among the transfers of all streams
    seq: int  # of the entry that it belongs to
    at_ms: int
    day: str
    transfer: Transfer


class Meter(NamedTuple):
    """What went into and out of an account on one gaming day for one reason."""

    account: str
    day: str
    kind: str
    in_cents: int
    in_count: int
    out_cents: int
    out_count: int


class Head(NamedTuple):
    """How far the journal goes, over all streams."""

    seq: int
    hash: bytes  # of its last entry
    transfers: int


class StreamHead(NamedTuple):
    """How far one stream goes. Who appends faster than it is answered does not know the hash yet."""

    number: int
    hash: bytes | None
    transfers: int


class Tree(NamedTuple):
    """The RFC 6962 Merkle tree over the hashes of all entries, in their order."""

    size: int
    root: bytes


class Checkpoint(NamedTuple):
    """What somebody signed of a tree of this size."""

    size: int
    note: str


class Access(Enum):
    """What a store is opened for."""

    SERVE = "serve"  # a server writes: by a process of its own, so that no table waits for it
    WRITE = "write"  # a short command writes, in this process
    READ = "read"  # as it stands at this moment, even while a server writes


class StoreFailed(Exception):
    """The store cannot go on: the disk, the file, the lock. Play stops; nothing that was acknowledged is lost."""


class Overdrawn(Exception):
    """The whole append is refused, because it would take this account below zero; nothing of it was written."""

    def __init__(self, account: str, cents: int) -> None:
        super().__init__(f"{account} would fall to {cents} cents")
        self.account = account
        self.cents = cents


class NotTheHead(StoreFailed):
    """This append is refused: its stream does not end where its writer believes. Somebody else has written there."""


class NoLongerOwner(StoreFailed):
    """This append is refused: somebody else has taken the stream over. Who wrote it until then must stop."""


class LostCommits(StoreFailed):
    """A database no longer goes as far as it has acknowledged: a fail-over lost some. Nothing more is written."""


class Corrupt(Exception):
    """What is stored does not hold together: the message names the first entry, account or file that does not."""


class LostEntries(Corrupt):
    """The journal does not go as far as was acknowledged, or nobody knows: it is behind, or another history.

    `known` is what was acknowledged last, if that is known.
    """

    def __init__(self, words: str, head: Head, known: Head | None) -> None:
        super().__init__(words)
        self.head = head
        self.known = known


class Holds(Protocol):
    """What only one of several who write may decide about at a time: a voucher, a card, a desk's cash. A hold is a
    courtesy between them, and may be lost; that nothing is paid twice is the records' own affair."""

    async def take(self, name: str, *, shared: bool = False) -> bool:
        """At once or not at all: nobody else holds it, or (shared) only others who share it. StoreFailed if nobody can
        say."""
        ...

    def let_go(self, name: str, *, shared: bool = False) -> None:
        """Once for each that was taken."""
        ...


class Store(Protocol):
    """Every read sees only what is durable. Numbers start at 1."""

    @property
    def place(self) -> Path | None:
        """What another process hands to `open_store` to read the same records; None if only this process has them."""
        ...

    def moment(self) -> AbstractAsyncContextManager["Store"]:
        """These records as they stand now, for reading only: they stay so while this store goes on being written."""
        ...

    @property
    def can_write(self) -> bool:
        """Whether an append has a chance, as far as is known without one: what writes may have failed, or died."""
        ...

    @property
    def holds(self) -> Holds | None:
        """None where one process writes alone: its memory decides."""
        ...

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        """Write these entries of one stream, all or none, in the order of the calls; done means durable. Returns the
        number of the first in its stream, and `stream_head` then knows of them.

        They continue their stream after this head, and no other: NotTheHead (this append only) if it ends elsewhere, or
        with another hash, where one is given. `natural9.store.streams` keeps count for whoever writes.

        Called on the event loop; it queues at once and does not wait for earlier appends to be durable. Many appends
        that wait share one commit. Raises Overdrawn (this append only) or StoreFailed (this and all later ones).
        Transfers happen in their order, and no account may be below zero after any of them, save those whose name
        starts as the store was told. A value that no store can keep (cents that are not positive, a source that is
        its own target, a body that is not UTF-8) is a ValueError of this append only.
        """
        ...

    def stream_head(self, stream: str) -> StreamHead:
        """How far a stream goes, by all that is known to be durable here."""
        ...

    async def stream_heads(self) -> Mapping[str, StreamHead]:
        """Of every stream there is, by name."""
        ...

    async def entries(
        self,
        *,
        after: int = 0,
        before: int | None = None,
        stream: str | Collection[str] | None = None,
        limit: int = 1000,
    ) -> list[Written]:
        """The entries with higher numbers than `after` and lower than `before`, oldest first, at most `limit`; of all
        streams, of one or of several."""
        ...

    async def entry(self, stream: str, number: int) -> Written | None:
        """The one with this number in its stream."""
        ...

    async def labelled(self, label: str, *, before: int | None = None, limit: int = 100) -> list[Written]:
        """The entries with this label, newest first."""
        ...

    async def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        """The entries that were written for these requests, by their request; of two for one, the first."""
        ...

    async def asked_twice(self) -> bool:
        """Whether any request has more than one entry."""
        ...

    async def document(self, key: str) -> bytes | None: ...

    async def documents(self, prefix: str) -> dict[str, bytes]: ...

    async def balance(self, account: str) -> int: ...

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        """The accounts with money in them (or short of it), by name."""
        ...

    async def transfers(
        self, *, account: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[NumberedTransfer]: ...

    async def transfers_through(self, seq: int) -> int:
        """The number of the last transfer of the entries up to and including this one."""
        ...

    async def count_transfers(self, prefix: str, *, through: int) -> int:
        """How often accounts whose name starts so had a part in the transfers up to and including number `through`."""
        ...

    async def meters(self, prefix: str = "", *, first_day: str = "", last_day: str = "9999") -> list[Meter]:
        """Meters of the accounts whose name starts so, over these gaming days, in order of account, day, kind."""
        ...

    async def head(self) -> Head: ...

    async def tree(self) -> Tree:
        """As it is with all entries there are."""
        ...

    async def tree_hashes(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        """The RFC 6962 hash of each of these runs of leaves, from the first number (from 0) up to the second."""
        ...

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Durable when it returns; a later one of the same size takes its place (it has more signatures)."""
        ...

    async def checkpoints(self, *, after: int = -1, limit: int = 1000) -> list[Checkpoint]:
        """Those of a greater size than `after`, smallest first."""
        ...

    async def checkpoint(self, size: int | None = None) -> Checkpoint | None:
        """The newest, or the one of this size."""
        ...

    async def check_indexes(self) -> int:
        """Hold whatever records are found by against the records themselves; Corrupt names what does not agree.

        Returns how many rows were compared; none where there is nothing of the kind.
        """
        ...

    async def close(self) -> None:
        """Wait for what is queued to be durable, then let go of the file and its lock."""
        ...


class SharedStore(Store, Protocol):
    """Written with others: each stream by who has taken it over, and nobody else.

    An append to a stream that was not taken over is NoLongerOwner, and so is one whose stream somebody else has taken
    since. When the database is away, every append on its way is StoreFailed (nobody knows whether it was written) and
    all streams are given up; nothing else fails for good but LostCommits. Each is written again once it has been
    claimed anew and taken over under its new epoch.
    """

    def take_over(self, stream: str, epoch: int) -> Awaitable[int]:
        """From now on this stream is written here, as whoever claimed this epoch of it; `stream_head` knows where it
        ends, and the answer is the number of its last entry. StoreFailed where that epoch is over."""
        ...

    @property
    def failures(self) -> int:
        """How often all streams were given up here; those taken over before that are lost."""
        ...

    def let_go(self, stream: str) -> Awaitable[int]:
        """No longer, once what was appended before is durable or refused. Nobody need wait for it, and it never fails:
        what goes wrong has given the stream up as well."""
        ...
