"""A venue in this process, and one of everybody who could ask something of it: people of every role, devices of every
kind, and those whose time is over."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from natural9.server.app import make_app
from natural9.server.guests import Guest
from natural9.server.house import House
from natural9.server.people.accounts import SignedIn
from natural9.server.people.devices import Place
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Role
from natural9.server.people.sessions import IDLE_MS, Session, cookie_name
from natural9.server.rates import Bucket, Buckets, Rate
from natural9.server.throttle import HttpRates
from natural9.server.websocket import RATE, Handshake, UpgradeRefused
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore
from tests.conftest import LIMIT_S
from tests.server.live_server import table, venue_file
from tests.server.opened_house import opened
from tests.server.people.house import PASSWORD

PEER: Final = "10.0.0.7"
HOST: Final = "127.0.0.1:8909"
VENUE: Final = venue_file(
    table("a", "rws-nc", shoe="shuffler"),
    table("b", "rws-nc", shoe="shuffler"),
    table("closed-to-visitors", "rws-nc", shoe="shuffler", visitors=False),
    "[players]\non = true\n[lobby]\nside_by_side = 4\n",
)
_MANY: Final = Rate(1e9, 1e9)
NO_LIMITS: Final = HttpRates(_MANY, _MANY, _MANY, _MANY, _MANY, _MANY, slow_s=0)
STAFF: Final = tuple(str(role) for role in Role)
# Whose cookies are worth nothing: each once was somebody's, but for the first two.
NOBODIES: Final = ("nobody", "made-up", "revoked", "signed-out", "idle", "disabled", "of-another-venue")
DEVICES: Final = ("terminal", "visitor", "display", "reader")
# An account that is locked lets nobody in by its password; who is in already stays.
CALLERS: Final = (*NOBODIES, *DEVICES, *STAFF, "locked-dealer", "dealer-at-terminal")
PEOPLE: Final = frozenset({*STAFF, "locked-dealer", "dealer-at-terminal"})


class Answer(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str:
        """All lines of it."""
        return "\n".join(value for key, value in self.headers if key == name)

    @property
    def words(self) -> str:
        """As the table of answers writes it: "404 unknown-staff", or "200"."""
        code = ""
        if self.status >= 400 and self.header("content-type").startswith("application/json"):
            code = str(self.json["code"])
        return f"{self.status} {code}".strip()


class Line:
    """A connection as the hub knows it, without a socket."""

    def __init__(self, who: Guest) -> None:
        self.who: Any = who
        self.budget = Bucket(RATE)
        self.told: list[dict[str, Any]] = []
        self.closed = 0

    @property
    def is_shut(self) -> bool:
        return self.closed > 0

    def send(self, message: bytes) -> bool:
        self.told.append(json.loads(message))
        return not self.is_shut

    def put(self, frame: bytearray) -> bool:
        return self.send(bytes(frame[14:]))

    def close(self, code: int, reason: str) -> None:
        self.closed = self.closed or code


@dataclass
class Floor:
    house: House
    app: Any
    cookies: dict[str, str] = field(default_factory=dict)  # of each caller
    csrf: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    runner: asyncio.Runner | None = None  # of tests that share it

    async def ask(
        self,
        caller: str,
        method: str,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        peer: str = PEER,
        **changed: Any,
    ) -> Answer:
        """As the caller's own browser would; `headers` come on top, and "" takes one away. `changed`: of the scope."""
        where, _, query = path.partition("?")
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"host": HOST, "content-length": str(len(content)), "content-type": "application/json"}
        sent |= {"cookie": self.cookies.get(caller, ""), "x-csrf-token": self.csrf.get(caller, "")}
        sent |= headers or {}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": where,
            "raw_path": where.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items() if value],
            "client": (peer, 5000),
            "server": ("127.0.0.1", 8909),
        } | changed
        return await _answer(self.app, scope, content)

    def connect(
        self, caller: str, path: str, headers: Mapping[str, str] = MappingProxyType({}), *, far: bool = False
    ) -> Guest | UpgradeRefused:
        """What the hub says to the upgrade. `far`: as from another node."""
        sent = {"host": HOST, "cookie": self.cookies.get(caller, ""), **headers}
        handshake = Handshake(path, {}, {name: value for name, value in sent.items() if value}, PEER)
        opening = self.house.hub.opening_far if far else self.house.hub.opening
        answer = opening(handshake)
        assert isinstance(answer, Guest | UpgradeRefused)
        return answer

    async def enter(self, caller: str, path: str) -> Line:
        guest = self.connect(caller, path)
        assert isinstance(guest, Guest), guest
        line = Line(guest)
        self.house.hub.enter(line)
        while not line.told:  # a visitor is seated first
            await asyncio.sleep(0)
        return line

    def knows(self, caller: str, *sessions: Session, secure: bool = False) -> None:
        """From now on the caller has these cookies."""
        made = self.house.accounts.sessions
        self.cookies[caller] = "; ".join(
            f"{cookie_name(one.kind, secure=secure)}={made.token(one)}" for one in sessions
        )
        self.csrf[caller] = made.csrf(sessions[0])
        self.sessions[caller] = sessions[0]

    def second_browser(self, caller: str) -> str:
        """Of a person: what becomes of its session leaves the caller's own as it is."""
        one, other = self.sessions[caller], self.house.accounts.sessions
        self.knows(f"{caller} again", other.begin(one.kind, one.id, one.generation))
        return f"{caller} again"

    async def hire(self, id: str, role: str) -> Session:
        accounts = self.house.accounts
        issued = await accounts.add(id, name=id.title(), role=role, by="ada")
        await accounts.set_password(issued.code, PASSWORD, peer=PEER)
        return await self.sign_in(id)

    async def sign_in(self, id: str) -> Session:
        answer = await self.house.accounts.sign_in(id, PASSWORD, peer=PEER)
        assert isinstance(answer, SignedIn)
        return answer.session

    async def enrol(self, *place: Any) -> Session:
        devices = self.house.accounts.devices
        [code] = await devices.add([Place(*place)], by="ada")
        return (await devices.enrol(code.code, peer=PEER)).session


