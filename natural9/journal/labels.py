"""What entries of the journal are found by later: a round, a shoe, a voucher, or that they are significant."""

from typing import Final

from natural9.core.round import events as round_events
from natural9.journal import table_events

SIGNIFICANT: Final = "significant"
# Security, errors, money by hand, configuration: what a laboratory wants recorded and shown at once (requirement 43).
_SIGNIFICANT: Final = frozenset(
    {
        round_events.IrregularityReported,
        round_events.IrregularityDecided,
        round_events.RoundVoided,
        round_events.CardsCorrected,
        round_events.ShoeReplaced,
        table_events.TableOpened,
        table_events.TablePaused,
        table_events.TableResumed,
        table_events.TableClosed,
        table_events.TableHeld,
        table_events.TableContinued,
        table_events.LimitsChanged,
        table_events.InterruptionNoted,
        table_events.TerminalLocked,
        table_events.TerminalUnlocked,
        table_events.FaultRaised,
        table_events.FaultCleared,
        table_events.RoundFrozen,
        table_events.CreditBought,
        table_events.HandPaid,
        table_events.VoucherVoided,
        table_events.NewShoeRequired,
        table_events.DebtLeft,
        table_events.ProgramStarted,
        table_events.ProgramStopped,
    }
)


def round_label(table: str, number: int) -> str:
    return f"round/{table}/{number}"


def shoe_label(table: str, number: int) -> str:
    return f"shoe/{table}/{number}"


def voucher_label(number: str) -> str:
    return f"voucher/{number}"


def label_of(table: str, event: round_events.Event) -> str:
    if type(event) in _SIGNIFICANT:
        return SIGNIFICANT
    match event:
        case round_events.BettingOpened():
            return round_label(table, event.round)
        case table_events.ShoeCommitted() | table_events.ShoeRevealed():
            return shoe_label(table, event.shoe)
        case table_events.VoucherIssued() | table_events.VoucherInserted():
            return voucher_label(event.number)
        case _:
            return ""
