"""When to kill, and whom: a moment is the so-many-th time that something happens in the protocol."""

import asyncio
import random
from collections.abc import Callable
from typing import NamedTuple

STARTING = "while it starts"


class Moment(NamedTuple):
    event: str
    most: int = 1  # the kill comes at one of the first so many
    favours: str = ""  # what terminals then ask more of
    late_s: float = 0.0  # up to so much later


MOMENTS = {
    "some of a burst is sent": Moment("sent", 200),
    "a burst is sent": Moment("burst sent", 3),
    "the first answer": Moment("done"),
    "some are answered": Moment("done", 150),
    "a refusal": Moment("refused", 10),
    "a refusal asked again": Moment("refusal sent again", 10),
    "betting opens": Moment("betting-opened"),
    "betting closes": Moment("betting-closed"),
    "between close and deal": Moment("betting-closed", late_s=0.06),
    "the deal": Moment("card-dealt", 5, late_s=0.03),
    "the settlement": Moment("card-dealt", late_s=0.25),
    "the result": Moment("round-settled"),
    "cash-outs sent": Moment("sent cash-out", 40, "cash-out"),
    "vouchers printed": Moment("voucher", 30, "cash-out"),
    "vouchers put in": Moment("sent insert-voucher", 10, "insert-voucher"),
    "staff credit": Moment("sent credit-terminal", 6),
    "staff hand-pay": Moment("sent hand-pay", 2),
    "the desk pays": Moment("sent pay-voucher", 4),
    "sent again": Moment("sent again", 120),
    "another try with the same id": Moment("sent with other content", 3),
    STARTING: Moment("none"),
}
JITTER_S = (0.0, 0.0, 0.0, 0.0005, 0.001, 0.002, 0.004)  # a commit takes about so long
SERVER, JOURNAL = "server", "journal"
# What the log says on the way up, and at which of them it is killed.
ON_THE_WAY_UP = ("table recovered", '"started"', '"ready"', " at http://")


class Plan(NamedTuple):
    name: str
    victim: str
    nth: int
    late_s: float

    @property
    def moment(self) -> Moment:
        return MOMENTS[self.name]

    def __str__(self) -> str:
        return f"kill the {self.victim} at {self.name!r}, number {self.nth}, {self.late_s * 1000:.1f} ms later"


def plans(chance: random.Random, kills: int) -> list[Plan]:
    """Every moment with both victims before any comes twice, in an order of the seed's."""
    found: list[Plan] = []
    while len(found) < kills:
        deck = [(name, victim) for name in MOMENTS for victim in (SERVER, JOURNAL)]
        chance.shuffle(deck)
        for name, victim in deck:
            moment = MOMENTS[name]
            # Low numbers more often: a moment that does not come is only ended by the clock.
            nth = 1 + int((moment.most - 1) * chance.random() ** 2)
            late_s = chance.uniform(0, moment.late_s) if moment.late_s else chance.choice(JITTER_S)
            found.append(Plan(name, victim, nth, late_s))
    return found[:kills]


class Trap:
    """Is told whatever happens, and kills when its moment has come; once."""

    def __init__(self, plan: Plan, kill: Callable[[], None]) -> None:
        self.plan, self._kill, self._left = plan, kill, plan.nth
        self.sprung = asyncio.Event()

    def tell(self, event: str) -> None:
        if event == self.plan.moment.event and self._left:
            self._left -= 1
            if not self._left:
                self._spring()

    def _spring(self) -> None:
        if self.plan.late_s:
            asyncio.get_running_loop().call_later(self.plan.late_s, self._now)
        else:
            self._now()

    def _now(self) -> None:
        if not self.sprung.is_set():
            self._kill()
            self.sprung.set()

    async def wait(self, most_s: float) -> bool:
        """Whether it came by itself; otherwise it comes now."""
        try:
            await asyncio.wait_for(self.sprung.wait(), most_s)
        except TimeoutError:
            self._now()
            return False
        return True
