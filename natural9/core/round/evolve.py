"""Evolve: the state after an event. It never refuses, never judges, and needs no rule book; replay is recovery."""

from collections.abc import Iterable, Mapping
from functools import reduce

from natural9.core.cards import Card
from natural9.core.irregularities import Kind
from natural9.core.round import events
from natural9.core.round.seats import InsuranceBet, Seat
from natural9.core.round.state import NewShoe, Pending, Phase, RoundState, Ruling, shoe_after
from natural9.core.shoe import Shoe
from natural9.core.staff import NOBODY, Rank
from natural9.core.table_of_play import hand_of


def evolve(state: RoundState, event: events.RoundEvent) -> RoundState:
    """The state once this has happened. What comes by the thousand is asked for first."""
    match event:
        case events.BetPlaced():
            return bet_placed(state, event)
        case events.SeatSettled():
            return _seat_settled(state, event)
        case events.CardDealt():
            return _card_dealt(state, event)
        case events.BettingOpened():
            return _betting_opened(state, event)
        case events.BettingClosed():
            return state._replace(phase=Phase.BETS_CLOSED)
        case events.ResultDeclared():
            return state._replace(declared=True, won=tuple(event.won))
        case events.RoundSettled():
            return state._replace(phase=Phase.SETTLED)
        case events.BetTakenBack():
            return _bet_taken_back(state, event)
        case events.BetsCleared():
            return _bets_cleared(state, event)
        case events.ShoeLoaded():
            new = NewShoe(event.shoe, event.decks, tuple(event.offered), event.burns, event.counts_burnt)
            return state._replace(new_shoe=new)
        case events.CardsBurnt():
            return _cards_burnt(state, event)
        case events.FaceDownBurnt():
            return _face_down_burnt(state, event)
        case events.ShoeReplaced():
            drawn = len(state.cards) + len(state.held)
            now = state._replace(shoe_number=event.shoe, shoe=Shoe.of(decks=event.decks), from_old_set=drawn)
            return now._replace(cut_card_out=False, burnt=None, burnt_face_down=0)
        case events.CutCardAppeared():
            return state._replace(cut_card_out=True)
        case events.InsuranceOpened():
            return state._replace(window_open=True)
        case events.InsurancePlaced():
            return _insurance_placed(state, event)
        case events.InsuranceClosed():
            return state._replace(window_open=False, phase=event.phase)
        case events.InsuranceSkipped():
            return state._replace(window_open=False, phase=event.phase)
        case events.InsuranceWaived():
            return state._replace(waived=len(state.cards), phase=event.phase)
        case events.WaiverTakenBack():
            return state._replace(waived=None, phase=event.phase)
        case events.InsuranceReturned():
            return _insurance_returned(state, event)
        case events.SettlementReversed():
            seat = state.seats[event.seat]._replace(returned_cents=0)
            return state._replace(seats=state.seats.with_seat(event.seat, seat))
        case events.BetVoided():
            return _bet_voided(state, event)
        case events.BetRestored():
            return _bet_restored(state, event)
        case events.BetRuled():
            return _bet_ruled(state, event)
        case events.RoundTakenUp():
            return state
        case events.RoundInterrupted():  # two in a row are brief only if both are
            both = tuple(pending._replace(brief=pending.brief and event.brief) for pending in state.pending)
            return state._replace(pending=both)
        case events.EarlierCardsCorrected():
            return _earlier_cards_corrected(state, event)
        case events.EarlierSeatSettled():
            return _earlier_seat_settled(state, event)
        case events.IrregularityReported():
            return _irregularity_reported(state, event)
        case events.ReportWithdrawn():
            return _report_withdrawn(state, event)
        case events.IrregularityDecided():
            return state._replace(pending=_others(state, event.report))
        case events.CardsReconstructed():
            return state._replace(put_at=tuple(event.put_at))
        case events.CardsPutInOrder():
            return state._replace(held=(*state.held, *_cards(event.cards)))
        case events.CardsDiscarded():
            return _cards_discarded(state, event)
        case events.CardsCorrected():
            return _cards_corrected(state, event)
        case events.BetsReturned():
            return _staked(state, event.seat, Seat(), -event.cents)
        case events.RoundVoided():  # pragma: no branch: mypy sees that there is no other
            # A void answers all that was reported, but for cards that are drawn: the next round may begin with them.
            left = tuple(pending for pending in state.pending if pending.cards or pending.about_round)
            return state._replace(phase=Phase.VOID, pending=left, window_open=False)


