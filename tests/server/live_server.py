"""A real server for tests: `natural9 serve` in a process of its own (`tests/starter.py`), on a folder of its own, over
real sockets.

Passwords are hashed as the product hashes them, which is slow on purpose: so the staff are made once, by a real server,
and every other venue of a test starts from a copy of that folder. Its key is the same, so sessions go on being good.
"""

import asyncio
import atexit
import os
import re
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from functools import cache
from pathlib import Path
from secrets import token_hex
from threading import Condition, Thread
from typing import Any, NamedTuple, Self, TextIO, TypeVar

import msgspec
from msgspec.structs import replace

from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command
from natural9.games import load_game
from natural9.server import protocol, wire
from natural9.server.client import Answer, Client, Live, ServerSaidNo
from natural9.server.clock import machine_ms
from natural9.server.people.keys import venue_keys
from natural9.server.people.sessions import Sessions, cookie_name, read_cookie
from natural9.store.audit import audit
from natural9.store.contract import Access, Written
from natural9.store.opening import open_store
from natural9.table.audit.findings import Verified
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.state.seat_view import SeatView
from natural9.table.state.view import TableView
from tests.starter import Started, starter
from tests.table.live import asked

T = TypeVar("T")
START_S = 60
WAIT_S = 40
PASSWORD = "seven green lamps of "
PEOPLE = {
    "dealer": "dora",
    "pit-supervisor": "vera",
    "pit-manager": "max",
    "shift-manager": "sam",
    "cashier": "cass",
    "auditor": "olaf",
    "administrator": "ada",
}
PLAIN = ssl.create_default_context()  # made once: a client makes one of its own otherwise, which takes a while


def password(role: str) -> str:
    return PASSWORD + PEOPLE[role]


def table(
    id: str,
    game: str,
    *,
    betting: float = 0.4,
    reveal: float = 0.0,
    result: float = 0.1,
    insurance: float | None = None,
    squeeze: float = 0.0,
    mix: float = 5.0,
    **settings: str | int | bool,
) -> str:
    """One table of a venue file: a dealer's table with typed cards, unless told otherwise."""
    insuring = game == "rws-nc-insurance"
    window = f", insurance = {insurance or 0.3}" if insuring else ""
    usual: dict[str, str | int | bool] = {"decks": 8, "mode": "dealer", "shoe": "read", "minimum": 1, "maximum": 50000}
    usual |= {"layout": "bean-9"} if insuring else {"seats": 50}
    lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in (usual | settings).items()]
    timers = f"betting = {betting}, reveal = {reveal}, result = {result}, squeeze = {squeeze}, mix = {mix}{window}"
    return "\n".join(["[[table]]", f'id = "{id}"', f'game = "{game}"', *lines, f"timers = {{ {timers} }}", ""])


def automatic(id: str, game: str, **settings: Any) -> str:
    return table(id, game, **({"mode": "automatic", "shoe": "shuffler"} | settings))


SIGNED_ABOVE_CENTS = 1_000_000  # unless the venue file says otherwise


def venue_file(*tables: str, server: str = "", venue: str = "") -> str:
    head = '[venue]\nname = "Test"\ncurrency = "SGD"\nzone = "Asia/Singapore"\nday_starts = "06:00"\n' + venue
    return "\n".join([head, f"[server]\nport = 0\n{server}", *tables])


