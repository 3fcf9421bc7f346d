"""What verifying finds: what was checked, and the first entry that does not follow, in words."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from natural9.core.errors import BadInput
from natural9.core.saying import verbatim
from natural9.journal.line import JournalLine, read_body
from natural9.store.contract import Transfer, Written
from natural9.table.audit.derive import LONGEST_QUOTE


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """The first entry that does not follow; `entry` is 0 where it is no single one."""

    entry: int  # its place among the entries of all streams
    stream: str = ""
    number: int = 0  # its place in its stream
    round: int = 0
    kind: str = ""
    says: str
    should: str = ""

    @property
    def words(self) -> str:
        of_stream = f"{self.stream}, its entry {self.number}" if self.number else self.stream
        if not self.should:  # the store's own words, which name the entry
            return f"{self.says} ({of_stream})" if of_stream else self.says
        where = f"entry {self.entry}" if self.entry else "the journal"
        place = ", ".join(filter(None, (of_stream, f"round {self.round}" if self.round else "", self.kind)))
        return f"{where}{f' ({place})' if place else ''} says: {self.says}; it should say: {self.should}"


class NotDerived(msgspec.Struct, frozen=True):
    """A round whose rules this program does not have: its money and chain are checked, its settlement is not."""

    table: str
    round: int
    why: str


class Verified(msgspec.Struct, kw_only=True):
    """What was checked, up to the first fault if there is one. `root` is over all entries: to note down for the next
    time, with their number."""

    entries: int = 0
    transfers: int = 0
    tables: int = 0
    rounds: int = 0
    bets: int = 0
    cards: int = 0
    seats_settled: int = 0
    shoes_revealed: int = 0
    vouchers_outstanding: int = 0
    balances: int = 0  # compared with what the entries make of them, and so are the next three
    meters: int = 0
    documents: int = 0
    index_rows: int = 0
    checkpoints: int = 0  # that were signed of it
    time_stamps: int = 0  # of these
    stamps_vouched_for: int | None = None  # by the authority's certificates, where those are at hand
    keys: tuple[str, ...] = ()  # that signed them, oldest first
    root: str = ""
    noted_size: int | None = None  # of the checkpoint that was noted earlier, which it goes on from
    not_derived: int = 0
    not_derived_first: list[NotDerived] = []
    fault: Fault | None = None


class DoesNotFollow(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.words)
        self.fault = fault


Wrong = tuple[str, str] | None  # what an entry says and what it should say, if those are two things
FaultMaker = Callable[[str, str], DoesNotFollow]


def fault_of(written: Written, number: int) -> FaultMaker:
    """`number`: of the round at the table then."""

    def fault(says: str, should: str) -> DoesNotFollow:
        return DoesNotFollow(
            Fault(entry=written.seq, stream=written.stream, round=number, kind=written.kind, says=says, should=should)
        )

    return fault


_decode: Final = msgspec.json.Decoder().decode
_encode: Final = msgspec.json.Encoder().encode


def read_entry(written: Written) -> JournalLine:
    try:
        line = read_body(written.body)
        if _encode(_decode(written.body)) != written.body:  # a name that comes twice is read so by one, so by another
            raise BadInput("bad-event", verbatim("each name once, and no sign that means nothing"))
        return line
    except BadInput as error:
        raise fault_of(written, 0)(written.body[:LONGEST_QUOTE].decode(errors="replace"), str(error)) from None


def show_moment(at_ms: int) -> str:
    try:
        return f"{datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%d %H:%M:%S}.{at_ms % 1000:03} UTC"
    except (OverflowError, ValueError, OSError):  # a journal that was tampered with may say anything
        return f"{at_ms} ms after 1970"


def show_moves(moved: Iterable[Transfer]) -> str:
    said = [f"{kind} of {cents} cents from {source} to {target}" for kind, source, target, cents in moved]
    return f"it moves {', '.join(said)}" if said else "it moves no money"
