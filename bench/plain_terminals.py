"""Terminals that cost little: what they send is made beforehand, and of what they are sent they read what they must.

Whoever measures a server from the same machine takes time from it. These are plain sockets in one loop without a
framework; nothing is left out that a terminal does: a connection each, frames masked, every frame of the server read
to its end and every ping answered.
"""

import select
import socket
import time
from base64 import b64encode
from collections.abc import Sequence
from itertools import cycle
from urllib.parse import urlsplit

from bench.live_server import TABLE, LiveServer

TEXT, PING, PONG = 0x81, 0x89, 0x8A  # each whole in its one frame
MASK = bytes.fromhex("37fa213d")  # of RFC 6455's own example
READ_BYTES = 65_536
QUIET_S = 60  # so long without a word, and the server is stuck
REGISTERED = b'{"type":"registered","requests":['
OTHERS = (b'{"type":"table"', b'{"type":"seat"', b'{"type":"welcome"')


def client_frame(kind: int, payload: bytes) -> bytes:
    """As a client sends it, of up to 125 bytes.

    >>> client_frame(TEXT, b"Hello").hex()
    '818537fa213d7f9f4d5158'
    """
    assert len(payload) < 126, "a longer one has another header"
    masked = bytes(one ^ other for one, other in zip(payload, cycle(MASK)))
    return bytes((kind, 0x80 | len(payload))) + MASK + masked


def first_frame(data: bytes) -> tuple[int, int] | None:
    """Where the payload of a server's first frame starts and ends; None if not all of it is there.

    >>> first_frame(b"\\x81\\x05Hello..."), first_frame(b"\\x81\\x05Hell")
    ((2, 7), None)
    """
    if len(data) < 2:
        return None
    start, length = 2, data[1]
    if length > 125:
        start = 4 if length == 126 else 10
        length = int.from_bytes(data[2:start], "big")
    return (start, start + length) if len(data) >= start + length else None


class Turn:
    """What every terminal bets in one turn, one after another.

    `frames[many][first]` is what it sends of them at a time, and `answers[many][first]` how the answer to it begins.
    """

    def __init__(self, requests: Sequence[bytes], messages: Sequence[bytes], in_flight: int) -> None:
        self.bets, self.in_flight = len(requests), in_flight
        named = [b'"%s"' % request for request in requests]
        framed = [client_frame(TEXT, message) for message in messages]
        many, each = range(in_flight + 1), range(len(requests) + 1)
        self.frames = [[b"".join(framed[first : first + some]) for first in each] for some in many]
        self.answers = [
            [b"%s%s]" % (REGISTERED, b",".join(named[first : first + some])) for first in each] for some in many
        ]


class PlainTerminal:
    """Sends as many bets as were answered, and has every answer be the one that is due: none is missing, and none comes
    twice. Answers come in the order of the bets."""

    def __init__(self, server: LiveServer, seat: int) -> None:
        address = urlsplit(server.address)
        self.line = socket.create_connection((address.hostname, address.port), timeout=QUIET_S)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.line.sendall(handshake(server, seat))
        self._rest = _upgraded(self.line)
        self.line.setblocking(False)
        self._sent_at: list[float] = []  # each bet of the turn

    def begin(self, turn: Turn) -> None:
        self._turn, self._answered, self._sent_at = turn, 0, []
        self._send(turn.in_flight)

    def read(self) -> list[float]:
        """What the server has sent: how long each answer in it took."""
        got = self.line.recv(READ_BYTES)
        if not got:
            raise SystemExit("the server hung up")
        data, seconds = self._rest + got, list[float]()
        while place := first_frame(data):
            kind, message, data = data[0], data[place[0] : place[1]], data[place[1] :]
            if message.startswith(REGISTERED):
                seconds += self._take(message)
            elif kind == PING:
                self.line.send(client_frame(PONG, message))
            elif not message.startswith(OTHERS):
                raise SystemExit(f"the server said {message[:300]!r}")
        self._rest = data
        return seconds

    def _take(self, registered: bytes) -> list[float]:
        # As many commas before the end of the list as requests in it: the first stands before the list.
        many, first = registered.count(b",", 0, registered.index(b"]")), self._answered
        if first + many > len(self._sent_at) or not registered.startswith(self._turn.answers[many][first]):
            raise SystemExit(f"after {first} answers came {registered[:300]!r}")
        now = time.perf_counter()
        self._answered += many
        self._send(many)
        return [now - sent_at for sent_at in self._sent_at[first : first + many]]

    def _send(self, many: int) -> None:
        first = len(self._sent_at)
        if frames := self._turn.frames[many][first]:
            self._sent_at += [time.perf_counter()] * min(many, self._turn.bets - first)
            if self.line.send(frames) != len(frames):
                raise SystemExit("the server does not read")


class PlainTerminals:
    """Seats 1, 2, 3 ... of the table."""

    def __init__(self, server: LiveServer, many: int) -> None:
        self._all = [PlainTerminal(server, seat) for seat in range(1, many + 1)]
        self._by_line = {one.line.fileno(): one for one in self._all}
        self._poll = select.epoll()
        for line in self._by_line:
            self._poll.register(line, select.EPOLLIN)

    def bet(self, turn: Turn) -> list[float]:
        """Until every bet of every terminal is answered: how long each took, in seconds."""
        seconds: list[float] = []
        for terminal in self._all:
            terminal.begin(turn)
        while len(seconds) < turn.bets * len(self._all):
            ready = self._poll.poll(QUIET_S)
            if not ready:
                raise SystemExit(f"the server has said nothing for {QUIET_S} s")
            for line, _ in ready:
                seconds += self._by_line[line].read()
        return seconds


def handshake(server: LiveServer, seat: int) -> bytes:
    """What the terminal of this seat says first."""
    lines = (
        f"GET /ws/table/{TABLE} HTTP/1.1",
        f"Host: {urlsplit(server.address).netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {b64encode(seat.to_bytes(16, 'big')).decode()}",
        f"Origin: {server.address}",
        f"Cookie: {server.cookies[seat - 1]}",
    )
    return "\r\n".join([*lines, "", ""]).encode()


def _upgraded(line: socket.socket) -> bytes:
    """What came behind the answer to the handshake."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += line.recv(READ_BYTES) or b"\r\n\r\n"
    if not answer.startswith(b"HTTP/1.1 101"):
        raise SystemExit(f"the server said {answer[:300]!r}")
    return answer.partition(b"\r\n\r\n")[2]