async def _answer(app: Any, scope: dict[str, Any], content: bytes) -> Answer:
    got: list[dict[str, Any]] = []
    asked = iter([{"type": "http.request", "body": content, "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(asked, {"type": "http.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        got.append(message)

    await app(scope, receive, send)
    headers = [(name.decode().lower(), value.decode("latin-1")) for name, value in got[0]["headers"]]
    return Answer(got[0]["status"], headers, b"".join(one.get("body", b"") for one in got[1:]))


async def _populate(floor: Floor) -> None:
    """Everybody of CALLERS."""
    accounts = floor.house.accounts
    claim = accounts.first_code() or ""
    ada = await accounts.claim_administrator(claim, id="ada", name="Ada", password=PASSWORD, peer=PEER)
    floor.knows("administrator", ada.session)
    for role in STAFF:
        if role != "administrator":
            floor.knows(role, await floor.hire(role, role))
    floor.knows("terminal", terminal := await floor.enrol("terminal", "a", 1))
    floor.knows("visitor", await floor.enrol("terminal", "b", 1))
    floor.knows("display", await floor.enrol("display", "a"))
    floor.knows("reader", await floor.enrol("reader", "a"))
    floor.knows("revoked", revoked := await floor.enrol("terminal", "a", 2))
    await accounts.devices.revoke(revoked.id, by="ada")
    floor.knows("signed-out", out := await floor.hire("out", "shift-manager"))
    await accounts.sign_out(out)
    floor.knows("disabled", await floor.hire("left", "shift-manager"))
    await accounts.disable("left", by="ada")
    idle = await floor.hire("idle", "shift-manager")
    floor.knows("idle", replace(idle, seen_ms=idle.seen_ms - IDLE_MS))
    floor.knows("locked-dealer", await floor.hire("lock", "dealer"))
    for _ in range(3):
        await accounts.sign_in("lock", "not the password", peer=PEER)
    floor.knows("dealer-at-terminal", await floor.sign_in("dealer"), terminal)
    floor.cookies["made-up"] = "natural9-staff=abc.def; natural9-device=abc."
    shift = floor.cookies["shift-manager"]
    floor.cookies["of-another-venue"] = shift[:-4] + ("AAAA" if shift[-4:] != "AAAA" else "BBBB")


@asynccontextmanager
async def empty_floor(
    folder: Path, store: Store | None = None, *, written: str = VENUE, demo: bool = True, rates: HttpRates = NO_LIMITS
) -> AsyncIterator[Floor]:
    """Tables, and nobody yet."""
    house = await opened(folder, store or MemoryStore(), written=written)
    await house.start()
    guests = house.hub.guests
    guests._connects = guests._strangers = guests._budgets = Buckets(_MANY)
    guests._again = Bucket(_MANY)
    guests._limiter = limiter = AttemptLimiter(house.accounts.register, peer_tokens=10**6, free_attempts=10**6)
    try:
        yield Floor(house, make_app(house, demo=demo, limiter=limiter, rates=rates))
    finally:
        await house.stop("over")


@asynccontextmanager
async def busy_floor(folder: Path) -> AsyncIterator[Floor]:
    async with empty_floor(folder) as floor:
        await _populate(floor)
        yield floor


def together(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test on the floor that all share, and on its event loop."""

    @wraps(test)
    def run(floor: Floor, **more: Any) -> None:
        async def within_limit() -> None:
            async with asyncio.timeout(LIMIT_S):
                await test(floor=floor, **more)

        assert floor.runner
        floor.runner.run(within_limit())

    return run
