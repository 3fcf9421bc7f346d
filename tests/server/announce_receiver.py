"""A receiver of announcements on loopback, that can be away, silent or contrary."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple


class Posted(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.body)
        return answer


class Receiver:
    def __init__(self) -> None:
        self.took: list[Posted] = []
        self.asked: list[Posted] = []  # all that came, taken or not
        self.answer = "200 OK"  # "" for none
        self.header = ""
        self.port = 0
        self.lines: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server:
            self._server.close()
            for line in [*self.lines]:
                line.close()
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines.add(writer)
        try:
            while first := await reader.readline():
                headers = {}
                while (line := await reader.readline()).strip():
                    name, _, value = line.decode().partition(":")
                    headers[name.lower()] = value.strip()
                body = await reader.readexactly(int(headers["content-length"]))
                posted = Posted(first.decode().split()[1], headers, body)
                self.asked.append(posted)
                if not self.answer:
                    continue
                if self.answer.startswith("2"):
                    self.took.append(posted)
                writer.write(f"HTTP/1.1 {self.answer}\r\n{self.header}content-length: 0\r\n\r\n".encode())
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.lines.discard(writer)
            writer.close()


@asynccontextmanager
async def a_receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    await receiver.open()
    try:
        yield receiver
    finally:
        await receiver.close()
