"""Nothing that a seat must not see goes over its wire, and no secret into the log or the journal."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import connect as ws_connect
from websockets.exceptions import ConnectionClosed

from natural9.journal import table_events
from natural9.journal.line import read_line
from natural9.server.client import Client, ServerSaidNo
from natural9.table.commands import terminal as taps
from tests.server.live_server import (
    PEOPLE,
    Server,
    Terminal,
    Visit,
    automatic,
    new_venue,
    password,
    running,
    visit,
)

CARDS = 4 * 52
OTHERS = {2: 77_777_700, 3: 88_888_800}  # credit that no other number looks like


class Evening(NamedTuple):
    heard: list[str]  # all that seat 1 was sent, word for word
    on_the_wall: list[str]  # and the table's display
    at_the_console: list[str]  # and whoever looks after the table
    others: list[Terminal]
    secrets: dict[str, str]
    on_disk: bytes  # while the first shoe was in use
    revealed: table_events.ShoeRevealed
    log: str


async def listen(client: Client, address: str, heard: list[str]) -> None:
    with suppress(ConnectionClosed):
        async with ws_connect(
            f"{address.replace('http', 'ws')}/ws/table/a", additional_headers={"Cookie": client.cookies}
        ) as ws:
            while True:
                heard.append(str(await ws.recv()))


async def bet_every_round(terminal: Terminal) -> None:
    def ready(one: Terminal) -> bool:
        return one.table.shoe.number >= 2 or (one.table.phase == "betting-open" and not one.you.bets)

    while terminal.table.shoe.number < 2:
        if terminal.table.phase == "betting-open":
            await terminal.ask(taps.Bet, wager="banker", cents=100 * terminal.you.seat)
        await terminal.until(ready)


def files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("journal.db*")))


Played = tuple[list[str], list[str], list[str], list[Terminal], dict[str, str], bytes]


async def play(visit: Visit, server: Server) -> Played:
    cookies = {role: (await visit.person(role)).cookies.partition("=")[2] for role in PEOPLE}
    admin = await visit.person("administrator")
    [issued] = await admin.post("/api/devices/", {"kind": "terminal", "table": "a", "first_seat": 1})
    seat = await visit.stranger()
    await seat.enrol(issued["code"])
    [screen] = await admin.post("/api/devices/", {"kind": "display", "table": "a"})
    wall = await visit.stranger()
    await wall.enrol(screen["code"])
    others = [await visit.sit("a", number, cents) for number, cents in OTHERS.items()]
    voucher = (await others[0].do(taps.CashOut, cents=100)).voucher
    assert voucher
    with suppress(ServerSaidNo):
        await (await visit.stranger()).sign_in(PEOPLE["dealer"], "a mistyped password")
    with suppress(ServerSaidNo):
        await seat.get(f"/api/enrol?code={issued['code']}")
    heard, on_the_wall, at_the_console = list[str](), list[str](), list[str]()
    console = await visit.person("pit-supervisor")
    listening = [
        asyncio.create_task(listen(client, server.address, into))
        for client, into in ((seat, heard), (wall, on_the_wall), (console, at_the_console))
    ]
    await visit.open("a")
    await others[0].until(lambda one: one.table.cards)
    on_disk = files(server.folder)
    await asyncio.gather(*(bet_every_round(other) for other in others))
    for one in listening:
        one.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    secrets = {
        "enrolment code": issued["code"],
        "voucher code": voucher.code,
        "mistyped password": "a mistyped password",
        "csrf": admin._csrf,
        "device cookie": seat.cookies.partition("=")[2],
        "other device's cookie": others[0].client.cookies.partition("=")[2],
        **{f"password of {role}": password(role) for role in PEOPLE},
        **{f"cookie of {role}": cookie for role, cookie in cookies.items()},
    }
    return heard, on_the_wall, at_the_console, others, secrets, on_disk


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    tables = automatic("a", "mbs-tiger", decks=4, cut_cards=CARDS - 18, betting=0.3, reveal=0.01, result=0.02)
    with running(new_venue(tmp_path_factory.mktemp("leaks"), "[cage]\nceiling = 1000000\n", tables)) as server:
        heard, wall, console, others, secrets, on_disk = visit(server, lambda visit: play(visit, server))
        assert server.terminate() == 0
        events = [read_line(entry).event for entry in asyncio.run(server.history("table/a"))]
        revealed = next(event for event in events if isinstance(event, table_events.ShoeRevealed))
        return Evening(heard, wall, console, others, secrets, on_disk, revealed, "\n".join(server.log))


def numbers(value: Any) -> set[int]:
    if isinstance(value, dict):
        return set().union(*(numbers(one) for one in value.values()), *(numbers(one) for one in value))
    if isinstance(value, list):
        return set().union(*(numbers(one) for one in value))
    return {value} if isinstance(value, int) else set()


def test_no_undealt_card_is_ever_told(evening: Evening) -> None:
    order = evening.revealed.order.split()
    seen = 0
    for raw in evening.heard:
        table = json.loads(raw).get("table")
        if not table or table["shoe"]["number"] != 1:
            continue
        dealt = CARDS - table["shoe"]["cards_left"]
        cards = [one["card"] for one in table["cards"]]
        assert cards == order[dealt - len(cards) : dealt]
        letters = re.sub(r"[^A-Z0-9]", "", raw)
        for start in range(dealt, CARDS - 3):
            assert "".join(order[start : start + 4]) not in letters, f"cards {start + 1} on, with {dealt} dealt"
        assert evening.revealed.salt not in raw
        seen += bool(cards)
    assert seen > 8
    assert evening.revealed.dealt >= 18


def test_the_order_is_sealed_on_the_disk_while_the_shoe_is_in_use(evening: Evening) -> None:
    assert evening.revealed.commitment.encode() in evening.on_disk
    assert evening.revealed.salt.encode() not in evening.on_disk
    assert " ".join(evening.revealed.order.split()[10:14]).encode() not in evening.on_disk


def test_no_other_seats_credit_is_told(evening: Evening) -> None:
    theirs = {you.credit_cents for other in evening.others for one in other.heard if (you := getattr(one, "you", None))}
    assert len(theirs) > 4
    assert min(theirs) > 70_000_000
    for raw in evening.heard:
        assert not numbers(json.loads(raw)) & theirs, raw


def test_a_display_is_sent_the_table_and_nothing_of_the_console_or_of_a_seat(evening: Evening) -> None:
    assert sum('"type":"console"' in raw for raw in evening.at_the_console) > 8  # it is told, and others are not
    said = [json.loads(raw) for raw in evening.on_the_wall]
    assert {one["type"] for one in said} == {"welcome", "table"}
    assert not any(one.get("you") or one.get("console") for one in said)


def test_no_secret_is_on_anothers_wire_in_the_log_or_in_the_journal(evening: Evening) -> None:
    for name, secret in evening.secrets.items():
        assert secret not in evening.log, name
        assert secret.encode() not in evening.on_disk, name
        for raw in evening.heard + evening.on_the_wall:
            assert secret not in raw, name
    assert evening.revealed.salt not in evening.log
    assert " ".join(evening.revealed.order.split()[:4]) not in evening.log
