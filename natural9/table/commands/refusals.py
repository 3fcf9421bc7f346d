"""Why a live table refuses, for programs: permanent codes beside those of the round itself."""

from enum import StrEnum

from natural9.core.money import show_cents
from natural9.core.round import Refusal


class Code(StrEnum):
    NOT_ENOUGH_CREDIT = "not-enough-credit"
    OVER_SEAT_LIMIT = "over-seat-limit"
    UNDER_SEAT_LIMIT = "under-seat-limit"
    OVER_TABLE_LIMIT = "over-table-limit"
    OTHER_ROUND = "other-round"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REPEAT = "nothing-to-repeat"
    TERMINAL_LOCKED = "terminal-locked"
    TABLE_NOT_OPEN = "table-not-open"
    TABLE_OPEN = "table-open"
    TABLE_IN_PLAY = "table-in-play"
    FAULT = "fault"
    NO_SUCH_FAULT = "no-such-fault"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SUCH_ROUND = "no-such-round"
    NO_SUCH_VOUCHER = "no-such-voucher"
    VOUCHER_REDEEMED = "voucher-redeemed"
    VOUCHER_EXPIRED = "voucher-expired"
    BAD_AMOUNT = "bad-amount"
    NEW_SHOE_REQUIRED = "new-shoe-required"
    SHOE_NOT_SPENT = "shoe-not-spent"
    BAD_CARD = "bad-card"
    BAD_LIMITS = "bad-limits"
    REQUEST_REUSED = "request-reused"
    TOO_BUSY = "too-busy"
    STOPPED = "stopped"
    NOT_A_TERMINAL = "not-a-terminal"
    NOT_STAFF = "not-staff"


def not_enough_credit(credit: int, wanted: int) -> Refusal:
    short = show_cents(wanted - credit)
    why = f"Your credit is {show_cents(credit)}, and this takes {show_cents(wanted)}: {short} short"
    return Refusal(Code.NOT_ENOUGH_CREDIT, why)
