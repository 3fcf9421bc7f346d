"""What each sender was answered, so that the same request gets the same answer."""

from collections import defaultdict
from typing import Final

import msgspec

from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.table.commands.cage import Printed
from natural9.table.commands.refusals import TableCode

KEPT_EACH: Final = 32


class Accepted(msgspec.Struct, frozen=True):
    voucher: Printed | None = None


Answer = Accepted | Refusal


class Kept(dict[str, tuple[bytes, Answer]]):
    """One sender's last few, by request."""

    def earlier(self, request: str, content: bytes) -> Answer | None:
        found = self.get(request)
        if found is None:
            return None
        if found[0] == content:
            return found[1]
        why = say("Request {request} was used for something else: make a new id for each", request=request)
        return Refusal(TableCode.REQUEST_REUSED, why)

    def keep(self, request: str, content: bytes, answer: Answer) -> None:
        if request not in self:
            if len(self) == KEPT_EACH:
                del self[next(iter(self))]  # the oldest
            self[request] = (content, answer)


class Answers:
    """What was answered to whom: a terminal asks again only for what it was not answered."""

    def __init__(self) -> None:
        self._by_sender: defaultdict[str, Kept] = defaultdict(Kept)

    def of(self, sender: str) -> Kept:
        return self._by_sender[sender]
