"""What the console sees of a table: what may be done, where the next card goes, who has bet what."""

from collections import Counter
from typing import Final

from natural9.core.exposure import worst_loss_cents
from natural9.core.insurance import InsuranceRow
from natural9.core.irregularities import Kind
from natural9.core.outcome import Winner
from natural9.core.round import RoundState, what_next
from natural9.core.round.events import SeatSettled
from natural9.core.round.insuring import insurable
from natural9.core.round.reporting import allowed
from natural9.core.table_of_play import Hand
from natural9.journal import table_events
from natural9.journal.sentence import Sentence
from natural9.table.commands.console import IN_A_FAULT, may_open_round, no_card_can_be_named, void_by
from natural9.table.commands.mixing import not_mixed
from natural9.table.state.console_parts import (
    CorrectionView,
    ReportableKind,
    ReportedView,
    earlier_may_be_corrected,
    is_early,
    places,
    ranks_taken,
    table_commands,
    what_may_be_corrected,
    what_may_be_reported,
    what_was_reported,
    which_card_is_due,
)
from natural9.table.state.state import TableState
from natural9.table.state.view import InsuredView, View, hand_due, insured_by, rows_insured
from natural9.table.state.visits import SeatPlace

MOST_SEATS_SHOWN: Final = 400  # on one console
_AT_HOME: Final = SeatPlace("", 0)


class CallView(View, frozen=True):
    """A seat calls an attendant since `at_ms`, by the venue's time; `taken_by` is who goes there, "" for nobody yet."""

    seat: int
    at_ms: int
    taken_by: str


class AlarmView(View, frozen=True):
    """A fault, or an irregularity that waits for a decision, since `at_ms`, by the venue's time; `taken_by` is who sees
    to it, "" for nobody yet."""

    alarm: str  # what it is taken by
    at_ms: int
    taken_by: str
    fault: Sentence | None
    kind: Kind | None  # of the irregularity
    rank: str  # who decides it


class ConsoleSeat(View, frozen=True):
    seat: int
    home_table: str  # where a visitor comes from; "" at an own seat
    home_seat: int
    bets: dict[str, int]
    insurance: tuple[InsuredView, ...]
    withdrawn: dict[str, int]  # taken back since betting opened, and not laid again
    staked_cents: int
    may_insure: dict[Hand, int]  # under the cap; whether the credit allows it is not the console's to see
    paid: dict[str, int] | None  # what settlement brought for each bet and insurance, stake included
    locked: str


class ConsoleView(View, frozen=True):
    """What the dealer is told: what may be done, where the next card goes, who has bet what."""

    dealer: str  # who is signed on; "" for nobody
    commands: tuple[str, ...]
    table_commands: tuple[str, ...]  # open, pause, resume, close, change its limits
    ranks: dict[str, str]  # that a command takes now, where the round asks for one
    due: Hand | None
    due_card: int | None  # the first, second or third of that hand
    shows: Winner | None  # what the cards show once no card is due
    reports: tuple[ReportableKind, ...]
    correction: CorrectionView | None  # None where nothing can be corrected
    earlier: bool  # the cards of an earlier round may be corrected
    places: tuple[Hand | None, ...]  # whose card lies at each place that may be named; None: the cards decide it
    held: tuple[str, ...]
    reported: tuple[ReportedView, ...]  # what is known of each irregularity that waits
    new_shoe: Sentence | None  # why no round opens on the cards at the table
    early_shoe: bool  # other cards now would come before the cut card: a pit supervisor's decision, with a reason
    seats: tuple[ConsoleSeat, ...]
    seats_with_bets: int
    calls: tuple[CallView, ...]  # for an attendant; the oldest first
    staked_cents: int
    worst_cents: int  # what the house would lose at most on the bets that lie


