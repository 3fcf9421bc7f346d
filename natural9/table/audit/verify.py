"""Verify a journal, trusting nobody: each entry must follow from those before it and from the rule packs.

The store's audit walks the chain, the money, and every document and index beside them; here every table is folded
again from nothing, and for each entry it is asked what it should have said: every bet, card, settlement line, void,
transfer and revealed shoe. The first entry that says something else is named. Nothing but the journal and the rule
packs is needed.
"""

from natural9.store.audit import Walk
from natural9.store.contract import Corrupt, Store, Written
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, audit_checkpoints
from natural9.table.audit.examiner import Examiner
from natural9.table.audit.findings import DoesNotFollow, Fault, Verified, fault_of
from natural9.table.audit.rules import LoadGame


async def verify(store: Store, *, load_game: LoadGame, noted: NotedCheckpoint | None = None) -> Verified:
    """Walk the whole journal of a store that does not grow meanwhile: one that was opened read-only."""
    found = Verified()
    examiner = Examiner(load_game, found)
    walk = Walk(store)
    try:
        async for written in walk:
            examiner.examine(written, await examiner.earlier(store, written))
            await _check_asked_once(store, written)
            found.entries, found.transfers = written.seq, found.transfers + len(written.transfers)
        await examiner.finish(store)
        if beside := walk.result:
            found.balances, found.meters = beside.accounts, beside.meters
            found.documents, found.index_rows = beside.documents, beside.index_rows
        signed = await audit_checkpoints(store, noted)
        found.checkpoints, found.keys, found.root = signed.checkpoints, signed.keys, signed.root
        found.noted_size = noted.size if noted else None
    except DoesNotFollow as error:
        found.fault = error.fault
    except Corrupt as error:
        found.fault = Fault(
            entry=0 if found.entries == (await store.head()).seq else found.entries + 1, says=str(error)
        )
    return found


async def _check_asked_once(store: Store, written: Written) -> None:
    if written.request:
        first = (await store.asked([written.request])).get(written.request)
        if first != written:
            where = f"entry {first.seq}" if first else "no entry"
            fault = fault_of(written, 0)
            raise fault(f"it is the answer to {written.request!r}", f"the journal has {where} for that request")
