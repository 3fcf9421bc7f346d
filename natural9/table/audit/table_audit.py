"""One table derived again, from its first entry: what every entry should have said."""

from collections.abc import Mapping
from typing import Final, NamedTuple, cast, get_args

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import OfRound
from natural9.journal import table_events
from natural9.journal.card_events import OfCard, PlayCounted, PlayerBarred, PlayerCardedIn, PlayerCardedOut
from natural9.journal.catalogue import ALL_EVENTS
from natural9.journal.labels import label_of
from natural9.journal.line import JournalLine, Origin
from natural9.journal.mix_events import MixEvent, ShoeMixOpened
from natural9.journal.session_events import OfSession, SessionEnded, SessionStarted
from natural9.journal.visit_events import CreditTakenAlong, OfVisit, VisitEvent
from natural9.store.contract import Written
from natural9.store.recount import StreamsRecount
from natural9.table.audit.card_audit import CardAudit, time_goes_back
from natural9.table.audit.dealers import wrong_shift
from natural9.table.audit.derive import Decision, quote
from natural9.table.audit.findings import (
    DoesNotFollow,
    Fault,
    Verified,
    Wrong,
    fault_of,
    read_entry,
    show_moves,
)
from natural9.table.audit.plain_play import PlainPlay
from natural9.table.audit.rules import Rules
from natural9.table.audit.session_audit import wrong_session
from natural9.table.audit.shoe_audit import DrawnCards
from natural9.table.audit.table_checks import (
    in_a_fault,
    limits_in_play,
    wrong_bet,
    wrong_closing,
    wrong_debt,
    wrong_opening,
    wrong_purchase,
    wrong_shoe,
    wrong_voucher,
)
from natural9.table.audit.venue_audit import Tell, VenueAudit, signed_alone, wrong_request
from natural9.table.audit.visit_audit import wrong_visit
from natural9.table.state.evolve import another_game, evolve
from natural9.table.state.player_cards import CountedRound, play_counted
from natural9.table.state.postings import transfers
from natural9.table.state.state import TableState

_BETS: Final = (round_events.BetPlaced, round_events.InsurancePlaced)


class _Asks(NamedTuple):
    """What is asked of an event of one kind: most events need few of the checks, and there are millions."""

    is_play: bool  # it does not happen while the table has a fault
    is_noted: bool  # as soon as money has moved, whatever follows
    is_burnt: bool  # it follows from the shoe alone, whatever the game
    is_derived: bool  # from the rules of the round
    is_carded: bool  # a player's card has a part in it
    is_timed: bool  # by the table's own time
    is_limited: bool  # by a player's own limits, or of their session
    is_visit: bool
    is_of_the_table: bool  # the table adds something to the rules
    is_of_the_shoe: bool
    moves_cash: bool
    counts: str  # under which it is counted

    @classmethod
    def of(cls, shape: type[Event]) -> "_Asks":
        return cls(
            is_play=shape in _PLAY,
            is_noted=issubclass(shape, table_events.DebtLeft | SessionStarted | PlayCounted | OfVisit),
            is_burnt=issubclass(shape, round_events.CardsBurnt | round_events.FaceDownBurnt),
            is_derived=issubclass(shape, OfRound) and shape is not round_events.ShoeLoaded,
            is_carded=shape in (*_BETS, CreditTakenAlong, SessionEnded, PlayerCardedIn, PlayerCardedOut, PlayerBarred),
            is_timed=issubclass(shape, OfCard),
            is_limited=shape in (*_BETS, CreditTakenAlong) or issubclass(shape, OfSession),
            is_visit=issubclass(shape, OfVisit),
            is_of_the_table=shape in _OF_THE_TABLE,
            is_of_the_shoe=shape in _OF_THE_SHOE,
            moves_cash=issubclass(shape, table_events.CreditBought | table_events.HandPaid),
            counts=_COUNTED.get(shape, ""),
        )


