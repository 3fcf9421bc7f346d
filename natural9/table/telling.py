"""Events in words, for recall, replay and reports: one sentence each, with the paragraph where there is one."""

from collections.abc import Callable
from typing import Any, Final

from natural9.core.money import show_cents
from natural9.core.round import events as e
from natural9.table import events as t


def tell(event: e.Event) -> str:
    teller = _TELLERS.get(type(event))
    return teller(event) if teller else _words(event.TAG)


def why_of(event: e.Event) -> str:
    """The reason that somebody gave."""
    return str(getattr(event, "why", "") or getattr(event, "detail", ""))


def paragraph_of(event: e.Event) -> str:
    return str(getattr(event, "clause", "") or getattr(event, "paragraph", ""))


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _words(tag: str) -> str:
    return tag.replace("-", " ")


def _dealt(event: e.CardDealt) -> str:
    astray = f", put in the {event.put_at} area" if event.put_at is not event.hand else ""
    return f"{event.card} to the {event.hand} hand{astray}"


def _insurance_opened(event: e.InsuranceOpened) -> str:
    offers = " and ".join(f"{hand} at {odds}" for hand, odds in event.offers.items())
    return f"Insurance opens ({event.window}): {offers}"


def _seat_settled(event: e.SeatSettled) -> str:
    return f"Seat {event.seat} staked {show_cents(event.staked)} and is returned {show_cents(event.returned)}"


def _round_settled(event: e.RoundSettled) -> str:
    collected, winnings = show_cents(event.collected), show_cents(event.winnings)
    return f"Round settled: {show_cents(event.staked)} staked, {collected} collected, {winnings} won on top"


def _reported(event: e.IrregularityReported) -> str:
    cards = f" ({' '.join(event.cards)})" if event.cards else ""
    what = f"{_words(event.kind)}{cards}{_because(event.detail)}"
    return f"Irregularity reported: {what}; a {_words(event.rank)} or above decides"


def _decided(event: e.IrregularityDecided) -> str:
    what = f"{_words(event.remedy)}{_because(event.why)}"
    return f"Irregularity {_words(event.kind)} decided by a {_words(event.rank)}: {what}"


def _corrected(event: e.CardsCorrected) -> str:
    held = f", {' '.join(event.held)} wait" if event.held else ""
    return f"Cards put right: {' '.join(event.cards)}{held}{_because(event.why)}"


def _limits(event: t.LimitsChanged) -> str:
    limits = ", ".join(
        f"{wager} {show_cents(least)} to {show_cents(most)}" for wager, (least, most) in event.limits.items()
    )
    return f"Limits changed: {limits}{_because(event.why)}"


def _started(event: t.ProgramStarted) -> str:
    changed = f"; changed since the last start: {', '.join(event.changed)}" if event.changed else ""
    stopped = "" if event.stopped_cleanly else " after a stop that was not on purpose"
    return f"Program {event.version} started{stopped}{changed}"


