"""Somebody at a terminal: they bet, change their minds, click twice, insure, set limits, vanish and lie."""

from collections.abc import Callable, Container
from itertools import accumulate
from random import Random
from typing import Any, Final, Protocol

import msgspec

from natural9.table.shoes.mixing import nonce_commitment
from natural9.torture.chance import chance_of
from natural9.torture.mix import BY_THEMSELVES, Mix

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


class PlayersScreen(Protocol):
    """What they sit at, and see."""

    table: str
    seat: int
    name: str
    home: str  # the table where it stands, if this is another
    quiet: bool  # faults have stopped: they behave
    view: View | None
    you: View | None
    last_message: bytes

    @property
    def asked(self) -> Container[str]: ...
    @property
    def is_connected(self) -> bool: ...
    @property
    def now_s(self) -> float: ...
    def new_request(self) -> str: ...
    def ask(self, kind: str, **fields: Any) -> None: ...
    def remember(self, request: str, message: bytes, tap: str) -> None: ...
    def send(self, message: bytes) -> None: ...
    def later(self, seconds: float, what: Callable[..., None], *args: Any) -> None: ...
    def vanish(self) -> None: ...
    def ask_for_money(self) -> None: ...


class SimulatedPlayer:
    def __init__(self, at: PlayersScreen, mix: Mix, chance: Random) -> None:
        self._at, self._mix, self._chance = at, mix, chance
        self._near = chance_of(mix.seed, f"near the limits {at.name} {at.table}")
        self._backs = chance_of(mix.seed, f"insures {at.name} {at.table}")
        games = {table.id: table.game for table in mix.tables}
        self._insures = games[at.table] not in BY_THEMSELVES
        self._taps = [name for name, weight in mix.taps.items() if weight]
        self._weights = [*accumulate([mix.taps[name] for name in self._taps])]
        self.used = ("", 0)  # a request that was done, and its round
        self._broke_at = -60.0
        self._insured = (0, "")  # the round, and which of its windows
        self._nonces = dict[str, str]()

    def think_about_insurance(self) -> None:
        """Once in each window: that it is open comes first, what a seat may insure right behind."""
        view, you = self._at.view, self._at.you
        if not view or not view["window_open"] or not you or not (you["may_insure"] or you["bets"]):
            return
        if self._insured != (window := (view["round"], view["phase"])):
            self._insured = window
            self._at.later(self._chance.uniform(0.0, 0.8), self._insure)

    def plan(self, view: View, now_ms: int) -> None:
        if self._at.quiet and self._at.home:  # it comes to rest: what it has bet is decided, and its credit goes home
            return
        closes_ms = view["closes_at_ms"]
        window_s = (closes_ms - now_ms) / 1000 if closes_ms else self._mix.betting_s
        chance = self._chance
        many = int(chance.expovariate(1 / self._mix.taps_a_round) + 0.5) if self._mix.taps_a_round else 1
        for _ in range(min(many, 20)):
            # Some come when it is too late, or nearly.
            self._at.later(chance.random() * window_s * 1.05, self._tap)
        if self._mix.rare_cards and self._near.random() < SPREADS:
            self._at.later(self._near.random() * window_s, self._spread)
        if self._insures and self._backs.random() < BACKS:
            self._at.later(self._backs.random() * window_s / 2, self._back_a_hand)
        if (mix := view["shoe"]["mix"]) and chance.random() < 0.1:
            self._at.later(chance.random() * window_s, self._commit_nonce, mix["next_shoe"])

    def _tap(self) -> None:
        view, you = self._at.view, self._at.you
        if not view or not you or not self._at.is_connected:
            return
        if not self._at.home and you["credit_cents"] < 500 and not you["bets"] and self._at.now_s - self._broke_at > 20:
            self._broke_at = self._at.now_s
            self._at.ask_for_money()
        if (session := you["session"]) and session["waits_for"]:
            self._at.ask("continue-play")
            return
        tap = self._chance.choices(self._taps, cum_weights=self._weights)[0]
        if self._at.quiet and tap in ("lie", "vanish"):
            tap = "bet"
        self._do(tap, view, you)

    def _spread(self) -> None:
        if (view := self._at.view) and self._at.is_connected:
            bets = {wager: least for wager, (least, _) in view["limits"].items()}
            self._at.ask("lay-bets", round=view["round"], bets=bets)

    def _back_a_hand(self) -> None:
        """Enough that some of it can be insured at 8 to 1, and not all that a seat may stake: insurance counts, too."""
        if (view := self._at.view) and self._at.is_connected:
            hands, (least, _) = self._backs.choice(BACKED), view["limits"]["banker"]
            cents = least * self._backs.choice((4, 8, 16, 16))
            if most := view["seat_max_cents"]:
                cents = max(least, min(cents, most * 4 // 5 // len(hands) // least * least))
            self._at.ask("lay-bets", round=view["round"], bets=dict.fromkeys(hands, cents))

    def _do(self, tap: str, view: View, you: View) -> None:
        chance, number = self._chance, view["round"]
        match tap:
            case "bet":
                wager, cents = self._stake(view, you)
                self._at.ask("bet", round=number, wager=wager, cents=cents)
            case "lay-bets":
                bets = dict(self._stake(view, you) for _ in range(chance.randint(*self._mix.bets_at_once)))
                self._at.ask("lay-bets", round=number, bets=bets)
            case "take-back":
                wager = chance.choice([*you["bets"]]) if you["bets"] else "banker"
                some = chance.choice((None, 100, view["betting_unit_cents"]))
                self._at.ask("take-back", round=number, wager=wager, cents=some)
            case "undo" | "double" | "re-bet" | "clear":
                self._at.ask(tap, round=number)
            case "cash-out":
                some = chance.choice((None, you["credit_cents"] or 1, max(1, you["credit_cents"] // 2)))
                self._at.ask("cash-out", cents=some, vouchers=you["vouchers"])
            case "call-attendant":
                self._at.ask("call-attendant", wanted=chance.random() < 0.7)
            case "click-twice":
                wager, cents = self._stake(view, you)
                self._at.ask("bet", round=number, wager=wager, cents=cents)
                if chance.random() < 0.5:
                    self._at.ask("bet", round=number, wager=wager, cents=cents)
                elif self._at.is_connected:  # the very same message again
                    self._at.send(self._at.last_message)
            case "use-id-again":
                self._use_id_again(view, you)
            case "own-limits":
                self._own_limits(you)
            case "vanish":
                self._at.vanish()
            case _:
                self._lie(view)

    def _stake(self, view: View, you: View) -> tuple[str, int]:
        """Mostly what fits."""
        chance, limits = self._chance, view["limits"]
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
        request, number = self.used
        wager, cents = self._stake(view, you)
        if request and number in (view["round"] - 1, view["round"]) and request not in self._at.asked:
            again = {"type": "bet", "request": request, "round": view["round"], "wager": wager, "cents": cents}
            self.used = ("", 0)
            self._at.remember(request, _encode(again), "use-id-again")
        else:
            self._at.ask("bet", round=view["round"], wager=wager, cents=cents)

    def _own_limits(self, you: View) -> None:
        """What players do to protect themselves: most of it is lowered again soon, or answered."""
        chance, session = self._chance, you["session"]
        if session and session["waits_for"] and chance.random() < 0.9:
            self._at.ask("continue-play")
            return
        draw = chance.random()
        if you["card"] and draw < 0.5:
            self._at.ask("card-out")
        elif draw < 0.6:
            stake, loss = chance.choice((None, 20_000, 100_000)), chance.choice((None, 50_000, 400_000))
            self._at.ask("set-play-limits", time_min=chance.choice((None, 60)), loss_cents=loss, stake_cents=stake)
        elif draw < 0.75:
            self._at.ask("take-break", minutes=chance.choice((1, 1, 30)))
        elif draw < 0.9:
            self._at.ask("end-session")
        else:
            self._at.ask("card-out")

    def _lie(self, view: View) -> None:
        """Whatever no terminal of ours sends."""
        chance, number = self._chance, view["round"]
        if chance.random() < 0.5:
            self._at.send(chance.choice(NO_MESSAGES))
            return
        bet = {"type": "bet", "request": self._at.new_request(), "round": number, "wager": "banker", "cents": 100}
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
        self._at.remember(lie["request"], _encode(lie), "lie")

    def _insure(self) -> None:
        view, you = self._at.view, self._at.you
        if view and you and self._at.is_connected and not you["may_insure"]:
            self._insure_blindly(view)
        elif view and you and self._at.is_connected and self._chance.random() < 0.7:
            hand, most = self._chance.choice([*you["may_insure"].items()])
            unit = view["betting_unit_cents"]
            cents = max(unit, most // self._chance.choice((1, 1, 2, 4)) // unit * unit)
            if self._chance.random() < TOO_MUCH:
                cents += unit * self._chance.choice((1, 1, 20))
            self._at.ask("insure", round=view["round"], hand=hand, cents=cents)

    def _insure_blindly(self, view: View) -> None:
        """Its screen offers none: over a limit, without a bet on that hand, or the window has closed."""
        if view["offers"] and self._near.random() < BLIND:
            hand = self._near.choice(view["offers"])["hand"]
            self._at.ask("insure", round=view["round"], hand=hand, cents=view["betting_unit_cents"])

    def reveal(self, commitment: str) -> None:
        """Some never do."""
        mix = self._at.view["shoe"]["mix"] if self._at.view else None
        if mix and mix["shoe"] and commitment in self._nonces:
            nonce = self._nonces.pop(commitment)
            if self._at.quiet or self._chance.random() < 0.9:
                self._at.ask("reveal-nonce", shoe=mix["shoe"], nonce=nonce)

    def _commit_nonce(self, shoe: int) -> None:
        nonce = self._chance.randbytes(32).hex()
        seat = self._at.you["seat"] if self._at.you else self._at.seat  # a visitor's is another here
        commitment = nonce_commitment(table=self._at.table, shoe=shoe, seat=seat, nonce=nonce)
        self._nonces[commitment] = nonce
        self._at.ask("commit-nonce", shoe=shoe, commitment=commitment)
