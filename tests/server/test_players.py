"""Players with names at a real server: card and PIN, one terminal at a time, excluded in the middle of play; and all of
it after the process was killed and the clock was set."""

import re
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from natural9.server import protocol
from natural9.server.client import Client, ServerSaidNo
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Terminal, Visit, automatic, new_venue, password
from tests.server.test_wall_clock import DAY_S, OtherTime

SLOW = {"betting": 300}  # a round that was void because the start took long is followed by the next at once
PLAYERS = "[players]\non = true\npoints_per_100 = 10\n"


async def card_in(player: Terminal, issued: dict[str, Any], pin: str = "") -> Any:
    shown = {"request": token_hex(8), "card": issued["card"], "pin": pin or issued["pin"]}
    return await player.client.post("/api/card", shown)


async def no(asked: Any) -> str:
    with pytest.raises(ServerSaidNo) as refused:
        await asked
    return refused.value.code


async def carded(player: Terminal) -> Terminal:
    return await player.until(lambda one: one.you.card is not None, "the card")


async def signed_in_again(visit: Visit, role: str) -> Client:
    """By a clock that was set ahead, their sessions ended long ago."""
    visit._people[role] = await visit.stranger()
    await visit._people[role].sign_in(PEOPLE[role], password(role))
    return visit._people[role]


async def test_a_player_plays_with_a_card_from_terminal_to_terminal_until_excluded(tmp_path: Path) -> None:
    tables = (automatic("1", "rws-nc", **SLOW), automatic("2", "rws-nc", **SLOW), PLAYERS)
    server = OtherTime(new_venue(tmp_path, *tables))
    server.start()
    try:
        async with Visit(server) as visit:
            desk, dealer = await visit.person("cashier"), await visit.person("dealer")
            await visit.open("1", "2")
            mei = await desk.post("/api/players", {"name": "Mei Ling"})
            assert mei["qr"].startswith("<svg")
            assert await no(dealer.post("/api/players", {"name": "Tan"})) == "not-allowed"
            assert await no(dealer.get("/api/players")) == "not-allowed"
            one, other = await visit.sit("1", 1, 50_000), await visit.sit("2", 4, 50_000)
            assert await no(card_in(one, mei, "000001")) == "card-refused"
            assert await no(desk.post("/api/card", {"request": "x", "card": mei["card"], "pin": mei["pin"]})) == (
                "not-a-terminal"
            )
            assert await no(one.client.get("/api/card")) == "no-card"
            assert await card_in(one, mei) == {"number": "10001", "name": "Mei Ling", "points": 0}
            await carded(one)
            assert await no(card_in(other, mei)) == "carded-in-elsewhere"
            assert other.you.card is None
            await one.do(taps.SetPlayLimits, loss_cents=3_000)
            await one.do(taps.SetPlayLimits, loss_cents=9_000)
            await one.client.post("/api/card/pin", {"present": mei["pin"], "new": "719304"})
            cookies = [one.client.cookies, other.client.cookies]
        server.kill()
        server.set(40 * DAY_S)
        server.start()
        async with Visit(server) as visit:
            one, other = [
                await visit.connect(await visit.again(kept), table)
                for kept, table in zip(cookies, ("1", "2"), strict=True)
            ]
            await carded(one)
            assert await no(card_in(other, mei, "719304")) == "carded-in-elsewhere"
            await one.do(taps.CashOut)
            await card_in(other, mei, "719304")
            await carded(other)
            await other.betting_open()
            assert other.you.session is not None
            assert [wait.value for wait in other.you.session.waiting] == [9_000]
            late = await other.ask(taps.Bet, wager="banker", cents=3_100)
            assert isinstance(late, protocol.Refused)
            assert late.code == "over-loss-limit"
            await other.bet("banker", 1_000)
            desk, pit = await signed_in_again(visit, "cashier"), await signed_in_again(visit, "pit-supervisor")
            excluded = await desk.post("/api/players/10001/exclude", {"why": "asked for it", "own": True})
            assert (excluded["status"], excluded["exclusion"]["own"]) == ("excluded", True)
            barred = await other.ask(taps.Bet, wager="banker", cents=100)
            assert isinstance(barred, protocol.Refused)
            assert barred.code == "barred"
            assert await no(card_in(one, mei, "719304")) == "card-excluded"
            assert await no(pit.post("/api/players/10001/lift", {"why": "please"})) == "not-allowed"
            boss = await signed_in_again(visit, "shift-manager")
            assert await no(boss.post("/api/players/10001/lift", {"why": "please"})) == "self-excluded"
            found = [line["kind"] for line in await boss.get("/api/reports/events")]
            assert {"player-excluded", "player-barred", "excluded-player-refused"} <= set(found)
            statement = await desk.get("/api/reports/player-statement", player="10001", first_day="2000-01-01")
            assert [(line["table"], line["seat"]) for line in statement] == [("2", 4), ("1", 1)]
    finally:
        if server.running:
            server.kill()
    journal = b"".join(entry.body for entry in await server.history())
    log = "\n".join(server.log).encode()
    for secret in (mei["card"], mei["pin"], "719304", "Mei Ling"):
        alone = rb"(?<!\w)%s(?!\w)" % re.escape(secret.encode())  # six digits may stand in a longer number by chance
        assert not re.search(alone, journal)
        assert not re.search(alone, log)
    await server.check_every_round()
    await server.check_books()


async def test_without_players_nothing_of_it_is_there(tmp_path: Path) -> None:
    server = OtherTime(new_venue(tmp_path, automatic("1", "rws-nc", **SLOW)))
    server.start()
    try:
        async with Visit(server) as visit:
            desk, auditor = await visit.person("cashier"), await visit.person("auditor")
            terminal = await visit.sit("1", 1)
            assert (await desk.get("/api/venue"))["players"] is False
            shown = {"request": "x", "card": "x", "pin": "x"}
            for asked in (
                desk.get("/api/players"),
                desk.post("/api/players", {"name": "Mei"}),
                terminal.client.post("/api/card", shown),
                terminal.client.get("/api/card"),
            ):
                assert await no(asked) == "no-players"
            assert not [one for one in await auditor.get("/api/reports") if "player" in one["name"]]
    finally:
        server.kill()