def fold(state: RoundState, happened: Iterable[events.RoundEvent]) -> RoundState:
    """The state after all of these."""
    return reduce(evolve, happened, state)


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


def _betting_opened(state: RoundState, event: events.BettingOpened) -> RoundState:
    return _with_shoe_in_use(state)._replace(
        number=event.round,
        shoe_number=event.shoe,
        held=_cards(event.held),
        from_old_set=event.from_old_set,
        phase=Phase.BETTING_OPEN,
        offered=tuple(event.offered),
        betting_unit_cents=event.betting_unit_cents,
        limits=event.limits,
        boxes=event.boxes,
    )


def _with_shoe_in_use(state: RoundState) -> RoundState:
    """A state with no round in it yet, and the shoe that the next one is dealt from."""
    new = state.new_shoe
    if new is None:
        now = RoundState(state.rules, shoe=state.shoe)
        return now._replace(burnt=state.burnt, burnt_face_down=state.burnt_face_down)
    shoe = Shoe.of(decks=new.decks).without([new.burnt] if new.burnt else [])
    now = RoundState(state.rules, shoe=shoe)
    return now._replace(burnt=new.burnt, burnt_face_down=new.face_down)


def _cards_burnt(state: RoundState, event: events.CardsBurnt) -> RoundState:
    assert state.new_shoe is not None, "cards are burnt from a new shoe"
    card = Card.parse(event.card)
    new = state.new_shoe._replace(burnt=card, face_down=event.face_down, to_come=event.to_come)
    return state._replace(new_shoe=new)


def _face_down_burnt(state: RoundState, event: events.FaceDownBurnt) -> RoundState:
    assert state.new_shoe is not None, "cards are burnt from a new shoe"
    return state._replace(new_shoe=state.new_shoe._replace(to_come=event.left))


assert RoundState._fields[-2:] == ("seats", "staked_cents"), "they are changed together"


def _staked(state: RoundState, number: int, seat: Seat, change: int) -> RoundState:
    # What `_replace` does, at a fifth of its cost: every bet and every settled seat comes through here.
    changed = (state.seats.with_seat(number, seat), state.staked_cents + change)
    return tuple.__new__(RoundState, state[:-2] + changed)


def bet_placed(state: RoundState, event: events.BetPlaced) -> RoundState:
    """So much more on a spot; what was taken back from it before is laid again first."""
    wager, cents = event.wager, event.cents
    laid, insurance, returned, withdrawn = state.seats[event.seat]
    bets = {**laid, wager: laid.get(wager, 0) + cents}
    if withdrawn:
        withdrawn = _less(withdrawn, wager, cents)
    return _staked(state, event.seat, tuple.__new__(Seat, (bets, insurance, returned, withdrawn)), cents)


def bets_laid(state: RoundState, bets: Mapping[int, Mapping[str, int]], cents: int) -> RoundState:
    """What many bets come to at once, of seats that have taken nothing back: all that lies at each, and so much more
    in all."""
    changed: dict[int, Seat] = {}
    for number, laid in bets.items():
        _, insurance, returned, withdrawn = state.seats[number]
        changed[number] = tuple.__new__(Seat, (laid, insurance, returned, withdrawn))
    now = (state.seats.with_seats(changed), state.staked_cents + cents)
    return tuple.__new__(RoundState, state[:-2] + now)


