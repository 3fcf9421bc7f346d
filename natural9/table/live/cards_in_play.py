"""Every player's card over the whole venue: where it is in, and what its player takes from terminal to terminal.

It changes in the same step as the decision to card in, so that of two terminals that are asked at once the second finds
the card taken. It is free again once its card-out is durable: the journal never has a card in two places.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal.card_events import PlayerCardedIn, PlayerCardedOut, PlayerPlay
from natural9.journal.labels import player_label
from natural9.journal.line import read_line
from natural9.store.contract import Store
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import TableState

PLAY: Final = "play/"  # how the documents begin
PAGE: Final = 1000


@dataclass(slots=True)
class CardsInPlay:
    may_play: Callable[[str], bool] = lambda player: True
    places: dict[str, tuple[str, int]] = field(default_factory=dict)  # table and seat of each card that is in
    plays: dict[str, PlayerPlay] = field(default_factory=dict)  # what each player took along last
    read_account: Callable[[str], Awaitable[None]] | None = None  # so that `may_play` knows what the records say

    async def load(self, store: Store) -> None:
        for key, kept in (await store.documents(PLAY)).items():
            self.plays[key.removeprefix(PLAY)] = msgspec.json.decode(kept, type=PlayerPlay)

    async def read(self, store: Store, player: str) -> None:
        """What the records say of a card, for whoever has its hold: nothing about it is on its way."""
        if self.read_account:
            await self.read_account(player)
        place, kept = await place_of(store, player), await store.document(PLAY + player)
        self.places.pop(player, None)
        if place:
            self.places[player] = place
        self.plays.pop(player, None)
        if kept is not None:
            self.plays[player] = msgspec.json.decode(kept, type=PlayerPlay)

    def recovered(self, state: TableState) -> None:
        """A table is back, with the cards that are in there."""
        for seat, terminal in state.terminals.items():
            if terminal.card:
                self.places[terminal.card.player] = (state.table, seat)

    def worked_ms(self, states: Iterable[TableState]) -> int:
        """How long the venue's tables have been at work, as far as any of them or any player's play tells."""
        told = [state.table_ms for state in states]
        return max([0, *told, *(play.since_ms + play.played_ms for play in self.plays.values())])

    def bring(self, player: str) -> PlayerPlay | Refusal:
        """What the player brings to a terminal, or why not."""
        if not self.may_play(player):
            return Refusal(TableCode.BARRED, say("You may not play here: please speak to our staff"))
        if place := self.places.get(player):
            where = say(
                "Your card is in at table {table}, seat {seat}: take it out there first", table=place[0], seat=place[1]
            )
            return Refusal(TableCode.CARDED_IN_ELSEWHERE, where)
        return self.plays.get(player, PlayerPlay())

    def went_in(self, event: Event, table: str) -> None:
        if isinstance(event, PlayerCardedIn):
            self.places[event.player] = (table, event.seat)

    def came_out(self, event: PlayerCardedOut) -> None:
        """Once it is durable."""
        self.places.pop(event.player, None)
        self.plays[event.player] = event.play

    def document(self, event: Event) -> tuple[tuple[str, bytes | None], ...]:
        """What a player took along, as it is kept beside the journal."""
        return ((PLAY + event.player, msgspec.json.encode(event.play)),) if isinstance(event, PlayerCardedOut) else ()


async def place_of(store: Store, player: str) -> tuple[str, int] | None:
    """Table and seat where a card is in, by the last that the journal has of it."""
    before: int | None = None
    while page := await store.labelled(player_label(player), before=before, limit=PAGE):
        for written in page:
            if written.kind == PlayerCardedOut.TAG:
                return None
            if written.kind == PlayerCardedIn.TAG:
                event = read_line(written).event
                assert isinstance(event, PlayerCardedIn)
                return written.stream.removeprefix("table/"), event.seat
        before = page[-1].seq
    return None
