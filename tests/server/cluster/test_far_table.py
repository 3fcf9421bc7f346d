"""An errand at a table of another node, without the network between them."""

from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from natural9.server.cluster.far_table import FarTables
from natural9.server.cluster.lines import Lines
from natural9.server.cluster.whereabouts import Whereabouts, table_stream
from natural9.store.contract import StoreFailed
from natural9.table.commands.visiting import Transit
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import CardAt


class OneRoom:
    """What is asked of the other node is answered at once."""

    def __init__(self) -> None:
        self._serves: Callable[[str, bytes], Awaitable[bytes]] | None = None

    def serve(self, kind: str, answer: Callable[[str, bytes], Awaitable[bytes]]) -> None:
        self._serves = answer

    async def ask(self, node: str, kind: str, body: bytes) -> bytes:
        assert self._serves
        return await self._serves(node, body)


async def test_an_errand_that_fails_there_is_not_taken_for_done() -> None:
    room, here = cast(Lines, OneRoom()), Whereabouts("a")
    nodes = FarTables(Carrier(Transit()), room, here)  # no table is at work at either of them
    here.took(table_stream("1"), "b")
    with pytest.raises(StoreFailed, match="Table 1 is not at work"):
        await nodes.table("1").carry_out(CardAt(1))
