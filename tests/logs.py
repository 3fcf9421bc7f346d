"""What a program logs while a test looks; afterwards logging is as it was, so that no other test notices."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog

from natural9.server.logs import configure_logs


@contextmanager
def logged(**configured: Any) -> Iterator[io.StringIO]:
    """All that is written, as `configure_logs` has it."""
    stream, structured = io.StringIO(), structlog.get_config()
    loggers = [logging.getLogger(), *[logging.getLogger(name) for name in [*logging.root.manager.loggerDict]]]
    former = [(one, one.handlers[:], one.level, one.propagate) for one in loggers]
    try:
        configure_logs(stream=stream, **configured)
        yield stream
    finally:
        for logger, handlers, level, propagates in former:
            logger.handlers[:], logger.propagate = handlers, propagates
            logger.setLevel(level)
        structlog.configure(**structured)
