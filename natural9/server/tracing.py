"""OpenTelemetry traces: what a terminal asks, from its message to its answer; and HTTP requests.

Off unless the environment names a collector; then nothing here is called, and OpenTelemetry is not even loaded. A
request is timed by the stopwatch where it happens and its spans are made at the end, so that play waits for none of it.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import EventDict

from natural9.core.errors import BadInput
from natural9.extras import lacking
from natural9.table.live.outbox import BatchTimes

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
SERVICE: Final = "natural9"
_NS: Final = 1_000_000_000

# Set while traces are on.
_tracing: "Tracing | None" = None


class TracedRequest(Protocol):
    """What a terminal asked, on its way."""

    def answered(self, times: BatchTimes, outcome: Mapping[str, str | int]) -> None:
        """The answer is on its way to the terminal; `outcome` says what it was."""


class Tracing:
    """Makes the spans. Its parts are OpenTelemetry's own, which is not everywhere."""

    def __init__(self, provider: Any, *, stopwatch_s: Callable[[], float] = time.perf_counter) -> None:
        from opentelemetry import propagate, trace

        self._trace, self._propagate, self._provider = trace, propagate, provider
        self._tracer = provider.get_tracer(SERVICE)
        self._stopwatch_s = stopwatch_s
        # Spans are dated by the machine's clock, and timed by the stopwatch.
        self._ahead_ns = time.time_ns() - int(stopwatch_s() * _NS)

    def asked(self, what: str, attributes: Mapping[str, str | int]) -> TracedRequest:
        began_s = self._stopwatch_s()
        span = self._tracer.start_span(
            what, start_time=self._ns(began_s), attributes=attributes, kind=self._trace.SpanKind.SERVER
        )
        return _Asked(self, span, began_s)

    def _ns(self, at_s: float) -> int:
        return self._ahead_ns + int(at_s * _NS)

    def finish(self, span: Any, began_s: float, times: BatchTimes, outcome: Mapping[str, str | int]) -> None:
        ended_s = self._stopwatch_s()
        if span.is_recording():
            span.set_attributes(dict(outcome))
            inside = self._trace.set_span_in_context(span)
            steps = [
                ("queue", times.began_s),
                ("decide", times.decided_s),
                ("commit", times.durable_s),
                ("tell", ended_s),
            ]
            if times.began_s < began_s:  # it was answered at once, by no batch
                steps = []
            before_s = began_s
            for name, until_s in steps:
                step = self._tracer.start_span(name, inside, start_time=self._ns(before_s))
                step.end(self._ns(until_s))
                before_s = until_s
        span.end(self._ns(ended_s))

    def around(self, app: ASGIApp) -> ASGIApp:
        """HTTP: named by route, never by address, which may carry a code."""

        async def traced(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            carried = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            parent = self._propagate.extract(
                {key: carried[key] for key in ("traceparent", "tracestate") if key in carried}
            )
            method = scope["method"]
            with self._tracer.start_as_current_span(method, parent, kind=self._trace.SpanKind.SERVER) as span:

                async def told(message: Message) -> None:
                    if message["type"] == "http.response.start":
                        route = scope.get("path_template") or "(none)"
                        span.update_name(f"{method} {route}")
                        status = message["status"]
                        span.set_attributes(
                            {
                                "http.request.method": method,
                                "http.route": str(route),
                                "http.response.status_code": status,
                            }
                        )
                        if status >= 500:
                            span.set_status(self._trace.StatusCode.ERROR)
                    await send(message)

                await app(scope, receive, told)

        return traced

    def ids(self) -> dict[str, str]:
        """Of the trace that is being made here now; none where there is none."""
        context = self._trace.get_current_span().get_span_context()
        if not context.is_valid:
            return {}
        return {
            "trace_id": self._trace.format_trace_id(context.trace_id),
            "span_id": self._trace.format_span_id(context.span_id),
        }

    def stop(self) -> None:
        """What is on its way goes out, if anybody takes it."""
        self._provider.shutdown()


class _Asked:
    def __init__(self, tracing: Tracing, span: Any, began_s: float) -> None:
        self._tracing, self._span, self._began_s = tracing, span, began_s

    def answered(self, times: BatchTimes, outcome: Mapping[str, str | int]) -> None:
        self._tracing.finish(self._span, self._began_s, times, outcome)


def is_asked_for(environment: Mapping[str, str] = os.environ) -> bool:
    off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return not off and any(environment.get(name) for name in ENDPOINTS)


def start_tracing(*, node: str = "") -> None:
    """If the environment names a collector. BadInput where OpenTelemetry is not installed."""
    if not is_asked_for():
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError:
        raise BadInput(
            "not-installed",
            f"OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need {lacking('opentelemetry')}",
        ) from None
    named = {"service.name": os.environ.get("OTEL_SERVICE_NAME", SERVICE)}
    resource = Resource.create({**named, **({"service.instance.id": node} if node else {})})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace_with(Tracing(provider))


def trace_with(tracing: Tracing | None) -> None:
    global _tracing
    _tracing = tracing


def tracing() -> Tracing | None:
    """None while traces are off."""
    return _tracing


def stop_tracing() -> None:
    if _tracing:
        _tracing.stop()
    trace_with(None)


def with_traces(app: ASGIApp) -> ASGIApp:
    """The same application where traces are off."""
    return _tracing.around(app) if _tracing else app


def add_trace_ids(_: object, __: str, fields: EventDict) -> EventDict:
    """As a processor of structlog."""
    if _tracing:
        fields.update(_tracing.ids())
    return fields
