"""Bets as a terminal makes them: one tap may be a new bet or more on an old one; x2, undo, re-bet and a pattern of
bets are several.

Each becomes the round's own commands, decided one after another, all of them or none; only x2 does what it can.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from natural9.core.events import Event
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import Refusal, fold
from natural9.core.round import commands as round_commands
from natural9.core.round import events as round_events
from natural9.core.round.betting import may_bet
from natural9.core.round.decide import decide as decide_round
from natural9.core.round.events import RoundEvent
from natural9.core.round.insuring import insurable
from natural9.core.saying import say
from natural9.core.table_of_play import Hand
from natural9.journal import table_events
from natural9.table.commands import terminal
from natural9.table.commands.refusals import TableCode, not_enough_credit
from natural9.table.state.sessions import room_cents
from natural9.table.state.state import TableState

Decision = list[Event] | Refusal
Forbids = Callable[[list[Event]], Refusal | None]


def bet(state: TableState, seat: int, command: terminal.Bet) -> Decision:
    laid = state.round.seats[seat].bets.get(command.wager, 0)
    return _bets(state, seat, command, (_more(laid, seat, command.wager, command.cents),))


def take_back(state: TableState, seat: int, command: terminal.TakeBack) -> Decision:
    step = round_commands.TakeBackBet(seat=seat, wager=command.wager, cents=command.cents)
    return _bets(state, seat, command, [step])


def clear(state: TableState, seat: int, command: terminal.Clear) -> Decision:
    return _bets(state, seat, command, [round_commands.ClearBets(seat=seat)])


def double(
    state: TableState,
    seat: int,
    command: terminal.Double,
    forbids: Forbids = lambda _: None,
    no_more: Refusal | None = None,
) -> Decision:
    """`forbids`: why the player's own limits do not allow what these events lay. `no_more`: why a visitor's own table
    lets no more credit go than there is here."""
    bets = state.round.seats[seat].bets
    if not bets:
        nothing = Refusal(TableCode.NOTHING_TO_REPEAT, say("There is no bet to double: place one first"))
        return _too_late(state, command) or nothing
    return _too_late(state, command) or _double_each(state, seat, bets, forbids, no_more)


def _double_each(
    state: TableState, seat: int, bets: Mapping[str, int], forbids: Forbids, no_more: Refusal | None
) -> Decision:
    """Spot by spot in the order laid: each is doubled whole, or stays as it is and it is said why."""
    happened: list[Event] = []
    refused: dict[str, Refusal] = {}
    now, added = state.round, 0
    for wager, cents in bets.items():
        decision = decide_round(now, round_commands.IncreaseBet(seat=seat, wager=wager, cents=cents))
        if isinstance(decision, Refusal):
            refused[wager] = decision
        elif cents > state.credit_cents(seat) - added:
            refused[wager] = no_more or not_enough_credit(state.credit_cents(seat) - added, cents)
        elif over := _over_limits(state, seat, added=added + cents):
            refused[wager] = over
        elif own := forbids([*happened, *decision]):
            refused[wager] = own
        else:
            now, added = fold(now, decision), added + cents
            happened += decision
    if not refused:
        return happened
    stays = {wager: bets[wager] for wager in refused}
    reasons = {wager: refusal.message for wager, refusal in refused.items()}
    if happened:
        return [table_events.BetsNotDoubled(seat=seat, stays=stays, reasons=reasons), *happened]
    first = next(iter(refused.values()))
    return (
        first if len(refused) == 1 else Refusal(first.code, table_events.not_doubled(stays, reasons), first.paragraph)
    )


def re_bet(state: TableState, seat: int, command: terminal.ReBet) -> Decision:
    """The last bets once more; on top of nothing, so that a second tap adds nothing."""
    if refusal := _too_late(state, command):
        return refusal
    if state.round.seats[seat].bets:
        why = say("You have bets on the table: clear them to repeat your last ones")
        return Refusal(TableCode.NOTHING_TO_REPEAT, why)
    last = state.terminal(seat).last_bets
    if not last:
        return Refusal(TableCode.NOTHING_TO_REPEAT, say("There are no earlier bets to repeat"))
    return _lay(state, seat, command, list(last.items()))


def lay_bets(state: TableState, seat: int, command: terminal.LayBets) -> Decision:
    decided = _lay(state, seat, command, list(command.bets.items()))
    if isinstance(decided, Refusal) and len(command.bets) > 1:
        why = say("None of these bets was laid. {why}", why=decided.message)
        return Refusal(decided.code, why, decided.paragraph)
    return decided


def undo(state: TableState, seat: int, command: terminal.Undo) -> Decision:
    changes = state.terminal(seat).last_changes()
    if not changes:
        nothing = Refusal(TableCode.NOTHING_TO_UNDO, say("There is nothing to undo in this round"))
        return _too_late(state, command) or nothing
    steps: list[round_commands.Command] = []
    bets = state.round.seats[seat].bets
    for change in changes:
        if change.cents > 0:
            steps.append(round_commands.TakeBackBet(seat=seat, wager=change.wager, cents=change.cents))
        elif change.cents < 0:
            steps.append(_more(bets.get(change.wager, 0), seat, change.wager, -change.cents))
    return _bets(state, seat, command, steps)


def insure(state: TableState, seat: int, command: terminal.Insure) -> Decision:
    return _bets(
        state, seat, command, [round_commands.PlaceInsurance(seat=seat, hand=command.hand, cents=command.cents)]
    )


def stakes_asked_for(state: TableState, seat: int, command: terminal.BetTap) -> list[tuple[str, int]]:
    """What a tap would have laid, spot by spot, had it come in time."""
    bets = state.round.seats[seat].bets if command.round == state.round.number else {}
    match command:
        case terminal.Bet():
            return [(command.wager, command.cents)]
        case terminal.LayBets():
            return list(command.bets.items())
        case terminal.Insure():
            return [(f"{command.hand}-insurance", command.cents)]
        case terminal.Double():
            return list(bets.items())
        case terminal.ReBet() if not bets:
            return list(state.terminal(seat).last_bets.items())
        case _:
            return []


def may_insure(state: TableState, seat: int) -> dict[Hand, int]:
    """The most that the seat can insure each hand for now: under the cap, its credit, and all limits."""
    if not state.round.window_open or state.round.pending:
        return {}
    limits, rooms = state.limits, list[int]()
    if state.home_of(seat) is None:  # a visitor's credit is at its own table, which is asked when the bet comes
        rooms.append(state.credit_cents(seat))
    if limits.seat_max_cents is not None:
        rooms.append(limits.seat_max_cents - state.round.seats[seat].staked_cents)
    if limits.table_max_cents is not None:
        rooms.append(limits.table_max_cents - state.round.staked_cents)
    if (own := room_cents(state, seat)) is not None:
        rooms.append(own)
    room = min(rooms, default=MAX_CENTS) // limits.betting_unit_cents * limits.betting_unit_cents
    return {hand: min(most, room) for hand, most in insurable(state.round, seat).items()} if room > 0 else {}


def _lay(state: TableState, seat: int, command: terminal.BetTap, stakes: list[tuple[str, int]]) -> Decision:
    bets = state.round.seats[seat].bets
    return _bets(state, seat, command, [_more(bets.get(wager, 0), seat, wager, cents) for wager, cents in stakes])


def _more(laid: int, seat: int, wager: str, cents: int) -> round_commands.Command:
    if laid:
        return round_commands.IncreaseBet(seat=seat, wager=wager, cents=cents)
    return round_commands.PlaceBet(seat=seat, wager=wager, cents=cents)


def _bets(state: TableState, seat: int, command: terminal.BetTap, steps: Iterable[round_commands.Command]) -> Decision:
    if command.round != state.round.number:
        return other_round(state, command)
    happened: list[Event] = []
    decided: Sequence[RoundEvent] = ()
    now = state.round
    added = 0
    for step in steps:
        if decided:  # not after the last step: most commands have one
            now = fold(now, decided)
        decision = decide_round(now, step)
        if isinstance(decision, Refusal):
            return decision
        decided = decision
        for event in decided:
            happened.append(event)
            added += _added(event)
    return _over_limits(state, seat, added=added) or happened


def _added(event: RoundEvent) -> int:
    match event:
        case round_events.BetPlaced() | round_events.InsurancePlaced():
            return event.cents
        case round_events.BetTakenBack() | round_events.BetsCleared():
            return -event.cents
        case _:
            raise AssertionError(f"{event.TAG} is no change of bets")


def has_time_to_bet(state: TableState, command: terminal.BetTap) -> bool:
    return _too_late(state, command) is None


def _too_late(state: TableState, command: terminal.BetTap) -> Refusal | None:
    return may_bet(state.round, None) if command.round == state.round.number else other_round(state, command)


def other_round(state: TableState, command: terminal.BetTap) -> Refusal:
    why = say("This was for round {round}, and another one is on: nothing has changed", round=command.round)
    return Refusal(TableCode.OTHER_ROUND, why, state.config.game.document.procedure.late_bet)


def _over_limits(state: TableState, seat: int, *, added: int) -> Refusal | None:
    """The seat's credit, and the limits for a seat and for the table; each wager's own is the round's to check."""
    if added > 0 and added > state.credit_cents(seat):
        return not_enough_credit(state.credit_cents(seat), added)
    limits = state.limits
    if limits.seat_max_cents is not None or limits.seat_min_cents:
        staked = state.round.seats[seat].staked_cents + added
        if added > 0 and limits.seat_max_cents is not None and staked > limits.seat_max_cents:
            most = show_cents(limits.seat_max_cents)
            why = say("{staked} in all is over the maximum for a seat, {most}", staked=show_cents(staked), most=most)
            return Refusal(TableCode.OVER_SEAT_LIMIT, why, _limits(state))
        if 0 < staked < limits.seat_min_cents:
            least = show_cents(limits.seat_min_cents)
            why = say(
                "{staked} in all is under the minimum for a seat, {least}", staked=show_cents(staked), least=least
            )
            return Refusal(TableCode.UNDER_SEAT_LIMIT, why, _limits(state))
    if added > 0 and limits.table_max_cents is not None and state.round.staked_cents + added > limits.table_max_cents:
        why = say(
            "The table takes only {room} more in this round: its limit is {most}",
            room=show_cents(max(0, limits.table_max_cents - state.round.staked_cents)),
            most=show_cents(limits.table_max_cents),
        )
        return Refusal(TableCode.OVER_TABLE_LIMIT, why, _limits(state))
    return None


def _limits(state: TableState) -> str:
    """The paragraph of the limits."""
    return state.config.game.document.procedure.limits
