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
    may_bet,
    may_close_betting,
    may_open_betting,
    open_betting,
    place_bet,
    take_back_bet,
)
from natural9.core.round.burning import burn_cards, burn_face_down, may_burn, may_burn_face_down
from natural9.core.round.correcting import correct_card, correct_result, may_correct
from natural9.core.round.dealing import deal_card, may_deal, may_report_cut_card, report_cut_card
from natural9.core.round.insuring import (
    close_insurance,
    may_insure,
    may_open_insurance,
    may_take_back_waiver,
    may_waive_insurance,
    open_insurance,
    place_insurance,
    take_back_waiver,
    waive_insurance,
)
from natural9.core.round.loading import discard_held, load_shoe, may_discard, may_load_shoe
from natural9.core.round.refusal import Code, Refusal
from natural9.core.round.remedies import (
    decide_irregularity,
    may_decide,
    may_note_interruption,
    may_report,
    may_withdraw,
    note_interruption,
    report_irregularity,
    withdraw_report,
)
from natural9.core.round.reporting import Reportable, allowed
from natural9.core.round.reporting import what_to_report as every_kind
from natural9.core.round.ruling import may_rule, rule_on_bet
from natural9.core.round.settling import declare_result, may_declare, may_settle, settle
from natural9.core.round.state import DEALING, Pending, RoundState
from natural9.core.round.voiding import may_void, void_round
from natural9.core.saying import say
from natural9.core.staff import NOBODY, Staff
from natural9.core.table_of_play import Hand

Check = Callable[[RoundState, Any], Refusal | None]
Rules = Mapping[type[commands.Command], tuple[Check, Callable[..., Decision]]]

# For each command: whether it may be given now at all, and what it leads to.
_PLAY: Final[Rules] = {
    commands.BurnFaceDown: (may_burn_face_down, burn_face_down),
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
_SIGNED: Final[Rules] = {
    commands.LoadShoe: (may_load_shoe, load_shoe),
    commands.BurnCards: (may_burn, burn_cards),
    commands.WaiveInsurance: (may_waive_insurance, waive_insurance),
    commands.TakeBackWaiver: (may_take_back_waiver, take_back_waiver),
    commands.ReportIrregularity: (may_report, report_irregularity),
    commands.WithdrawReport: (may_withdraw, withdraw_report),
    commands.DiscardHeld: (may_discard, discard_held),
    commands.VoidRound: (may_void, void_round),
    commands.NoteInterruption: (may_note_interruption, note_interruption),
}
# These may be about an earlier round, which is an argument as well.
_OF_ANY_ROUND: Final[Rules] = {
    commands.DecideIrregularity: (may_decide, decide_irregularity),
    commands.CorrectCard: (may_correct, correct_card),
    commands.CorrectResult: (may_correct, correct_result),
    commands.RuleOnBet: (may_rule, rule_on_bet),
}
SIGNED: Final[Rules] = {**_SIGNED, **_OF_ANY_ROUND}
_RULES: Final[Rules] = {**_PLAY, **SIGNED}
_WHILE_PENDING: Final = frozenset(
    {
        commands.ReportIrregularity,
        commands.WithdrawReport,
        commands.DecideIrregularity,
        commands.VoidRound,
        commands.CorrectCard,
        commands.CorrectResult,
        commands.RuleOnBet,
        commands.NoteInterruption,
    }
)


def may(state: RoundState, shape: type[commands.Command]) -> Refusal | None:
    """Why no such command may be given now; None where one may."""
    return _refusal(state, shape, None)


def round_meant(state: RoundState, command: commands.Command) -> int | None:
    """The earlier round that a command is about; None for the one at the table."""
    number = getattr(command, "round", None) if type(command) in _OF_ANY_ROUND else None
    if isinstance(command, commands.DecideIrregularity):
        waiting = [one for one in state.pending if command.report in (None, one.report)]
        number = waiting[0].about_round if waiting else None
    return number if number != state.number else None


def decide(
    state: RoundState,
    command: commands.Command,
    by: Staff = NOBODY,
    why: str = "",
    earlier: RoundState | None = None,
) -> Decision:
    """The events that the command leads to, or a refusal; the state itself is not touched. `earlier` is the round that
    it is about, where `round_meant` names one."""
    shape = type(command)
    if refusal := _refusal(state, shape, command):
        return refusal
    if shape in _PLAY:
        return _PLAY[shape][1](state, command)
    if missing := commands.without_reason(command, why, declared=state.declared):
        return missing
    if shape in _OF_ANY_ROUND:
        return _OF_ANY_ROUND[shape][1](state, command, by, why, earlier)
    return _SIGNED[shape][1](state, command, by, why)


def _refusal(state: RoundState, shape: type[commands.Command], command: commands.Command | None) -> Refusal | None:
    if state.pending and shape not in _WHILE_PENDING:
        first = state.pending[0]
        may = allowed(state, first)
        waits = say(
            "The table waits for a {rank} or above to decide: {kind}", rank=may.rank.title, kind=first.kind.words
        )
        return Refusal(Code.IRREGULARITY_PENDING, waits, may.remedies[0][1] if may.remedies else "")
    return _RULES[shape][0](state, command)


@dataclass(frozen=True, slots=True)
class Next:
    """What may be done now: the commands, where the next card goes, what is insured, what waits to be decided."""

    commands: tuple[type[commands.Command], ...]
    due: Hand | None
    offers: tuple[InsuranceRow, ...]
    pending: tuple[Pending, ...]


def what_next(state: RoundState) -> Next:
    """For buttons: from the same checks by which `decide` refuses."""
    commands = tuple(shape for shape in _RULES if may(state, shape) is None)
    return Next(commands, state.due if state.phase in DEALING else None, state.offers, state.pending)


def what_to_report(state: RoundState) -> tuple[Reportable, ...]:
    """Every kind of irregularity: whether a report of it would be taken now, from the same checks as well."""
    return every_kind(state, may(state, commands.ReportIrregularity))
