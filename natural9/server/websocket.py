"""An open WebSocket, and what a table needs of it.

A listener gets whole text messages. Sending never waits: a client that does not read is told so and dropped, and stops
nobody. Whatever a client sends costs it something, whatever its kind; who has spent its budget is not read any more.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, cast

from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
)

from natural9.server.rates import Bucket, Rate

TEXT, BINARY, CONTINUATION = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION
PING, CLOSE = WSMsgType.PING, WSMsgType.CLOSE
TOO_MANY = 4429
FEW_FRAMES = 16  # in one read: what an honest terminal sends, and never waits for a crowd
CROWDED_S = 0.1  # how long one is not read while the crowd has sent its share
RATE = Rate(at_once=600, a_second=40)  # twice what a terminal may have outstanding: it may have to ask again
HEADER_ROOM = 14  # picows writes the frame's header into these bytes before the message
REASON_BYTES = 123  # what a close frame holds beside its code

log = logging.getLogger(__name__)


class Handshake(NamedTuple):
    """What a client asks for: header names in lower case, `peer` the address without its port."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    peer: str


class UpgradeRefused(NamedTuple):
    """The answer to an upgrade that is not granted: an HTTP status, with `code` and `message` as JSON, and when to come
    back if that is known."""

    status: int
    code: str
    message: str
    retry_s: int = 0


class OpenLine(Protocol):
    """Somebody who is connected, as whoever speaks to them knows it: by a WebSocket here, or at another machine."""

    who: Any
    budget: Bucket

    def send(self, message: bytes) -> bool: ...

    def put(self, frame: bytearray) -> bool:
        """Send a message that has `HEADER_ROOM` before it. The same frame may go to many."""

    def close(self, code: int, reason: str) -> None: ...

    @property
    def is_shut(self) -> bool: ...


class Listener(Protocol):
    """Whoever listens. `closed` follows every `opened`, once; not every `opening` is followed by `opened`."""

    def opening(self, handshake: Handshake) -> object:
        """Refused, or whatever shall be `connection.who`: token and Origin are checked here, before the answer."""

    def opened(self, connection: "Connection") -> None: ...

    def message(self, connection: "Connection", message: bytes) -> None:
        """A whole text message, valid UTF-8."""

    def closed(self, connection: "Connection") -> None: ...


class PortSettings(NamedTuple):
    """What all connections of one port share."""

    listener: Listener
    max_message: int
    max_waiting: int
    ping_s: float
    close_s: float
    rate: Rate
    refuse_s: float
    crowd: Bucket


