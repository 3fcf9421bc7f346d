"""An order over HTTP: its envelope, its answer, and the number of the view that shows what was done."""

from collections.abc import Iterator
from typing import Any

import pytest

from natural9.core.round import commands as round_commands
from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.table.commands import staff
from tests.server.live_server import Server, Visit, new_venue, running, table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("orders"), table("a", "rws-nc"))) as one:
        yield one


async def test_done_names_the_view_that_first_shows_it(visit: Visit) -> None:
    number = await visit.begin_round("a")
    terminal = await visit.sit("a", 1, 100_000)
    dealer = await visit.person("dealer")
    console = await dealer.connect("/ws/table/a")
    welcome = await console.wait_for(protocol.Welcome)
    await terminal.betting_open(after=number - 1)
    shown = {welcome.n: welcome.table}

    async def view(n: int) -> None:
        while n not in shown:
            one = await console.wait_for(protocol.TableMessage)
            shown[one.n] = one.table

    await terminal.bet("player", 500)
    for shape, effect in ((round_commands.CloseBetting, "bets-closed"), (staff.PauseTable, "paused")):
        done = await visit.do("pit-supervisor", "a", shape)
        await view(done["n"])
        seen = [(n, effect in (one.phase, one.status)) for n, one in sorted(shown.items())]
        assert min(n for n, does in seen if does) == done["n"], seen
    console.close()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 1}}, "400 bad-request: Say why"),
        ({"request": "2", "command": {"type": "lock-terminal", "seat": 1}, "why": " "}, "400 bad-request: Say why"),
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 1}, "why": "x" * 501}, "400 bad-request"),
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 1, "why": "x"}}, "400 bad-request: .*why"),
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 0}, "why": "x"}, "400 bad-request"),
        ({"request": "", "command": {"type": "settle"}}, "400 bad-request"),
        ({"command": {"type": "settle"}}, "400 bad-request: .*request"),
        ({"request": "1", "command": {"type": "bet"}}, "400 bad-request"),
        ({"request": "1", "command": {"type": "deal", "card": "1X"}}, "409 bad-card: .*1X"),
        ({"request": "1", "command": {"type": "void-round"}}, "403 not-allowed"),
    ],
)
async def test_what_is_not_an_order_is_refused(visit: Visit, body: dict[str, Any], said: str) -> None:
    with pytest.raises(ServerSaidNo, match=said):
        await (await visit.person("dealer")).post("/api/tables/a/commands", body)
