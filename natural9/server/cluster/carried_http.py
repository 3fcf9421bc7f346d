"""A request over HTTP at a node that has not what it asks for is carried to the one that has, and its answer back.

What only reads the records, or nothing of the venue, any node answers. Whatever is carried has passed the gate of the
node that it came to, and passes that of the node that answers it, too: each looks for itself who asks, and whether they
may. It is carried once: a node that has not what it is asked for either says so.
"""

import asyncio
from collections.abc import Collection
from typing import Any, Final

import msgspec
from litestar.enums import ScopeType
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from msgspec import Struct

from natural9.core.saying import Said, say
from natural9.server.cluster.lines import AnswerFailed, Lines, NoAnswer, NodeAway
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts, table_stream
from natural9.server.people.answers import ApiError
from natural9.server.people.guards import FORWARDED, LARGEST_BODY, SAFE_METHODS, peer_of
from natural9.table.live.answers import NOT_KNOWN

KIND: Final = "http"
ANSWER_S: Final = 30.0  # a password takes a while, and so does a queue
MOST_AT_ONCE: Final = 2000
# What belongs to one table, whose name follows.
OF_A_TABLE: Final = ("/api/tables/", "/api/odds/tables/", "/api/training/")
# What any node answers from the records that all read, or from what they all have. Who is signed in, too: every node
# follows the office.
ANYWHERE: Final = (
    *("/api/reports", "/api/rounds", "/api/search", "/api/shoes", "/api/proof", "/api/floor"),
    *("/api/odds", "/api/venue", "/api/rules", "/api/me", "/api/openapi.json", "/api/protocol"),
)


def whose(path: str, tables: Collection[str]) -> str | None:
    """The stream that whoever answers this must have; None if any node can.

    >>> whose("/api/tables/tiger-1/commands", ["tiger-1"]), whose("/api/tables/none", ["tiger-1"])
    ('table/tiger-1', None)
    >>> whose("/api/sign-in", []), whose("/api/rounds/tiger-1", []), whose("/pit", [])
    ('venue', None, None)
    """
    for prefix in OF_A_TABLE:
        if path.startswith(prefix):
            table = path.removeprefix(prefix).partition("/")[0]
            return table_stream(table) if table in tables else None  # there is no such table anywhere
    if not path.startswith("/api/") or any(path == one or path.startswith(one + "/") for one in ANYWHERE):
        return None
    return OFFICE


class CarriedRequest(Struct, frozen=True, array_like=True):
    stream: str
    method: str
    path: str
    raw_path: bytes
    query: bytes
    scheme: str
    peer: str
    headers: list[tuple[bytes, bytes]]
    body: bytes


class CarriedAnswer(Struct, frozen=True, array_like=True):
    """`is_moved`: what was asked for is not here, and nothing was done."""

    is_moved: bool = False
    status: int = 0
    headers: list[tuple[bytes, bytes]] = []
    body: bytes = b""


_encode = msgspec.msgpack.Encoder().encode
_request = msgspec.msgpack.Decoder(CarriedRequest).decode
_answer = msgspec.msgpack.Decoder(CarriedAnswer).decode


class CarriedHttp:
    """Both ends. `make_app(house, carried=...)` puts it between the gate and the routes, and says what answers."""

    def __init__(self, lines: Lines, whereabouts: Whereabouts, tables: Collection[str]) -> None:
        self._lines, self._whereabouts, self._tables = lines, whereabouts, tables
        self._on_their_way = 0

    def before(self, routes: ASGIApp) -> ASGIApp:
        """The routes of this node, but for what another has."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP and not scope.get("carried"):
                stream = whose(scope["path"], self._tables)
                if stream and not self._is_here(stream):
                    await self._carry(stream, scope, receive, send)
                    return
            await routes(scope, receive, send)

        return answer

    def answer_with(self, app: ASGIApp) -> None:
        """From now on what others carry here is answered, by the whole application."""

        async def answer(_: str, body: bytes) -> bytes:
            request = _request(body)
            if not self._is_here(request.stream):
                return _encode(CarriedAnswer(is_moved=True))
            return _encode(await run(app, request))

        self._lines.serve(KIND, answer)

    def _is_here(self, stream: str) -> bool:
        return self._whereabouts.owner_of(stream) == self._whereabouts.here

    async def _carry(self, stream: str, scope: HTTPScope, receive: Receive, send: Send) -> None:
        owner = self._whereabouts.owner_of(stream)
        if owner is None or self._on_their_way >= MOST_AT_ONCE:
            await _say_one_moment(send)
            return
        try:
            request = await _written(stream, scope, receive)
        except RequestEntityTooLarge:
            too_large = say("A request holds at most {most} bytes.", most=LARGEST_BODY)
            await _refuse(send, 413, "too-large", too_large)
            return
        if request is None:
            return
        self._on_their_way += 1
        try:
            answer = _answer(await self._lines.ask(owner, KIND, _encode(request), ANSWER_S))
        except (NoAnswer, AnswerFailed):
            if scope["method"] in SAFE_METHODS:
                await _say_one_moment(send)
            else:
                await _refuse(send, 503, "unknown", NOT_KNOWN.why, retry_s=1)
            return
        except NodeAway:
            await _say_one_moment(send)
            return
        finally:
            self._on_their_way -= 1
        if answer.is_moved:
            await _say_one_moment(send)
        else:
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            await send({"type": "http.response.body", "body": answer.body, "more_body": False})


async def _written(stream: str, scope: HTTPScope, receive: Receive) -> CarriedRequest | None:
    """None if whoever asked is gone before it was said."""
    body = b""
    while True:
        message: Any = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    forwarded = FORWARDED.encode()
    return CarriedRequest(
        stream=stream,
        method=scope["method"],
        path=scope["path"],
        raw_path=scope["raw_path"],
        query=scope["query_string"],
        scheme=scope["scheme"],
        peer=peer_of(scope),  # as the gate found it: which proxies it came through has been seen to
        headers=[(bytes(name), bytes(value)) for name, value in scope["headers"] if name.lower() != forwarded],
        body=body,
    )


async def run(app: ASGIApp, request: CarriedRequest) -> CarriedAnswer:
    """The application's whole answer."""
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path,
        "query_string": request.query,
        "root_path": "",
        "headers": request.headers,
        "client": (request.peer, 0),
        "server": None,
        "state": {},
        "carried": True,
    }
    unread: list[Any] = [{"type": "http.request", "body": request.body, "more_body": False}]
    status, headers, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()
    over = asyncio.Event()

    async def receive() -> Any:
        if unread:
            return unread.pop()
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [(bytes(name), bytes(value)) for name, value in message.get("headers", [])]
        elif message["type"] == "http.response.body":
            parts.append(bytes(message.get("body", b"")))

    await app(scope, receive, send)
    over.set()
    return CarriedAnswer(status=status, headers=headers, body=b"".join(parts))


async def _say_one_moment(send: Send) -> None:
    why = say("This goes to another machine of the house at this moment: ask again.")
    await _refuse(send, 503, "one-moment", why, retry_s=1)


async def _refuse(send: Send, status: int, code: str, why: Said, retry_s: int = 0) -> None:
    body = msgspec.json.encode(ApiError.of(code, why))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if retry_s:
        headers.append((b"retry-after", str(retry_s).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
