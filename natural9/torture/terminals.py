"""Players at terminals: they bet, change their minds, click twice, turn cards, set limits, go to other tables, vanish,
come back, ask again, and lie."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Any, Final

import msgspec

from natural9.server import protocol
from natural9.server.websocket import UpgradeRefused
from natural9.table.shoes.mixing import nonce_commitment
from natural9.torture.chance import chance_of
from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.mix import BY_THEMSELVES, Mix
from natural9.torture.network import SimulatedLine

BACK_S: Final = 0.2
ASK_AGAIN_S: Final = 8.0  # without an answer
UNKNOWN_S: Final = 1.0
MOST_ASKED: Final = 200
HIGH: Final = 0.04  # how likely a stake is the most that the spot takes
NEAR: Final = 0.15  # how likely it is all that a seat may still stake
SPREADS: Final = 0.2  # how likely somebody has a little on every wager of a round, where rare ones are dealt
BACKS: Final = 0.5  # how likely somebody stakes enough on a hand to insure it, where that is to be had
BACKED: Final = (("player",), ("banker",), ("player", "banker"))
BLIND: Final = 0.3  # how likely somebody insures where the screen offers none
TOO_MUCH: Final = 0.2  # how likely somebody wants more insurance than there is
NO_MESSAGES: Final = (  # answered without a request, for whoever sends these has none
    b"{",
    b"[]",
    b'{"type":"bet"}',
    b'{"type":"bet","request":"","round":1,"wager":"banker","cents":100}',
    b'{"type":"bet","request":"no-1","round":1,"wager":"banker","cents":-100}',
    b'{"type":"bet","request":"no-2","round":1,"wager":"banker","cents":100,"seat":1}',
    b'{"type":"card-in","request":"no-3","player":"1","points_per_100":1}',
    b'{"type":"credit-terminal","request":"no-4","seat":1,"cents":100}',
)
_encode: Final = msgspec.json.encode
View = dict[str, Any]


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
    _broke_at: float = -60.0
    _insured: tuple[int, str] = (0, "")  # the round, and which of its windows
    _turned: tuple[int, int] = (0, 0)  # the round, and how many of its cards
    _last_tap: bytes = b""
    _used: tuple[str, int] = ("", 0)  # a request that was done, and its round
    _asking_again: bool = False
    _nonces: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = f"{self.home or self.table}/{self.seat}"
        self._near = chance_of(self.mix.seed, f"near the limits {self.name} {self.table}")
        self._backs = chance_of(self.mix.seed, f"insures {self.name} {self.table}")
        games = {table.id: table.game for table in self.mix.tables}
        self._insures = games[self.table] not in BY_THEMSELVES
        self._who = f"terminal {self.name} at {self.table}" if self.home else f"terminal {self.name}"
        self._loop = self.floor.loop
        self._taps = [name for name, weight in self.mix.taps.items() if weight]
        self._weights = [*accumulate([self.mix.taps[name] for name in self._taps])]

    # The line

    def connect(self) -> None:
        if self._line or self.is_gone or self.is_away:
            return
        after = f"{self._epoch}:{self._n}" if self._epoch else ""
        try:
            came = self.floor.connect(self.name, self, f"/ws/table/{self.table}", after)
        except HouseIsDown:
            self._later(BACK_S * self.chance.uniform(0.5, 3), self.connect)
            return
        if isinstance(came, UpgradeRefused):
            self.floor.see(self._who, "refused", came.code.encode())
            if came.status in (401, 403):
                self.is_gone = True
            else:
                self._later((came.retry_s or 1) * self.chance.uniform(1, 1.5), self.connect)
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
        self._later(BACK_S * self.chance.uniform(0.5, 2), self.connect)

    def _vanish(self) -> None:
        if self._line:
            self._line.hang_up()
            self._line = None
            self.floor.see(self._who, "cut", b"1000")
            self._later(self.chance.uniform(0.0, 10.0), self.connect)

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

    def _later(self, seconds: float, what: Callable[..., None], *args: Any) -> None:
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
                    self._used = (request, done.round if done.tap == "bet" else 0)
            if voucher := said.get("voucher"):
                self.when_voucher(self, voucher)
            self._hold(said)
        elif kind == "refused":
            if said["request"] and not said["again"]:
                if self.asked.pop(said["request"], None):
                    self.refused[said["code"]] += 1
            elif said["request"] in self.asked:
                self._later(UNKNOWN_S, self._ask_again, said["request"])
            self._hold(said)
        elif kind == "seat":
            self._hold(said)
        elif kind == "unknown":
            for request in said["requests"]:
                self._later(UNKNOWN_S, self._ask_again, request)
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
            self._reveal(you["to_reveal"])
        self._think_about_insurance()

    def _see(self, view: View, now_ms: int) -> None:
        self.view = view
        if view["takes_bets"]:
            if view["round"] != self._planned:
                self._planned = view["round"]
                self._plan(view, now_ms)
        elif self.you and self.you["to_reveal"]:
            self._reveal(self.you["to_reveal"])
        else:
            self._think_about_insurance()
        if view["squeeze"] and self._turned != (lie := (view["round"], len(view["cards"]))):
            self._turned = lie
            if self.chance.random() < 0.8:  # the others look at their cards until the time is up
                self._later(self.chance.uniform(0.0, 2.5), self._turn, *lie)

    def _think_about_insurance(self) -> None:
        """Once in each window: that it is open comes first, what a seat may insure right behind."""
        view, you = self.view, self.you
        if not view or not view["window_open"] or not you or not (you["may_insure"] or you["bets"]):
            return
        if self._insured != (window := (view["round"], view["phase"])):
            self._insured = window
            self._later(self.chance.uniform(0.0, 0.8), self._insure)

    def _turn(self, number: int, cards: int) -> None:
        self._send(_encode({"type": "turned", "round": number, "cards": cards}))

    def _plan(self, view: View, now_ms: int) -> None:
        if self.quiet and self.home:  # it comes to rest: what it has bet is decided, and its credit goes home
            return
        closes_ms = view["closes_at_ms"]
        window_s = (closes_ms - now_ms) / 1000 if closes_ms else self.mix.betting_s
        chance = self.chance
        many = int(chance.expovariate(1 / self.mix.taps_a_round) + 0.5) if self.mix.taps_a_round else 1
        for _ in range(min(many, 20)):
            # Some come when it is too late, or nearly.
            self._later(chance.random() * window_s * 1.05, self._tap)
        if self.mix.rare_cards and self._near.random() < SPREADS:
            self._later(self._near.random() * window_s, self._spread)
        if self._insures and self._backs.random() < BACKS:
            self._later(self._backs.random() * window_s / 2, self._back_a_hand)
        if (mix := view["shoe"]["mix"]) and chance.random() < 0.1:
            self._later(chance.random() * window_s, self._commit_nonce, mix["next_shoe"])

    # What it taps

    def _tap(self) -> None:
        view, you = self.view, self.you
        if not view or not you or not self._line:
            return
        if not self.home and you["credit_cents"] < 500 and not you["bets"] and self._loop.now - self._broke_at > 20:
            self._broke_at = self._loop.now
            self.when_broke(self)
        if (session := you["session"]) and session["waits_for"]:
            self._ask("continue-play")
            return
        tap = self.chance.choices(self._taps, cum_weights=self._weights)[0]
        if self.quiet and tap in ("lie", "vanish"):
            tap = "bet"
        self._do(tap, view, you)

    def _spread(self) -> None:
        if (view := self.view) and self._line:
            bets = {wager: least for wager, (least, _) in view["limits"].items()}
            self._ask("lay-bets", round=view["round"], bets=bets)

    def _back_a_hand(self) -> None:
        """Enough that some of it can be insured at 8 to 1, and not all that a seat may stake: insurance counts, too."""
        if (view := self.view) and self._line:
            hands, (least, _) = self._backs.choice(BACKED), view["limits"]["banker"]
            cents = least * self._backs.choice((4, 8, 16, 16))
            if most := view["seat_max_cents"]:
                cents = max(least, min(cents, most * 4 // 5 // len(hands) // least * least))
            self._ask("lay-bets", round=view["round"], bets=dict.fromkeys(hands, cents))

    def _do(self, tap: str, view: View, you: View) -> None:
        chance, number = self.chance, view["round"]
        match tap:
            case "bet":
                wager, cents = self._stake(view, you)
                self._ask("bet", round=number, wager=wager, cents=cents)
            case "lay-bets":
                bets = dict(self._stake(view, you) for _ in range(chance.randint(*self.mix.bets_at_once)))
                self._ask("lay-bets", round=number, bets=bets)
            case "take-back":
                wager = chance.choice([*you["bets"]]) if you["bets"] else "banker"
                some = chance.choice((None, 100, view["betting_unit_cents"]))
                self._ask("take-back", round=number, wager=wager, cents=some)
            case "undo" | "double" | "re-bet" | "clear":
                self._ask(tap, round=number)
            case "cash-out":
                some = chance.choice((None, you["credit_cents"] or 1, max(1, you["credit_cents"] // 2)))
                self._ask("cash-out", cents=some, vouchers=you["vouchers"])
            case "call-attendant":
                self._ask("call-attendant", wanted=chance.random() < 0.7)
            case "click-twice":
                wager, cents = self._stake(view, you)
                self._ask("bet", round=number, wager=wager, cents=cents)
                if chance.random() < 0.5:
                    self._ask("bet", round=number, wager=wager, cents=cents)
                elif self._line:  # the very same message again
                    self._send(self._last_tap)
            case "use-id-again":
                self._use_id_again(view, you)
            case "own-limits":
                self._own_limits(you)
            case "vanish":
                self._vanish()
            case _:
                self._lie(view)

    def _stake(self, view: View, you: View) -> tuple[str, int]:
        """Mostly what fits."""
        chance, limits = self.chance, view["limits"]
        wager = chance.choice(("banker", "player")) if chance.random() < 0.4 else chance.choice([*limits])
        least, most = limits[wager]
        unit = view["betting_unit_cents"]
        if view["seat_max_cents"] and self._near.random() < NEAR:
            rest = min(view["seat_max_cents"] - you["staked_cents"], most)
            if least <= rest <= you["credit_cents"]:
                return wager, rest // unit * unit
        if chance.random() < HIGH and you["credit_cents"] >= most:
            return wager, most
        cents = least * chance.choice((1, 1, 2, 5, 10)) if chance.random() < 0.97 else most + unit
        return wager, max(unit, cents // unit * unit)

    def _use_id_again(self, view: View, you: View) -> None:
        """The id of what was done in this round or the last one, for another bet."""
        request, number = self._used
        wager, cents = self._stake(view, you)
        if request and number in (view["round"] - 1, view["round"]) and request not in self.asked:
            again = {"type": "bet", "request": request, "round": view["round"], "wager": wager, "cents": cents}
            self._used = ("", 0)
            self._remember(request, _encode(again), "use-id-again")
        else:
            self._ask("bet", round=view["round"], wager=wager, cents=cents)

    def _own_limits(self, you: View) -> None:
        """What players do to protect themselves: most of it is lowered again soon, or answered."""
        chance, session = self.chance, you["session"]
        if session and session["waits_for"] and chance.random() < 0.9:
            self._ask("continue-play")
            return
        draw = chance.random()
        if you["card"] and draw < 0.5:
            self._ask("card-out")
        elif draw < 0.6:
            stake, loss = chance.choice((None, 20_000, 100_000)), chance.choice((None, 50_000, 400_000))
            self._ask("set-play-limits", time_min=chance.choice((None, 60)), loss_cents=loss, stake_cents=stake)
        elif draw < 0.75:
            self._ask("take-break", minutes=chance.choice((1, 1, 30)))
        elif draw < 0.9:
            self._ask("end-session")
        else:
            self._ask("card-out")

    def _lie(self, view: View) -> None:
        """Whatever no terminal of ours sends."""
        chance, number = self.chance, view["round"]
        if chance.random() < 0.5:
            self._send(chance.choice(NO_MESSAGES))
            return
        bet = {"type": "bet", "request": self._new_request(), "round": number, "wager": "banker", "cents": 100}
        lies: list[dict[str, Any]] = [
            {**bet, "cents": 10**12},
            {**bet, "cents": 1},
            {**bet, "wager": "moon"},
            {**bet, "round": number + 1},
            {**bet, "round": max(0, number - 1)},
            {"type": "insert-voucher", "request": bet["request"], "number": "1", "code": "AAAA-AAAA"},
            {"type": "reveal-nonce", "request": bet["request"], "shoe": 1, "nonce": "0" * 64},
            {"type": "cash-out", "request": bet["request"], "cents": 10**9},
        ]
        lie = chance.choice(lies)
        self._remember(lie["request"], _encode(lie), "lie")

    def _insure(self) -> None:
        view, you = self.view, self.you
        if view and you and self._line and not you["may_insure"]:
            self._insure_blindly(view)
        elif view and you and self._line and self.chance.random() < 0.7:
            hand, most = self.chance.choice([*you["may_insure"].items()])
            unit = view["betting_unit_cents"]
            cents = max(unit, most // self.chance.choice((1, 1, 2, 4)) // unit * unit)
            if self.chance.random() < TOO_MUCH:
                cents += unit * self.chance.choice((1, 1, 20))
            self._ask("insure", round=view["round"], hand=hand, cents=cents)

    def _insure_blindly(self, view: View) -> None:
        """Its screen offers none: over a limit, without a bet on that hand, or the window has closed."""
        if view["offers"] and self._near.random() < BLIND:
            hand = self._near.choice(view["offers"])["hand"]
            self._ask("insure", round=view["round"], hand=hand, cents=view["betting_unit_cents"])

    def _reveal(self, commitment: str) -> None:
        """Some never do."""
        mix = self.view["shoe"]["mix"] if self.view else None
        if mix and mix["shoe"] and commitment in self._nonces:
            nonce = self._nonces.pop(commitment)
            if self.quiet or self.chance.random() < 0.9:
                self._ask("reveal-nonce", shoe=mix["shoe"], nonce=nonce)

    def _commit_nonce(self, shoe: int) -> None:
        nonce = self.chance.randbytes(32).hex()
        seat = self.you["seat"] if self.you else self.seat  # a visitor's is another here
        commitment = nonce_commitment(table=self.table, shoe=shoe, seat=seat, nonce=nonce)
        self._nonces[commitment] = nonce
        self._ask("commit-nonce", shoe=shoe, commitment=commitment)

    def collect(self) -> None:
        if self.you and self.you["credit_cents"] and self._line:
            self._ask("cash-out", cents=self.you["credit_cents"], vouchers=self.you["vouchers"])

    def insert_voucher(self, voucher: View) -> None:
        self._ask("insert-voucher", number=voucher["number"], code=voucher["code"])

    # Requests

    def _new_request(self) -> str:
        self._count += 1
        return f"{self.name}@{self.table}-{self._count}" if self.home else f"{self.name}-{self._count}"

    def _ask(self, kind: str, **fields: Any) -> None:
        request = self._new_request()
        asked = {"type": kind, "request": request, **fields}
        self._remember(request, _encode(asked), kind, fields.get("round", 0))

    def _remember(self, request: str, message: bytes, tap: str, number: int = 0) -> None:
        if len(self.asked) >= MOST_ASKED:
            return
        self.asked[request] = OpenRequest(message, self._loop.now, tap, number)
        if self.floor.tell:
            self.floor.tell(f"seat {self.seat} at table {self.table} asks: {in_words(message)}")
        self._last_tap = message
        self._send(message)
        if not self._asking_again:
            self._asking_again = True
            self._later(ASK_AGAIN_S, self._look_for_answers)

    def _send(self, message: bytes) -> None:
        if self._line:
            self.floor.see(self._who, "sent", message)
            self._line.send(message)

    def _ask_again(self, request: str) -> None:
        asked = self.asked.get(request)
        if asked and self._line:
            asked.at_s, asked.tries = self._loop.now, asked.tries + 1
            if self.floor.tell:
                self.floor.tell(f"seat {self.seat} at table {self.table} asks again: {in_words(asked.message)}")
            self._send(asked.message)

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
            self._later(ASK_AGAIN_S, self._look_for_answers)
