"""A real `natural9 serve` as a process of its own, with terminals enrolled and credited before it starts."""

import asyncio
import logging
import os
import re
import resource
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import structlog
from picows import WSListener, WSTransport, ws_connect

from natural9.server.client import Client
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.people.sessions import cookie_name
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted
from natural9.table.live.writer import MOST_OUTSTANDING
from natural9.table.venue.venue import VENUE_FILE

TABLE = "nc-1"
WAGERS = ("player", "banker", "tie", "player-pair", "banker-pair")
CREDIT_CENTS = 10_000_000
PASSWORD = "seven chips on the rail"
AT_ONCE = 200  # enrolments and connects in flight
HEAD = """
[venue]
name = "Bench"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"

[cage]
second_signature = 100000

[server]
port = 0
"""
A_TABLE = """
[[table]]
id = "{table}"
game = "rws-nc"
decks = 8
seats = {terminals}
betting_unit = 1
maximum = 1000000
timers = {{ betting = {betting_s}, reveal = {reveal_s}, result = {result_s} }}
"""


def answers_in(registered: bytes) -> int:
    """How many requests such a message answers, for bets that waited together are answered together."""
    return registered.count(b'","', 0, registered.index(b'"you":'))


class LiveServer(NamedTuple):
    """`cookies` are the terminals', by seat from 1."""

    address: str
    pid: int
    folder: Path
    cookies: list[str]

    @property
    def processes(self) -> list[int]:
        """The server, and the process that writes its journal."""
        return [self.pid, *map(int, Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split())]

    def resident_bytes(self) -> int:
        return sum(self.resident_bytes_each())

    def resident_bytes_each(self) -> list[int]:
        """As `processes`."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.processes]
        return [many * os.sysconf("SC_PAGE_SIZE") for many in pages]

    def cpu_s(self) -> list[float]:
        """What each process has computed so far, all threads together."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.processes]
        return [(int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") for fields in stats]

    async def connect(self, seat: int, listener: WSListener) -> WSTransport:
        """One terminal's WebSocket; frames go to this listener."""
        return await connect(self.address, TABLE, self.cookies[seat - 1], listener)

    async def connect_all(self, listeners: list[WSListener]) -> list[WSTransport]:
        """Seats 1, 2, 3 ... in order."""
        transports: list[WSTransport] = []
        for start in range(0, len(listeners), AT_ONCE):
            some = enumerate(listeners[start : start + AT_ONCE], start + 1)
            transports += await asyncio.gather(*[self.connect(seat, listener) for seat, listener in some])
        return transports

    async def open_table(self) -> None:
        """The first round opens at once, for somebody is seated."""
        async with Client(self.address) as pit:
            await pit.sign_in("pat", PASSWORD)
            await pit.order(TABLE, staff.OpenTable())


@asynccontextmanager
async def live_server(
    folder: Path, *, terminals: int, betting_s: float, reveal_s: float = 0.2, result_s: float = 30
) -> AsyncIterator[LiveServer]:
    """A server that answers; its one table is closed, its terminals are enrolled and hold credit."""
    write_venue(folder, [TABLE], terminals=terminals, betting_s=betting_s, reveal_s=reveal_s, result_s=result_s)
    [cookies] = (await prepare(folder, terminals)).values()
    command = (sys.executable, "-m", "natural9", "serve", str(folder))
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, stderr=log)
    try:
        yield LiveServer(await _address(process, folder / "log"), process.pid, folder, cookies)
    finally:
        process.kill()  # nobody waits for the round to end
        await process.wait()


async def _address(process: asyncio.subprocess.Process, log: Path) -> str:
    """Where it listens, once it says so."""
    while process.returncode is None:
        if found := re.search(r" at (http://\S+)", log.read_text()):
            return found[1]
        await asyncio.sleep(0.05)
    sys.exit(log.read_text())


def quiet_logs() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


async def connect(address: str, table: str, cookie: str, listener: WSListener) -> WSTransport:
    """One terminal's WebSocket; frames go to this listener."""
    transport, _ = await ws_connect(
        lambda: listener,
        f"{address.replace('http', 'ws', 1)}/ws/table/{table}",
        extra_headers={"Cookie": cookie, "Origin": address},
        websocket_handshake_timeout=60,
        read_buffer_init_size=4096,
    )
    return transport


def write_venue(
    folder: Path,
    tables: Iterable[str],
    *,
    terminals: int,
    betting_s: float,
    reveal_s: float = 0.2,
    result_s: float = 30,
) -> None:
    timers = {"betting_s": betting_s, "reveal_s": reveal_s, "result_s": result_s}
    lines = [A_TABLE.format(table=table, terminals=terminals, **timers) for table in tables]
    (folder / VENUE_FILE).write_text("".join((HEAD, *lines)))


async def prepare(folder: Path, terminals: int) -> dict[str, list[str]]:
    """The terminals' cookies, by table and seat. By the program's own parts, in this process: thousands of HTTP calls
    would take minutes."""
    quiet_logs()
    house = await House.open(folder)
    await house.start()
    issued = await house.accounts.add("pat", name="Pat", role="pit-manager", by="bench")
    await house.accounts.set_password(issued.code, PASSWORD, peer="")
    cookies = {table: await _furnish(house, table, terminals) for table in house.rooms}
    await house.stop("prepared")
    return cookies


async def _furnish(house: House, table: str, terminals: int) -> list[str]:
    places = [Place("terminal", table, seat) for seat in range(1, terminals + 1)]
    codes = await house.accounts.devices.add(places, by="bench")
    cookies = await asyncio.gather(*[_enrol(house, one.code) for one in codes])
    cashier, writer = Who("cass"), house.rooms[table].writer
    for first in range(1, terminals + 1, MOST_OUTSTANDING):
        bought = [
            writer.answer(Order(f"credit-{seat}", staff.CreditTerminal(seat=seat, cents=CREDIT_CENTS)), cashier)
            for seat in range(first, min(first + MOST_OUTSTANDING, terminals + 1))
        ]
        answers = await asyncio.gather(*bought)
        assert all(isinstance(answer, Accepted) for answer in answers), answers[0]
    return cookies


async def _enrol(house: House, code: str) -> str:
    enrolled = await house.accounts.devices.enrol(code, peer="")
    name = cookie_name("device", secure=house.secure)
    return f"{name}={house.accounts.sessions.token(enrolled.session)}"


def allow_open_files(needed: int) -> None:
    """For this process and those it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < needed:
        sys.exit(f"this run needs {needed} open files, the limit is {most}: raise it with ulimit -n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
