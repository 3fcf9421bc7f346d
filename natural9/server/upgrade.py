"""Who asks for a WebSocket is answered, on the port of the HTTP server: picows as uvicorn's `ws=` protocol.

`uvicorn.Config(app, ws=websocket_protocol(listener))`. The listener decides on each upgrade before it is answered.
"""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any, ClassVar, cast
from urllib.parse import parse_qsl, unquote

from picows import (
    WSAutoPingStrategy,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import (  # type: ignore[attr-defined]  # its stub leaves these out
    WSProtocol,
    _parse_http_request,
)
from uvicorn.config import Config
from uvicorn.server import ServerState

from natural9.server.rates import Bucket, Rate
from natural9.server.security_headers import SECURITY_HEADERS
from natural9.server.websocket import (
    FEW_FRAMES,
    RATE,
    Connection,
    Handshake,
    Listener,
    PortSettings,
    UpgradeRefused,
)

CROWD = Rate(at_once=500, a_second=4000)  # frames beyond `FEW_FRAMES` in one read, of all connections together
READ_BYTES = 4096  # at a time: so few empty frames are taken before they are counted
BYTES_A_TOKEN = 2048  # a frame costs one, and so do so many bytes, and a read that completed no frame
FIRST_BUFFER_BYTES = 2048  # picows doubles it for whoever sends more
QUERY_FIELDS = 16
OF_THE_UPGRADE = "upgrade", "connection", "sec-websocket-"
MOST_HELD = 1000  # who is told to wait and is not answered yet

log = logging.getLogger(__name__)


class _ClientLog(logging.LoggerAdapter[logging.Logger]):
    """What clients do wrong is no error of ours. (Given a plain logger, picows makes one more for each connection.)"""

    info = warning = error = logging.LoggerAdapter.debug


CLIENT_LOG = _ClientLog(log, None)


def refusal(refused: UpgradeRefused) -> WSUpgradeResponseWithListener:
    body = json.dumps({"code": refused.code, "message": refused.message}, ensure_ascii=False).encode()
    kind = {"Content-Type": "application/json", "Cache-Control": "no-store", **SECURITY_HEADERS}
    if refused.retry_s:
        kind["Retry-After"] = str(refused.retry_s)
    return WSUpgradeResponseWithListener(WSUpgradeResponse.create_error_response(refused.status, body, kind), None)


def read_handshake(request: WSUpgradeRequest, peer: str) -> Handshake:
    """Raise ValueError for a target that cannot be read."""
    path, _, query = request.path.decode("ascii").partition("?")
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        name = name.lower()
        # A header sent twice becomes one value, so that nothing can hide behind the first.
        headers[name] = f"{headers[name]}{'; ' if name == 'cookie' else ', '}{value}" if name in headers else value
    fields = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=QUERY_FIELDS)
    return Handshake(unquote(path, errors="strict"), dict(fields), headers, peer)


def answer(
    settings: PortSettings, transport: WSTransport, request: WSUpgradeRequest
) -> Connection | WSUpgradeResponseWithListener:
    address = transport.underlying_transport.get_extra_info("peername")
    peer = str(address[0]) if address else ""
    try:
        handshake = read_handshake(request, peer)
    except ValueError:
        return refusal(UpgradeRefused(400, "bad-target", "the target of the upgrade cannot be read; ask for a path"))
    if not all(value.isascii() for name, value in handshake.headers.items() if name.startswith(OF_THE_UPGRADE)):
        # picows quotes them in what it answers, and fails at it.
        return refusal(UpgradeRefused(400, "bad-upgrade", "the headers of an upgrade are plain letters"))
    try:
        who = settings.listener.opening(handshake)
        if isinstance(who, UpgradeRefused):
            return refusal(who)
    except Exception:
        log.exception("answering an upgrade of %s failed", peer)
        return refusal(UpgradeRefused(500, "internal-error", "the server failed to answer; try again later"))
    return Connection(settings, transport, who=who, path=handshake.path, peer=peer)


# What `super()` would find anew with every read.
_get_buffer, _buffer_updated = WSProtocol.get_buffer, WSProtocol.buffer_updated


