"""Terminals: each has a line that is cut and comes back, asks again until it is answered, and turns cards. What is
tapped on it is its player's affair, in `players`."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from natural9.server import protocol
from natural9.server.websocket import UpgradeRefused
from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.mix import Mix
from natural9.torture.network import SimulatedLine
from natural9.torture.players import SimulatedPlayer, View

BACK_S: Final = 0.2
ASK_AGAIN_S: Final = 8.0  # without an answer
UNKNOWN_S: Final = 1.0
MOST_ASKED: Final = 200
_encode: Final = msgspec.json.encode


def in_words(message: bytes) -> str:
    """What a terminal asks, for a person to read.

    >>> in_words(b'{"type":"bet","request":"t1/2-7","round":3,"wager":"tie","cents":500}')
    'bet, round 3, wager tie, cents 500'
    """
    said = msgspec.json.decode(message)
    rest = [f"{name} {value}" for name, value in said.items() if name not in ("type", "request") and value is not None]
    return ", ".join([said["type"].replace("-", " "), *rest])


class Decoder:
    """What is sent to many is decoded once."""

    def __init__(self) -> None:
        self.last = b""
        self.decoded: Any = None
        self._decode = msgspec.json.Decoder().decode

    def decode(self, message: bytes) -> Any:
        if message is not self.last:
            self.last, self.decoded = message, self._decode(message)
        return self.decoded


@dataclass(slots=True)
class OpenRequest:
    """A request without an answer."""

    message: bytes
    at_s: float
    tap: str
    round: int = 0
    tries: int = 1


@dataclass
class SimulatedTerminal:
    """One seat's screen. It does all by timers and by what it hears, so that a hall of them is cheap."""

    floor: SimulatedFloor
    decoder: Decoder
    table: str
    seat: int
    chance: Random
    mix: Mix
    when_broke: Callable[["SimulatedTerminal"], None] = lambda terminal: None
    when_voucher: Callable[["SimulatedTerminal", View], None] = lambda terminal, voucher: None
    home: str = ""  # the table where it stands, if it is a visitor at this one
    quiet: bool = False  # faults have stopped: it behaves
    view: View | None = None
    you: View | None = None
    asked: dict[str, OpenRequest] = field(default_factory=dict)
    answered: int = 0
    refused: Counter[str] = field(default_factory=Counter)  # by code
    is_gone: bool = False  # for good
    is_away: bool = False  # a visitor, at home
    _line: SimulatedLine | None = None
    _epoch: str = ""
    _n: int = 0
    _count: int = 0
    _planned: int = 0  # the last round that was thought about
    _turned: tuple[int, int] = (0, 0)  # the round, and how many of its cards
    last_message: bytes = b""
    _asking_again: bool = False

    def __post_init__(self) -> None:
        self.name = f"{self.home or self.table}/{self.seat}"
        self._who = f"terminal {self.name} at {self.table}" if self.home else f"terminal {self.name}"
        self._loop = self.floor.loop
        self._player = SimulatedPlayer(self, self.mix, self.chance)

    # The line

    def connect(self) -> None:
        if self._line or self.is_gone or self.is_away:
            return
        after = f"{self._epoch}:{self._n}" if self._epoch else ""
        try:
            came = self.floor.connect(self.name, self, f"/ws/table/{self.table}", after)
        except HouseIsDown:
            self.later(BACK_S * self.chance.uniform(0.5, 3), self.connect)
            return
        if isinstance(came, UpgradeRefused):
            self.floor.see(self._who, "refused", came.code.encode())
            if came.status in (401, 403):
                self.is_gone = True
            else:
                self.later((came.retry_s or 1) * self.chance.uniform(1, 1.5), self.connect)
            return
        self._line = came
        self.floor.see(self._who, "came")
        self._ask_all_again()

    def lost(self, code: int, reason: str) -> None:
        self._line = None
        if self.floor.tell:
            self.floor.tell(f"seat {self.seat} at table {self.table} loses its line ({code})")
        self.floor.see(self._who, "cut", str(code).encode())
        if code in (protocol.REPLACED, protocol.SEAT_GIVEN, protocol.SESSION_ENDED):
            self.is_gone = code != protocol.REPLACED
        self.later(BACK_S * self.chance.uniform(0.5, 2), self.connect)

    def vanish(self) -> None:
        if self._line:
            self._line.hang_up()
            self._line = None
            self.floor.see(self._who, "cut", b"1000")
            self.later(self.chance.uniform(0.0, 10.0), self.connect)

    def go_home(self) -> None:
        """A visitor has enough; what it still waits for it asks again when it is back."""
        self.is_away = True
        if self._line:
            self._line.hang_up()
            self._line = None
            self.floor.see(self._who, "cut", b"1000")

    def come(self) -> None:
        if self.is_away:
            self.is_away = False
            self.connect()

    def later(self, seconds: float, what: Callable[..., None], *args: Any) -> None:
        self._loop.call_later(seconds, what, *args)

    # What it hears

    def hear(self, message: bytes) -> None:
        if self.floor.watch:
            self.floor.see(self._who, "shown", message)
        decoder = self.decoder
        said: Any = decoder.decoded if message is decoder.last else decoder.decode(message)
        kind = said["type"]
        if kind == "table":
            self._n = said["n"]
            self._see(said["table"], said["now_ms"])
        elif kind == "registered":
            for request in said["requests"]:
                if done := self.asked.pop(request, None):
                    self.answered += 1
                    self._player.used = (request, done.round if done.tap == "bet" else 0)
            if voucher := said.get("voucher"):
                self.when_voucher(self, voucher)
            self._hold(said)
        elif kind == "refused":
            if said["request"] and not said["again"]:
                if self.asked.pop(said["request"], None):
                    self.refused[said["code"]] += 1
            elif said["request"] in self.asked:
                self.later(UNKNOWN_S, self._ask_again, said["request"])
            self._hold(said)
        elif kind == "seat":
            self._hold(said)
        elif kind == "unknown":
            for request in said["requests"]:
                self.later(UNKNOWN_S, self._ask_again, request)
        elif kind == "welcome":
            self._epoch, self._n = said["epoch"], said["n"]
            self._hold(said)
            self._see(said["table"], said["now_ms"])

    def _hold(self, said: View) -> None:
        you = said.get("you")
        if you is None:
            return
        self.you = you
        if you["to_reveal"]:
            self._player.reveal(you["to_reveal"])
        self._player.think_about_insurance()

    def _see(self, view: View, now_ms: int) -> None:
        self.view = view
        if view["takes_bets"]:
            if view["round"] != self._planned:
                self._planned = view["round"]
                self._player.plan(view, now_ms)
        elif self.you and self.you["to_reveal"]:
            self._player.reveal(self.you["to_reveal"])
        else:
            self._player.think_about_insurance()
        if view["squeeze"] and self._turned != (lie := (view["round"], len(view["cards"]))):
            self._turned = lie
            if self.chance.random() < 0.8:  # the others look at their cards until the time is up
                self.later(self.chance.uniform(0.0, 2.5), self._turn, *lie)

    def _turn(self, number: int, cards: int) -> None:
        self.send(_encode({"type": "turned", "round": number, "cards": cards}))

    # What is asked of it

    @property
    def is_connected(self) -> bool:
        return self._line is not None

    @property
    def now_s(self) -> float:
        return self._loop.now

    def ask_for_money(self) -> None:
        self.when_broke(self)

    def collect(self) -> None:
        if self.you and self.you["credit_cents"] and self._line:
            self.ask("cash-out", cents=self.you["credit_cents"], vouchers=self.you["vouchers"])

    def insert_voucher(self, voucher: View) -> None:
        self.ask("insert-voucher", number=voucher["number"], code=voucher["code"])

    # Requests

    def new_request(self) -> str:
        self._count += 1
        return f"{self.name}@{self.table}-{self._count}" if self.home else f"{self.name}-{self._count}"

    def ask(self, kind: str, **fields: Any) -> None:
        request = self.new_request()
        asked = {"type": kind, "request": request, **fields}
        self.remember(request, _encode(asked), kind, fields.get("round", 0))

    def remember(self, request: str, message: bytes, tap: str, number: int = 0) -> None:
        if len(self.asked) >= MOST_ASKED:
            return
        self.asked[request] = OpenRequest(message, self._loop.now, tap, number)
        if self.floor.tell:
            self.floor.tell(f"seat {self.seat} at table {self.table} asks: {in_words(message)}")
        self.last_message = message
        self.send(message)
        if not self._asking_again:
            self._asking_again = True
            self.later(ASK_AGAIN_S, self._look_for_answers)

    def send(self, message: bytes) -> None:
        if self._line:
            self.floor.see(self._who, "sent", message)
            self._line.send(message)

    def _ask_again(self, request: str) -> None:
        asked = self.asked.get(request)
        if asked and self._line:
            asked.at_s, asked.tries = self._loop.now, asked.tries + 1
            if self.floor.tell:
                self.floor.tell(f"seat {self.seat} at table {self.table} asks again: {in_words(asked.message)}")
            self.send(asked.message)

    def _ask_all_again(self) -> None:
        for request in [*self.asked]:
            self._ask_again(request)

    def _look_for_answers(self) -> None:
        """What has had no answer for long is asked again."""
        self._asking_again = False
        now = self._loop.now
        for request, asked in [*self.asked.items()]:
            if now - asked.at_s >= ASK_AGAIN_S:
                self._ask_again(request)
        if self.asked:
            self._asking_again = True
            self.later(ASK_AGAIN_S, self._look_for_answers)
