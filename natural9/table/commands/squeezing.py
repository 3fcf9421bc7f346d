"""The squeeze: the cards lie face down, and each terminal turns its own view of them, for as long as the table's file
says (`timers.squeeze`). It is counted once from the fourth card and once from each third card.

An automatic table waits for it; a dealer goes on at their own pace, and what comes next opens the cards that lie. The
faces are no secret once they are dealt: nothing is decided here, and nothing of it is history.
"""

from natural9.core.table_of_play import INITIAL_DEAL
from natural9.table.state.state import TableState


def lies_face_down(state: TableState) -> bool:
    """Some of the cards are not open to all yet, and somebody at the table has bet on them."""
    now = state.round
    if not state.config.timers.squeeze_s or now.pending or not now.staked_cents:
        return False
    return state.in_play and state.opened < len(now.cards)


def ends_at_ms(state: TableState) -> int | None:
    """When the cards that lie are open to all; None while nobody's time runs."""
    if state.faults or len(state.round.cards) < len(INITIAL_DEAL) or not lies_face_down(state):
        return None
    return state.since_ms + round(state.config.timers.squeeze_s * 1000)
