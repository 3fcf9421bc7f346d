"""A console asks what a command would do to the money before it is given, and the answer changes nothing."""

from pathlib import Path

import pytest

from natural9.server.client import ServerSaidNo
from natural9.table.commands import commands
from tests.server.live_server import Visit, new_venue, running, table


async def test_a_dealer_sees_what_a_void_would_return_and_nothing_moves(tmp_path: Path) -> None:
    with running(new_venue(tmp_path, table("one", "rws-nc"))) as server:
        async with Visit(server) as visit:
            number = await visit.begin_round("one")
            terminal = await visit.sit("one", 1, 100_000)
            await terminal.betting_open(after=number - 1)
            await terminal.bet("player", 2_500)
            await visit.do("dealer", "one", commands.CloseBetting)
            path, void = "/api/tables/one/consequences", {"type": "void-round", "request": "a", "why": "a spill"}
            for role in ("dealer", "auditor"):  # it takes no rank to know
                client = await visit.person(role)
                told = await client.post(path, {"command": void})
                assert (told["returned_cents"], told["returned_seats"], told["paid_cents"]) == (2_500, 1, 0)
            assert (await visit.see("one")).table.phase == "bets-closed"
            dealer = await visit.person("dealer")
            with pytest.raises(ServerSaidNo, match="nothing to settle"):
                await dealer.post(path, {"command": {"type": "settle", "request": "b"}})
            with pytest.raises(ServerSaidNo):  # only what can be foreseen: the next card cannot
                await dealer.post(path, {"command": {"type": "deal", "request": "c"}})
            with pytest.raises(ServerSaidNo):
                await (await visit.stranger()).post(path, {"command": void})
            lines = (await dealer.get("/api/venue"))["tables"]
            assert [(line["shoe"], line["has_reader"]) for line in lines] == [("read", False)]
