"""What terminals say over their WebSocket, into the real hub and its tables; and codes of vouchers."""

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from natural9.core.paper_codes import as_printed
from natural9.core.round import Refusal
from natural9.games import load_game
from natural9.server.guests import Guest
from natural9.server.rates import Bucket
from natural9.server.websocket import HEADER_ROOM, RATE
from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.audit.verify import verify
from natural9.table.commands.cage import Voucher, Vouchers
from tests.fuzz.a_house import SEAT, TERMINAL, FuzzedHouse
from tests.fuzz.mutation import spoilt, spoilt_json, spoilt_text
from tests.fuzz.target import Target, Wrong, is_sentence

MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    {"type": "ping", "sent": 1.5},
    {"type": "turned", "round": 1, "cards": 4},
    {"type": "bet", "request": "r", "round": 1, "wager": "player", "cents": 100},
    {"type": "take-back", "request": "r", "round": 1, "wager": "player", "cents": 100},
    {"type": "clear", "request": "r", "round": 1},
    {"type": "undo", "request": "r", "round": 1},
    {"type": "double", "request": "r", "round": 1},
    {"type": "re-bet", "request": "r", "round": 1},
    {"type": "lay-bets", "request": "r", "round": 1, "bets": {"player": 100, "tie": 100}},
    {"type": "insure", "request": "r", "round": 1, "hand": "banker", "cents": 100},
    {"type": "cash-out", "request": "r", "cents": 100},
    {"type": "insert-voucher", "request": "r", "number": "nc-1-2-1", "code": "DSGQ-8XBJ-DSGQ-8XBJ"},
    {"type": "call-attendant", "request": "r", "wanted": True},
    {"type": "set-play-limits", "request": "r", "loss_cents": 10**9, "stake_cents": 10**9, "time_min": 1000},
    {"type": "take-break", "request": "r", "minutes": 5},
    {"type": "continue-play", "request": "r"},
    {"type": "end-session", "request": "r"},
    {"type": "commit-nonce", "request": "r", "shoe": 1, "commitment": "0f" * 32},
    {"type": "card-out", "request": "r"},
    {"type": "card-in", "request": "r", "player": "1"},
    {"type": "bar-card", "request": "r", "player": "1"},
    {"type": "reveal-nonce", "request": "r", "shoe": 1, "nonce": "0f" * 32 + " words"},
)
MOST_WAITING: Final = 200  # of a terminal, before it is answered


class _Line:
    """One end of a connection."""

    def __init__(self, who: Guest) -> None:
        self.who: Any = who
        self.budget = Bucket(RATE)
        self.heard: list[bytes] = []
        self.closed: tuple[int, str] | None = None

    def send(self, message: bytes) -> bool:
        return self.put(bytearray(HEADER_ROOM) + message)

    def put(self, frame: bytearray) -> bool:
        self.heard.append(bytes(frame[HEADER_ROOM:]))
        return self.closed is None

    def close(self, code: int, reason: str) -> None:
        self.closed = code, reason

    @property
    def is_shut(self) -> bool:
        return self.closed is not None


class WebSocketMessages(Target):
    """Whatever a terminal says is answered, refused in words, or of no matter; the journal verifies afterwards."""

    name = "websocket-messages"
    share = 90
    keeps = True

    async def open(self, folder: Path) -> None:
        self._folder = folder
        self._house = await FuzzedHouse.open(folder)
        self._line = await self._connect()
        self._told = self._round = 0
        await self._house.credit(SEAT, 9_000_00)

    async def _connect(self) -> _Line:
        session = await self._house.session(TERMINAL)
        assert session
        line = _Line(Guest(session, self._house.table, seat=SEAT))
        hub = self._house.house.hub
        hub.guests.opened(session)
        hub.enter(line)
        return line

    def make(self, chance: Random) -> bytes:
        valid = dict(chance.choice(MESSAGES))
        if "request" in valid:
            valid["request"] = f"r{chance.randrange(10**9)}"
        return spoilt_json(chance, valid) if chance.random() < 0.8 else spoilt(chance, json.dumps(valid).encode())

    async def feed(self, given: bytes) -> bool:
        line, hub = self._line, self._house.house.hub
        if line.is_shut:
            if line.closed and line.closed[0] == 1011:
                raise Wrong(f"closed with {line.closed}")
            hub.closed(line)
            line = self._line = await self._connect()
        line.heard.clear()
        try:
            given.decode()
        except UnicodeDecodeError:
            return False  # the transport hands on text alone
        hub.message(line, given.replace(b'"round":1,', b'"round":%d,' % self._round))  # the one that a player would see
        self._told += 1
        if self._told % 16 == 0:
            hub.message(line, b'{"type":"ping"}')  # so often wrong in a row, and it is no terminal any more
            async with asyncio.timeout(20):
                self._round = await self._house.house.room(self._house.table).writer.see(
                    lambda state: state.round.number
                )
        await asyncio.sleep(0)
        return self._check(line)

    def _check(self, line: _Line) -> bool:
        refused = False
        for message in line.heard:
            told = msgspec.json.decode(message)
            if told["type"] == "refused":
                refused = True
                is_sentence(told["message"], 1500)
        return not refused

    async def close(self) -> None:
        self._house.house.hub.closed(self._line)
        await self._house.close()
        store = open_store(self._folder, Access.READ)
        try:
            verified = await verify(store, load_game=load_game)
        finally:
            await store.close()
        if verified.fault is not None:
            raise Wrong(verified.fault.words)


class VoucherCodes(Target):
    """A voucher is found by its own number and its own code, and by nothing else."""

    name = "vouchers"
    share = 60

    async def open(self, folder: Path) -> None:
        keys = {"one": bytes(range(32)), "old": bytes(range(1, 33))}
        self._vouchers = Vouchers(keys)
        for number, key, expires in (("nc-1-2-1", "one", 10**15), ("nc-1-2-2", "old", 10**15), ("7-1-1", "one", 5)):
            self._vouchers.outstanding[number] = Voucher(
                number=number, cents=100, table="nc-1", seat=2, issued_at_ms=1, expires_at_ms=expires, key=key
            )
        self._printed = {number: self._vouchers.code(number) for number in self._vouchers.outstanding}

    def make(self, chance: Random) -> tuple[str, str]:
        number = chance.choice([*self._printed])
        code = self._printed[chance.choice([*self._printed]) if chance.random() < 0.2 else number]
        if chance.random() < 0.5:
            code = chance.choice((code.lower(), code.replace("-", " "), code.replace("0", "O").replace("1", "l"), code))
        if chance.random() < 0.3:
            number = spoilt_text(chance, number)
        return number, spoilt_text(chance, code) if chance.random() < 0.7 else code

    async def feed(self, given: tuple[str, str]) -> bool:
        number, code = (text.encode(errors="replace").decode() for text in given)  # as JSON has it
        found = self._vouchers.find(number, code, at_ms=100)
        plain = code.upper() if code.isascii() else code
        for sign, meant in (("I", "1"), ("L", "1"), ("O", "0"), *((blank, "") for blank in " \t\r\n-")):
            plain = plain.replace(sign, meant)
        is_right = number in self._printed and self._printed[number].replace("-", "") == plain
        if isinstance(found, Refusal):
            is_sentence(str(found.message), 2000)
            if is_right and number != "7-1-1":
                raise Wrong("the right code is refused")
            return False
        if not is_right or as_printed(code) != plain:
            raise Wrong(f"{code!r} passes for the code of {number}, {self._printed.get(number)}")
        return True
