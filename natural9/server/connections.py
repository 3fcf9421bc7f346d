"""Connections at the port: how long each may take, how many there may be, and who goes first when it is full.

uvicorn waits for ever for the rest of a request. Here whoever says half of one, or nothing, is hung up on; and while
handles are short it is always somebody unknown who goes, the one who has been silent for longest first. Terminals and
staff keep theirs.
"""

import asyncio
import resource
from collections import Counter, OrderedDict
from collections.abc import Hashable
from typing import Any, ClassVar, Final, NamedTuple

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from natural9.server.people.addresses import neighbourhood
from natural9.server.security_headers import RAW

MOST_OF_AN_ADDRESS: Final = 256  # unknown ones: whoever has business says who it is with its first words
MOST_OF_ONE: Final = 64  # of one person or device, kept open after the answer
MOST_AT_ONCE: Final = 8  # requests that wait on one connection for the one before
LARGEST_HEAD: Final = 32 * 1024
MOST_HEADERS: Final = 100  # browsers send twenty, and proxies add a few: thousands of empty ones are work for us alone
LEAST_TAKEN: Final = 32 * 1024  # of an answer that waits, in the time that there is for it
SPARE_HANDLES: Final = 256  # for files, the journal and staff, beside one for each seat
TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n" + RAW + b"\r\n"
NO_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close\r\n" + RAW


class Patience(NamedTuple):
    """Seconds, of which an honest client needs few: for the head of a request from its first byte or from the
    connection, for its body, and for taking some of an answer."""

    head_s: float = 10
    body_s: float = 20
    answer_s: float = 30


USUAL: Final = Patience()


def raise_handle_limit() -> int:
    """As many handles as the system lets us have; how many that is."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def most_strangers(limit: int, seats: int) -> int:
    """With so many handles. The rest is the house's: one for each seat and some to spare, but never more than half.

    >>> most_strangers(65_536, seats=10_000), most_strangers(1024, seats=10_000)
    (55280, 512)
    """
    return limit - min(limit // 2, seats + SPARE_HANDLES)


class Door:
    """Which connections are open whose owner is not known yet, and how many those have who are."""

    def __init__(self, *, handles: int, strangers: int, most_of_an_address: int = MOST_OF_AN_ADDRESS) -> None:
        self._handles, self._strangers, self._most = handles, strangers, most_of_an_address
        self._unknown: OrderedDict[HttpConnection, None] = OrderedDict()  # the oldest first
        self._by_address: dict[str, OrderedDict[HttpConnection, None]] = {}
        self._known: Counter[Hashable] = Counter()

    @property
    def unknown(self) -> int:
        """How many are nobody's yet."""
        return len(self._unknown)

    def arrived(self, one: "HttpConnection") -> None:
        """The handle's own number says how full it is: the system gives the lowest that is free."""
        theirs = self._by_address.setdefault(one.address, OrderedDict())
        self._unknown[one] = theirs[one] = None
        if len(theirs) > self._most:
            self._drop(next(iter(theirs)))
        elif len(self._unknown) > self._strangers or one.handle >= self._handles:
            self._drop(next(iter(self._unknown)))

    def identified(self, one: "HttpConnection", holder: Hashable) -> bool:
        """It is somebody's; False if that one has too many open to keep this one, too."""
        self.left(one)
        self._known[holder] += 1
        one.holder = holder
        return self._known[holder] <= MOST_OF_ONE

    def left(self, one: "HttpConnection") -> None:
        if one.holder is not None:
            self._known[one.holder] -= 1
            if not self._known[one.holder]:
                del self._known[one.holder]
            one.holder = None
        elif one in self._unknown:
            del self._unknown[one]
            theirs = self._by_address[one.address]
            del theirs[one]
            if not theirs:
                del self._by_address[one.address]

    def _drop(self, one: "HttpConnection") -> None:
        self.left(one)
        one.transport.abort()


class HttpConnection(HttpToolsProtocol):
    """uvicorn's, with an end to its patience."""

    door: ClassVar[Door]
    patience: ClassVar[Patience]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.address, self.handle = "", -1
        self.holder: Hashable = None
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None  # until when some of the answer must be taken
        self._in_body = False
        self._head = 0  # bytes of a head that is not whole yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self.address = neighbourhood(self.client[0]) if self.client else ""
        self.handle = transport.get_extra_info("socket").fileno()
        self._wait(self.patience.head_s)
        self.door.arrived(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._go_on()
        self._has_taken()
        self.door.left(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and not self._in_body:
            self._wait(self.patience.head_s)
        self._head += len(data)
        super().data_received(data)
        if self._in_body:
            self._head = 0
        elif self._head > LARGEST_HEAD:
            self.send_400_response("Request head too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["connection"] = self  # type: ignore[typeddict-unknown-key]  # for `identify`
        if self._deadline is None:  # it shares a packet with the end of the request before
            self._wait(self.patience.head_s)

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MOST_HEADERS:
            raise ValueError("too many headers")  # the parser stops, and it is answered with a 400
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_AT_ONCE:
            raise ValueError("too many requests at once")  # the parser stops, and they are answered with a 400
        super().on_headers_complete()
        self._in_body = True
        self._wait(self.patience.body_s)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body, self._head = False, 0
        self._go_on()

    def send_400_response(self, msg: str) -> None:
        """As uvicorn's, with the headers of every answer."""
        self.transport.write(NO_REQUEST + f"content-length: {len(msg)}\r\n\r\n{msg}".encode())
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is the WebSocket's, which has time-outs of its own."""
        self._go_on()
        self.door.left(self)
        super().handle_websocket_upgrade()

    def identify(self, holder: Hashable) -> None:
        """A request on it was somebody's; of the very many connections of one, few are kept for the next."""
        if holder != self.holder and not self.door.identified(self, holder):
            self.cycle.keep_alive = False

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._look_again()

    def _look_again(self, before: int = 0) -> None:
        """Much of the answer waits: hang up unless less and less does."""
        waiting = self.transport.get_write_buffer_size()
        if before and waiting > before - LEAST_TAKEN:
            self.transport.abort()
        else:
            self._unread = self.loop.call_later(self.patience.answer_s, self._look_again, waiting)

    def resume_writing(self) -> None:
        self._has_taken()
        super().resume_writing()

    def _wait(self, seconds: float) -> None:
        self._go_on()
        self._deadline = self.loop.call_later(seconds, self._hang_up)

    def _go_on(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _has_taken(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _hang_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(TOO_SLOW)
            self.transport.close()


def http_protocol(door: Door, patience: Patience = USUAL) -> type[HttpConnection]:
    """The class for uvicorn's `http=`."""
    return type("BoundHttpConnection", (HttpConnection,), {"door": door, "patience": patience})
