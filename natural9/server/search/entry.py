"""One entry of the journal by its number: what it says, what it moved, and what its hash is made of."""

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server.reports.export import EntryExported, entry_exported
from natural9.server.search.found import FoundEntry, found_entry
from natural9.store.contract import Store
from natural9.table.audit.check_round import hash_before


class EntryPage(Struct, frozen=True, kw_only=True):
    found: FoundEntry
    entry: EntryExported


async def entry_page(store: Store, number: int) -> EntryPage:
    found = await store.entries(after=number - 1, before=number + 1, limit=1)
    if not found:
        last = (await store.head()).seq
        none = say("there is no entry {number}: the last one is {last}", number=number, last=last)
        raise BadInput("no-such-entry", none)
    [written] = found
    previous = await hash_before(store, written)
    return EntryPage(found=await found_entry(store, written), entry=entry_exported(written, previous))
