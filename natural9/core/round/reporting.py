"""Which irregularities may be reported now, what a report of each must name, and who decides by which clause.

`report_irregularity` refuses by these checks, and a console greys its buttons by them: there is no second list.
"""

from typing import Final, NamedTuple

from natural9.core.completion import established
from natural9.core.irregularities import Clause, Condition, Kind, Remedy
from natural9.core.round import commands
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.state import CONCLUDED, Phase, RoundState
from natural9.core.shoe import one_too_many
from natural9.core.staff import Rank


class Needs(NamedTuple):
    """What a report names: at least so many cards, and an earlier round. Seats it may name."""

    cards: int = 0
    earlier_round: bool = False
    seats: bool = False


_AFTER_CLOSE: Final = frozenset({Kind.LATE_BET, Kind.WITHDRAWN_BET})
_NEEDS: Final = {
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: Needs(cards=2),
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: Needs(cards=2),
    Kind.EXCESS_OR_EXPOSED: Needs(cards=1),
    Kind.FOUND_LATER: Needs(earlier_round=True),
    Kind.LATE_BET: Needs(seats=True),
    Kind.WITHDRAWN_BET: Needs(seats=True),
    Kind.TERMINAL_INTERRUPTION: Needs(seats=True),
}
_NOTHING: Final = Needs()
# An earlier round's money is past this round's reach, and a void round has no result: only these are left for them.
_WITHOUT_EFFECT: Final = frozenset({Remedy.CONTINUE, Remedy.NO_EFFECT})


class Reportable(NamedTuple):
    """One kind of irregularity, as things stand: why it cannot be reported, if so; what to name; who decides."""

    kind: Kind
    refusal: Refusal | None
    needs: Needs
    rank: Rank
    remedies: tuple[tuple[Remedy, str], ...]  # that this rank may choose from, with the paragraph of each


def needs(kind: Kind) -> Needs:
    """What a report of this kind names."""
    return _NEEDS.get(kind, _NOTHING)


def clause_of(state: RoundState, kind: Kind, *, cards_dealt: int) -> Clause:
    """The clause of the game's document that governs once so many cards are dealt."""
    return state.game.document.clause(kind, cards_dealt=cards_dealt)


def what_to_report(state: RoundState, nothing: Refusal | None) -> tuple[Reportable, ...]:
    """Every kind, as things stand; `nothing`: why no report at all is taken now, if so."""
    applies = _conditions(state)
    return tuple(_reportable(state, kind, nothing, applies) for kind in Kind)


def _reportable(state: RoundState, kind: Kind, nothing: Refusal | None, applies: frozenset[Condition]) -> Reportable:
    clause = clause_of(state, kind, cards_dealt=len(state.cards))
    refusal = nothing or not_now(state, kind)
    return Reportable(kind, refusal, needs(kind), clause.rank, _remedies(state, kind, clause, applies))


def remedies_of(state: RoundState, kind: Kind, clause: Clause) -> tuple[tuple[Remedy, str], ...]:
    """What the clause that governs this kind allows here, with the paragraph of each remedy."""
    return _remedies(state, kind, clause, _conditions(state))


def _remedies(
    state: RoundState, kind: Kind, clause: Clause, applies: frozenset[Condition]
) -> tuple[tuple[Remedy, str], ...]:
    in_reach = kind is not Kind.FOUND_LATER and state.phase is not Phase.VOID
    return tuple(
        (remedy.do, remedy.paragraph)
        for remedy in clause.remedies
        if remedy.condition in applies and (in_reach or remedy.do in _WITHOUT_EFFECT)
    )


def _conditions(state: RoundState) -> frozenset[Condition]:
    is_established = established(state.wagers, state.ranks)
    return frozenset({Condition.ALWAYS, Condition.ESTABLISHED if is_established else Condition.NOT_ESTABLISHED})


def not_now(state: RoundState, kind: Kind) -> Refusal | None:
    """Why a report of this kind is refused now, whatever it names."""
    if kind in _AFTER_CLOSE and state.phase is Phase.BETTING_OPEN:
        return Refusal(Code.BETTING_STILL_OPEN, f"Bets are still open: there is no {kind.words} yet")
    if kind is Kind.INSUFFICIENT_CARDS and (state.phase is Phase.BETTING_OPEN or state.due is None):
        return Refusal(Code.NO_CARD_DUE, "No card is due, so none is missing")
    if kind is Kind.FOUND_LATER and state.number < 2:
        return Refusal(Code.NO_EARLIER_ROUND, f"Round {state.number} is the first: there is no earlier one")
    assert state.shoe is not None, "no round opens without a shoe"
    if state.shoe.cards_left < needs(kind).cards:
        why = f'Only {state.shoe.cards_left} cards are left in the shoe: report "{Kind.SHORTAGE_OR_EXCESS.words}"'
        return Refusal(Code.CARD_TOO_MANY, why)
    return _concluded(state, kind)


def _concluded(state: RoundState, kind: Kind) -> Refusal | None:
    """Once settled a round stands, but for what its clause leaves open until the next one commences."""
    clause = clause_of(state, kind, cards_dealt=len(state.cards))
    if state.phase not in CONCLUDED or (clause.until_next_round and state.phase is Phase.SETTLED):
        return None
    if kind in (Kind.FOUND_LATER, Kind.NOT_COVERED):
        return None
    why = f'Round {state.number} is {state.phase} and stands: it is too late to report "{kind.words}"'
    return Refusal(Code.ROUND_CONCLUDED, why, clause.previous_stand)


def badly_named(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    """What is wrong with what a report names."""
    kind, about = command.kind, command.about_round
    asked = needs(kind)
    if len(command.cards) < asked.cards:
        return Refusal(Code.BAD_REPORT, f"Name the cards, at least {asked.cards}: {kind.words}")
    if asked.earlier_round and not 0 < (about or 0) < state.number:
        return Refusal(Code.BAD_REPORT, f"Name the round with the error: one before round {state.number}")
    if not asked.earlier_round and about not in (None, state.number):
        why = f'Round {about} is not in play: report "{Kind.FOUND_LATER.words}"'
        return Refusal(Code.BAD_REPORT, why)
    return _not_in_the_shoe(state, command)


def _not_in_the_shoe(state: RoundState, command: commands.ReportIrregularity) -> Refusal | None:
    assert state.shoe is not None, "no round opens without a shoe"
    for card in set(command.cards):
        if command.cards.count(card) > state.shoe.left(card):
            why = f'{one_too_many(card, state.shoe.decks)}: report "{Kind.SHORTAGE_OR_EXCESS.words}" without naming it'
            return Refusal(Code.CARD_TOO_MANY, why)
    return None
