"""A session that is used at one node is not idle at the others: a console watched there stays open."""

import time
from collections import OrderedDict
from typing import Final

from natural9.server.cluster.lines import Lines
from natural9.server.people.sessions import Sessions

KIND: Final = "heard"
AGAIN_S: Final = 60.0  # of thirty minutes that a session may be idle
MOST_TOLD: Final = 10_000


def share_idle_time(sessions: Sessions, lines: Lines) -> None:
    told: OrderedDict[str, float] = OrderedDict()  # when each was last told to the others, the longest ago first

    def tell(nonce: str) -> None:
        now = time.monotonic()
        if now - told.get(nonce, -AGAIN_S) < AGAIN_S or not lines.is_up:
            return
        told[nonce] = now
        told.move_to_end(nonce)
        if len(told) > MOST_TOLD:
            told.popitem(last=False)
        lines.tell_all(KIND, nonce.encode())

    sessions.when_heard = tell
    lines.hear(KIND, lambda _, nonce: sessions.note_heard(nonce.decode()))
