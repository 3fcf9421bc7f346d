"""Reports of money, from the store's meters: win per table and gaming day, meters, desks, vouchers, transactions.

There is no theoretical win here: it would need the turnover of each wager, and meters count money by account.
"""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct, json

from natural9.server.reports.days import Days, Rounds
from natural9.server.reports.significant import significant
from natural9.store.contract import Meter, Store
from natural9.table.commands.cage import Voucher


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
    wagered_cents: int
    void_returned_cents: int
    turnover_cents: int
    returned_cents: int
    won_by_players_cents: int
    house_win_cents: int
    hold: str
    hold_percent: float


class MeterLine(Struct, frozen=True, kw_only=True):
    """What went through one terminal, or through all of a table's (`seat` 0)."""

    table: str
    seat: int
    in_cents: int  # credit bought and vouchers inserted
    out_cents: int  # vouchers issued and paid by hand
    wagered_cents: int
    won_cents: int  # winnings, without the stakes that came back with them
    stakes_returned_cents: int
    cancelled_cents: int  # bets taken back while betting was open, and returned by a void
    bought_cents: int
    hand_paid_cents: int
    vouchers_in: int
    vouchers_in_cents: int
    vouchers_out: int
    vouchers_out_cents: int
    owed_cents: int  # what corrections could not take back
    credit_now_cents: int


class VoucherLine(Struct, frozen=True, kw_only=True):
    number: str
    table: str
    seat: int
    cents: int
    issued_at_ms: int
    age_days: int
    expires_at_ms: int
    expired: bool


class DeskLine(Struct, frozen=True, kw_only=True):
    """One drawer on one gaming day: cash taken in and paid out. `drawer_now` counts from an empty drawer."""

    desk: str
    day: str
    taken_in_cents: int
    taken_in_count: int
    hand_paid_cents: int
    vouchers_paid_cents: int
    paid_out_count: int
    drawer_now_cents: int


class TransactionLine(Struct, frozen=True, kw_only=True):
    """Numbered without gaps from the first cent."""

    number: int
    entry: int
    at_ms: int
    day: str
    kind: str
    source: str
    target: str
    cents: int


class Sums(defaultdict[str, int]):
    """What went into an account less what went out of it, by kind; and how often."""

    def __init__(self) -> None:
        super().__init__(int)
        self.count: defaultdict[str, int] = defaultdict(int)

    def add(self, meter: Meter) -> None:
        self[meter.kind] += meter.in_cents - meter.out_cents
        self.count[meter.kind] += meter.in_count + meter.out_count

    def of(self, *kinds: str) -> int:
        return sum(self[kind] for kind in kinds)


