"""A player's session at a seat: how long, how much, and the limits that hold. Changed by events only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from natural9.core.round import events as round_events
from natural9.core.round.events import RoundEvent
from natural9.journal import session_events, table_events
from natural9.journal.card_events import PlayerPlay
from natural9.journal.session_events import Raise, SessionEvent
from natural9.journal.table_events import TableEvent

if TYPE_CHECKING:
    from natural9.table.state.state import TableState, Terminal

SEAT_OWNS: Final = "seat"  # whose limits they are where no player's card is in; else it is the player's number


@dataclass(slots=True, kw_only=True)
class PlayerSession:
    """Moments are by the table's own time. `is_watched`: something may refuse a bet; else a bet asks for nothing."""

    number: int
    owner: str
    started_ms: int
    check_ms: int  # between two reality checks; 0 for none
    idle_ms: int
    in_cents: int
    owed_before_cents: int = 0  # a debt of the seat that is no loss of this session
    out_cents: int = 0
    staked_cents: int = 0
    rounds: int = 0
    time_ms: int | None
    loss_cents: int | None
    stake_cents: int | None
    waiting: Mapping[str, Raise] = field(default_factory=dict)
    waits_for: str = ""  # "check" or "idle": no bet until the player has answered
    checked_ms: int  # since when the next reality check is counted
    break_until_ms: int = 0
    has_set_limits: bool = False  # the player, in this session
    played_before_ms: int = 0  # at other terminals, by the player whose card is in
    lost_before_cents: int = 0
    has_own_limits: bool = False  # of the player's, or had a break: the seat keeps it until it was empty for a while
    is_watched: bool = False

    def played_ms(self, table_ms: int) -> int:
        return table_ms - self.started_ms

    def watch(self) -> None:
        limits = (self.time_ms, self.loss_cents, self.stake_cents)
        self.is_watched = bool(self.waits_for or self.break_until_ms or any(one is not None for one in limits))


def stakes_cents(state: "TableState", seat: int) -> int:
    """What lies on the table for this seat and is not decided, and what the terminal has at risk at other tables."""
    terminal = state.terminals.get(seat)
    away = terminal.away_cents if terminal else 0
    return away + (state.round.seats[seat].staked_cents if state.in_play else 0)


def has_money(state: "TableState", seat: int) -> bool:
    """Credit, or a bet that lies, here or elsewhere."""
    return state.credit_cents(seat) > 0 or stakes_cents(state, seat) > 0


def net_cents(state: "TableState", seat: int, session: PlayerSession) -> int:
    """Money out, credit and stakes, less what is owed and what came in."""
    return _net_cents(state.terminal(seat), session, stakes_cents(state, seat))


def _net_cents(terminal: "Terminal", session: PlayerSession, at_risk_cents: int) -> int:
    owes = terminal.owed_cents - session.owed_before_cents
    return session.out_cents + terminal.credit_cents + at_risk_cents - owes - session.in_cents


def worst_loss_of_session(state: "TableState", seat: int, session: PlayerSession) -> int:
    """What the session has lost if all that lies is lost, and a carded player before at other terminals."""
    return session.lost_before_cents + stakes_cents(state, seat) - net_cents(state, seat, session)


def room_cents(state: "TableState", seat: int) -> int | None:
    """How much more the session's limits on loss and stake let the seat bet now; None where they say nothing."""
    session = state.terminal(seat).session
    if session is None:
        return None
    rooms = []
    if session.loss_cents is not None:
        rooms.append(session.loss_cents - worst_loss_of_session(state, seat, session))
    if session.stake_cents is not None:
        rooms.append(session.stake_cents - stakes_cents(state, seat))
    return max(0, min(rooms)) if rooms else None


def _changing(state: "TableState", seat: int) -> PlayerSession | None:
    """The session that is about to change: what was shown of it is out of date."""
    terminal = state.terminal(seat)
    terminal.session_view = None
    return terminal.session


def money_came_or_went(state: "TableState", event: TableEvent) -> None:
    """What a session counts as in and out."""
    match event:
        case table_events.CreditBought() | table_events.VoucherInserted() | table_events.VoucherVoided():
            if session := _changing(state, event.seat):
                session.in_cents += event.cents
        case table_events.HandPaid() | table_events.VoucherIssued():
            if session := _changing(state, event.seat):
                session.out_cents += event.cents
        case _:
            pass


def seat_was_settled(state: "TableState", event: RoundEvent) -> None:
    """A round counts once it is settled; a settlement that is reversed does not."""
    match event:
        case round_events.SeatSettled():
            if session := _changing(state, event.seat):
                session.staked_cents += event.staked_cents
                session.rounds += 1
        case round_events.SettlementReversed():
            if (session := _changing(state, event.seat)) and session.rounds:
                session.staked_cents -= state.round.seats[event.seat].staked_cents
                session.rounds -= 1
        case _:
            pass


