"""What a console is told so that it needs no rule of its own: what may be reported, corrected and done with the table.

Each answer comes from the checks by which the same thing would be refused.
"""

from typing import Final

import msgspec

from natural9.core.irregularities import Kind
from natural9.core.round import Refusal, what_to_report
from natural9.core.round.correcting import what_to_correct
from natural9.core.table_of_play import Hand, hand_of
from natural9.table.commands import commands
from natural9.table.commands.console import no_card_can_be_named
from natural9.table.commands.pit import floor, may_change_limits
from natural9.table.state.state import TableState


class Part(msgspec.Struct, frozen=True, kw_only=True):
    pass


class NotNow(Part, frozen=True):
    """Why something cannot be done: a permanent code, a sentence, and the paragraph, if one says so."""

    code: str
    message: str
    paragraph: str


class ReportableKind(Part, frozen=True):
    """One kind of irregularity: whether it can be reported now, what a report names, who decides by what."""

    kind: Kind
    not_now: NotNow | None
    cards: int  # at least so many are named
    earlier_round: bool  # one is named
    seats: bool  # some may be named
    rank: str
    paragraphs: tuple[str, ...]


class CorrectionView(Part, frozen=True):
    """What may be corrected in the cards as registered."""

    card: bool  # one card keyed wrong, by the dealer alone
    result: bool  # all cards as they lie, because the round counts as complete
    reverses: bool  # a settlement is reversed by it
    rank: str  # that it takes
    paragraph: str


_STATUS: Final = (commands.OpenTable, commands.PauseTable, commands.ResumeTable, commands.CloseTable)


def what_may_be_reported(state: TableState) -> tuple[ReportableKind, ...]:
    unnamed = no_card_can_be_named(state)
    return tuple(
        [
            ReportableKind(
                kind=one.kind,
                not_now=_not_now((unnamed if one.needs.cards else None) or one.refusal),
                cards=one.needs.cards,
                earlier_round=one.needs.earlier_round,
                seats=one.needs.seats,
                rank=one.rank.tag,
                paragraphs=tuple(dict.fromkeys([paragraph for _, paragraph in one.remedies])),
            )
            for one in what_to_report(state.round)
        ]
    )


def _not_now(refusal: Refusal | None) -> NotNow | None:
    if refusal is None:
        return None
    return NotNow(code=refusal.code, message=refusal.message, paragraph=refusal.paragraph)


def what_may_be_corrected(state: TableState) -> CorrectionView | None:
    correction = what_to_correct(state.round)
    if isinstance(correction, Refusal) or state.round.pending or no_card_can_be_named(state):
        return None
    return CorrectionView(
        card=not state.round.declared,
        result=correction.may_add,
        reverses=correction.reverses,
        rank=correction.rank.tag,
        paragraph=correction.paragraph,
    )


def places(state: TableState) -> tuple[Hand | None, ...]:
    """Whose card lies at each place that may be named, now or by a decision that waits; None: the cards decide it."""
    correction = what_to_correct(state.round)
    return () if isinstance(correction, Refusal) else correction.places


def which_card_is_due(state: TableState, due: Hand | None) -> int | None:
    """The first, second or third of the hand that is due one."""
    if due is None:
        return None
    ranks = state.round.ranks
    return 1 + [hand_of(ranks, place) for place in range(len(ranks))].count(due)


def table_commands(state: TableState) -> tuple[str, ...]:
    """Opening, pausing, resuming, closing, new limits: those that would not be refused now."""
    asked = [shape(request="") for shape in _STATUS]
    words = [commands.tag_of(one) for one in asked if not isinstance(floor(state, one, by=""), Refusal)]
    return (*words, "change-limits") if may_change_limits(state) is None else tuple(words)
