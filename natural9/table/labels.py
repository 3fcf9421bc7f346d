"""What entries of the journal are found by later: a round, a shoe, a voucher, or that they are significant."""

from typing import Final

from natural9.core.round import events as e
from natural9.table import events as t
from natural9.table.state import TableState

SIGNIFICANT: Final = "significant"
# Security, errors, money by hand, configuration: what a laboratory wants recorded and shown at once (requirement 43).
_SIGNIFICANT: Final = frozenset(
    {
        e.IrregularityReported,
        e.IrregularityDecided,
        e.RoundVoided,
        e.CardsCorrected,
        e.ShoeReplaced,
        t.TableOpened,
        t.TablePaused,
        t.TableResumed,
        t.TableClosed,
        t.TableHeld,
        t.TableContinued,
        t.LimitsChanged,
        t.InterruptionNoted,
        t.TerminalLocked,
        t.TerminalUnlocked,
        t.FaultRaised,
        t.FaultCleared,
        t.RoundFrozen,
        t.CreditBought,
        t.HandPaid,
        t.VoucherVoided,
        t.NewShoeRequired,
        t.DebtLeft,
        t.ProgramStarted,
        t.ProgramStopped,
    }
)


def round_label(table: str, number: int) -> str:
    return f"round/{table}/{number}"


def shoe_label(table: str, number: int) -> str:
    return f"shoe/{table}/{number}"


def voucher_label(number: str) -> str:
    return f"voucher/{number}"


def label_of(state: TableState, event: e.Event) -> str:
    if type(event) in _SIGNIFICANT:
        return SIGNIFICANT
    match event:
        case e.BettingOpened():
            return round_label(state.config.id, event.round)
        case t.ShoeCommitted() | t.ShoeRevealed():
            return shoe_label(state.config.id, event.shoe)
        case t.VoucherIssued() | t.VoucherInserted():
            return voucher_label(event.number)
        case _:
            return ""
