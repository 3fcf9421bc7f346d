"""What comes over NATS: its frames, letters between nodes, and what is in them."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from natural9.server.cluster import carried_http, lines, parcels, rows
from natural9.server.cluster.lines import Letter, Lines, LineSettings, Reply
from natural9.server.cluster.nats_connection import NatsConnection
from tests.fuzz.mutation import spoilt, spoilt_json
from tests.fuzz.target import Target, Wrong

MOST_UNREAD: Final = 2 * 1024 * 1024  # what may wait for its end
INFO: Final = b'INFO {"server_id":"N","max_payload":1048576,"headers":true,"nonce":"abc"}\r\n'
FRAMES: Final = (
    INFO,
    b"PING\r\n",
    b"PONG\r\n",
    b"+OK\r\n",
    b"-ERR 'Authorization Violation'\r\n",
    b"MSG n9.x.b.news 1 5\r\nhello\r\n",
    b"MSG n9.x.b.ask 1 n9.x.a.answer.7 5\r\nhello\r\n",
    b"HMSG n9.x.b.answer.7 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n",
    b"HMSG n9.x.b.news 1 n9.x.a.answer.3 12 17\r\nNATS/1.0\r\n\r\nhello\r\n",
    b"MSG n9.x.b.empty 1 0\r\n\r\n",
)


class Wire(asyncio.Transport):
    """Nobody is at its other end."""

    def __init__(self) -> None:
        super().__init__()
        self.is_aborted = False

    def write(self, data: Any) -> None:
        pass

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_aborted

    def close(self) -> None:
        self.is_aborted = True

    def get_write_buffer_size(self) -> int:
        return 0


class NatsFrames(Target):
    """What is no NATS ends the connection; nothing is heard that is not in the bytes."""

    name = "nats-frames"
    share = 70

    def make(self, chance: Random) -> list[bytes]:
        stream = b"".join(chance.choices(FRAMES, k=chance.randrange(1, 6)))
        stream = spoilt(chance, stream, FRAMES)
        cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(3)))
        return [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    async def feed(self, given: list[bytes]) -> bool:
        heard: list[tuple[str, str, bytes]] = []
        wire = Wire()
        connection = NatsConnection(lambda *one: heard.append(one), lambda subject: None)
        connection.connection_made(wire)
        for piece in given:
            if not wire.is_aborted:
                connection.data_received(piece)
        unread = len(connection._rest)
        if wire.is_aborted:
            connection.connection_lost(None)
        whole = b"".join(given)
        if unread > MOST_UNREAD or any(
            body not in whole or subject.encode() not in whole for subject, _, body in heard
        ):
            raise Wrong(f"{unread} bytes wait; heard {heard}")
        connection.info.cancel()
        return not wire.is_aborted


class Letters(Target):
    """Letters of other nodes, whole and in pieces: what cannot be read is dropped, and the next one is read."""

    name = "letters"
    share = 60

    async def open(self, folder: Path) -> None:
        self._lines = Lines(LineSettings(("nats://127.0.0.1:1",)), "venue", "b")
        self._lines._run = 77
        self._heard = 0
        for kind in ("news", "line-in", "line-out"):
            self._lines.hear(kind, self._hear)
        self._prefix = self._lines._prefix
        encode = msgspec.msgpack.encode
        claims = encode({"b": (77, 3)})
        self._valid = [
            encode(Letter("a", 5, 77, 1, 0, False, b"hello")),
            encode(Letter("a", 5, 0, 0, 0, False, claims)),
            encode(Letter("a", 5, 0, 0, 0, True, b"one")),
            encode(Letter("a", 5, 0, 0, 1, False, b"two")),
            encode(Letter("c", 6, 77, 2, 0, False, encode(Reply("done", b"x")))),
        ]

    def _hear(self, node: str, body: bytes) -> None:
        self._heard += 1

    def make(self, chance: Random) -> tuple[str, str, bytes]:
        kind = chance.choice(("news", "news", "alive", "bye", "answer.1", "line-in", "", "x.y.z"))
        target = chance.choice(("b", "all"))
        reply = chance.choice(("", f"{self._prefix}.a.answer.3", "elsewhere"))
        return f"{self._prefix}.{target}.{kind}", reply, spoilt(chance, chance.choice(self._valid), self._valid)

    async def feed(self, given: tuple[str, str, bytes]) -> bool:
        before = self._heard
        self._lines._arrived(*given)
        waiting = sum(len(part) for parts in self._lines._parts.values() for part in parts)
        if len(self._lines._peers.names()) > 64 or waiting > MOST_UNREAD:
            self._lines._down()
        if self._lines._answers:
            await asyncio.sleep(0)
        return self._heard > before

    async def close(self) -> None:
        await self._lines.close()


class Parcels(Target):
    """What is in letters: lines of other nodes' connections, carried requests, rows of the floor."""

    name = "parcels"
    share = 50

    async def open(self, folder: Path) -> None:
        encode = msgspec.msgpack.encode
        handshake = encode(parcels.FarHandshake("/ws/table/1", {"after": "x"}, "natural9-device=abc", "10.0.0.7"))
        asked = carried_http.CarriedRequest(
            "venue", "POST", "/api/sign-in", b"/api/sign-in", b"a=1", "http", "10.0.0.7", [(b"host", b"x")], b"{}"
        )
        self._readers: dict[str, tuple[Any, list[bytes]]] = {
            "in": (
                parcels.decode_in,
                [encode([parcels.LineIn(7, "open", handshake), parcels.LineIn(7, "said", b"{}")])],
            ),
            "out": (parcels.decode_out, [encode([parcels.LineOut([1, 2], b"hello"), parcels.LineOut([3], b"", 4503)])]),
            "handshake": (parcels.decode_handshake, [handshake]),
            "request": (carried_http._request, [encode(asked)]),
            "answer": (carried_http._answer, [encode(carried_http.CarriedAnswer(status=200, body=b"{}"))]),
            "rows": (rows._decode, [encode([])]),
            "letter": (lines._letter, [encode(Letter("a", 5, 77, 1, 0, False, b"hello"))]),
            "claims": (lines._claims, [encode({"b": (77, 3)})]),
        }

    def make(self, chance: Random) -> tuple[str, bytes]:
        kind = chance.choice([*self._readers])
        if chance.random() < 0.2:
            return kind, msgspec.msgpack.encode(msgspec.json.decode(_decodable(chance)))
        return kind, spoilt(
            chance, chance.choice(self._readers[kind][1]), [handed[0] for _, handed in self._readers.values()]
        )

    async def feed(self, given: tuple[str, bytes]) -> bool:
        read, _ = self._readers[given[0]]
        try:
            value = read(given[1])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        if read(msgspec.msgpack.encode(value)) != value:
            raise Wrong(f"read as {value}, and not again")
        return True


def _decodable(chance: Random) -> bytes:
    """Some JSON value that can be written in another form."""
    while True:
        made = spoilt_json(chance, [[1, "open", "x", {"a": [1, 2]}], 7, None])
        try:
            msgspec.msgpack.encode(msgspec.json.decode(made))
        except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
            continue
        return made
