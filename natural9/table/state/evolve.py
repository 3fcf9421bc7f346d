"""Evolve a table's state by one event, in place. It never refuses: the journal is replayed through it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from natural9.core.cards import parse_cards
from natural9.core.events import Event
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.events import BetPlaced, OfRound, RoundEvent
from natural9.core.round.evolve import bet_placed
from natural9.core.round.evolve import evolve as evolve_round
from natural9.core.table_of_play import INITIAL_DEAL
from natural9.journal import table_events
from natural9.journal.card_events import CardEvent, OfCard
from natural9.journal.line import Origin
from natural9.journal.mix_events import MixEvent, OfMix
from natural9.journal.session_events import OfSession, SessionEvent
from natural9.journal.table_events import TableEvent
from natural9.journal.visit_events import OfVisit, VisitEvent
from natural9.store.contract import Transfer
from natural9.table.state.player_cards import evolve_card
from natural9.table.state.sessions import evolve_session, money_came_or_went, seat_was_settled
from natural9.table.state.shoe_mix import evolve_mix
from natural9.table.state.state import Alarm, Call, Change, Status, TableSettings, TableState, result_of
from natural9.table.state.visits import evolve_visit, visitor_was_settled
from natural9.table.venue.limits import TableLimits


def evolve(state: TableState, event: Event, moved: tuple[Transfer, ...], origin: Origin, at_ms: int) -> None:
    """The event has happened then, as its entry says, and this money has moved."""
    by_account = state.by_account
    for _, source, target, cents in moved:
        if terminal := by_account.get(source):
            terminal.credit_cents -= cents
        elif source not in state.own_accounts:
            _change_credit(state, source, -cents)
        if terminal := by_account.get(target):
            terminal.credit_cents += cents
        elif target not in state.own_accounts:
            _change_credit(state, target, cents)
    if type(event) is BetPlaced:  # by far the most there are, in a journal, too: they take the shortest way
        _laid(state, event.seat, event.wager, event.cents, origin)
        state.round = bet_placed(state.round, event)
    elif isinstance(event, OfRound):
        happened = cast(RoundEvent, event)
        if keep := _BEFORE.get(type(happened)):
            keep(state, happened, origin)
        state.round = evolve_round(state.round, happened)
        if not event.IS_QUIET:
            _after_the_round(state, happened)
            if state.round.pending or state.alarms:
                _reports_that_wait(state, at_ms)
    elif isinstance(event, OfSession):
        evolve_session(state, cast(SessionEvent, event))
    elif isinstance(event, OfVisit):
        evolve_visit(state, cast(VisitEvent, event))
    elif isinstance(event, OfCard):
        evolve_card(state, cast(CardEvent, event))
    elif isinstance(event, OfMix):
        evolve_mix(state, cast(MixEvent, event))
    else:
        _around_the_round(state, cast(TableEvent, event), at_ms)


def _reports_that_wait(state: TableState, at_ms: int) -> None:
    waiting = [table_events.report_alarm(one.report) for one in state.round.pending]
    for alarm in state.alarms.keys() - {*waiting, *state.faults}:
        del state.alarms[alarm]
    for alarm in waiting:
        state.alarms.setdefault(alarm, Alarm(at_ms))


def _change_credit(state: TableState, account: str, cents: int) -> None:
    kind, _, owner = account.partition("/")
    if kind == "credit":
        state.terminal(_seat(owner)).credit_cents += cents
    elif kind == "owed":  # a debt is an account below zero
        state.terminal(_seat(owner)).owed_cents -= cents


def _seat(terminal_id: str) -> int:
    return int(terminal_id.rpartition("-")[2])


# Bets, and what undoing them takes.


def _changed(state: TableState, wager: str, cents: int) -> None:
    """What lies on a spot, all seats together."""
    state.laid[wager] = state.laid.get(wager, 0) + cents


def _laid(state: TableState, seat: int, wager: str, cents: int, origin: Origin) -> None:
    laid, terminal = state.laid, state.terminal(seat)
    laid[wager] = laid.get(wager, 0) + cents
    changes = terminal.changes
    if origin.command != "undo":
        changes.append(Change(origin.request, wager, cents))
    elif terminal.undone != origin.request:  # one undo may take several events
        del changes[-len(terminal.last_changes()) :]
        terminal.undone = origin.request


# What the table keeps of an event of the round, while the round still stands as it was.


def _shoe_loaded(state: TableState, event: round_events.ShoeLoaded, origin: Origin) -> None:
    state.retired = None


def _seat_settled(state: TableState, event: round_events.SeatSettled, origin: Origin) -> None:
    state.terminal(event.seat).settled = event
    seat_was_settled(state, event)
    visitor_was_settled(state, event)


def _bet_taken_back(state: TableState, event: round_events.BetTakenBack, origin: Origin) -> None:
    _laid(state, event.seat, event.wager, -event.cents, origin)


def _bets_cleared(state: TableState, event: round_events.BetsCleared, origin: Origin) -> None:
    for wager, cents in state.round.seats[event.seat].bets.items():
        _laid(state, event.seat, wager, -cents, origin)


def _bets_returned(state: TableState, event: round_events.BetsReturned, origin: Origin) -> None:
    terminal = state.terminal(event.seat)
    terminal.returned_cents, terminal.settled = event.cents, None
    terminal.last_bets = dict(state.round.seats[event.seat].bets)  # a void round's bets can be laid again, too


def _settlement_reversed(state: TableState, event: round_events.SettlementReversed, origin: Origin) -> None:
    state.terminal(event.seat).settled = None
    seat_was_settled(state, event)
    visitor_was_settled(state, event)


def _round_voided(state: TableState, event: round_events.RoundVoided, origin: Origin) -> None:
    state.voided, state.laid = event, {}
    _forget_result(state)


def _bet_voided(state: TableState, event: round_events.BetVoided, origin: Origin) -> None:
    _changed(state, event.wager, -event.cents)


def _bet_restored(state: TableState, event: round_events.BetRestored, origin: Origin) -> None:
    _changed(state, event.wager, event.cents)


def _interrupted(state: TableState, event: round_events.RoundInterrupted, origin: Origin) -> None:
    state.interruption = event


def _after_the_round(state: TableState, event: RoundEvent) -> None:
    """Whatever of this round follows a card opens it to all, once the first four lie."""
    shape, cards = type(event), len(state.round.cards)
    if shape is round_events.CardDealt:
        state.opened = cards - 1 if cards > len(INITIAL_DEAL) else 0
        return
    if shape not in _LEAVES_CARDS:
        state.opened = cards
    if shape is round_events.RoundSettled:
        state.results.append(state.result())
    elif shape is round_events.CardsCorrected and state.in_play:  # open again; a corrected suit leaves its result alone
        _forget_result(state)


_LEAVES_CARDS: Final = (  # they stay as they lie: nothing of the round changes, or it is about one that is over
    round_events.CutCardAppeared,
    round_events.RoundInterrupted,
    round_events.RoundTakenUp,
    round_events.EarlierCardsCorrected,
    round_events.EarlierSeatSettled,
    round_events.BetRuled,
)


def _forget_result(state: TableState) -> None:
    state.results = [result for result in state.results if result.round != state.round.number]


def _correct_result(state: TableState, event: round_events.EarlierCardsCorrected, origin: Origin) -> None:
    """An earlier round of this shoe stands otherwise on the roads."""
    cards = parse_cards(" ".join(event.cards))
    state.results = [
        result_of(event.round, cards, tuple(event.won)) if result.round == event.round else result
        for result in state.results
    ]


def _betting_opened(state: TableState, event: round_events.BettingOpened, origin: Origin) -> None:
    if state.game not in ("", event.game):
        another_game(state)
    for seat, at_seat in state.round.seats.items():
        state.terminal(seat).last_bets = at_seat.bets
    for terminal in state.terminals.values():
        if terminal.changes:
            terminal.changes = []
        terminal.undone = ""
        terminal.settled = terminal.counted = None
        terminal.returned_cents = 0
    if state.round.new_shoe:
        state.results = []
        state.commitment, state.next_commitment, state.mix = state.next_commitment, "", None
        state.shoe_required = None
    state.laid, state.voided, state.interruption = {}, None, None
    state.game, state.rules_sha256 = event.game, event.rules_sha256


_BEFORE: Final[Mapping[type[RoundEvent], Callable[[TableState, Any, Origin], None]]] = {
    round_events.ShoeLoaded: _shoe_loaded,
    round_events.SeatSettled: _seat_settled,
    round_events.BetTakenBack: _bet_taken_back,
    round_events.BetsCleared: _bets_cleared,
    round_events.BetsReturned: _bets_returned,
    round_events.BettingOpened: _betting_opened,
    round_events.SettlementReversed: _settlement_reversed,
    round_events.RoundVoided: _round_voided,
    round_events.BetVoided: _bet_voided,
    round_events.BetRestored: _bet_restored,
    round_events.RoundInterrupted: _interrupted,
    round_events.EarlierCardsCorrected: _correct_result,
}


def another_game(state: TableState) -> None:
    """Of the last one nothing is carried over but the numbers, and a shoe that was loaded since."""
    now = state.round
    state.round = RoundState(now.rules, now.new_shoe, shoe_number=now.shoe_number, number=now.number)


def _around_the_round(state: TableState, event: TableEvent, at_ms: int) -> None:
    match event:
        case table_events.TableOpened():
            state.status, state.why, state.settings = Status.OPEN, "", _settings(event)
        case table_events.SettingsChanged():
            state.settings = _settings(event)
        case table_events.TableResumed():
            state.status, state.why = Status.OPEN, ""
        case table_events.TablePaused():
            state.status, state.why = Status.PAUSED, event.why
        case table_events.TableClosed():
            state.status, state.why = Status.CLOSED, event.why
        case table_events.DealerSignedOn():
            state.dealer = event.dealer
        case table_events.DealerSignedOff():
            state.dealer = ""
        case table_events.TableHeld():
            state.held = True
        case table_events.TableContinued():
            state.held = False
        case table_events.LimitsChanged():
            _limits_changed(state, event)
        case table_events.TerminalLocked():
            state.terminal(event.seat).locked = event.why
        case table_events.TerminalUnlocked():
            state.terminal(event.seat).locked = ""
        case table_events.AttendantCalled():
            state.terminal(event.seat).call = Call(event.called_at_ms)
        case table_events.CallTaken():
            terminal = state.terminal(event.seat)
            terminal.call = terminal.call and terminal.call._replace(taken_by=event.by)
        case table_events.CallWithdrawn() | table_events.CallCleared():
            state.terminal(event.seat).call = None
        case table_events.FaultRaised():
            state.faults[event.fault] = event.detail
            state.alarms.setdefault(event.fault, Alarm(at_ms))
        case table_events.FaultCleared():
            state.faults.pop(event.fault, None)
            state.alarms.pop(event.fault, None)
        case table_events.AlarmTaken():
            if alarm := state.alarms.get(event.alarm):
                state.alarms[event.alarm] = alarm._replace(taken_by=event.by)
        case table_events.VoucherIssued():
            state.terminal(event.seat).vouchers += 1
            money_came_or_went(state, event)
        case table_events.ShoeCommitted():
            state.next_commitment, state.mix = event.commitment, None
        case table_events.ShoeRevealed():
            if state.next_commitment == event.commitment:  # it was loaded, and is never played
                state.round, state.next_commitment, state.mix = state.round._replace(new_shoe=None), "", None
        case table_events.NewShoeRequired():
            state.shoe_required = (event.kind, event.paragraph)
        case (  # money alone, which has moved
            table_events.CreditBought()
            | table_events.HandPaid()
            | table_events.VoucherInserted()
            | table_events.VoucherVoided()
        ):
            money_came_or_went(state, event)
        case (
            table_events.RoundFrozen()
            | table_events.LateBetRefused()
            | table_events.BetsNotDoubled()
            | table_events.RequestRefused()
            | table_events.WrongVoucherCodes()
            | table_events.DebtLeft()
        ):
            pass


def _settings(said: table_events.TableOpened | table_events.SettingsChanged) -> TableSettings:
    return TableSettings(*[getattr(said, name) for name in TableSettings._fields])


def _limits_changed(state: TableState, event: table_events.LimitsChanged) -> None:
    state.limits = TableLimits(
        betting_unit_cents=event.betting_unit_cents,
        by_wager=event.limits,
        seat_min_cents=event.seat_min_cents,
        seat_max_cents=event.seat_max_cents,
        table_max_cents=event.table_max_cents,
    )
    if event.from_file:
        state.file_limits = state.limits
