"""Which terminals have turned the cards that lie. As with the timers it shortens, nothing of it is history: after a
restart the cards get their full time again, and terminals say again what they have turned."""

from collections.abc import Callable

from natural9.table.state.state import TableState


class TurnedCards:
    def __init__(self) -> None:
        self._of = (0, 0)  # the round, and how many cards lie
        self._left: set[int] = set()  # the seats with a bet that have not turned these
        self._last_ms: int | None = None  # when one last did

    def note(self, state: TableState, seat: int, *, number: int, cards: int, now_ms: int) -> None:
        """A seat says that it has turned so many cards of this round; what is about other cards says nothing."""
        self._look_at(state)
        if (number, cards) == self._of and seat in self._left:
            self._left.remove(seat)
            self._last_ms = now_ms

    def by_all_ms(self, state: TableState, is_connected: Callable[[int], bool]) -> int | None:
        """Since when every connected terminal with a bet has turned them; None while one has not."""
        self._look_at(state)
        if any(is_connected(seat) for seat in self._left):  # of a full hall, too, the first one mostly answers
            return None
        return state.since_ms if self._last_ms is None else self._last_ms

    def _look_at(self, state: TableState) -> None:
        """Other cards lie: everybody begins anew."""
        lie = (state.round.number, len(state.round.cards))
        if self._of != lie:
            self._of, self._left, self._last_ms = lie, {seat for seat, _ in state.round.seats.items()}, None
