"""The floor and the lobby: how all tables of the venue look to the pit and to players who choose one."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from natural9.journal.sentence import Sentence
from natural9.server import protocol
from natural9.server.room import Room
from natural9.server.websocket import Connection, Handshake, OpenLine, broadcast
from natural9.table.state.state import Status
from natural9.table.venue.venue import Venue

AGAIN_S: Final = 0.3  # the lists change at most a few times a second, however busy the tables are


class Elsewhere(Protocol):
    """The tables that other nodes of the venue have, where there are several."""

    @property
    def here(self) -> str:
        """The name of this node."""

    def begin(self, connection: Connection, table: str, handshake: Handshake) -> None:
        """Connected here, for a table that is not: from now on it is carried."""

    def end(self, connection: OpenLine) -> None:
        """Such a one is gone."""

    def changed(self, tables: Iterable[str]) -> None:
        """These tables of ours look different on the floor."""

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        """As its node last said."""

    def lobby_row(self, table: str) -> protocol.LobbyTable | None: ...


class AllTables:
    """Who looks at all tables, and what they are shown when one has changed."""

    def __init__(self, venue: Venue, rooms: dict[str, Room], clock_ms: Callable[[], int]) -> None:
        self._venue, self._rooms, self._clock_ms = venue, rooms, clock_ms
        self.elsewhere: Elsewhere | None = None  # on one machine there is nothing elsewhere
        self._pit: set[OpenLine] = set()
        self._lobby: set[OpenLine] = set()
        self._n = 0
        self._changed: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def enter_pit(self, connection: OpenLine) -> None:
        self._pit.add(connection)
        self._send_floor([connection], self._venue.tables)

    def enter_lobby(self, connection: OpenLine) -> None:
        self._lobby.add(connection)
        self._send_lobby([connection], self._venue.tables)

    def leave(self, connection: OpenLine) -> None:
        self._pit.discard(connection)
        self._lobby.discard(connection)

    def everybody(self) -> list[OpenLine]:
        return [*self._pit, *self._lobby]

    def look_again(self, table: str) -> None:
        """It looks different, wherever it is."""
        self._changed.add(table)
        if self._timer is None and (self._pit or self._lobby or self.elsewhere):
            self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self._tell)

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        """None where nothing is known of it yet."""
        if room := self._rooms.get(table):
            return floor_row(room, self.elsewhere.here if self.elsewhere else "")
        return self.elsewhere.floor_row(table) if self.elsewhere else None

    def lobby_row(self, table: str) -> protocol.LobbyTable | None:
        if room := self._rooms.get(table):
            return lobby_row(room)
        return self.elsewhere.lobby_row(table) if self.elsewhere else None

    def status_of(self, table: str) -> Status:
        """Closed, as far as is known here."""
        if room := self._rooms.get(table):
            return room.published.status
        row = self.floor_row(table)
        return row.status if row else Status.CLOSED

    def _tell(self) -> None:
        self._timer = None
        changed, self._changed = self._changed, set()
        if self.elsewhere:
            self.elsewhere.changed(sorted(changed & self._rooms.keys()))
        if self._pit:
            self._send_floor(self._pit, sorted(changed))
        if self._lobby:
            self._send_lobby(self._lobby, sorted(changed))

    def _send_floor(self, connections: Iterable[OpenLine], tables: Iterable[str]) -> None:
        self._n += 1
        rows = tuple([row for row in map(self.floor_row, tables) if row])
        broadcast(connections, protocol.encode(protocol.Floor(n=self._n, now_ms=self._clock_ms(), tables=rows)))

    def _send_lobby(self, connections: Iterable[OpenLine], tables: Iterable[str]) -> None:
        rows = tuple([row for row in map(self.lobby_row, tables) if row])
        broadcast(connections, protocol.encode(protocol.Lobby(now_ms=self._clock_ms(), tables=rows)))


def floor_row(room: Room, node: str) -> protocol.FloorTable:
    """From what was published last, so that the pit, too, sees only what is durable."""
    table, config = room.published, room.config
    return protocol.FloorTable(
        table=config.id,
        title=config.title,
        game=config.game.id,
        mode=config.mode,
        dealer=room.dealer,
        calls=room.calls,
        status=table.status,
        phase=table.phase,
        in_play=table.in_play,
        round=table.round,
        staked_cents=sum(table.laid.values()),
        seated=room.seated(),
        waiting=len(table.waiting),
        waiting_kind=table.waiting[0].kind if table.waiting else "",
        waiting_rank=table.waiting[0].rank if table.waiting else "",
        faults=table.faults,
        halted=Sentence.of(room.writer.halted) if room.writer.halted else None,
        halted_at_ms=room.halted_at_ms,
        alarms=room.alarms,
        cards=table.cards,
        player_total=table.player_total,
        banker_total=table.banker_total,
        result=table.result,
        results=table.results,
        closes_at_ms=table.closes_at_ms,
        node=node,
    )


def lobby_row(room: Room) -> protocol.LobbyTable:
    """From what was published last: nobody sees here what the table itself does not show to all."""
    table, config = room.published, room.config
    main = [table.limits[wager] for wager in ("player", "banker") if wager in table.limits]
    return protocol.LobbyTable(
        table=config.id,
        title=config.title,
        game=config.game.title,
        takes_visitors=config.takes_visitors,
        status=table.status,
        phase=table.phase,
        takes_bets=table.takes_bets,
        closes_at_ms=table.closes_at_ms,
        round=table.round,
        winner=table.result.winner if table.result and table.squeeze is None else None,
        results=table.results,
        least_cents=min((limit.min_cents for limit in main), default=0),
        most_cents=max((limit.max_cents for limit in main), default=0),
        is_out_of_service=bool(table.faults or room.writer.halted),
    )
