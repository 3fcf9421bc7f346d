"""The state of a live table: the round, and everything around it that has to outlive a power cut.

It belongs to the table's one writer, which changes it in place, event by event, by `evolve`; folding the journal does
the same and arrives at the same state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Final, NamedTuple

import msgspec

from natural9.core.cards import Card
from natural9.core.irregularities import Kind
from natural9.core.outcome import Outcome, Winner
from natural9.core.round import RoundState
from natural9.core.round.events import RoundInterrupted, RoundVoided, SeatSettled
from natural9.core.round.state import Phase
from natural9.core.saying import Said, say
from natural9.journal.accounts import credit_account, house_account, stake_account
from natural9.table.state.player_cards import CountedRound, PlayerCard
from natural9.table.state.sessions import PlayerSession, SessionView
from natural9.table.state.shoe_mix import SeatNonce, ShoeMix
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.limits import NO_LIMITS, TableLimits, offered_wagers
from natural9.table.venue.tables import TableConfig

_NO_ROUND: Final = RoundState()


class Status(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    PAUSED = "paused"  # the open round goes on to its end; no other begins

    @property
    def words(self) -> Said:
        """As a sentence says it."""
        return _STATUS[self]


_STATUS: Final = {Status.CLOSED: say("closed"), Status.OPEN: say("open"), Status.PAUSED: say("paused")}


class Change(msgspec.Struct, frozen=True, gc=False):
    """What a request changed on one of a seat's spots, so that it can be undone: with all else that it changed."""

    request: str
    wager: str
    cents: int


class Call(NamedTuple):
    """An attendant is called to a seat, since then; whoever has taken it goes there."""

    at_ms: int  # by the record clock
    taken_by: str = ""


class Alarm(NamedTuple):
    """The table needs somebody since then; whoever has taken it sees to it."""

    at_ms: int  # by the record clock
    taken_by: str = ""


