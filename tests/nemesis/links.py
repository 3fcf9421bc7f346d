"""A proxy for every link between a node and an engine, in a process of its own: cut, held up one way or both, slowed.

TCP delivers what it delivers in order, so a direction that is *held* keeps back what is sent, as a network does that
loses every packet, and delivers it when it is open again. A link that is *cut* resets what goes over it, and whoever
comes. This file is also the program of that process, and needs nothing but Python.
"""

import asyncio
import json
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TextIO

PIECE = 1 << 16
MOST_PIECES = 64  # on their way in one direction; whoever sends more waits


class State(NamedTuple):
    """Of one link. `slow_s`: everything takes so much longer, either way."""

    is_cut: bool = False
    holds_there: bool = False
    holds_back: bool = False
    slow_s: float = 0.0


OPEN = State()
CUT = State(is_cut=True)
HELD = State(holds_there=True, holds_back=True)
DEAF = State(holds_back=True)  # what is asked arrives, and no answer comes back
MUTE = State(holds_there=True)  # what is asked does not arrive


class Links:
    """Seen from the test. `ports[name]` is where the link begins."""

    def __init__(self, ends: dict[str, int]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(ends)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a Ctrl-C is for whoever started it: it ends with that one
        )
        self.ports: dict[str, int] = json.loads(self._read())

    def set(self, name: str, state: State) -> None:
        """It holds when this returns."""
        assert self._process.stdin, "it was made with a pipe"
        self._process.stdin.write(json.dumps([name, *state]) + "\n")
        self._process.stdin.flush()
        self._read()

    def _read(self) -> str:
        assert self._process.stdout, "it was made with a pipe"
        line = self._process.stdout.readline()
        assert line, "the proxy has ended"
        return line

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


# The process.


@dataclass(eq=False)
class Direction:
    may_pass: asyncio.Event = field(default_factory=asyncio.Event)

    def hold(self, is_held: bool) -> None:
        self.may_pass.clear() if is_held else self.may_pass.set()


class Link:
    def __init__(self, port: int) -> None:
        self.port, self.state = port, OPEN
        self.there, self.back = Direction(), Direction()
        self._lines: set[asyncio.StreamWriter] = set()
        self.set(OPEN)

    def set(self, state: State) -> None:
        self.state = state
        self.there.hold(state.holds_there)
        self.back.hold(state.holds_back)
        if state.is_cut:
            for line in self._lines:
                line.transport.abort()

    async def carry(self, near: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        """One connection, from its beginning to its end."""
        if self.state.is_cut:
            near_out.transport.abort()
            return
        try:
            far, far_out = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            near_out.transport.abort()
            return
        lines = {near_out, far_out}
        self._lines |= lines
        try:
            await asyncio.gather(self._pump(near, far_out, self.there), self._pump(far, near_out, self.back))
        except OSError:
            pass
        finally:
            self._lines -= lines
            for line in lines:
                line.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, way: Direction) -> None:
        """What comes goes on, later if need be; the end of it, too."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(MOST_PIECES)

        async def read() -> None:
            piece = b"-"
            while piece:
                try:
                    piece = await source.read(PIECE)
                except OSError:
                    piece = b""
                await pieces.put((asyncio.get_running_loop().time() + self.state.slow_s, piece))

        reading = asyncio.create_task(read())
        try:
            while True:
                due, piece = await pieces.get()
                await way.may_pass.wait()
                await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))
                if not piece:
                    break
                target.write(piece)
                await target.drain()
            if target.can_write_eof():
                target.write_eof()
        finally:
            reading.cancel()


async def serve(ends: dict[str, int], orders: TextIO, answers: TextIO) -> None:
    links = {name: Link(port) for name, port in ends.items()}
    servers = {name: await asyncio.start_server(link.carry, "127.0.0.1", 0) for name, link in links.items()}
    over = asyncio.Event()

    def say(what: Any) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    def obey(line: str) -> None:
        name, *state = json.loads(line)
        links[name].set(State(*state))
        say("done")

    def listen(loop: asyncio.AbstractEventLoop) -> None:
        for line in orders:
            loop.call_soon_threadsafe(obey, line)
        loop.call_soon_threadsafe(over.set)  # whoever started it is gone

    say({name: server.sockets[0].getsockname()[1] for name, server in servers.items()})
    threading.Thread(target=listen, args=(asyncio.get_running_loop(),), daemon=True).start()
    await over.wait()


if __name__ == "__main__":
    asyncio.run(serve(json.loads(sys.argv[1]), sys.stdin, sys.stdout))
