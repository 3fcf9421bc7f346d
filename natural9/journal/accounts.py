"""The names of the accounts that a venue's money lies in. Every transfer is between two of them.

credit/3-7    a terminal's credit: table 3, seat 7
stake/3       bets at stake at table 3
house/3       the house's bank at table 3: below zero, the house has paid out more than it took
voucher/3-7-1 one voucher, until it is redeemed
desk/anna     a cashier's drawer, seen from the floor: below zero by the cash that was taken in
owed/3-7      what a correction could not take back: below zero by what the player owes

Only house, desk and owed may fall below zero (store.contract.FLOATING).
"""


def terminal_id(table: str, seat: int) -> str:
    return f"{table}-{seat}"


def credit_account(table: str, seat: int) -> str:
    return f"credit/{table}-{seat}"


def owed_account(table: str, seat: int) -> str:
    return f"owed/{table}-{seat}"


def stake_account(table: str) -> str:
    return f"stake/{table}"


def house_account(table: str) -> str:
    return f"house/{table}"


def voucher_account(number: str) -> str:
    return f"voucher/{number}"


def desk_account(person: str) -> str:
    return f"desk/{person}"
