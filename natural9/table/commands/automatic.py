"""The automatic dealer: what an unattended table does next, and when. A pure function of the state and its timers.

The same commands as a dealer's console gives; a table in dealer mode gets from here only what the shuffler knows better
than anybody: that the cut card has come, and that a shoe is mixed.
"""

from typing import NamedTuple

from natural9.core.round import commands as round_commands
from natural9.core.round.burning import burn_first
from natural9.core.round.insuring import anybody_may_insure
from natural9.core.round.state import BETWEEN_ROUNDS, DEALING, INSURANCE_PHASES, Phase
from natural9.table.commands import squeezing, staff
from natural9.table.commands.console import may_open_round, shoe_is_spent
from natural9.table.commands.mixing import mixes_at_ms
from natural9.table.state.state import Status, TableState
from natural9.table.venue.venue import Mode, ShoeSource


class TimedStep(NamedTuple):
    due_ms: int  # by the play clock, as `since_ms` and all that follows from it
    command: round_commands.Command


def next_step(state: TableState, *, seated: int, seated_ms: int = 0, turned_ms: int | None = None) -> TimedStep | None:
    """None: the table waits for somebody. `seated_ms`: since when anybody is seated; `turned_ms`: since when all who
    squeeze the cards have turned them."""
    if state.faults:  # which hold every table
        return None
    if cut_card_has_come(state):
        return TimedStep(state.since_ms, round_commands.ReportCutCard())
    if (mixes_ms := mixes_at_ms(state)) is not None:
        return TimedStep(mixes_ms, staff.MixShoe())
    if state.config.mode is not Mode.AUTOMATIC:
        return None
    if state.round.pending:  # no report executes itself
        return None
    if state.round.phase in BETWEEN_ROUNDS:
        return _between_rounds(state, seated, seated_ms)
    return _in_the_round(state, turned_ms)


def cut_card_has_come(state: TableState) -> bool:
    """The shuffler's cut card lies before the last so many cards: mbs 3.10."""
    if state.config.shoe is not ShoeSource.SHUFFLER or state.round.shoe is None or state.round.cut_card_out:
        return False
    return state.in_play and not state.round.pending and state.round.cards_left <= state.config.cut_cards


def _between_rounds(state: TableState, seated: int, seated_ms: int) -> TimedStep | None:
    if state.status is not Status.OPEN:
        return None
    if shoe_is_spent(state):
        if state.config.joint_shoe and state.round.shoe is None:
            return _first_joint_shoe(state, seated, seated_ms)
        return TimedStep(state.since_ms, staff.LoadNewShoe()) if state.config.shoe is ShoeSource.SHUFFLER else None
    if burn_first(state.round):  # a device's cards are burnt by hand, and counted as it reads them
        return (
            TimedStep(state.since_ms, round_commands.BurnCards()) if state.config.shoe is ShoeSource.SHUFFLER else None
        )
    if may_open_round(state) or (state.config.wait_for_players and not seated):
        return None
    return TimedStep(_after(state, _shown_s(state)), staff.StartRound())


def _first_joint_shoe(state: TableState, seated: int, seated_ms: int) -> TimedStep | None:
    """No shoe is played before it in which seats could commit: once somebody is there, they have as long as for
    revealing."""
    if not seated:
        return None if state.config.wait_for_players else TimedStep(state.since_ms, staff.LoadNewShoe())
    return TimedStep(max(seated_ms, state.since_ms) + round(state.config.timers.mix_s * 1000), staff.LoadNewShoe())


def _shown_s(state: TableState) -> float:
    """How long the last result is shown, and what was burnt since."""
    result_s = 0.0 if state.round.phase is Phase.NO_ROUND else state.config.timers.result_s
    burnt = state.round.new_shoe and state.round.new_shoe.burnt
    return max(result_s, state.config.timers.reveal_s) if burnt else result_s


def _in_the_round(state: TableState, turned_ms: int | None = None) -> TimedStep | None:
    phase, timers = state.round.phase, state.config.timers
    if phase is Phase.BETTING_OPEN:
        return TimedStep(_after(state, timers.betting_s), round_commands.CloseBetting())
    if phase in DEALING:
        if state.config.shoe is not ShoeSource.SHUFFLER:
            return None  # the cards come from the reading shoe
        return TimedStep(_once_seen(state, turned_ms), round_commands.DealCard())
    if phase in INSURANCE_PHASES:
        if not state.round.window_open:
            return TimedStep(_once_seen(state, turned_ms), round_commands.OpenInsurance())
        window_s = timers.insurance_s if anybody_may_insure(state.round) else 0.0  # all that can be is insured
        return TimedStep(_after(state, window_s), round_commands.CloseInsurance())
    if phase is Phase.COMPLETE and not state.round.declared:
        return TimedStep(_once_seen(state, turned_ms), round_commands.DeclareResult())
    return TimedStep(state.since_ms, round_commands.Settle())


def _once_seen(state: TableState, turned_ms: int | None) -> int:
    """When what follows a card may come: after its pause, or once it is squeezed and then seen for as long."""
    shown_ms, ends_ms = _after(state, state.config.timers.reveal_s), squeezing.ends_at_ms(state)
    if ends_ms is None:
        return shown_ms
    if turned_ms is not None:
        ends_ms = min(ends_ms, turned_ms + round(state.config.timers.reveal_s * 1000))
    return max(shown_ms, ends_ms)


def _after(state: TableState, seconds: float) -> int:
    return state.since_ms + round(seconds * 1000)


def closes_at_ms(state: TableState) -> int | None:
    """When the open betting or insurance window closes by itself, for the countdown that everyone sees."""
    if state.config.mode is not Mode.AUTOMATIC or state.round.pending or state.faults:
        return None
    if state.round.phase is Phase.BETTING_OPEN or state.round.window_open:
        step = _in_the_round(state)
        return step.due_ms if step else None
    return None
