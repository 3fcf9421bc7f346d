"""A whole house in this process: real tables, real records on a disk that is memory, and somebody in every role."""

import asyncio
import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from natural9.core.staff import Rank
from natural9.server.app import make_app
from natural9.server.house import House
from natural9.server.machine import Machine
from natural9.server.people.devices import Place
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Role
from natural9.server.people.sessions import Session, cookie_name
from natural9.server.rates import Rate
from natural9.server.throttle import HttpRates
from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.venue.venue import VENUE_FILE, load_venue
from tests.server.people.house import CHEAP, PASSWORD
from tests.table.live import asked

ANY: Final = Rate(10**9, 10**9)
PATIENT: Final = HttpRates(ANY, ANY, ANY, ANY, ANY, ANY, slow_s=0.0)
NOBODY: Final = "nobody"
TERMINAL, DISPLAY = "terminal", "display"
ROLES: Final = (NOBODY, TERMINAL, DISPLAY, *map(str, Role))
SEAT: Final = 2


class HttpAnswer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class FuzzedHouse:
    """`ask` as anybody. Who was disabled, revoked or signed out by what was asked before is let in again."""

    def __init__(self, house: House, table: str) -> None:
        self.house, self.table = house, table
        limiter = AttemptLimiter(house.accounts.register, peer_tokens=10**9, free_attempts=10**9)
        self.app: Any = make_app(house, limiter=limiter, rates=PATIENT)
        self._devices: dict[str, Session] = {}

    @classmethod
    async def open(cls, folder: Path) -> "FuzzedHouse":
        example = files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")
        quick = re.sub(r"(betting|reveal|result) = [\d.]+", r"\1 = 0.2", example)
        (folder / VENUE_FILE).write_text(quick.replace("[players]\non = false", "[players]\non = true"))
        venue = load_venue(folder / VENUE_FILE)
        house = await House.of(folder, venue, open_store(folder, Access.WRITE), Machine(hasher=CHEAP))
        await house.start()
        one = cls(house, next(iter(venue.tables)))
        await one._hire()
        return one

    async def _hire(self) -> None:
        accounts = self.house.accounts
        code = accounts.first_code()
        assert code
        await accounts.claim_administrator(code, id="administrator", name="Ada", password=PASSWORD, peer="")
        for role in Role:
            if role is not Role.ADMINISTRATOR:
                issued = await accounts.add(str(role), name=str(role), role=str(role), by="administrator")
                await accounts.set_password(issued.code, PASSWORD, peer="")
        manager = Who("pit-manager", rank=Rank.PIT_MANAGER)
        for table in self.house.venue.tables:
            opened = await self.house.room(table).writer.answer(asked(staff.OpenTable, request="begin"), manager)
            assert isinstance(opened, Accepted)

    async def credit(self, seat: int, cents: int) -> None:
        bought = asked(staff.CreditTerminal, request=f"credit {seat}", seat=seat, cents=cents)
        done = await self.house.room(self.table).writer.answer(bought, Who("cashier"))
        assert isinstance(done, Accepted), done

    async def session(self, role: str) -> Session | None:
        """Theirs, whatever has become of the one before."""
        accounts = self.house.accounts
        if role == NOBODY:
            return None
        if role in (TERMINAL, DISPLAY):
            known = self._devices.get(role)
            if known is None or accounts.devices.device_of(known) is None:
                seat = SEAT if role == TERMINAL else None
                [issued] = await accounts.devices.add([Place(role, self.table, seat)], by="administrator")  # type: ignore[arg-type]
                known = self._devices[role] = (await accounts.devices.enrol(issued.code, peer="")).session
            return known
        person = accounts.find(role)
        if person.disabled:
            await accounts.enable(role, by="administrator")
        if person.role != role:
            await accounts.change_role(role, role=role, by="administrator", signed_by="shift-manager")
        return accounts.sessions.begin("staff", role, accounts.find(role).generation)

    async def headers(self, role: str) -> list[tuple[bytes, bytes]]:
        session = await self.session(role)
        given = [(b"host", b"127.0.0.1")]
        if session:
            sessions = self.house.accounts.sessions
            cookie = f"{cookie_name(session.kind, secure=False)}={sessions.token(session)}"
            given += [(b"cookie", cookie.encode()), (b"x-csrf-token", sessions.csrf(session).encode())]
        return given

    async def ask(
        self, method: str, path: bytes, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> HttpAnswer:
        """The whole application's answer, as uvicorn would ask it."""
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path.decode("ascii", "replace")),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": headers,
            "client": ("10.0.0.7", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        unread: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]
        status, told, parts, over = 0, dict[str, str](), list[bytes](), asyncio.Event()

        async def receive() -> Any:
            if unread:
                return unread.pop()
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, told
            if message["type"] == "http.response.start":
                status = message["status"]
                told = {bytes(name).decode(): bytes(value).decode() for name, value in message.get("headers", [])}
            else:
                parts.append(bytes(message.get("body", b"")))

        await self.app(scope, receive, send)
        over.set()
        return HttpAnswer(status, told, b"".join(parts))

    async def close(self) -> None:
        await self.house.stop("enough")
