"""What is published of a batch, and to whom, once it is durable."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from natural9.core.saying import Said
from natural9.table.live.answers import NOT_KNOWN, Answer
from natural9.table.live.turns import LOOKED_AT, Turn
from natural9.table.state.console_view import AlarmView, CallView, ConsoleView
from natural9.table.state.seat_view import SeatView
from natural9.table.state.view import TableView

AT_A_TIME: Final = 250  # of what one command led to; then others on the event loop have their turn

Reply = Callable[[Answer], None]
Answered = list[tuple[str, Answer]]  # each with its request


class News(NamedTuple):
    """What is published: the table to everybody, the console's part if anybody follows it, the tags of what happened,
    for whoever watches the server the money at stake, and for the pit who deals, who calls an
    attendant, and what needs somebody."""

    table: TableView
    console: ConsoleView | None
    happened: tuple[str, ...]
    at_stake_cents: int
    dealer: str
    calls: tuple[CallView, ...]
    alarms: tuple[AlarmView, ...]


class Outlet(Protocol):
    """Where the writer publishes."""

    def news(self, news: News) -> None: ...
    def seat(self, view: SeatView) -> None: ...
    def answered(self, seat: int, answers: Answered, view: SeatView | None) -> None:
        """All that a terminal asked in one batch, and what it sees after it; None if that is not durable."""

    def is_connected(self, seat: int) -> bool: ...
    def has_staff(self) -> bool:
        """Somebody follows the console."""

    def seated(self) -> int: ...
    def halted(self, why: Said) -> None: ...


@dataclass(slots=True)
class BatchTimes:
    """When what happened to a batch, by the stopwatch of its table."""

    began_s: float = 0.0  # to be decided
    decided_s: float = 0.0  # and on its way to the journal
    durable_s: float = 0.0
    told_s: float = 0.0
    settles: bool = False  # a round is settled in it


@dataclass(slots=True)
class Outbox:
    """What waits to be published until its batch is durable."""

    times: BatchTimes = field(default_factory=BatchTimes)

    replies: list[tuple[Reply, Answer]] = field(default_factory=list)
    answered: dict[int, Answered] = field(default_factory=dict)
    after: dict[int, SeatView] = field(default_factory=dict)  # what those who were answered see then
    looks: list[Callable[[], object]] = field(default_factory=list)
    seats: list[SeatView] = field(default_factory=list)
    news: News | None = None
    held: list[str] = field(default_factory=list)  # what is let go of then, durable or not

    def take_replies(self) -> list[Reply]:
        """Those that still wait for an answer; from now on none does."""
        waiting, self.replies = self.replies, []
        return [reply for reply, _ in waiting]


async def publish(outbox: Outbox, outlet: Outlet, turn: Turn, *, halted: bool) -> None:
    """Of a table that has halted nothing is known to be durable: whoever asked is told so, and nobody anything else."""
    for place, (seat, answers) in enumerate(outbox.answered.items(), start=1):
        if halted:
            outlet.answered(seat, [(request, NOT_KNOWN) for request, _ in answers], None)
        else:
            outlet.answered(seat, answers, outbox.after[seat])
        if place % LOOKED_AT == 0 and turn.is_over:
            await turn.give_way()
    if not halted:
        for look in outbox.looks:
            look()
        if outbox.news:
            outlet.news(outbox.news)
    replies, outbox.replies = outbox.replies, []
    for reply, answer in replies:  # after the news: an answer names the view that its effect is in
        reply(NOT_KNOWN if halted else answer)
    if halted:
        return
    for place, view in enumerate(outbox.seats, start=1):
        outlet.seat(view)
        if place % LOOKED_AT == 0 and turn.is_over:
            await turn.give_way()
