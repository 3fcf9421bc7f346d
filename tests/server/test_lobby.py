"""Several tables on one terminal, over the wire: who is let in where, one credit, a lobby, and a kill in between."""

from pathlib import Path

import pytest
from picows import WSInvalidStatusError

from natural9.server import protocol
from natural9.server.client import Client
from natural9.table.commands import terminal as taps
from tests.server.live_server import Visit, new_venue, running, table

LOBBY = "[lobby]\nside_by_side = 2\n"


def venue(folder: Path, lobby: str = LOBBY) -> Path:
    return new_venue(
        folder,
        lobby,
        table("a", "mbs-tiger"),
        table("b", "rws-nc"),
        table("c", "mbs-super-six-nc"),
        table("closed", "rws-nc", visitors=False),
        table("boxes", "rws-nc-insurance"),
    )


async def not_let_in(client: Client, path: str) -> int:
    """The status that it is refused with."""
    with pytest.raises(WSInvalidStatusError) as refused:
        await client.connect(path)
    response = refused.value.response
    assert response
    return int(response.status)


async def test_a_terminal_plays_elsewhere_with_its_one_credit(tmp_path: Path) -> None:
    with running(venue(tmp_path)) as server:
        async with Visit(server) as visit:
            home = await visit.sit("a", 7, 100_000)
            away = await visit.connect(home.client, "b")
            assert (away.you.seat, away.you.credit_cents) == (10_001, 0)
            await visit.begin_round("b")
            await away.betting_open()
            await away.bet("player", 2_500)
            assert away.you.bets == {"player": 2_500}
            await home.until(lambda one: one.you.credit_cents == 97_500)
            [seat] = (await visit.see("b")).console.seats
            assert (seat.seat, seat.home_table, seat.home_seat) == (10_001, "a", 7)
            refused = await away.ask(taps.CashOut)
            assert isinstance(refused, protocol.Refused)
            assert refused.code == "not-here"
            await visit.finish("b", "4C 2D 5D 2S")
            await home.until(lambda one: one.you.credit_cents == 102_500)
            told = await away.client.get("/api/rounds/b/1")
            assert [one["seat"] for one in told["seats"]] == [10_001]
            await visit.begin_round("b")
            await away.betting_open(1)
            await away.bet("tie", 1_000)
            cookies = home.client.cookies
            server.kill()
        server.start()
        async with Visit(server) as visit:
            client = await visit.again(cookies)
            home, away = await visit.connect(client, "a"), await visit.connect(client, "b")
            assert (home.you.credit_cents, away.you.seat, away.you.bets) == (101_500, 10_001, {"tie": 1_000})
        assert server.terminate() == 0
    await server.check_every_round()
    await server.check_books()


async def test_who_is_let_in_where(tmp_path: Path) -> None:
    with running(venue(tmp_path)) as server:
        async with Visit(server) as visit:
            home = await visit.sit("a", 7)
            client = home.client
            refused = [await not_let_in(client, f"/ws/table/{one}") for one in ("closed", "boxes", "none")]
            assert refused == [403, 403, 404]
            away = await visit.connect(client, "b")
            assert await not_let_in(client, "/ws/table/c") == 429  # its own is one of the two
            again = await visit.connect(client, "b")  # the same table once more takes the place
            assert (await away.live.wait_closed()).code == protocol.REPLACED
            again.live.close()
            other = await visit.sit("c", 7)
            assert (await visit.connect(other.client, "b")).you.seat == 10_002  # nobody shares a seat
            lobby = await client.connect("/ws/lobby")
            rows = {one.table: one for one in (await lobby.wait_for(protocol.Lobby)).tables}
            assert [one for one in rows if rows[one].takes_visitors] == ["a", "b", "c"]
            await visit.begin_round("c")
            await lobby.wait_for(
                protocol.Lobby, lambda news: any(one.table == "c" and one.takes_bets for one in news.tables)
            )
            assert await not_let_in(await visit.person("dealer"), "/ws/lobby") == 403
            assert await not_let_in(await visit.stranger(), "/ws/lobby") == 401
            admin = await visit.person("administrator")
            await admin.post(f"/api/devices/{(await client.get('/api/me'))['device']['id']}/revoke", {"why": "gone"})
            assert (await lobby.wait_closed()).code == protocol.SESSION_ENDED


async def test_where_the_venue_has_no_lobby_a_terminal_stays_at_its_table(tmp_path: Path) -> None:
    with running(venue(tmp_path, lobby="")) as server:
        async with Visit(server) as visit:
            home = await visit.sit("a", 7)
            assert home.of(protocol.Welcome)[0].lobby == 1
            assert [await not_let_in(home.client, path) for path in ("/ws/table/b", "/ws/lobby")] == [403, 403]
