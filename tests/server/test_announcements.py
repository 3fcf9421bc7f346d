"""What everybody may see, told outside: in order, signed, with nothing of a seat, and never in the way of play."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from natural9.core.saying import verbatim
from natural9.server.announce import announcements as told
from natural9.server.announce.announcement import Announcement, PublicTable, public_table
from natural9.server.announce.announcements import Announcements
from natural9.server.cluster.nats_connection import NatsConnection
from natural9.table.state.state import TableState
from natural9.table.state.view import SqueezeView, TableView, everybody_sees
from natural9.table.venue.cluster import NatsIdentity
from natural9.table.venue.venue import load_venue
from tests.security.floor import PEER, Floor, Line, empty_floor
from tests.server.announce_receiver import Receiver, a_receiver
from tests.server.cluster.nats_server import NatsServer
from tests.server.live_server import table, venue_file
from tests.server.people.house import PASSWORD

HOWTO = Path(__file__).parents[2] / "docs" / "howto" / "announcements.md"
SECRET = "0f" * 32
CREDIT, BET = 987_600, 7_700
TABLES = (table("boxes", "rws-nc-insurance", shoe="shuffler"), table("b", "rws-nc"))


def announcing(lines: str) -> str:
    return venue_file(*TABLES, f"[announce]\n{lines}\n")


async def until(found: object) -> None:
    """Nothing here waits for a time: the test's own limit ends what never comes."""
    assert callable(found)
    while not found():
        await asyncio.sleep(0.005)


