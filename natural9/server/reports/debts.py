"""Who owes what: a correction took back more than the terminal still had."""

from typing import Final

from msgspec import Struct

from natural9.journal.accounts import credit_account, place_of
from natural9.server.people.permissions import Action
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.store.contract import Store


class DebtLine(Struct, frozen=True, kw_only=True):
    """A terminal that owes; what comes to its credit next pays it off."""

    table: str
    seat: int
    owed_cents: int
    credit_now_cents: int


async def debt_report(store: Store, *, table: TableFilter = None) -> list[DebtLine]:
    credit = await store.balances("credit/")
    owed = {place_of(account): -cents for account, cents in (await store.balances("owed/")).items()}
    return [
        DebtLine(table=of, seat=seat, owed_cents=cents, credit_now_cents=credit.get(credit_account(of, seat), 0))
        for (of, seat), cents in sorted(owed.items())
        if cents and table in (None, of)
    ]


DEBTS: Final = Report(
    name="debts",
    title="Debts",
    says="Which terminals owe what a correction could not take back.",
    permission=Action.SEE_MONEY,
    row=DebtLine,
    make=debt_report,
    adds_up=True,
)
