"""Durable bets a second through the SQLite store's group commit against a raw journal file; opening a long journal.

Both are written in turn in one run, on uvloop as the server is. A bet is an entry of 120 bytes with one transfer, of a
terminal of its own; the raw file gets the same bytes, one write and one fdatasync a group. Then a busy event loop:
the loop computes half of the time, as a table does. `python -m bench.store [ROUNDS]`, 1,000,000 unless told.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

from natural9.store.audit import audit
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import Stream

BODY = (
    b'{"seat":"%06d","wager":"banker","stake":10000,"request":"9f1c2a3b4d5e6f708192a3b4c5d6e7f8","round":123456,"a":1}'
)
DAY = "2026-11-16"
APPENDERS = (1, 10, 100, 1000)
TURNS = 5
ROUNDS = 1_000_000
ENTRIES_A_ROUND = 6

Append = Callable[[Entry], Awaitable[object]]


def bet(terminal: int) -> Entry:
    moved = (Transfer("bet", f"terminal/{terminal}", "stake/1", 100),)
    return Entry("table/1", "bet-placed", BODY % terminal, 1_795_000_000_000, DAY, transfers=moved)


class RawJournal:
    """The least that durable can cost: lines, one write and one fdatasync for all that wait; no index, no money."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._busy = False

    def append(self, entry: Entry) -> asyncio.Future[None]:
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry.body, answer))
        if not self._busy:
            self._busy = True
            asyncio.get_running_loop().call_soon(self._start)
        return answer

    def _start(self) -> None:
        group, self._waiting = self._waiting, []
        lines = b"\n".join(line for line, _ in group)
        written = asyncio.get_running_loop().run_in_executor(None, self._write, lines)
        written.add_done_callback(lambda _: self._done(group))

    def _write(self, lines: bytes) -> None:
        os.write(self._file, lines)
        os.fdatasync(self._file)

    def _done(self, group: list[tuple[bytes, asyncio.Future[None]]]) -> None:
        for _, answer in group:
            answer.set_result(None)
        if self._waiting:
            self._start()
        else:
            self._busy = False


async def pace(append: Append, appenders: int) -> float:
    """Bets a second, each appender waiting for its own before it lays the next."""
    each = max(20, 20_000 // appenders) if appenders > 1 else 1_000

    async def one(terminal: int) -> None:
        entry = bet(terminal)
        for _ in range(each):
            await append(entry)

    start = time.perf_counter()
    await asyncio.gather(*map(one, range(appenders)))
    return appenders * each / (time.perf_counter() - start)


async def keep_busy() -> None:
    while True:
        until = time.perf_counter() + 0.002
        while time.perf_counter() < until:
            pass
        await asyncio.sleep(0.002)


def new_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def paces(folder: Path) -> None:
    raw = RawJournal(folder / "raw")
    here = open_store(new_folder(folder / "here"), Access.WRITE)
    aside = open_store(new_folder(folder / "aside"), Access.SERVE)
    buys = [Transfer("buy", "desk/1", f"terminal/{terminal}", 10**9) for terminal in range(max(APPENDERS))]
    for store in (here, aside):
        await Stream(store, "venue").append([Entry("venue", "bought", b"{}", 0, DAY, transfers=tuple(buys))])
    stream_here, stream_aside = Stream(here, "table/1"), Stream(aside, "table/1")
    sides: dict[str, Append] = {
        "raw": raw.append,
        "here": lambda entry: stream_here.append([entry]),
        "aside": lambda entry: stream_aside.append([entry]),
    }
    print(f"bets a second, best of {TURNS} turns each")
    print("appenders   raw journal  SQLite store  ratio  by a process of its own")
    for appenders in APPENDERS:
        best = dict.fromkeys(sides, 0.0)
        for _ in range(TURNS):
            for side, append in sides.items():
                best[side] = max(best[side], await pace(append, appenders))
        ratio = best["here"] / best["raw"]
        aim = "  (aim: over 40,000)" if appenders == 100 else ""
        print(f"{appenders:9,}  {best['raw']:12,.0f}  {best['here']:12,.0f}  {ratio:5.2f}  {best['aside']:23,.0f}{aim}")
    busy = asyncio.create_task(keep_busy())
    for side, name in (("here", "here"), ("aside", "by a process of its own")):
        pace_then = await pace(sides[side], 1000)
        print(f"with a busy event loop, 1,000 appenders, {name}: {pace_then:,.0f} bets a second")
    busy.cancel()
    start = time.perf_counter()
    found = await audit(here)
    print(f"audit: {found.entries / (time.perf_counter() - start):,.0f} entries a second")
    await here.close()
    await aside.close()


async def play(store: Store, rounds: int) -> None:
    """Rounds of six small entries, two of which move money back and forth."""
    stake = (Transfer("bet", "house/bank", "stake/1", 100),)
    back = (Transfer("pay", "stake/1", "house/bank", 100),)
    stream = Stream(store, "table/1")
    for first in range(0, rounds, 1000):
        entries = [
            Entry("table/1", kind, b'{"round":%d}' % number, number, DAY, label, transfers)
            for number in range(first, min(first + 1000, rounds))
            for kind, label, transfers in (
                ("opened", f"round/{number}", ()), ("bet-placed", "", stake), ("closed", "", ()),
                ("dealt", "", ()), ("declared", "", ()), ("settled", "", back),
            )
        ]  # fmt: skip
        await stream.append(entries)


async def opening(folder: Path, rounds: int) -> float:
    """Seconds to open a journal of so many rounds, and close it again, best of many turns."""
    place = new_folder(folder / str(rounds))
    store = open_store(place, Access.WRITE)
    start = time.perf_counter()
    await play(store, rounds)
    made = time.perf_counter() - start
    await store.close()
    best = float("inf")
    for _ in range(TURNS * 2):
        start = time.perf_counter()
        store = open_store(place, Access.WRITE)
        await store.head()
        best = min(best, time.perf_counter() - start)
        await store.close()
    size = sum(file.stat().st_size for file in place.iterdir())
    print(
        f"opening {rounds:9,} rounds, {rounds * ENTRIES_A_ROUND:9,} entries, {size / 2**20:7,.0f} MiB"
        f" (made in {made:5.1f} s): {best * 1e3:6.2f} ms"
    )
    return best


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        uvloop.run(paces(Path(folder)))
        short = uvloop.run(opening(Path(folder), 1000))
        long = uvloop.run(opening(Path(folder), rounds))
    print(f"the long journal opens in {long / short:.2f} of the time of the short one (aim: within 2)")


if __name__ == "__main__":
    main()
