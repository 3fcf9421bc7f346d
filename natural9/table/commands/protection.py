"""Player protection: what a session's limits refuse, and what a player may do about their own play.

A lower limit holds at once. A higher one, or none, is asked for, waits for a cooling-off, and holds when it is asked
for once more.
"""

from typing import Final

from natural9.core.events import Event
from natural9.core.money import show_cents
from natural9.core.round import Refusal
from natural9.core.round import events as round_events
from natural9.core.saying import Said, say
from natural9.journal import session_events
from natural9.journal.session_events import Raise, how_long
from natural9.table.commands import staff, terminal
from natural9.table.commands.refusals import TableCode
from natural9.table.state.sessions import (
    SEAT_OWNS,
    PlayerSession,
    has_money,
    room_cents,
    stakes_cents,
    worst_loss_of_session,
)
from natural9.table.state.state import TableState
from natural9.table.venue.protection import MINUTE_MS, Protection

Decision = list[Event] | Refusal
_USUAL: Final = Protection()  # for a session that goes on though the venue has switched protection off


# What a session refuses.


def refuses(
    state: TableState, seat: int, session: PlayerSession, decided: list[Event], table_ms: int
) -> Refusal | None:
    """Why these bets are not taken; taking back is always allowed."""
    added = sum([_added(event) for event in decided])
    return refuses_more(state, seat, session, added, table_ms) if added > 0 else None


def refuses_more(state: TableState, seat: int, session: PlayerSession, added: int, table_ms: int) -> Refusal | None:
    """Why so much more may not be put at risk, here or at another table."""
    return (
        _play_waits(session, table_ms)
        or _time_is_up(session, table_ms)
        or _loses_too_much(state, seat, session, added)
        or _stakes_too_much(state, seat, session, added)
    )


def _added(event: Event) -> int:
    match event:
        case round_events.BetPlaced() | round_events.InsurancePlaced():
            return event.cents
        case round_events.BetTakenBack() | round_events.BetsCleared():
            return -event.cents
        case _:
            return 0


def _play_waits(session: PlayerSession, table_ms: int) -> Refusal | None:
    if session.waits_for == "check":
        why = say(
            "You have played for {time}: confirm that you have seen it, then bet on", time=_played(session, table_ms)
        )
        return Refusal(TableCode.REALITY_CHECK, why)
    if table_ms < session.break_until_ms:
        left = how_long(session.break_until_ms - table_ms + MINUTE_MS - 1)
        return Refusal(TableCode.ON_A_BREAK, say("You take a break: you can bet again in {time}", time=left))
    if session.waits_for:
        return Refusal(TableCode.PLAY_PAUSED, say("Play is paused: touch Continue, then bet"))
    return None


def _played(session: PlayerSession, table_ms: int) -> Said:
    return how_long(session.played_ms(table_ms))


def _time_is_up(session: PlayerSession, table_ms: int) -> Refusal | None:
    if session.time_ms is None or session.played_ms(table_ms) < session.time_ms:
        return None
    why = say(
        "Your time limit of {limit} is reached: you have played for {time}",
        limit=how_long(session.time_ms),
        time=_played(session, table_ms),
    )
    return Refusal(TableCode.OVER_TIME_LIMIT, why)


def _loses_too_much(state: TableState, seat: int, session: PlayerSession, added: int) -> Refusal | None:
    if session.loss_cents is None:
        return None
    worst = worst_loss_of_session(state, seat, session) + added
    if worst <= session.loss_cents:
        return None
    why = say(
        "Your loss limit is {limit}. If all your bets lost, you would have lost {worst}: you can bet {room} more",
        limit=show_cents(session.loss_cents),
        worst=show_cents(worst),
        room=show_cents(room_cents(state, seat) or 0),
    )
    return Refusal(TableCode.OVER_LOSS_LIMIT, why)


def _stakes_too_much(state: TableState, seat: int, session: PlayerSession, added: int) -> Refusal | None:
    if session.stake_cents is None or (staked := stakes_cents(state, seat) + added) <= session.stake_cents:
        return None
    shown = {"staked": show_cents(staked), "limit": show_cents(session.stake_cents)}
    if state.terminal(seat).away_cents:
        why = say("{staked} at once at all tables is over your stake limit of {limit}", **shown)
    else:
        why = say("{staked} in this round is over your stake limit of {limit}", **shown)
    return Refusal(TableCode.OVER_STAKE_LIMIT, why)


# What a player may do.


def own_play(state: TableState, seat: int, tap: terminal.PlayTap, table_ms: int) -> Decision:
    session = state.terminal(seat).session
    if session is None:
        why = say("There is no session at this seat: it begins when there is credit")
        return Refusal(TableCode.NO_SESSION, why)
    match tap:
        case terminal.SetPlayLimits():
            return _set_limits(state, seat, session, tap, table_ms)
        case terminal.TakeBreak():
            return _take_break(state, seat, session, tap, table_ms)
        case terminal.ContinuePlay():
            return _continue(seat, session, table_ms)
        case terminal.EndSession():
            return _end(state, seat, session, table_ms)
        case _:
            raise AssertionError(f"{tap} is about no session")


