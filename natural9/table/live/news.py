"""How the table looks after a batch: to those whose seat it touched, and to everybody where it is time to tell them."""

from typing import Final

from natural9.table.live.outbox import News, Outbox, Outlet
from natural9.table.live.recorder import Recorder
from natural9.table.live.turns import LOOKED_AT, Turn
from natural9.table.state.console_view import alarms_that_stand, calls_that_stand, console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.state import TableState
from natural9.table.state.view import everybody_sees

QUIET_MS: Final = 400  # bets alone are shown to the others no oftener than this ...
SEATS_A_MS: Final = 5  # ... and in a full hall more rarely, for telling everybody takes its time


class NewsGatherer:
    """Of one table. What is quiet is told later, together with what comes until then."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._quiet_until_ms = 0
        self._waits = False  # something that nobody was told of yet

    def due_ms(self) -> int | None:
        """When what waits is to be told."""
        return self._quiet_until_ms if self._waits else None

    async def gather(self, state: TableState, recorder: Recorder, outbox: Outbox, now_ms: int, turn: Turn) -> None:
        for place, seat in enumerate(outbox.answered, start=1):
            outbox.after[seat] = one_seat_sees(state, seat)
            if place % LOOKED_AT == 0 and turn.is_over:
                await turn.give_way()
        for place, seat in enumerate(recorder.seats - outbox.answered.keys(), start=1):
            if self._outlet.is_connected(seat):
                outbox.seats.append(one_seat_sees(state, seat))
            if place % LOOKED_AT == 0 and turn.is_over:
                await turn.give_way()
        recorder.seats.clear()
        self._waits = self._waits or bool(recorder.happened)
        if self._waits and (recorder.is_loud or now_ms >= self._quiet_until_ms):
            outbox.news = News(
                everybody_sees(state),
                console_sees(state) if self._outlet.has_staff() else None,
                tuple(dict.fromkeys(recorder.happened)),
                state.at_stake_cents,
                state.dealer,
                calls_that_stand(state),
                alarms_that_stand(state),
            )
            self._quiet_until_ms = now_ms + max(QUIET_MS, self._outlet.seated() // SEATS_A_MS)
            self._waits = False
        recorder.happened.clear()
        recorder.is_loud = False