class Connection(WSListener):
    """One open WebSocket. `who` is what `opening` returned; the headers of the handshake are not kept.

    `budget` is what it may send. The listener may put one in its place that several connections share.
    """

    __slots__ = (
        *("_abort", "_listener", "_parts", "_settings", "_shut", "_transport"),
        *("budget", "frames", "path", "peer", "who"),
    )

    def __init__(self, settings: PortSettings, transport: WSTransport, *, who: object, path: str, peer: str) -> None:
        self.who = who
        self.path = path
        self.peer = peer
        self.budget = Bucket(settings.rate)
        self.frames = 0
        self._settings = settings
        self._listener = settings.listener
        self._transport = transport
        self._shut = False
        self._parts: bytearray | None = None
        self._abort: asyncio.TimerHandle | None = None

    def send(self, message: bytes) -> bool:
        """Send a text message, or keep it for the socket; False once the connection is closed or dropped."""
        return self.put(bytearray(HEADER_ROOM) + message)

    def listen_with(self, listener: Listener) -> None:
        """From now on another hears what comes: for `opened` alone, before anything has."""
        self._listener = listener

    def close(self, code: int, reason: str) -> None:
        """Say why, and hang up when the client has answered or `close_s` is over."""
        self._shut = True
        if not self._transport.is_disconnected:
            fitting = reason.encode()[:REASON_BYTES].decode(errors="ignore")
            self._transport.send_close(cast(WSCloseCode, code), fitting)  # codes of our own are ints, too
            self._hang_up_later()

    @property
    def is_shut(self) -> bool:
        """Nothing that is sent reaches anybody."""
        return self._shut or self._transport.is_disconnected

    @property
    def waiting(self) -> int:
        """Bytes that the socket has not taken yet."""
        return self._transport.underlying_transport.get_write_buffer_size()

    @property
    def reads(self) -> bool:
        return self._transport.underlying_transport.is_reading()

    def spend(self, cost: float) -> bool:
        """Count what it sent. Whoever exceeds is told so and not read any more: reading, too, takes its time."""
        if self.budget.spend(cost):
            return True
        self._read_no_more()
        return False

    def _read_no_more(self) -> None:
        if self.reads:
            self._transport.underlying_transport.pause_reading()
            self.close(TOO_MANY, "too much at once: connect again, after a pause")

    def give_way(self, frames: int) -> None:
        """More than a few at once are read in turns, so that fifty bursts together are no stall for the others."""
        if not self._settings.crowd.spend(frames - FEW_FRAMES) and self.reads:
            self._transport.underlying_transport.pause_reading()
            asyncio.get_running_loop().call_later(CROWDED_S, self._read_on)

    def _read_on(self) -> None:
        if not self._shut and not self._transport.is_disconnected:
            self._transport.underlying_transport.resume_reading()

    def put(self, frame: bytearray) -> bool:
        # Not WSTransport.send: beyond 8 KiB that hands uvloop a view of a buffer which the next message overwrites.
        transport = self._transport
        if self._shut or transport.is_close_frame_sent:
            return False
        transport.send_reuse_external_bytearray(TEXT, frame, HEADER_ROOM)
        return not self._shut

    def _hang_up_later(self) -> None:
        if self._abort is None:
            hang_up = self._transport.underlying_transport.abort
            self._abort = asyncio.get_running_loop().call_later(self._settings.close_s, hang_up)

    # What picows calls.

    def on_ws_connected(self, transport: WSTransport) -> None:
        transport.request.headers.clear()
        transport.response.headers.clear()
        try:
            self._listener.opened(self)
        except Exception:
            log.exception("opening a connection of %s failed", self.peer)
            self.close(1011, "internal error")

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._shut = True
        if self._abort is not None:
            self._abort.cancel()
        self._listener.closed(self)

    def pause_writing(self) -> None:
        """More than `max_waiting` bytes wait: the client does not read. Called from inside a write, so act after it."""
        if not self._shut:
            self._shut = True
            asyncio.get_running_loop().call_soon(self.close, 1013, "too slow: connect again")

    def resume_writing(self) -> None:
        """Too late: it is being dropped."""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        self.frames += 1
        if not self.budget.spend(1):
            self._read_no_more()
        elif kind == CLOSE:
            self._shut = True
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
            self._hang_up_later()
        elif self._shut or transport.is_close_frame_sent:
            return  # picows may still deliver a frame behind the one that it closed the connection for
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(1002, "no extension was agreed on")
        elif kind == TEXT and frame.fin and self._parts is None:  # as nearly all are
            self._deliver(frame.get_payload_as_bytes())
        elif kind == PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif kind == BINARY:
            self.close(1003, "text messages only")
        elif kind in (TEXT, CONTINUATION):
            self._take_part(frame)

    def _take_part(self, frame: WSFrame) -> None:
        """One frame of several."""
        message = frame.get_payload_as_bytes()
        if (frame.msg_type == CONTINUATION) != (self._parts is not None):
            self.close(1002, "a fragment out of turn")
            return
        if self._parts is not None:
            self._parts += message
            if len(self._parts) > self._settings.max_message:
                self.close(1009, f"a message has at most {self._settings.max_message} bytes")
                return
            message = bytes(self._parts) if frame.fin else b""
        elif not frame.fin:
            self._parts = bytearray(message)
        if not frame.fin:
            return
        self._parts = None
        self._deliver(message)

    def _deliver(self, message: bytes) -> None:
        if message.isascii() or is_text(message):
            self._listener.message(self, message)
        else:
            self.close(1007, "not UTF-8")


def is_text(message: bytes) -> bool:
    """Whether it is UTF-8.

    >>> is_text("9♥".encode()), is_text(b"\\xff")
    (True, False)
    """
    try:
        return message.isascii() or bool(message.decode())
    except UnicodeDecodeError:
        return False


def broadcast(connections: Iterable[OpenLine], message: bytes) -> int:
    """Send one message to many; how many took it. The frame is made once."""
    frame = bytearray(HEADER_ROOM) + message
    return sum([connection.put(frame) for connection in connections])
