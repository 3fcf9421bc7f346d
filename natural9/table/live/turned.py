"""Which terminals have turned the cards that lie. As with the timers it shortens, nothing of it is history: after a
restart the cards get their full time again, and terminals say again what they have turned."""

from collections.abc import Callable

from natural9.table.state.state import TableState


class TurnedCards:
    def __init__(self) -> None:
        self._of = (0, 0)  # the round, and how many cards lay
        self._seats: set[int] = set()
        self._last_ms = 0

    def note(self, state: TableState, seat: int, *, number: int, cards: int, now_ms: int) -> None:
        """A seat says that it has turned so many cards of this round; what is about other cards says nothing."""
        if (number, cards) != (state.round.number, len(state.round.cards)):
            return
        if self._of != (number, cards):
            self._of, self._seats = (number, cards), set()
        self._seats.add(seat)
        self._last_ms = now_ms

    def by_all_ms(self, state: TableState, is_connected: Callable[[int], bool]) -> int | None:
        """Since when every connected terminal with a bet has turned them; None while one has not."""
        are_these = self._of == (state.round.number, len(state.round.cards))
        turned = self._seats if are_these else ()
        if any(seat not in turned and is_connected(seat) for seat, _ in state.round.seats.items()):
            return None
        return self._last_ms if are_these else state.since_ms
