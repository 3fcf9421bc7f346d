"""The messages of the WebSocket, both ways: one definition, from which the schema and the TypeScript types are made.

A client opens `/ws/table/ID` (a terminal, a display, or staff), `/ws/lobby` (a terminal that chooses a table) or
`/ws/floor` (the pit). At a table it gets a `welcome`, then a
`table` message whenever something changes, numbered by `n` within an `epoch` (one run of the table). Who comes back
with `?after=EPOCH:N` gets what was missed, or a new `welcome` if that is too long ago.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from natural9.core.outcome import Winner
from natural9.core.round.state import Phase
from natural9.core.table_of_play import MOST_CARDS
from natural9.journal.sentence import Sentence
from natural9.server.voucher_slip import VoucherSlip
from natural9.server.websocket import TOO_MANY
from natural9.table.commands.terminal import RoundNumber, TerminalCommand
from natural9.table.state.console_view import AlarmView, CallView, ConsoleView
from natural9.table.state.seat_view import SeatView
from natural9.table.state.state import Status
from natural9.table.state.view import DealtCard, Shown, TableView

VERSION: Final = 1
# Closing codes of our own; the others are those of RFC 6455.
REPLACED, SEAT_GIVEN, SESSION_ENDED, ONE_MOMENT = 4001, 4002, 4401, 4503
CLOSE_CODES: Final = {
    1001: "The client did not answer a ping in time: connect again.",
    1002: "The client broke the WebSocket protocol.",
    1003: "Only text messages are understood here.",
    1007: "A message was not UTF-8.",
    1009: "A message was longer than the server takes.",
    1011: "The server made a mistake: connect again, after a pause.",
    1012: "The server restarts: connect again, after a pause.",
    1013: "The client does not read what it is sent: connect again.",
    REPLACED: "This terminal was connected from somewhere else: do not connect again by yourself.",
    SEAT_GIVEN: "This seat was given to another device: do not connect again, call an attendant.",
    SESSION_ENDED: "The session has ended: sign in or enrol again.",
    ONE_MOMENT: "The table goes to another machine: connect again at once.",
    TOO_MANY: "Too many frames or bytes of this device or person: connect again, after a pause.",
}


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Ping(Message, frozen=True, kw_only=True, tag="ping", forbid_unknown_fields=True):
    """For a page that wants to know how long the way is, and what the server's clocks say."""

    sent: Annotated[float, Meta(description="Given back as it came")] = 0.0


class Turned(Message, frozen=True, kw_only=True, tag="turned", forbid_unknown_fields=True):
    """This terminal has turned the cards that lie: a table that waits for the squeeze need not wait for it. No answer
    comes; say it again after connecting anew."""

    round: RoundNumber
    cards: Annotated[int, Meta(ge=1, le=MOST_CARDS, description="So many lie")]


FromTerminal = TerminalCommand | Ping | Turned


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """Everything as it is now: `you` for a terminal, `console` for staff."""

    version: int
    epoch: str
    n: int
    now_ms: int
    venue: str
    currency: str
    table: TableView
    outstanding: Annotated[int, Meta(description="So many requests may be on their way at once")]
    lobby: Annotated[int, Meta(description="At so many tables a terminal may play at a time, its own among them")]
    you: SeatView | None = None
    console: ConsoleView | None = None


class TableMessage(Message, frozen=True, kw_only=True, tag="table"):
    """The table has changed; `happened` are the tags of the events, for whoever animates them."""

    n: int
    now_ms: int
    happened: tuple[str, ...]
    table: TableView


class Console(Message, frozen=True, kw_only=True, tag="console"):
    n: int
    console: ConsoleView


class SeatMessage(Message, frozen=True, kw_only=True, tag="seat"):
    """Your own bets and credit have changed."""

    you: SeatView


class Registered(Message, frozen=True, kw_only=True, tag="registered"):
    """These are durable: what came together is answered together. A cash-out brings its voucher with it,
    and x2 a note where some bets could not be doubled."""

    requests: list[str]
    entries: Annotated[
        list[int], Meta(description="For each, the number in the table's journal of the first entry that it led to")
    ]
    you: SeatView | None = None
    voucher: VoucherSlip | None = None
    note: Sentence | None = None  # what was not done with it, and why


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """It was not done, and nothing has changed. Without a request, the message itself could not be understood.

    With `again`, nothing was decided: the same request may be sent again, and its answer then counts.
    """

    code: str
    message: str
    said: Sentence  # the message as values
    request: str = ""
    paragraph: str = ""
    again: bool = False
    you: SeatView | None = None


class Unknown(Message, frozen=True, kw_only=True, tag="unknown"):
    """Nobody can say yet whether these were done: send each again, after a pause, until it is registered or refused."""

    requests: list[str]
    why: Sentence


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """`now_ms` is what `closes_at_ms` is counted down by, `time_ms` the venue's time of day."""

    sent: float
    now_ms: int
    time_ms: int


class Halted(Message, frozen=True, kw_only=True, tag="halted"):
    """The table can no longer write its journal, and has stopped. What was registered is safe."""

    why: Sentence


class FloorTable(Struct, frozen=True, kw_only=True):
    """A table in the pit's list."""

    table: str
    title: str
    game: str
    mode: str
    dealer: str  # who is signed on; "" for nobody
    calls: tuple[CallView, ...]  # for an attendant; the oldest first
    status: Status
    phase: Phase
    in_play: bool
    round: int
    staked_cents: int
    seated: int
    waiting: int  # how many irregularities wait for a decision
    waiting_kind: str  # of the first
    waiting_rank: str
    faults: dict[str, Sentence]
    halted: Sentence | None
    halted_at_ms: int | None  # by the venue's time
    alarms: tuple[AlarmView, ...]  # the oldest first
    cards: tuple[DealtCard, ...]  # with what follows, the hand that lies and the road of the shoe
    player_total: int | None
    banker_total: int | None
    result: Shown | None
    results: tuple[str, ...]
    closes_at_ms: int | None
    node: str  # that has the table; "" where there is one machine


class Floor(Message, frozen=True, kw_only=True, tag="floor"):
    """All tables, on connecting; afterwards those that changed."""

    n: int
    now_ms: int
    tables: tuple[FloorTable, ...]


class LobbyTable(Struct, frozen=True, kw_only=True):
    """A table as a player chooses it: what it is, how it goes, and its roads."""

    table: str
    title: str
    game: str
    takes_visitors: bool
    status: Status
    phase: Phase
    takes_bets: bool
    closes_at_ms: int | None
    round: int
    winner: Winner | None  # of the round that is over
    results: tuple[str, ...]  # as in TableView
    least_cents: int  # on Player or Banker
    most_cents: int
    is_out_of_service: bool


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """All tables, on connecting; afterwards those that changed."""

    now_ms: int
    tables: tuple[LobbyTable, ...]


FromServer = (
    Welcome | TableMessage | Console | SeatMessage | Registered | Refused | Unknown | Pong | Halted | Floor | Lobby
)

encode = msgspec.json.Encoder(enc_hook=str).encode  # a sentence is written as its English text
decode_from_terminal = msgspec.json.Decoder(FromTerminal).decode
