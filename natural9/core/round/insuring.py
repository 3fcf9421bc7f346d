"""Insurance windows: rws-nc-insurance 3.5, 4.1.2 to 4.1.4."""

from natural9.core.errors import BadInput
from natural9.core.insurance import Insurance, Window, room_under_cap
from natural9.core.money import Odds
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision, check_amount
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.seats import EMPTY_SEAT, MAX_SEAT, Seat
from natural9.core.round.state import Phase, RoundState, draw_phase, phase_after
from natural9.core.saying import named, say
from natural9.core.settlement import check_cap
from natural9.core.staff import Staff
from natural9.core.table_of_play import Hand


def _insurance(state: RoundState) -> Insurance | Refusal:
    return state.game.insurance or Refusal(
        Code.NO_INSURANCE, say("{game} has no insurance", game=named(state.game.title))
    )


def may_open_insurance(state: RoundState, command: commands.OpenInsurance | None) -> Refusal | None:
    """The round stands before a window that is not open yet."""
    insurance = _insurance(state)
    if isinstance(insurance, Refusal):
        return insurance
    if state.window is None:
        why = say("No insurance is on offer now: the pay table offers it only while a third card is still to come")
        return Refusal(Code.INSURANCE_CLOSED, why, insurance.paragraph)
    if state.window_open:
        return Refusal(Code.ALREADY_DONE, say("Insurance {when} is already open", when=state.window.words))
    return None


def open_insurance(state: RoundState, command: commands.OpenInsurance) -> Decision:
    """The window opens with the odds of the pay table; where nobody has a bet to insure (4.1.3), it closes at once."""
    assert state.window, "checked by may_open_insurance"
    offers = {row.hand: row.odds.text for row in state.offers}
    opened = events.InsuranceOpened(window=state.window, offers=offers, paragraph=state.offers[0].paragraph)
    return (opened,) if anybody_may_insure(state) else (opened, _closed(state, state.window))


def anybody_may_insure(state: RoundState) -> bool:
    """A bet lies that this window offers to insure, and is not insured to the cap."""
    return any(insurable(state, number) for number, _ in state.seats.items())


def _closed(state: RoundState, window: Window) -> events.InsuranceClosed:
    return events.InsuranceClosed(window=window, phase=draw_phase(state.ranks))


def may_insure(state: RoundState, command: commands.PlaceInsurance | commands.CloseInsurance | None) -> Refusal | None:
    """A window is open."""
    insurance = _insurance(state)
    if isinstance(insurance, Refusal):
        return insurance
    if not state.window_open:
        return Refusal(Code.INSURANCE_CLOSED, say("No insurance window is open"), insurance.paragraph)
    return None


def place_insurance(state: RoundState, command: commands.PlaceInsurance) -> Decision:
    """Insurance on a backed hand, under the cap."""
    row = next((row for row in state.offers if row.hand is command.hand), None)
    assert state.window, "checked by may_insure"
    if row is None:
        why = say(
            "The {hand} hand cannot be insured now: insurance is on the {other} hand",
            hand=command.hand.words,
            other=tuple(row.hand.words for row in state.offers),
        )
        return Refusal(Code.INSURANCE_CLOSED, why, state.offers[0].paragraph)
    if refusal := check_amount(state, row.wager, command.cents):
        return refusal
    seat = state.seats[command.seat] if 1 <= command.seat <= MAX_SEAT else EMPTY_SEAT
    taken = [*_insured(state, seat, command.hand), (command.cents, row.odds)]
    try:
        check_cap(state.game, command.hand, seat.bets.get(command.hand, 0), taken, unit_cents=state.betting_unit_cents)
    except BadInput as error:
        return Refusal.of(Code(error.code), error)
    return (
        events.InsurancePlaced(
            seat=command.seat,
            window=state.window,
            hand=command.hand,
            cents=command.cents,
            odds=row.odds.text,
            paragraph=row.paragraph,
        ),
    )


def insurable(state: RoundState, number: int) -> dict[Hand, int]:
    """The most that a seat may still stake on each hand's insurance in the window that the round stands in."""
    seat = state.seats[number]
    most = {}
    for row in state.offers:
        room = room_under_cap(seat.bets.get(row.hand, 0), _insured(state, seat, row.hand))
        units = int(room / row.odds.ratio / state.betting_unit_cents)
        if units > 0:
            most[row.hand] = units * state.betting_unit_cents
    return most


