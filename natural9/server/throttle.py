"""How often one may ask over HTTP: by person, by device, and by address for whoever is neither."""

import asyncio
import time
from typing import Final, NamedTuple

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from natural9.server.connections import HttpConnection
from natural9.server.people.addresses import neighbourhood
from natural9.server.people.answers import ApiError
from natural9.server.people.guards import Caller, peer_of
from natural9.server.people.limits import TooOften
from natural9.server.rates import Buckets, Clock, Rate

# What reads the journal. It is read aside, but even that is bounded.
READS: Final = (
    "/api/rounds",
    "/api/reports",
    "/api/shoes",
    "/api/verify",
    "/api/proof",
    "/api/receipt",
    "/api/card/statement",
)


class HttpRates(NamedTuple):
    """Requests, and reads of the journal among them. `slow_s`: whoever is told to wait is told so late that asking on
    is no use."""

    staff: Rate = Rate(at_once=1000, a_second=100)
    staff_reads: Rate = Rate(at_once=200, a_second=10)
    devices: Rate = Rate(at_once=300, a_second=10)
    device_reads: Rate = Rate(at_once=30, a_second=0.5)
    strangers: Rate = Rate(at_once=400, a_second=50)
    stranger_reads: Rate = Rate(at_once=60, a_second=1)
    slow_s: float = 0.5


class Throttle:
    """Stands behind the gate, which says who asks."""

    def __init__(self, app: ASGIApp, rates: HttpRates | None = None, clock_s: Clock = time.monotonic) -> None:
        rates = rates or HttpRates()
        self._app, self._slow_s = app, rates.slow_s
        asked = {"staff": rates.staff, "device": rates.devices, "": rates.strangers}
        read = {"staff": rates.staff_reads, "device": rates.device_reads, "": rates.stranger_reads}
        self._asked = {who: Buckets(rate, clock_s) for who, rate in asked.items()}
        self._read = {who: Buckets(rate, clock_s) for who, rate in read.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        retry_s = self._retry_s(scope) if scope["type"] == ScopeType.HTTP else 0
        if not retry_s:
            await self._app(scope, receive, self._slowed(send))
            return
        send = self._slowed(send)
        body = msgspec.json.encode(ApiError.of("too-often", TooOften(retry_s).why))
        headers = {"content-type": "application/json", "content-length": len(body), "retry-after": retry_s}
        raw = [(name.encode(), str(value).encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 429, "headers": raw})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _slowed(self, send: Send) -> Send:
        async def slowed(message: Message) -> None:
            if message["type"] == "http.response.start" and dict(message["headers"]).get(b"retry-after"):
                await asyncio.sleep(self._slow_s)
            await send(message)

        return slowed

    def _retry_s(self, scope: HTTPScope) -> int:
        who: Caller | None = scope.get("who")  # type: ignore[assignment]
        connection: HttpConnection | None = scope.get("connection")  # type: ignore[assignment]
        if who and connection:
            connection.identify(who.session.holder)
        kind, key = who.session.holder if who else ("", neighbourhood(peer_of(scope)))
        reads = scope["path"].startswith(READS)
        return self._asked[kind].of(key).take() or (self._read[kind].of(key).take() if reads else 0)
