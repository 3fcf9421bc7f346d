"""An honest evening at the real house, in this process: everything that clients sent and were shown, and the export.

Two tables: `auto` deals by itself, `felt` is a dealer's with keyed cards. The house is opened twice over the same
records, so that the story has a restart in it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from argon2 import PasswordHasher

from natural9.journal.export import journal_lines
from natural9.server.app import make_app
from natural9.server.guests import Guest
from natural9.server.house import House
from natural9.server.machine import Machine
from natural9.server.people.devices import Place
from natural9.server.people.guards import CSRF_HEADER
from natural9.server.people.sessions import cookie_name
from natural9.server.rates import Bucket, Rate
from natural9.server.websocket import HEADER_ROOM, Handshake
from natural9.store.contract import Entry, StreamHead
from natural9.store.memory import MemoryStore
from natural9.table.venue.venue import load_venue
from natural9.torture.auditor import Auditor
from natural9.torture.judge_rest import Quiet
from natural9.torture.seen import Sighting, Violation

CHEAP = Machine(hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
HERE = "http://127.0.0.1:8909"
PASSWORD = "nine beats eight at any table"
SHORT_MS = 10_000
VENUE = """
[venue]
name = "Honest"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"
[server]
port = 0
[[table]]
id = "auto"
game = "mbs-tiger"
decks = 8
seats = 4
minimum = 1
maximum = 500
timers = { betting = 0.5, reveal = 0.0, result = 0.01 }
[[table]]
id = "felt"
game = "rws-nc-insurance"
layout = "mini-7"
decks = 8
mode = "dealer"
shoe = "read"
minimum = 1
maximum = 500
timers = { betting = 5, reveal = 0.0, result = 0.01, insurance = 5 }
"""
STAFF = {"dora": "dealer", "pat": "pit-supervisor", "max": "pit-manager", "sam": "shift-manager", "cass": "cashier"}


class Story(NamedTuple):
    """What an auditor is told, in order, and the journal at the end."""

    seen: list[Sighting]
    export: list[bytes]
    secrets: dict[str, str]
    quiet: Quiet


def audit(story: Story) -> list[Violation]:
    auditor = Auditor(short_ms=SHORT_MS)
    for words, text in story.secrets.items():
        auditor.secret(words, text)
    for one in story.seen:
        if one.what == "durable":
            auditor.durable(one.who, one.at_ms)
        elif one.what == "crashed":
            auditor.crashed(one.at_ms)
        else:
            auditor.see(*one)
    auditor.rest(story.quiet)
    return auditor.judge(story.export)


class Recording(MemoryStore):
    """It says what is durable."""

    def __init__(self, seen: list[Sighting]) -> None:
        super().__init__()
        self._seen = seen

    def append(self, entries: Sequence[Entry], after: StreamHead) -> asyncio.Future[int]:
        answer = super().append(entries, after)
        stream = entries[0].stream
        self._seen.append(Sighting(self.stream_head(stream).number, stream, "durable", b""))
        return answer


class Line:
    """A client's WebSocket: what it is sent is written down."""

    def __init__(self, evening: "Evening", who: str, guest: Guest) -> None:
        self._evening, self.name, self.who = evening, who, guest
        self.budget = Bucket(Rate(at_once=1000, a_second=1000))
        self.is_shut = False
        self.path, self.peer = "", "127.0.0.1"
        self.heard: list[dict[str, Any]] = []

    def send(self, message: bytes) -> bool:
        self._evening.see(self.name, "shown", message)
        self.heard.append(msgspec.json.decode(message))
        return True

    def put(self, frame: bytearray) -> bool:
        return self.send(self._evening.bytes_of(frame))

    def close(self, code: int, reason: str) -> None:
        if not self.is_shut:
            self.is_shut = True
            self._evening.see(self.name, "cut", b"")

    def tap(self, **fields: Any) -> None:
        message = msgspec.json.encode(fields)
        self._evening.see(self.name, "sent", message)
        self._evening.house.hub.message(self, message)

    @property
    def table(self) -> dict[str, Any]:
        return next(one["table"] for one in reversed(self.heard) if "table" in one)

    @property
    def you(self) -> dict[str, Any]:
        return next(one["you"] for one in reversed(self.heard) if one.get("you"))

    async def until(self, holds: Callable[["Line"], object]) -> None:
        async with asyncio.timeout(20):
            while not holds(self):
                await asyncio.sleep(0.002)


