"""A process to be killed: appends for ever, and prints the number of each entry once it is durable."""

import asyncio
import os
import sys

from natural9.store.sqlite.store import open_sqlite
from tests.store.opening import bet, buy, entry


async def appending(path: str, appenders: int, *, in_process: bool) -> None:
    store = open_sqlite(path, create=True, in_process=in_process)
    await store.append([entry(buy(terminal, 10**9)) for terminal in range(appenders)])

    async def one(terminal: int) -> None:
        while True:
            first = await store.append([entry(bet(terminal, 1), body=b"%d" % terminal), entry(bet(terminal, 2))])
            os.write(1, b"%d %d\n" % (first, terminal))

    await asyncio.gather(*map(one, range(appenders)))


if __name__ == "__main__":
    asyncio.run(appending(sys.argv[1], int(sys.argv[2]), in_process=sys.argv[3] == "in-process"))
