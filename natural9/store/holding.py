"""To have something alone for a while, where several write."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from natural9.store.contract import Holds, StoreFailed

PATIENCE_S: Final = 3.0
_FIRST_WAIT_S: Final = 0.01
_LONGEST_WAIT_S: Final = 0.1


@asynccontextmanager
async def held(
    holds: Holds | None, name: str, *, shared: bool = False, patience_s: float = PATIENCE_S
) -> AsyncIterator[None]:
    """Until the end of the block; nothing of it where one process writes alone. StoreFailed if somebody else has it for
    longer than that: nothing was done, and it may be asked again."""
    if holds is None:
        yield
        return
    wait_s = _FIRST_WAIT_S
    gives_up = asyncio.get_running_loop().time() + patience_s
    while not await holds.take(name, shared=shared):
        if asyncio.get_running_loop().time() >= gives_up:
            raise StoreFailed(f"{name} is busy elsewhere")
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
    try:
        yield
    finally:
        holds.let_go(name, shared=shared)