def _less(amounts: Mapping[str, int], wager: str, cents: int) -> dict[str, int]:
    """So much less on a wager, down to nothing, and then without it."""
    left = {**amounts, wager: amounts.get(wager, 0) - cents}
    return {name: amount for name, amount in left.items() if amount > 0}


def _bet_taken_back(state: RoundState, event: events.BetTakenBack) -> RoundState:
    seat = state.seats[event.seat]
    withdrawn = {**seat.withdrawn, event.wager: seat.withdrawn.get(event.wager, 0) + event.cents}
    bets = _less(seat.bets, event.wager, event.cents)
    return _staked(state, event.seat, seat._replace(bets=bets, withdrawn=withdrawn), -event.cents)


def _bets_cleared(state: RoundState, event: events.BetsCleared) -> RoundState:
    seat = state.seats[event.seat]
    names = seat.bets.keys() | seat.withdrawn.keys()
    withdrawn = {name: seat.withdrawn.get(name, 0) + seat.bets.get(name, 0) for name in sorted(names)}
    return _staked(state, event.seat, Seat(withdrawn=withdrawn), -event.cents)


def _bet_voided(state: RoundState, event: events.BetVoided) -> RoundState:
    seat = state.seats[event.seat]
    return _staked(state, event.seat, seat._replace(bets=_less(seat.bets, event.wager, event.cents)), -event.cents)


def _bet_restored(state: RoundState, event: events.BetRestored) -> RoundState:
    seat = state.seats[event.seat]
    bets = {**seat.bets, event.wager: seat.bets.get(event.wager, 0) + event.cents}
    withdrawn = _less(seat.withdrawn, event.wager, event.cents)
    return _staked(state, event.seat, seat._replace(bets=bets, withdrawn=withdrawn), event.cents)


def _bet_ruled(state: RoundState, event: events.BetRuled) -> RoundState:
    if event.round != state.number:  # an earlier one's: here only money has moved
        return state
    seat = state.seats[event.seat]
    # One that was taken away lies no longer: it is no part of what a settlement returned.
    was_away = event.wager in seat.withdrawn and event.wager not in seat.bets
    returned = seat.returned_cents + (0 if was_away else event.returned_cents - event.was_cents)
    ruling = Ruling(event.stake_cents, event.returned_cents, event.by, event.why, was_away)
    now = _staked(state, event.seat, seat._replace(returned_cents=returned), 0)
    return now._replace(ruled={**state.ruled, (event.seat, event.wager): ruling})


def _earlier_cards_corrected(state: RoundState, event: events.EarlierCardsCorrected) -> RoundState:
    """Of that round itself, the cards; of the one at the table, what is left in the shoe."""
    was, cards = _cards(event.was), _cards(event.cards)
    if event.round == state.number:
        return state._replace(cards=cards, won=tuple(event.won))
    if event.shoe != state.shoe_number or state.shoe is None:
        return state
    old = event.from_old_set
    return state._replace(shoe=state.shoe.with_back(was[old:]).without(cards[old:]))


def _earlier_seat_settled(state: RoundState, event: events.EarlierSeatSettled) -> RoundState:
    if event.round != state.number:
        return state
    seat = state.seats[event.seat]
    kept = {(line.window, line.wager) for line in event.insurance}
    insurance = tuple(bet for bet in seat.insurance if (bet.window, f"{bet.hand}-insurance") in kept)
    # Insurance that went back lies no longer, so it is no part of what the bets have returned either.
    returned = event.returned_cents - event.insurance_back_cents
    changed = seat._replace(returned_cents=returned, insurance=insurance)
    return _staked(state, event.seat, changed, changed.staked_cents - seat.staked_cents)


def _card_dealt(state: RoundState, event: events.CardDealt) -> RoundState:
    card = Card.parse(event.card)
    return state._replace(
        cards=(*state.cards, card),
        put_at=(*state.put_at, event.put_at),
        phase=event.phase,
        held=state.held[1:],
        shoe=state.shoe if state.held else _without(state.shoe, (card,)),
    )


