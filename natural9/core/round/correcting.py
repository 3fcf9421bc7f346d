"""Putting a registered card or result right. The cards on the table decide: rws-nc 5.6, mbs 6.3."""

from typing import NamedTuple

from natural9.core.cards import Card, name_cards
from natural9.core.cards import Rank as CardRank
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.earlier import changes_result, correct_earlier, is_earlier
from natural9.core.round.evolve import fold
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.reporting import RECORD
from natural9.core.round.settling import declared, insurance_undone, reversal, settlement
from natural9.core.round.state import INSURANCE_PHASES, Phase, RoundState, draw_phase, phase_after, shoe_after
from natural9.core.saying import say
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import INITIAL_DEAL, MOST_CARDS, Hand, hand_of, played_count


class Correction(NamedTuple):
    """What may be corrected as things stand, and by whom."""

    rank: Rank  # that it takes to change the result; another suit alone is always the dealer's
    paragraph: str
    may_add: bool  # whether more cards than are registered may be named
    reverses: bool  # whether a settlement is reversed by another result
    places: tuple[Hand | None, ...]  # whose card lies at each place; None where the cards before it decide


def what_to_correct(state: RoundState) -> Correction | Refusal:
    """From the same checks by which a correction is refused."""
    if refusal := _no_card(state):
        return refusal
    rank, paragraph = _wrong_result(state) if state.declared else (Rank.DEALER, RECORD)
    places = (*INITIAL_DEAL, *(None for _ in range(MOST_CARDS - len(INITIAL_DEAL))))
    most = MOST_CARDS if _may_add(state) else len(state.cards)
    return Correction(rank, paragraph, _may_add(state), state.phase is Phase.SETTLED, places[:most])


def may_correct(state: RoundState, command: commands.CorrectCard | commands.CorrectResult | None) -> Refusal | None:
    """There is a card to correct, here or in an earlier round."""
    earlier = state.number > 1 if command is None else is_earlier(state, command.round)
    return None if earlier else _no_card(state)


def _no_card(state: RoundState) -> Refusal | None:
    if not state.cards and not state.held:
        return Refusal(Code.BAD_CORRECTION, say("There is no card to correct"))
    return None


def correct_card(
    state: RoundState, command: commands.CorrectCard, by: Staff, why: str, earlier: RoundState | None
) -> Decision:
    """One registered card is another."""
    if is_earlier(state, command.round):
        return correct_earlier(state, earlier, command, by, why)
    lie = (*state.cards, *state.held)
    if not 1 <= command.place <= len(lie):
        none = say(
            "There is no card {place}: {count} are registered, {cards}",
            place=command.place,
            count=len(lie),
            cards=name_cards(lie),
        )
        return Refusal(Code.BAD_CORRECTION, none)
    at = command.place - 1
    lie = (*lie[:at], command.card, *lie[at + 1 :])
    dealt = len(state.cards)
    return _correct(state, lie[:dealt], lie[dealt:], by, why)


def correct_result(
    state: RoundState, command: commands.CorrectResult, by: Staff, why: str, earlier: RoundState | None
) -> Decision:
    """The cards are those that lie on the table."""
    if is_earlier(state, command.round):
        return correct_earlier(state, earlier, command, by, why)
    return _correct(state, command.cards, state.held, by, why)


def _correct(state: RoundState, cards: tuple[Card, ...], held: tuple[Card, ...], by: Staff, why: str) -> Decision:
    """A mis-key is the dealer's to mend; a declared result is corrected by the clause for wrong results."""
    rank, paragraph = _authority(state, cards)
    if refusal := rank_too_low(by, rank, say("correct a declared result"), paragraph):
        return refusal
    nothing = say("{cards} are the registered cards: there is nothing to correct", cards=name_cards(cards))
    same = Refusal(Code.BAD_CORRECTION, nothing)
    if (cards, held) == (state.cards, state.held):
        return same
    if (held != state.held or state.phase is Phase.VOID) and not why.strip():
        return Refusal(Code.REASON_NEEDED, say("Say why the record of a card is corrected"), RECORD)
    if held != state.held:
        return _registered(state, cards, held, by, why, paragraph)
    return corrected(state, cards, by, why, paragraph) or same


