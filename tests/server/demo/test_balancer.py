"""One address before several: in turn, around whoever is down, and cut off from whoever does not answer."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from natural9.server.demo.balancer import Balancer


@asynccontextmanager
async def echo(name: str) -> AsyncIterator[int]:
    """The port of one who answers each line with its name."""

    async def answer(reader: StreamReader, writer: StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(name.encode() + b" " + line)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


class Line:
    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def ask(self, text: str) -> str:
        """ "" where nobody is there any more."""
        self._writer.write(f"{text}\n".encode())
        with suppress(OSError):
            return (await self._reader.readline()).decode().strip()
        return ""

    def close(self) -> None:
        self._writer.close()


async def test_each_goes_to_the_next_and_stays_there_until_that_is_silent() -> None:
    async with AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(echo(name)) for name in ("one", "two")]
        balancer = Balancer()
        port = await balancer.start(0)
        stack.push_async_callback(balancer.stop)

        async def line() -> Line:
            opened = Line(*await asyncio.open_connection("127.0.0.1", port))
            stack.callback(opened.close)
            return opened

        assert await (await line()).ask("nobody is there") == ""
        balancer.learn(ready=[one, two], answering=[one, two])
        lines = [await line() for _ in range(4)]
        names = [(await each.ask("hello")).split()[0] for each in lines]
        assert sorted(names) == ["one", "one", "two", "two"]
        assert names[0] != names[1]
        balancer.learn(ready=[two], answering=[one, two])  # one is draining: who is there stays, nobody comes
        assert [(await each.ask("still")).split()[0] for each in lines] == names
        assert [await (await line()).ask("new") for _ in range(2)] == ["two new", "two new"]
        balancer.learn(ready=[two], answering=[two])
        assert [await each.ask("gone?") for each, name in zip(lines, names, strict=True) if name == "one"] == ["", ""]
        assert [await each.ask("here") for each, name in zip(lines, names, strict=True) if name == "two"] == [
            "two here", "two here",
        ]  # fmt: skip
        balancer.learn(ready=[], answering=[one])  # all drain
        assert await (await line()).ask("last") == "one last"


async def test_one_that_refuses_is_passed_by() -> None:
    async with echo("gone") as gone:
        pass
    async with echo("there") as there:
        balancer = Balancer()
        port = await balancer.start(0)
        balancer.learn(ready=[gone, there], answering=[gone, there])
        for _ in range(2):
            line = Line(*await asyncio.open_connection("127.0.0.1", port))
            assert await line.ask("hello") == "there hello"
            line.close()
        await balancer.stop()
