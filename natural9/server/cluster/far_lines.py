"""Connected here, at a table that another node has: what is said is carried there, and what is answered back.

While nobody has the table the line waits for whoever takes it. When the owner is lost, or the table leaves it, the
client is told to connect again: what it missed, and what was not answered, it then asks for as after any lost line.
"""

import asyncio
import secrets
import time
from collections.abc import Iterable
from itertools import count
from typing import Final

from natural9.server import protocol
from natural9.server.cluster.far_connections import FarConnections
from natural9.server.cluster.lines import Lines
from natural9.server.cluster.parcels import (
    FROM_OWNER,
    FarHandshake,
    LettersIn,
    LineIn,
    LineOut,
    decode_out,
    encode_handshake,
)
from natural9.server.cluster.rows import FarRows
from natural9.server.cluster.whereabouts import Whereabouts, table_stream
from natural9.server.guests import ONE_MOMENT
from natural9.server.hub import Hub
from natural9.server.websocket import Connection, Handshake, OpenLine, broadcast

WAITS_S: Final = 5.0  # for somebody to take the table, before the client connects again
LOOKS_S: Final = 0.05
MOST_KEPT: Final = 600  # messages of a line that waits


class FarLine:
    """One connection. `node` has its table, as far as it was told; "" while it waits."""

    __slots__ = ("connection", "handshake", "kept", "node", "number", "table", "until")

    def __init__(self, number: int, connection: Connection, table: str, handshake: FarHandshake) -> None:
        self.number, self.connection, self.table, self.handshake = number, connection, table, handshake
        self.node = ""
        self.kept: list[bytes] | None = []  # what it said until it was first answered
        self.until = time.monotonic() + WAITS_S


class FarLines:
    """All such lines: `AllTables.elsewhere`, and the listener of their connections."""

    def __init__(self, hub: Hub, lines: Lines, whereabouts: Whereabouts) -> None:
        self._hub, self._lines, self._whereabouts = hub, lines, whereabouts
        self._rows = FarRows(hub, lines, whereabouts.here)
        self.connections = FarConnections(hub, lines)  # those of others, here
        # By chance: a letter about a line of the process before this one must not be taken for one of ours.
        self._numbers = count(secrets.randbelow(2**31))
        self._by_number: dict[int, FarLine] = {}
        self._by_connection: dict[OpenLine, FarLine] = {}
        self._waiting: set[FarLine] = set()
        self._letters: dict[str, LettersIn] = {}
        self._looking: asyncio.TimerHandle | None = None
        lines.hear(FROM_OWNER, self._heard)
        lines.when_lost(self._lost)

    async def run(self) -> None:
        await self._rows.run()

    # Elsewhere

    @property
    def here(self) -> str:
        return self._whereabouts.here

    def begin(self, connection: Connection, table: str, handshake: Handshake) -> None:
        line = FarLine(next(self._numbers), connection, table, FarHandshake.of(handshake))
        self._by_number[line.number] = self._by_connection[connection] = line
        connection.listen_with(self)
        self._find(line)

    def end(self, connection: OpenLine) -> None:
        line = self._by_connection.pop(connection)
        del self._by_number[line.number]
        self._waiting.discard(line)
        if line.node:
            self._tell(line, LineIn(line.number, "closed"))

    def changed(self, tables: Iterable[str]) -> None:
        self._rows.tell(tables)

    def floor_row(self, table: str) -> protocol.FloorTable | None:
        return self._rows.floor_row(table)

    def lobby_row(self, table: str) -> protocol.LobbyTable | None:
        return self._rows.lobby_row(table)

    # Listener

    def opening(self, handshake: Handshake) -> object:
        raise AssertionError("the hub is asked")

    def opened(self, connection: Connection) -> None:
        raise AssertionError("the hub is told")

    def message(self, connection: Connection, message: bytes) -> None:
        line = self._by_connection[connection]
        if line.kept is not None:
            line.kept.append(message)
            if len(line.kept) > MOST_KEPT:
                self._send_away(line)
                return
        if line.node:
            self._tell(line, LineIn(line.number, "said", message))

    def closed(self, connection: Connection) -> None:
        self._hub.closed(connection)

    # The way there

    def _find(self, line: FarLine) -> None:
        """Open it with whoever has its table now, or wait for that."""
        owner = self._whereabouts.owner_of(table_stream(line.table))
        if owner == self.here and line.table in self._hub.rooms:
            self._send_away(line)  # it has come here meanwhile: whoever connects again is at the table
        elif owner is None or owner == self.here or not self._lines.hears(owner):
            self._wait(line)
        else:
            self._waiting.discard(line)
            line.node = owner
            self._tell(line, LineIn(line.number, "open", encode_handshake(line.handshake)))
            for message in line.kept or ():
                self._tell(line, LineIn(line.number, "said", message))

    def _wait(self, line: FarLine) -> None:
        self._waiting.add(line)
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOKS_S, self._look_again)

    def _look_again(self) -> None:
        self._looking = None
        now = time.monotonic()
        for line in [*self._waiting]:
            if now > line.until:
                self._send_away(line)
            else:
                self._find(line)

    def _tell(self, line: FarLine, what: LineIn) -> None:
        letters = self._letters.get(line.node)
        if letters is None:
            letters = self._letters[line.node] = LettersIn(self._lines, line.node)
        letters.put(what)

    def _send_away(self, line: FarLine) -> None:
        self._waiting.discard(line)
        line.connection.close(protocol.ONE_MOMENT, ONE_MOMENT)

    # The way back

    def _heard(self, node: str, body: bytes) -> None:
        for out in decode_out(body):
            lines = [line for number in out.lines if (line := self._by_number.get(number)) and line.node == node]
            if out.moved or out.code:
                for line in lines:
                    self._closed_there(line, out)
                continue
            for line in lines:
                line.kept = None
            broadcast([line.connection for line in lines], out.body)

    def _closed_there(self, line: FarLine, out: LineOut) -> None:
        if out.moved and not line.connection.is_shut:
            line.node = ""
            self._wait(line)
        else:
            line.connection.close(out.code, out.body.decode(errors="replace"))

    def _lost(self, node: str) -> None:
        for line in [*self._by_number.values()]:
            if line.node == node:
                self._send_away(line)
        self._rows.lost(node)
