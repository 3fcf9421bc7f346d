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
from natural9.journal.card_events import PlayerPlay
from natural9.journal.session_events import Raise, how_long
from natural9.table.commands import player_cards, staff, terminal
from natural9.table.commands.refusals import TableCode
from natural9.table.state.sessions import (
    SEAT_OWNS,
    PlayerSession,
    has_money,
    room_cents,
    session_ended,
    stakes_cents,
    worst_loss_of_session,
)
from natural9.table.state.state import TableState
from natural9.table.venue.protection import MINUTE_MS, PlayLimits, Protection

Decision = list[Event] | Refusal
_USUAL: Final = Protection()  # for a session that goes on though the venue has switched protection off


# What a session refuses.


def refuses(
    state: TableState, seat: int, session: PlayerSession, decided: list[Event], table_ms: int
) -> Refusal | None:
    """Why these bets are not taken; taking back is always allowed."""
    added = added_cents(decided)
    return refuses_more(state, seat, session, added, table_ms) if added > 0 else None


def refuses_more(state: TableState, seat: int, session: PlayerSession, added: int, table_ms: int) -> Refusal | None:
    """Why so much more may not be put at risk, here or at another table."""
    return (
        _play_waits(session, table_ms)
        or _time_is_up(session, table_ms)
        or _loses_too_much(state, seat, session, added)
        or _stakes_too_much(state, seat, session, added)
    )


def refuses_credit(state: TableState, seat: int, session: PlayerSession, table_ms: int) -> Refusal | None:
    """Why a machine takes no money for more play. Somebody at the desk may."""
    if not session.is_watched:
        return None
    waits = _play_waits(session, table_ms) or _time_is_up(session, table_ms)
    return waits or _loses_too_much(state, seat, session, 1)


def added_cents(decided: list[Event]) -> int:
    """By how much more than before lies for the seat."""
    return sum([_added(event) for event in decided])


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
    played = session.played_before_ms + session.played_ms(table_ms)
    if session.time_ms is None or played < session.time_ms:
        return None
    why = say(
        "Your time limit of {limit} is reached: you have played for {time}",
        limit=how_long(session.time_ms),
        time=how_long(played),
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
    match tap:
        case terminal.CardOut():
            return player_cards.card_out(state, seat, table_ms)
        case terminal.BarCard():
            return player_cards.bar(state, seat, tap, table_ms)
        case _:
            pass
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
    if state.terminal(seat).card:
        why = say("Your card is in: take it out, and your session ends with it")
        return Refusal(TableCode.SESSION_GOES_ON, why)
    if session.has_own_limits:
        why = say("You set limits or took a break: your session ends when the seat has been empty for a while")
        return Refusal(TableCode.SESSION_GOES_ON, why)
    return [session_ended(state, seat, session, table_ms)]


def _collect_first(seat: int) -> Refusal:
    why = say("Seat {seat} still has credit or a bet: collect first, then the session can end", seat=seat)
    return Refusal(TableCode.SESSION_GOES_ON, why)


def started(state: TableState, seat: int, protection: Protection, table_ms: int) -> session_events.SessionStarted:
    limits, card = _limits_of(state, seat, protection), state.terminal(seat).card
    return session_events.SessionStarted(
        session=state.sessions + 1,
        seat=seat,
        owner=card.player if card else SEAT_OWNS,
        table_ms=table_ms,
        in_cents=state.credit_cents(seat) + stakes_cents(state, seat),
        owed_cents=state.terminal(seat).owed_cents,
        check_ms=protection.check_ms,
        idle_ms=protection.idle_ms,
        time_ms=limits.time_ms,
        loss_cents=limits.loss_cents,
        stake_cents=limits.stake_cents,
    )


def _limits_of(state: TableState, seat: int, protection: Protection) -> PlayLimits:
    """The carded player's own, or the venue's defaults; none goes beyond what the venue allows."""
    card, most = state.terminal(seat).card, protection.most
    own: PlayLimits | PlayerPlay = card.play if card and card.play.own else protection.default
    return PlayLimits(
        time_ms=_least(own.time_ms, most.time_ms),
        loss_cents=_least(own.loss_cents, most.loss_cents),
        stake_cents=_least(own.stake_cents, most.stake_cents),
    )


def _least(one: int | None, other: int | None) -> int | None:
    return min([value for value in (one, other) if value is not None], default=None)


# What staff may do.


def release_seat(state: TableState, command: staff.ReleaseSeat, by: str, why: str, table_ms: int) -> Decision:
    """For the next player, whatever the last one had set: the seat must be empty."""
    at_seat = state.terminal(command.seat)
    session = at_seat.session
    if session is None and at_seat.card is None:
        none = say("There is no session at seat {seat}", seat=command.seat)
        return Refusal(TableCode.NO_SESSION, none)
    if has_money(state, command.seat):
        return _collect_first(command.seat)
    released = session_events.SeatReleased(seat=command.seat, by=by, why=why)
    if at_seat.card or session is None:
        return [released, *player_cards.carded_out(state, command.seat, "released", table_ms)]
    return [released, session_ended(state, command.seat, session, table_ms)]
