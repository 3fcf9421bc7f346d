"""What a batch leads to being said, and to whom, once it is durable."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from natural9.core.round import Refusal
from natural9.table.live.answers import Answer
from natural9.table.state.view import ConsoleView, SeatView, TableView

AT_A_TIME: Final = 500  # then others on the event loop have their turn

Reply = Callable[[Answer], None]
Answered = list[tuple[str, Answer]]  # each with its request


class News(NamedTuple):
    """What everybody is told: the table, the console's part if anybody follows it, and the tags of what happened."""

    table: TableView
    console: ConsoleView | None
    happened: tuple[str, ...]


class Outlet(Protocol):
    """Where the writer speaks to."""

    def news(self, news: News) -> None: ...
    def seat(self, view: SeatView) -> None: ...
    def answered(self, seat: int, answers: Answered, view: SeatView | None) -> None:
        """All that a terminal asked in one batch, and what it sees after it; None if that is not durable."""

    def is_connected(self, seat: int) -> bool: ...
    def has_staff(self) -> bool:
        """Somebody follows the console."""

    def seated(self) -> int: ...
    def halted(self, why: str) -> None: ...


@dataclass(slots=True)
class Speech:
    """What a batch leads to being said, once it is durable."""

    replies: list[tuple[Reply, Answer]] = field(default_factory=list)
    answered: dict[int, Answered] = field(default_factory=dict)
    after: dict[int, SeatView] = field(default_factory=dict)  # what those who were answered see then
    looks: list[Callable[[], None]] = field(default_factory=list)
    seats: list[SeatView] = field(default_factory=list)
    news: News | None = None


async def say(speech: Speech, outlet: Outlet, stopped: Refusal | None) -> None:
    """Or, to whoever asked, that the table has stopped: then nothing else of it is known to be durable."""
    for reply, answer in speech.replies:
        reply(stopped or answer)
    for place, (seat, answers) in enumerate(speech.answered.items(), start=1):
        if stopped:
            outlet.answered(seat, [(request, stopped) for request, _ in answers], None)
        else:
            outlet.answered(seat, answers, speech.after[seat])
        if place % AT_A_TIME == 0:
            await asyncio.sleep(0)
    if stopped:
        return
    for look in speech.looks:
        look()
    if speech.news:
        outlet.news(speech.news)
    for place, view in enumerate(speech.seats, start=1):
        outlet.seat(view)
        if place % AT_A_TIME == 0:
            await asyncio.sleep(0)
