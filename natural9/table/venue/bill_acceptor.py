"""Where the bill acceptors are: one address for all terminals, in which the table and the seat stand."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from natural9.core.errors import BadInput
from natural9.games.source import Source
from natural9.table.devices.line import Serial, Tcp, parse_address
from natural9.table.venue.cash import amount_of_cash
from natural9.table.venue.file import BillAcceptorSection

BAD: Final = "bad-acceptor"


@dataclass(frozen=True, kw_only=True)
class BillAcceptorSettings:
    address: str  # {table} and {seat} in it stand for the terminal's
    tables: frozenset[str]  # that have them
    most_credit_cents: int  # up to which bills are taken

    def at(self, table: str, seat: int) -> Tcp | Serial:
        address = self.address.replace("{table}", table).replace("{seat}", str(seat))
        return parse_address(address, BAD, "where a bill acceptor is")


def read_bill_acceptor(
    source: Source, section: BillAcceptorSection, tables: Collection[str]
) -> BillAcceptorSettings | None:
    """None where no terminal has one."""
    if not section.address:
        return None
    for table in section.at_tables:
        if table not in tables:
            source.refuse(
                "$.bill_acceptor.at_tables", f"there is no table {table!r} in this file: there are {', '.join(tables)}"
            )
    having = frozenset(section.at_tables or tables)
    most_cents = source.parse("$.bill_acceptor.most_credit", amount_of_cash, section.most_credit)
    settings = BillAcceptorSettings(address=section.address, tables=having, most_credit_cents=most_cents)

    def check(address: str) -> None:
        missing = [name for name in ("{seat}", "{table}") if name not in address]
        if "{seat}" in missing or ("{table}" in missing and len(having) > 1):
            why = f"two terminals would have one acceptor at {address!r}: write {' and '.join(missing)} in it"
            raise BadInput(BAD, why)
        settings.at("t", 1)

    source.parse("$.bill_acceptor.address", check, section.address)
    return settings
