"""What each sender was answered, so that the same request gets the same answer."""

from typing import Final

import msgspec

from natural9.core.round import Refusal
from natural9.table.refusals import Code

KEPT_EACH: Final = 32


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher as it is handed out."""

    number: str
    code: str
    cents: int
    expires_at_ms: int


class Accepted(msgspec.Struct, frozen=True):
    voucher: Printed | None = None


Answer = Accepted | Refusal


class Answers:
    """The last few of each sender: a terminal asks again only for what it was not answered."""

    def __init__(self) -> None:
        self._by_sender: dict[str, dict[str, tuple[bytes, Answer]]] = {}

    def earlier(self, sender: str, request: str, content: bytes) -> Answer | None:
        kept = self._by_sender.get(sender)
        found = kept.get(request) if kept else None
        if found is None:
            return None
        if found[0] == content:
            return found[1]
        return Refusal(Code.REQUEST_REUSED, f"Request {request} was used for something else: make a new id for each")

    def keep(self, sender: str, request: str, content: bytes, answer: Answer) -> None:
        kept = self._by_sender.get(sender)
        if kept is None:
            kept = self._by_sender[sender] = {}
        elif len(kept) == KEPT_EACH and request not in kept:
            del kept[next(iter(kept))]  # the oldest
        kept.setdefault(request, (content, answer))
