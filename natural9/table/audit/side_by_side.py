"""A journal derived by several processes, some of the tables each, while this one looks at what they share.

It only ever says that all of it holds. Where anything at all does not, one process walks the whole journal again and
names the first thing that is wrong: so nothing depends on how many there were.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from heapq import heapify, heapreplace
from itertools import chain
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from threading import active_count
from typing import Final, Protocol, Self

from natural9.store.audit import audited, compare
from natural9.store.contract import Corrupt, Store, StreamHead, Written
from natural9.store.recount import Recount
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, audit_checkpoints
from natural9.table.audit.examiner import TABLE, Examiner
from natural9.table.audit.findings import DoesNotFollow, NotDerived, Verified
from natural9.table.audit.rules import MOST_NAMED, LoadGame
from natural9.table.audit.stream_worker import (
    BELOW_ZERO_IN_PART,
    PAGE,
    DocumentsWritten,
    Failed,
    Message,
    PartOfShare,
    Progress,
    Share,
    ShareDone,
    ToldFact,
    work,
)

WORTH_IT: Final = 50_000  # entries: for fewer, processes cost more to start than they save
Advance = Callable[[int, int], object]  # so many entries of so many are verified
Fact = ToldFact | DocumentsWritten | Written


class DoesNotHold(Exception):
    """Something; a walk by one process says what."""


class CannotStart(Exception):
    """The machine has no room for another process; the message says so."""


def is_table(stream: str) -> bool:
    return stream.partition("/")[0] == TABLE


def shares(heads: Mapping[str, StreamHead], many: int) -> list[tuple[str, ...]]:
    """The tables in so many shares of about as many entries: the longest first, each to where least is."""
    tables = sorted((name for name in heads if is_table(name)), key=lambda name: (-heads[name].number, name))
    found: list[tuple[int, list[str]]] = [(0, []) for _ in range(min(many, len(tables)))]
    heapify(found)
    for name in tables:
        entries, streams = found[0]
        heapreplace(found, (entries + heads[name].number, [*streams, name]))
    return [tuple(streams) for _, streams in found]


def parts(shared: Sequence[tuple[str, ...]], end: int, many: int) -> list[Share]:
    """Each share whole, or where processes are left, its chain and what is derived of it by one each."""
    found: list[Share] = []
    for place, streams in enumerate(shared):
        both = (PartOfShare.CHAIN, PartOfShare.DERIVED) if place < many - len(shared) else (PartOfShare.WHOLE,)
        found += [Share(streams, end, part) for part in both]
    return found


LAST: Final = 2**63  # beyond every entry


class Worker(Protocol):
    """Whoever does a share of the work."""

    async def hear(self) -> Message:
        """Its next message."""
        ...

    def close(self) -> None: ...


class WorkerProcess:
    """It waits for its share, and at its end of the line when nobody hears: memory stays what it is."""

    def __init__(self, place: Path, load_game: LoadGame, *, forked: bool = False) -> None:
        """A fork has imported everything already; but it takes along whatever this process has open."""
        starting = get_context("fork") if forked else get_context("spawn")
        self._line, line = starting.Pipe()
        self._process = starting.Process(target=work, args=(line, place, load_game), daemon=True)
        self._process.start()
        line.close()

    def begin(self, share: Share) -> Self:
        with suppress(BrokenPipeError):  # it has ended, as will be heard
            self._line.send(share)
        return self

    async def hear(self) -> Message:
        try:
            message: Message = await asyncio.to_thread(self._line.recv)
        except EOFError:  # it was killed, or met what nobody foresaw
            return Failed()
        return message

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()  # last: whoever still waits at it hears that it has ended


def forked_workers(place: Path, load_game: LoadGame, many: int) -> list[WorkerProcess]:
    """As many as the machine has room for, waiting for their shares; none where threads would be cut off in them."""
    workers: list[WorkerProcess] = []
    if many > 1 and sys.platform == "linux" and active_count() == 1:
        with suppress(OSError):
            workers += (WorkerProcess(place, load_game, forked=True) for _ in range(many))
    return workers


class HeardFrom:
    """What one of them has told: how far it has come, and of what is not looked at yet."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.reached, self.entries = 0, 0
        self.done: ShareDone | None = None
        self._facts: list[ToldFact | DocumentsWritten] = []

    async def hear(self) -> None:
        match message := await self._worker.hear():
            case Progress():
                self.reached = message.seq
                self.entries += message.entries
                self._facts += message.facts
            case ShareDone():
                self.done, self.reached = message, LAST
            case Failed():
                raise DoesNotHold

    def taken(self, through: int) -> list[ToldFact | DocumentsWritten]:
        """What it told of the entries up to this one."""
        here = [fact for fact in self._facts if fact[0] <= through]
        self._facts = self._facts[len(here) :]
        return here


