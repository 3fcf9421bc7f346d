"""Putting a registered card or result right. The cards on the table decide: rws-nc 5.6, mbs 6.3."""

from typing import NamedTuple

from natural9.core.cards import Card, show_cards
from natural9.core.cards import Rank as CardRank
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.evolve import fold
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.settling import declared, reversal, settlement
from natural9.core.round.state import INSURANCE_PHASES, Phase, RoundState, draw_phase, phase_after, shoe_after
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import INITIAL_DEAL, MOST_CARDS, Hand, hand_of, played_count


class Correction(NamedTuple):
    """What may be corrected as things stand, and by whom."""

    rank: Rank
    paragraph: str
    may_add: bool  # whether more cards than are registered may be named
    reverses: bool  # whether a settlement is reversed by another result
    places: tuple[Hand | None, ...]  # whose card lies at each place; None where the cards before it decide


def what_to_correct(state: RoundState) -> Correction | Refusal:
    """From the same checks by which a correction is refused."""
    if refusal := may_correct(state, None):
        return refusal
    rank, paragraph = _authority(state)
    places = (*INITIAL_DEAL, *(None for _ in range(MOST_CARDS - len(INITIAL_DEAL))))
    most = MOST_CARDS if _may_add(state) else len(state.cards)
    return Correction(rank, paragraph, _may_add(state), state.phase is Phase.SETTLED, places[:most])


def may_correct(state: RoundState, command: commands.CorrectCard | commands.CorrectResult | None) -> Refusal | None:
    """There is a card to correct."""
    if not state.cards or state.phase is Phase.VOID:
        return Refusal(Code.BAD_CORRECTION, "There is no card to correct")
    return None


def correct_card(state: RoundState, command: commands.CorrectCard, by: Staff, why: str) -> Decision:
    """One registered card is another."""
    if not 1 <= command.place <= len(state.cards):
        none = f"There is no card {command.place}: {len(state.cards)} are registered, {show_cards(state.cards)}"
        return Refusal(Code.BAD_CORRECTION, none)
    at = command.place - 1
    cards = (*state.cards[:at], command.card, *state.cards[at + 1 :])
    return _correct(state, cards, by, why)


def correct_result(state: RoundState, command: commands.CorrectResult, by: Staff, why: str) -> Decision:
    """The cards are those that lie on the table."""
    return _correct(state, command.cards, by, why)


def _correct(state: RoundState, cards: tuple[Card, ...], by: Staff, why: str) -> Decision:
    """A mis-key is the dealer's to mend; a declared result is corrected by the clause for wrong results."""
    rank, paragraph = _authority(state)
    if refusal := rank_too_low(by, rank, "correct a declared result", paragraph):
        return refusal
    if cards == state.cards:
        return Refusal(
            Code.BAD_CORRECTION, f"{show_cards(cards)} are the registered cards: there is nothing to correct"
        )
    return corrected(state, cards, by, why, paragraph)


def _authority(state: RoundState) -> tuple[Rank, str]:
    """The rank that may correct, and the paragraph: until the result is declared, the dealer."""
    clause = state.game.document.clause(Kind.WRONG_RESULT, cards_dealt=len(state.cards))
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.SETTLE_BY_CARDS)
    return (clause.rank if state.declared else Rank.DEALER), paragraph


def corrected(state: RoundState, cards: tuple[Card, ...], by: Staff, why: str, paragraph: str) -> Decision:
    """Register the cards as they lie; a settlement already made is reversed and, if the round is whole, made again."""
    if cards == state.cards:
        return ()
    if refusal := may_correct(state, None) or _cannot_lie(state, cards):
        return refusal
    ranks = tuple(card.rank for card in cards)
    played = played_count(ranks)
    waiting = state.held[max(0, len(cards) - len(state.cards)) :]
    put_right = events.CardsCorrected(
        cards=tuple(map(str, cards[:played])),
        put_at=tuple(hand_of(ranks, place) for place in range(played)),
        held=tuple(map(str, (*cards[played:], *waiting))),
        phase=_phase(state, ranks[:played]),
        by=by.id,
        why=why,
        paragraph=paragraph,
    )
    if ranks == state.ranks:
        return (put_right,)
    happened: tuple[events.RoundEvent, ...] = (
        *reversal(state, paragraph),
        put_right,
        *_insurance_undone(state, ranks[:played]),
    )
    if state.phase is not Phase.SETTLED or put_right.phase is not Phase.COMPLETE:
        return happened
    now = fold(state, happened)
    assert now.outcome is not None, "a complete round has an outcome"
    return (*happened, declared(now, now.outcome), *settlement(now))


def _phase(state: RoundState, ranks: tuple[CardRank, ...]) -> Phase:
    """Where the round stands by the right cards. A window that was held on the same offers is not held again."""
    if ranks == state.ranks:
        return state.phase
    phase = phase_after(state.game, ranks, waived=state.waived)
    window, insurance = INSURANCE_PHASES.get(phase), state.game.insurance
    held_before = window and insurance and len(ranks) == len(state.ranks) and state.phase is draw_phase(ranks)
    if (
        held_before
        and insurance
        and window
        and insurance.offers(window, ranks) == insurance.offers(window, state.ranks)
    ):
        return state.phase
    return phase


def _may_add(state: RoundState) -> bool:
    return state.phase in (Phase.COMPLETE, Phase.SETTLED)


def _cannot_lie(state: RoundState, cards: tuple[Card, ...]) -> Refusal | None:
    """Cards may be corrected; more than are registered only once the round counted as complete, and in their order."""
    if not cards:
        return Refusal(Code.BAD_CORRECTION, "Name the cards as they lie on the table, in dealt order")
    more = cards[len(state.cards) :]
    if more and not _may_add(state):
        why = f"{show_cards(more)} cannot be added while a card is due: correct the registered cards, then deal"
        return Refusal(Code.BAD_CORRECTION, why)
    if any(card != waits for card, waits in zip(more, state.held, strict=False)):
        why = f"{show_cards(state.held)} came out earlier: put {show_cards(state.held)} before {show_cards(more)}"
        return Refusal(Code.NOT_THE_NEXT_CARD, why)
    try:
        shoe_after(state, cards, state.held[len(more) :])
    except BadInput as error:
        return Refusal.of(Code.CARD_TOO_MANY, error)
    return None


def _insurance_undone(state: RoundState, ranks: tuple[CardRank, ...]) -> list[events.InsuranceReturned]:
    """Insurance taken on a situation that did not exist goes back (interpretation `corrected-insurance`)."""
    insurance = state.game.insurance
    if insurance is None:
        return []
    return [
        events.InsuranceReturned(
            seat=number,
            window=bet.window,
            hand=bet.hand,
            cents=bet.cents,
            paragraph="interpretation corrected-insurance",
        )
        for number, seat in state.seats.items()
        for bet in seat.insurance
        if insurance.offer(bet.window, ranks, bet.hand) is not insurance.offer(bet.window, state.ranks, bet.hand)
    ]
