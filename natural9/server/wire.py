"""What the HTTP interface takes and answers about tables and money."""

from typing import TYPE_CHECKING, Annotated, Union

from msgspec import Meta, Struct

from natural9.server.people.wire import SignIn
from natural9.table.commands.orders import WRITTEN, WrittenOrder
from natural9.table.commands.preview import PREVIEWED
from natural9.table.commands.terminal import Request
from natural9.table.state.state import Status
from natural9.table.state.view import ConsoleView, TableView

if TYPE_CHECKING:
    PreviewedCommand = Struct
else:
    PreviewedCommand = Union[tuple(WRITTEN[shape] for shape in PREVIEWED)]  # noqa: UP007


class StaffRequest(WrittenOrder, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command at a table. With `sign_in` it is given by that person, at somebody else's console, this once."""

    sign_in: SignIn | None = None


class PreviewRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command that is thought about, not given."""

    command: PreviewedCommand


class Done(Struct, frozen=True, kw_only=True):
    """It is durable. `by` is who did it, `n` the number of the `table` message that first shows it."""

    request: str
    by: str
    n: int


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


class VenueView(Struct, frozen=True, kw_only=True):
    name: str
    currency: str
    zone: str
    day: str  # the gaming day that it is now
    version: str
    demo: bool
    tables: tuple[TableLine, ...]
    names: dict[str, dict[str, str]]  # what its wagers are called, by their English names: by language


class PayRowView(Struct, frozen=True, kw_only=True):
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


class InterpretationView(Struct, frozen=True, kw_only=True):
    id: str
    paragraphs: tuple[str, ...]
    reading: str
    rejected: str
    why: str


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
    connected: bool
    credit_cents: int
    staked_cents: int
    owed_cents: int
    locked: str
    kept: bool  # it is empty, and its last player's session, limits and all, goes on: it may be released


class PayVoucher(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request: Request
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=64)]


class LookAtVoucher(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(max_length=64)] = ""


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


class ProgramCheck(Struct, frozen=True, kw_only=True):
    """Files that are not as they were when the program started; any such stops play."""

    program_sha256: str
    changed: tuple[str, ...]
