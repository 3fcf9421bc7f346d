"""Structured logs: one JSON object a line, with table and round where there is one. Never a card, a code or a token.

Nobody fills the log: the same line about the same seat or address comes only so often, and then says how many were left
out.
"""

import logging
import sys
import time
from collections import Counter
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict

from natural9.server.rates import MOST_KEYS, Buckets, Clock, Rate
from natural9.server.request_ids import add_request_id
from natural9.server.tracing import add_trace_ids

SAME_LINE: Final = Rate(at_once=30, a_second=0.2)


class Seldom:
    """The same line no oftener than a rate; what was left out is counted, and said with the next that is written."""

    def __init__(self, rate: Rate = SAME_LINE, clock: Clock = time.monotonic) -> None:
        self._buckets = Buckets(rate, clock)
        self._left_out: Counter[object] = Counter()

    def is_due(self, line: object) -> bool:
        if self._buckets.of(line).take():
            if line in self._left_out or len(self._left_out) < MOST_KEYS:
                self._left_out[line] += 1
            return False
        return True

    def left_out(self, line: object) -> int:
        return self._left_out.pop(line, 0)

    def __call__(self, _: object, __: str, fields: EventDict) -> EventDict:
        """As a processor of structlog."""
        line = (fields.get("event"), fields.get("table"), fields.get("seat"))
        if not self.is_due(line):
            raise structlog.DropEvent
        if left_out := self.left_out(line):
            fields["left_out"] = left_out
        return fields

    def filter(self, record: logging.LogRecord) -> bool:
        """As a filter of `logging`, for what the libraries and our own parts say there."""
        return self.is_due((record.name, record.msg))


def configure_logs(
    *, stream: TextIO = sys.stderr, as_json: bool = True, level: int = logging.INFO, node: str = ""
) -> None:
    """Ours and the libraries' alike; uvicorn's access log stays off, since addresses may carry one-time codes. With the
    name of a node, each line has it."""

    def of_node(_: object, __: str, fields: EventDict) -> EventDict:
        return {**fields, "node": node} if node else fields

    def on_one_line(_: object, __: str, fields: EventDict) -> EventDict:
        """What is no letter is written out, as JSON does by itself: nobody's name begins a line of its own."""
        return {**fields, "event": "".join([one if one.isprintable() else ascii(one)[1:-1] for one in fields["event"]])}

    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
        of_node,
        add_request_id,
        add_trace_ids,
        *([] if as_json else [on_one_line]),
    ]
    structlog.configure(
        processors=[Seldom(), *shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    handler.addFilter(Seldom())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "httpx"):  # which tells of every request
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"
        logger.setLevel(logging.WARNING)
