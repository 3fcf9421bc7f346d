"""Verify a journal, trusting nobody: each entry must follow from those before it and from the rule packs.

The store's audit walks the chain, the money, and every document and index beside them; here every table is folded
again from nothing, and for each entry it is asked what it should have said: every bet, card, settlement line, void,
transfer and revealed shoe. The first entry that says something else is named. Nothing but the journal and the rule
packs is needed.
"""

import logging
from collections.abc import Sequence
from typing import Final

import msgspec

from natural9.store.audit import audited, compare
from natural9.store.contract import Access, Corrupt, Store, Written
from natural9.store.opening import open_store
from natural9.store.recount import Recount
from natural9.table.audit.checkpoint_audit import NotedCheckpoint
from natural9.table.audit.examiner import Examiner, runs
from natural9.table.audit.findings import DoesNotFollow, Fault, Verified, fault_of
from natural9.table.audit.rules import MOST_NAMED, LoadGame
from natural9.table.audit.side_by_side import (
    WORTH_IT,
    Advance,
    CannotStart,
    DoesNotHold,
    WorkerProcess,
    add_signed,
    verify_side_by_side,
)
from natural9.table.audit.stream_worker import PAGE, Share

_log: Final = logging.getLogger(__name__)


async def verify(
    store: Store,
    *,
    load_game: LoadGame,
    noted: NotedCheckpoint | None = None,
    processes: int = 1,
    waiting: Sequence[WorkerProcess] = (),
    advance: Advance | None = None,
) -> Verified:
    """Verify the whole journal of a store that does not grow meanwhile: one that was opened read-only.

    With several processes `load_game` is handed to each; those that are `waiting` already come first. `advance` is told
    how many entries of how many are verified.
    """
    advance = advance or (lambda done, end: None)
    place = store.place
    if processes > 1 and place and not store.can_write and (await store.head()).seq >= WORTH_IT:
        reading = open_store(place, Access.READ)
        at_hand = list(waiting)

        def begin(share: Share) -> WorkerProcess:
            return (at_hand.pop() if at_hand else WorkerProcess(place, load_game)).begin(share)

        try:
            return await verify_side_by_side(
                store,
                reading,
                begin,
                load_game=load_game,
                noted=noted,
                processes=processes,
                advance=advance,
            )
        except DoesNotHold:
            pass
        except CannotStart as error:
            _log.warning("%s", error)
        finally:
            await reading.close()
    return await walk(store, load_game, noted, advance)


async def walk(
    store: Store, load_game: LoadGame, noted: NotedCheckpoint | None, advance: Advance, *, by_bytes: bool = True
) -> Verified:
    """All streams in the journal's order, up to the first entry that does not follow."""
    found = Verified()
    recount = Recount()
    examiner = Examiner(load_game, found, recount, by_bytes=by_bytes)
    head = await store.head()
    end = head.seq
    try:
        while page := await store.entries(after=found.entries, limit=min(PAGE, end - found.entries)):
            for chained in recount.chained(page):
                for run in runs(chained):
                    await _derive(store, run, examiner, recount, found)
            advance(found.entries, end)
        examiner.catch_up()
        await compare(store, recount, head)
        beside = audited(recount, await store.check_indexes())
        await examiner.finish(store)
        found.balances, found.meters = beside.accounts, beside.meters
        found.documents, found.index_rows = beside.documents, beside.index_rows
        await add_signed(found, store, noted)
    except DoesNotFollow as error:
        found.fault = await _in_its_stream(store, error.fault)
    except Corrupt as error:
        fault = Fault(entry=0 if found.entries == end else found.entries + 1, says=str(error))
        found.fault = await _in_its_stream(store, fault)
    del found.not_derived_first[MOST_NAMED:]
    return found


async def _derive(store: Store, run: Sequence[Written], examiner: Examiner, recount: Recount, found: Verified) -> None:
    """Entries that follow each other in one stream."""
    plain = 0  # so many of them are known by their bytes, or were looked at
    for place, written in enumerate(run):
        if written.documents:
            recount.add_documents(written.seq, written.stream, written.documents, written.documents_sum)
        if place == plain:
            plain += examiner.plain(run, place)
        if place == plain:
            plain += 1
            examiner.examine(written, await examiner.earlier(store, written))
        if written.request:
            await _check_asked_once(store, written)
        found.entries += 1
        found.transfers += len(written.transfers)


async def _in_its_stream(store: Store, fault: Fault) -> Fault:
    """With the stream of its entry, and its number there, if such an entry can be read."""
    try:
        page = await store.entries(after=fault.entry - 1, limit=1) if fault.entry else []
    except Corrupt:
        return fault
    for written in page:
        if written.seq == fault.entry:
            return msgspec.structs.replace(fault, stream=written.stream, number=written.number)
    return fault


async def _check_asked_once(store: Store, written: Written) -> None:
    first = (await store.asked([written.request])).get(written.request)
    if first != written:
        where = f"entry {first.seq}" if first else "no entry"
        fault = fault_of(written, 0)
        raise fault(f"it is the answer to {written.request!r}", f"the journal has {where} for that request")