def _set_limits(
    state: TableState, seat: int, session: PlayerSession, tap: terminal.SetPlayLimits, table_ms: int
) -> Decision:
    protection = state.config.protection or _USUAL
    asked = {
        "time_ms": None if tap.time_min is None else tap.time_min * MINUTE_MS,
        "loss_cents": tap.loss_cents,
        "stake_cents": tap.stake_cents,
    }
    held: dict[str, int | None] = {}
    waiting: dict[str, Raise] = {}
    for name, value in asked.items():
        most: int | None = getattr(protection.most, name)
        if value is not None and most is not None and value > most:
            return _over_the_house(name, most)
        value = most if value is None else value
        now: int | None = getattr(session, name)
        wait = session.waiting.get(name)
        if not _is_more(value, now):
            held[name] = value  # lower, or the same: at once
            if wait and value == now:
                waiting[name] = wait
        elif wait and table_ms >= wait.from_ms and not _is_more(value, wait.value):
            held[name] = value
        else:
            held[name] = now
            same = wait and not _is_more(value, wait.value)
            waiting[name] = Raise(value, wait.from_ms if wait and same else table_ms + protection.cooling_off_ms)
            if not protection.cooling_off_ms:
                held[name] = waiting.pop(name).value
    if held == {name: getattr(session, name) for name in asked} and waiting == session.waiting:
        return Refusal(TableCode.BAD_LIMITS, say("Your limits are like this already: change one of them"))
    return [
        session_events.PlayLimitsSet(
            session=session.number,
            seat=seat,
            table_ms=table_ms,
            time_ms=held["time_ms"],
            loss_cents=held["loss_cents"],
            stake_cents=held["stake_cents"],
            waiting=waiting,
        )
    ]


def _is_more(value: int | None, than: int | None) -> bool:
    """None is no limit, and more than any."""
    return than is not None and (value is None or value > than)


def _over_the_house(name: str, most: int) -> Refusal:
    shown = how_long(most) if name == "time_ms" else show_cents(most)
    return Refusal(TableCode.BAD_LIMITS, say("The house allows {most} at most: set that or less", most=shown))


def _take_break(
    state: TableState, seat: int, session: PlayerSession, tap: terminal.TakeBreak, table_ms: int
) -> Decision:
    longest = (state.config.protection or _USUAL).longest_break_ms
    until = table_ms + tap.minutes * MINUTE_MS
    if until - table_ms > longest:
        why = say("A break is {most} long at most", most=how_long(longest))
        return Refusal(TableCode.BAD_LIMITS, why)
    if until <= session.break_until_ms:
        why = say("Your break is longer already: it cannot be shortened")
        return Refusal(TableCode.ON_A_BREAK, why)
    return [session_events.BreakTaken(session=session.number, seat=seat, table_ms=table_ms, until_ms=until)]


def _continue(seat: int, session: PlayerSession, table_ms: int) -> Decision:
    if not session.waits_for:
        return Refusal(TableCode.NOTHING_TO_CONTINUE, say("Nothing waits for you: play goes on"))
    return [session_events.PlayContinued(session=session.number, seat=seat, table_ms=table_ms, after=session.waits_for)]


def _end(state: TableState, seat: int, session: PlayerSession, table_ms: int) -> Decision:
    if has_money(state, seat):
        return _collect_first(seat)
    if session.has_own_limits:
        why = say("You set limits or took a break: your session ends when the seat has been empty for a while")
        return Refusal(TableCode.SESSION_GOES_ON, why)
    return [ended(seat, session, table_ms)]


def _collect_first(seat: int) -> Refusal:
    why = say("Seat {seat} still has credit or a bet: collect first, then the session can end", seat=seat)
    return Refusal(TableCode.SESSION_GOES_ON, why)


def ended(seat: int, session: PlayerSession, table_ms: int) -> session_events.SessionEnded:
    return session_events.SessionEnded(
        session=session.number,
        seat=seat,
        table_ms=table_ms,
        played_ms=session.played_ms(table_ms),
        rounds=session.rounds,
        staked_cents=session.staked_cents,
        in_cents=session.in_cents,
        out_cents=session.out_cents,
    )


def started(state: TableState, seat: int, protection: Protection, table_ms: int) -> session_events.SessionStarted:
    default, most = protection.default, protection.most
    return session_events.SessionStarted(
        session=state.sessions + 1,
        seat=seat,
        owner=SEAT_OWNS,
        table_ms=table_ms,
        in_cents=state.credit_cents(seat) + stakes_cents(state, seat),
        owed_cents=state.terminal(seat).owed_cents,
        check_ms=protection.check_ms,
        idle_ms=protection.idle_ms,
        time_ms=_or(default.time_ms, most.time_ms),
        loss_cents=_or(default.loss_cents, most.loss_cents),
        stake_cents=_or(default.stake_cents, most.stake_cents),
    )


def _or(value: int | None, otherwise: int | None) -> int | None:
    return otherwise if value is None else value


# What staff may do.


def release_seat(state: TableState, command: staff.ReleaseSeat, by: str, why: str, table_ms: int) -> Decision:
    """For the next player, whatever the last one had set: the seat must be empty."""
    session = state.terminal(command.seat).session
    if session is None:
        none = say("There is no session at seat {seat}", seat=command.seat)
        return Refusal(TableCode.NO_SESSION, none)
    if has_money(state, command.seat):
        return _collect_first(command.seat)
    return [
        session_events.SeatReleased(seat=command.seat, by=by, why=why),
        ended(command.seat, session, table_ms),
    ]
