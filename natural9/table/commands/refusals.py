"""Why a live table refuses, for programs: permanent codes beside those of the round itself."""

from enum import StrEnum

from natural9.core.money import show_cents
from natural9.core.round import Refusal
from natural9.core.saying import say


class TableCode(StrEnum):
    BAD_REQUEST = "bad-request"
    NOT_ENOUGH_CREDIT = "not-enough-credit"
    OVER_SEAT_LIMIT = "over-seat-limit"
    UNDER_SEAT_LIMIT = "under-seat-limit"
    OVER_TABLE_LIMIT = "over-table-limit"
    OTHER_ROUND = "other-round"
    OTHER_VOUCHER = "other-voucher"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REPEAT = "nothing-to-repeat"
    TERMINAL_LOCKED = "terminal-locked"
    TABLE_NOT_OPEN = "table-not-open"
    TABLE_OPEN = "table-open"
    TABLE_IN_PLAY = "table-in-play"
    DEALER_SIGNED_ON = "dealer-signed-on"
    DEALER_NOT_SIGNED_ON = "dealer-not-signed-on"
    FAULT = "fault"
    OTHER_RULES = "other-rules"
    NO_SUCH_FAULT = "no-such-fault"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SUCH_ROUND = "no-such-round"
    NO_SUCH_VOUCHER = "no-such-voucher"
    VOUCHER_REDEEMED = "voucher-redeemed"
    VOUCHER_EXPIRED = "voucher-expired"
    TOO_MANY_WRONG_CODES = "too-many-wrong-codes"
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
    why = say(
        "Your credit is {credit}, and this takes {wanted}: {short} short",
        credit=show_cents(credit),
        wanted=show_cents(wanted),
        short=show_cents(wanted - credit),
    )
    return Refusal(TableCode.NOT_ENOUGH_CREDIT, why)