def _insured(state: RoundState, seat: Seat, hand: Hand) -> list[tuple[int, Odds]]:
    """What the seat has insured this hand for so far, over both windows."""
    insurance = state.game.insurance
    assert insurance is not None, "only a game with insurance has insured seats"
    taken = []
    for bet in seat.insurance:
        if bet.hand is hand:
            row = insurance.offer(bet.window, state.ranks, hand)
            assert row is not None, "insurance is placed only while it is on offer"
            taken.append((bet.cents, row.odds))
    return taken


def close_insurance(state: RoundState, command: commands.CloseInsurance) -> Decision:
    """The window closes, and the next card may come."""
    assert state.window, "checked by may_insure"
    return (_closed(state, state.window),)


def not_covered_any_more(state: RoundState, number: int) -> tuple[events.InsuranceReturned, ...]:
    """Insurance of a seat that would pay more than is left of the bet it insures (3.5.2) goes back, what was taken last
    first, until the rest is covered."""
    seat = state.seats[number]
    back = []
    for bet in reversed(seat.insurance):
        if room_under_cap(seat.bets.get(bet.hand, 0), _insured(state, seat, bet.hand)) < 0:
            back.append(
                events.InsuranceReturned(
                    seat=number,
                    window=bet.window,
                    hand=bet.hand,
                    cents=bet.cents,
                    paragraph="interpretation late-bet-and-its-insurance",
                )
            )
            kept = list(seat.insurance)
            kept.remove(bet)
            seat = seat._replace(insurance=tuple(kept))
    return tuple(back)


# The squeeze: rws-nc-insurance 4.1.4.


def may_waive_insurance(state: RoundState, command: commands.WaiveInsurance | None) -> Refusal | None:
    """Before the Player's third card is opened: it may have left the shoe face down, if no insurance is open."""
    insurance = _insurance(state)
    if isinstance(insurance, Refusal):
        return insurance
    if state.waived is not None:
        return Refusal(Code.ALREADY_DONE, say("The second insurance window is already waived for this round"))
    before_the_third = len(state.cards) == 4 and state.due is Hand.PLAYER and state.phase is not Phase.VOID
    if before_the_third or (state.phase is Phase.THIRD_CARD_INSURANCE and not state.window_open):
        return None
    when = say("Agree to a squeeze after four cards, before the Player's third card is opened")
    return Refusal(Code.INSURANCE_CLOSED, when, insurance.waiver_paragraph)


def waive_insurance(state: RoundState, command: commands.WaiveInsurance, by: Staff, why: str) -> Decision:
    """rws-nc-insurance 4.1.4: who sees the Banker's third card first gives up the second window, for everybody."""
    insurance = state.game.insurance
    assert insurance is not None, "checked by may_waive_insurance"
    if refusal := rank_too_low(by, insurance.waiver_rank, say("agree to a squeeze"), insurance.waiver_paragraph):
        return refusal
    if command.seat > (state.boxes or MAX_SEAT):
        return Refusal(Code.BAD_SEAT, say("There is no seat {seat}", seat=command.seat))
    phase = draw_phase(state.ranks) if state.phase is Phase.THIRD_CARD_INSURANCE else state.phase
    return (events.InsuranceWaived(seat=command.seat, by=by.id, phase=phase, paragraph=insurance.waiver_paragraph),)


def may_take_back_waiver(state: RoundState, command: commands.TakeBackWaiver | None) -> Refusal | None:
    """It was waived, and no third card has been exposed since."""
    insurance = _insurance(state)
    if isinstance(insurance, Refusal):
        return insurance
    if state.waived is None:
        return Refusal(Code.NO_IRREGULARITY, say("The second insurance window is not waived"))
    if len(state.cards) > state.waived or state.due is None or state.phase is Phase.VOID:
        late = say("A third card has been exposed since: the waiver stands")
        return Refusal(Code.INSURANCE_CLOSED, late, insurance.waiver_paragraph)
    return None


def take_back_waiver(state: RoundState, command: commands.TakeBackWaiver, by: Staff, why: str) -> Decision:
    """By the rank that agrees to a squeeze."""
    insurance = state.game.insurance
    assert insurance is not None, "checked by may_take_back_waiver"
    if refusal := rank_too_low(by, insurance.waiver_rank, say("take back a waiver"), insurance.waiver_paragraph):
        return refusal
    phase = state.phase
    if len(state.cards) > 4:
        phase = phase_after(state.game, state.ranks, waived=False, next_known=bool(state.held))
    return (events.WaiverTakenBack(by=by.id, why=why, phase=phase, paragraph=insurance.waiver_paragraph),)