def _authority(state: RoundState, cards: tuple[Card, ...]) -> tuple[Rank, str]:
    """The rank that may correct, and the paragraph: until the result is declared, and where only a suit was wrong, the
    dealer; then by whether anything ends otherwise (interpretation record-of-a-card)."""
    if tuple(card.rank for card in cards) == state.ranks or not (state.declared or state.phase is Phase.VOID):
        return Rank.DEALER, RECORD
    if not changes_result(state, cards):
        return Rank.PIT_SUPERVISOR, RECORD
    return _wrong_result(state)


def _wrong_result(state: RoundState) -> tuple[Rank, str]:
    clause = state.game.document.clause(Kind.WRONG_RESULT, cards_dealt=len(state.cards))
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.SETTLE_BY_CARDS)
    return clause.rank, paragraph


def corrected(
    state: RoundState, cards: tuple[Card, ...], by: Staff, why: str, paragraph: str, *, complete: bool = False
) -> Decision:
    """Register the cards as they lie; a settlement already made is reversed and, if the round is whole, made again.

    `complete`: after an interruption, cards may lie that were never registered.
    """
    if cards == state.cards or _has_cards_that_wait(state, cards):
        return ()
    if refusal := _cannot_lie(state, cards, complete=complete):
        return refusal
    waiting = state.held[max(0, len(cards) - len(state.cards)) :]
    return _registered(state, cards, waiting, by, why, paragraph)


def _has_cards_that_wait(state: RoundState, cards: tuple[Card, ...]) -> bool:
    """Named with the registered ones, though the round takes none of them."""
    ranks = tuple(card.rank for card in cards)
    named = cards == (*state.cards, *state.held)[: len(cards)]
    return named and played_count(ranks) == len(state.cards) < len(cards)


def _registered(
    state: RoundState, cards: tuple[Card, ...], waiting: tuple[Card, ...], by: Staff, why: str, paragraph: str
) -> Decision:
    try:
        shoe_after(state, cards, waiting)
    except BadInput as error:
        return Refusal.of(Code.CARD_TOO_MANY, error)
    played = played_count(tuple(card.rank for card in cards))
    held = (*cards[played:], *waiting)
    ranks = tuple(card.rank for card in cards[:played])
    put_right = events.CardsCorrected(
        cards=tuple(map(str, cards[:played])),
        put_at=tuple(hand_of(ranks, place) for place in range(played)),
        held=tuple(map(str, held)),
        phase=_phase(state, ranks, next_known=bool(held)),
        by=by.id,
        why=why,
        paragraph=paragraph,
    )
    if ranks == state.ranks or state.phase is Phase.VOID:
        return (put_right,)
    happened: tuple[events.RoundEvent, ...] = (
        *reversal(state, paragraph),
        put_right,
        *insurance_undone(state, ranks),
    )
    if state.phase is not Phase.SETTLED or put_right.phase is not Phase.COMPLETE:
        return happened
    now = fold(state, happened)
    assert now.outcome is not None, "a complete round has an outcome"
    return (*happened, declared(now, now.outcome), *settlement(now))


def _phase(state: RoundState, ranks: tuple[CardRank, ...], *, next_known: bool) -> Phase:
    """Where the round stands by the right cards. A window that was held on the same offers is not held again."""
    if ranks == state.ranks or state.phase is Phase.VOID:
        return state.phase
    phase = phase_after(state.game, ranks, waived=state.waived is not None, next_known=next_known)
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


def _cannot_lie(state: RoundState, cards: tuple[Card, ...], *, complete: bool) -> Refusal | None:
    """Cards may be corrected; more than are registered only once the round counted as complete, and in their order."""
    if not cards:
        return Refusal(Code.BAD_CORRECTION, say("Name the cards as they lie on the table, in dealt order"))
    more = cards[len(state.cards) :]
    if more and not complete and not _may_add(state):
        due = say(
            "{cards} cannot be added while a card is due: correct the registered cards, then deal",
            cards=name_cards(more),
        )
        return Refusal(Code.BAD_CORRECTION, due)
    if any(card != waits for card, waits in zip(more, state.held, strict=False)):
        first = say(
            "{held} came out earlier: put {held} before {cards}", held=name_cards(state.held), cards=name_cards(more)
        )
        return Refusal(Code.NOT_THE_NEXT_CARD, first)
    return None