_TELLERS: Final[dict[type[e.Event], Callable[[Any], str]]] = {
    e.ShoeLoaded: lambda event: f"Shoe {event.shoe} loaded, {event.decks} decks",
    e.ShoeReplaced: lambda event: f"The cards were replaced by {event.decks} other decks",
    e.BettingOpened: lambda event: f"Round {event.round}: betting opens",
    e.BetPlaced: lambda event: f"Seat {event.seat} bets {show_cents(event.stake)} on {event.wager}",
    e.BetIncreased: lambda event: f"Seat {event.seat} adds {show_cents(event.more)} to {event.wager}",
    e.BetTakenBack: lambda event: f"Seat {event.seat} takes back {show_cents(event.amount)} from {event.wager}",
    e.BetsCleared: lambda event: f"Seat {event.seat} takes back all bets, {show_cents(event.returned)}",
    e.BettingClosed: lambda event: f"No more bets: {show_cents(event.staked)} at stake",
    e.CardDealt: _dealt,
    e.CutCardAppeared: lambda event: "The cut card appeared: this round is the last of the shoe",
    e.InsuranceOpened: _insurance_opened,
    e.InsurancePlaced: lambda event: (
        f"Seat {event.seat} insures {event.hand} with {show_cents(event.stake)} at {event.odds}"
    ),
    e.InsuranceClosed: lambda event: f"Insurance closes ({event.window})",
    e.InsuranceWaived: lambda event: "The second insurance window is waived for a squeeze",
    e.InsuranceReturned: lambda event: (
        f"Seat {event.seat} gets its {event.hand}-insurance of {show_cents(event.stake)} back"
    ),
    e.ResultDeclared: lambda event: f"Result: {event.winner}, Player {event.player_total}, Banker {event.banker_total}",
    e.SeatSettled: _seat_settled,
    e.RoundSettled: _round_settled,
    e.SettlementReversed: lambda event: f"Seat {event.seat}: settlement of {show_cents(event.returned)} reversed",
    e.IrregularityReported: _reported,
    e.IrregularityDecided: _decided,
    e.CardsReconstructed: lambda event: "The cards were laid where they belong",
    e.CardsPutInOrder: lambda event: f"{' '.join(event.cards)} wait in this order, before any other card",
    e.CardsCorrected: _corrected,
    e.BetsReturned: lambda event: f"Seat {event.seat} gets {show_cents(event.returned)} back",
    e.RoundVoided: lambda event: f"Round void: {show_cents(event.returned)} returned{_because(event.why)}",
    t.TableOpened: lambda event: f"Table opened: {event.game}, {event.decks} decks, {event.mode}, {event.shoe}",
    t.TablePaused: lambda event: f"Table paused{_because(event.why)}",
    t.TableClosed: lambda event: f"Table closed{_because(event.why)}",
    t.TableHeld: lambda event: "The program was stopped on purpose; the table is held",
    t.TableContinued: lambda event: "The table goes on where it was held",
    t.LimitsChanged: _limits,
    t.TerminalLocked: lambda event: f"Terminal {event.seat} locked{_because(event.why)}",
    t.TerminalUnlocked: lambda event: f"Terminal {event.seat} unlocked{_because(event.why)}",
    t.FaultRaised: lambda event: f"Fault {event.fault}{_because(event.detail)}",
    t.FaultCleared: lambda event: f"Fault {event.fault} cleared{_because(event.why)}",
    t.RoundFrozen: lambda event: f"Round {event.round} frozen in a dispute{_because(event.why)}",
    t.LateBetRefused: lambda event: (
        f"Seat {event.seat}: {show_cents(event.cents)} on {event.wager} came too late and was refused"
    ),
    t.CreditBought: lambda event: f"Seat {event.seat} bought {show_cents(event.cents)} of credit",
    t.HandPaid: lambda event: f"Seat {event.seat} was paid {show_cents(event.cents)} by hand{_because(event.why)}",
    t.VoucherIssued: lambda event: f"Seat {event.seat}: voucher {event.number} for {show_cents(event.cents)}",
    t.VoucherInserted: lambda event: f"Seat {event.seat}: voucher {event.number} inserted, {show_cents(event.cents)}",
    t.VoucherVoided: lambda event: (
        f"Voucher {event.number} voided, {show_cents(event.cents)} back to seat {event.seat}{_because(event.why)}"
    ),
    t.ShoeCommitted: lambda event: f"Shoe {event.shoe} committed to: {event.commitment}",
    t.ShoeRevealed: lambda event: f"Shoe {event.shoe} revealed, {event.dealt} cards drawn",
    t.NewShoeRequired: lambda event: f"A new shoe is required{_because(event.why)}",
    t.DebtLeft: lambda event: f"Seat {event.seat} is left owing {show_cents(event.cents)}",
    t.ProgramStarted: _started,
    t.ProgramStopped: lambda event: f"Program stopped{_because(event.why)}",
    t.VoucherPaid: lambda event: f"Voucher {event.number} paid at the desk, {show_cents(event.cents)}",
}
