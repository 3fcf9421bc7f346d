"""Time stamps in a journal: each is of a checkpoint that was signed of it, over the days that it says, and says when.

Whether it was the authority that said so, only its certificates can tell: where they are at hand, `vouched_for` asks.
"""

import binascii
from base64 import b64decode

from natural9.journal.labels import TIME_STAMPS
from natural9.journal.line import read_line
from natural9.journal.venue_events import TimeStampKept
from natural9.proof.signed_note import BadNote, SignedNote
from natural9.proof.time_stamp import BadStamp, check_stamp
from natural9.store.contract import Corrupt, Store, Written
from natural9.table.audit.findings import DoesNotFollow, Fault, Wrong, show_moment

PAGE = 500


class StampAudit:
    """Entry by entry; what stands beside the journal can only be asked once the walk is over."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, TimeStampKept]] = []

    def __len__(self) -> int:
        return len(self._kept)

    def wrong(self, written: Written, event: TimeStampKept) -> Wrong:
        self._kept.append((written.seq, event))
        if written.label != TIME_STAMPS:
            return f"it is found by {written.label!r}", f"it is found by {TIME_STAMPS!r}"
        if event.size >= written.seq:
            return f"a checkpoint of {event.size} entries was stamped", "one of the entries before it"
        if bool(event.first_day) != bool(event.last_day) or not event.first_day <= event.last_day < written.day:
            return f"it is of the days from {event.first_day!r} to {event.last_day!r}", "of days that were closed"
        try:
            stamped_at_ms = check_stamp(answer_of(event), event.checkpoint.encode())
        except BadStamp as error:
            return f"the checkpoint was stamped, but {error}", "a stamp of it"
        if event.stamped_at_ms != stamped_at_ms:
            return f"it was stamped at {show_moment(event.stamped_at_ms)}", show_moment(stamped_at_ms)
        return None

    async def compare(self, store: Store) -> None:
        before = 0
        for seq, event in self._kept:
            kept = await store.checkpoint(event.size)
            if kept is None or not _is_part(event.checkpoint, kept.note):
                says = f"a checkpoint of {event.size} entries was stamped: {event.checkpoint.strip()!r}"
                raise DoesNotFollow(Fault(entry=seq, says=says, should="the one that was signed then"))
            [first] = await store.entries(after=before, limit=1)
            if event.first_day not in ("", first.day):
                says = f"its days begin with {event.first_day}"
                raise DoesNotFollow(Fault(entry=seq, says=says, should=f"{first.day}, the first without a stamp"))
            before = event.size


async def vouched_for(store: Store, certificates: bytes) -> int:
    """How many stamps there are, if these certificates (a PEM file's) vouch for each; else Corrupt."""
    many, before = 0, None
    while page := await store.labelled(TIME_STAMPS, before=before, limit=PAGE):
        for written in page:
            event = read_line(written).event
            assert isinstance(event, TimeStampKept)
            try:
                check_stamp(answer_of(event), event.checkpoint.encode(), certificates=certificates)
            except BadStamp as error:
                raise Corrupt(
                    f"entry {written.seq}, a time stamp, is not the authority's: {error}; "
                    "if the authority has changed, keep the former one's certificates in the file, too"
                ) from None
        many, before = many + len(page), page[-1].seq
    return many


def answer_of(event: TimeStampKept) -> bytes:
    """What the authority answered; nothing that can be read is nothing."""
    try:
        return b64decode(event.answer, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _is_part(stamped: str, kept: str) -> bool:
    """The same text by the same signature of the house; who has cosigned may have changed since."""
    try:
        one, other = SignedNote.parse(stamped), SignedNote.parse(kept)
    except BadNote:
        return False
    by_house = {line for line in one.signatures if line.name == one.text.partition("\n")[0]}
    return str(one) == stamped and one.text == other.text and bool(by_house & set(other.signatures))