def console_sees(state: TableState) -> ConsoleView:
    now = state.round
    following = what_next(now)
    seats = list(now.seats.everybody())
    # The round alone would allow these; the table around it does not.
    not_now = {word for word, stops in (("open-betting", may_open_round(state)), ("new-shoe", now.new_shoe)) if stops}
    if no_card_can_be_named(state):
        not_now |= {"correct-card", "correct-result", "cut-card"}  # the table itself notices the shuffler's cut card
        if not_mixed(state) or (now.new_shoe and now.new_shoe.burnt):
            not_now |= {"burn"}  # and knows the burnt card better than anybody could correct it
    if state.faults:
        not_now |= {shape.TAG for shape in following.commands if shape not in IN_A_FAULT}
    return ConsoleView(
        dealer=state.dealer,
        commands=tuple([shape.TAG for shape in following.commands if shape.TAG and shape.TAG not in not_now]),
        table_commands=table_commands(state),
        ranks=ranks_taken(state),
        due=hand_due(state),
        due_card=which_card_is_due(state, hand_due(state)),
        shows=now.outcome.winner if now.outcome and state.in_play else None,
        reports=what_may_be_reported(state),
        correction=what_may_be_corrected(state),
        earlier=earlier_may_be_corrected(state),
        places=places(state),
        held=tuple([str(card) for card in now.held]),
        reported=what_was_reported(state),
        new_shoe=Sentence.of(void_by(state.shoe_required[0])) if state.shoe_required and not now.new_shoe else None,
        early_shoe=is_early(state),
        seats=tuple(
            [
                ConsoleSeat(
                    seat=seat,
                    home_table=(home := state.home_of(seat) or _AT_HOME).table,
                    home_seat=home.seat,
                    bets=dict(at_seat.bets),
                    insurance=insured_by(at_seat),
                    withdrawn=dict(at_seat.withdrawn),
                    staked_cents=at_seat.staked_cents,
                    may_insure=insurable(now, seat),
                    paid=_paid(state.terminal(seat).settled),
                    locked=state.terminal(seat).locked,
                )
                for seat, at_seat in seats[:MOST_SEATS_SHOWN]
            ]
        ),
        seats_with_bets=len([seat for seat, at_seat in seats if at_seat.bets or at_seat.insurance]),
        calls=calls_that_stand(state),
        staked_cents=now.staked_cents,
        worst_cents=worst_loss(state),
    )


def _paid(settled: SeatSettled | None) -> dict[str, int] | None:
    if settled is None:
        return None
    paid: Counter[str] = Counter()
    for line in (*settled.lines, *settled.insurance):
        paid[line.wager] += line.returned_cents
    return dict(paid)


def calls_that_stand(state: TableState) -> tuple[CallView, ...]:
    return tuple(
        [CallView(seat=seat, at_ms=call.at_ms, taken_by=call.taken_by) for seat, call in state.calls().items()]
    )


def alarms_that_stand(state: TableState) -> tuple[AlarmView, ...]:
    """The oldest first."""
    found = [
        AlarmView(alarm=fault, **state.alarms[fault]._asdict(), fault=Sentence.of(detail), kind=None, rank="")
        for fault, detail in state.faults.items()
    ]
    for one in state.round.pending:
        alarm = table_events.report_alarm(one.report)
        rank = allowed(state.round, one).rank.tag
        found.append(AlarmView(alarm=alarm, **state.alarms[alarm]._asdict(), fault=None, kind=one.kind, rank=rank))
    return tuple(sorted(found, key=lambda one: one.at_ms))


def worst_loss(state: TableState) -> int:
    """The most that the house can still lose on all that lies, insurance included, over all ways the round can end."""
    now = state.round
    return worst_loss_cents(now.game, now.ranks, state.laid, _all_insured(now)) if state.in_play else 0


def _all_insured(now: RoundState) -> dict[InsuranceRow, int]:
    """What lies on each row of the insurance, all seats together; what is no longer on offer goes back."""
    return rows_insured(now, [bet for _, at_seat in now.seats.items() for bet in at_seat.insurance])
