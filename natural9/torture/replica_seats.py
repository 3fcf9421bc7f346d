"""What a seat has after every entry of its table: credit, bets, insurance, what it was returned; from the journal."""

from bisect import bisect_right
from typing import Any, Final, NamedTuple

Record = dict[str, Any]
SettledLine = tuple[str, int, str, str | None, int, int]  # wager, stake, result, odds, returned, net
LINE: Final = ("wager", "stake_cents", "result", "odds", "returned_cents", "net_cents")
NOTHING: Final[dict[str, int]] = {}


class Sitting(NamedTuple):
    """A player's session at the seat, as money counts in it."""

    number: int
    came_cents: int
    owed_cents: int  # before it began
    out_cents: int = 0
    staked_cents: int = 0
    rounds: int = 0
    waits_for: str = ""
    break_until_ms: int = 0
    loss_cents: int | None = None
    stake_cents: int | None = None
    lost_before_cents: int = 0


class AtSeat(NamedTuple):
    """Never changed: every entry that touches the seat makes a new one."""

    credit: int = 0
    owed: int = 0
    bets: dict[str, int] = NOTHING
    insurance: tuple[tuple[str, str, int], ...] = ()  # window, hand, cents
    withdrawn: dict[str, int] = NOTHING
    last_bets: dict[str, int] = NOTHING
    lines: tuple[SettledLine, ...] = ()
    insurance_lines: tuple[SettledLine, ...] = ()
    returned: int | None = None  # by a settlement
    void_returned: int = 0
    locked: bool = False
    vouchers: int = 0
    call: str | None = None  # who has taken it; None where nobody is called
    player: str = ""
    barred: bool = False
    nonce: str = ""
    away: int = 0
    sitting: Sitting | None = None
    home: tuple[str, int] | None = None

    @property
    def staked(self) -> int:
        return sum(self.bets.values()) + sum(one[2] for one in self.insurance)

    def lies(self, wager: str) -> int:
        if wager.endswith("-insurance"):
            return sum(cents for _, hand, cents in self.insurance if f"{hand}-insurance" == wager)
        return self.bets.get(wager, 0)


class SeatHistory:
    """One seat: what it was after which entry of its table."""

    __slots__ = ("entries", "now", "were")

    def __init__(self) -> None:
        self.now = AtSeat()
        self.entries: list[int] = [0]
        self.were: list[AtSeat] = [self.now]

    def change(self, number: int, now: AtSeat) -> None:
        self.now = now
        if self.entries[-1] == number:
            self.were[-1] = now
        else:
            self.entries.append(number)
            self.were.append(now)

    def place(self, number: int) -> int:
        """Which of `were` it was after that entry."""
        return bisect_right(self.entries, number) - 1

    def at(self, number: int) -> AtSeat:
        return self.were[self.place(number)]


def less(amounts: dict[str, int], wager: str, cents: int) -> dict[str, int]:
    left = {**amounts, wager: amounts.get(wager, 0) - cents}
    return {name: amount for name, amount in left.items() if amount > 0}


def more(amounts: dict[str, int], wager: str, cents: int) -> dict[str, int]:
    return {**amounts, wager: amounts.get(wager, 0) + cents}


def without_insurance(
    insurance: tuple[tuple[str, str, int], ...], window: str, hand: str, cents: int
) -> tuple[tuple[str, str, int], ...]:
    """What was taken last goes back first."""
    left = []
    for one in reversed(insurance):
        back = min(cents, one[2]) if one[:2] == (window, hand) else 0
        cents -= back
        if back < one[2]:
            left.append((*one[:2], one[2] - back))
    return tuple(reversed(left))


def lines_of(lines: list[Record]) -> tuple[SettledLine, ...]:
    return tuple([tuple([line[name] for name in LINE]) for line in lines])


def seat_after(was: AtSeat, kind: str, r: Record, in_play: bool) -> AtSeat:
    """But for credit and debt, which the transfers say."""
    if kind == "bet-placed":
        wager, cents = r["wager"], r["cents"]
        withdrawn = less(was.withdrawn, wager, cents) if was.withdrawn else NOTHING
        return was._replace(bets=more(was.bets, wager, cents), withdrawn=withdrawn)
    if kind == "seat-settled":
        sitting = was.sitting and was.sitting._replace(
            staked_cents=was.sitting.staked_cents + r["staked_cents"], rounds=was.sitting.rounds + 1
        )
        return was._replace(
            lines=lines_of(r["lines"]),
            insurance_lines=lines_of(r["insurance"]),
            returned=r["returned_cents"],
            sitting=sitting,
        )
    change = _CHANGES.get(kind)
    return change(was, r) if change else was


def _taken_back(was: AtSeat, r: Record) -> AtSeat:
    wager, cents = r["wager"], r["cents"]
    return was._replace(bets=less(was.bets, wager, cents), withdrawn=more(was.withdrawn, wager, cents))


def _cleared(was: AtSeat, r: Record) -> AtSeat:
    withdrawn = dict(was.withdrawn)
    for wager, cents in was.bets.items():
        withdrawn[wager] = withdrawn.get(wager, 0) + cents
    return was._replace(bets=NOTHING, insurance=(), withdrawn=withdrawn)


