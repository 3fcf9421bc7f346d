"""What a console is told so that it needs no rule of its own: what may be reported, corrected and done with the table.

Each answer comes from the checks by which the same thing would be refused.
"""

from typing import Final

import msgspec

from natural9.core.irregularities import Kind
from natural9.core.round import Refusal, what_to_report
from natural9.core.round.correcting import what_to_correct
from natural9.core.round.loading import EARLY_SHOE_RANK, is_spent, rank_to_burn
from natural9.core.round.remedies import may_be_withdrawn_by
from natural9.core.round.state import Phase
from natural9.core.table_of_play import INITIAL_DEAL, MOST_CARDS, Hand, hand_of
from natural9.journal.sentence import Sentence
from natural9.table.commands import staff
from natural9.table.commands.console import no_card_can_be_named
from natural9.table.commands.pit import RULES, may_change_limits
from natural9.table.state.state import TableState


class Part(msgspec.Struct, frozen=True, kw_only=True):
    pass


class NotNow(Part, frozen=True):
    """Why something cannot be done: a permanent code, a sentence, and the paragraph, if one says so."""

    code: str
    said: Sentence
    paragraph: str


class ReportableKind(Part, frozen=True):
    """One kind of irregularity: whether it can be reported now, what a report names, who decides by what."""

    kind: Kind
    not_now: NotNow | None
    cards: int  # at least so many are named
    in_order: bool  # as they came
    earlier_round: bool  # one is named
    may_be_earlier: bool  # one may be named
    bet: bool  # a seat and one of its bets are named
    amount: bool  # and how much of it
    seats: bool  # some may be named
    rank: str
    paragraphs: tuple[str, ...]


class CorrectionView(Part, frozen=True):
    """What may be corrected in the cards as registered."""

    card: bool  # one card keyed wrong: another suit is always the dealer's to correct
    result: bool  # all cards as they lie, because the round counts as complete
    reverses: bool  # a settlement is reversed by it
    rank: str  # that it takes
    paragraph: str


class ReportedView(Part, frozen=True):
    """What a report that waits is about, and who may withdraw it."""

    report: int
    cards: tuple[str, ...]
    seat: int | None
    wager: str
    cents: int | None
    about_round: int | None
    confirm: bool  # the cards as they lie are to be confirmed
    withdraw_rank: str  # "" where it cannot be withdrawn


def what_was_reported(state: TableState) -> tuple[ReportedView, ...]:
    return tuple(
        [
            ReportedView(
                report=pending.report,
                cards=tuple([str(card) for card in pending.cards]),
                seat=pending.seat,
                wager=pending.wager,
                cents=pending.cents,
                about_round=pending.about_round,
                confirm=pending.confirm,
                withdraw_rank=rank.tag if (rank := may_be_withdrawn_by(state.round, pending)) else "",
            )
            for pending in state.round.pending
        ]
    )


_STATUS: Final = (staff.OpenTable, staff.PauseTable, staff.ResumeTable, staff.CloseTable)


def what_may_be_reported(state: TableState) -> tuple[ReportableKind, ...]:
    unnamed = no_card_can_be_named(state)
    return tuple(
        [
            ReportableKind(
                kind=one.kind,
                not_now=_not_now((unnamed if one.needs.cards else None) or one.refusal),
                cards=one.needs.cards,
                in_order=one.needs.in_order,
                earlier_round=one.needs.earlier_round,
                may_be_earlier=one.needs.may_be_earlier,
                bet=one.needs.bet,
                amount=one.needs.amount,
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
    return NotNow(code=refusal.code, said=Sentence.of(refusal.message), paragraph=refusal.paragraph)


def what_may_be_corrected(state: TableState) -> CorrectionView | None:
    correction = what_to_correct(state.round)
    if isinstance(correction, Refusal) or state.faults or no_card_can_be_named(state):
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
    if any(pending.confirm for pending in state.round.pending):
        # Cards may lie that were never registered, but none while bets were still open.
        return () if state.round.phase is Phase.BETTING_OPEN else _EVERY_PLACE
    correction = what_to_correct(state.round)
    return () if isinstance(correction, Refusal) else correction.places


_EVERY_PLACE: Final = (*INITIAL_DEAL, *(None for _ in range(MOST_CARDS - len(INITIAL_DEAL))))


def earlier_may_be_corrected(state: TableState) -> bool:
    """There was one, and its cards can be named."""
    return state.round.number > 1 and not state.faults and no_card_can_be_named(state) is None


def is_early(state: TableState) -> bool:
    """A new shoe now would come before the cut card."""
    return not is_spent(state.round) and state.shoe_required is None


def ranks_taken(state: TableState) -> dict[str, str]:
    """The commands that take a rank of their own now, beyond whoever may give them at all."""
    insurance = state.config.game.insurance
    waiver = {"waive-insurance": insurance.waiver_rank, "take-back-waiver": insurance.waiver_rank} if insurance else {}
    early = {"new-shoe": EARLY_SHOE_RANK} if is_early(state) else {}
    return {tag: rank.tag for tag, rank in {**waiver, **early, "discard-held": rank_to_burn(state.round)}.items()}


def which_card_is_due(state: TableState, due: Hand | None) -> int | None:
    """The first, second or third of the hand that is due one."""
    if due is None:
        return None
    ranks = state.round.ranks
    return 1 + [hand_of(ranks, place) for place in range(len(ranks))].count(due)


def table_commands(state: TableState) -> tuple[str, ...]:
    """Opening, pausing, resuming, closing, new limits: those that would not be refused now."""
    tags = [shape.TAG for shape in _STATUS if not isinstance(RULES[shape](state, shape(), "", ""), Refusal)]
    return (*tags, staff.ChangeLimits.TAG) if may_change_limits(state) is None else tuple(tags)
