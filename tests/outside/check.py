"""The books held against the journal: nothing lost, nothing twice, nothing told as refused that is there."""

from collections.abc import Iterable
from typing import NamedTuple

from tests.outside.books import Ask, Books, Message, Verdict
from tests.outside.journal import Done, Journal, Shown, adjacent

NOTHING = Done()
# What a request leads to: one event of this kind. The others may lead to several.
LEADS_TO = {
    "bet": "bet-placed",
    "cash-out": "voucher-issued",
    "insert-voucher": "voucher-inserted",
    "credit-terminal": "credit-bought",
    "hand-pay": "hand-paid",
    "pay-voucher": "voucher-paid",
}


class Known(NamedTuple):
    """What had been answered and shown, all of which the journal holds from then on."""

    decided: set[Ask]
    shown: dict[str, list[Shown]]


class Auditor:
    """Follows the journal, and tells the books what is wrong. `known`, then the journal is read on, then `hold`: so
    whatever is asked and answered meanwhile does not matter."""

    def __init__(self, books: Books, journal: Journal) -> None:
        self.books, self.journal = books, journal
        self.shown: dict[str, list[Shown]] = {}  # what each seat was shown since, in order
        self.checked = 0

    def show(self, seat: str, you: Message) -> None:
        self.shown.setdefault(seat, []).append(Shown(you["credit_cents"], you["vouchers"]))

    def known(self) -> Known:
        """Since the last time. What is not decided yet is, when it is answered, changed once more."""
        shown, self.shown = self.shown, {}
        return Known({ask for ask in self.books.take_changed() if ask.decided}, shown)

    def hold(self, known: Known) -> None:
        asks = self.books.asks
        touched = set(known.decided)
        for key in self.journal.new:
            if key in asks:
                touched.add(asks[key])
            elif key[0].startswith("terminal/"):
                self.books.wrong("done and never asked", f"{key[0]} {key[1]!r}: {self.journal.done[key]}")
        self.journal.new.clear()
        self._hold(touched)
        for seat, shown in known.shown.items():
            self._was_durable(seat, shown)

    def hold_all(self) -> None:
        """All of the books, at the end."""
        self._hold(self.books.asks.values())

    def _hold(self, asks: Iterable[Ask]) -> None:
        for ask in asks:
            self.checked += 1
            done = self.journal.done.get((ask.sender, ask.id), NOTHING)
            if problem := wrong_with(ask, done):
                self.books.wrong_with(ask, problem, f"the journal has {done}")

    def _was_durable(self, seat: str, all_shown: list[Shown]) -> None:
        """Whatever a seat was shown stands in the journal, in that order: nobody saw what could still be lost."""
        states = self.journal.seats[seat]
        at = 0
        for shown in all_shown:
            try:
                at = states.index(shown, at)
            except ValueError:
                near = states[at : at + 3]
                self.books.wrong("shown and not there", f"{seat} was shown {shown}; the journal goes on {near}")
                break
        else:
            del states[:at]  # the rest may still be shown


def wrong_with(ask: Ask, done: Done) -> str:
    """In a few words; "" if the journal has what it should of this request."""
    verdict = ask.decided.verdict if ask.decided else None
    if not done.moved:
        return "acknowledged and lost" if verdict is Verdict.DONE else ""
    if any(not same(command, ask) for command in done.commands):
        return "one id, two contents"
    if verdict is Verdict.REFUSED:
        return "told as refused, and there"
    only = LEADS_TO.get(ask.kind)
    if not adjacent(done.numbers) or len(done.commands) > 1 or (only and len(done.moved) > 1):
        return "done twice"
    if only and done.moved[0][1] != only:
        return "done otherwise than asked"
    if ask.place and done.places != {ask.place}:
        return "done elsewhere"
    return _other_amount(ask, done) if only else ""


def same(command: Message, ask: Ask) -> bool:
    """Whether the journal's copy is what was sent. It never keeps a voucher's code, and leaves out what is usual."""
    content = {**ask.content, "request": ask.id}
    if ask.kind == "pay-voucher":
        return bool(command.get("number") == content["number"])
    if "code" in content:
        content["code"] = "-"
    return {key: value for key, value in command.items() if value not in (None, "")} == content


def _other_amount(ask: Ask, done: Done) -> str:
    asked = ask.content.get("command", ask.content).get("cents")
    told = ask.decided.voucher if ask.decided else None
    if asked is not None and done.moved[0][2] != asked:
        return "another amount than asked"
    if told and (told.cents, [told.number]) != (done.moved[0][2], done.vouchers):
        return "another voucher than told"
    return ""
