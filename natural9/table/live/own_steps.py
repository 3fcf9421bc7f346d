"""What a table does by itself, with nobody asking for it: each step when it is due, and the timer that wakes the
writer for the next."""

import asyncio
from collections.abc import Callable

from natural9.core.round import Refusal
from natural9.core.saying import name_of, say
from natural9.journal import table_events
from natural9.table.commands import staff
from natural9.table.commands.automatic import TimedStep, next_step
from natural9.table.commands.squeezing import ends_at_ms
from natural9.table.live.news import NewsGatherer
from natural9.table.live.outbox import Outlet
from natural9.table.live.recorder import Recorder
from natural9.table.live.turned import TurnedCards


class OwnSteps:
    def __init__(
        self,
        recorder: Recorder,
        outlet: Outlet,
        news: NewsGatherer,
        *,
        play_ms: Callable[[], int],
        wake: Callable[[], None],  # the writer: something is due
        is_halted: Callable[[], bool],
    ) -> None:
        self._recorder, self._outlet, self._news = recorder, outlet, news
        self._play_ms, self._wake, self._is_halted = play_ms, wake, is_halted
        self.stopping = False  # no other round begins
        self._turned = TurnedCards()
        self._seated_ms = 0  # since when anybody is seated
        self._upcoming: tuple[int, TimedStep | None] = (-1, None)  # the step that comes next, while no entry follows
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = 0  # when it is due

    def cards_turned(self, seat: int, *, number: int, cards: int) -> None:
        self._turned.note(self._recorder.state, seat, number=number, cards=cards, now_ms=self._play_ms())

    async def take(self, at_ms: int, now_ms: int) -> None:
        """All that are due."""
        recorder = self._recorder
        while (step := self._next()) and step.due_ms <= now_ms:
            answer = recorder.by_itself(step.command, at_ms)
            await recorder.record_rest(at_ms)
            if isinstance(answer, Refusal):
                if not recorder.state.faults:  # or it would be tried for ever
                    stuck = say(
                        'the step "{step}" was refused: {why}', step=name_of(step.command.TAG), why=answer.message
                    )
                    recorder.by_the_system(table_events.FaultRaised(fault="automatic", detail=stuck), at_ms)
                return
        self._upcoming = (recorder.next_number, step)

    def _next(self) -> TimedStep | None:
        if self._is_halted():
            return None
        state, turned_ms = self._recorder.state, None
        if ends_at_ms(state) is not None:
            turned_ms = self._turned.by_all_ms(state, self._outlet.is_connected)
        seated = self._outlet.seated()
        self._seated_ms = (self._seated_ms or self._play_ms()) if seated else 0
        step = next_step(state, seated=seated, seated_ms=self._seated_ms, turned_ms=turned_ms)
        if step and self.stopping and isinstance(step.command, staff.StartRound | staff.LoadNewShoe):
            return None
        return step

    def set_timer(self) -> None:
        """For the next step, for news that wait, or for what a player has set themselves."""
        number, step = self._upcoming
        if number != self._recorder.next_number or self._is_halted():
            step = self._next()
        due = [step.due_ms] if step else []
        if (news_ms := self._news.due_ms()) is not None:
            due.append(news_ms)
        if (looks_ms := self._recorder.sessions.due_ms()) is not None:
            due.append(looks_ms)
        due_ms = min(due) if due else None
        if self._timer:
            if self._timer_ms == due_ms:  # as after nearly every bet
                return
            self.cancel_timer()
        if due_ms is not None:
            delay = max(0.0, (due_ms - self._play_ms()) / 1000)
            self._timer_ms = due_ms
            self._timer = asyncio.get_running_loop().call_later(delay, self._time_is_up)

    def cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        self._timer = None
        self._wake()