@dataclass(slots=True)
class Terminal:
    """One seat's terminal. `owed_cents` is what a correction could not take back from its credit."""

    account: str
    credit_cents: int = 0
    owed_cents: int = 0
    locked: str = ""
    call: Call | None = None
    vouchers: int = 0  # how many it has issued: their numbers count on from here
    last_bets: Mapping[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    undone: str = ""  # the request that last undid a change
    settled: SeatSettled | None = None  # what this round brought it
    returned_cents: int = 0  # what a void gave back to it
    card: PlayerCard | None = None  # of a player with a name
    counted: CountedRound | None = None  # this round, for the player who bet in it
    session: PlayerSession | None = None  # of the player who sits here
    sent: int = 0  # how often it has sent credit to another table: the numbers of what is on its way count on from here
    away_cents: int = 0  # of its credit, at risk at other tables
    home: SeatPlace | None = None  # where a visitor belongs; None at an own seat. What follows is a visitor's:
    brought_cents: int = 0  # that its own table still counts as at risk
    visit_staked_cents: int = 0  # in rounds that its own table has not been told of, and how many
    visit_rounds: int = 0
    nonce: SeatNonce | None = None  # what it mixes into the next shoe
    session_view: SessionView | None = field(default=None, compare=False, repr=False)  # as it was shown last

    def last_changes(self) -> list[Change]:
        """Those of the latest request that can still be undone."""
        changed_last = takewhile(lambda change: change.request == self.changes[-1].request, reversed(self.changes))
        return list(changed_last)[::-1]


class TableSettings(NamedTuple):
    """What a table runs under by the venue file, as the journal says it."""

    game: str
    rules_sha256: str
    decks: int
    mode: str
    shoe: str
    optional: tuple[str, ...]
    joint_shoe: bool

    @classmethod
    def of(cls, config: TableConfig) -> "TableSettings":
        offered = offered_wagers(config.game, config.optional)
        optional = tuple(wager.id for wager in config.game.wagers if wager.optional and wager.id in offered)
        game = config.game
        return cls(game.id, game.sha256, config.decks, config.mode, config.shoe, optional, config.joint_shoe)


class RetiredShoe(NamedTuple):
    """Cards that are played no further: the table has taken up another game, other rules or other cards since. With
    the next shoe its order is revealed, as any other."""

    number: int
    decks: int
    commitment: str  # "" of real cards
    dealt: int


class RoundResult(NamedTuple):
    """One round of the shoe, for roads and tallies."""

    round: int
    winner: Winner
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    won: tuple[str, ...]  # the wagers that it paid


def result_of(number: int, cards: Sequence[Card], won: tuple[str, ...]) -> RoundResult:
    outcome = Outcome.of([card.rank for card in cards])
    return RoundResult(
        round=number,
        winner=outcome.winner,
        player_total=outcome.player_total,
        banker_total=outcome.banker_total,
        natural=outcome.player_natural or outcome.banker_natural,
        player_pair=outcome.player_pair,
        banker_pair=outcome.banker_pair,
        won=won,
    )


@dataclass(slots=True)
class TableState:
    """Folding events needs a table's name alone; deciding needs its configuration, and asks for `config`."""

    table: str
    round: RoundState = _NO_ROUND
    limits: TableLimits = NO_LIMITS
    file_limits: TableLimits = NO_LIMITS  # those of the venue file that were last taken over
    configured: TableConfig | None = None
    settings: TableSettings | None = None  # as they were last recorded; None before the table was ever opened
    game: str = ""  # that the last round was opened under
    rules_sha256: str = ""  # and its rules
    status: Status = Status.CLOSED
    why: str = ""  # why it is paused or closed
    dealer: str = ""  # who is signed on
    terminals: dict[int, Terminal] = field(default_factory=dict)
    by_account: dict[str, Terminal] = field(default_factory=dict)
    visitors: dict[SeatPlace, int] = field(default_factory=dict)  # the seat of each here
    laid: dict[str, int] = field(default_factory=dict)  # on each spot in this round, all seats together
    commitment: str = ""  # of the shuffler's order in use
    next_commitment: str = ""  # of an order shuffled for the shoe that the next round opens with
    mix: ShoeMix | None = None  # of the shoe that is loaded, until its first round
    retired: RetiredShoe | None = None  # until the next shoe is loaded. No part of history
    shoe_required: tuple[Kind, str] | None = None  # what the last round was void for, and the paragraph
    results: list[RoundResult] = field(default_factory=list)
    voided: RoundVoided | None = None  # this round, if it is void
    faults: dict[str, Said] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)  # of each fault, and of each report that waits
    held: bool = False  # stopped on purpose
    interruption: RoundInterrupted | None = None  # the last one of this round
    opened: int = 0  # so many of its cards are open to all; where none is squeezed, nobody asks
    table_ms: int = 0  # how long the table has been at work, as far as an event has told: sessions are timed by it
    sessions: int = 0  # how many players' sessions there were
    playing: set[int] = field(default_factory=set)  # seats that are in one, or have a card in
    since_ms: int = 0  # when the round last moved, by the play clock: timers count from here. No part of history
    mix_since_ms: int = 0  # when the seats were asked to reveal, likewise. No part of history
    ahead_ms: int = 0  # how far the table's own time is ahead of the play clock, in this run. No part of history

    stakes: str = field(init=False)  # the account that they lie in
    house: str = field(init=False)  # and the house's at this table
    own_accounts: tuple[str, str] = field(init=False, compare=False, repr=False)  # both: no terminal's

    def __post_init__(self) -> None:
        self.stakes, self.house = stake_account(self.table), house_account(self.table)
        self.own_accounts = (self.stakes, self.house)

    @classmethod
    def new(cls, config: TableConfig) -> "TableState":
        return cls(
            table=config.id,
            round=RoundState(config.game),
            limits=config.limits,
            configured=config,
        )

    @property
    def config(self) -> TableConfig:
        assert self.configured is not None, "a table folded without its configuration decides nothing"
        return self.configured

    def terminal(self, seat: int) -> Terminal:
        terminal = self.terminals.get(seat)
        if terminal is None:
            terminal = self.terminals[seat] = Terminal(credit_account(self.table, seat))
            self.by_account[terminal.account] = terminal
        return terminal

    def credit_cents(self, seat: int) -> int:
        terminal = self.terminals.get(seat)
        return terminal.credit_cents if terminal else 0

    def is_a_seat(self, seat: int) -> bool:
        """Of the table's own, or a visitor's."""
        return 1 <= seat <= self.config.seats or self.home_of(seat) is not None

    def home_of(self, seat: int) -> SeatPlace | None:
        """Where the visitor at this seat belongs."""
        terminal = self.terminals.get(seat)
        return terminal.home if terminal else None

    def call_of(self, seat: int) -> Call | None:
        terminal = self.terminals.get(seat)
        return terminal.call if terminal else None

    def calls(self) -> dict[int, Call]:
        """Those that stand, by seat; the oldest first."""
        found = [(seat, terminal.call) for seat, terminal in self.terminals.items() if terminal.call]
        return dict(sorted(found, key=lambda one: (one[1].at_ms, one[0])))

    def result(self) -> RoundResult:
        """The round as its cards show it."""
        return result_of(self.round.number, self.round.cards, self.round.won)

    @property
    def has_a_shoe(self) -> bool:
        """In use, or loaded for the next round."""
        return self.round.shoe is not None or self.round.new_shoe is not None

    @property
    def is_of_another_source(self) -> bool:
        """The cards at the table are real and the venue file has a shuffler by now, or the other way round."""
        promised = self.next_commitment if self.round.new_shoe else self.commitment
        return self.has_a_shoe and bool(promised) != (self.config.shoe is ShoeSource.SHUFFLER)

    @property
    def offered_next(self) -> tuple[str, ...]:
        """The wagers of the next round: its shoe's, or those of the venue file where there is none yet."""
        if self.round.new_shoe:
            return self.round.new_shoe.offered
        return self.round.offered if self.round.shoe else offered_wagers(self.config.game, self.config.optional)

    @property
    def in_play(self) -> bool:
        """A round is open: bets lie, or cards do."""
        return self.round.phase not in (Phase.NO_ROUND, Phase.SETTLED, Phase.VOID)

    def holds(self, seat: int) -> tuple[Said, ...]:
        """What of a player's is at this seat, in words without amounts; nothing where nobody would miss anything."""
        at_seat = self.terminals.get(seat)
        found = {
            say("credit"): at_seat is not None and at_seat.credit_cents > 0,
            say("bets"): (self.in_play and self.round.seats[seat].staked_cents > 0)
            or (at_seat is not None and at_seat.away_cents > 0),
            say("a debt"): at_seat is not None and at_seat.owed_cents > 0,
            say("a player's card"): at_seat is not None and at_seat.card is not None,
        }
        return tuple(what for what, is_there in found.items() if is_there)

    @property
    def at_stake_cents(self) -> int:
        """All bets and insurance of the open round."""
        return self.round.staked_cents if self.in_play else 0
