"""Irregularities: reported as what happened, answered by the clause that governs, decided by the rank it names."""

from natural9.core.cards import show_cards
from natural9.core.completion import established
from natural9.core.irregularities import Clause, Condition, Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.correcting import corrected
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.settling import reversal
from natural9.core.round.state import CONCLUDED, Pending, Phase, RoundState
from natural9.core.shoe import one_too_many
from natural9.core.staff import HOUSE_SYSTEM, Staff
from natural9.core.table_of_play import hand_of

_AFTER_CLOSE = frozenset({Kind.LATE_BET, Kind.WITHDRAWN_BET})
_NEEDS_CARDS = {
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: 2,
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: 2,
    Kind.EXCESS_OR_EXPOSED: 1,
}
# An earlier round's money is past this round's reach, and a void round has no result: only these are left for them.
_WITHOUT_EFFECT = frozenset({Remedy.CONTINUE, Remedy.NO_EFFECT})


def may_report(state: RoundState, command: commands.ReportIrregularity | None) -> Refusal | None:
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, "No round has been opened at this table yet")
    return None


def report_irregularity(state: RoundState, command: commands.ReportIrregularity) -> Decision:
    if refusal := _bad_report(state, command) or _concluded(state, command.kind):
        return refusal
    return (
        report(
            state,
            command.kind,
            by=command.by,
            detail=command.detail,
            cards_dealt=len(state.cards),
            command=command,
        ),
    )


