"""Every transfer of money, numbered without gaps."""

from collections.abc import AsyncIterator
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal.accounts import TransferKind
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import Filter, FilterKind, LimitFilter, TableFilter, before_column
from natural9.server.reports.report import Report
from natural9.store.contract import NumberedTransfer, Store

STRIDE: Final = 1_000
LONGEST_STRIDE: Final = 50_000


class TransactionLine(Struct, frozen=True, kw_only=True):
    """Numbered without gaps from the first cent."""

    number: int
    entry: SheetOnly[int]
    at_ms: int
    day: str
    kind: TransferKind
    source: Annotated[str, ColumnHint(title="From")]
    target: Annotated[str, ColumnHint(title="To")]
    cents: int


async def transaction_report(
    store: Store,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    account: Annotated[str | None, Filter(FilterKind.TEXT, "Account", "As credit/3-7.", longest=100)] = None,
    before: Annotated[int | None, before_column("number")] = None,
    after: Annotated[
        int | None,
        Filter(FilterKind.COUNT, "After", "Oldest first, going on after this transaction.", least=0, most=2**53),
    ] = None,
    limit: LimitFilter = 1000,
) -> list[TransactionLine]:
    """Newest first; after a number, those that followed it."""
    ordered = _newest_first(store, account, before) if after is None else _following(store, account, after)
    lines: list[TransactionLine] = []
    outside = 0
    async for one in ordered:
        if (before is None or one.number < before) and days.hold(one.day) and (table is None or _concerns(one, table)):
            lines.append(_line(one))
        passed = one.day < days.first if after is None else one.day > days.last
        outside = outside + 1 if passed else 0
        if len(lines) >= limit or outside >= STRIDE:  # a day may start otherwise by now: one other ends nothing
            break
    return lines


async def _newest_first(store: Store, account: str | None, before: int | None) -> AsyncIterator[NumberedTransfer]:
    """The store reads forwards, so we look back in ever longer strides."""
    last, stride = (await store.head()).transfers, STRIDE
    if before is not None:
        last = min(last, before - 1)
    while last > 0:
        first = max(0, last - stride)
        for one in reversed(await store.transfers(account=account, after=first, limit=stride)):
            if one.number <= last:
                yield one
        last, stride = first, min(stride * 8, LONGEST_STRIDE)


async def _following(store: Store, account: str | None, after: int) -> AsyncIterator[NumberedTransfer]:
    while page := await store.transfers(account=account, after=after, limit=STRIDE):
        for one in page:
            yield one
        after = page[-1].number


def _concerns(one: NumberedTransfer, table: str) -> bool:
    accounts = (one.transfer.source.partition("/")[2], one.transfer.target.partition("/")[2])
    return any(name == table or name.rpartition("-")[0] == table for name in accounts)


def _line(one: NumberedTransfer) -> TransactionLine:
    return TransactionLine(number=one.number, entry=one.seq, at_ms=one.at_ms, day=one.day, **one.transfer._asdict())


TRANSACTIONS: Final = Report(
    name="transactions",
    title="Transactions",
    says="Every transfer of money, numbered without gaps: requirement 42. Newest first, or on from a number.",
    permission=Action.SEE_MONEY,
    row=TransactionLine,
    make=transaction_report,
)
