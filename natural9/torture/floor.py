"""A whole venue in one process: the real house over a simulated disk and network, killed and opened again.

`SimulatedFloor` has the machine: time, chance, power. Clients reach the house over `connect` and `request` alone.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from argon2 import PasswordHasher

from natural9.games import load_game
from natural9.server.app import Routes, make_app
from natural9.server.heartbeat import Beat
from natural9.server.house import House
from natural9.server.machine import Machine
from natural9.server.people.devices import Place
from natural9.server.people.guards import CSRF_HEADER
from natural9.server.people.sessions import cookie_name
from natural9.server.program import file_hashes
from natural9.server.websocket import PortSettings, UpgradeRefused
from natural9.store.contract import StoreFailed
from natural9.table.devices.line import LineToDevice, OpenDevice, Serial, Tcp
from natural9.table.shoes.reader import Reading
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue
from natural9.torture.chance import chance_of
from natural9.torture.disk import SimulatedDisk, SimulatedStore
from natural9.torture.loop import Life, SimulatedLoop
from natural9.torture.mix import Mix, SimulatedTable
from natural9.torture.network import HOST, FarEnd, Network, SimulatedLine
from natural9.torture.pay_rows import RareRounds
from natural9.torture.people import PEOPLE
from natural9.torture.stacked import StackedShuffles

START_MS: Final = 1_800_000_000_000
PASSWORD: Final = "nine beats eight at any table"
STAFF: Final = {
    "ada": "administrator",
    **{name: rank.tag for name, rank in PEOPLE.items()},
    "cass": "cashier",
    "carl": "cashier",
}
REAL_CARDS: Final = ("keyed", "read")
CHEAP: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

Watch = Callable[[int, str, str, bytes], None]  # when, who, what happened ("sent", "answered", ...), the bytes


class HouseIsDown(Exception):
    """Nobody answers, or the answer was lost."""


class HttpAnswer(NamedTuple):
    status: int
    body: Any


class Badge:
    """What somebody shows: the cookie, and the token that goes with it."""

    def __init__(self, cookie: str, csrf: str) -> None:
        self.cookie, self.csrf = cookie, csrf


@cache
def _program() -> dict[str, str]:
    return file_hashes()


_routes: Final = cache(Routes)


def venue_text(mix: Mix) -> str:
    head = (
        '[venue]\nname = "Torture"\ncurrency = "SGD"\nzone = "Asia/Singapore"\nday_starts = "06:00"\n'
        f"voucher_days = 30\n[server]\nport = 0\n[players]\non = true\n[lobby]\nside_by_side = {mix.lobby_tables}\n"
    )
    return head + _cash_text(mix) + _protection_text(mix) + "".join(_table_text(mix, table) for table in mix.tables)


def _cash_text(mix: Mix) -> str:
    cash = mix.habits.cash
    lines = ["[cage]", f"open_drawer_first = {str(cash.drawer_first).lower()}"]
    lines += [f"second_signature = {cash.alone_up_to}"] if cash.alone_up_to else []
    lines += [f"ceiling = {cash.ceiling}"] if cash.ceiling else []
    if cash.ceiling and not cash.alone_up_to:
        lines.append(f"second_signature = {cash.ceiling}")  # what is usual is above the ceiling
    lines += ["[bill_acceptor]", 'address = "tcp:{table}-{seat}:9402"'] if cash.bills_s else []
    return "\n".join(lines) + "\n"


def _protection_text(mix: Mix) -> str:
    drawn = mix.habits.protection._asdict()
    lines = [f"{name} = {minutes}" for name, minutes in drawn.items() if minutes]
    return "\n".join(["[protection]", *lines]) + "\n"


def _table_text(mix: Mix, table: SimulatedTable) -> str:
    by_itself, has_insurance = table.deals == "electronic", load_game(table.game).insurance is not None
    timers = {"betting": mix.betting_s, "reveal": 0.1, "result": 0.5, "mix": 1.0}
    if has_insurance:
        timers["insurance"] = 1.0
    if by_itself:
        timers["squeeze"] = table.squeeze_s
    written = ", ".join(f"{name} = {seconds}" for name, seconds in timers.items())
    lines = [
        f'id = "{table.id}"',
        f'game = "{table.game}"',
        "decks = 8",
        'layout = "bean-9"' if has_insurance else f"seats = {table.seats}",
        "minimum = 1",
        "maximum = 1000",
        f"joint_shoe = {str(table.joint_shoe and table.deals not in REAL_CARDS).lower()}",
        f"timers = {{ {written} }}",
    ]
    for name, dollars in (
        ("seat_minimum", table.seat_least),
        ("seat_maximum", table.seat_most),
        ("table_maximum", table.table_most),
    ):
        if dollars:
            lines.append(f"{name} = {dollars}")
    if table.burns:
        lines.append('burn = "first-card"')
    if not by_itself:
        lines.append('mode = "dealer"')
    if table.deals in REAL_CARDS:
        lines.append('shoe = "read"')
    if table.deals == "read":
        lines.append(f'reader = "tcp:{table.id}:9401"')
    return "\n[[table]]\n" + "\n".join(lines) + "\n"


class SimulatedFloor:
    def __init__(self, mix: Mix, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        self.mix, self.folder, self.loop = mix, folder, loop
        self.disk = SimulatedDisk(chance_of(mix.seed, "disk"))
        self.network = Network(chance_of(mix.seed, "network"))
        self.happened: Counter[str] = Counter()
        self.house: House | None = None
        self.badges: dict[str, Badge] = {}  # of people by their id, of terminals as "t1/3", of displays as "t1"
        self.readers: dict[str, Callable[[], AsyncGenerator[Reading, None]]] = {}  # of the reading shoes, by table
        self.acceptors: OpenDevice | None = None  # of bills, once somebody has plugged them in
        self.watch: Watch | None = None
        self.crashed: Callable[[], None] | None = None
        self.ends: Callable[[], None] | None = None  # the program, in good order
        self.tell: Callable[[str], None] | None = None  # whoever wants every step in plain words
        self.clock_ahead_ms = 0  # by how much the machine's clock was set
        self.is_up = False
        self._chance = chance_of(mix.seed, "machine")
        self._requests = self._asked_http = 0
        self._doors: dict[str, asyncio.Lock] = {}  # one sign-in of a person at a time
        self._life: Life | None = None
        self._store: SimulatedStore | None = None
        self._app: Any = None
        self._port: PortSettings | None = None
        self._asking: dict[asyncio.Future[HttpAnswer], None] = {}  # who waits for an answer over HTTP
        (folder / VENUE_FILE).write_text(venue_text(mix), encoding="utf-8")
        self.venue: Venue = load_venue(folder / VENUE_FILE)
        self.machine = Machine(
            time_ms=self.time_ms,
            monotonic_ms=self.monotonic_ms,
            monotonic_s=loop.time,
            stopwatch_s=loop.time,
            random_bytes=self._chance.randbytes,
            random_below=self._shuffles().below,
            beat=self._beat,
            read_cards=self._read_cards,
            open_acceptor=self._open_acceptor,
            file_hashes=_program,
            hasher=CHEAP,
        )

    # The machine

    def _shuffles(self) -> StackedShuffles:
        games = [table.game for table in self.mix.tables if table.deals not in REAL_CARDS]
        rare = RareRounds(games, chance_of(self.mix.seed, "pay rows")) if games else None
        return StackedShuffles(chance_of(self.mix.seed, "shuffler"), self.mix.rare_cards, rare)

    def monotonic_ms(self) -> int:
        return round(self.loop.time() * 1000)

    def time_ms(self) -> int:
        return START_MS + self.monotonic_ms() + self.clock_ahead_ms

    def _beat(self) -> Beat:
        return Beat(machine_ms=self.time_ms(), boot="simulated", up_ms=self.monotonic_ms())

    async def _read_cards(self, address: str) -> AsyncGenerator[Reading, None]:
        table = address.split(":")[1]
        if make := self.readers.get(table):
            async for reading in make():
                yield reading
        await asyncio.Event().wait()  # nobody has plugged it in

    @asynccontextmanager
    async def _open_acceptor(self, where: Tcp | Serial) -> AsyncGenerator[LineToDevice, None]:
        if self.acceptors is None:
            raise ConnectionRefusedError
        async with self.acceptors(where) as line:
            yield line

    # The house

    async def begin(self) -> None:
        """The first start: people, terminals and displays are made, and get what they show."""
        await self.open()
        assert self._life
        await self.loop.create_task(self._people(), context=self._life.context)

    async def _devices(self) -> None:
        assert self.house
        accounts, sessions = self.house.accounts, self.house.accounts.sessions
        for table in self.mix.tables:
            places = [Place("terminal", table.id, seat) for seat in range(1, table.seats + 1)]
            places.append(Place("display", table.id))
            for place, issued in zip(places, await accounts.devices.add(places, by="ada"), strict=True):
                enrolled = await accounts.devices.enrol(issued.code, peer=HOST)
                token = sessions.token(enrolled.session)
                name = f"{place.table}/{place.seat}" if place.seat else place.table
                self.badges[name] = Badge(
                    f"{cookie_name('device', secure=False)}={token}", sessions.csrf(enrolled.session)
                )

    async def _people(self) -> None:
        assert self.house
        accounts = self.house.accounts
        code = accounts.first_code()
        assert code
        await accounts.claim_administrator(code, id="ada", name="Ada", password=PASSWORD, peer=HOST)
        for id, role in STAFF.items():
            if id != "ada":
                issued = await accounts.add(id, name=id.title(), role=role, by="ada")
                await accounts.set_password(issued.code, PASSWORD, peer=HOST)
        await self._devices()

    async def open(self) -> None:
        """The program is started; raises HouseIsDown if it is killed before it is ready."""
        assert not self._life
        life = self._life = Life()
        opening = self.loop.create_task(self._open(), context=life.context)
        await asyncio.wait([opening])
        if opening.cancelled():
            raise HouseIsDown
        await self._unless_the_disk_failed(opening)
        house = opening.result()
        if self._life is not life:
            raise HouseIsDown
        self.house = house
        self.is_up = True

    async def _open(self) -> House:
        self._store = self.disk.open()
        house = await House.of(self.folder, self.venue, self._store, self.machine)
        self._app = make_app(house, routes=_routes())
        self._port = self.network.settings(house.hub, self.loop.time)
        await house.start()
        return house

    def crash(self) -> None:
        """The process is killed, at this very step. From a plain callback of the simulation."""
        life, store = self._life, self._store
        if life is None:
            return
        self._life = self._store = self.house = None
        self.is_up = False
        if store:
            store.power_off()
        self.network.house_is_gone()
        for asking in [*self._asking]:
            if not asking.done():
                asking.set_exception(HouseIsDown())
        self._asking.clear()
        self.loop.kill(life)
        if self.crashed:
            self.crashed()

    async def stop(self) -> None:
        """In good order: rounds are finished, everything is written, and the process ends."""
        house, life = self.house, self._life
        assert house
        assert life
        if self.ends:
            self.ends()
        stopping = self.loop.create_task(house.stop("the simulation stops it"), context=life.context)
        await asyncio.wait([stopping])
        if stopping.cancelled():
            raise HouseIsDown
        await self._unless_the_disk_failed(stopping)
        stopping.result()
        await self._exit()

    async def _unless_the_disk_failed(self, what: "asyncio.Task[Any]") -> None:
        """Whoever started it sees the program end with an error, and starts it again."""
        if isinstance(what.exception(), StoreFailed):
            self.happened["ended by a failure of the disk"] += 1
            await self._exit()
            raise HouseIsDown

    async def _exit(self) -> None:
        """The process ends by itself, unless it was killed in that very moment."""
        if life := self._life:
            self.loop.call_soon(self.crash)
            while self._life is life:
                await asyncio.sleep(0)

    @property
    def is_halted(self) -> bool:
        """A table has stopped, or nothing can be written: somebody must start the program anew."""
        if not self.house or not self._store:
            return False
        return not self._store.can_write or any(room.writer.halted for room in self.house.rooms.values())

    # Clients

    def see(self, who: str, what: str, message: bytes = b"") -> None:
        if self.watch:
            self.watch(self.monotonic_ms(), who, what, message)

    def connect(self, who: str, client: FarEnd, path: str, after: str = "") -> SimulatedLine | UpgradeRefused:
        """As this one, to /ws/...; raises HouseIsDown."""
        if not self.is_up or not self._life or not self._port:
            raise HouseIsDown
        badge = self.badges.get(who)
        if badge is None:  # signing in again just now
            raise HouseIsDown
        headers = {"cookie": badge.cookie}
        return self.network.connect(self._port, client, path, headers, after, self._life.context)

    async def request(
        self, who: str, method: str, path: str, body: object = None, badge: Badge | None = None
    ) -> HttpAnswer:
        """Over HTTP, as this person or device; HouseIsDown if there is no answer, whatever came of it."""
        network, life = self.network, self._life
        sent = msgspec.json.encode(body) if body is not None else b""
        self._asked_http += 1
        number = self._asked_http
        self.see(who, "sent", b" ".join((str(number).encode(), method.encode(), path.encode(), sent)))
        await asyncio.sleep(network.arrives_at() - self.loop.time())
        if not self.is_up or life is None or life is not self._life or network.is_cut_now():
            raise HouseIsDown
        answered: asyncio.Future[HttpAnswer] = self.loop.create_future()
        self._asking[answered] = None
        badge = badge or self.badges.get(who)
        serving = self._serve(answered, badge, method, path, sent)
        self.loop.create_task(serving, context=life.context)
        try:
            answer = await answered
        finally:
            self._asking.pop(answered, None)
        is_lost = network.is_cut_now()
        await asyncio.sleep(network.arrives_at() - self.loop.time())
        if is_lost:
            network.happened["answer lost"] += 1
            raise HouseIsDown
        self.see(who, "answered", msgspec.json.encode({"n": number, "status": answer.status, "body": answer.body}))
        return answer

    async def _serve(
        self, answered: "asyncio.Future[HttpAnswer]", badge: Badge | None, method: str, path: str, body: bytes
    ) -> None:
        path, _, query = path.partition("?")
        headers = [(b"host", HOST.encode()), (b"content-length", str(len(body)).encode())]
        if body:
            headers.append((b"content-type", b"application/json"))
        if badge:
            headers += [(b"cookie", badge.cookie.encode()), (CSRF_HEADER.encode(), badge.csrf.encode())]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": (HOST, 1),
            "server": (HOST, 80),
            "extensions": {},
            "state": {},
        }
        status, parts, cookies = 0, list[bytes](), list[str]()

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                cookies.extend(value.decode() for name, value in message["headers"] if name.lower() == b"set-cookie")
            else:
                parts.append(message.get("body", b""))

        await self._app(scope, receive, send)
        for cookie in cookies if badge else ():
            badge.cookie = cookie.partition(";")[0]  # type: ignore[union-attr]
        raw = b"".join(parts)
        try:
            decoded = msgspec.json.decode(raw) if raw else None
        except msgspec.DecodeError:
            decoded = raw.decode(errors="replace")
        if not answered.done():
            answered.set_result(HttpAnswer(status, decoded))

    async def sign_in(self, person: str) -> bool:
        """So that this person has a badge, at however many screens they stand."""
        async with self._doors.setdefault(person, asyncio.Lock()):
            if person in self.badges:
                return True
            badge, who = Badge("", ""), {"id": person, "password": PASSWORD}
            answer = await self.request(person, "POST", "/api/sign-in", who, badge)
            if answer.status == 200:
                badge.csrf = answer.body["csrf"]
                self.badges[person] = badge
            return answer.status == 200

    def new_request(self) -> str:
        self._requests += 1
        return f"r{self._requests}"
