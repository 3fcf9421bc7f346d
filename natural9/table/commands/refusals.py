"""Why a live table refuses, for programs: permanent codes beside those of the round itself."""

from enum import StrEnum
from typing import Final

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
    NOT_OPEN_YET = "not-open-yet"
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
    CALL_STANDS = "call-stands"
    NO_SUCH_CALL = "no-such-call"
    ALARM_TAKEN = "alarm-taken"
    NO_SUCH_ALARM = "no-such-alarm"
    TOO_MANY_WRONG_CODES = "too-many-wrong-codes"
    BAD_AMOUNT = "bad-amount"
    OVER_CEILING = "over-ceiling"
    SIGNATURE_REQUIRED = "signature-required"
    NO_TERMINAL = "no-terminal"
    DRAWER_OPEN = "drawer-open"
    DRAWER_NOT_OPEN = "drawer-not-open"
    NEW_SHOE_REQUIRED = "new-shoe-required"
    SHOE_NOT_SPENT = "shoe-not-spent"
    BAD_CARD = "bad-card"
    BAD_LIMITS = "bad-limits"
    REQUEST_REUSED = "request-reused"
    TOO_BUSY = "too-busy"
    TOO_MANY_REQUESTS = "too-many-requests"
    TOO_MANY_OUTSTANDING = "too-many-outstanding"
    NOT_A_TERMINAL = "not-a-terminal"
    NOT_STAFF = "not-staff"
    NO_SESSION = "no-session"
    SESSION_GOES_ON = "session-goes-on"
    REALITY_CHECK = "reality-check"
    PLAY_PAUSED = "play-paused"
    ON_A_BREAK = "on-a-break"
    OVER_TIME_LIMIT = "over-time-limit"
    OVER_LOSS_LIMIT = "over-loss-limit"
    OVER_STAKE_LIMIT = "over-stake-limit"
    NOTHING_TO_CONTINUE = "nothing-to-continue"
    NOT_HERE = "not-here"
    CARD_IS_IN = "card-is-in"
    NO_CARD = "no-card"
    CARDED_IN_ELSEWHERE = "carded-in-elsewhere"
    BETS_LIE = "bets-lie"
    COLLECT_FIRST = "collect-first"
    BARRED = "barred"
    NOT_JOINT = "not-joint"
    OTHER_SHOE = "other-shoe"
    BAD_NONCE = "bad-nonce"
    ALREADY_MIXED = "already-mixed"
    NOT_MIXED = "not-mixed"


# Nothing was decided: the same request may be sent again, and is then decided.
UNDECIDED: Final = frozenset(
    {
        TableCode.NOT_OPEN_YET,
        TableCode.TOO_BUSY,
        TableCode.TOO_MANY_REQUESTS,
        TableCode.TOO_MANY_OUTSTANDING,
        TableCode.TOO_MANY_WRONG_CODES,
    }
)


def too_busy() -> Refusal:
    return Refusal(TableCode.TOO_BUSY, say("The table is busy: try again"))


def not_open_yet(round: int) -> Refusal:
    return Refusal(TableCode.NOT_OPEN_YET, say("Round {round} is not open yet: nothing has changed", round=round))


def too_many_requests(most: int) -> Refusal:
    why = say("This terminal has sent {most} requests in this round: wait for the next round", most=most)
    return Refusal(TableCode.TOO_MANY_REQUESTS, why)


def too_many_late(most: int) -> Refusal:
    why = say("This terminal was too late {most} times in this round: wait until betting opens again", most=most)
    return Refusal(TableCode.TOO_MANY_REQUESTS, why)


def too_many_outstanding(most: int) -> Refusal:
    why = say("{most} requests are on their way already: wait for an answer, then send this again", most=most)
    return Refusal(TableCode.TOO_MANY_OUTSTANDING, why)


def terminal_locked(why: str) -> Refusal:
    locked = say("This terminal is locked: {why}. Please call an attendant", why=why)
    return Refusal(TableCode.TERMINAL_LOCKED, locked)


def not_enough_credit(credit: int, wanted: int) -> Refusal:
    why = say(
        "Your credit is {credit}, and this takes {wanted}: {short} short",
        credit=show_cents(credit),
        wanted=show_cents(wanted),
        short=show_cents(wanted - credit),
    )
    return Refusal(TableCode.NOT_ENOUGH_CREDIT, why)
