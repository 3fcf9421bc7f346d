"""Players' sessions as time passes: the table's own time, and what falls due by it.

The table's time counts while the table is at work, by the play clock, and goes on from what the journal noted last. It
stands still while the program is down: nothing that a player has to wait for is shortened by a clock that was set.
"""

from typing import Final

from natural9.core.events import Event
from natural9.journal import session_events
from natural9.table.commands.player_cards import carded_out
from natural9.table.commands.protection import started
from natural9.table.state.sessions import PlayerSession, has_money, net_cents, session_ended, stakes_cents
from natural9.table.state.state import TableState
from natural9.table.venue.protection import Protection

LOOK_MS: Final = 5_000  # how often sessions are looked at
LOOK_AT: Final = 1_000  # so many seats at a time
NOTE_MS: Final = 60_000  # how often the time is noted: no power cut takes more than this off a session

_USUAL: Final = Protection()  # how long a card stays in where the venue has no protection
_Doings = tuple[
    int, int, int, bool
]  # rounds, money in and out, and whether a bet lies: what changes when somebody plays


class SessionClock:
    def __init__(self, state: TableState) -> None:
        self._state = state
        self.ahead_ms: int | None = None  # of the whole venue's tables, if there are others; else the table's own
        self._looks_ms = 0  # when they are looked at next, by the play clock
        self._to_look_at: list[int] = []  # seats that are still to be looked at this time, the last one first
        self._last_doings: dict[int, tuple[_Doings, int]] = {}  # of each seat, and since when it has done no more

    def come_back(self, play_ms: int) -> None:
        self._state.ahead_ms = self._state.table_ms - play_ms if self.ahead_ms is None else self.ahead_ms

    def table_ms(self, play_ms: int) -> int:
        return play_ms + self._state.ahead_ms

    def due_ms(self) -> int | None:
        """When sessions are looked at next, by the play clock; None where there is none."""
        if self._to_look_at:
            return 0
        return self._looks_ms if self._state.playing else None

    def starts(self, seat: int, play_ms: int) -> session_events.SessionStarted | None:
        """The session that credit brings to a seat without one."""
        state = self._state
        protection = state.config.protection
        terminal = state.terminal(seat)
        if protection is None or terminal.session or not terminal.credit_cents:
            return None
        if terminal.home:  # a visitor's is at its own table
            return None
        return started(state, seat, protection, self.table_ms(play_ms))

    def note(self, play_ms: int) -> list[Event]:
        """The time, before the table goes."""
        return [session_events.PlayTimeNoted(table_ms=self.table_ms(play_ms))] if self._state.playing else []

    def falls_due(self, play_ms: int) -> list[Event]:
        """What time alone brings to the sessions, so many of a full hall's at a time."""
        state = self._state
        if not self._to_look_at:
            if not state.playing or play_ms < self._looks_ms:
                return []
            self._looks_ms = play_ms + LOOK_MS
            self._to_look_at = sorted(state.playing, reverse=True)
        table_ms = self.table_ms(play_ms)
        seats = self._to_look_at[-LOOK_AT:]
        del self._to_look_at[-LOOK_AT:]
        happened = [event for seat in reversed(seats) for event in self._of_seat(seat, table_ms)]
        if not (happened or self._to_look_at) and table_ms - state.table_ms >= NOTE_MS:
            happened = self.note(play_ms)
        return happened

    def _of_seat(self, seat: int, table_ms: int) -> list[Event]:
        state = self._state
        if seat not in state.playing:  # any more
            return []
        session, card = state.terminal(seat).session, state.terminal(seat).card
        still_ms = self._still_ms(seat, session, table_ms)
        if card and not has_money(state, seat):
            is_over = still_ms >= (state.config.protection or _USUAL).empty_ms
            return carded_out(state, seat, "idle", table_ms) if is_over else []
        if session is None:
            return []
        on_a_break = table_ms < session.break_until_ms
        if not has_money(state, seat):
            protection = state.config.protection
            if not on_a_break and still_ms >= (protection.empty_ms if protection else 0):
                del self._last_doings[seat]
                return [session_ended(state, seat, session, table_ms)]
            return []
        if session.check_ms and session.waits_for != "check" and table_ms - session.checked_ms >= session.check_ms:
            return [
                session_events.RealityCheckDue(
                    session=session.number,
                    seat=seat,
                    table_ms=table_ms,
                    played_ms=session.played_ms(table_ms),
                    net_cents=net_cents(state, seat, session),
                )
            ]
        if session.idle_ms and not session.waits_for and not on_a_break and still_ms >= session.idle_ms:
            return [session_events.PlayPaused(session=session.number, seat=seat, table_ms=table_ms)]
        return []

    def _still_ms(self, seat: int, session: PlayerSession | None, table_ms: int) -> int:
        """How long the seat has done nothing. No part of history: a table that comes back starts it anew."""
        lies = stakes_cents(self._state, seat) > 0
        doings = (session.rounds, session.in_cents, session.out_cents, lies) if session else (0, 0, 0, lies)
        last, since = self._last_doings.get(seat, (None, table_ms))
        if lies or doings != last or since > table_ms:
            since = table_ms
        self._last_doings[seat] = (doings, since)
        return table_ms - since

    def player_is_there(self, seat: int) -> None:
        """Somebody has touched the screen about their own play."""
        self._last_doings.pop(seat, None)