class Evening:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: list[Sighting] = []
        self.secrets: dict[str, str] = {}
        self.store = Recording(self.seen)
        self.house: House
        self.badges: dict[str, dict[str, str]] = {}
        self._requests = 0
        self._frame: tuple[bytearray, bytes] = (bytearray(), b"")

    def see(self, who: str, what: str, message: Any) -> None:
        self.seen.append(Sighting(int(asyncio.get_running_loop().time() * 1000), who, what, message))

    def bytes_of(self, frame: bytearray) -> bytes:
        if self._frame[0] is not frame:
            self._frame = (frame, bytes(frame[HEADER_ROOM:]))
        return self._frame[1]

    async def open(self) -> None:
        (self.folder / "venue.toml").write_text(VENUE, encoding="utf-8")
        self.house = await House.of(self.folder, load_venue(self.folder / "venue.toml"), self.store, CHEAP)
        await self.house.start()
        transport = httpx.ASGITransport(make_app(self.house), client=("127.0.0.1", 5000))  # type: ignore[arg-type]
        self._http = httpx.AsyncClient(transport=transport, base_url=HERE)

    async def hire(self) -> None:
        accounts = self.house.accounts
        code = accounts.first_code()
        assert code
        await accounts.claim_administrator(code, id="ada", name="Ada", password=PASSWORD, peer="")
        self.secrets["password"] = PASSWORD
        issued = {id: await accounts.add(id, name=id.title(), role=role, by="ada") for id, role in STAFF.items()}
        for id, one in issued.items():
            await accounts.set_password(one.code, PASSWORD, peer="")
            await self.sign_in(id)

    async def sign_in(self, id: str) -> None:
        self._http.cookies.clear()
        answer = await self._http.post("/api/sign-in", json={"id": id, "password": PASSWORD})
        cookie = answer.headers["set-cookie"].partition(";")[0]
        self.badges[id] = {"cookie": cookie, CSRF_HEADER: answer.json()["csrf"]}
        self.secrets[f"cookie of {id}"] = cookie.partition("=")[2]
        self._http.cookies.clear()

    async def ask(self, person: str, method: str, path: str, body: Any = None) -> httpx.Response:
        self._requests += 1
        n, who = self._requests, f"staff {person}"
        self.see(who, "sent", {"n": n, "method": method, "path": path, "body": body})
        self._http.cookies.clear()
        answer = await self._http.request(method, path, json=body, headers=self.badges[person])
        self.see(who, "answered", {"n": n, "status": answer.status_code, "body": answer.json()})
        return answer

    async def order(self, person: str, table: str, command: str, why: str = "", **fields: Any) -> dict[str, Any]:
        answer = await self.try_order(person, table, command, why, **fields)
        assert answer.status_code == 200, f"{command} {fields}: {answer.text}"
        return answer.json()  # type: ignore[no-any-return]

    async def try_order(self, person: str, table: str, command: str, why: str = "", **fields: Any) -> httpx.Response:
        body = {"request": f"o{self._requests}", "command": {"type": command, **fields}, "why": why}
        return await self.ask(person, "POST", f"/api/tables/{table}/commands", body)

    async def enrol(self, table: str, seat: int) -> None:
        [issued] = await self.house.accounts.devices.add([Place("terminal", table, seat)], by="ada")
        enrolled = await self.house.accounts.devices.enrol(issued.code, peer="")
        session = self.house.accounts.sessions.token(enrolled.session)
        self.badges[f"{table}/{seat}"] = {"cookie": f"{cookie_name('device', secure=self.house.secure)}={session}"}
        self.secrets[f"cookie of {table}/{seat}"] = session

    async def display(self, table: str) -> Line:
        [issued] = await self.house.accounts.devices.add([Place("display", table)], by="ada")
        enrolled = await self.house.accounts.devices.enrol(issued.code, peer="")
        session = self.house.accounts.sessions.token(enrolled.session)
        self.badges[f"display {table}"] = {"cookie": f"{cookie_name('device', secure=self.house.secure)}={session}"}
        return self.connect(f"display {table}", f"display {table}", f"/ws/table/{table}")

    def connect(self, who: str, badge: str, path: str) -> Line:
        headers = {"host": "127.0.0.1:8909", "cookie": self.badges[badge]["cookie"]}
        guest = self.house.hub.opening(Handshake(path, {}, headers, "127.0.0.1"))
        assert isinstance(guest, Guest), guest
        line = Line(self, who, guest)
        self.see(who, "came", {"path": path})
        self.house.hub.opened(line)  # type: ignore[arg-type]
        return line

    def sit(self, table: str, seat: int) -> Line:
        return self.connect(f"terminal {table}/{seat}", f"{table}/{seat}", f"/ws/table/{table}")

    async def stop(self) -> None:
        await self._http.aclose()
        await self.house.stop("the evening is over")

    async def crash(self) -> None:
        """Nothing more is written, and nothing said but that the tables stop."""
        self.seen.append(Sighting(0, "", "crashed", b""))
        self.see("", "may halt", b"")
        for table in list(self.house.rooms):
            self.house.rooms[table].writer.halt(self.house.rooms[table].writer.state.status.words)
        await self._http.aclose()
        house = self.house
        tasks = [*house.tables.tasks, *house._tasks, *house.office.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def export(self) -> list[bytes]:
        return [line async for line in journal_lines(self.store, "Honest")]


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[Evening]:
    one = Evening(folder)
    await one.open()
    try:
        await one.hire()
        yield one
    finally:
        await one.stop()


async def honest_story(folder: Path) -> Story:
    """Some rounds at both tables, with refusals, vouchers, a void, a correction, insurance, an attendant, a restart."""
    async with evening(folder) as at:
        await _set_up(at)
        await _at_the_felt(at)
        await _automatic_rounds(at)
        while not at.house.rooms["auto"].writer.state.in_play:  # so that a round is interrupted
            await asyncio.sleep(0)
        await at.crash()
        for who in {one.who for one in at.seen if one.what == "came"}:
            at.see(who, "cut", b"")
        await at.open()
        rounds = {"auto": at.house.rooms["auto"].writer.state.round.number}
        await _after_the_restart(at)
        quiet = Quiet(0, 2**50, rounds, must_rest=frozenset({"auto", "felt"}))
        return Story(at.seen, await at.export(), at.secrets, quiet)


async def _set_up(at: Evening) -> None:
    await at.ask("cass", "POST", "/api/drawer/open", {"request": "d1", "cents": 100_000})
    for table in ("auto", "felt"):
        for seat in (1, 2):
            await at.enrol(table, seat)
            await at.order("cass", table, "credit-terminal", seat=seat, cents=400_000 * seat + 77_700)
    for person in STAFF:
        await at.sign_in(person)
    at.connect("console dora felt", "dora", "/ws/table/felt")
    at.connect("floor pat", "pat", "/ws/floor")
    await at.display("auto")
    await at.display("felt")


def _bet(line: Line, request: str, wager: str, cents: int) -> None:
    line.tap(type="bet", request=request, round=line.table["round"], wager=wager, cents=cents)


async def _answered(line: Line, *requests: str) -> None:
    def is_answered(at: Line) -> bool:
        told = [
            *[r for one in at.heard for r in one.get("requests", ())],
            *[one.get("request", "") for one in at.heard],
        ]
        return all(request in told for request in requests)

    await line.until(is_answered)


async def _felt_round(at: Evening, cards: str, *, settle: bool = True) -> None:
    await at.order("dora", "felt", "close-betting")
    for card in cards.split():
        await _deal(at, card)
    if settle:
        await at.order("dora", "felt", "declare")
        await at.order("dora", "felt", "settle")


async def _deal(at: Evening, card: str) -> None:
    room = at.house.rooms["felt"]
    while room.published.window:
        await at.order("dora", "felt", "close-insurance" if room.published.window_open else "open-insurance")
    await at.order("dora", "felt", "deal", card=card)


async def _at_the_felt(at: Evening) -> None:
    one, two = at.sit("felt", 1), at.sit("felt", 2)
    await one.until(lambda line: line.heard)
    await at.order("max", "felt", "open-table")
    await at.order("dora", "felt", "sign-on")
    await at.order("dora", "felt", "new-shoe")
    await at.order("dora", "felt", "open-betting")
    await one.until(lambda line: line.table["phase"] == "betting-open")
    _bet(one, "f1", "banker", 10_000)
    _bet(one, "f1", "banker", 10_000)  # once more
    _bet(one, "f1", "player", 10_000)  # the same id, with other content
    _bet(one, "f2", "no-such-wager", 100)
    _bet(one, "f3", "tie", 100_000_000)
    one.tap(type="take-back", request="f4", round=one.table["round"], wager="banker", cents=2_000)
    two.tap(type="lay-bets", request="g1", round=1, bets={"player": 5_000, "player-pair": 500})
    two.tap(type="call-attendant", request="g2", wanted=True)
    await _answered(one, "f1", "f2", "f3", "f4")
    await _answered(two, "g1", "g2")
    await at.order("dora", "felt", "take-call", seat=2)
    await at.order("dora", "felt", "close-betting")
    for card in ["4S", "2H", "KD", "3C"]:  # Player 4, Banker 5: insurance on the Banker
        await _deal(at, card)
    await at.order("dora", "felt", "open-insurance")
    await one.until(lambda line: line.you["may_insure"])
    one.tap(type="insure", request="f5", round=1, hand="banker", cents=1_000)
    await _answered(one, "f5")
    await at.order("dora", "felt", "close-insurance")
    await _deal(at, "4D")  # Player 8
    while at.house.rooms["felt"].published.draws:
        await _deal(at, "9C")
    await at.order("dora", "felt", "declare")
    await at.order("dora", "felt", "settle")
    await at.order("pat", "felt", "lock-terminal", why="a quarrel", seat=2)
    await at.order("dora", "felt", "open-betting")
    await one.until(lambda line: line.table["phase"] == "betting-open")
    _bet(one, "f6", "player", 3_000)
    _bet(two, "g3", "player", 3_000)  # locked
    await _answered(one, "f6")
    await _answered(two, "g3")
    await at.order("pat", "felt", "unlock-terminal", why="settled", seat=2)
    await at.order("dora", "felt", "close-betting")
    await _deal(at, "9S")
    await at.order("dora", "felt", "report", kind="foreign-card")
    assert (await at.try_order("dora", "felt", "decide", "a blue back", report=1, remedy="void")).status_code == 409
    await at.order("pat", "felt", "decide", "a blue back", report=1, remedy="void")
    await at.order("dora", "felt", "new-shoe")
    await at.order("dora", "felt", "open-betting")
    await one.until(lambda line: line.table["round"] == 3 and line.table["phase"] == "betting-open")
    _bet(one, "f7", "player", 3_000)
    _bet(two, "g4", "banker", 4_000)
    await _answered(one, "f7")
    await _answered(two, "g4")
    await _felt_round(at, "9S KH KD 5C")
    await at.order("sam", "felt", "correct-result", "it was an eight", cards=["8S", "KH", "KD", "5C"])
    await at.order("dora", "felt", "open-betting")
    await one.until(lambda line: line.table["round"] == 4 and line.table["phase"] == "betting-open")
    _bet(one, "f8", "tie", 1_000)
    await _answered(one, "f8")
    await _felt_round(at, "9H KH KD 9C", settle=False)


async def _automatic_rounds(at: Evening) -> None:
    one, two = at.sit("auto", 1), at.sit("auto", 2)
    await one.until(lambda line: line.heard)
    await at.order("max", "auto", "open-table")
    for number in range(1, 5):
        await one.until(lambda line, n=number: line.table["round"] >= n and line.table["phase"] == "betting-open")  # type: ignore[misc]
        _bet(one, f"a{number}", "banker", 1_000 * number)
        _bet(two, f"b{number}", "player", 100)
        _bet(two, f"c{number}", "tiger-pair", 500)
        if number == 2:
            two.tap(type="undo", request="u1", round=two.table["round"])
            two.tap(type="double", request="d1", round=two.table["round"])
        await _answered(one, f"a{number}")
        await _answered(two, f"b{number}", f"c{number}")
    one.tap(type="cash-out", request="v1", cents=20_000)
    await _answered(one, "v1")
    slip = next(line["voucher"] for line in one.heard if line.get("voucher"))
    two.tap(type="insert-voucher", request="v2", number=slip["number"], code="AAAA-AAAA")
    two.tap(type="insert-voucher", request="v3", number=slip["number"], code=slip["code"])
    await _answered(two, "v2", "v3")
    one.tap(type="cash-out", request="v4", cents=30_000)
    await _answered(one, "v4")
    slip = next(line["voucher"] for line in reversed(one.heard) if line.get("voucher"))
    pay = {"request": "p1", "number": slip["number"], "code": slip["code"]}
    for request in ("p1", "p1", "p2"):
        await at.ask("cass", "POST", "/api/vouchers/pay", {**pay, "request": request})
    await at.ask("cass", "GET", "/api/tables/auto/terminals")
    one.tap(type="cash-out", request="v5", cents=10_000)
    await _answered(one, "v5")
    slip = next(line["voucher"] for line in reversed(one.heard) if line.get("voucher"))
    await at.order("max", "auto", "void-voucher", "lost by its owner", number=slip["number"])
    await at.ask("cass", "POST", "/api/vouchers/pay", {"request": "p3", "number": slip["number"], "code": slip["code"]})
    await at.order("cass", "auto", "hand-pay", "a large win", seat=1, cents=5_000)


async def _after_the_restart(at: Evening) -> None:
    for person in STAFF:
        await at.sign_in(person)
    at.connect("console dora felt", "dora", "/ws/table/felt")
    one, felt = at.sit("auto", 1), at.sit("felt", 1)
    await one.until(lambda line: line.heard)
    one.tap(type="bet", request="a1", round=1, wager="banker", cents=1_000)  # as it was answered before
    one.tap(type="cash-out", request="v1", cents=20_000)
    await _answered(one, "a1", "v1")
    await felt.until(lambda line: line.heard)
    report = at.house.rooms["felt"].published.waiting[0].report
    await at.order("pat", "felt", "decide", "as they lie", report=report, remedy="confirm-cards")
    await at.order("dora", "felt", "declare")
    await at.order("dora", "felt", "settle")
    await at.order("sam", "felt", "correct-result", "the cameras show it", cards=["8S", "KH", "KD", "9C"], round=3)
    await at.order("sam", "felt", "rule-on-bet", "a quarrel", seat=2, wager="banker", returned_cents=0, round=3)
    await at.order("pat", "auto", "pause-table", why="the evening is over")
    await at.ask("cass", "POST", "/api/drawer/close", {"request": "d2", "cents": 2_000_000})
    await one.until(lambda line: line.table["status"] == "paused" and not line.table["in_play"])