async def win_report(store: Store, days: Days, *, table: str | None = None) -> list[WinLine]:
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
    turnover = -stake.of("stake-lost", "stake-returned", "stake-lost-reversed", "stake-returned-reversed")
    won = -house.of("winnings", "winnings-reversed")
    win = house.of("stake-lost", "stake-lost-reversed") - won
    hold = Fraction(win, turnover) if turnover else Fraction(0)
    return WinLine(
        table=key[0],
        day=key[1],
        rounds=rounds,
        voids=voids,
        drop_cents=drop_cents,
        wagered_cents=stake.of("bet", "bet-taken-back"),
        void_returned_cents=-stake["bet-returned"],
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
        if meter.kind in ("buy-in", "voucher-in"):
            drops[_place(meter.account)[0], meter.day] += meter.in_cents
    return drops


async def _voids(store: Store, days: Days) -> defaultdict[tuple[str, str], int]:
    voids: defaultdict[tuple[str, str], int] = defaultdict(int)
    async for written in significant(store, days):
        if written.kind == "round-voided":
            voids[written.stream.partition("/")[2], written.day] += 1
    return voids


def _place(account: str) -> tuple[str, int]:
    """credit/3-7 is table 3, seat 7; a table's own name may hold dashes."""
    table, _, seat = account.partition("/")[2].rpartition("-")
    return table, int(seat)


async def meter_report(store: Store, days: Days, *, table: str | None = None) -> list[MeterLine]:
    """Each terminal's meters, and after those of a table their sum."""
    prefix = f"{table}-" if table else ""
    sums: defaultdict[tuple[str, int], Sums] = defaultdict(Sums)
    for meter in await store.meters(f"credit/{prefix}", first_day=days.first, last_day=days.last):
        if table is None or _place(meter.account)[0] == table:
            sums[_place(meter.account)].add(meter)
    now = {_place(name): cents for name, cents in (await store.balances(f"credit/{prefix}")).items()}
    owed = {_place(name): -cents for name, cents in (await store.balances(f"owed/{prefix}")).items()}
    lines = [_meter_line(key, sums[key], credit=now.get(key, 0), owed=owed.get(key, 0)) for key in sorted(sums)]
    return [line for name in sorted({key[0] for key in sums}) for line in _with_total(name, lines)]


def _meter_line(key: tuple[str, int], sums: Sums, *, credit: int, owed: int) -> MeterLine:
    return MeterLine(
        table=key[0],
        seat=key[1],
        in_cents=sums.of("buy-in", "voucher-in"),
        out_cents=-sums.of("voucher-out", "hand-pay", "voucher-voided"),
        wagered_cents=-sums.of("bet"),
        won_cents=sums.of("winnings", "winnings-reversed"),
        stakes_returned_cents=sums.of("stake-returned", "stake-returned-reversed"),
        cancelled_cents=sums.of("bet-taken-back", "bet-returned"),
        bought_cents=sums["buy-in"],
        hand_paid_cents=-sums["hand-pay"],
        vouchers_in=sums.count["voucher-in"],
        vouchers_in_cents=sums["voucher-in"],
        vouchers_out=sums.count["voucher-out"] - sums.count["voucher-voided"],
        vouchers_out_cents=-sums.of("voucher-out", "voucher-voided"),
        owed_cents=owed,
        credit_now_cents=credit,
    )


def _with_total(table: str, lines: Iterable[MeterLine]) -> list[MeterLine]:
    own = [line for line in lines if line.table == table]
    sums = {
        name: sum(getattr(line, name) for line in own)
        for name in MeterLine.__struct_fields__
        if name not in ("table", "seat")
    }
    return [*own, MeterLine(table=table, seat=0, **sums)]


async def voucher_report(store: Store, *, at_ms: int, table: str | None = None) -> list[VoucherLine]:
    """Those that are out, oldest first."""
    day_ms = 24 * 60 * 60 * 1000
    stored = (await store.documents("voucher/")).values()
    vouchers = sorted(
        (json.decode(one, type=Voucher) for one in stored), key=lambda one: (one.issued_at_ms, one.number)
    )
    return [
        VoucherLine(
            number=one.number,
            table=one.table,
            seat=one.seat,
            cents=one.cents,
            issued_at_ms=one.issued_at_ms,
            age_days=max(0, at_ms - one.issued_at_ms) // day_ms,
            expires_at_ms=one.expires_at_ms,
            expired=at_ms >= one.expires_at_ms,
        )
        for one in vouchers
        if table is None or one.table == table
    ]


async def desk_report(store: Store, days: Days, *, desk: str | None = None) -> list[DeskLine]:
    meters: defaultdict[tuple[str, str], Sums] = defaultdict(Sums)
    for meter in await store.meters(f"desk/{desk or ''}", first_day=days.first, last_day=days.last):
        whose = meter.account.partition("/")[2]
        if desk is None or whose == desk:
            meters[meter.day, whose].add(meter)
    balances = await store.balances("desk/")
    return [
        DeskLine(
            desk=whose,
            day=day,
            taken_in_cents=-sums["buy-in"],
            taken_in_count=sums.count["buy-in"],
            hand_paid_cents=sums["hand-pay"],
            vouchers_paid_cents=sums["voucher-paid"],
            paid_out_count=sums.count["hand-pay"] + sums.count["voucher-paid"],
            drawer_now_cents=-balances.get(f"desk/{whose}", 0),
        )
        for (day, whose), sums in sorted(meters.items())
    ]


async def transaction_report(
    store: Store, *, account: str | None = None, after: int = 0, limit: int = 1000
) -> list[TransactionLine]:
    return [
        TransactionLine(number=one.number, entry=one.seq, at_ms=one.at_ms, day=one.day, **one.transfer._asdict())
        for one in await store.transfers(account=account, after=after, limit=limit)
    ]


async def last_transactions(store: Store, account: str, count: int) -> list[TransactionLine]:
    """Newest first. The store reads forwards, so we look back in ever longer strides until there are enough."""
    last, stride = (await store.head()).transfers, 1_000
    while True:
        first = max(0, last - stride)
        lines = await transaction_report(store, account=account, after=first, limit=stride)
        if len(lines) >= count or first == 0:
            return lines[::-1][:count]
        stride *= 8
