"""Coming back: exactly what was missed, or everything as it is now."""

from collections.abc import Iterator

import pytest

from natural9.server import protocol
from natural9.server.room import KEPT
from natural9.table.commands import staff
from tests.server.live_server import Server, Terminal, Visit, new_venue, running, table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("resume"), table("a", "rws-nc"), table("b", "rws-nc"))) as one:
        yield one


async def changes(visit: Visit, at: str, times: int) -> None:
    for turn in range(times):
        await visit.do("pit-supervisor", at, staff.PauseTable if turn % 2 == 0 else staff.ResumeTable)


async def comes_back(visit: Visit, terminal: Terminal, after: str) -> Terminal:
    again = await visit.connect(terminal.client, terminal.table.table, after=after)
    await again.until(lambda one: one.of(protocol.Welcome) or one.of(protocol.SeatMessage), "an answer")
    return again


async def test_it_gets_exactly_what_it_missed(visit: Visit) -> None:
    await visit.open("a")
    terminal = await visit.sit("a", 1, 700)
    display = await visit.sit("a", 2)
    epoch, n = terminal.epoch, terminal.n
    terminal.live.close()
    await terminal.live.wait_closed()
    await changes(visit, "a", 6)
    await display.until(lambda one: one.n >= n + 6)
    again = await comes_back(visit, terminal, f"{epoch}:{n}")
    missed = [one for one in display.of(protocol.TableMessage) if one.n > n]
    assert again.of(protocol.Welcome) == []
    assert again.of(protocol.TableMessage) == missed
    assert [one.n for one in missed] == list(range(n + 1, missed[-1].n + 1))
    assert again.you.credit_cents == 700

    nothing_missed = await comes_back(visit, display, f"{epoch}:{display.n}")
    assert nothing_missed.of(protocol.TableMessage) == []
    await visit.do("pit-manager", "a", staff.CloseTable)
    await again.until(lambda one: one.table.status == "closed")
    await nothing_missed.until(lambda one: one.of(protocol.TableMessage))
    assert nothing_missed.of(protocol.TableMessage) == again.of(protocol.TableMessage)[-1:]


@pytest.mark.parametrize(
    "after", ["another:NOW", "EPOCH:99999", "EPOCH:-1", "EPOCH:x", "EPOCH", ":", "EPOCH:1:2", "EPOCH:²"]
)
async def test_what_cannot_be_resumed_gets_a_welcome(visit: Visit, after: str) -> None:
    terminal = await visit.sit("b", 1)
    after = after.replace("EPOCH", terminal.epoch).replace("NOW", str(terminal.n)).replace("²", "%C2%B2")
    again = await comes_back(visit, terminal, after)
    assert isinstance(again.heard[0], protocol.Welcome)
    assert again.heard[0].you


async def test_too_long_ago_gets_a_welcome(visit: Visit) -> None:
    await visit.open("b")
    terminal = await visit.sit("b", 3)
    epoch, n = terminal.epoch, terminal.n
    await changes(visit, "b", KEPT)
    await terminal.until(lambda one: one.n == n + KEPT)
    just = await comes_back(visit, terminal, f"{epoch}:{n}")
    assert len(just.of(protocol.TableMessage)) == KEPT
    await changes(visit, "b", 1)
    await just.until(lambda one: one.n == n + KEPT + 1)
    again = await comes_back(visit, just, f"{epoch}:{n}")
    assert isinstance(again.heard[0], protocol.Welcome)
    assert again.heard[0].n == n + KEPT + 1
