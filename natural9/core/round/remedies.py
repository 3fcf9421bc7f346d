"""Irregularities: reported as what happened, answered by the clause that governs, decided by the rank it names.

Several may wait at once. Each is decided on its own, or withdrawn; the table goes on when none is left.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from natural9.core.cards import name_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.correcting import corrected
from natural9.core.round.earlier import settled_by_cards
from natural9.core.round.evolve import fold
from natural9.core.round.insuring import not_covered_any_more
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.reporting import (
    Allowed,
    about_earlier,
    allowed,
    badly_named,
    insured_hand,
    insured_last,
    late_cents,
    lies,
    not_now,
)
from natural9.core.round.seats import InsuranceBet
from natural9.core.round.state import CONCLUDED, Pending, Phase, RoundState, draw_phase
from natural9.core.round.voiding import void
from natural9.core.saying import Said, say, verbatim
from natural9.core.staff import NOBODY, Rank, Staff
from natural9.core.table_of_play import hand_of

NOT_YET_A_FACT: Final = "interpretation report-is-not-yet-a-fact"
KNOWN_CARD: Final = "interpretation known-next-card"
REASON: Final = "interpretation reason-for-reversal"
CUT_OFF: Final = say("the table was cut off")

# What reaches into money or into the cards needs a reason by whichever remedy it comes about.
_NEEDS_REASON: Final = (
    events.RoundVoided,
    events.SettlementReversed,
    events.BetVoided,
    events.BetRestored,
    events.CardsCorrected,
    events.EarlierCardsCorrected,
    events.CardsDiscarded,
    events.ShoeReplaced,
)


# Reports.


def may_report(state: RoundState, command: commands.ReportIrregularity | None) -> Refusal | None:
    """There is a round to report something of."""
    if state.phase is Phase.NO_ROUND:
        return Refusal(Code.NO_ROUND, say("No round has been opened at this table yet"))
    return None


def report_irregularity(state: RoundState, command: commands.ReportIrregularity, by: Staff, why: str) -> Decision:
    """The report, answered by the clause that governs."""
    earlier = about_earlier(state, command)
    if refusal := (None if earlier else not_now(state, command.kind)) or badly_named(state, command):
        return refusal
    pending = Pending(
        report=state.reported + 1,
        kind=command.kind,
        cards=command.cards,
        seat=command.seat,
        wager=command.wager,
        cents=late_cents(state, command),
        about_round=command.about_round if earlier else None,
        by_rank=by.rank,
    )
    return (reported(state, pending, by=by, detail=verbatim(command.detail), seats=command.seats),)


def reported(
    state: RoundState, pending: Pending, *, detail: Said, by: Staff = NOBODY, seats: tuple[int, ...] = ()
) -> events.IrregularityReported:
    """The report as an event: it tells what the governing clause allows as things stand, and who decides."""
    may = allowed(state, pending)
    return events.IrregularityReported(
        report=pending.report,
        kind=pending.kind,
        remedies=may.remedies,
        rank=may.rank.tag,
        by=by.id,
        by_rank=by.rank.tag,
        detail=detail,
        cards=tuple(map(str, pending.cards)),
        seats=seats,
        about_round=pending.about_round,
        bet_seat=pending.seat,
        wager=pending.wager,
        cents=pending.cents,
        confirm=pending.confirm,
        brief=pending.brief,
    )


def may_withdraw(state: RoundState, command: commands.WithdrawReport | None) -> Refusal | None:
    """A report waits that a person has made."""
    if all(may_be_withdrawn_by(state, pending) is None for pending in state.pending):
        return Refusal(Code.NO_IRREGULARITY, say("No report waits that could be withdrawn"))
    return None


def may_be_withdrawn_by(state: RoundState, pending: Pending) -> Rank | None:
    """The rank that may withdraw a report, never less than whoever reported it; None where nobody reported it."""
    if pending.noticed:
        return None
    return max(min(allowed(state, pending).rank, Rank.PIT_SUPERVISOR), pending.by_rank)


def withdraw_report(state: RoundState, command: commands.WithdrawReport, by: Staff, why: str) -> Decision:
    """It was a mistake. Never by less than whoever reported it."""
    pending = _named(state, command.report)
    if isinstance(pending, Refusal):
        return pending
    rank = may_be_withdrawn_by(state, pending)
    if rank is None:
        happened = say("The table was interrupted, and that is no report: decide it")
        return Refusal(Code.REMEDY_NOT_ALLOWED, happened, NOT_YET_A_FACT)
    what = say('withdraw the report "{kind}"', kind=pending.kind.words)
    if refusal := rank_too_low(by, rank, what, NOT_YET_A_FACT):
        return refusal
    return (
        events.ReportWithdrawn(
            report=pending.report, kind=pending.kind, by=by.id, rank=by.rank.tag, why=why, paragraph=NOT_YET_A_FACT
        ),
    )


def _named(state: RoundState, number: int | None) -> Pending | Refusal:
    """The report that waits under this number; without one, the only one that waits."""
    if number is None and len(state.pending) == 1:
        return state.pending[0]
    waiting = tuple(
        say("{number} ({kind})", number=pending.report, kind=pending.kind.words) for pending in state.pending
    )
    if number is None:
        return Refusal(Code.BAD_REPORT, say("Say which report is meant: {waiting}", waiting=waiting))
    found = next((pending for pending in state.pending if pending.report == number), None)
    none = say("No report {number} waits: {waiting}", number=number, waiting=waiting)
    return found or Refusal(Code.NO_IRREGULARITY, none)


# Decisions.


class Names(StrEnum):
    """The cards that a decision names."""

    NOTHING = ""
    ORDER = "order"  # the reported cards, in the order in which they are received
    CARDS = "cards"  # the cards as they lie, if other than registered


_ORDERS: Final = frozenset({Remedy.RECONSTRUCT, Remedy.USE_IN_NEXT_ROUND, Remedy.DECIDE_ORDER, Remedy.CONTINUE})
_CARDS: Final = frozenset({Remedy.SETTLE_BY_CARDS, Remedy.CONFIRM_CARDS})


def names(pending: Pending, remedy: Remedy) -> Names:
    """Which cards a decision for this remedy names."""
    if remedy in _ORDERS:
        return Names.ORDER if len(pending.cards) > 1 else Names.NOTHING
    return Names.CARDS if remedy in _CARDS else Names.NOTHING


def may_decide(state: RoundState, command: commands.DecideIrregularity | None) -> Refusal | None:
    """An irregularity waits."""
    if not state.pending:
        return Refusal(Code.NO_IRREGULARITY, say("No irregularity waits for a decision"))
    return None


def decide_irregularity(
    state: RoundState, command: commands.DecideIrregularity, by: Staff, why: str, earlier: RoundState | None
) -> Decision:
    """The remedy, if the clause allows it and the rank suffices."""
    pending = _named(state, command.report)
    if isinstance(pending, Refusal):
        return pending
    may = allowed(state, pending)
    if refusal := _not_allowed(pending, may, command, by) or _not_replaced_now(state, pending, command):
        return refusal
    paragraph = may.paragraph(command.remedy)
    assert paragraph is not None, "checked by _not_allowed"
    decided = _decided(pending, may, command.remedy, by, why, paragraph)
    # What it leads to may depend on how many irregularities still wait, so it is asked of the state without this one.
    remedied = _carry_out(fold(state, (decided,)), pending, command, by, why, paragraph, earlier)
    if isinstance(remedied, Refusal):
        return remedied
    happened = (*remedied, *_shoe_replaced(state, may, command, by))
    if not why.strip() and any(isinstance(event, _NEEDS_REASON) for event in happened):
        return Refusal(Code.REASON_NEEDED, say("Say why: this reaches into money or cards, and is kept"), REASON)
    return (decided, *happened)


def _not_allowed(pending: Pending, may: Allowed, command: commands.DecideIrregularity, by: Staff) -> Refusal | None:
    paragraph = may.paragraph(command.remedy)
    if paragraph is None:
        rules = tuple(remedy.words for remedy, _ in may.remedies)
        wrong = say(
            '"{remedy}" is no remedy here ({kind}): the rules allow {rules}',
            remedy=command.remedy.words,
            kind=pending.kind.words,
            rules=rules or (say("nothing any more: withdraw the report"),),
        )
        return Refusal(Code.REMEDY_NOT_ALLOWED, wrong)
    what = say('decide "{kind}"', kind=pending.kind.words)
    if refusal := rank_too_low(by, may.rank, what, paragraph):
        return refusal
    if command.replace_shoe and not may.may_replace_shoe:
        other = say("The rules do not allow another shoe here ({kind})", kind=pending.kind.words)
        return Refusal(Code.REMEDY_NOT_ALLOWED, other)
    return None


def _not_replaced_now(state: RoundState, pending: Pending, command: commands.DecideIrregularity) -> Refusal | None:
    """Another set of cards comes once it is known what becomes of every card drawn from this one."""
    if not command.replace_shoe:
        return None
    others = [one.report for one in state.pending if one.cards and one.report != pending.report]
    if others:
        first = say("Report {report} is about cards of this set: decide it, then replace the set", report=others[0])
        return Refusal(Code.IRREGULARITY_PENDING, first)
    return None


def _decided(
    pending: Pending, may: Allowed, remedy: Remedy, by: Staff, why: str, paragraph: str
) -> events.IrregularityDecided:
    return events.IrregularityDecided(
        report=pending.report,
        kind=pending.kind,
        remedy=remedy,
        by=by.id,
        rank=by.rank.tag,
        why=why,
        paragraph=paragraph,
        previous_stand=may.previous_stand,
    )


def _shoe_replaced(
    state: RoundState, may: Allowed, command: commands.DecideIrregularity, by: Staff
) -> tuple[events.ShoeReplaced, ...]:
    if not command.replace_shoe:
        return ()
    assert state.shoe is not None, "no round opens without a shoe"
    number = state.shoe_number + 1
    return (events.ShoeReplaced(shoe=number, decks=state.shoe.decks, by=by.id, paragraph=may.may_replace_shoe),)


def _carry_out(
    state: RoundState,
    pending: Pending,
    command: commands.DecideIrregularity,
    by: Staff,
    why: str,
    paragraph: str,
    earlier: RoundState | None,
) -> Decision:
    match command.remedy:
        case Remedy.VOID:
            return void(state, by, why.strip(), paragraph, kind=pending.kind)
        case Remedy.RECONSTRUCT | Remedy.USE_IN_NEXT_ROUND | Remedy.DECIDE_ORDER:
            return _put_in_order(state, pending, command, paragraph)
        case Remedy.CONTINUE:  # with a card too many, playing on plays it
            return _put_in_order(state, pending, command, paragraph) if pending.cards else ()
        case Remedy.DISCARD:
            burnt = tuple(map(str, pending.cards))
            return (events.CardsDiscarded(cards=burnt, waited=False, by=by.id, why=why, paragraph=paragraph),)
        case Remedy.SETTLE_BY_CARDS if pending.about_round is not None:
            return settled_by_cards(state, earlier, pending.about_round, command.cards, by, why, paragraph)
        case Remedy.SETTLE_BY_CARDS:
            return corrected(state, command.cards or state.cards, by, why, paragraph)
        case Remedy.REFUSE_BET:
            return bet_voided(state, pending.seat or 0, pending.wager, pending.cents, why, paragraph)
        case Remedy.BET_STANDS:
            return _restored(pending, why, paragraph)
        case Remedy.CONFIRM_CARDS:
            return _confirmed(state, pending, command, by, why, paragraph)
        case Remedy.NO_EFFECT:  # pragma: no branch: no other
            return ()


def _put_in_order(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, paragraph: str
) -> Decision:
    cards = command.cards or pending.cards
    if sorted(cards) != sorted(pending.cards):
        wrong = say(
            "Put the reported cards in order: {reported}, not {cards}",
            reported=name_cards(pending.cards),
            cards=name_cards(cards),
        )
        return Refusal(Code.BAD_REPORT, wrong, paragraph)
    if command.remedy is Remedy.DECIDE_ORDER and not command.cards:
        which = say("Say in which order the cards come: {cards}", cards=name_cards(pending.cards))
        return Refusal(Code.BAD_REPORT, which, paragraph)
    if cards:
        put = events.CardsPutInOrder(cards=tuple(map(str, cards)), paragraph=paragraph)
        return (put, *insurance_skipped(state))
    belong = tuple(hand_of(state.ranks, place) for place in range(len(state.cards)))
    return (events.CardsReconstructed(put_at=belong, paragraph=paragraph),)


def insurance_skipped(state: RoundState) -> tuple[events.InsuranceSkipped, ...]:
    """The next card is known now: a window that stands before it, or is open, is over."""
    if state.window is None:
        return ()
    return (events.InsuranceSkipped(window=state.window, phase=draw_phase(state.ranks), paragraph=KNOWN_CARD),)


# Bets that came late or were taken away.


def bet_voided(
    state: RoundState,
    number: int,
    wager: str,
    cents: int | None,
    why: str,
    paragraph: str,
    *,
    last_only: bool = True,
) -> tuple[events.RoundEvent, ...]:
    """A bet, or so much of it, goes back; and insurance that the rest of it does not cover any more. Of insurance: what
    was taken in the last window, or all."""
    seat = state.seats[number]
    if hand := insured_hand(wager):
        bets = insured_last(seat, hand) if last_only else [bet for bet in seat.insurance if bet.hand is hand]
        return tuple(_insurance_back(number, bets, cents, paragraph))
    # A ruling may have voided it since.
    back = lies(seat, wager) if cents is None else min(cents, lies(seat, wager))
    if not back:
        return ()
    voided = events.BetVoided(seat=number, wager=wager, cents=back, why=why, paragraph=paragraph)
    return (voided, *not_covered_any_more(fold(state, (voided,)), number))


def _insurance_back(
    number: int, bets: list[InsuranceBet], cents: int | None, paragraph: str
) -> Iterator[events.InsuranceReturned]:
    """So much of it, what was taken last first; without an amount, all."""
    left = sum([bet.cents for bet in bets]) if cents is None else cents
    for bet in reversed(bets):
        back = min(left, bet.cents)
        if back:
            yield events.InsuranceReturned(
                seat=number, window=bet.window, hand=bet.hand, cents=back, paragraph=paragraph
            )
        left -= back


def _restored(pending: Pending, why: str, paragraph: str) -> Decision:
    assert pending.seat is not None, "checked when it was reported"
    assert pending.cents is not None, "checked when it was reported"
    return (
        events.BetRestored(seat=pending.seat, wager=pending.wager, cents=pending.cents, why=why, paragraph=paragraph),
    )


# Interruptions.


def may_note_interruption(state: RoundState, command: commands.NoteInterruption | None) -> Refusal | None:
    """A round was in play."""
    if state.phase is Phase.NO_ROUND or state.phase in CONCLUDED:
        return Refusal(Code.NO_ROUND, say("No round was in play"))
    return None


def note_interruption(state: RoundState, command: commands.NoteInterruption, by: Staff, why: str) -> Decision:
    """Brief, with nothing missing: the round goes on. Real cards are looked at first; else the clause is applied."""
    interrupted = events.RoundInterrupted(away_ms=command.away_ms, brief=command.brief, real_cards=command.real_cards)
    if interrupted.goes_on or any(pending.noticed for pending in state.pending):  # cut off once more
        return (interrupted,)
    if command.real_cards:
        pending = Pending(state.reported + 1, Kind.TABLE_INTERRUPTION, confirm=True, brief=command.brief)
        return (interrupted, reported(state, pending, detail=CUT_OFF))
    return (interrupted, *_apply_clause(state, NOBODY, ""))


def _apply_clause(state: RoundState, by: Staff, why: str) -> tuple[events.RoundEvent, ...]:
    """An outcome established is concluded, anything else void (mbs 5.9, rws-nc 5.1); where the document is silent the
    table waits for the shift manager, bets held (interpretation shift-manager-where-silent)."""
    pending = Pending(state.reported + 1, Kind.TABLE_INTERRUPTION)
    noted = reported(state, pending, detail=CUT_OFF)
    may = allowed(state, pending)
    if len(may.remedies) != 1:
        return (noted,)
    [(remedy, paragraph)] = may.remedies
    decided = _decided(pending, may, remedy, by, why, paragraph)
    if remedy is not Remedy.VOID:
        return (noted, decided)
    return (noted, decided, *void(fold(state, (noted, decided)), by, why, paragraph, kind=pending.kind))


def _confirmed(
    state: RoundState, pending: Pending, command: commands.DecideIrregularity, by: Staff, why: str, paragraph: str
) -> Decision:
    """The cards as they lie are known; then the clause, unless the interruption was brief."""
    cards = command.cards or state.cards
    if cards and state.phase is Phase.BETTING_OPEN:
        early = say("Bets were open, so no card can have been dealt: confirm without cards, then close the bets")
        return Refusal(Code.BETTING_STILL_OPEN, early, paragraph)
    completed = corrected(state, cards, by, why, paragraph, complete=True)
    if isinstance(completed, Refusal) or pending.brief:
        return completed
    return (*completed, *_apply_clause(fold(state, completed), by, why))
