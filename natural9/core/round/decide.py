"""Decide: what a command leads to, or why it is refused. One check answers both "may I?" and "do it"."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from natural9.core.insurance import InsuranceRow
from natural9.core.round import commands
from natural9.core.round.betting import (
    Decision,
    clear_bets,
    close_betting,
    increase_bet,
    load_shoe,
    may_bet,
    may_close_betting,
    may_load_shoe,
    may_open_betting,
    open_betting,
    place_bet,
    take_back_bet,
)
from natural9.core.round.correcting import correct_card, correct_result, may_correct
from natural9.core.round.dealing import deal_card, may_deal, may_report_cut_card, report_cut_card
from natural9.core.round.insuring import (
    close_insurance,
    may_insure,
    may_open_insurance,
    may_waive_insurance,
    open_insurance,
    place_insurance,
    waive_insurance,
)
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.remedies import (
    decide_irregularity,
    may_decide,
    may_report,
    may_void,
    report_irregularity,
    void_round,
)
from natural9.core.round.reporting import Reportable
from natural9.core.round.reporting import what_to_report as every_kind
from natural9.core.round.settling import declare_result, may_declare, may_settle, settle
from natural9.core.round.state import DEALING, Pending, RoundState
from natural9.core.staff import HOUSE_SYSTEM, Staff
from natural9.core.table_of_play import Hand

Check = Callable[[RoundState, Any], Refusal | None]
Rules = Mapping[type[commands.Command], tuple[Check, Callable[..., Decision]]]

# For each command: whether it may be given now at all, and what it leads to.
_PLAY: Final[Rules] = {
    commands.LoadShoe: (may_load_shoe, load_shoe),
    commands.OpenBetting: (may_open_betting, open_betting),
    commands.PlaceBet: (may_bet, place_bet),
    commands.IncreaseBet: (may_bet, increase_bet),
    commands.TakeBackBet: (may_bet, take_back_bet),
    commands.ClearBets: (may_bet, clear_bets),
    commands.CloseBetting: (may_close_betting, close_betting),
    commands.DealCard: (may_deal, deal_card),
    commands.ReportCutCard: (may_report_cut_card, report_cut_card),
    commands.OpenInsurance: (may_open_insurance, open_insurance),
    commands.PlaceInsurance: (may_insure, place_insurance),
    commands.CloseInsurance: (may_insure, close_insurance),
    commands.DeclareResult: (may_declare, declare_result),
    commands.Settle: (may_settle, settle),
}
# These go by who asks, and why.
SIGNED: Final[Rules] = {
    commands.WaiveInsurance: (may_waive_insurance, waive_insurance),
    commands.ReportIrregularity: (may_report, report_irregularity),
    commands.DecideIrregularity: (may_decide, decide_irregularity),
    commands.VoidRound: (may_void, void_round),
    commands.CorrectCard: (may_correct, correct_card),
    commands.CorrectResult: (may_correct, correct_result),
}
_RULES: Final[Rules] = {**_PLAY, **SIGNED}
_WHILE_PENDING: Final = (commands.DecideIrregularity, commands.VoidRound)


def may(state: RoundState, shape: type[commands.Command]) -> Refusal | None:
    """Why no such command may be given now; None where one may."""
    return _refusal(state, shape, None)


def decide(state: RoundState, command: commands.Command, by: Staff = HOUSE_SYSTEM, why: str = "") -> Decision:
    """The events that the command leads to, or a refusal; the state itself is not touched."""
    shape = type(command)
    if refusal := _refusal(state, shape, command):
        return refusal
    if shape in _PLAY:
        return _PLAY[shape][1](state, command)
    missing = commands.without_reason(command, why, declared=state.declared)
    return missing or SIGNED[shape][1](state, command, by, why)


def _refusal(state: RoundState, shape: type[commands.Command], command: commands.Command | None) -> Refusal | None:
    if state.pending and shape not in _WHILE_PENDING:
        waits = f"The table waits for a {state.pending.rank.title} or above to decide: {state.pending.kind.words}"
        return Refusal(Code.IRREGULARITY_PENDING, waits, state.pending.remedies[0][1])
    return _RULES[shape][0](state, command)


@dataclass(frozen=True, slots=True)
class Next:
    """What may be done now: the commands, where the next card goes, what is insured, what waits to be decided."""

    commands: tuple[type[commands.Command], ...]
    due: Hand | None
    offers: tuple[InsuranceRow, ...]
    pending: Pending | None


def what_next(state: RoundState) -> Next:
    """For buttons: from the same checks by which `decide` refuses."""
    commands = tuple(shape for shape in _RULES if may(state, shape) is None)
    return Next(commands, state.due if state.phase in DEALING else None, state.offers, state.pending)


def what_to_report(state: RoundState) -> tuple[Reportable, ...]:
    """Every kind of irregularity: whether a report of it would be taken now, from the same checks as well."""
    return every_kind(state, may(state, commands.ReportIrregularity))
