"""Bill acceptors: a device that is told to keep a bill or a voucher has become credit for it, durably, once and by its
amount; what it is told to give back never does."""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple

from natural9.torture.seen import Violation

LINE: Final = re.compile(
    rb"(?:BILL (?P<dollars>\d+)\.(?P<cents>\d\d) \w+|TICKET natural9:(?P<number>\S+):(?P<code>\S+)) (?P<id>\S+)"
)
TOLD: Final = re.compile(rb"(?P<word>STACK|RETURN) (?P<id>\S+)")


class Credited(NamedTuple):
    """By the journal."""

    stream: str
    number: int
    kind: str
    cents: int
    at: str  # the terminal, as "t1-3"


class AcceptorTold(NamedTuple):
    word: str
    who: str
    at_ms: int
    durable: int  # so many entries of its table were on the disk


class BillJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self._wrong = wrong
        self._bills: dict[str, int] = {}  # cents, by id
        self.tickets: dict[str, tuple[str, str]] = {}  # number and code
        self._answers: defaultdict[str, list[AcceptorTold]] = defaultdict(list)

    def inserted(self, line: bytes) -> None:
        if match := LINE.fullmatch(line):
            id = match["id"].decode()
            if match["dollars"]:
                self._bills[id] = 100 * int(match["dollars"]) + int(match["cents"])
            else:
                self.tickets[id] = (match["number"].decode(), match["code"].decode())

    def told(self, line: bytes, who: str, at_ms: int, durable: int) -> str:
        """The id of what is to be kept; "" of all else."""
        match = TOLD.match(line)
        if match is None:
            return ""
        id, word = match["id"].decode(), match["word"].decode()
        self._answers[id].append(AcceptorTold(word, who, at_ms, durable))
        return id if word == "STACK" else ""

    def judge(self, by_journal: dict[str, list[Credited]]) -> None:
        for id, answers in self._answers.items():
            credited = by_journal.get(id, [])
            for one in answers:
                if one.word == "RETURN" and credited:
                    self._say("bill given back and credited", f"{id} is {credited[0]}", one)
                elif one.word == "STACK" and not credited:
                    self._say("bill kept for nothing", f"{id} was kept, and is no credit", one)
                elif one.word == "STACK" and credited[0].number > one.durable:
                    words = f"{id} is entry {credited[0].number}, and {one.durable} are on the disk"
                    self._say("acknowledged before durable", words, one)
        for id, credited in by_journal.items():
            first = credited[0]
            if len(credited) > 1 or first.cents != self._bills.get(id, first.cents):
                words = f"{id} of {self._bills.get(id)} cents is {credited}"
                self._say("bill credited otherwise", words, AcceptorTold("", f"acceptor {first.at}", 0, 0))

    def _say(self, kind: str, words: str, at: AcceptorTold) -> None:
        self._wrong(Violation(kind, words, at.at_ms, at.who))
