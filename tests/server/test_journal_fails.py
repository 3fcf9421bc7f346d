"""A journal that cannot be written: the table stops, everybody is told, and nothing that was not durable was said."""

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Visit, new_venue, running, table


def fill_the_disk(server: Server) -> None:
    resource.prlimit(server.journal_pid, resource.RLIMIT_FSIZE, (1, 1))  # from now on no file may grow


def kill_its_writer(server: Server) -> None:
    os.kill(server.journal_pid, signal.SIGKILL)


@pytest.mark.parametrize("break_it", [fill_the_disk, kill_its_writer])
async def test_the_table_stops_says_so_and_loses_nothing(tmp_path: Path, break_it: Callable[[Server], None]) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            terminal = await visit.sit("a", 1, 10_000)
            await visit.begin_round("a")
            await terminal.betting_open()
            await terminal.bet("banker", 1_000)
            break_it(server)
            refused = await terminal.ask(taps.Bet, wager="player", cents=2_000)
            assert isinstance(refused, protocol.Refused)
            assert refused.code == "stopped"
            await terminal.until(lambda one: one.of(protocol.Halted), "halted")
            late = await terminal.client.connect("/ws/table/a")  # who comes now is told as well
            assert (await late.wait_for(protocol.Halted)).why.said
            late.close()
            await late.wait_closed()
            with pytest.raises(ServerSaidNo, match="503 not-ready"):
                await terminal.client.get("/readyz")
        server.kill()
        server.start()
        async with Visit(server) as visit:
            [line] = await (await visit.person("pit-manager")).get("/api/tables/a/terminals")
            # What was acknowledged is there, the other bet is not; the table waits until its cards are confirmed.
            assert (line["seat"], line["credit_cents"], line["staked_cents"]) == (1, 9_000, 1_000)
        server.kill()
        await server.check_books()
