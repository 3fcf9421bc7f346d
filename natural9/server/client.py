"""A client for programs: sign in or enrol over HTTP, then live messages over a WebSocket.

async with Client("http://127.0.0.1:8909") as client:
    await client.enrol("7K3QM-...")
    live = await client.connect("/ws/table/tiger-1")
    welcome = await live.wait_for(protocol.Welcome)
    answer = await live.ask(Bet(request=live.new_request(), round=welcome.table.round, wager="tie", cents=500))
"""

import asyncio
import secrets
import ssl
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any, Self, TypeVar

import httpx
import msgspec
from picows import WSAutoPingStrategy, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from natural9.core.round.commands import Command
from natural9.server import protocol
from natural9.table.commands.orders import write
from natural9.table.commands.terminal import Tap

M = TypeVar("M", bound=protocol.Message)
Answer = protocol.Registered | protocol.Refused | protocol.Unknown

_decode = msgspec.json.Decoder(protocol.FromServer).decode


class ServerSaidNo(Exception):
    """An HTTP answer that is not a success: its status, and the code and sentence it came with."""

    def __init__(self, status: int, code: str, message: str, paragraph: str = "") -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code, self.message, self.paragraph = status, code, message, paragraph

    @property
    def is_decided(self) -> bool:
        """By any other answer, and without one, the same request is sent again to learn what became of it."""
        return self.status in (400, 404, 409)


class Closed(Exception):
    """The connection is gone: the code and the reason that the server gave."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"closed with {code} {reason}".strip())
        self.code, self.reason = code, reason


class Client:
    """One browser's worth of cookies. Made for one server."""

    def __init__(self, address: str, *, ssl_context: ssl.SSLContext | None = None) -> None:
        self.address = address.rstrip("/")
        self._ssl = ssl_context
        verify: ssl.SSLContext | bool = ssl_context if ssl_context is not None else True
        self._http = httpx.AsyncClient(base_url=self.address, verify=verify, timeout=30)
        self._csrf = ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: str) -> Any:
        return self._body(await self._http.get(path, params=query))

    async def post(self, path: str, body: object = None) -> Any:
        headers = {"content-type": "application/json", "x-csrf-token": self._csrf}
        return self._body(await self._http.post(path, content=msgspec.json.encode(body), headers=headers))

    def _body(self, response: httpx.Response) -> Any:
        if response.is_success:
            is_json = response.headers.get("content-type", "").startswith("application/json")
            body = response.json() if is_json and response.content else response.text
            if isinstance(body, dict) and "csrf" in body:
                self._csrf = body["csrf"]
            return body
        try:
            error = response.json()
            raise ServerSaidNo(response.status_code, error["code"], error["message"], error.get("paragraph", ""))
        except (ValueError, KeyError, TypeError):
            raise ServerSaidNo(response.status_code, "no-json", response.text[:200]) from None

    async def sign_in(self, id: str, password: str) -> None:
        await self.post("/api/sign-in", {"id": id, "password": password})

    async def enrol(self, code: str) -> None:
        """Become the device that this one-time code stands for."""
        await self.post("/api/enrol", {"code": code})

    async def order(
        self,
        table: str,
        command: Command,
        *,
        request: str = "",
        why: str = "",
        sign_in: tuple[str, str] | None = None,
        signature: tuple[str, str] | None = None,
    ) -> Any:
        """A command of staff at a table, under a new request id if none is given; with `sign_in`, by that person; with
        `signature`, signed by that person besides."""
        who = {
            name: {"id": one[0], "password": one[1]} if one else None
            for name, one in (("sign_in", sign_in), ("signature", signature))
        }
        body = {"request": request or secrets.token_hex(8), "command": write(command), "why": why, **who}
        return await self.post(f"/api/tables/{table}/commands", body)

    @property
    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)

    async def connect(self, path: str, *, after: str = "") -> "Live":
        """Open a WebSocket; `after` is `epoch:n` of the last message that was seen."""
        url = self.address.replace("http", "ws", 1) + path + (f"?after={after}" if after else "")
        _, live = await ws_connect(
            Live,
            url,
            ssl_context=self._ssl,
            extra_headers={"Cookie": self.cookies, "Origin": self.address},
            enable_auto_ping=True,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
        )
        assert isinstance(live, Live)
        return live


class Live(WSListener):
    """An open connection. Messages are kept in order until they are waited for; the last few thousand at most."""

    def __init__(self) -> None:
        self.messages: deque[protocol.FromServer] = deque(maxlen=5000)
        self.on_message: Callable[[protocol.FromServer], None] | None = None
        self._transport: WSTransport
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._news = asyncio.Event()
        self._closed: Closed | None = None
        self._mark, self._count = secrets.token_hex(4), count(1)

    def new_request(self) -> str:
        return f"{self._mark}-{next(self._count)}"

    async def ask(self, command: Tap) -> Answer:
        """Send a command and wait until it is durable, refused, or not known. Raises Closed. What was not answered, and
        what is not known, is asked again by the same command, also over another connection: it is done once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answers[command.request] = answer
        self.send(command)
        try:
            return await answer
        finally:
            self._answers.pop(command.request, None)

    def send(self, message: Tap | protocol.Ping | protocol.Turned | bytes) -> None:
        if self._closed:
            raise self._closed
        raw = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self._transport.send(WSMsgType.TEXT, raw)

    async def wait_for(self, shape: type[M], when: Callable[[M], bool] = lambda _: True, timeout_s: float = 30) -> M:
        """The next message of this kind for which it holds; what comes before it is passed over."""
        async with asyncio.timeout(timeout_s):
            while True:
                while self.messages:
                    message = self.messages.popleft()
                    if isinstance(message, shape) and when(message):
                        return message
                if self._closed:
                    raise self._closed
                self._news.clear()
                await self._news.wait()

    async def wait_closed(self, timeout_s: float = 30) -> Closed:
        async with asyncio.timeout(timeout_s):
            while self._closed is None:
                self._news.clear()
                await self._news.wait()
        return self._closed

    def close(self) -> None:
        self._transport.send_close()
        self._transport.disconnect()

    # What picows calls.

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            code: Any = frame.get_close_code()
            number = getattr(code, "value", code)  # codes of our own come as plain numbers
            self._end(number or 1005, str(frame.get_close_message() or ""))
            transport.send_close()
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT:
            self._take(_decode(frame.get_payload_as_bytes()))

    def _take(self, message: protocol.FromServer) -> None:
        if isinstance(message, protocol.Registered | protocol.Refused | protocol.Unknown):
            for request in [message.request] if isinstance(message, protocol.Refused) else message.requests:
                answer = self._answers.get(request)
                if answer and not answer.done():
                    answer.set_result(message)
        if self.on_message:
            self.on_message(message)
        else:
            self.messages.append(message)
        self._news.set()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._end(1006, "")

    def _end(self, code: int, reason: str) -> None:
        if self._closed is None:
            self._closed = Closed(code, reason)
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(self._closed)
            self._news.set()
