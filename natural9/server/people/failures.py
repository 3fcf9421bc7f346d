"""Sign-in failures that can be repeated without end: the first is journalled, the others of its minute as a sum."""

import asyncio
from dataclasses import replace
from typing import Final

from natural9.journal.people_events import SignInFailed
from natural9.server.people.addresses import neighbourhood
from natural9.server.people.register import VENUE, PeopleChange, Register

SUMMED_S: Final = 60
MOST_SUMS: Final = 64  # beyond so many accounts and addresses a minute, the others are told together


class Failures:
    """Guesses at accounts that are not there, or locked, or disabled: no guesser fills the disk or the memory."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._sums: dict[SignInFailed, int] = {}  # how many more there were, by the first as it counts
        self._timer: asyncio.TimerHandle | None = None

    def count(self, failed: SignInFailed) -> None:
        same = replace(failed, peer=neighbourhood(failed.peer))
        if same not in self._sums and len(self._sums) >= MOST_SUMS:
            same = failed = replace(failed, id="", peer="", failures=0)
        if same in self._sums:
            self._sums[same] += 1
            return
        self._sums[same] = 0
        self._timer = self._timer or asyncio.get_running_loop().call_later(SUMMED_S, self.tell)
        self._register.write_later([PeopleChange(failed, VENUE)])

    def tell(self) -> None:
        """The sums of this minute; the next one begins with the next failure."""
        if self._timer:
            self._timer.cancel()
        sums, self._sums, self._timer = self._sums, {}, None
        if told := [PeopleChange(replace(one, times=more), VENUE) for one, more in sums.items() if more]:
            self._register.write_later(told)