_PLAY: Final = frozenset(
    {
        round_events.BettingOpened,
        round_events.BettingClosed,
        round_events.CardDealt,
        round_events.InsuranceOpened,
        round_events.InsuranceClosed,
        round_events.ResultDeclared,
        round_events.SeatSettled,
        round_events.RoundSettled,
    }
)
_OF_THE_TABLE: Final = frozenset(
    {
        *_BETS,
        round_events.BettingOpened,
        round_events.ShoeLoaded,
        table_events.DealerSignedOn,
        table_events.DealerSignedOff,
        table_events.TableClosed,
        table_events.LimitsChanged,
        table_events.DebtLeft,
        table_events.CreditBought,
        table_events.HandPaid,
        table_events.VoucherIssued,
        table_events.VoucherInserted,
        table_events.VoucherVoided,
    }
)
_OF_THE_SHOE: Final = frozenset(
    {
        round_events.BettingOpened,
        round_events.CardDealt,
        round_events.CardsBurnt,
        round_events.ShoeLoaded,
        table_events.ShoeCommitted,
        table_events.ShoeRevealed,
        table_events.FaultRaised,
        *get_args(MixEvent),
    }
)
_COUNTED: Final[Mapping[type[Event], str]] = {
    round_events.BetPlaced: "bets",
    round_events.InsurancePlaced: "bets",
    round_events.BettingOpened: "rounds",
    round_events.CardDealt: "cards",
    round_events.SeatSettled: "seats_settled",
    table_events.ShoeRevealed: "shoes_revealed",
}
_ASKS: Final = {shape: _Asks.of(shape) for shape in ALL_EVENTS}


