"""At a table that is here, connected to another node: the other end of its far lines."""

import logging
from typing import Any

from natural9.server import protocol
from natural9.server.cluster.lines import Lines
from natural9.server.cluster.parcels import TO_OWNER, LettersOut, LineIn, decode_handshake, decode_in
from natural9.server.guests import ONE_MOMENT
from natural9.server.hub import Hub
from natural9.server.rates import Bucket
from natural9.server.websocket import HEADER_ROOM, RATE, UpgradeRefused

log = logging.getLogger(__name__)


class FarConnection:
    """As a room knows a connection. Its own node counts what it sends, and drops it if it is slow."""

    __slots__ = ("_letters", "_number", "_shut", "budget", "who")

    def __init__(self, letters: LettersOut, number: int, who: Any) -> None:
        self.who = who
        self.budget = Bucket(RATE)
        self._letters, self._number = letters, number
        self._shut = False

    def send(self, message: bytes) -> bool:
        return self.put(bytearray(HEADER_ROOM) + message)

    def put(self, frame: bytearray) -> bool:
        if not self._shut:
            self._letters.put(self._number, frame)
        return not self._shut

    def close(self, code: int, reason: str) -> None:
        if not self._shut:
            self._shut = True
            self._letters.close(self._number, code, reason)

    @property
    def is_shut(self) -> bool:
        return self._shut

    def is_gone(self) -> None:
        """Nobody hears any more why."""
        self._shut = True


class FarConnections:
    """All of them, by their node and the number that it gave them."""

    def __init__(self, hub: Hub, lines: Lines) -> None:
        self._hub, self._lines = hub, lines
        self._by_node: dict[str, dict[int, FarConnection]] = {}
        self._letters: dict[str, LettersOut] = {}
        lines.hear(TO_OWNER, self._heard)
        lines.when_lost(self._lost)

    def __len__(self) -> int:
        return sum(map(len, self._by_node.values()))

    def _heard(self, node: str, body: bytes) -> None:
        theirs = self._by_node.setdefault(node, {})
        for one in decode_in(body):
            connection = theirs.get(one.line)
            try:
                if one.kind == "open":
                    self._open(node, theirs, one)
                elif connection and one.kind == "closed":
                    del theirs[one.line]
                    connection.is_gone()
                    self._hub.leave(connection)
                elif connection and not connection.is_shut:
                    self._hub.message(connection, one.body)
            except Exception:
                log.exception("a connection at %s failed", node)
                if connection:
                    connection.close(1011, "internal error")

    def _open(self, node: str, theirs: dict[int, FarConnection], one: LineIn) -> None:
        letters = self._letters.get(node)
        if letters is None:
            letters = self._letters[node] = LettersOut(self._lines, node)
        who = self._hub.opening_far(decode_handshake(one.body).handshake())
        if isinstance(who, UpgradeRefused):  # its own node let it in: they do not know the same yet
            letters.close(one.line, protocol.ONE_MOMENT, ONE_MOMENT, moved=who.code == "not-here")
        else:
            connection = theirs[one.line] = FarConnection(letters, one.line, who)
            self._hub.enter(connection)

    def _lost(self, node: str) -> None:
        """Whoever was connected there connects again, there or elsewhere."""
        for connection in self._by_node.pop(node, {}).values():
            connection.close(protocol.ONE_MOMENT, ONE_MOMENT)
            self._hub.leave(connection)