class OfAllStreams:
    """What the tables share and the venue's own streams, looked at in the journal's order."""

    def __init__(self, load_game: LoadGame) -> None:
        self.found = Verified()
        self.recount = Recount(may_go_below_zero=BELOW_ZERO_IN_PART)
        self.examiner = Examiner(load_game, self.found, self.recount)

    def look_at(self, facts: Iterable[Fact]) -> None:
        for fact in sorted(facts, key=itemgetter(0)):  # by their entries; those of one entry stay as they were told
            match fact:
                case ToldFact():
                    if self.examiner.told(fact.check, *fact.told, **fact.by_name):
                        raise DoesNotHold
                case Written():
                    self.recount.add_stream_entry(fact)
                    self.examiner.examine(fact)
                    if fact.documents:
                        self.recount.add_documents(fact.seq, fact.stream, fact.documents, fact.documents_sum)
                case _:
                    self.recount.add_documents(*fact)

    def join(self, done: Iterable[ShareDone]) -> None:
        """What each process found, together."""
        found, named = self.found, list[tuple[int, NotDerived]]()
        for part in done:
            self.recount.join(part.recount)
            for name in ("tables", "rounds", "bets", "cards", "seats_settled", "shoes_revealed", "not_derived"):
                setattr(found, name, getattr(found, name) + getattr(part.found, name))
            named += part.not_derived
        found.not_derived_first = [one for _, one in sorted(named, key=lambda one: one[0])][:MOST_NAMED]


async def verify_side_by_side(
    store: Store,
    reading: Store,
    begin: Callable[[Share], Worker],
    *,
    load_game: LoadGame,
    noted: NotedCheckpoint | None,
    processes: int,
    advance: Advance,
) -> Verified:
    """What was checked, if all of it holds; else DoesNotHold. The store shows one moment, and does not grow; `reading`
    is the same once more, for the store itself is busy with its indexes meanwhile."""
    end, heads = await store.head(), await store.stream_heads()
    workers = _started(begin, parts(shares(heads, processes), end.seq, processes))
    indexes = asyncio.create_task(store.check_indexes())
    shared, told = OfAllStreams(load_game), [HeardFrom(worker) for worker in workers]
    try:
        if await reading.asked_twice():
            raise DoesNotHold
        await _follow(told, shared, reading, [name for name in heads if not is_table(name)], end.seq, advance)
        shared.join([one.done for one in told if one.done])
        index_rows = await indexes
        await compare(store, shared.recount, end)
        await shared.examiner.finish(store)
        await add_signed(shared.found, store, noted)
    except (DoesNotFollow, Corrupt):
        raise DoesNotHold from None
    finally:
        for worker in workers:
            worker.close()
        with suppress(Corrupt):
            await indexes
    found, beside = shared.found, audited(shared.recount, index_rows)
    found.entries, found.transfers = beside.entries, beside.transfers
    found.balances, found.meters = beside.accounts, beside.meters
    found.documents, found.index_rows = beside.documents, beside.index_rows
    return found


def _started(begin: Callable[[Share], Worker], work_shares: Iterable[Share]) -> list[Worker]:
    workers: list[Worker] = []
    try:
        for share in work_shares:
            workers.append(begin(share))  # noqa: PERF401  # those before the one that fails are closed
    except OSError as error:
        for worker in workers:
            worker.close()
        raise CannotStart(f"no other process can be started ({error}): one core verifies all of it") from error
    return workers


async def add_signed(found: Verified, store: Store, noted: NotedCheckpoint | None) -> None:
    signed = await audit_checkpoints(store, noted)
    found.checkpoints, found.keys, found.root = signed.checkpoints, signed.keys, signed.root
    found.noted_size = noted.size if noted else None


async def _follow(
    told: list[HeardFrom], shared: OfAllStreams, store: Store, others: list[str], end: int, advance: Advance
) -> None:
    """Hear whoever is furthest behind, and look at all that every one of them has come past."""
    own: list[Written] = []
    own_reached, seen = 0, 0
    while own_reached < LAST or any(one.done is None for one in told):
        behind = min(told, key=lambda one: one.reached, default=None)
        if behind is None or own_reached < behind.reached:
            page = await store.entries(after=own_reached, before=end + 1, stream=others, limit=PAGE)
            own += page
            own_reached = page[-1].seq if len(page) == PAGE else LAST
            seen += len(page)
        else:
            await behind.hear()
        through = min([own_reached, *(one.reached for one in told)])
        here = [one for one in own if one.seq <= through]
        own = own[len(here) :]
        shared.look_at(chain(here, *(one.taken(through) for one in told)))
        advance(seen + sum(one.entries for one in told), end)