class TableAudit:
    def __init__(self, table: str, rules: Rules, tell: Tell, found: Verified, recount: StreamsRecount) -> None:
        self.state = TableState(table)
        self._rules, self._tell, self._found = rules, tell, found
        self.earlier_counted: Mapping[int, CountedRound] = {}  # of the earlier round that was last taken up
        self._count_due: PlayCounted | None = None  # what the next entry must say
        self._decision = Decision()
        self._shoes = DrawnCards()
        self._cards = CardAudit(tell)
        self._has_rules = False
        self._last = 0
        self._earlier: RoundState | None = None
        self._acted: set[tuple[str, str]] = set()  # who, in which rank
        self._loaded_under = ""  # the rules of the last shoe that was loaded
        self.plain = PlainPlay(
            self.state, self._decision, self._shoes, found, recount.balances, recount.counts, rules.plain
        )

    def catch_up(self) -> None:
        """The state is as it was after the last entry, however that was known to follow."""
        if last := self.plain.leave():
            self._last = last

    def earlier_meant(self, event: Event) -> int | None:
        """The number of the round before this one that an entry takes up or decides about."""
        self.catch_up()
        match event:
            case round_events.RoundTakenUp() if not self._decision.due:
                return event.about_round
            case round_events.IrregularityDecided():
                waiting = [one for one in self.state.round.pending if one.report == event.report]
                return waiting[0].about_round if waiting else None
            case _:
                return None

    def examine(self, written: Written, earlier: RoundState | None = None) -> None:
        self._earlier = earlier
        line = read_entry(written)
        number = self.state.round.number
        if written.kind != line.tag:
            raise fault_of(written, number)(f"it is a {written.kind}", f"it is a {line.tag}, by its body")
        try:
            asks = _ASKS[type(line.event)]
            if (wrong := self._wrong(line, written, asks)) is not None:
                raise fault_of(written, number)(*wrong)
        except (BadInput, AssertionError, LookupError, ValueError, TypeError) as error:
            should = f"something that can happen here: {error}"
            raise fault_of(written, number)(quote(line.event), should) from None
        if asks.counts:
            setattr(self._found, asks.counts, getattr(self._found, asks.counts) + 1)
        self._last = written.seq
        self.plain.looked_at(written, may_go_on=self._has_rules and self._count_due is None)

    def _wrong(self, line: JournalLine, written: Written, asks: _Asks) -> Wrong:
        """Each check is asked given the state before the entry, but for the last two."""
        state, event = self.state, line.event
        if type(event) is round_events.BettingOpened:
            self._under_rules(event)
        if self._count_due is not None or type(event) is PlayCounted:
            due, self._count_due = self._count_due, None
            if due != (event if isinstance(event, PlayCounted) else None):
                return quote(event), quote(due) if due else "nothing: no player's round was settled"
        decision = self._decision
        follows = not asks.is_noted and (decision.due or (asks.is_derived and self._has_rules) or asks.is_burnt)
        if follows and (wrong := decision.wrong(state.round, line, self._earlier)):
            return wrong
        if asks.is_timed and (wrong := time_goes_back(state, event)):
            return wrong
        if asks.is_carded and (wrong := self._cards.wrong(state, event)):
            return wrong
        if asks.is_play and state.faults:
            return in_a_fault(state, event)
        if asks.is_of_the_table and (wrong := self._against_the_table(line, written)):
            return wrong
        if asks.is_limited and (wrong := wrong_session(state, event)):
            return wrong
        if asks.is_visit and (wrong := wrong_visit(state, cast(VisitEvent, event), self._tell)):
            return wrong
        if line.origin.rank and (wrong := self._wrong_rank(line.origin)):
            return wrong
        moved = transfers(state, event) if event.MOVES_MONEY else ()
        if moved != written.transfers:
            return show_moves(written.transfers), show_moves(moved)
        if asks.moves_cash:
            self._tell(VenueAudit.cash_moved, moved)
        if asks.is_of_the_shoe:
            self._check_shoe(event, written)
        if moved and not event.IS_QUIET:
            self._count_due = play_counted(state, event, self.earlier_counted)
        evolve(state, event, moved, line.origin, written.at_ms)
        label = label_of(state.table, event) if event.IS_FOUND_AGAIN else ""
        if written.label != label:
            return f"its label is {written.label!r}", f"its label is {label!r}"
        return wrong_request(written, line) if written.request or line.command is not None else None

    def _wrong_rank(self, origin: Origin) -> Wrong:
        acted = (origin.by, origin.rank)
        if acted in self._acted:
            return None
        self._acted.add(acted)
        return self._tell(VenueAudit.acted, *acted)

    def _check_shoe(self, event: Event, written: Written) -> None:
        """The entry that is wrong may be an earlier one: a card that is not what its shoe's order shows now."""
        if isinstance(event, ShoeMixOpened) and event.checkpoint:
            self._tell(VenueAudit.mixed_with, written.seq, event.checkpoint)
        if drawn := self._shoes.note(self.state, event, written.seq):
            seq, number, kind, says, should = drawn
            raise DoesNotFollow(
                Fault(entry=seq, stream=written.stream, round=number, kind=kind, says=says, should=should)
            )

    def _under_rules(self, event: round_events.BettingOpened) -> None:
        """The round is played by this game; after another one, only a shoe loaded for it is carried over."""
        game = self._rules.of(self.state.table, event)
        self._has_rules = game is not None
        if self.state.game not in ("", event.game):
            another_game(self.state)
        if self.state.round.rules is not game:
            self.state.round = self.state.round._replace(rules=game)

    def finish(self) -> None:
        """No decision was cut in half."""
        self.catch_up()
        if due := next(iter(self._decision.due), None) or self._count_due:
            stream = f"table/{self.state.table}"
            says = f"a decision ends with entry {self._last}"
            raise DoesNotFollow(Fault(entry=self._last, stream=stream, says=says, should=quote(due)))

    def _against_the_table(self, line: JournalLine, written: Written) -> Wrong:
        state = self.state
        match event := line.event:
            case round_events.BetPlaced() | round_events.InsurancePlaced():
                return wrong_bet(state, event, line.origin)
            case round_events.BettingOpened():
                return wrong_opening(state, event, has_rules=self._has_rules)
            case round_events.ShoeLoaded():
                before, self._loaded_under = self._loaded_under, event.rules_sha256
                return wrong_shoe(state, event, line.origin, loaded_before=before)
            case table_events.DealerSignedOn() | table_events.DealerSignedOff():
                return wrong_shift(state, event, line)
            case table_events.TableClosed():
                return wrong_closing(state)
            case table_events.LimitsChanged():
                return limits_in_play(state)
            case table_events.DebtLeft():
                return wrong_debt(state, event)
            case table_events.CreditBought():
                return signed_alone(event) or wrong_purchase(state, event, line.origin)
            case table_events.HandPaid():
                return signed_alone(event)
            case table_events.VoucherIssued():
                return wrong_voucher(state, event, written.at_ms, self._tell)
            case table_events.VoucherInserted():
                return self._tell(VenueAudit.inserted, event.number, event.cents, written.at_ms)
            case table_events.VoucherVoided():
                return self._tell(VenueAudit.voided, event.number, event.cents, state.table, event.seat)
            case _:
                return None