class Server:
    """One run after another of `natural9 serve` on one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log: list[str] = []
        self.address = ""
        self._process: Started | subprocess.Popen[str]
        self._reader: Thread
        self._heard = Condition()

    def start(self) -> Self:
        self._process, said = self.begin()
        self._reader = Thread(target=self._listen, args=(said,), daemon=True)
        begin = len(self.log)
        self._reader.start()
        self.address = self.wait_for_line(r" at (https?://\S+)$", after=begin)[1]
        return self

    def begin(self) -> tuple[Started | subprocess.Popen[str], TextIO]:
        """The process, and what it says."""
        return _serve(self.folder)

    def _listen(self, said: TextIO) -> None:
        with said:
            for line in said:
                with self._heard:
                    self.log.append(line.rstrip("\n"))
                    self._heard.notify_all()
        with self._heard:
            self.log.append("(end)")
            self._heard.notify_all()

    def wait_for_line(self, pattern: str, *, after: int = 0) -> re.Match[str]:
        def found() -> re.Match[str] | None:
            matches = (re.search(pattern, line) for line in self.log[after:])
            return next((match for match in matches if match), None)

        with self._heard:
            self._heard.wait_for(lambda: found() or "(end)" in self.log[after:], START_S)
            match = found()
        assert match, f"the server never said {pattern}:\n" + "\n".join(self.log[after:])
        return match

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def journal_pid(self) -> int:
        """The process that writes its journal."""
        return int(Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text())

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """As a power cut would."""
        self._process.kill()
        self._ended()

    def terminate(self) -> int:
        self._process.terminate()
        return self._ended()

    def ask_to_stop(self) -> None:
        self._process.terminate()

    def wait(self) -> int:
        return self._ended()

    def _ended(self) -> int:
        code = self._process.wait(WAIT_S)
        self._reader.join(WAIT_S)
        return code

    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    # The journal, read beside the server or after it.

    async def history(self, stream: str | None = None) -> list[Written]:
        store = open_store(self.folder, Access.READ)
        try:
            return await store.entries(stream=stream, limit=10**6)
        finally:
            await store.close()

    async def check_every_round(self) -> Verified:
        """Every entry follows from the ones before it: settlements derived again from the cards and the rules."""
        store = open_store(self.folder, Access.READ)
        try:
            verified = await verify(store, load_game=load_game)
        finally:
            await store.close()
        assert verified.fault is None, verified.fault.words
        assert not verified.not_derived, verified.not_derived_first
        return verified

    async def check_books(self) -> dict[str, int]:
        """The chain holds, every balance follows from its transfers, and all of them sum to nothing."""
        store = open_store(self.folder, Access.READ)
        try:
            await audit(store)
            balances = dict(await store.balances())
        finally:
            await store.close()
        assert sum(balances.values()) == 0, balances
        return balances


def _serve(folder: Path) -> tuple[Started, TextIO]:
    said, says = os.pipe()
    with Path(os.devnull).open() as nothing:
        files = nothing.fileno(), 1, says
        process = starter().begin(("serve", str(folder)), files, environment=os.environ, cwd=Path.cwd())
    os.close(says)
    return process, os.fdopen(said, encoding="utf-8")


def refusal_to_start(folder: Path) -> tuple[int, str]:
    """The exit status and everything it said, of a server that does not start."""
    process, said = _serve(folder)
    with said:
        try:
            return process.wait(WAIT_S), said.read()
        finally:
            process.kill()


# Folders with staff.


class Staffed(NamedTuple):
    folder: Path
    cookies: dict[str, str]  # by role


@cache
def staffed() -> Staffed:
    """A folder in which everyone of PEOPLE has an account, and the session cookie of each; one for all workers."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or token_hex(8)
    place = Path(tempfile.gettempdir()) / f"natural9-staffed-{run}"
    place.mkdir(exist_ok=True)
    users = (place / "users").open("w")
    flock(users, LOCK_SH)
    atexit.register(_last_one_tidies, place, users)
    made = place / "cookies.json"
    with (place / "making").open("w") as making:
        flock(making, LOCK_EX)
        if not made.exists():
            made.write_bytes(msgspec.json.encode(_staff_a_venue(place / "venue")))
    return Staffed(place / "venue", msgspec.json.decode(made.read_bytes()))


def session_of(role: str) -> str:
    """Their cookie, as if heard of just now: on a slow machine all tests take longer than a session lasts unheard."""
    name, key = cookie_name("staff", secure=False), venue_keys(staffed().folder)[0]
    made = read_cookie(staffed().cookies[role], name)
    made_ms = round((staffed().folder.parent / "cookies.json").stat().st_mtime * 1000)
    session = Sessions(key, clock_ms=lambda: made_ms).read(made)
    assert session
    return f"{name}={Sessions(key, clock_ms=machine_ms).token(replace(session, seen_ms=machine_ms()))}"


def _last_one_tidies(place: Path, users: TextIO) -> None:
    try:
        flock(users, LOCK_EX | LOCK_NB)
        shutil.rmtree(place, ignore_errors=True)
    except BlockingIOError:
        pass
    users.close()


def _staff_a_venue(folder: Path) -> dict[str, str]:
    folder.mkdir()
    (folder / "venue.toml").write_text(venue_file(table("1", "rws-nc")))
    with running(folder) as server:
        code = server.wait_for_line(r"with this code, which works once: (\S+)$")[1]
        with ThreadPoolExecutor(1) as aside:  # the test that needs them first may be in an event loop already
            cookies = aside.submit(asyncio.run, _hire(server.address, code)).result()
        assert server.terminate() == 0
    return cookies


