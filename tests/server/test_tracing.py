"""One bet is one trace, from the terminal's message over the commit to its answer, as a collector gets it."""

import json
import logging
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog

from natural9.core.errors import BadInput
from natural9.server import tracing
from natural9.server.app import make_app
from natural9.server.guests import Guest
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.tracing import is_asked_for, start_tracing, stop_tracing
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted
from tests.logs import logged
from tests.server.opened_house import opened
from tests.server.test_house import HERE, TABLE
from tests.table.live import CASHIER, MANAGER


class Collector:
    """Somebody who takes OTLP over HTTP, and keeps all of it."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        got = self.got

        class Takes(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    import gzip

                    body = gzip.decompress(body)
                got.append(body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Takes)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def spans(self) -> list[Any]:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        requests = [ExportTraceServiceRequest.FromString(body) for body in self.got]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    pytest.importorskip("opentelemetry.sdk", reason="natural9[telemetry] is not installed")
    one = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", one.address)
    start_tracing(node="node-1")
    yield one
    stop_tracing()
    one.close()


async def a_round(house: House) -> Guest:
    """Betting is open, and seat 1 has credit and somebody at it."""
    await house.start()
    room = house.room(TABLE)
    [code] = await house.accounts.devices.add([Place("terminal", TABLE, 1)], by="ada")
    session = (await house.accounts.devices.enrol(code.code, peer="")).session
    for number, command in enumerate(
        (staff.OpenTable(), staff.CreditTerminal(seat=1, cents=100_000), staff.LoadNewShoe(), staff.StartRound())
    ):
        who = CASHIER if isinstance(command, staff.CreditTerminal) else MANAGER
        assert isinstance(await room.writer.answer(Order(str(number), command), who), Accepted)
    return Guest(session, TABLE, seat=1)


def attributes(span: Any) -> dict[str, str | int]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


async def test_a_bet_is_one_trace_from_message_to_answer(tmp_path: Path, collector: Collector) -> None:
    house = await opened(tmp_path, MemoryStore())
    guest = await a_round(house)
    room = house.room(TABLE)
    number = room.published.round
    room.ask(guest, taps.Bet(request="b1", round=number, wager="banker", cents=10_000))
    room.ask(guest, taps.Bet(request="b2", round=number, wager="no such wager", cents=10_000))
    await room.writer.see(lambda state: None)  # in its turn, behind both
    await house.stop("over")
    stop_tracing()
    spans = {span.span_id: span for span in collector.spans()}
    bets = {attributes(span)["natural9.request"]: span for span in spans.values() if span.name == "bet"}
    assert bets.keys() == {"b1", "b2"}
    bet = bets["b1"]
    said = attributes(bet)
    assert (said["natural9.table"], said["natural9.seat"]) == (TABLE, 1)
    assert int(said["natural9.entry"]) > 0
    assert "natural9.refused" in attributes(bets["b2"])
    steps = sorted(
        (one for one in spans.values() if one.parent_span_id == bet.span_id), key=lambda one: one.start_time_unix_nano
    )
    assert [one.name for one in steps] == ["queue", "decide", "commit", "tell"]
    assert {one.trace_id for one in steps} == {bet.trace_id} != {bets["b2"].trace_id}
    assert steps[0].start_time_unix_nano == bet.start_time_unix_nano
    assert steps[-1].end_time_unix_nano == bet.end_time_unix_nano
    for before, after in pairwise(steps):
        assert before.end_time_unix_nano == after.start_time_unix_nano
    assert b"10000" not in b"".join(collector.got), "no amount leaves the house"


async def test_http_goes_on_from_who_asks_and_is_named_by_its_route(tmp_path: Path, collector: Collector) -> None:
    house = await opened(tmp_path, MemoryStore())
    await house.start()
    trace = "0af7651916cd43dd8448eb211c80319c"
    app: Any = make_app(house)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        parent = f"00-{trace}-b7ad6b7169203331-01"
        assert (
            await client.get(f"/api/venue/tables/{TABLE}/rules", headers={"traceparent": parent})
        ).status_code == 200
        assert (await client.get("/readyz", headers={"traceparent": "nonsense"})).status_code == 200
    await house.stop("over")
    stop_tracing()
    named = {span.name: span for span in collector.spans() if span.name.startswith("GET ")}
    assert set(named) == {"GET /api/venue/tables/{table}/rules", "GET /readyz"}
    assert named["GET /api/venue/tables/{table}/rules"].trace_id.hex() == trace


async def test_log_lines_and_answers_have_the_id_of_their_request(tmp_path: Path, collector: Collector) -> None:
    house = await opened(tmp_path, MemoryStore())
    await house.start()
    with logged() as lines:

        async def speaking(scope: Any, receive: Any, send: Any) -> None:
            structlog.get_logger().warning("heard")
            logging.getLogger("somebody.else").warning("heard, too")
            await inner(scope, receive, send)

        inner: Any = make_app(house)
        from natural9.server.request_ids import with_request_ids

        app: Any = tracing.with_traces(with_request_ids(speaking))
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            await client.get("/healthz", headers={"x-request-id": "desk-7.a"})
            made = await client.get("/healthz", headers={"x-request-id": 'a b"c'})
    await house.stop("over")
    said = [json.loads(line) for line in lines.getvalue().splitlines() if "heard" in line]
    assert [one["request_id"] for one in said[:2]] == ["desk-7.a"] * 2
    assert re.fullmatch(r"[0-9a-f]{16}", said[2]["request_id"])
    assert made.headers["x-request-id"]
    assert all(re.fullmatch(r"[0-9a-f]{32}", one["trace_id"]) for one in said)


async def test_off_nothing_is_made_and_nothing_loaded(tmp_path: Path) -> None:
    assert tracing.tracing() is None
    house = await opened(tmp_path, MemoryStore())
    guest = await a_round(house)
    room = house.room(TABLE)
    room.ask(guest, taps.Bet(request="b1", round=room.published.round, wager="banker", cents=10_000))
    assert not room._traced
    await room.writer.see(lambda state: None)
    await house.stop("over")

    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    assert tracing.with_traces(app) is app


def test_who_asks_for_traces() -> None:
    assert not is_asked_for({})
    assert is_asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"})
    assert is_asked_for({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"})
    assert not is_asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"})


def test_without_opentelemetry_it_says_which_line_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(BadInput, match=r"pip install 'natural9\[telemetry\]'"):
        start_tracing()
