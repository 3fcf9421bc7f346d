"""The meters of each terminal and of each table."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal.accounts import TransferKind, place_of
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly, WideOnly
from natural9.server.reports.days import Days
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.server.reports.sums import Sums
from natural9.store.contract import Store


class MeterLine(Struct, frozen=True, kw_only=True):
    """What went through one terminal, or through all of a table's (`seat` 0)."""

    table: str
    seat: int
    in_cents: int  # credit bought and vouchers inserted
    out_cents: int  # vouchers issued and paid by hand
    wagered_cents: int
    won_cents: int  # winnings, without the stakes that came back with them
    stakes_returned_cents: WideOnly[int]
    cancelled_cents: WideOnly[int]  # bets taken back while betting was open, and returned by a void
    moved_cents: Annotated[int, ColumnHint(title="From other tables", wide=True)]  # less what went to them
    bought_cents: SheetOnly[int]
    hand_paid_cents: Annotated[int, ColumnHint(title="Paid by hand", wide=True)]
    vouchers_in: SheetOnly[int]
    vouchers_in_cents: WideOnly[int]
    vouchers_out: SheetOnly[int]
    vouchers_out_cents: WideOnly[int]
    owed_cents: int  # what corrections could not take back
    credit_now_cents: int


async def meter_report(store: Store, days: Days, *, table: TableFilter = None) -> list[MeterLine]:
    """Each terminal's meters, and after those of a table their sum."""
    prefix = f"{table}-" if table else ""
    sums: defaultdict[tuple[str, int], Sums] = defaultdict(Sums)
    for meter in await store.meters(f"credit/{prefix}", first_day=days.first, last_day=days.last):
        if table is None or place_of(meter.account)[0] == table:
            sums[place_of(meter.account)].add(meter)
    now = {place_of(name): cents for name, cents in (await store.balances(f"credit/{prefix}")).items()}
    owed = {place_of(name): -cents for name, cents in (await store.balances(f"owed/{prefix}")).items()}
    lines = [_meter_line(key, sums[key], credit=now.get(key, 0), owed=owed.get(key, 0)) for key in sorted(sums)]
    return [line for name in sorted({key[0] for key in sums}) for line in _with_total(name, lines)]


def _meter_line(key: tuple[str, int], sums: Sums, *, credit: int, owed: int) -> MeterLine:
    return MeterLine(
        table=key[0],
        seat=key[1],
        in_cents=sums.of(TransferKind.BUY_IN, TransferKind.VOUCHER_IN),
        out_cents=-sums.of(TransferKind.VOUCHER_OUT, TransferKind.HAND_PAY, TransferKind.VOUCHER_VOIDED),
        wagered_cents=-sums.of(TransferKind.BET, TransferKind.BET_RESTORED),
        won_cents=sums.of(TransferKind.WINNINGS, TransferKind.WINNINGS_REVERSED, TransferKind.RULING),
        stakes_returned_cents=sums.of(TransferKind.STAKE_RETURNED, TransferKind.STAKE_RETURNED_REVERSED),
        cancelled_cents=sums.of(TransferKind.BET_TAKEN_BACK, TransferKind.BET_RETURNED),
        moved_cents=sums.of(TransferKind.CREDIT_RECEIVED, TransferKind.CREDIT_SENT),
        bought_cents=sums[TransferKind.BUY_IN],
        hand_paid_cents=-sums[TransferKind.HAND_PAY],
        vouchers_in=sums.count[TransferKind.VOUCHER_IN],
        vouchers_in_cents=sums[TransferKind.VOUCHER_IN],
        vouchers_out=sums.count[TransferKind.VOUCHER_OUT] - sums.count[TransferKind.VOUCHER_VOIDED],
        vouchers_out_cents=-sums.of(TransferKind.VOUCHER_OUT, TransferKind.VOUCHER_VOIDED),
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


METERS: Final = Report(
    name="meters",
    title="Meters",
    says="The meters of every terminal, and of each table (seat 0): requirement 41.",
    permission=Action.SEE_MONEY,
    row=MeterLine,
    make=meter_report,
)
