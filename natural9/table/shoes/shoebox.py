"""The shuffler of one table: the orders it has committed to and not yet revealed, kept sealed beside the journal."""

from collections.abc import Callable

from natural9.core.events import Event
from natural9.journal import table_events
from natural9.store.contract import Store
from natural9.table.shoes.shuffler import SealBroken, Shuffled, sealed, shoe_context, shuffled_shoe, unsealed
from natural9.table.state.state import TableState


class Shoebox:
    def __init__(
        self, *, table: str, decks: int, key: bytes, shuffle: Callable[[int], Shuffled] = shuffled_shoe
    ) -> None:
        self._table, self._decks, self._key, self._shuffle = table, decks, key, shuffle
        self._orders: dict[str, Shuffled] = {}  # by commitment

    def in_use(self, state: TableState) -> Shuffled | None:
        return self._orders.get(state.commitment)

    def fresh(self) -> Shuffled:
        """A new order; if it is committed to, `document` keeps it."""
        shuffled = self._shuffle(self._decks)
        self._orders[shuffled.commitment] = shuffled
        return shuffled

    def forget(self, shuffled: Shuffled) -> None:
        """It was not needed after all."""
        self._orders.pop(shuffled.commitment, None)

    def document(self, event: Event) -> tuple[tuple[str, bytes | None], ...]:
        """Committed: the order, sealed. Revealed: it stands in the journal, and is sealed no more."""
        match event:
            case table_events.ShoeCommitted():
                context = shoe_context(self._table, event.shoe)
                return ((self._place(event.commitment), sealed(self._key, self._orders[event.commitment], context)),)
            case table_events.ShoeRevealed():
                self._orders.pop(event.commitment, None)
                return ((self._place(event.commitment), None),)
            case _:
                return ()

    async def open(self, store: Store, state: TableState) -> None:
        """After a restart: unseal what the table has committed to and not yet revealed. Raises SealBroken."""
        waiting = state.round.new_shoe  # once it is loaded, the one before it is revealed
        commitment = state.next_commitment if waiting else state.commitment
        if not commitment:
            return
        context = shoe_context(self._table, waiting.number if waiting else state.round.shoe_number)
        stored = await store.document(self._place(commitment))
        if stored is None:
            raise SealBroken(f"the sealed shoe of {context} is missing")
        shuffled = unsealed(self._key, stored, context)
        if shuffled.commitment != commitment:
            raise SealBroken(f"the sealed shoe of {context} is not the one that was committed to")
        self._orders[commitment] = shuffled

    def _place(self, commitment: str) -> str:
        return f"shoe/{self._table}/{commitment}"
