"""What a bot bets: pure functions of what its seat sees and a source of chance. Never over a limit or its credit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from natural9.core.table_of_play import Hand
from natural9.table.state.seat_view import SeatView
from natural9.table.state.view import TableView

MAIN: Final = ("banker", "player")
_MULTIPLES: Final = (1, 1, 1, 2, 2, 3, 5, 10)


class Move(NamedTuple):
    """One tap, and when: 0 is the opening of the window, 1 its close."""

    when: float
    what: Literal["bet", "undo", "double", "re-bet"]
    wager: str = ""
    cents: int = 0


@dataclass
class _Slip:
    """The bets as they will lie once the moves so far are made, and what else fits."""

    table: TableView
    credit: int
    bets: dict[str, int] = field(default_factory=dict)

    @property
    def staked(self) -> int:
        return sum(self.bets.values())

    def room(self, wager: str) -> int:
        """The most that still fits on this spot, in whole betting units."""
        totals = [self.credit - self.staked, self.table.limits[wager][1] - self.bets.get(wager, 0)]
        if self.table.seat_max_cents is not None:
            totals.append(self.table.seat_max_cents - self.staked)
        if self.table.table_max_cents is not None:
            totals.append(self.table.table_max_cents - sum(self.table.laid.values()) - self.staked)
        unit = self.table.betting_unit_cents
        return max(0, min(totals)) // unit * unit

    def least(self, wager: str) -> int:
        """The least that may be laid on it now; the first bet of all must also make the seat's minimum."""
        least = self.table.betting_unit_cents if wager in self.bets else self.table.limits[wager][0]
        short = max(0, self.table.seat_min_cents - self.staked)
        unit = self.table.betting_unit_cents
        return max(least, -(-short // unit) * unit)

    def takes(self, more: Mapping[str, int]) -> bool:
        """Whether all of these can be laid together on top of what lies."""
        after = _Slip(self.table, self.credit, dict(self.bets))
        for wager, cents in more.items():
            if wager not in self.table.limits or cents > after.room(wager):
                return False
            after.bets[wager] = after.bets.get(wager, 0) + cents
            if after.bets[wager] < self.table.limits[wager][0]:
                return False
        return after.staked >= self.table.seat_min_cents

    def stake(self, chance: Random, wager: str) -> int:
        """An amount that a careful player would lay; 0 if none fits."""
        least, room = self.least(wager), self.room(wager)
        if least > room:
            return 0
        careful = max(least, self.credit // 10)
        return min(least * chance.choice(_MULTIPLES), max(least, min(room, careful)) // least * least)


def plan_round(chance: Random, table: TableView, you: SeatView) -> tuple[Move, ...]:
    """What to tap in the betting window that has just opened, in order; nothing if it sits this round out."""
    slip = _Slip(table, you.credit_cents)
    if you.bets or chance.random() < 0.08:
        return ()
    times = sorted(chance.uniform(0.05, 0.95) for _ in range(5))
    if you.last_bets and chance.random() < 0.25 and slip.takes(you.last_bets):
        return (Move(times[0], "re-bet"),)
    bets = _bets(chance, slip, times)
    if not bets:
        return ()
    moves: list[Move] = list(bets)
    if chance.random() < 0.1:
        moves.append(Move(times[3], "undo"))
    elif chance.random() < 0.1 and slip.takes(slip.bets):
        moves.append(Move(times[3], "double"))
    return tuple(moves)


def _bets(chance: Random, slip: _Slip, times: list[float]) -> list[Move]:
    """A main bet first, now and then a second chip on it or a side bet."""
    main = chance.choices(MAIN, weights=(51, 49))[0]
    wagers = [main]
    if chance.random() < 0.2:
        wagers.append(main)
    if chance.random() < 0.3:
        wagers.append(chance.choice([wager for wager in slip.table.limits if wager not in MAIN] or [main]))
    moves = []
    for when, wager in zip(times, wagers, strict=False):
        if cents := slip.stake(chance, wager):
            slip.bets[wager] = slip.bets.get(wager, 0) + cents
            moves.append(Move(when, "bet", wager, cents))
    return moves


def plan_insurance(chance: Random, table: TableView, you: SeatView) -> tuple[Hand, int] | None:
    """Now and then some or all of what it may insure."""
    offers = [(hand, most) for hand, most in you.may_insure.items() if most]
    if not offers or chance.random() < 0.5:
        return None
    hand, most = chance.choice(offers)
    unit = table.betting_unit_cents
    cents = min(most, you.credit_cents) // unit * chance.choice((1, 2, 4)) // 4 * unit
    return (hand, cents) if cents else None


def in_this_round(you: SeatView, round: int) -> SeatView:
    """A seat hears nothing when a round opens: what it last heard of its bets was about the one before."""
    return (
        you if you.round == round else replace(you, round=round, bets={}, insurance=(), staked_cents=0, may_insure={})
    )


def is_broke(table: TableView, you: SeatView) -> bool:
    """Between rounds: not enough left for the least main bet."""
    least = max(table.seat_min_cents, min(table.limits[wager][0] for wager in MAIN))
    return you.credit_cents < least