async def _hire(address: str, claim: str) -> dict[str, str]:
    async with Client(address, ssl_context=PLAIN) as admin:
        first = {"code": claim, "id": "ada", "name": "Ada Low", "password": password("administrator")}
        await admin.post("/api/claim-administrator", first)

        async def begin(role: str, id: str, code: str) -> tuple[str, str]:
            async with Client(address, ssl_context=PLAIN) as client:
                await client.post("/api/set-password", {"code": code, "password": password(role)})
                await client.sign_in(id, password(role))
                return role, client.cookies

        codes: list[tuple[str, str, str]] = []  # all of them first: later two people appoint a manager
        for role, id in PEOPLE.items():
            if id != "ada":
                issued = await admin.post("/api/staff/", {"id": id, "name": f"{id.title()} Low", "role": role})
                codes.append((role, id, issued["code"]))
        hired = await asyncio.gather(*(begin(*one) for one in codes))
        return {**dict(hired), "administrator": admin.cookies}


def new_venue(folder: Path, *tables: str, server: str = "", venue: str = "") -> Path:
    """A folder with these tables and the staff of PEOPLE."""
    shutil.copytree(staffed().folder, folder, dirs_exist_ok=True)
    (folder / "venue.toml").write_text(venue_file(*tables, server=server, venue=venue))
    return folder


@contextmanager
def running(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        yield server.start()
    finally:
        if server.running:
            server.kill()


# People and terminals.


class Terminal:
    """A player's terminal: what it was told, and where that leaves it."""

    def __init__(self, client: Client, live: Live) -> None:
        self.client, self.live = client, live
        self.heard: list[protocol.FromServer] = []
        self.table: TableView
        self.you: SeatView
        self.epoch, self.n = "", 0
        self._news = asyncio.Event()
        live.on_message = self._hear
        while live.messages:
            self._hear(live.messages.popleft())

    def _hear(self, message: protocol.FromServer) -> None:
        self.heard.append(message)
        match message:
            case protocol.Welcome():
                self.table, self.epoch, self.n = message.table, message.epoch, message.n
            case protocol.TableMessage():
                self.table, self.n = message.table, message.n
            case _:
                pass
        self.you = getattr(message, "you", None) or getattr(self, "you", None)  # type: ignore[assignment]
        self._news.set()

    async def until(self, when: Callable[["Terminal"], Any], what: str = "") -> Self:
        """Wait until this holds of what it was told."""
        try:
            async with asyncio.timeout(WAIT_S):
                while not (self.heard and when(self)):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"never came {what or 'about'}; last: {self.heard[-3:]}") from None
        return self

    async def betting_open(self, after: int = 0) -> int:
        """The number of the next round, later than this, that takes bets."""
        await self.until(lambda t: t.table.phase == "betting-open" and t.table.round > after, "betting-open")
        return self.table.round

    async def ask(self, shape: type[taps.Tap], **fields: Any) -> Answer:
        if issubclass(shape, taps.BetTap):
            fields = {"round": self.table.round} | fields
        return await self.live.ask(shape(request=self.live.new_request(), **fields))

    async def do(self, shape: type[taps.Tap], **fields: Any) -> protocol.Registered:
        answer = await self.ask(shape, **fields)
        assert isinstance(answer, protocol.Registered), f"{shape.__name__} {fields}: {answer}"
        return answer

    async def bet(self, wager: str, cents: int) -> protocol.Registered:
        return await self.do(taps.Bet, wager=wager, cents=cents)

    def of(self, shape: type[T]) -> list[T]:
        return [message for message in self.heard if isinstance(message, shape)]


MOVES = ("settle", "declare", "close-insurance", "open-insurance", "close-betting", "deal", "open-betting", "new-shoe")


