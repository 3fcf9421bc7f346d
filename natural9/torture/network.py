"""Lines between clients and the house: messages take their time, lines are cut and half open, readers stutter.

A living line loses nothing and changes no order, as TCP does not. One that is cut loses what is on its way, and either
end may learn of it late.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, Protocol

from picows import WSMsgType

from natural9.server.rates import Bucket
from natural9.server.upgrade import CROWD
from natural9.server.websocket import HEADER_ROOM, RATE, Connection, Handshake, Listener, PortSettings, UpgradeRefused
from natural9.torture.loop import SimulatedLoop

QUICK_S: Final = 0.002
HALF_OPEN_S: Final = 40.0  # two pings
MOST_WAITING: Final = 1024 * 1024
HOST: Final = "127.0.0.1"


class NetworkFaults(NamedTuple):
    """How likely each is."""

    late: float = 0.0  # of a message
    latest_s: float = 2.0
    cut: float = 0.0  # of a line, with a message
    half_open: float = 0.0  # that an end learns late of a cut
    stutter: float = 0.0  # that a reader stops for a while, with a message


NO_NETWORK_FAULTS: Final = NetworkFaults()


class FarEnd(Protocol):
    """Whoever is at the far end of a line."""

    def hear(self, message: bytes) -> None: ...

    def lost(self, code: int, reason: str) -> None:
        """The line is closed by the house, or gone (1006)."""


class _Frame(NamedTuple):
    """What a connection asks of a frame that picows has read."""

    payload: bytes
    msg_type: WSMsgType = WSMsgType.TEXT
    fin: bool = True
    rsv1: bool = False
    rsv2: bool = False
    rsv3: bool = False

    def get_payload_as_bytes(self) -> bytes:
        return self.payload


class _NumberedConnection(Connection):
    """Hashed by its number: those who are told of something are told in the same order every time."""

    __slots__ = ("number",)

    def __init__(self, number: int, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.number = number

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class SimulatedLine:
    """One WebSocket. To the house's connection it is picows' transport, and the socket below that."""

    def __init__(self, network: "Network", client: FarEnd, context: Context) -> None:
        self._network, self.client, self._house = network, client, context
        self.is_disconnected = self.is_close_frame_sent = False
        self.request = self.response = SimpleNamespace(headers={})
        self.is_open = True  # for the client
        self.is_cut = False
        self._connection: _NumberedConnection | None = None
        self._up_at = self._down_at = 0.0  # nothing overtakes what was sent before it
        self._reads_at = 0.0  # until then the client does not read
        self.unread = 0
        self._reading = True

    def begin(self, connection: _NumberedConnection) -> None:
        self._connection = connection
        connection.on_ws_connected(self)  # type: ignore[arg-type]

    # The client's end

    def send(self, message: bytes) -> None:
        """Whoever sends on a line that is gone is not told."""
        network = self._network
        if not self.is_open:
            return
        if network.is_cut_now():
            self.cut()
            return
        self._up_at = max(self._up_at, network.arrives_at())
        network.loop.call_at(self._up_at, self._arrive, message, context=self._house)

    def _arrive(self, message: bytes) -> None:
        if self._connection and not self.is_disconnected and self._reading:
            self._connection.on_ws_frame(self, _Frame(message))  # type: ignore[arg-type]

    def hang_up(self) -> None:
        """The client goes, and says so."""
        if self.is_open:
            self.is_open = False
            self._network.lines.pop(self, None)
            self._network.loop.call_at(self._network.arrives_at(), self._server_lost, context=self._house)

    # Gone

    def cut(self) -> None:
        """What is on its way is lost."""
        network = self._network
        if network.lines.pop(self, self) is self:
            return
        network.happened["line cut"] += 1
        network.loop.call_at(network.learns_at(), self._client_lost, 1006, "")
        network.loop.call_at(network.learns_at(), self._server_lost, context=self._house)
        self.is_cut = True

    def _client_lost(self, code: int, reason: str) -> None:
        if self.is_open:
            self.is_open = False
            self._network.lines.pop(self, None)
            self.client.lost(code, reason)

    def _server_lost(self) -> None:
        if self._connection and not self.is_disconnected:
            self.is_disconnected = True
            self._connection.on_ws_disconnected(self)  # type: ignore[arg-type]

    def house_is_gone(self) -> None:
        """Its process was killed: nobody is at the other end."""
        self.is_disconnected = True
        self._network.loop.call_at(self._network.learns_at(), self._client_lost, 1006, "")

    # The house's end: WSTransport

    def send_reuse_external_bytearray(self, kind: WSMsgType, frame: bytearray, offset: int) -> None:
        network = self._network
        if self.is_disconnected or self.is_cut:
            return
        if frame is network.frame:
            message = network.message
        else:  # of a frame that goes to many, once
            network.frame = frame
            message = network.message = bytes(memoryview(frame)[HEADER_ROOM:])
        faults, now = network.faults, network.loop.now
        if faults.stutter and network.stutters_now():
            self._reads_at = now + network.chance.uniform(0.1, 20.0)
        at = network.arrives_at() if faults.late else now + QUICK_S
        if at < self._down_at:
            at = self._down_at
        if at < self._reads_at:
            at = self._reads_at
        self._down_at = at
        self.unread += len(message)
        if self.unread > MOST_WAITING and self._connection:
            network.happened["slow reader dropped"] += 1
            self._connection.pause_writing()
        if at != network.batch_at:
            network.begin_batch(at)
        network.batch.append((self, message))

    def send_close(self, code: int, reason: str = "") -> None:
        self.is_close_frame_sent = True
        self._down_at = max(self._down_at, self._network.arrives_at())
        self._network.batch_at = -1.0  # what is said after this comes after it
        self._network.loop.call_at(self._down_at, self._closed, int(code), reason, context=self._network.nobody)

    def _closed(self, code: int, reason: str) -> None:
        self._network.loop.call_soon(self._server_lost, context=self._house)
        self._client_lost(code, reason)

    def disconnect(self) -> None:
        self._server_lost()

    @property
    def underlying_transport(self) -> "SimulatedLine":
        return self

    def abort(self) -> None:
        self._server_lost()

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_reading(self) -> bool:
        return self._reading

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True

    def send_pong(self, payload: bytes) -> None:
        pass


class Network:
    def __init__(self, chance: Random, faults: NetworkFaults | None = None) -> None:
        self.chance, self.faults = chance, faults or NO_NETWORK_FAULTS
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        self.loop = loop
        self.nobody = copy_context()  # who is no process that can be killed
        self.happened: Counter[str] = Counter()
        self.lines: dict[SimulatedLine, None] = {}
        self._count = 0
        self.batch: list[tuple[SimulatedLine, bytes]] = []  # what the house says at one moment to all
        self.batch_at = -1.0
        self.frame: bytearray | None = None  # the last that was sent
        self.message = b""

    def begin_batch(self, at: float) -> None:
        self.batch, self.batch_at = [], at
        self.loop.call_at(at, self._come, self.batch, context=self.nobody)

    def _come(self, batch: "list[tuple[SimulatedLine, bytes]]") -> None:
        if batch is self.batch:
            self.batch_at = -1.0
        for line, message in batch:
            line.unread -= len(message)
            if line.is_open and not line.is_cut:
                line.client.hear(message)

    def arrives_at(self) -> float:
        """When what is sent now is at the other end."""
        faults = self.faults
        if faults.late and self.chance.random() < faults.late:
            self.happened["late message"] += 1
            return self.loop.now + self.chance.uniform(QUICK_S, faults.latest_s)
        return self.loop.now + QUICK_S

    def learns_at(self) -> float:
        if self.faults.half_open and self.chance.random() < self.faults.half_open:
            self.happened["half open"] += 1
            return self.loop.now + self.chance.uniform(0.0, HALF_OPEN_S)
        return self.loop.now + QUICK_S

    def is_cut_now(self) -> bool:
        return bool(self.faults.cut) and self.chance.random() < self.faults.cut

    def stutters_now(self) -> bool:
        if self.faults.stutter and self.chance.random() < self.faults.stutter:
            self.happened["slow reader"] += 1
            return True
        return False

    def settings(self, listener: Listener, clock_s: Callable[[], float]) -> PortSettings:
        """Of the port of a house."""
        return PortSettings(listener, 16 * 1024, MOST_WAITING, 20.0, 2.0, RATE, 1.0, Bucket(CROWD, clock_s))

    def connect(
        self, settings: PortSettings, client: FarEnd, path: str, headers: Mapping[str, str], after: str, house: Context
    ) -> SimulatedLine | UpgradeRefused:
        """Now, as the house answers it: whoever connects has let the time pass that it takes."""
        query = {"after": after} if after else {}
        handshake = Handshake(path, query, {"host": HOST, **headers}, HOST)
        who = house.run(settings.listener.opening, handshake)
        if isinstance(who, UpgradeRefused):
            return who
        line = SimulatedLine(self, client, house)
        self._count += 1
        self.lines[line] = None
        connection = _NumberedConnection(self._count, settings, line, who=who, path=path, peer=HOST)
        house.run(line.begin, connection)
        return line

    def house_is_gone(self) -> None:
        for line in list(self.lines):
            line.house_is_gone()
        self.lines.clear()
