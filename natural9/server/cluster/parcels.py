"""What goes between two nodes for the connections that one has and the other speaks to, many in one letter.

All that is said within one turn of the event loop to the lines of one node leaves it as one letter; what goes to many
lines is in it once.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from natural9.server.cluster.lines import Lines
from natural9.server.websocket import HEADER_ROOM, Handshake

TO_OWNER: Final = "line-in"
FROM_OWNER: Final = "line-out"


class FarHandshake(Struct, frozen=True, array_like=True):
    """As much of a handshake as says who it is and what they want."""

    path: str
    query: dict[str, str]
    cookie: str
    peer: str

    @staticmethod
    def of(handshake: Handshake) -> "FarHandshake":
        cookie = handshake.headers.get("cookie", "")
        return FarHandshake(handshake.path, dict(handshake.query), cookie, handshake.peer)

    def handshake(self) -> Handshake:
        return Handshake(self.path, self.query, {"cookie": self.cookie}, self.peer)


class LineIn(Struct, frozen=True, array_like=True):
    """Of one line to the table's owner: it opens, says something, or is closed."""

    line: int
    kind: Literal["open", "said", "closed"]
    body: bytes = b""


class LineOut(Struct, frozen=True, array_like=True):
    """Of the table's owner to some lines: a message; with a code, why they are closed; `moved`, that it is not here."""

    lines: list[int]
    body: bytes
    code: int = 0
    moved: bool = False


encode_handshake = msgspec.msgpack.Encoder().encode
decode_handshake = msgspec.msgpack.Decoder(FarHandshake).decode
decode_in = msgspec.msgpack.Decoder(list[LineIn]).decode
decode_out = msgspec.msgpack.Decoder(list[LineOut]).decode
_encode = msgspec.msgpack.Encoder().encode


class LettersIn:
    """To the owner of tables."""

    def __init__(self, lines: Lines, node: str) -> None:
        self._lines, self._node = lines, node
        self._waiting: list[LineIn] = []

    def put(self, one: LineIn) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._send)
        self._waiting.append(one)

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        if self._lines.hears(self._node):
            self._lines.tell(self._node, TO_OWNER, _encode(waiting))


class LettersOut:
    """From the owner of tables. Frames come with room for a header before the message, and are told apart by being the
    same object: a broadcast makes one for all."""

    def __init__(self, lines: Lines, node: str) -> None:
        self._lines, self._node = lines, node
        self._waiting: list[Callable[[], LineOut]] = []
        self._last: tuple[bytearray, list[int]] | None = None

    def put(self, line: int, frame: bytearray) -> None:
        if self._last and self._last[0] is frame:
            self._last[1].append(line)
            return
        numbers = [line]
        self._last = frame, numbers
        self._add(lambda: LineOut(numbers, bytes(memoryview(frame)[HEADER_ROOM:])))

    def close(self, line: int, code: int, reason: str, *, moved: bool = False) -> None:
        self._last = None
        self._add(lambda: LineOut([line], reason.encode(), code, moved))

    def _add(self, one: Callable[[], LineOut]) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._send)
        self._waiting.append(one)

    def _send(self) -> None:
        waiting, self._waiting, self._last = self._waiting, [], None
        if self._lines.hears(self._node):
            self._lines.tell(self._node, FROM_OWNER, _encode([one() for one in waiting]))
