"""Irregularities: reported as what happened, answered by the clause that governs, decided by the rank it names."""

from enum import StrEnum
from typing import Final

from natural9.core.cards import show_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.correcting import corrected
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.reporting import badly_named, clause_of, not_now, remedies_of
from natural9.core.round.settling import reversal
from natural9.core.round.state import CONCLUDED, Pending, Phase, RoundState
from natural9.core.staff import HOUSE_SYSTEM, Staff
from natural9.core.table_of_play import hand_of


def may_report(state: RoundState, command: commands.ReportIrregularity | None) -> Refusal | None:
    """There is a round to report something of."""
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, "No round has been opened at this table yet")
    return None


def report_irregularity(state: RoundState, command: commands.ReportIrregularity, by: Staff, why: str) -> Decision:
    """The report, answered by the clause that governs."""
    if refusal := not_now(state, command.kind) or badly_named(state, command):
        return refusal
    return (
        report(
            state,
            command.kind,
            by=by,
            detail=command.detail,
            cards_dealt=len(state.cards),
            command=command,
        ),
    )


def report(
    state: RoundState,
    kind: Kind,
    *,
    cards_dealt: int,
    detail: str,
    by: Staff = HOUSE_SYSTEM,
    command: commands.ReportIrregularity | None = None,
) -> events.IrregularityReported:
    """The report as an event: it carries the remedies that the governing clause allows, and who decides."""
    clause = clause_of(state, kind, cards_dealt=cards_dealt)
    return events.IrregularityReported(
        kind=kind,
        remedies=remedies_of(state, kind, clause),
        rank=clause.rank.tag,
        by=by.id,
        detail=detail,
        cards=tuple(map(str, command.cards)) if command else (),
        seats=command.seats if command else (),
        about_round=command.about_round if command else None,
        may_replace_shoe=clause.may_replace_shoe,
    )


class Names(StrEnum):
    """The cards that a decision names."""

    NOTHING = ""
    ORDER = "order"  # the reported cards, in the order in which they are received
    CARDS = "cards"  # the cards as they lie, if other than registered


_ORDERS: Final = frozenset({Remedy.RECONSTRUCT, Remedy.USE_IN_NEXT_ROUND, Remedy.DECIDE_ORDER})


def names(pending: Pending, remedy: Remedy) -> Names:
    """Which cards a decision for this remedy names."""
    if remedy in _ORDERS:
        return Names.ORDER if len(pending.cards) > 1 else Names.NOTHING
    return Names.CARDS if remedy is Remedy.SETTLE_BY_CARDS else Names.NOTHING


def may_decide(state: RoundState, command: commands.DecideIrregularity | None) -> Refusal | None:
    """An irregularity waits."""
    if state.pending is None:
        return Refusal(Code.NO_IRREGULARITY, "No irregularity waits for a decision")
    return None


def decide_irregularity(state: RoundState, command: commands.DecideIrregularity, by: Staff, why: str) -> Decision:
    """The remedy, if the clause allows it and the rank suffices."""
    pending = state.pending
    assert pending is not None, "checked by may_decide"
    paragraph = pending.paragraph(command.remedy)
    if paragraph is None:
        allowed = ", ".join(f"{remedy.words} ({where})" for remedy, where in pending.remedies)
        wrong = f'"{command.remedy.words}" is no remedy here ({pending.kind.words}): the rules allow {allowed}'
        return Refusal(Code.REMEDY_NOT_ALLOWED, wrong)
    if refusal := rank_too_low(by, pending.rank, f'decide "{pending.kind.words}"', paragraph):
        return refusal
    if command.replace_shoe and not pending.may_replace_shoe:
        return Refusal(Code.REMEDY_NOT_ALLOWED, f"The rules do not allow another shoe here ({pending.kind.words})")
    remedied = _carry_out(state, pending, command, by, why, paragraph)
    if isinstance(remedied, Refusal):
        return remedied
    clause = clause_of(state, pending.kind, cards_dealt=len(state.cards))
    decided = events.IrregularityDecided(
        kind=pending.kind,
        remedy=command.remedy,
        by=by.id,
        rank=by.rank.tag,
        why=why,
        paragraph=paragraph,
        previous_stand=clause.previous_stand,
    )
    return (decided, *remedied, *_shoe_replaced(state, pending, command, by))


