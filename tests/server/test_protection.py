"""Limits of players tried from every side at a real server: killed, its clock set, other devices, two connections."""

from pathlib import Path

from natural9.server import protocol
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Terminal, Visit, automatic, new_venue, password, table
from tests.server.test_wall_clock import DAY_S, HOUR_S, OtherTime

SLOW = {"betting": 300}  # a round that was void because the start took long is followed by the next at once


async def refused(player: Terminal, cents: int) -> str:
    answer = await player.ask(taps.Bet, wager="banker", cents=cents)
    assert isinstance(answer, protocol.Refused), answer
    return answer.code


async def held(player: Terminal) -> None:
    """The loss limit of 30.00 and its cooling-off stand, and nothing more than it can be lost."""
    await player.betting_open()
    assert player.you.session is not None
    assert (player.you.session.loss_cents, player.you.session.in_cents) == (3_000, 100_000)
    assert [one.value for one in player.you.session.waiting] == [9_000]
    assert await refused(player, 3_100) == "over-loss-limit"
    answer = await player.ask(taps.SetPlayLimits, loss_cents=9_000)
    assert isinstance(answer, protocol.Refused)
    assert answer.code == "bad-limits"  # it waits already
    assert isinstance(await player.ask(taps.EndSession), protocol.Refused)


async def test_a_limit_is_held_whatever_happens_to_machine_clock_and_device(tmp_path: Path) -> None:
    server = OtherTime(new_venue(tmp_path, automatic("1", "rws-nc", **SLOW)))
    server.start()
    try:
        async with Visit(server) as visit:
            await visit.open("1")
            player = await visit.sit("1", 1, 100_000)
            await player.do(taps.SetPlayLimits, loss_cents=3_000)
            await player.do(taps.SetPlayLimits, loss_cents=9_000)
            await held(player)
            for ahead_s in (-5 * HOUR_S, 2 * DAY_S):  # the clock on the wall
                server.set(ahead_s)
                await held(player)
            await player.do(taps.Bet, wager="banker", cents=1_000)
            second = await visit.connect(player.client, "1")  # a second connection of the same seat
            assert await refused(second, 2_100) == "over-loss-limit"
            await second.do(taps.Clear)
            other = await visit.connect(await visit.enrolled("1", 1), "1")  # another device at the seat
            await held(other)
            elsewhere = await visit.sit("1", 2, 50_000)  # another seat is another session
            assert elsewhere.you.session is not None
            assert elsewhere.you.session.loss_cents is None
            cookies = other.client.cookies
        server.kill()
        server.set(40 * DAY_S)  # and while nobody was looking
        server.start()
        async with Visit(server) as visit:
            player = await visit.connect(await visit.again(cookies), "1")
            await held(player)
            for role in ("cashier", "auditor"):  # by that clock their sessions ended long ago
                visit._people[role] = await visit.stranger()
                await visit._people[role].sign_in(PEOPLE[role], password(role))
            await player.do(taps.CashOut)
            await visit.do("cashier", "1", staff.CreditTerminal, seat=1, cents=100_000)
            assert await refused(player, 3_100) == "over-loss-limit"
            [line] = [
                one for one in await (await visit.person("auditor")).get("/api/reports/protection") if one["seat"] == 1
            ]
            assert (line["limit_changes"], line["loss_limit_cents"], line["ended_at_ms"]) == (2, 3_000, None)
    finally:
        if server.running:
            server.kill()
    await server.check_every_round()
    await server.check_books()


async def test_an_empty_seat_is_released_in_the_pit(tmp_path: Path) -> None:
    server = OtherTime(new_venue(tmp_path, table("a", "rws-nc")))
    server.start()
    try:
        async with Visit(server) as visit:
            player = await visit.sit("a", 1, 10_000)
            await player.do(taps.TakeBreak, minutes=60)
            pit = await visit.person("pit-supervisor")
            assert [one["kept"] for one in await pit.get("/api/tables/a/terminals")] == [False]
            await player.do(taps.CashOut)
            assert [one["kept"] for one in await pit.get("/api/tables/a/terminals")] == [True]
            no = await visit.refused("dealer", "a", staff.ReleaseSeat, seat=1, why="another guest")
            assert no.code == "not-allowed"
            await visit.do("pit-supervisor", "a", staff.ReleaseSeat, seat=1, why="another guest")
            await player.until(lambda one: one.you.session is None, "the session's end")
    finally:
        server.kill()
