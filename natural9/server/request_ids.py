"""Every HTTP request has an id: in the log's lines about it, and in its answer, so that a complaint leads to them."""

import re
import secrets
from contextvars import ContextVar
from typing import Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = b"x-request-id"
_GOOD: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")  # nothing that a log would take for something else
_BYTES: Final = 8

current_request: ContextVar[str] = ContextVar("current_request", default="")


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """The one that came along, where a proxy or a program gave it one; else a new one."""

    async def numbered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        sent = next((value for name, value in scope["headers"] if name == HEADER), b"")
        id = sent if _GOOD.fullmatch(sent) else secrets.token_hex(_BYTES).encode()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), (HEADER, id)]
            await send(message)

        token = current_request.set(id.decode())
        try:
            await app(scope, receive, told)
        finally:
            current_request.reset(token)

    return numbered


def add_request_id(_: object, __: str, fields: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """As a processor of structlog."""
    if (id := current_request.get()) and "request_id" not in fields:
        fields["request_id"] = id
    return fields
