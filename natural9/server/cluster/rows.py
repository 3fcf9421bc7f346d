"""The floor and the lobby show all tables of the venue: each node tells the others how its own look."""

import asyncio
from collections.abc import Iterable
from typing import Final

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from natural9.core.saying import say
from natural9.journal.sentence import Sentence
from natural9.server import protocol
from natural9.server.cluster.lines import Lines
from natural9.server.floor import floor_row, lobby_row
from natural9.server.hub import Hub

KIND: Final = "rows"
ALL_S: Final = 2.0  # how often all of them are told: whoever has just come, or missed one, has them soon

log = structlog.get_logger()


class TableRows(Struct, frozen=True, array_like=True):
    """One table, as the pit and as players see it."""

    floor: protocol.FloorTable
    lobby: protocol.LobbyTable


_encode = msgspec.msgpack.Encoder(enc_hook=str).encode  # a sentence as its English text
_decode = msgspec.msgpack.Decoder(list[TableRows]).decode


class FarRows:
    """Of the tables that others have."""

    def __init__(self, hub: Hub, lines: Lines, here: str) -> None:
        self._hub, self._lines, self._here = hub, lines, here
        self._rows: dict[str, TableRows] = {}
        lines.hear(KIND, self._heard)

    async def run(self) -> None:
        while True:
            try:
                self.tell(self._hub.rooms)
            except Exception:
                log.exception("a mistake of ours")
            await asyncio.sleep(ALL_S)

    def tell(self, tables: Iterable[str]) -> None:
        rooms = [room for room in map(self._hub.rooms.get, tables) if room]
        if rooms:
            ours = [TableRows(floor_row(room, self._here), lobby_row(room)) for room in rooms]
            self._lines.tell_all(KIND, _encode(ours))

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        return self._rows[table].floor if table in self._rows else None

    def lobby_row(self, table: str) -> protocol.LobbyTable | None:
        return self._rows[table].lobby if table in self._rows else None

    def lost(self, node: str) -> None:
        """Until somebody else has it, nobody plays there."""
        why = Sentence.of(say("the machine that has this table does not answer: it goes to another"))
        for table, rows in self._rows.items():
            if rows.floor.node == node:
                floor, lobby = replace(rows.floor, halted=why), replace(rows.lobby, is_out_of_service=True)
                self._take(table, TableRows(floor, lobby))

    def _heard(self, _: str, body: bytes) -> None:
        for rows in _decode(body):
            self._take(rows.floor.table, rows)

    def _take(self, table: str, rows: TableRows) -> None:
        if self._rows.get(table) != rows:
            self._rows[table] = rows
            if table not in self._hub.rooms:
                self._hub.floor.look_again(table)
