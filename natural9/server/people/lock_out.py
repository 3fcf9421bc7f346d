"""Three wrong passwords lock an account, there where they came from: for how long, and what is said of it."""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.saying import Said, say
from natural9.server.people.permissions import Denied
from natural9.server.people.records import StaffRecord
from natural9.server.people.sessions import MINUTE_MS

LOCKS_AFTER: Final = 3  # requirement 46


@dataclass(frozen=True, slots=True)
class LockOut:
    """How long three wrong passwords lock an account, there where they came from.

    A quarter of an hour leaves a guesser 288 tries a day, and a table that waits for its shift manager does not wait
    for the administrator as well. None: until an administrator unlocks.
    """

    minutes: int | None = 15

    def until_ms(self, at_ms: int) -> int | None:
        return None if self.minutes is None else at_ms + self.minutes * MINUTE_MS

    @property
    def words(self) -> Said:
        if self.minutes is None:
            return say(
                "{times} wrong passwords in a row from one place lock the account there until it is unlocked",
                times=LOCKS_AFTER,
            )
        return say(
            "{times} wrong passwords in a row from one place lock the account there for {minutes} minutes",
            times=LOCKS_AFTER,
            minutes=self.minutes,
        )

    def cut_short(self, record: StaffRecord, at_ms: int) -> StaffRecord:
        """A lock lasts its minutes and no longer, though the machine's clock went back between two starts."""
        most_ms = self.until_ms(at_ms)
        if most_ms is None:
            return record
        locks = {
            place: replace(lock, until_ms=min(lock.until_ms, most_ms)) if lock.until_ms else lock
            for place, lock in record.locks.items()
        }
        return replace(record, locks=locks)

    def denied(self) -> Denied:
        """One and the same, whatever was wrong."""
        why = say("this id and password were not accepted; {locks}", locks=self.words)
        return Denied("sign-in-refused", why, "requirement 46")

    def wrong_password(self, *, is_locked: bool) -> BadInput:
        """Unlike when signing in: whoever is signed in may know that their own account is locked."""
        if is_locked:
            why = say("the account is locked here: {locks}; an administrator can unlock it at once", locks=self.words)
            return BadInput("locked-out", why, "requirement 46")
        why = say("this is not the present password; {locks}", locks=self.words)
        return BadInput("wrong-password", why, "requirement 46")
