"""Frames of WebSockets into the real adapter around picows, over a real socket; read once more by a plain reader."""

import asyncio
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from natural9.server.upgrade import websocket_protocol
from natural9.server.websocket import Connection, Handshake, UpgradeRefused, is_text
from tests.fuzz.mutation import spoilt
from tests.fuzz.target import Target, Wrong

MAX_MESSAGE: Final = 4096
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
KINDS: Final = (CONTINUATION, TEXT, CLOSE, PING, PONG)
ALLOWED_CODES: Final = {1000, 1001, 1002, 1003, 1007, 1009, 1013, 4429}
UPGRADE: Final = (
    b"GET /table?seat=1 HTTP/1.1\r\nHost: table\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    b"Cookie: natural9-device=abc\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
LONGEST_S: Final = 20.0


class Read(NamedTuple):
    """What the bytes say: whole text messages until something is wrong, and whether it was."""

    messages: list[bytes]
    is_wrong: bool


class _Frame(NamedTuple):
    fin: bool
    reserved: int
    kind: int
    masked: bool
    payload: bytes


def frame(
    kind: int, payload: bytes, *, fin: bool = True, reserved: int = 0, mask: bytes | None = b"\x01\x02\x03\x04"
) -> bytes:
    head = bytes([fin << 7 | reserved << 4 | kind])
    bit = 0x80 if mask else 0
    if len(payload) < 126:
        head += bytes([bit | len(payload)])
    elif len(payload) < 65_536:
        head += bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
    return head + (mask + _masked(payload, mask) if mask else payload)


def _masked(payload: bytes, mask: bytes) -> bytes:
    return bytes(one ^ mask[at % 4] for at, one in enumerate(payload))


def frames_in(data: bytes) -> Iterator[_Frame | None]:
    """Each whole frame; None, and nothing more, where one is too long, written in more bytes than it needs, or cut."""
    at = 0
    while at < len(data):
        first, second = data[at], data[at + 1] if at + 1 < len(data) else 0
        length, start = second & 127, at + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            length, start = int.from_bytes(data[start : start + size]), start + size
            if length < (126 if size == 2 else 65_536):
                length = MAX_MESSAGE + 1
        masked = bool(second & 128)
        mask, start = (data[start : start + 4], start + 4) if masked else (bytes(4), start)
        if length > MAX_MESSAGE or len(data) < start + length:
            yield None
            return
        at = start + length
        yield _Frame(bool(first & 128), first >> 4 & 7, first & 15, masked, _masked(data[start:at], mask))


def plainly_read(data: bytes) -> Read:
    """By RFC 6455, and text alone."""
    messages: list[bytes] = []
    parts: bytes | None = None
    closed = False
    for one in frames_in(data):
        if (
            closed
            or one is None
            or one.reserved
            or not one.masked
            or one.kind not in (CONTINUATION, TEXT, CLOSE, PING, PONG)
        ):
            return Read(messages, True)
        if one.kind >= CLOSE and (not one.fin or len(one.payload) > 125):
            return Read(messages, True)
        if one.kind == CLOSE:
            closed = True
            if (one.payload and one.payload[:2] != b"\x03\xe8") or not is_text(one.payload[2:] or b"bye"):
                return Read(messages, True)
        if one.kind in (CLOSE, PING, PONG):
            continue
        if (one.kind == CONTINUATION) != (parts is not None):
            return Read(messages, True)
        parts = (parts or b"") + one.payload
        if len(parts) > MAX_MESSAGE:
            return Read(messages, True)
        if one.fin:
            if parts and not is_text(parts):
                return Read(messages, True)
            messages.append(parts)
            parts = None
    return Read(messages, False)


class FramesListener:
    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.opened_and_closed = [0, 0]

    def opening(self, handshake: Handshake) -> object:
        return "somebody" if handshake.path == "/table" else UpgradeRefused(404, "no-table", "there is no such table")

    def opened(self, connection: Connection) -> None:
        self.opened_and_closed[0] += 1

    def message(self, connection: Connection, message: bytes) -> None:
        self.heard.append(message)
        connection.send(b"heard")

    def closed(self, connection: Connection) -> None:
        self.opened_and_closed[1] += 1


class WebSocketFrames(Target):
    """What is heard is what the plain reader reads; a connection ends with a code that says why."""

    name = "websocket-frames"
    share = 60

    async def open(self, folder: Path) -> None:
        self._listener = FramesListener()
        self._protocol: Any = websocket_protocol(
            self._listener, max_message=MAX_MESSAGE, close_s=0.02, refuse_s=0.0, ping_s=3600
        )
        self._state = SimpleNamespace(connections=set())
        self._server = socket.create_server(("127.0.0.1", 0), backlog=1)

    async def close(self) -> None:
        self._server.close()

    def make(self, chance: Random) -> tuple[bytes, list[bytes]]:
        kinds = GOOD if chance.random() < 0.4 else range(len(GOOD) + 14)
        stream = b"".join(_some_frame(chance, chance.choice(kinds)) for _ in range(chance.randrange(1, 8)))
        if chance.random() < 0.4 and kinds is not GOOD:
            stream = spoilt(chance, stream)
        cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(3)))
        pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        return (spoilt(chance, UPGRADE) if chance.random() < 0.1 else UPGRADE), pieces

    async def feed(self, given: tuple[bytes, list[bytes]]) -> bool:
        upgrade, pieces = given
        listener = self._listener
        listener.heard, listener.opened_and_closed = [], [0, 0]
        loop = asyncio.get_running_loop()
        far = socket.create_connection(self._server.getsockname())
        near, _ = self._server.accept()
        near.setblocking(False)
        far.setblocking(False)
        with far:
            _, protocol = await loop.connect_accepted_socket(lambda: self._protocol(None, self._state, {}), near)
            protocol.data_received(upgrade)
            async with asyncio.timeout(LONGEST_S):
                answer = await _talk(far, pieces)
        await asyncio.sleep(0)
        if listener.opened_and_closed[0] != listener.opened_and_closed[1] or self._state.connections:
            raise Wrong(f"opened and closed: {listener.opened_and_closed}, {len(self._state.connections)} still open")
        if not answer.startswith(b"HTTP/1.1 101"):
            if listener.heard or (answer and not answer.startswith(b"HTTP/1.1 4")):
                raise Wrong(f"answered {answer[:200]!r}, heard {listener.heard}")
            return False
        read = plainly_read(b"".join(pieces))
        wanted = read.messages[: len(listener.heard)] if read.is_wrong else read.messages  # of one read, all or none
        if upgrade == UPGRADE and listener.heard != wanted:
            raise Wrong(f"heard {listener.heard}, and there were {read.messages}")
        _check_answer(answer)
        return not read.is_wrong


