"""A process to be killed: appends for ever, and prints the number of each entry once it is durable."""

import asyncio
import os
import sys
from pathlib import Path

from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.store.opening import append, bet, buy, entry


async def appending(folder: Path, appenders: int, access: Access) -> None:
    store = open_store(folder, access)
    await append(store, [entry(buy(terminal, 10**9)) for terminal in range(appenders)])

    async def one(terminal: int) -> None:
        while True:
            first = await append(store, [entry(bet(terminal, 1), body=b"%d" % terminal), entry(bet(terminal, 2))])
            os.write(1, b"%d %d\n" % (first, terminal))

    await asyncio.gather(*map(one, range(appenders)))


if __name__ == "__main__":
    asyncio.run(appending(Path(sys.argv[1]), int(sys.argv[2]), Access(sys.argv[3])))
