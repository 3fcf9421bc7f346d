"""Some tables of a journal, derived by a process of their own: it reads what it needs and tells of the rest.

What others have a part in (vouchers, players' cards, credit on its way, cash, documents) goes to the process that
started it, in the journal's order, with how far this one has come.
"""

import asyncio
import gc
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from operator import itemgetter
from pathlib import Path
from typing import Any, Concatenate, Final, NamedTuple, Protocol

from natural9.store.contract import FLOATING, Access, Corrupt, Hashed, Store, StoreFailed, Written
from natural9.store.opening import open_store
from natural9.store.recount import StreamsRecount
from natural9.table.audit.examiner import Examiner, by_stream
from natural9.table.audit.findings import DoesNotFollow, NotDerived, Verified, Wrong
from natural9.table.audit.rules import LoadGame
from natural9.table.audit.venue_audit import Told, VenueAudit

PAGE: Final = 500  # entries held at a time: as many as stay in a core's own memory
TELL_EVERY: Final = 4000  # entries
# Several streams have a part in a voucher and in credit on its way: that no more leaves than came in shows when these
# are told of. All else that may not fall below zero is one table's own.
BELOW_ZERO_IN_PART: Final = (*FLOATING, "voucher/", "transit/")


class PartOfShare(Enum):
    """What of its entries. Where there are more processes than tables, one looks at chains and another derives."""

    WHOLE = "whole"
    CHAIN = "chain"
    DERIVED = "derived"


class Share(NamedTuple):
    """What one process does."""

    streams: tuple[str, ...]
    end: int  # the last entry that counts: the journal may have grown since
    part: PartOfShare = PartOfShare.WHOLE


class ToldFact(NamedTuple):
    """What a table tells of, and with which entry."""

    seq: int
    check: Callable[..., Wrong]
    told: tuple[Any, ...]
    by_name: dict[str, Any]


# Documents that an entry wrote: its place, its stream, they themselves, and its stream's sum. (A plain tuple: there is
# one with every round, and processes hand it on in half the time.)
DocumentsWritten = tuple[int, str, Hashed, str]


class Progress(NamedTuple):
    """All entries of its streams up to this one hold, and this is to be told of them."""

    seq: int
    entries: int
    facts: list[ToldFact | DocumentsWritten]


class ShareDone(NamedTuple):
    """All of its streams hold."""

    recount: StreamsRecount
    found: Verified
    not_derived: list[tuple[int, NotDerived]]


class Failed(NamedTuple):
    """Something does not hold, or it could not be read."""


Message = Progress | ShareDone | Failed


class MessageLine(Protocol):
    def send(self, message: Message, /) -> None: ...


class LineOfAProcess(MessageLine, Protocol):
    def recv(self) -> Share: ...


def work(line: LineOfAProcess, place: Path, load_game: LoadGame) -> None:
    """What the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for whoever started it, and ends it
    gc.freeze()  # what it came with stays
    gc.set_threshold(100_000, 20, 20)  # what it makes by the million holds no circles
    with suppress(EOFError, BrokenPipeError):  # nobody waits for it any more
        asyncio.run(_read_and_walk(line, place, line.recv(), load_game))


async def _read_and_walk(line: MessageLine, place: Path, share: Share, load_game: LoadGame) -> None:
    try:
        store = open_store(place, Access.READ, at_once=True)
    except (Corrupt, StoreFailed):
        line.send(Failed())
        return
    try:
        await StreamWorker(line, share, load_game).walk(store)
    finally:
        await store.close()


class StreamWorker:
    def __init__(self, line: MessageLine, share: Share, load_game: LoadGame) -> None:
        self._line, self._share = line, share
        self._found = Verified()
        self._recount = StreamsRecount(may_go_below_zero=BELOW_ZERO_IN_PART)
        self._examiner = Examiner(load_game, self._found, self._recount, tell=self._tell)
        self._facts: list[ToldFact | DocumentsWritten] = []
        self._not_derived: list[tuple[int, NotDerived]] = []
        self._seq = 0
        self._entries = 0  # that nobody was told of yet

    async def walk(self, store: Store) -> None:
        try:
            await self._walk(store)
        except (DoesNotFollow, Corrupt, StoreFailed):  # whoever started it looks for the first thing that is wrong
            self._line.send(Failed())

    async def _walk(self, store: Store) -> None:
        share = self._share
        while page := await store.entries(after=self._seq, before=share.end + 1, stream=share.streams, limit=PAGE):
            if share.part is not PartOfShare.DERIVED:
                self._recount.chain(page)
            if share.part is not PartOfShare.CHAIN:
                for run in by_stream(page):
                    await self._derive(store, run)
                self._facts += [(one[0], one[1], one[11], one[12]) for one in page if one[11]]
            self._seq = page[-1].seq
            self._entries += len(page)
            if self._entries >= TELL_EVERY:
                self._tell_progress()
        self._tell_progress()
        self._examiner.finish_tables()
        self._line.send(ShareDone(self._recount, self._found, self._not_derived))

    def _tell_progress(self) -> None:
        """The chain of what another derives is not counted again."""
        entries = 0 if self._share.part is PartOfShare.CHAIN else self._entries
        self._line.send(Progress(self._seq, entries, sorted(self._facts, key=itemgetter(0))))
        self._entries, self._facts = 0, []

    async def _derive(self, store: Store, run: Sequence[Written]) -> None:
        examiner, place = self._examiner, 0
        while (place := place + examiner.plain(run, place)) < len(run):
            written = run[place]
            self._seq = written.seq
            examiner.examine(written, await examiner.earlier(store, written))
            self._note_not_derived()
            place += 1

    def _note_not_derived(self) -> None:
        first = self._found.not_derived_first
        if len(first) > len(self._not_derived):
            self._not_derived.append((self._seq, first[-1]))

    def _tell(
        self, check: Callable[Concatenate[VenueAudit, Told], Wrong], /, *args: Told.args, **kwargs: Told.kwargs
    ) -> Wrong:
        self._facts.append(ToldFact(self._seq, check, args, kwargs))
        return None
