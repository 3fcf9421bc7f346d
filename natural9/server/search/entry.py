"""One entry of the journal by its number: what it says, what it moved, and what its hash is made of."""

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server.reports.export import EntryExported, entry_exported
from natural9.server.search.found import FoundEntry, found_entry
from natural9.store.chain import START
from natural9.store.contract import Store


class EntryPage(Struct, frozen=True, kw_only=True):
    found: FoundEntry
    entry: EntryExported


async def entry_page(store: Store, number: int) -> EntryPage:
    two = await store.entries(after=max(number - 2, 0), before=number + 1, limit=2)
    if number < 1 or not two or two[-1].seq != number:
        last = (await store.head()).seq
        none = say("there is no entry {number}: the last one is {last}", number=number, last=last)
        raise BadInput("no-such-entry", none)
    previous = two[0].hash if number > 1 else START.hash
    return EntryPage(found=await found_entry(store, two[-1]), entry=entry_exported(two[-1], previous))
