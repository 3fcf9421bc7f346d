"""The names of the accounts that a venue's money lies in. Every transfer is between two of them.

credit/3-7    a terminal's credit: table 3, seat 7
stake/3       bets at stake at table 3
house/3       the house's bank at table 3: below zero, the house has paid out more than it took
voucher/3-7-1 one voucher, until it is redeemed
desk/anna     a cashier's drawer, seen from the floor: below zero by the cash that was taken in
owed/3-7      what a correction could not take back: below zero by what the player owes
vault/main    the vault, seen from the floor: above zero by the cash that it gave to drawers
desk/box:3-7:2 the second cash box of the bill acceptor there, as a drawer is seen: below zero by the bills in it
transit/5-10001 on its way between a terminal and its seat as a visitor: table 5, seat 10001
short/anna    a cashier's counts: below zero by what was missing, above by what was too much

Only house, desk, owed, vault and short may fall below zero (store.contract.FLOATING).
"""

import re
from enum import StrEnum
from typing import Final, NamedTuple

from natural9.core.saying import Said, say

DESKS: Final = "desk/"  # how the names of all drawers start
BOXES: Final = "box:"  # and, behind it, those of cash boxes: no person is called so


class TransferKind(StrEnum):
    """Why money moves. These words stand in the journal for ever."""

    BET = "bet"
    BET_TAKEN_BACK = "bet-taken-back"  # by the player, while betting is open
    BET_RETURNED = "bet-returned"  # by a void
    STAKE_LOST = "stake-lost"
    STAKE_RETURNED = "stake-returned"
    WINNINGS = "winnings"
    STAKE_LOST_REVERSED = "stake-lost-reversed"  # a settlement was corrected
    STAKE_RETURNED_REVERSED = "stake-returned-reversed"
    WINNINGS_REVERSED = "winnings-reversed"
    BET_RESTORED = "bet-restored"  # taken away after the call, and put back
    RULING = "ruling"  # the manager's, on a single bet
    OWED = "owed"
    OWED_REPAID = "owed-repaid"
    BUY_IN = "buy-in"
    HAND_PAY = "hand-pay"
    VOUCHER_OUT = "voucher-out"
    VOUCHER_IN = "voucher-in"
    VOUCHER_VOIDED = "voucher-voided"
    VOUCHER_PAID = "voucher-paid"
    CREDIT_SENT = "credit-sent"  # to another table
    CREDIT_RECEIVED = "credit-received"  # from one
    DRAWER_FLOAT = "drawer-float"  # out of the vault
    DRAWER_FILL = "drawer-fill"
    DRAWER_RETURN = "drawer-return"  # back to it
    DRAWER_CLOSED = "drawer-closed"  # all that must lie in it
    DRAWER_SHORT = "drawer-short"  # and did not
    DRAWER_OVER = "drawer-over"  # or more


def terminal_id(table: str, seat: int) -> str:
    return f"{table}-{seat}"


def credit_account(table: str, seat: int) -> str:
    return f"credit/{table}-{seat}"


def owed_account(table: str, seat: int) -> str:
    return f"owed/{table}-{seat}"


def transit_account(table: str, seat: int) -> str:
    """Of a visitor's seat at the table that is visited, both ways."""
    return f"transit/{table}-{seat}"


def stake_account(table: str) -> str:
    return f"stake/{table}"


def house_account(table: str) -> str:
    return f"house/{table}"


def voucher_account(number: str) -> str:
    return f"voucher/{number}"


def desk_account(person: str) -> str:
    return f"{DESKS}{person}"


class CashBox(NamedTuple):
    """Into which a bill acceptor puts its bills. It is a drawer of the venue that nobody sits at."""

    table: str
    seat: int
    number: int  # while one is counted, another takes its place

    @property
    def desk(self) -> str:
        return f"{boxes_at(self.table, self.seat)}{self.number}"

    @property
    def words(self) -> Said:
        return say(
            "cash box {number} of table {table}, seat {seat}", number=self.number, table=self.table, seat=self.seat
        )


def boxes_at(table: str, seat: int) -> str:
    """How the names of all boxes of one acceptor start."""
    return f"{BOXES}{terminal_id(table, seat)}:"


def cash_box(desk: str) -> CashBox | None:
    """The cash box of this name, if it is one's.

    >>> cash_box("box:vip-2-7:1"), cash_box("cass")
    (CashBox(table='vip-2', seat=7, number=1), None)
    """
    match = _BOX.fullmatch(desk)
    return CashBox(match[1], int(match[2]), int(match[3])) if match else None


_BOX: Final = re.compile(rf"{BOXES}([a-z0-9-]+)-([1-9][0-9]*):([1-9][0-9]*)")
VAULT: Final = "vault/main"


def short_account(person: str) -> str:
    return f"short/{person}"


def place_of(account: str) -> tuple[str, int]:
    """The table and seat of a terminal's account; a table's own name may hold dashes.

    >>> place_of("credit/vip-2-7")
    ('vip-2', 7)
    """
    table, _, seat = account.partition("/")[2].rpartition("-")
    return table, int(seat)