def evolve_session(state: "TableState", event: SessionEvent) -> None:
    if isinstance(event, session_events.SeatReleased):  # its session ends beside it
        return
    state.table_ms = event.table_ms
    if isinstance(event, session_events.PlayTimeNoted):
        return
    session, terminal = _changing(state, event.seat), state.terminal(event.seat)
    if isinstance(event, session_events.SessionStarted):
        state.sessions = event.session
        state.playing.add(event.seat)
        terminal.session = _started(event)
        if terminal.card:
            _bring(terminal.session, terminal.card.play)
        return
    assert session is not None, f"{event.TAG} at seat {event.seat}, which has no session"
    match event:
        case session_events.SessionEnded():
            terminal.session = None
            if terminal.card is None:
                state.playing.discard(event.seat)
        case session_events.PlayLimitsSet():
            session.time_ms, session.loss_cents = event.time_ms, event.loss_cents
            session.stake_cents = event.stake_cents
            session.waiting, session.has_own_limits, session.has_set_limits = dict(event.waiting), True, True
        case session_events.RealityCheckDue():
            session.waits_for = "check"
        case session_events.PlayPaused():
            session.waits_for = "idle"
        case session_events.PlayContinued():
            if session.waits_for == "check":
                session.checked_ms = event.table_ms
            session.waits_for = ""
        case session_events.BreakTaken():
            session.break_until_ms, session.has_own_limits = event.until_ms, True
    session.watch()


def _bring(session: PlayerSession, play: PlayerPlay) -> None:
    """What waits for a carded player, and what counts of before, comes along."""
    session.waiting, session.break_until_ms = dict(play.waiting), play.break_until_ms
    session.played_before_ms, session.lost_before_cents = play.played_ms, play.lost_cents
    session.has_own_limits = play.own
    session.watch()


def session_ended(state: "TableState", seat: int, session: PlayerSession, table_ms: int) -> session_events.SessionEnded:
    """What is still credit goes along with its player."""
    return session_events.SessionEnded(
        session=session.number,
        seat=seat,
        table_ms=table_ms,
        played_ms=session.played_ms(table_ms),
        rounds=session.rounds,
        staked_cents=session.staked_cents,
        in_cents=session.in_cents,
        out_cents=session.out_cents + state.credit_cents(seat),
    )


def _started(event: session_events.SessionStarted) -> PlayerSession:
    session = PlayerSession(
        number=event.session,
        owner=event.owner,
        started_ms=event.table_ms,
        check_ms=event.check_ms,
        idle_ms=event.idle_ms,
        in_cents=event.in_cents,
        owed_before_cents=event.owed_cents,
        time_ms=event.time_ms,
        loss_cents=event.loss_cents,
        stake_cents=event.stake_cents,
        checked_ms=event.table_ms,
    )
    session.watch()
    return session


# As a seat sees it.


class RaiseView(msgspec.Struct, frozen=True, kw_only=True):
    """A limit (time, loss or stake) that may be raised to this, or removed, from a moment of the play clock on."""

    limit: str
    value: int | None
    from_ms: int


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """Moments are by the play clock, as `now_ms`. A limit of time is in minutes, None where there is none."""

    number: int  # of the table's sessions: with another one, another player sits here
    started_ms: int
    net_cents: int
    in_cents: int
    out_cents: int
    staked_cents: int
    rounds: int
    waits_for: str  # "" for nothing, "check" for a reality check, "idle" after a while without a bet
    checks_at_ms: int | None  # when the next reality check comes
    break_until_ms: int | None
    time_min: int | None
    loss_cents: int | None
    stake_cents: int | None
    waiting: tuple[RaiseView, ...]
    most_time_min: int | None
    most_loss_cents: int | None
    most_stake_cents: int | None
    longest_break_min: int
    cooling_off_min: int
    may_end: bool


_MINUTE_MS: Final = 60_000
_NAMES: Final = {"time_ms": "time", "loss_cents": "loss", "stake_cents": "stake"}


def seat_sees_session(state: "TableState", terminal: "Terminal", staked_cents: int) -> SessionView | None:
    """With so much of the seat's on the table. It is sent with every answer to a bet, and no bet changes it: made again
    only where something has."""
    session = terminal.session
    if session is None:
        return None
    at_risk_cents = terminal.away_cents + (staked_cents if state.in_play else 0)
    net = _net_cents(terminal, session, at_risk_cents)
    may_end = not (session.has_own_limits or terminal.card or terminal.credit_cents > 0 or at_risk_cents > 0)
    shown = terminal.session_view
    if shown is None or shown.net_cents != net or shown.may_end != may_end:
        shown = terminal.session_view = _view(state, session, net, may_end=may_end)
    return shown


def _view(state: "TableState", session: PlayerSession, net: int, *, may_end: bool) -> SessionView:
    ahead, protection = state.ahead_ms, state.config.protection
    most = protection.most if protection else None
    return SessionView(
        number=session.number,
        started_ms=session.started_ms - ahead,
        net_cents=net,
        in_cents=session.in_cents,
        out_cents=session.out_cents,
        staked_cents=session.staked_cents,
        rounds=session.rounds,
        waits_for=session.waits_for,
        checks_at_ms=session.checked_ms + session.check_ms - ahead if session.check_ms else None,
        break_until_ms=session.break_until_ms - ahead if session.break_until_ms else None,
        time_min=_minutes(session.time_ms),
        loss_cents=session.loss_cents,
        stake_cents=session.stake_cents,
        waiting=tuple(
            [
                RaiseView(
                    limit=_NAMES[name],
                    value=_minutes(one.value) if name == "time_ms" else one.value,
                    from_ms=one.from_ms - ahead,
                )
                for name, one in session.waiting.items()
            ]
        ),
        most_time_min=_minutes(most.time_ms) if most else None,
        most_loss_cents=most.loss_cents if most else None,
        most_stake_cents=most.stake_cents if most else None,
        longest_break_min=protection.longest_break_ms // _MINUTE_MS if protection else 0,
        cooling_off_min=protection.cooling_off_ms // _MINUTE_MS if protection else 0,
        may_end=may_end,
    )


def _minutes(ms: int | None) -> int | None:
    return None if ms is None else ms // _MINUTE_MS
