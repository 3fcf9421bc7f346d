"""Wrong voucher codes: a few are slips of the finger; more are told in the journal, and the next one has to wait."""

from dataclasses import dataclass, field
from math import ceil
from typing import Final, Generic, NamedTuple, TypeVar

from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.table.commands.refusals import TableCode

Who = TypeVar("Who", int, str)  # a seat of one table, or a person at the desk: there are only so many
FREE: Final = 5  # wrong codes before the door is slow; every so many, the journal is told
FIRST_WAIT_S: Final = 5
LONGEST_WAIT_S: Final = 60
FORGOTTEN_MS: Final = 10 * 60 * 1000  # after so long without a wrong one


class WrongCodes(NamedTuple):
    times: int
    at_ms: int  # the last


@dataclass(slots=True)
class VoucherDoor(Generic[Who]):
    """How many wrong codes each has entered of late. A right one forgives nothing: a guesser may own a voucher."""

    wrong_codes: dict[Who, WrongCodes] = field(default_factory=dict)

    def refusal(self, who: Who, at_ms: int) -> Refusal | None:
        """Why no code is looked at now, not even a right one."""
        wrong = self._of_late(who, at_ms)
        if wrong.times < FREE:
            return None
        wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(wrong.times - FREE, 10))
        left_ms = wrong.at_ms + 1000 * wait_s - at_ms
        if left_ms <= 0:
            return None
        why = say(
            "{times} wrong validation codes were entered here: try again in {seconds} s",
            times=wrong.times,
            seconds=ceil(left_ms / 1000),
        )
        return Refusal(TableCode.TOO_MANY_WRONG_CODES, why)

    def wrong(self, who: Who, at_ms: int) -> int:
        """Count a wrong code; how many there were, if that is to be told now, and otherwise 0."""
        times = self._of_late(who, at_ms).times + 1
        self.wrong_codes[who] = WrongCodes(times, at_ms)
        return times if times % FREE == 0 else 0

    def _of_late(self, who: Who, at_ms: int) -> WrongCodes:
        wrong = self.wrong_codes.get(who, WrongCodes(0, at_ms))
        if at_ms - wrong.at_ms >= FORGOTTEN_MS:
            return WrongCodes(0, at_ms)
        # A clock that was set back makes nobody wait longer than the longest.
        return wrong if wrong.at_ms <= at_ms else WrongCodes(wrong.times, at_ms)
