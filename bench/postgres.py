"""Durable bets a second through the store on PostgreSQL against asyncpg's own group commit of the same rows.

A real server with its default durability, from a wheel, on this machine; all sides are written in turn in one run. The
plain side inserts whatever waits by one statement of unnest: the same entries into a table of the same columns and key,
the same balances and meters by plain upserts; it hashes nothing, compares nothing, locks nothing in order. Ours gives
places and makes the tree besides, once a second, as the house does before it signs. `python -m bench.postgres`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import asyncpg
import uvloop

from bench.store import DAY, bet
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import Stream
from tests.store.postgres_server import Server

APPENDERS = (1, 10, 100, 1000)
AIM = 0.6
TURNS = 4
TURN_S = 1.5
TABLES = """
CREATE TABLE plain (
    stream text, number bigint, kind text, body bytea, at_ms bigint, day text, label text, request bytea,
    first_transfer bigint, moves integer, transfers text, documents text, hash bytea, ticket bigint,
    PRIMARY KEY (stream, number)
);
CREATE TABLE plain_balance (account text PRIMARY KEY, cents bigint);
CREATE TABLE plain_meter (
    account text, day text, kind text, in_cents bigint, in_count bigint, out_cents bigint, out_count bigint,
    PRIMARY KEY (account, day, kind)
);
"""
PLAIN = """
WITH paid AS (
    INSERT INTO plain_balance AS kept SELECT * FROM unnest($3::text[], $4::bigint[])
    ON CONFLICT (account) DO UPDATE SET cents = kept.cents + excluded.cents
), counted AS (
    INSERT INTO plain_meter AS kept SELECT account, $5, 'bet', greatest(cents, 0), 1, greatest(-cents, 0), 1
    FROM unnest($3::text[], $4::bigint[]) AS moved (account, cents)
    ON CONFLICT (account, day, kind) DO UPDATE SET
        in_cents = kept.in_cents + excluded.in_cents, in_count = kept.in_count + excluded.in_count,
        out_cents = kept.out_cents + excluded.out_cents, out_count = kept.out_count + excluded.out_count
)
INSERT INTO plain SELECT 'table/1', number, 'bet-placed', body, 1795000000000, $5, '', '', number, 1, moved, '',
    '\\x0000000000000000000000000000000000000000000000000000000000000000', number
FROM unnest($1::bigint[], $2::bytea[], $6::text[]) AS entry (number, body, moved)
"""

Append = Callable[[Entry], Awaitable[object]]


class PlainGroups:
    """Whatever waits, by one statement; while it is on its way, the next group gathers."""

    def __init__(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._connection = connection
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._number = 0
        self._busy = False
        self._task: asyncio.Task[None] | None = None

    def append(self, entry: Entry) -> asyncio.Future[None]:
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, answer))
        if not self._busy:
            self._busy = True
            self._task = asyncio.create_task(self._write())
        return answer

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            first, self._number = self._number + 1, self._number + len(group)
            moved: dict[str, int] = {}
            transfers = []
            for entry, _ in group:
                kind, source, target, cents = entry.transfers[0]
                moved[source] = moved.get(source, 0) - cents
                moved[target] = moved.get(target, 0) + cents
                transfers.append(f'[["{kind}","{source}","{target}",{cents}]]')
            bodies = [entry.body for entry, _ in group]
            numbers = list(range(first, self._number + 1))
            await self._connection.fetch(PLAIN, numbers, bodies, list(moved), list(moved.values()), DAY, transfers)
            for _, answer in group:
                answer.set_result(None)
        self._busy = False


async def pace(append: Append, appenders: int) -> float:
    """Bets a second, each appender waiting for its own before it lays the next."""
    start = time.perf_counter()

    async def one(terminal: int) -> int:
        entry, laid = bet(terminal), 0
        while time.perf_counter() < start + TURN_S:
            await append(entry)
            laid += 1
        return laid

    laid = sum(await asyncio.gather(*map(one, range(appenders))))
    return laid / (time.perf_counter() - start)


async def sign_every_second(*stores: Store) -> None:
    while True:
        await asyncio.sleep(1)
        for store in stores:
            await store.tree()


async def paces(server: Server) -> None:
    connection = await asyncpg.connect(server.address(server.new_database(made=False)))
    await connection.execute(TABLES)
    plain = PlainGroups(connection)
    here, aside = (open_store(server.new_place(), access) for access in (Access.WRITE, Access.SERVE))
    buys = tuple(Transfer("buy", "desk/1", f"terminal/{terminal}", 10**9) for terminal in range(max(APPENDERS)))
    for store in (here, aside):
        await Stream(store, "venue").append([Entry("venue", "bought", b"{}", 0, DAY, transfers=buys)])
    signing = asyncio.create_task(sign_every_second(here, aside))
    stream_here, stream_aside = Stream(here, "table/1"), Stream(aside, "table/1")
    sides: dict[str, Append] = {
        "plain": plain.append,
        "here": lambda entry: stream_here.append([entry]),
        "aside": lambda entry: stream_aside.append([entry]),
    }
    print(f"bets a second, best of {TURNS} turns each")
    print("appenders  asyncpg alone  our store  ratio  by a process of its own  ratio")
    for appenders in APPENDERS:
        best = dict.fromkeys(sides, 0.0)
        for _ in range(TURNS):
            for side, append in sides.items():
                best[side] = max(best[side], await pace(append, appenders))
        ratios = [best[side] / best["plain"] for side in ("here", "aside")]
        aim = f"  (aim: at least {AIM})" if appenders == 1000 else ""
        print(
            f"{appenders:9,}  {best['plain']:13,.0f}  {best['here']:9,.0f}  {ratios[0]:5.2f}"
            f"  {best['aside']:23,.0f}  {ratios[1]:5.2f}{aim}"
        )
    signing.cancel()
    start = time.perf_counter()
    entries = (await here.head()).seq
    async with here.moment() as still:
        for after in range(0, entries, 2000):
            await still.entries(after=after, limit=2000)
    print(f"read again: {entries / (time.perf_counter() - start):,.0f} entries a second")
    for store in (here, aside):
        await store.close()
    await connection.close()


def main() -> None:
    server = Server(durable=True)
    try:
        uvloop.run(paces(server))
    finally:
        server.end()


if __name__ == "__main__":
    main()
