"""What a terminal asks next: mostly bets, and everything else that it may ask, some of it refused on purpose."""

import random
from collections.abc import Callable
from itertools import count
from typing import Protocol

from tests.outside.books import Ask, Books, Message
from tests.outside.venue import MOST_CENTS, WAGERS

WEIGHTS = {
    "bet": 70,
    "cash-out": 8,
    "insert-voucher": 8,
    "take-back": 4,
    "undo": 4,
    "re-bet": 3,
    "double": 2,
    "clear": 1,
}
FAVOURED = 8  # times as often
# Ids are the sender's to make, as it likes.
IDS: tuple[Callable[[int], str], ...] = (
    str,
    str,
    "{:064}".format,
    "tap {} of many".format,
    "筹码 {}".format,
    '"{}\\'.format,
    "\0{}\n".format,
    "🂡/{}".format,
    "terminal/a-1 {}".format,
)


class Seated(Protocol):
    """Where a terminal stands."""

    books: Books
    view: Message
    you: Message


class Maker:
    def __init__(self, terminal: Seated, chance: random.Random) -> None:
        self._terminal, self._chance, self._count = terminal, chance, count(1)

    def id(self) -> str:
        return self._chance.choice(IDS)(next(self._count))

    def content(self, favours: str = "") -> Message:
        weights = [weight * (FAVOURED if kind == favours else 1) for kind, weight in WEIGHTS.items()]
        kind = self._chance.choices(list(WEIGHTS), weights)[0]
        if kind == "cash-out":
            return self._cash_out()
        if kind == "insert-voucher" and self._terminal.books.vouchers:
            return self._insert()
        message: Message = {"type": kind, "round": self._round()}
        if kind == "take-back":
            message["wager"] = self._chance.choice(WAGERS)
        return self._bet() if kind in ("bet", "insert-voucher") else message

    def _round(self) -> int:
        """Now and then a bet comes too late."""
        return max(0, int(self._terminal.view.get("round", 0)) - (self._chance.random() < 0.03))

    def _bet(self) -> Message:
        wager = self._chance.choice(WAGERS) if self._chance.random() < 0.98 else "no-such-wager"
        cents = 100 * self._chance.randrange(1, 20) if self._chance.random() < 0.98 else MOST_CENTS + 100
        return {"type": "bet", "round": self._round(), "wager": wager, "cents": cents}

    def _cash_out(self) -> Message:
        message: Message = {"type": "cash-out", "cents": 100 * self._chance.randrange(1, 30)}
        if self._chance.random() < 0.2:
            message["vouchers"] = self._terminal.you.get("vouchers", 0)
        return message

    def _insert(self) -> Message:
        """Sometimes one that another may put in as well: the second is refused."""
        vouchers = self._terminal.books.vouchers
        voucher = self._chance.choice(vouchers)
        if self._chance.random() < 0.7:
            vouchers.remove(voucher)
        return {"type": "insert-voucher", "number": voucher.number, "code": voucher.code}


def other_content(ask: Ask) -> Message:
    """Something else that would be done, were the id a new one: a tap about the same round, or money about none."""
    named, cents = ask.content.get("round"), ask.content.get("cents", 0) % 1000 + 100
    if named is None:
        return {"type": "cash-out", "cents": cents}
    return {"type": "bet", "round": named, "wager": "player", "cents": cents}
