"""Opening a round, and bets while it is open: everybody bets on the layout of the table (rws-nc 3.5)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from natural9.core.errors import BadInput
from natural9.core.money import MAX_CENTS, check_stake, show_cents
from natural9.core.round import commands, events
from natural9.core.round.burning import burn_first
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.seats import MAX_SEAT
from natural9.core.round.state import BETWEEN_ROUNDS, Limit, Phase, RoundState, old_cards_waiting
from natural9.core.saying import Said, name_of, say

Decision = Sequence[events.RoundEvent] | Refusal
BetCommand = commands.PlaceBet | commands.IncreaseBet | commands.TakeBackBet | commands.ClearBets


def may_open_betting(state: RoundState, command: commands.OpenBetting | None) -> Refusal | None:
    """A round opens when none is in play and a shoe is there that may be played on."""
    if state.phase not in BETWEEN_ROUNDS:
        return Refusal(Code.ROUND_OPEN, say("Round {round} is still in play", round=state.number))
    if state.new_shoe:
        return burn_first(state)
    if state.shoe is None:
        return Refusal(Code.NO_SHOE, say("There is no shoe at the table: load one first"))
    if state.cut_card_out:
        spent = say("The cut card came in the last round: load a new shoe first")
        return Refusal(Code.SHOE_SPENT, spent, "interpretation spent-shoe")
    return None


def open_betting(state: RoundState, command: commands.OpenBetting) -> Decision:
    """A round begins: its number follows the last, its limits fit the game."""
    if command.round <= state.number:
        why = say("Round {round} cannot follow round {last}", round=command.round, last=state.number)
        return Refusal(Code.BAD_ROUND_NUMBER, why)
    if command.boxes is not None and not 1 <= command.boxes <= MAX_SEAT:
        why = say("A table has from 1 to {most} betting boxes, not {boxes}", most=MAX_SEAT, boxes=command.boxes)
        return Refusal(Code.BAD_TERMS, why)
    try:
        state.game.check_betting_unit(command.betting_unit_cents)
        _check_limits(state, command.limits, command.betting_unit_cents)
    except BadInput as error:
        return Refusal.of(Code.BAD_TERMS, error)
    if refusal := _without_limits(state, command.limits):
        return refusal
    return (
        events.BettingOpened(
            round=command.round,
            shoe=state.new_shoe.number if state.new_shoe else state.shoe_number,
            held=tuple(map(str, state.held)),
            from_old_set=old_cards_waiting(state),
            game=state.game.id,
            rules_sha256=state.game.sha256,
            offered=_offered_next(state),
            betting_unit_cents=command.betting_unit_cents,
            limits=dict(command.limits),
            boxes=command.boxes,
            paragraph=state.game.document.procedure.opens,
            dealer=command.dealer,
        ),
    )


def _offered_next(state: RoundState) -> tuple[str, ...]:
    return state.new_shoe.offered if state.new_shoe else state.offered


def _check_limits(state: RoundState, limits: Mapping[str, Limit], unit_cents: int) -> None:
    terms = (unit_cents, *limits.items())
    if terms in state.game.sound_terms:
        return
    for wager, limit in limits.items():
        one = state.game.wager(wager)
        if not 0 < limit.min_cents <= limit.max_cents or limit.min_cents % unit_cents or limit.max_cents % unit_cents:
            why = say(
                "limits {limits} on {wager} are not a minimum and a maximum in whole betting units of {unit}",
                limits=limit.words,
                wager=one.words,
                unit=show_cents(unit_cents),
            )
            raise BadInput("bad-limits", why, state.game.document.procedure.limits)
    state.game.sound_terms.add(terms)


def _without_limits(state: RoundState, limits: Mapping[str, Limit]) -> Refusal | None:
    """Where any wager has limits, each on offer has: a bet on it would else be unlimited."""
    without = [wager for wager in _offered_next(state) if wager not in limits] if limits else []
    if not without:
        return None
    why = say(
        "There are no limits on {wager}, which is on offer: give it a minimum and a maximum", wager=name_of(without[0])
    )
    return Refusal(Code.BAD_TERMS, why, state.game.document.procedure.limits)


def may_bet(state: RoundState, command: BetCommand | None) -> Refusal | None:
    """Betting is open: from the opening to the close, and not while an irregularity waits."""
    if state.phase is Phase.BETTING_OPEN:
        return None
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.BETTING_NOT_OPEN, say("Betting is not open yet"), state.game.document.procedure.opens)
    closed = say("No more bets: betting on round {round} closed", round=state.number)
    return Refusal(Code.NO_MORE_BETS, *_too_late(state, closed, command))


def _too_late(state: RoundState, closed: Said, command: BetCommand | None) -> tuple[Said, str]:
    procedure = state.game.document.procedure
    match command:
        case commands.PlaceBet(wager=wager, cents=stake) | commands.IncreaseBet(wager=wager, cents=stake) if (
            type(stake) is int
        ):
            late = say(
                "{what}; your {stake} on {wager} was not registered",
                what=closed,
                stake=show_cents(stake),
                wager=_name(state, wager),
            )
            return late, procedure.late_bet
        case commands.TakeBackBet(wager=wager):
            stands = say("{what}; your bet on {wager} stands", what=closed, wager=_name(state, wager))
            return stands, procedure.withdrawn_bet
        case commands.ClearBets():
            return say("{what}; your bets stand", what=closed), procedure.withdrawn_bet
        case _:
            return closed, procedure.late_bet


def _name(state: RoundState, wager: str) -> Said:
    one = state.game.wagers_by_id.get(wager)
    return one.words if one else name_of(wager)


class BetTerms(NamedTuple):
    """What every bet of a round is asked. It knows no rule of its own: whatever it allows while betting is open and
    nothing waits for a decision, `decide` would lay, too, and a property holds it to that."""

    limits: Mapping[str, Limit]  # of the wagers on offer
    betting_unit_cents: int
    seats: int  # from 1 to this

    @staticmethod
    def of(state: RoundState) -> "BetTerms":
        """Those of the round that is open."""
        on_offer = {wager: limit for wager, limit in state.limits.items() if wager in state.offered}
        return BetTerms(on_offer, state.betting_unit_cents, state.boxes or MAX_SEAT)

    def room(self, seat: int, wager: str, cents: int) -> range:
        """What may lie on a spot for so much more to be laid there; nothing may where `decide` has a closer look."""
        limit = self.limits.get(wager)
        if (
            limit is None
            or not 0 < cents <= MAX_CENTS
            or cents % self.betting_unit_cents
            or not 1 <= seat <= self.seats
        ):
            return range(0)
        return range(limit.min_cents - cents, limit.max_cents - cents + 1)


def is_plain_bet(state: RoundState, seat: int, wager: str, cents: int) -> bool:
    """Whether nothing is against so much more on a spot, seen at a glance; else `decide` has a closer look."""
    if state.phase is not Phase.BETTING_OPEN or state.pending:
        return False
    return state.seats[seat].bets.get(wager, 0) in BetTerms.of(state).room(seat, wager, cents)


def place_bet(state: RoundState, command: commands.PlaceBet) -> Decision:
    """A bet where none lies yet."""
    if refusal := _check_bet(state, command.seat, command.wager, command.cents):
        return refusal
    if laid := state.seats[command.seat].bets.get(command.wager):
        wager = _name(state, command.wager)
        why = say("{stake} is already on {wager}: increase that bet", stake=show_cents(laid), wager=wager)
        return Refusal(Code.BET_EXISTS, why)
    if refusal := _outside_limits(state, command.wager, command.cents):
        return refusal
    return (events.BetPlaced(seat=command.seat, wager=command.wager, cents=command.cents),)


def increase_bet(state: RoundState, command: commands.IncreaseBet) -> Decision:
    """More on a bet that lies."""
    if refusal := _check_bet(state, command.seat, command.wager, command.cents):
        return refusal
    laid = state.seats[command.seat].bets.get(command.wager)
    if not laid:
        none = say("There is no bet on {wager} to increase: place one", wager=_name(state, command.wager))
        return Refusal(Code.NO_SUCH_BET, none)
    if refusal := _outside_limits(state, command.wager, laid + command.cents):
        return refusal
    return (events.BetPlaced(seat=command.seat, wager=command.wager, cents=command.cents),)


def take_back_bet(state: RoundState, command: commands.TakeBackBet) -> Decision:
    """Part of a bet, or all of it, goes back."""
    laid = state.seats[command.seat].bets.get(command.wager) if 1 <= command.seat <= MAX_SEAT else None
    if not laid:
        none = say("There is no bet on {wager} to take back", wager=_name(state, command.wager))
        return Refusal(Code.NO_SUCH_BET, none)
    amount = laid if command.cents is None else command.cents
    if refusal := _check_bet(state, command.seat, command.wager, amount):
        return refusal
    if amount > laid:
        why = say(
            "Only {laid} is on {wager}: you cannot take back {amount}",
            laid=show_cents(laid),
            wager=_name(state, command.wager),
            amount=show_cents(amount),
        )
        return Refusal(Code.BAD_STAKE, why)
    if amount < laid and (refusal := _outside_limits(state, command.wager, laid - amount)):
        return refusal
    return (events.BetTakenBack(seat=command.seat, wager=command.wager, cents=amount),)


def clear_bets(state: RoundState, command: commands.ClearBets) -> Decision:
    """All bets of a seat go back."""
    staked = state.seats[command.seat].staked_cents if 1 <= command.seat <= MAX_SEAT else 0
    if not staked:
        return Refusal(Code.NO_SUCH_BET, say("Seat {seat} has no bet to clear", seat=command.seat))
    return (events.BetsCleared(seat=command.seat, cents=staked),)


def _check_bet(state: RoundState, seat: int, wager: str, stake: int) -> Refusal | None:
    most = state.boxes or MAX_SEAT  # a box a player, as many as the layout shows: rws-nc-insurance 2.1.2
    if not 1 <= seat <= most:
        return Refusal(Code.BAD_SEAT, no_such_seat(seat, most))
    if wager not in state.offered:
        why = say(
            "{wager} is not offered at this table: it offers {offered}",
            wager=_name(state, wager),
            offered=tuple(one.words for one in state.wagers),
        )
        return Refusal(Code.WAGER_NOT_OFFERED, why, state.game.document.procedure.choice_of_wagers)
    return check_amount(state, wager, stake)


def no_such_seat(seat: int, most: int) -> Said:
    """A table has as many seats as boxes, or as terminals."""
    return say("There is no seat {seat}: this table has seats 1 to {most}", seat=seat, most=most)


def check_amount(state: RoundState, wager: str, stake: int) -> Refusal | None:
    """A stake is money, and a whole multiple of the table's betting unit."""
    try:
        check_stake(stake, wager)
    except BadInput as error:
        return Refusal.of(Code.BAD_STAKE, error)
    if stake % state.betting_unit_cents:
        why = say(
            "{stake} on {wager} is not a whole multiple of the betting unit {unit}",
            stake=show_cents(stake),
            wager=_name(state, wager),
            unit=show_cents(state.betting_unit_cents),
        )
        return Refusal(Code.BAD_STAKE, why, "interpretation nothing-rounds")
    return None


def _outside_limits(state: RoundState, wager: str, stake: int) -> Refusal | None:
    limit = state.limits.get(wager)
    if limit is None or limit.min_cents <= stake <= limit.max_cents:
        return None
    why = say(
        "{stake} on {wager} is outside its limits, {limits}",
        stake=show_cents(stake),
        wager=_name(state, wager),
        limits=limit.words,
    )
    return Refusal(Code.OUTSIDE_LIMITS, why, state.game.document.procedure.limits)


def may_close_betting(state: RoundState, command: commands.CloseBetting | None) -> Refusal | None:
    """Betting closes only once, while it is open."""
    if state.phase is not Phase.BETTING_OPEN:
        return Refusal(Code.BETTING_NOT_OPEN, say("Betting is not open"), state.game.document.procedure.closes)
    return None


def close_betting(state: RoundState, command: commands.CloseBetting) -> Decision:
    """No more bets; what lies is at stake."""
    return (events.BettingClosed(staked_cents=state.staked_cents, paragraph=state.game.document.procedure.closes),)