class Visit:
    """One test's clients of a server; everyone is signed in already, and all are closed at its end."""

    def __init__(self, server: Server, *, tls: ssl.SSLContext = PLAIN) -> None:
        self.server, self.tls = server, tls
        self.stack = AsyncExitStack()
        self._people: dict[str, Client] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stack.aclose()

    async def stranger(self) -> Client:
        return await self.stack.enter_async_context(Client(self.server.address, ssl_context=self.tls))

    async def again(self, cookies: str) -> Client:
        """A client with cookies from before, also from before a restart; it learns its CSRF token."""
        client = await self.stranger()
        for cookie in cookies.split("; "):
            name, _, value = cookie.partition("=")
            client._http.cookies.set(name, value, domain="127.0.0.1")
        await client.get("/api/me")
        return client

    async def person(self, role: str) -> Client:
        if role not in self._people:
            self._people[role] = await self.again(session_of(role))
        return self._people[role]

    async def do(
        self,
        role: str,
        table: str,
        shape: type[Command],
        *,
        sign_in: str | None = None,
        signature: str | None = None,
        **fields: Any,
    ) -> Any:
        """An order of this role at a table; with `sign_in`, given by that role at the console, this once; with
        `signature`, signed by that role besides."""
        client = await self.person(role)
        other, second = ((PEOPLE[one], password(one)) if one else None for one in (sign_in, signature))
        order = asked(shape, request=token_hex(6), **fields)
        return await client.order(
            table, order.command, request=order.request, why=order.why, sign_in=other, signature=second
        )

    async def refused(self, role: str, table: str, shape: type[Command], **fields: Any) -> ServerSaidNo:
        try:
            done = await self.do(role, table, shape, **fields)
        except ServerSaidNo as no:
            return no
        raise AssertionError(f"{shape.__name__} of a {role} was done: {done}")

    async def see(self, table: str) -> wire.StaffTable:
        client = await self.person("dealer")
        return msgspec.convert(await client.get(f"/api/tables/{table}"), wire.StaffTable, str_keys=True)

    async def enrolled(self, table: str, seat: int) -> Client:
        """Where a seat still holds what an earlier test left there, the pit manager signs."""
        admin = await self.person("administrator")
        wish: dict[str, Any] = {"kind": "terminal", "table": table, "first_seat": seat}
        try:
            [issued] = await admin.post("/api/devices/", wish)
        except ServerSaidNo as no:
            if no.code != "seat-holds-money":
                raise
            signed = {"id": PEOPLE["pit-manager"], "password": password("pit-manager")}
            [issued] = await admin.post("/api/devices/", {**wish, "signature": signed})
        client = await self.stranger()
        await client.enrol(issued["code"])
        return client

    async def connect(self, client: Client, table: str, *, after: str = "") -> Terminal:
        terminal = Terminal(client, await client.connect(f"/ws/table/{table}", after=after))
        self.stack.callback(terminal.live.close)
        if not after:
            await terminal.until(lambda t: t.epoch, "welcome")
        return terminal

    async def sit(self, table: str, seat: int, cents: int = 0) -> Terminal:
        """A terminal at its seat, with so much credit more."""
        client = await self.enrolled(table, seat)
        if cents:
            await self.credit(table, seat, cents)
        return await self.connect(client, table)

    async def credit(self, table: str, seat: int, cents: int) -> None:
        """By the cashier; so much that it takes two, by the pit manager as well."""
        second = "pit-manager" if cents > SIGNED_ABOVE_CENTS else None
        await self.do("cashier", table, staff.CreditTerminal, seat=seat, cents=cents, signature=second)

    async def open(self, *tables: str) -> None:
        for table in tables:
            await self.do("pit-manager", table, staff.OpenTable)

    async def begin_round(self, table: str) -> int:
        """The dealer opens betting, on a new shoe; the number of the round."""
        seen = await self.see(table)
        if seen.table.status == "closed":
            await self.open(table)
        if seen.console.early_shoe:  # before the cut card, other cards are the pit supervisor's decision
            await self.do("pit-supervisor", table, staff.LoadNewShoe, why="a fresh shoe for the next round")
        else:
            await self.do("dealer", table, staff.LoadNewShoe)
        await self.do("dealer", table, staff.StartRound)
        return (await self.see(table)).table.round

    async def next_move(self, table: str) -> str:
        """What the dealer's console offers next at a table with the shuffler; "" if nothing."""
        offered = (await self.see(table)).console.commands
        return next((move for move in MOVES if move in offered), "")

    async def play_out(self, table: str) -> None:
        """The dealer closes the betting and leads the round to its end; the cards come from the shuffler."""
        while (move := await self.next_move(table)) not in ("", "open-betting", "new-shoe"):
            await self.do("dealer", table, staff.BY_TAG[move])

    async def deal(self, table: str, cards: str) -> None:
        for card in cards.split():
            await self.do("dealer", table, round_commands.DealCard, card=card)

    async def finish(self, table: str, cards: str) -> None:
        await self.do("dealer", table, round_commands.CloseBetting)
        await self.deal(table, cards)
        await self.do("dealer", table, round_commands.DeclareResult)
        await self.do("dealer", table, round_commands.Settle)


def visit(server: Server, story: Callable[[Visit], Coroutine[Any, Any, T]], *, limit_s: float = 3 * WAIT_S) -> T:
    """Tell a story to its end where no event loop runs: in a module's fixture, or beside a browser."""

    async def told() -> T:
        async with asyncio.timeout(limit_s), Visit(server) as one:
            return await story(one)

    return asyncio.run(told())