class TableProtocol(WSProtocol):  # type: ignore[misc]  # picows gives it no type
    """picows as uvicorn wants it."""

    __slots__ = ("_granted", "_refusal", "connections")
    settings: ClassVar[PortSettings]
    held: ClassVar[set["TableProtocol"]]

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(
            None,  # host and path are a client's
            None,
            False,  # the server's side
            self.answer,  # asked for in `data_received`
            CLIENT_LOG,
            True,  # an exception of the listener closes the connection
            None,  # uvicorn has read the whole handshake
            True,  # pings
            self.settings.ping_s,
            self.settings.ping_s,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            False,  # no pongs by itself: a ping is answered where it is counted
            self.settings.max_message,
            None,
            FIRST_BUFFER_BYTES,
        )
        self.connections = server_state.connections
        self._granted: Connection | WSUpgradeResponseWithListener | None = None
        self._refusal: asyncio.TimerHandle | None = None

    def answer(self, request: WSUpgradeRequest) -> Connection | WSUpgradeResponseWithListener:
        request.headers["Connection"] = "Upgrade"  # Firefox sends "keep-alive, Upgrade", which picows would not take
        assert self._granted is not None, "decided on before picows was given the handshake"
        return self._granted

    def connection_made(self, transport: asyncio.Transport) -> None:
        # uvicorn does this after the handshake; what `opened` sends must already be watched by us.
        transport.set_protocol(self)
        transport.set_write_buffer_limits(high=self.settings.max_waiting)
        super().connection_made(transport)
        self.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._refusal:
            self._refusal.cancel()
            self.held.discard(self)
        self.connections.discard(self)
        if self.transport is not None:  # else it was never made, and picows would end the whole process over it
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """uvicorn hands the handshake over, whole; all else is read straight into picows' buffer."""
        with suppress(RuntimeError):  # what cannot be read picows answers with 400
            request = _parse_http_request(data.partition(b"\r\n\r\n")[0])
            self._granted = answer(self.settings, self.transport, request)
            if isinstance(self._granted, WSUpgradeResponseWithListener):
                self._refuse(self._granted.response)
                return
        while data:
            room = self.get_buffer(len(data))
            taken = min(len(room), len(data))
            room[:taken] = data[:taken]
            self.buffer_updated(taken)
            data = data[taken:]

    def _refuse(self, response: WSUpgradeResponse) -> None:
        transport = self.transport.underlying_transport
        if "Retry-After" not in response.headers:
            self._hang_up(response)
        elif len(self.held) >= MOST_HELD:
            transport.abort()
        else:
            self.held.add(self)
            transport.pause_reading()
            later = asyncio.get_running_loop().call_later
            self._refusal = later(self.settings.refuse_s, self._hang_up, response)

    def _hang_up(self, response: WSUpgradeResponse) -> None:
        transport = self.transport.underlying_transport
        transport.write(bytes(response.to_bytes()))
        transport.close()

    def get_buffer(self, size_hint: int) -> memoryview:
        room: memoryview = _get_buffer(self, size_hint)
        return room if len(room) <= READ_BYTES else room[:READ_BYTES]

    def buffer_updated(self, nbytes: int) -> None:
        connection = self.listener
        before = connection.frames if connection else 0
        _buffer_updated(self, nbytes)
        if connection:
            frames = connection.frames - before
            if connection.spend(nbytes / BYTES_A_TOKEN + (not frames)) and frames > FEW_FRAMES:
                connection.give_way(frames)

    def shutdown(self) -> None:
        """uvicorn stops: it waits until the last connection is gone."""
        if self.listener is not None and not self.transport.is_disconnected:
            self.listener.close(1012, "the server restarts: connect again")
        else:
            self.transport.underlying_transport.abort()


def websocket_protocol(
    listener: Listener,
    *,
    max_message: int = 16 * 1024,
    max_waiting: int = 1024 * 1024,
    ping_s: float = 20.0,
    close_s: float = 2.0,
    rate: Rate = RATE,
    refuse_s: float = 1.0,
) -> type[asyncio.Protocol]:
    """The class for uvicorn's `ws=`.

    A client is pinged after `ping_s` of silence and dropped after as much again; one with more than `max_waiting`
    unsent bytes, or that does not answer a close, is cut off after `close_s`. `rate` is what each may send, in frames
    of at most 2 KiB each. Whoever is told to come back later is told so after `refuse_s`, so that trying on is no use.
    """

    class Bound(TableProtocol):
        __slots__ = ()
        held: ClassVar[set[TableProtocol]] = set()
        settings = PortSettings(listener, max_message, max_waiting, ping_s, close_s, rate, refuse_s, Bucket(CROWD))

    return cast(type[asyncio.Protocol], Bound)