class Crew:
    """Whoever leads a table with boxes, and a player at it."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.house = floor, floor.house
        self.line: Line
        self._asked = 0

    async def come(self) -> None:
        accounts = self.house.accounts
        await accounts.claim_administrator(
            accounts.first_code() or "", id="ada", name="Ada", password=PASSWORD, peer=PEER
        )
        for id, role in (("sam", "shift-manager"), ("cass", "cashier"), ("dora", "dealer")):
            self.floor.knows(id, await self.floor.hire(id, role))
        self.floor.knows("terminal", await self.floor.enrol("terminal", "boxes", 1))
        await self.order("sam", type="open-table")
        await self.order("dora", type="new-shoe")
        await self.order("cass", type="credit-terminal", seat=1, cents=CREDIT)
        self.line = await self.floor.enter("terminal", "/ws/table/boxes")

    async def order(self, who: str, why: str = "", **command: Any) -> None:
        self._asked += 1
        body = {"request": f"r{self._asked}", "command": command, "why": why}
        answer = await self.floor.ask(who, "POST", "/api/tables/boxes/commands", body)
        assert answer.status == 200, answer.body

    async def bet(self, wager: str) -> None:
        self._asked += 1
        request = f"r{self._asked}"
        bet = {"type": "bet", "request": request, "round": self.seen.round, "wager": wager, "cents": BET}
        self.house.hub.message(self.line, json.dumps(bet).encode())
        await until(lambda: any(request in str(one) for one in self.line.told))
        assert self.line.told[-1]["type"] != "refused", self.line.told[-1]

    @property
    def seen(self) -> TableView:
        return self.house.rooms["boxes"].published

    async def play_a_round(self) -> None:
        await self.order("dora", type="open-betting")
        await self.bet("player")
        await self.bet("banker")
        for _ in range(20):
            commands = (await self.floor.ask("dora", "GET", "/api/tables/boxes")).json["console"]["commands"]
            words = ("settle", "declare", "close-insurance", "open-insurance", "close-betting", "deal")
            move = next((word for word in words if word in commands), None)
            if move is None:
                return
            await self.order("dora", type=move)
        raise AssertionError("the round does not end")


def values(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        for value in part.values():
            yield from values(value)
    elif isinstance(part, list):
        for value in part:
            yield from values(value)
    else:
        yield part


def assert_in_order(messages: list[dict[str, Any]]) -> None:
    """They are of one run of a table."""
    assert [one["n"] for one in messages] == [*range(1, 1 + len(messages))]


def assert_nothing_private(messages: list[dict[str, Any]]) -> None:
    for one in messages:
        money = {value for value in values(one | {"at_ms": 0, "closes_at_ms": 0}) if isinstance(value, int)}
        assert max(money) < 1_000, "numbers of rounds, points and results, and no sum"
        text = json.dumps(one | {"run": ""}).lower()  # a run is a number in hex, in which names may be
        for word in ("dora", "ada", "sam", "cass", "bet-placed", "credit", "seat", "boxes:", "staked"):
            assert word not in text, (word, one)


async def test_a_round_is_told_in_order_and_signed_and_nothing_of_a_seat(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    async with a_receiver() as receiver:
        webhook = f'webhook = "http://127.0.0.1:{receiver.port}/tables?hall=1"\nsecret_file = "secret"'
        async with empty_floor(tmp_path, written=announcing(webhook)) as floor:
            crew = Crew(floor)
            await crew.come()
            await crew.play_a_round()
            result = crew.seen.result
            assert result
            await crew.order("dora", type="open-betting")
            await crew.bet("player")
            await until(lambda: crew.seen.boxes.get(1))  # what lies is on the display, and not told
            await crew.order("sam", "the wheel fell off", type="void-round")
            await crew.order("sam", "the day is over", type="close-table")
    for one in receiver.took:
        signed = hmac.new(SECRET.encode(), one.body, hashlib.sha256).hexdigest()
        assert one.headers["x-natural9-signature"] == f"sha256={signed}"
        assert (one.path, one.headers["content-type"]) == ("/tables?hall=1", "application/json")
    messages = [one.json for one in receiver.took]
    assert_nothing_private([{**one, "table": ""} for one in messages])
    messages = [one for one in messages if one["table"] == "boxes"]
    assert_in_order(messages)
    assert {one["venue"] for one in messages} == {"Test"}
    assert len({one["run"] for one in messages}) == 1
    happened = [tag for one in messages for tag in one["happened"]]
    played = [
        "table-opened", "betting-opened", "betting-closed", "card-dealt", "result-declared", "round-settled",
        "round-voided", "table-closed",
    ]  # fmt: skip
    places = [happened.index(tag) for tag in played]
    assert places == sorted(places)
    [settled] = [one for one in messages if "round-settled" in one["happened"]]
    assert (settled["now"]["round"], settled["now"]["result"]["winner"]) == (1, result.winner)
    assert settled["now"]["player_total"] == result.player_total
    [voided] = [one for one in messages if "round-voided" in one["happened"]]
    assert (voided["now"]["round"], voided["now"]["voided"]["why"]) == (2, "the wheel fell off")
    assert messages[-1]["now"]["status"] == "closed"
    cards = [len(one["now"]["cards"]) for one in messages if one["now"]["round"] == 1]
    assert cards == sorted(cards)
    assert cards[-1] >= 4


async def test_a_bet_alone_tells_nobody_anything(tmp_path: Path) -> None:
    async with a_receiver() as receiver:
        webhook = f'webhook = "http://127.0.0.1:{receiver.port}/"'
        async with empty_floor(tmp_path, written=announcing(webhook)) as floor:
            crew = Crew(floor)
            await crew.come()
            await crew.order("dora", type="open-betting")
            before = crew.house.rooms["boxes"].n
            await crew.bet("player")
            await until(lambda: crew.house.rooms["boxes"].n > before)
        assert receiver.took[-1].json["happened"] == ["betting-opened"]
        assert "x-natural9-signature" not in receiver.took[-1].headers


async def test_a_receiver_that_comes_back_is_told_what_it_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "LONGEST_WAIT_S", 0.01)
    async with a_receiver() as receiver:
        ours, view = teller(tmp_path, receiver, wait_s=0.01)
        with capture_logs() as log:
            tell(ours, view, 1)
            await until(lambda: len(receiver.took) == 1)
            await receiver.close()
            tell(ours, view, 2, 3, 4)
            await until(lambda: [one["event"] for one in log] == ["announcements are not taken"])
            receiver.answer = "503 Later"
            await receiver.open()
            await until(lambda: len(receiver.asked) > 5)
            receiver.answer = "200 OK"
            await until(lambda: len(receiver.took) == 4)
            await until(lambda: len(log) == 2)
        assert [one["event"] for one in log] == ["announcements are not taken", "announcements are taken again"]
        assert [one.json["now"]["round"] for one in receiver.took] == [1, 2, 3, 4]
        assert_in_order([one.json for one in receiver.took])
        await ours.close()


@pytest.mark.parametrize("answer", ["302 Found", "404 Not Found", "500 Oh"])
async def test_what_is_not_taken_is_not_taken_and_nobody_is_followed(tmp_path: Path, answer: str) -> None:
    async with a_receiver() as receiver, a_receiver() as elsewhere:
        receiver.answer, receiver.header = answer, f"location: http://127.0.0.1:{elsewhere.port}/\r\n"
        ours, view = teller(tmp_path, receiver, wait_s=0.01)
        with capture_logs() as log:
            tell(ours, view, 1)
            await until(lambda: len(receiver.asked) > 2)
        assert (log[0]["to"], log[0]["why"]) == ("webhook", f"it answers with HTTP status {answer[:3]}")
        assert len({one.body for one in receiver.asked}) == 1
        assert not elsewhere.asked
        await ours.close()


async def test_play_goes_on_where_nobody_ever_answers(tmp_path: Path) -> None:
    async with a_receiver() as receiver:
        receiver.answer = ""
        webhook = f'webhook = "http://127.0.0.1:{receiver.port}/"'
        async with empty_floor(tmp_path, written=announcing(webhook)) as floor:
            crew = Crew(floor)
            await crew.come()
            await crew.play_a_round()
            await crew.play_a_round()
            assert len(crew.seen.results) == 2
            await until(lambda: receiver.asked)
        assert not receiver.took
        assert {one.json["n"] for one in receiver.asked} == {1}, "one at a time"


async def test_what_waits_is_bounded_and_the_oldest_is_dropped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "MOST_WAITING", 5)
    before = counted("dropped"), counted("sent")
    async with a_receiver() as receiver:
        receiver.answer = "503 Later"
        ours, view = teller(tmp_path, receiver, wait_s=0.01)
        tell(ours, view, *range(1, 13))
        assert counted("dropped") - before[0] == 7
        await until(lambda: len(receiver.asked) > 2)
        receiver.answer = "200 OK"
        await until(lambda: len(receiver.took) == 5)
        assert [one.json["n"] for one in receiver.took] == [8, 9, 10, 11, 12], "whoever reads n sees the gap"
        await until(lambda: counted("sent") - before[1] == 5)
        receiver.answer = "503 Later"
        tell(ours, view, 13, 14)
        await until(lambda: receiver.asked[-1].json["n"] == 13)
        await ours.close()
        assert counted("dropped") - before[0] == 9, "what nobody took is told at the end, too"


async def test_one_that_is_on_its_way_when_the_house_closes_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "LAST_S", 0.01)
    before = counted("dropped")
    async with a_receiver() as receiver:
        receiver.answer = ""
        ours, view = teller(tmp_path, receiver)
        tell(ours, view, 1, 2)
        await until(lambda: receiver.asked)
        await ours.close()
        assert counted("dropped") - before == 2


async def test_a_run_begins_at_one_and_a_halt_is_told(tmp_path: Path) -> None:
    async with a_receiver() as receiver:
        ours, view = teller(tmp_path, receiver)
        ours.tell("first", view)
        ours.tell("first", view)
        ours.tell("first", view, ("bet-placed", "attendant-called", "player-carded-in"))
        ours.tell("first", view, ("cut-card-appeared", "credit-bought"))
        ours.tell("second", view)
        ours.tell("second", view, halted=True)
        await ours.close()
        messages = [one.json for one in receiver.took]
        assert [(one["run"], one["n"], one["happened"], one["halted"]) for one in messages] == [
            ("first", 1, [], False),
            ("first", 2, ["cut-card-appeared"], False),
            ("second", 1, [], False),
            ("second", 2, [], True),
        ]


async def test_a_table_that_goes_elsewhere_has_not_halted(tmp_path: Path) -> None:
    async with a_receiver() as receiver:
        webhook = f'webhook = "http://127.0.0.1:{receiver.port}/"'
        async with empty_floor(tmp_path, written=announcing(webhook)) as floor:
            floor.house.tables.close("b", verbatim("it is another's now"))
            floor.house.rooms["boxes"].writer.halt(verbatim("the disk is full"))
            await until(lambda: any(one.json["halted"] for one in receiver.took))
        assert [one.json["table"] for one in receiver.took if one.json["halted"]] == ["boxes"]


async def test_each_run_begins_with_how_the_table_looks(tmp_path: Path) -> None:
    """As after a power cut: the last messages before it may be lost."""
    async with a_receiver() as receiver:
        webhook = f'webhook = "http://127.0.0.1:{receiver.port}/"'
        async with empty_floor(tmp_path, written=announcing(webhook)) as floor:
            await Crew(floor).come()
            await floor.house.tables.finish("boxes", lambda: True)
            floor.house.tables.close("boxes", verbatim("it is another's now"))
            await floor.house.tables.open("boxes", 0)
        messages = [one.json for one in receiver.took if one.json["table"] == "boxes"]
        firsts = [(one["n"], one["now"]["status"], one["halted"]) for one in messages if one["n"] == 1]
        assert firsts == [(1, "closed", False), (1, "open", False)]
        assert messages[0]["run"] != messages[-1]["run"]


async def test_cards_that_lie_for_the_squeeze_are_told_as_they_are_turned(tmp_path: Path) -> None:
    async with empty_floor(tmp_path, written=announcing("")) as floor:
        crew = Crew(floor)
        await crew.come()
        await crew.play_a_round()
        whole = crew.seen
    assert public_table(whole).cards == whole.cards
    lying = public_table(replace(whole, squeeze=SqueezeView(opened=1, ends_at_ms=None)))
    assert lying.cards == whole.cards[:1]
    assert (lying.player_total, lying.banker_total) == (whole.cards[0].total, None)


async def test_nats_has_a_subject_for_each_table_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "LONGEST_WAIT_S", 0.05)
    server = NatsServer()
    try:
        heard: list[tuple[str, dict[str, Any]]] = []
        listener = await listening(server, heard)
        ours, view = teller(tmp_path, server, wait_s=0.01)
        tell(ours, view, 1, 2)
        await until(lambda: len(heard) == 2)
        listener.abort()
        server.kill()
        tell(ours, view, 3)
        with capture_logs() as log:
            await until(lambda: log)
        assert (log[0]["event"], log[0]["to"]) == ("announcements are not taken", "nats")
        tell(ours, view, 4)
        server.start()
        await until(lambda: counted("sent", "nats") >= 4)
        listener = await listening(server, heard)
        tell(ours, view, 5)
        await until(lambda: any(one["n"] == 5 for _, one in heard))
        assert {subject for subject, _ in heard} == {"floor.told.boxes"}
        await ours.close()
        listener.abort()
    finally:
        server.end()


async def test_nats_that_lets_us_publish_nothing_there_has_taken_nothing(tmp_path: Path) -> None:
    rights = tmp_path / "nats.conf"
    user = '{user: a, password: b, permissions: {publish: "other.>"}}'
    rights.write_text(f"authorization {{ users = [{user}] }}\nno_auth_user: a\n")
    server = NatsServer("-c", str(rights))
    try:
        ours, view = teller(tmp_path, server, wait_s=0.01)
        with capture_logs() as log:
            tell(ours, view, 1)
            await until(lambda: any("why" in one and one["event"] == "announcements are not taken" for one in log))
        assert any("Permissions Violation" in one.get("why", "") for one in log)
        await ours.close()
    finally:
        server.end()


def test_the_page_names_every_field() -> None:
    page = HOWTO.read_text(encoding="utf-8")
    for field in (*Announcement.__struct_fields__, *PublicTable.__struct_fields__):
        assert f"`{field}`" in page, field


def teller(folder: Path, to: Receiver | NatsServer, *, wait_s: float = 0.5) -> tuple[Announcements, TableView]:
    where = (
        f'webhook = "http://127.0.0.1:{to.port}/"'
        if isinstance(to, Receiver)
        else f'nats = "{to.address}"\nsubject = "floor.told"'
    )
    (folder / "venue.toml").write_text(announcing(where))
    venue = load_venue(folder / "venue.toml")
    ours = Announcements(venue, clock_ms=lambda: 1_000, time_ms=lambda: 5_000, wait_s=wait_s)
    return ours, everybody_sees(TableState.new(venue.tables["boxes"]))


def tell(ours: Announcements, view: TableView, *rounds: int) -> None:
    for number in rounds:
        ours.tell("run", replace(view, round=number))


def counted(what: str, to: str = "webhook") -> float:
    return REGISTRY.get_sample_value(f"natural9_announcements_{what}_total", {"to": to}) or 0.0


async def listening(server: NatsServer, heard: list[tuple[str, dict[str, Any]]]) -> NatsConnection:
    listener = await NatsConnection.open(
        server.address,
        name="test",
        login=NatsIdentity(),
        tls=None,
        heard=lambda subject, _, body: heard.append((subject, json.loads(body))),
        nobody=lambda _: None,
    )
    listener.subscribe("floor.told.>")
    await listener.flush()
    return listener
