"""After an evening with every secret there is, none of them lies where it should not: on the disk, in the log, in the
metrics, or in what anybody was refused with."""

import io
import logging
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from tests.logs import logged
from tests.security.floor import Answer, Floor, empty_floor

OLD, NEW, WRONG = "seven green lamps", "nine loud kettles", "a mistyped password"
NOT_SECRET = {"venue.toml", "alive"}  # the operator's own, and when the tables were last at work


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    with logged(level=logging.DEBUG) as stream:
        yield stream


class Evening:
    """What is asked, and what must not be told on."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.secrets: dict[str, str] = {"password": OLD, "new password": NEW, "mistyped password": WRONG}
        self.refused: list[Answer] = []

    async def ask(self, caller: str, method: str, path: str, body: object = None, **more: Any) -> Any:
        answer = await self.floor.ask(caller, method, path, body, **more)
        if answer.status >= 400:
            self.refused.append(answer)
            return None
        if cookie := answer.header("set-cookie").partition(";")[0]:
            self.floor.cookies[caller] = cookie
            self.secrets[f"cookie of {caller} {len(self.secrets)}"] = cookie.partition("=")[2]
        found = answer.json if answer.body and answer.header("content-type").startswith("application/json") else None
        if isinstance(found, dict) and "csrf" in found:
            self.floor.csrf[caller] = self.secrets[f"csrf of {caller}"] = found["csrf"]
        return found

    async def begin(self) -> None:
        """Everybody comes, each with a code of their own."""
        claim = self.secrets["claim"] = self.floor.house.accounts.first_code() or ""
        first = {"code": claim, "id": "ada", "name": "Ada", "password": OLD}
        await self.ask("ada", "POST", "/api/claim-administrator", first)
        for id, role in (("sam", "shift-manager"), ("cass", "cashier")):
            issued = await self.ask("ada", "POST", "/api/staff/", {"id": id, "name": id.title(), "role": role})
            code = self.secrets[f"code of {id}"] = issued["code"]
            await self.ask(id, "POST", "/api/set-password", {"code": code, "password": OLD})
            await self.ask(id, "POST", "/api/sign-in", {"id": id, "password": OLD})
        [issued] = await self.ask("ada", "POST", "/api/devices/", {"kind": "terminal", "table": "a", "first_seat": 1})
        code = self.secrets["enrolment code"] = issued["code"]
        await self.ask("terminal", "POST", "/api/enrol", {"code": code})

    async def go_wrong(self) -> None:
        """Secrets where they do not belong, in every way that a tired person finds."""
        code, cookie = self.secrets["enrolment code"], self.floor.cookies["terminal"]
        for path in (f"/api/enrol?code={code}", f"/terminal?code={code}", f"/api/none?password={OLD}"):
            await self.ask("nobody", "GET", path.replace(" ", "%20"))
        for body in ({"id": "sam", "password": WRONG}, {"id": WRONG, "password": OLD}, {"id": OLD, "password": OLD}):
            await self.ask("nobody", "POST", "/api/sign-in", body)
        no_sign_ins: tuple[object, ...] = ({"id": "sam", "password": OLD, "x": 1}, {"id": 5, "password": OLD}, OLD)
        for written in no_sign_ins:
            await self.ask("nobody", "POST", "/api/sign-in", written)
        await self.ask("nobody", "POST", "/api/sign-in", f'{{"id": "sam", "password": "{OLD}'.encode())
        await self.ask("nobody", "POST", "/api/enrol", {"code": code})
        await self.ask("sam", "POST", "/api/change-password", {"present": WRONG, "new": NEW})
        await self.ask("sam", "POST", "/api/change-password", {"present": OLD, "new": "short"})
        await self.ask("nobody", "GET", "/api/me", headers={"cookie": cookie + "x", "x-csrf-token": code})
        guest = self.floor.connect("terminal", "/ws/table/a", {"origin": "http://evil.example"})
        assert not hasattr(guest, "session")

    async def play(self) -> None:
        """A card with its PIN, a voucher with its code, a new password."""
        issued = await self.ask("cass", "POST", "/api/players/", {"name": "Lin"})
        self.secrets |= {"card": issued["card"], "PIN": issued["pin"]}
        for request, pin in (("wrong", "000001"), ("right", issued["pin"])):
            shown = {"request": request, "card": issued["card"], "pin": pin}
            await self.ask("terminal", "POST", "/api/card/", shown)
        self.secrets["new PIN"] = "583920"
        await self.ask("terminal", "POST", "/api/card/pin", {"present": issued["pin"], "new": "583920"})
        await self.ask("sam", "POST", "/api/tables/a/commands", {"request": "open", "command": {"type": "open-table"}})
        credit = {"type": "credit-terminal", "seat": 1, "cents": 50_000}
        await self.ask("cass", "POST", "/api/tables/a/commands", {"request": "credit", "command": credit})
        since_ms = self.floor.house.accounts.devices.find("terminal-a-1").enrolled_ms
        terminal = Who.terminal("a", 1, since_ms)
        paid = await self.floor.house.room("a").writer.answer(taps.CashOut(request="out", cents=700), terminal)
        assert isinstance(paid, Accepted), paid
        assert paid.voucher
        voucher = {"number": paid.voucher.number, "code": paid.voucher.code}
        self.secrets["voucher code"] = paid.voucher.code
        await self.ask("cass", "POST", "/api/vouchers/look", voucher | {"code": voucher["code"][:-1]})
        assert await self.ask("cass", "POST", "/api/vouchers/look", voucher)
        assert await self.ask("cass", "POST", "/api/vouchers/pay", voucher | {"request": "pay"})
        assert await self.ask("sam", "POST", "/api/change-password", {"present": OLD, "new": NEW})

    async def break_down(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A mistake of ours, in the middle of a request with a secret in it."""

        async def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a mistake of ours")

        monkeypatch.setattr(self.floor.house.desk, "look", broken)
        looked = {"number": "a-1-1", "code": self.secrets["voucher code"]}
        answer = await self.floor.ask("cass", "POST", "/api/vouchers/look", looked)
        assert answer.words == "500 internal"
        assert b"mistake" not in answer.body
        self.refused.append(answer)


async def test_no_secret_lies_anywhere(tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path, Access.WRITE)
    async with empty_floor(tmp_path, store) as floor:
        evening = Evening(floor)
        await evening.begin()
        await evening.go_wrong()
        await evening.play()
        await evening.break_down(monkeypatch)
        metrics = await floor.ask("nobody", "GET", "/metrics", peer="127.0.0.1")
        documents = b"\n".join((await store.documents("")).values())
    kept = b"\n".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".key")
    refused = b"\n".join(one.body for one in evening.refused)
    told = log.getvalue().encode()
    assert len(evening.secrets) > 15
    assert len(evening.refused) > 12
    assert b"a mistake of ours" in told, "the log is looked at"
    assert b"staff-added" in kept, "and so are the records"
    places = {"disk": kept, "document": documents, "log": told, "metrics": metrics.body, "refusal": refused}
    for what, secret in evening.secrets.items():
        for where, text in places.items():
            for spelt in {secret, secret.replace("-", "")}:
                assert not re.search(rb"(?<!\w)%s(?!\w)" % re.escape(spelt.encode()), text), f"{what} in the {where}"
    assert b"$argon2id$" in documents, "what is kept of a password"
    open_to_others = [path.name for path in tmp_path.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert set(open_to_others) <= NOT_SECRET