async def _talk(far: socket.socket, pieces: list[bytes]) -> bytes:
    """Say all of it, then no more; what came back until the other side hung up."""
    loop = asyncio.get_running_loop()
    heard = bytearray()
    try:
        for piece in pieces:
            await loop.sock_sendall(far, piece)
            await asyncio.sleep(0)
        far.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # it has hung up already
    try:
        while part := await loop.sock_recv(far, 65_536):
            heard += part
    except OSError:
        pass
    return bytes(heard)


def _check_answer(answer: bytes) -> None:
    head, _, rest = answer.partition(b"\r\n\r\n")
    for one in frames_in(rest):
        if one is None or one.masked or not one.fin or one.reserved or one.kind not in (TEXT, CLOSE, PING, PONG):
            raise Wrong(f"it sent {one} after {head!r}")
        if one.kind == CLOSE and one.payload and int.from_bytes(one.payload[:2]) not in ALLOWED_CODES:
            raise Wrong(f"closed with {int.from_bytes(one.payload[:2])}: {one.payload[2:]!r}")


GOOD: Final = range(4, 8)  # of these kinds of frames


def _some_frame(chance: Random, kind: int) -> bytes:
    text = chance.choice((b"{}", "9♥".encode(), b"x" * 125, b"x" * 126, b"x" * 2000, b""))
    if kind not in GOOD:
        text = chance.choice((text, b"x" * 4097, b"\xff\xfe", b"x" * 4096))
    match kind:
        case 4:
            return frame(TEXT, text, fin=False) + frame(CONTINUATION, text)
        case 5:
            return frame(TEXT, text[:1], fin=False) + frame(PING, b"p") + frame(CONTINUATION, text[1:])
        case 6:
            return frame(PING, text[:125]) + frame(PONG, b"p")
        case 0:
            return frame(CONTINUATION, text)
        case 1:
            return frame(PING, text[:126])
        case 2:
            return frame(CLOSE, chance.choice((b"", b"\x03", b"\x03\xe8", b"\x03\xe8bye", b"\0\0", b"\x03\xe8\xff")))
        case 3:
            return frame(BINARY, text)
        case 8:
            return frame(chance.choice((3, 4, 5, 6, 7, 11, 12, 15)), text)
        case 9:
            return frame(TEXT, text, reserved=chance.randrange(1, 8))
        case 10:
            return frame(TEXT, text, mask=None)
        case 11:
            return frame(chance.choice((CLOSE, PING, PONG)), b"x", fin=False)
        case 12:
            return bytes([0x81, 0xFF]) + struct.pack(">Q", chance.choice((0, 2**31, 2**63, 2**64 - 1))) + b"1234"
        case _:
            return frame(TEXT, text, mask=chance.randbytes(4))