def _shoe_replaced(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, by: Staff
) -> tuple[events.ShoeReplaced, ...]:
    if not command.replace_shoe:
        return ()
    assert state.shoe is not None, "no round opens without a shoe"
    return (events.ShoeReplaced(decks=state.shoe.decks, by=by.id, paragraph=pending.may_replace_shoe),)


def _carry_out(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, by: Staff, why: str, paragraph: str
) -> Decision:
    match command.remedy:
        case Remedy.VOID:
            return void(state, by, why.strip(), paragraph, kind=pending.kind)
        case Remedy.RECONSTRUCT | Remedy.USE_IN_NEXT_ROUND | Remedy.DECIDE_ORDER:
            return _put_in_order(state, pending, command, paragraph)
        case Remedy.SETTLE_BY_CARDS:
            return corrected(state, command.cards or state.cards, by, why, paragraph)
        case Remedy.CONTINUE | Remedy.REFUSE_BET | Remedy.BET_STANDS | Remedy.NO_EFFECT:  # pragma: no branch: no other
            return ()


def _put_in_order(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, paragraph: str
) -> Decision:
    cards = command.cards or pending.cards
    if sorted(cards) != sorted(pending.cards):
        why = f"Put the reported cards in order: {show_cards(pending.cards)}, not {show_cards(cards)}"
        return Refusal(Code.BAD_REPORT, why, paragraph)
    if command.remedy is Remedy.DECIDE_ORDER and not command.cards:
        return Refusal(Code.BAD_REPORT, f"Say in which order the cards come: {show_cards(pending.cards)}", paragraph)
    if command.remedy is Remedy.USE_IN_NEXT_ROUND and state.phase not in CONCLUDED and state.due is not None:
        why = f"The {state.due} hand is still due a card in this round: reconstruct instead"
        return Refusal(Code.CARD_DUE, why, paragraph)
    if cards:
        return (events.CardsPutInOrder(cards=tuple(map(str, cards)), paragraph=paragraph),)
    belong = tuple(hand_of(state.ranks, place) for place in range(len(state.cards)))
    return (events.CardsReconstructed(put_at=belong, paragraph=paragraph),)


def may_void(state: RoundState, command: commands.VoidRound | None) -> Refusal | None:
    """There is a round that is not void yet."""
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, "No round has been opened at this table yet")
    if state.phase is Phase.VOID:
        return Refusal(Code.ALREADY_DONE, f"Round {state.number} is already void")
    return None


def void_round(state: RoundState, command: commands.VoidRound, by: Staff, why: str) -> Decision:
    """Voiding outside any clause is deciding what no clause covers: rws-nc 5.12, mbs 6.1."""
    clause = state.game.document.clauses[Kind.NOT_COVERED]
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.VOID)
    if refusal := rank_too_low(by, clause.rank, "void a round", paragraph):
        return refusal
    return void(state, by, why, paragraph)


def void(
    state: RoundState, by: Staff, why: str, clause: str, *, kind: Kind | None = None
) -> tuple[events.RoundEvent, ...]:
    """Every bet of the round goes back whole, insurance too (rws-nc 1.20, 5.11); a settlement is reversed first."""
    paragraph = state.game.document.procedure.void
    returned = tuple(events.BetsReturned(seat=number, cents=seat.staked_cents) for number, seat in state.seats.items())
    voided = events.RoundVoided(
        returned_cents=state.staked_cents, by=by.id, why=why, clause=clause, paragraph=paragraph, kind=kind
    )
    return (*reversal(state, clause), *returned, voided)
