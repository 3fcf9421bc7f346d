"""What was asked, how often, in which life of the server, and what was answered: the books that the journal must match.

A request is *decided* by the first answer that says it was done or refused. Every later answer must agree. "Unknown",
an answer that may be asked for again, and silence decide nothing.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

Message = dict[str, Any]
STEPS_TOLD = 40  # of the story, when something is wrong


class Verdict(StrEnum):
    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    AGAIN = "again"  # no decision: the same request may be sent again


class Voucher(NamedTuple):
    number: str
    code: str
    cents: int


class Answer(NamedTuple):
    verdict: Verdict
    code: str = ""  # of a refusal
    voucher: Voucher | None = None  # that a cash-out brought

    @property
    def decides(self) -> bool:
        return self.verdict in (Verdict.DONE, Verdict.REFUSED)

    def __str__(self) -> str:
        return " ".join(filter(None, (self.verdict, self.code, self.voucher.number if self.voucher else "")))


@dataclass(eq=False)
class Ask:
    """One request of one sender, however often it was sent."""

    sender: str  # "terminal/a-1", "staff/cass"
    id: str
    content: Message  # as it is sent, without its id
    place: str  # the table that it is for; "" outside any
    sent: list[int] = field(default_factory=list)  # in which lives of the server, once for each time
    decided: Answer | None = None
    undecided: int = 0  # how often the answer was no decision

    @property
    def kind(self) -> str:
        return str(self.content.get("type") or self.content["command"]["type"])

    def __str__(self) -> str:
        answer = self.decided or ("undecided" if self.undecided else "unanswered")
        return f"{self.sender} {self.id!r} {self.content} sent in lives {self.sent}, {answer}"


class Violation(NamedTuple):
    kind: str  # a few words, to be counted by
    what: str
    life: int


class Books:
    def __init__(self) -> None:
        self.asks: dict[tuple[str, str], Ask] = {}
        self.vouchers: list[Voucher] = []  # printed and, as far as is known, worth money
        self.violations: list[Violation] = []
        self.life = 0
        self.steps: deque[str] = deque(maxlen=STEPS_TOLD)
        self._first_steps: list[str] = []  # that led to the first violation
        self._known: set[tuple[str, str, str]] = set()  # what is wrong with which request is told once
        self.counts: Counter[str] = Counter()
        self.changed: set[Ask] = set()  # since the journal was last held against them
        self.most_in_flight = 0
        self._undecided: dict[str, dict[str, Ask]] = {}
        self._decided: dict[str, list[Ask]] = {}

    # What happened.

    def step(self, text: str) -> None:
        self.steps.append(f"life {self.life}: {text}")

    def wrong(self, kind: str, what: str) -> None:
        self.violations.append(Violation(kind, what, self.life))
        self._first_steps = self._first_steps or list(self.steps)
        self.step(f"WRONG: {kind}")

    def wrong_with(self, ask: Ask, kind: str, what: object) -> None:
        if (ask.sender, ask.id, kind) not in self._known:
            self._known.add((ask.sender, ask.id, kind))
            self.wrong(kind, f"{ask}; {what}")

    def new(self, sender: str, id: str, content: Message, place: str) -> Ask:
        assert (sender, id) not in self.asks, f"{id!r} of {sender} is taken"
        ask = self.asks[sender, id] = Ask(sender, id, content, place)
        self._undecided.setdefault(sender, {})[id] = ask
        return ask

    def sending(self, ask: Ask) -> None:
        """Before it is on its way: from now on it may be there."""
        if ask.sent:
            self.counts["sent again"] += 1
        ask.sent.append(self.life)
        self.changed.add(ask)
        self.most_in_flight = max(self.most_in_flight, len(self._undecided.get(ask.sender, ())))
        self.step(f"{ask.sender} sends {ask.id!r} {ask.kind}, {len(ask.sent)} times by now")

    def heard(self, sender: str, id: str, answer: Answer) -> Ask | None:
        ask = self.asks.get((sender, id))
        if ask is None:
            self.wrong("an answer to nothing", f"{sender} was told {answer} about {id!r}, which it never asked")
            return None
        self.step(f"{sender} hears {answer} about {id!r}")
        self.counts[answer.verdict] += 1
        self.changed.add(ask)
        if not answer.decides:
            ask.undecided += 1
        elif ask.decided is None:
            ask.decided = answer
            del self._undecided[sender][id]
            self._decided.setdefault(sender, []).append(ask)
            if answer.voucher:
                self.vouchers.append(answer.voucher)
        elif answer != ask.decided:
            other = "otherwise" if answer.verdict is ask.decided.verdict else answer.verdict
            self.wrong_with(ask, f"told {ask.decided.verdict}, then {other}", f"asked again, it is {answer}")
        return ask

    # What is known.

    def undecided(self, sender: str) -> list[Ask]:
        """In the order in which they were first sent."""
        return list(self._undecided.get(sender, {}).values())

    def in_flight(self, sender: str) -> int:
        return len(self._undecided.get(sender, ()))

    def decided(self, sender: str) -> list[Ask]:
        """In the order of their answers."""
        return self._decided.get(sender, [])

    def take_changed(self) -> set[Ask]:
        changed, self.changed = self.changed, set()
        return changed

    def told(self) -> Iterator[str]:
        """The first violations, and the story's last steps."""
        by_kind = Counter(one.kind for one in self.violations)
        yield from (f"{many:6} x {kind}" for kind, many in by_kind.most_common())
        for kind in by_kind:
            first = next(one for one in self.violations if one.kind == kind)
            yield f"first {kind!r}, in life {first.life}: {first.what}"
        yield "the last steps before the first of all:"
        yield from self._first_steps