def _without(shoe: Shoe | None, cards: tuple[Card, ...]) -> Shoe | None:
    """One round's history, read on its own, has no shoe."""
    return shoe.without(cards) if shoe else None


def _insurance_placed(state: RoundState, event: events.InsurancePlaced) -> RoundState:
    seat = state.seats[event.seat]
    bet = InsuranceBet(event.window, event.hand, event.cents)
    return _staked(state, event.seat, seat._replace(insurance=(*seat.insurance, bet)), event.cents)


def _insurance_returned(state: RoundState, event: events.InsuranceReturned) -> RoundState:
    seat = state.seats[event.seat]
    left, back = [], event.cents
    for bet in reversed(seat.insurance):  # part of one, or more than one: what was taken last goes back first
        of_it = min(back, bet.cents) if (bet.window, bet.hand) == (event.window, event.hand) else 0
        back -= of_it
        if of_it < bet.cents:
            left.append(bet._replace(cents=bet.cents - of_it))
    return _staked(state, event.seat, seat._replace(insurance=tuple(reversed(left))), -event.cents)


def _seat_settled(state: RoundState, event: events.SeatSettled) -> RoundState:
    seat = state.seats[event.seat]
    return _staked(state, event.seat, Seat(seat.bets, seat.insurance, event.returned_cents, seat.withdrawn), 0)


def _irregularity_reported(state: RoundState, event: events.IrregularityReported) -> RoundState:
    pending = Pending(
        report=event.report,
        kind=event.kind,
        cards=_cards(event.cards),
        seat=event.bet_seat,
        wager=event.wager,
        cents=event.cents,
        about_round=event.about_round,
        by_rank=Rank.parse(event.by_rank),
        noticed=event.kind is Kind.TABLE_INTERRUPTION and event.by == NOBODY.id,
        confirm=event.confirm,
        brief=event.brief,
    )
    # What was drawn is out of the shoe, whatever will be decided about it.
    shoe = _without(state.shoe, pending.cards)
    return state._replace(pending=(*state.pending, pending), reported=event.report, shoe=shoe)


def _others(state: RoundState, report: int) -> tuple[Pending, ...]:
    return tuple(pending for pending in state.pending if pending.report != report)


def _report_withdrawn(state: RoundState, event: events.ReportWithdrawn) -> RoundState:
    """As before: cards that it named are in the shoe, and those on the table lie where they belong."""
    [withdrawn] = [pending for pending in state.pending if pending.report == event.report]
    put_at = state.put_at
    if event.kind is Kind.WRONG_AREA:
        put_at = tuple(hand_of(state.ranks, place) for place in range(len(state.cards)))
    shoe = state.shoe.with_back(withdrawn.cards) if state.shoe else None
    return state._replace(pending=_others(state, event.report), shoe=shoe, put_at=put_at)


def _cards_discarded(state: RoundState, event: events.CardsDiscarded) -> RoundState:
    """Burnt: those that waited wait no more; reported ones were out of the shoe already."""
    if not event.waited:
        return state
    kept, gone = [], list(_cards(event.cards))
    old = state.from_old_set
    for place, card in enumerate(state.held, start=len(state.cards)):
        if card in gone:
            gone.remove(card)
            old -= place < state.from_old_set
        else:
            kept.append(card)
    return state._replace(held=tuple(kept), from_old_set=old)


def _cards_corrected(state: RoundState, event: events.CardsCorrected) -> RoundState:
    cards, held = _cards(event.cards), _cards(event.held)
    now = state._replace(
        cards=cards,
        put_at=tuple(event.put_at),
        held=held,
        shoe=shoe_after(state, cards, held) if state.shoe else None,
        from_old_set=min(state.from_old_set, len(cards) + len(held)),
        phase=event.phase,
    )
    # A corrected suit changes nothing that was opened or declared.
    return now if now.ranks == state.ranks else now._replace(declared=False, won=(), window_open=False)
