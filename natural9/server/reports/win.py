"""What each table won on each gaming day, from the store's meters.

There is no theoretical win here: it needs the turnover of each wager, and meters count money by account. The report of
the hold has it.
"""

from collections import defaultdict
from fractions import Fraction
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal.accounts import TransferKind, place_of
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly
from natural9.server.reports.days import Days, Rounds
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.server.reports.significant import significant
from natural9.server.reports.sums import Sums
from natural9.store.contract import Store

# What moves between the players' stakes and the house, settled and corrected: on the house's account it is the win.
WINS: Final = (
    TransferKind.STAKE_LOST,
    TransferKind.STAKE_LOST_REVERSED,
    TransferKind.RULING,
    TransferKind.WINNINGS,
    TransferKind.WINNINGS_REVERSED,
)
# What leaves the account of the stakes once a round is settled.
TURNOVER: Final = (
    TransferKind.STAKE_LOST,
    TransferKind.STAKE_RETURNED,
    TransferKind.STAKE_LOST_REVERSED,
    TransferKind.STAKE_RETURNED_REVERSED,
)


class WinLine(Struct, frozen=True, kw_only=True):
    """One table on one gaming day, settled rounds only, corrections taken into account.

    `drop` is the money that came to the table's terminals; `turnover` what was staked and settled; the house has won
    what of it did not go back. `hold` is that win over the turnover, exact.
    """

    table: str
    day: str
    rounds: int
    voids: int
    drop_cents: int
    wagered_cents: SheetOnly[int]
    void_returned_cents: SheetOnly[int]
    turnover_cents: int
    returned_cents: int
    won_by_players_cents: SheetOnly[int]
    house_win_cents: int
    hold: Annotated[str, ColumnHint(title="Hold, exact", on_screen=False)]
    hold_percent: float


async def win_report(store: Store, days: Days, *, table: TableFilter = None) -> list[WinLine]:
    stakes = await _sums(store, "stake/", days, table)
    houses = await _sums(store, "house/", days, table)
    drops = await _drops(store, days, table)
    voids = await _voids(store, days)
    rounds: dict[str, Rounds] = {}
    lines = []
    for key in sorted(stakes.keys() | houses.keys() | drops.keys(), key=lambda key: (key[1], key[0])):
        counted = rounds.setdefault(key[0], Rounds(store, key[0]))
        lines.append(_win_line(key, stakes[key], houses[key], drops[key], voids[key], await counted.dealt_on(key[1])))
    return lines


def _win_line(key: tuple[str, str], stake: Sums, house: Sums, drop_cents: int, voids: int, rounds: int) -> WinLine:
    turnover = -stake.of(*TURNOVER)
    won = -house.of(TransferKind.WINNINGS, TransferKind.WINNINGS_REVERSED)
    win = house.of(*WINS)
    hold = Fraction(win, turnover) if turnover else Fraction(0)
    return WinLine(
        table=key[0],
        day=key[1],
        rounds=rounds,
        voids=voids,
        drop_cents=drop_cents,
        wagered_cents=stake.of(TransferKind.BET, TransferKind.BET_TAKEN_BACK, TransferKind.BET_RESTORED),
        void_returned_cents=-stake[TransferKind.BET_RETURNED],
        turnover_cents=turnover,
        returned_cents=turnover - win,
        won_by_players_cents=won,
        house_win_cents=win,
        hold=f"{hold.numerator}/{hold.denominator}",
        hold_percent=round(float(hold) * 100, 4),
    )


async def _sums(store: Store, prefix: str, days: Days, table: str | None) -> defaultdict[tuple[str, str], Sums]:
    """By table and day."""
    sums: defaultdict[tuple[str, str], Sums] = defaultdict(Sums)
    for meter in await store.meters(f"{prefix}{table or ''}", first_day=days.first, last_day=days.last):
        whose = meter.account.removeprefix(prefix)
        if table is None or whose == table:
            sums[whose, meter.day].add(meter)
    return sums


async def _drops(store: Store, days: Days, table: str | None) -> defaultdict[tuple[str, str], int]:
    prefix = f"credit/{table}-" if table else "credit/"
    drops: defaultdict[tuple[str, str], int] = defaultdict(int)
    for meter in await store.meters(prefix, first_day=days.first, last_day=days.last):
        if meter.kind in (TransferKind.BUY_IN, TransferKind.VOUCHER_IN):
            drops[place_of(meter.account)[0], meter.day] += meter.in_cents
    return drops


async def _voids(store: Store, days: Days) -> defaultdict[tuple[str, str], int]:
    voids: defaultdict[tuple[str, str], int] = defaultdict(int)
    async for written in significant(store, days):
        if written.kind == "round-voided":
            voids[written.stream.partition("/")[2], written.day] += 1
    return voids


WIN: Final = Report(
    name="win",
    title="Win",
    says="What each table won on each gaming day: requirement 44.",
    permission=Action.SEE_REPORTS,
    row=WinLine,
    make=win_report,
    adds_up=True,
)
