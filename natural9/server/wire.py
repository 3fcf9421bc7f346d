"""What the HTTP interface takes and answers about tables and money."""

from typing import TYPE_CHECKING, Annotated, Union

from msgspec import Meta, Struct

from natural9.journal.sentence import Sentence
from natural9.server.desk import Receipt
from natural9.server.people.wire import SignIn
from natural9.table.commands.orders import WRITTEN, WrittenOrder
from natural9.table.commands.preview import PREVIEWED
from natural9.table.commands.terminal import Request
from natural9.table.state.console_view import ConsoleView
from natural9.table.state.state import Status
from natural9.table.state.view import TableView

if TYPE_CHECKING:
    PreviewedCommand = Struct
else:
    PreviewedCommand = Union[tuple(WRITTEN[shape] for shape in PREVIEWED)]  # noqa: UP007


class StaffRequest(WrittenOrder, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command at a table. With `sign_in` it is given by that person, at somebody else's console, this once; with
    `signature` that person signs besides whoever gives it, where so much cash takes two."""

    sign_in: SignIn | None = None
    signature: SignIn | None = None


class PreviewRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command that is thought about, not given."""

    command: PreviewedCommand


class Done(Struct, frozen=True, kw_only=True):
    """It is durable. `by` is who did it, `entry` the number in the table's journal of the first entry that it led to,
    `n` the number of the `table` message that first shows it. There is a `receipt` where cash moved."""

    request: str
    by: str
    entry: int
    n: int
    receipt: Receipt | None


class TableLine(Struct, frozen=True, kw_only=True):
    table: str
    title: str
    game: str
    game_title: str
    mode: str
    shoe: str
    has_reader: bool
    seats: int
    status: Status
    training: bool  # set aside for training: nothing that happens there is real


class VenueView(Struct, frozen=True, kw_only=True):
    name: str
    currency: str
    zone: str
    day: str  # the gaming day that it is now
    version: str
    demo: bool
    players: bool  # they may have names and cards
    prints: bool  # vouchers, on paper
    takes_bills: bool  # beside the terminals of some of its tables
    needs_administrator: bool  # nobody can let anyone in yet: the log has the code for the first account
    tables: tuple[TableLine, ...]
    names: dict[str, dict[str, str]]  # of wagers by their English names, of games by their ids: by language
    interpretations: dict[str, dict[str, str]]  # their titles, by id: by language


class PayRowView(Struct, frozen=True, kw_only=True):
    names: dict[str, str]  # by language; empty where the approved pay table has none
    when: str
    odds: str
    paragraph: str


class WagerView(Struct, frozen=True, kw_only=True):
    id: str
    title: str
    names: dict[str, str]  # by language
    optional: bool
    pays: tuple[PayRowView, ...]
    paragraph: str


class InsuranceRowView(Struct, frozen=True, kw_only=True):
    window: str
    hand: str
    player: str
    banker: str
    odds: str
    wins_if: str
    paragraph: str


class ReadingView(Struct, frozen=True, kw_only=True):
    title: str
    reading: str
    rejected: str
    why: str


class InterpretationView(Struct, frozen=True, kw_only=True):
    id: str
    paragraphs: tuple[str, ...]  # of the game's own document
    languages: dict[str, ReadingView]  # English first


class RuleText(Struct, frozen=True, kw_only=True):
    documents: tuple[str, ...]  # where it stands, or which it reads
    says: dict[str, str]  # by language, English first


class GameView(Struct, frozen=True, kw_only=True):
    """The rules of a table, to be read without staking anything."""

    id: str
    title: str
    operator: str
    document: str
    effective: str
    rules_sha256: str
    decks: int
    layout: str
    boxes: int | None
    wagers: tuple[WagerView, ...]
    insurance: tuple[InsuranceRowView, ...]
    interpretations: tuple[InterpretationView, ...]
    notice: str  # what the approved layouts say to the player; "" where they say nothing


class StaffTable(Struct, frozen=True, kw_only=True):
    table: TableView
    console: ConsoleView


class TerminalLine(Struct, frozen=True, kw_only=True):
    """A terminal as the pit and the desk see it."""

    seat: int
    home_table: str  # where a visitor comes from; "" at an own seat
    home_seat: int
    connected: bool
    credit_cents: int
    staked_cents: int  # at other tables, too
    owed_cents: int
    locked: str
    kept: bool  # it is empty, and its last player's session, limits and all, goes on: it may be released


class PayVoucher(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request: Request
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=64)]
    signature: SignIn | None = None


class LookAtVoucher(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(max_length=64)] = ""


class PrintVoucher(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A copy, at the terminal that issued it."""

    number: Annotated[str, Meta(min_length=1, max_length=64)]
    why: Annotated[str, Meta(min_length=1, max_length=500)]


class PrintReceipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The receipt of an entry, at the terminal that asks for it; by the checkpoint of this size, else by the newest."""

    table: Annotated[str, Meta(min_length=1, max_length=40)]
    entry: Annotated[int, Meta(ge=1, le=2**53)]
    size: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class PrinterAway(Struct, frozen=True, kw_only=True):
    """A printer that takes nothing: of which terminal, why, and how many slips wait or were given up."""

    table: str
    seat: int
    why: Sentence
    since_ms: int
    waiting: int
    given_up: int


class VoucherSeen(Struct, frozen=True, kw_only=True):
    """A voucher that is good to be paid."""

    number: str
    cents: int
    table: str
    seat: int
    issued_at_ms: int
    expires_at_ms: int


class PaidVoucher(Struct, frozen=True, kw_only=True):
    number: str
    cents: int
    desk: str
    entry: Annotated[int, Meta(description="Its number in the venue's journal")]
    receipt: Receipt | None


class ProgramCheck(Struct, frozen=True, kw_only=True):
    """Files that are not as they were when the program started; any such stops play."""

    program_sha256: str
    changed: tuple[str, ...]
