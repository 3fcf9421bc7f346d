"""The shuffler of one table: the orders it has committed to and not yet revealed, kept sealed beside the journal."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from natural9.core.events import Event
from natural9.core.saying import say, what_it_says
from natural9.journal import mix_events, table_events
from natural9.store.contract import Store
from natural9.table.shoes.mixing import mixed_order
from natural9.table.shoes.shuffler import SealBroken, Shuffled, sealed, shuffled_shoe, unsealed
from natural9.table.state.state import TableState


class Shoebox:
    def __init__(
        self,
        *,
        table: str,
        decks: int,
        key: bytes,
        shuffle: Callable[[int], Shuffled] = shuffled_shoe,
        seal: Callable[[bytes, Shuffled, str], bytes] = sealed,
    ) -> None:
        self._table, self._decks, self._key = table, decks, key
        self._shuffle, self._seal = shuffle, seal
        self._orders: dict[str, Shuffled] = {}  # by commitment

    def in_use(self, state: TableState) -> Shuffled | None:
        return self._orders.get(state.commitment)

    def waiting(self, state: TableState) -> Shuffled | None:
        """The order of a new shoe that waits for its first round."""
        return self._orders.get(state.next_commitment)

    def retired(self, state: TableState) -> Shuffled | None:
        """The order of a shoe that is played no further, to be shown with the next."""
        return self._orders.get(state.retired.commitment) if state.retired else None

    def fresh(self) -> Shuffled:
        """A new order; if it is committed to, `document` keeps it."""
        shuffled = self._shuffle(self._decks)
        self._orders[shuffled.commitment] = shuffled
        return shuffled

    def forget(self, shuffled: Shuffled) -> None:
        """It was not needed after all."""
        self._orders.pop(shuffled.commitment, None)

    def document(self, event: Event, state: TableState) -> tuple[tuple[str, bytes | None], ...]:
        """Committed: the order, sealed. Mixed: with what its seats made of it. Revealed: it stands in the journal, and
        is sealed no more. The state is the one that the event led to."""
        match event:
            case table_events.ShoeCommitted():
                place = self._place(event.commitment)
                return ((place, self._seal(self._key, self._orders[event.commitment], place)),)
            case mix_events.ShoeMixed() if state.mix and (house := self._orders.get(event.commitment)):
                mixed = replace(house, mixed=mixed_order(house.order, state.mix.message))
                self._orders[event.commitment] = mixed
                place = self._place(event.commitment)
                return ((place, self._seal(self._key, mixed, place)),)
            case table_events.ShoeRevealed():
                self._orders.pop(event.commitment, None)
                return ((self._place(event.commitment), None),)
            case _:
                return ()

    async def open(self, store: Store, state: TableState) -> None:
        """After a restart: unseal what the table has committed to and not yet revealed. Raises SealBroken."""
        waiting = state.round.new_shoe  # once it is loaded, the one before it is revealed
        commitment = state.next_commitment if waiting else state.commitment
        shoe = waiting.number if waiting else state.round.shoe_number
        if state.retired:
            commitment, shoe = state.retired.commitment, state.retired.number
        if not commitment:
            return
        try:
            self._orders[commitment] = await self._unsealed(store, commitment)
        except SealBroken as error:
            broken = say(
                "the sealed shoe of table {table} shoe {shoe} {why}",
                table=self._table,
                shoe=shoe,
                why=what_it_says(error),
            )
            raise SealBroken(broken) from None

    async def _unsealed(self, store: Store, commitment: str) -> Shuffled:
        place = self._place(commitment)
        stored = await store.document(place)
        if stored is None:
            raise SealBroken(say("is missing"))
        shuffled = unsealed(self._key, stored, place)
        if shuffled.commitment != commitment:
            raise SealBroken(say("is not the one that was committed to"))
        return shuffled

    def _place(self, commitment: str) -> str:
        """The document that keeps it, which its seal is bound to."""
        return f"shoe/{self._table}/{commitment}"


async def sealed_shoes(store: Store) -> Mapping[str, bytes]:
    """Every order that is sealed beside the journal, by its document."""
    return await store.documents("shoe/")


def resealed(stored: Mapping[str, bytes], old: bytes, new: bytes) -> dict[str, bytes]:
    """These orders under another key; one whose seal is broken stays as it is."""
    again = {}
    for place, seal in stored.items():
        with suppress(SealBroken):
            again[place] = sealed(new, unsealed(old, seal, place), place)
    return again
