"""A voucher is money for whoever holds its code: paid once, worth what it says, and not refused while it is good."""

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from natural9.torture.seen import Violation

NOT_GOOD: Final = frozenset({"no-such-voucher", "voucher-redeemed", "voucher-expired"})


def _letters(code: str) -> str:
    """As somebody reads it from paper."""
    return code.upper().translate(str.maketrans("OIL", "011", "- "))


class VoucherJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self.wrong = wrong
        self._told: dict[str, tuple[str, int, str]] = {}  # by number: code, cents, to whom
        self._cashed: defaultdict[str, set[str]] = defaultdict(set)  # by number: requests that were told it is paid
        self._refused: list[tuple[str, str, str, int]] = []  # number, code, who, when
        self._voided: dict[str, tuple[str, int]] = {}  # who was told that it is void, and when
        self.issued: dict[str, int] = {}  # by the journal: cents
        self.back: set[str] = set()  # redeemed, or voided

    def printed(self, number: str, code: str, cents: int, who: str, at_ms: int) -> None:
        told = self._told.setdefault(number, (code, cents, who))
        if told[:2] != (code, cents):
            words = f"voucher {number} of {told[1]} cents is told again as {cents}, or with another code"
            self.wrong(Violation("another voucher than told", words, at_ms, who))

    def paid(self, number: str, code: str, cents: int, request: str, who: str, at_ms: int) -> None:
        """In cash at a desk, or as credit at a terminal."""
        if number in self._told and _letters(code) != _letters(self._told[number][0]):
            words = f"voucher {number} was paid to somebody with the code {code!r}"
            self.wrong(Violation("voucher paid for another code", words, at_ms, who))
        self._cashed[number].add(request)
        if len(self._cashed[number]) > 1:
            words = f"voucher {number}, by requests {', '.join(sorted(self._cashed[number]))}"
            self.wrong(Violation("voucher paid twice", words, at_ms, who))
        told = self._told.get(number)
        if told and cents and told[1] != cents:
            words = f"voucher {number} of {told[1]} cents is paid as {cents}"
            self.wrong(Violation("another voucher than told", words, at_ms, who))

    def voided(self, number: str, who: str, at_ms: int) -> None:
        """Out of circulation."""
        self._voided.setdefault(number, (who, at_ms))

    def refused(self, number: str, code: str, why: str, who: str, at_ms: int) -> None:
        if why in NOT_GOOD:
            self._refused.append((number, code, who, at_ms))

    def judge(self) -> None:
        for number, (_, cents, who) in self._told.items():
            if self.issued.get(number) != cents:
                words = f"voucher {number} of {cents} cents was printed, and the journal has {self.issued.get(number)}"
                self.wrong(Violation("another voucher than told", words, 0, who))
        for number, (who, at_ms) in self._voided.items():
            if paid := self._cashed.get(number):
                words = f"voucher {number} is void, and was paid by requests {', '.join(sorted(paid))}"
                self.wrong(Violation("voided voucher paid", words, at_ms, who))
        for number, code, who, at_ms in self._refused:
            told = self._told.get(number)
            if told and told[0] == code and number not in self.back:
                words = f"voucher {number} of {told[1]} cents is out, and was refused with its own code"
                self.wrong(Violation("good voucher refused", words, at_ms, who))
