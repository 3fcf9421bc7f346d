"""Refusals: a command that may not be carried out is answered by a value, never by an exception."""

from dataclasses import dataclass
from enum import StrEnum

from natural9.core.errors import BadInput, sentence
from natural9.core.saying import Said, say
from natural9.core.staff import Rank, Staff


class Code(StrEnum):
    """Why, for programs. Codes are permanent: a terminal may switch on them."""

    NO_SHOE = "no-shoe"
    SHOE_SPENT = "shoe-spent"
    ROUND_OPEN = "round-open"
    BAD_ROUND_NUMBER = "bad-round-number"
    BAD_TERMS = "bad-terms"
    BETTING_NOT_OPEN = "betting-not-open"
    NO_MORE_BETS = "no-more-bets"
    WAGER_NOT_OFFERED = "wager-not-offered"
    BAD_SEAT = "bad-seat"
    BAD_STAKE = "bad-stake"
    OUTSIDE_LIMITS = "outside-limits"
    BET_EXISTS = "bet-exists"
    NO_SUCH_BET = "no-such-bet"
    BETTING_STILL_OPEN = "betting-still-open"
    NO_CARD_DUE = "no-card-due"
    BAD_CARD = "bad-card"
    CARD_TOO_MANY = "card-too-many"
    NOT_THE_NEXT_CARD = "not-the-next-card"
    INSURANCE_FIRST = "insurance-first"
    NO_INSURANCE = "no-insurance"
    INSURANCE_CLOSED = "insurance-closed"
    INSURANCE_OVER_CAP = "insurance-over-cap"
    INSURANCE_WITHOUT_BET = "insurance-without-bet"
    NOT_COMPLETE = "not-complete"
    RESULT_DIFFERS = "result-differs"
    NOT_DECLARED = "not-declared"
    ALREADY_DONE = "already-done"
    IRREGULARITY_PENDING = "irregularity-pending"
    NO_IRREGULARITY = "no-irregularity"
    REASON_NEEDED = "reason-needed"
    BURN_FIRST = "burn-first"
    NOTHING_TO_BURN = "nothing-to-burn"
    NO_SUCH_ROUND = "no-such-round"
    NOTHING_HELD = "nothing-held"
    ROUND_CONCLUDED = "round-concluded"
    NO_ROUND = "no-round"
    NO_EARLIER_ROUND = "no-earlier-round"
    BAD_REPORT = "bad-report"
    REMEDY_NOT_ALLOWED = "remedy-not-allowed"
    RANK_TOO_LOW = "rank-too-low"
    BAD_CORRECTION = "bad-correction"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The code, a sentence for the person, and the paragraph that it follows from, if any does.

    The round's codes are `Code`; whatever is built around the round has permanent codes of its own.
    """

    code: StrEnum
    message: Said
    paragraph: str = ""

    def __str__(self) -> str:
        return self.message

    @staticmethod
    def of(code: StrEnum, error: BadInput) -> "Refusal":
        """A refusal from bad input, as a sentence."""
        return Refusal(code, sentence(error.message), error.paragraph)


def rank_too_low(by: Staff, rank: Rank, to_do: Said, paragraph: str) -> Refusal | None:
    """Whoever ranks higher may do it too: mbs 6.2, rws-nc 1.12."""
    if by.rank >= rank:
        return None
    why = say(
        "{who} ({own}) may not {do}: it takes a {rank} or above",
        who=by.id or say("the program"),
        own=by.rank.title,
        do=to_do,
        rank=rank.title,
    )
    return Refusal(Code.RANK_TOO_LOW, why, paragraph)