def _returned(was: AtSeat, r: Record) -> AtSeat:
    return was._replace(
        bets=NOTHING,
        insurance=(),
        withdrawn=NOTHING,
        void_returned=r["cents"],
        last_bets=was.bets,
        lines=(),
        insurance_lines=(),
        returned=None,
    )


def _reversed(was: AtSeat, r: Record) -> AtSeat:
    sitting = was.sitting
    if sitting and sitting.rounds:
        sitting = sitting._replace(staked_cents=sitting.staked_cents - was.staked, rounds=sitting.rounds - 1)
    return was._replace(lines=(), insurance_lines=(), returned=None, sitting=sitting)


def _insured(was: AtSeat, r: Record) -> AtSeat:
    return was._replace(insurance=(*was.insurance, (r["window"], r["hand"], r["cents"])))


def _insurance_back(was: AtSeat, r: Record) -> AtSeat:
    return was._replace(insurance=without_insurance(was.insurance, r["window"], r["hand"], r["cents"]))


def _voided(was: AtSeat, r: Record) -> AtSeat:
    return was._replace(bets=less(was.bets, r["wager"], r["cents"]))


def _restored(was: AtSeat, r: Record) -> AtSeat:
    wager, cents = r["wager"], r["cents"]
    return was._replace(bets=more(was.bets, wager, cents), withdrawn=less(was.withdrawn, wager, cents))


def _money_in(was: AtSeat, r: Record) -> AtSeat:
    sitting = was.sitting
    return was._replace(sitting=sitting and sitting._replace(came_cents=sitting.came_cents + r["cents"]))


def _money_out(was: AtSeat, r: Record) -> AtSeat:
    sitting = was.sitting
    return was._replace(sitting=sitting and sitting._replace(out_cents=sitting.out_cents + r["cents"]))


def _voucher(was: AtSeat, r: Record) -> AtSeat:
    return _money_out(was, r)._replace(vouchers=was.vouchers + 1)


def _came_home(was: AtSeat, r: Record) -> AtSeat:
    sitting = was.sitting
    if sitting:
        rounds = max(0, sitting.rounds + r["rounds"])
        sitting = sitting._replace(staked_cents=sitting.staked_cents + r["staked_cents"], rounds=rounds)
    return was._replace(away=was.away - r["decided_cents"], sitting=sitting)


def _started(was: AtSeat, r: Record) -> AtSeat:
    sitting = Sitting(r["session"], r["in_cents"], r["owed_cents"])
    return was._replace(sitting=sitting._replace(loss_cents=r["loss_cents"], stake_cents=r["stake_cents"]))


def _limits_set(was: AtSeat, r: Record) -> AtSeat:
    sitting = was.sitting
    return was._replace(sitting=sitting and sitting._replace(loss_cents=r["loss_cents"], stake_cents=r["stake_cents"]))


def _waits(what: str) -> Any:
    def change(was: AtSeat, r: Record) -> AtSeat:
        return was._replace(sitting=was.sitting and was.sitting._replace(waits_for=what))

    return change


_CHANGES: Final[dict[str, Any]] = {
    "bet-taken-back": _taken_back,
    "bets-cleared": _cleared,
    "bets-returned": _returned,
    "settlement-reversed": _reversed,
    "insurance-placed": _insured,
    "insurance-returned": _insurance_back,
    "bet-voided": _voided,
    "bet-restored": _restored,
    "credit-bought": _money_in,
    "voucher-inserted": _money_in,
    "voucher-voided": _money_in,
    "hand-paid": _money_out,
    "voucher-issued": _voucher,
    "terminal-locked": lambda was, r: was._replace(locked=True),
    "terminal-unlocked": lambda was, r: was._replace(locked=False),
    "attendant-called": lambda was, r: was._replace(call=""),
    "call-taken": lambda was, r: was._replace(call=was.call if was.call is None else r["by"]),
    "call-withdrawn": lambda was, r: was._replace(call=None),
    "call-cleared": lambda was, r: was._replace(call=None),
    "player-carded-in": lambda was, r: was._replace(player=r["player"], barred=False),
    "player-carded-out": lambda was, r: was._replace(player="", barred=False),
    "player-barred": lambda was, r: was._replace(barred=True),
    "nonce-committed": lambda was, r: was._replace(nonce=r["commitment"]),
    "credit-taken-along": lambda was, r: was._replace(away=was.away + r["cents"]),
    "credit-came-home": _came_home,
    "visitor-seated": lambda was, r: was._replace(home=(r["home_table"], r["home_seat"])),
    "session-started": _started,
    "session-ended": lambda was, r: was._replace(sitting=None),
    "play-limits-set": _limits_set,
    "reality-check-due": _waits("check"),
    "play-paused": _waits("idle"),
    "play-continued": _waits(""),
    "break-taken": lambda was, r: was._replace(
        sitting=was.sitting and was.sitting._replace(break_until_ms=r["until_ms"])
    ),
}