def _bad_report(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    kind = command.kind
    if len(command.cards) < _NEEDS_CARDS.get(kind, 0):
        return Refusal(Code.BAD_REPORT, f"A report of {kind} names the cards, at least {_NEEDS_CARDS[kind]}")
    if kind in _AFTER_CLOSE and state.phase is Phase.BETTING_OPEN:
        return Refusal(Code.BAD_REPORT, f"Bets are still open: there is no {kind} yet")
    if kind is Kind.INSUFFICIENT_CARDS and (state.phase is Phase.BETTING_OPEN or state.due is None):
        return Refusal(Code.BAD_REPORT, "No card is due, so none is missing")
    if kind is Kind.FOUND_LATER and not 0 < (command.about_round or 0) < state.number:
        return Refusal(Code.BAD_REPORT, f"Name the earlier round that the error was in: one before {state.number}")
    if kind is not Kind.FOUND_LATER and command.about_round not in (None, state.number):
        why = f"Round {command.about_round} is not in play: an error in it is reported as {Kind.FOUND_LATER}"
        return Refusal(Code.BAD_REPORT, why)
    return _not_in_the_shoe(state, command)


def _not_in_the_shoe(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    assert state.shoe is not None, "no round opens without a shoe"
    for card in set(command.cards):
        if command.cards.count(card) > state.shoe.left(card):
            why = f"{one_too_many(card, state.shoe.decks)}: report {Kind.SHORTAGE_OR_EXCESS}, without naming it"
            return Refusal(Code.CARD_TOO_MANY, why)
    return None


def _concluded(state: RoundState, kind: Kind) -> Refusal | None:
    """Once settled a round stands, but for what its clause leaves open until the next one commences."""
    clause = _clause(state, kind, len(state.cards))
    if state.phase not in CONCLUDED or (clause.until_next_round and state.phase is Phase.SETTLED):
        return None
    if kind in (Kind.FOUND_LATER, Kind.NOT_COVERED):
        return None
    why = f"Round {state.number} is {state.phase} and stands: {kind} no longer changes it"
    return Refusal(Code.ROUND_CONCLUDED, why, clause.previous_stand)


def _clause(state: RoundState, kind: Kind, cards_dealt: int) -> Clause:
    return state.game.document.clause(kind, cards_dealt=cards_dealt)


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
    clause = _clause(state, kind, cards_dealt)
    return events.IrregularityReported(
        kind=kind,
        remedies=tuple(_remedies(state, kind, clause)),
        rank=clause.rank.tag,
        by=by.id,
        detail=detail,
        cards=tuple(map(str, command.cards)) if command else (),
        seats=command.seats if command else (),
        about_round=command.about_round if command else None,
        may_replace_shoe=clause.may_replace_shoe,
    )


def _remedies(state: RoundState, kind: Kind, clause: Clause) -> list[tuple[Remedy, str]]:
    in_reach = kind is not Kind.FOUND_LATER and state.phase is not Phase.VOID
    is_established = established(state.wagers, state.ranks)
    applies = {
        Condition.ALWAYS: True,
        Condition.ESTABLISHED: is_established,
        Condition.NOT_ESTABLISHED: not is_established,
    }
    return [
        (remedy.do, remedy.paragraph)
        for remedy in clause.remedies
        if applies[remedy.condition] and (in_reach or remedy.do in _WITHOUT_EFFECT)
    ]


def may_decide(state: RoundState, command: commands.DecideIrregularity | None) -> Refusal | None:
    if state.pending is None:
        return Refusal(Code.NO_IRREGULARITY, "No irregularity waits for a decision")
    return None


def decide_irregularity(state: RoundState, command: commands.DecideIrregularity) -> Decision:
    pending = state.pending
    assert pending is not None, "checked by may_decide"
    paragraph = pending.paragraph(command.remedy)
    if paragraph is None:
        allowed = ", ".join(f"{remedy} ({where})" for remedy, where in pending.remedies)
        why = f"{command.remedy} is not a remedy for {pending.kind} here: the rules allow {allowed}"
        return Refusal(Code.REMEDY_NOT_ALLOWED, why)
    if refusal := rank_too_low(command.by, pending.rank, f"decide on {pending.kind}", paragraph):
        return refusal
    if command.replace_shoe and not pending.may_replace_shoe:
        return Refusal(Code.REMEDY_NOT_ALLOWED, f"The rules do not let the shoe be replaced for {pending.kind}")
    remedied = _carry_out(state, pending, command, paragraph)
    if isinstance(remedied, Refusal):
        return remedied
    clause = _clause(state, pending.kind, len(state.cards))
    decided = events.IrregularityDecided(
        kind=pending.kind,
        remedy=command.remedy,
        by=command.by.id,
        rank=command.by.rank.tag,
        why=command.why,
        paragraph=paragraph,
        previous_stand=clause.previous_stand,
    )
    return (decided, *remedied, *_shoe_replaced(state, pending, command))


def _shoe_replaced(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity
) -> tuple[events.ShoeReplaced, ...]:
    if not command.replace_shoe:
        return ()
    assert state.shoe is not None, "no round opens without a shoe"
    return (events.ShoeReplaced(decks=state.shoe.decks, by=command.by.id, paragraph=pending.may_replace_shoe),)


def _carry_out(state: RoundState, pending: Pending, command: commands.DecideIrregularity, paragraph: str) -> Decision:
    match command.remedy:
        case Remedy.VOID:
            return void(state, command.by, f"{pending.kind}. {command.why}".strip(), paragraph)
        case Remedy.RECONSTRUCT | Remedy.USE_IN_NEXT_ROUND | Remedy.DECIDE_ORDER:
            return _put_in_order(state, pending, command, paragraph)
        case Remedy.SETTLE_BY_CARDS:
            return corrected(state, command.cards or state.cards, command.by, command.why, paragraph)
        case Remedy.CONTINUE | Remedy.REFUSE_BET | Remedy.BET_STANDS | Remedy.NO_EFFECT:  # pragma: no branch: no other
            return ()


def _put_in_order(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, paragraph: str
) -> Decision:
    cards = command.cards or pending.cards
    if sorted(cards) != sorted(pending.cards):
        why = f"The order must be of the cards that were reported, {show_cards(pending.cards)}, not {show_cards(cards)}"
        return Refusal(Code.BAD_REPORT, why, paragraph)
    if command.remedy is Remedy.DECIDE_ORDER and not command.cards:
        return Refusal(Code.BAD_REPORT, f"Say in which order {show_cards(pending.cards)} are to be received", paragraph)
    if command.remedy is Remedy.USE_IN_NEXT_ROUND and state.phase not in CONCLUDED and state.due is not None:
        why = f"The {state.due} hand is still due a card in this round: reconstruct instead"
        return Refusal(Code.CARD_DUE, why, paragraph)
    if cards:
        return (events.CardsPutInOrder(cards=tuple(map(str, cards)), paragraph=paragraph),)
    belong = tuple(hand_of(state.ranks, place) for place in range(len(state.cards)))
    return (events.CardsReconstructed(put_at=belong, paragraph=paragraph),)


def may_void(state: RoundState, command: commands.VoidRound | None) -> Refusal | None:
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, "No round has been opened at this table yet")
    if state.phase is Phase.VOID:
        return Refusal(Code.ALREADY_DONE, f"Round {state.number} is void already")
    return None


def void_round(state: RoundState, command: commands.VoidRound) -> Decision:
    """Voiding outside any clause is deciding what no clause covers: rws-nc 5.12, mbs 6.1."""
    clause = state.game.document.clauses[Kind.NOT_COVERED]
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.VOID)
    if refusal := rank_too_low(command.by, clause.rank, "void a round", paragraph):
        return refusal
    if not command.why.strip():
        return Refusal(Code.BAD_REPORT, "Say why the round is voided: every terminal is told", paragraph)
    return void(state, command.by, command.why, paragraph)


def void(state: RoundState, by: Staff, why: str, clause: str) -> tuple[events.RoundEvent, ...]:
    """Every bet of the round goes back whole, insurance too (rws-nc 1.20, 5.11); a settlement is reversed first."""
    paragraph = state.game.document.procedure.void
    returned = tuple(events.BetsReturned(seat=number, cents=seat.staked_cents) for number, seat in state.seats.items())
    voided = events.RoundVoided(
        returned_cents=state.staked_cents, by=by.id, why=why, clause=clause, paragraph=paragraph
    )
    return (*reversal(state, clause), *returned, voided)
