"""The manager's ruling: a single bet of a seat void, or settled otherwise, when the clauses run out (rws-nc 5.12,
mbs 6.1, "Hand or Bet" in rws-nc-super-six-plus 1; interpretation managers-ruling)."""

from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.earlier import is_earlier
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.remedies import bet_voided
from natural9.core.round.reporting import insured_hand
from natural9.core.round.seats import EMPTY_SEAT, MAX_SEAT, Seat
from natural9.core.round.settling import seat_settled
from natural9.core.round.state import Phase, RoundState
from natural9.core.saying import name_of, say
from natural9.core.staff import Rank, Staff


def may_rule(state: RoundState, command: commands.RuleOnBet | None) -> Refusal | None:
    """There was a round."""
    if state.phase is Phase.NO_ROUND and not state.number:
        return Refusal(Code.NO_ROUND, say("No round has been opened at this table yet"))
    return None


def rule_on_bet(
    state: RoundState, command: commands.RuleOnBet, by: Staff, why: str, earlier: RoundState | None
) -> Decision:
    """Void, or what it returns in all. A bet of the round in play can only be void: the others are not settled yet."""
    paragraph = state.game.document.procedure.ruling
    if refusal := rank_too_low(by, Rank.SHIFT_MANAGER, say("rule on a bet"), paragraph):
        return refusal
    late = is_earlier(state, command.round)
    now = earlier if late else state
    if now is None or now.number != (command.round if late else state.number):
        none = say("There is no round {number} before round {round}", number=command.round or 0, round=state.number)
        return Refusal(Code.NO_SUCH_ROUND, none)
    seat = now.seats[command.seat] if command.seat <= MAX_SEAT else EMPTY_SEAT
    stake = _stake(seat, command.wager) or _taken_away(now, seat, command.wager)
    if refusal := _not_this_bet(now, command, stake):
        return refusal
    if now.phase is not Phase.SETTLED:
        return bet_voided(now, command.seat, command.wager, None, why, paragraph, last_only=False)
    was = _returned(now, command.seat, command.wager)
    returned = stake if command.returned_cents is None else command.returned_cents
    if returned == was:
        same = say("This bet has returned {cents} already: there is nothing to rule", cents=show_cents(was))
        return Refusal(Code.ALREADY_DONE, same)
    ruled = events.BetRuled(
        round=now.number,
        seat=command.seat,
        wager=command.wager,
        stake_cents=stake,
        was_cents=was,
        returned_cents=returned,
        by=by.id,
        why=why,
        paragraph=paragraph,
    )
    return (events.RoundTakenUp(about_round=now.number), ruled) if late else (ruled,)


def _not_this_bet(now: RoundState, command: commands.RuleOnBet, stake: int) -> Refusal | None:
    if now.phase is Phase.VOID:
        void = say("Round {round} is void: its bets went back already", round=now.number)
        return Refusal(Code.ROUND_CONCLUDED, void)
    if now.phase is Phase.BETTING_OPEN:
        return Refusal(Code.BETTING_STILL_OPEN, say("Bets are still open: a player takes a bet back without a ruling"))
    if not stake:
        none = say("Seat {seat} has no such bet: {wager}", seat=command.seat, wager=name_of(command.wager))
        return Refusal(Code.NO_SUCH_BET, none)
    if not 0 <= (command.returned_cents or 0) <= MAX_CENTS:
        amount = show_cents(command.returned_cents or 0)
        return Refusal(Code.BAD_STAKE, say("A bet cannot return {cents}", cents=amount))
    if now.phase is not Phase.SETTLED and command.returned_cents not in (None, stake):
        first = say("Round {round} is not settled: void the bet now, or rule on it afterwards", round=now.number)
        return Refusal(Code.NOT_COMPLETE, first)
    return None


def _stake(seat: Seat, wager: str) -> int:
    """On a wager; on insurance, over both windows."""
    if hand := insured_hand(wager):
        return sum([bet.cents for bet in seat.insurance if bet.hand is hand])
    return seat.bets.get(wager, 0)


def _taken_away(now: RoundState, seat: Seat, wager: str) -> int:
    """A bet that was taken away whole and is noticed after the settlement: it is won or lost by a ruling."""
    return seat.withdrawn.get(wager, 0) if now.phase is Phase.SETTLED else 0


def _returned(now: RoundState, number: int, wager: str) -> int:
    """What the bet has returned so far, by the cards or by an earlier ruling; one that was taken away, all of it."""
    stake, away = _stake(now.seats[number], wager), _taken_away(now, now.seats[number], wager)
    ruling = now.ruled.get((number, wager))
    if ruling and ruling.stake_cents == (stake or away):
        return ruling.returned_cents
    if not stake:
        return away
    if now.rules is None:
        return now.paid[number, wager]
    assert now.outcome is not None, "a settled round has an outcome"
    settled = seat_settled(now, number, now.seats[number], now.outcome)
    return sum([line.returned_cents for line in (*settled.lines, *settled.insurance) if line.wager == wager])
