"""Events in words, for recall, replay and reports: one sentence each, with the paragraph where there is one."""

from collections.abc import Callable
from typing import Any, Final

from natural9.core.money import show_cents
from natural9.core.round import events as round_events
from natural9.journal import table_events


def tell(event: round_events.Event) -> str:
    teller = _TELLERS.get(type(event))
    return teller(event) if teller else _words(event.TAG)


def why_of(event: round_events.Event) -> str:
    """The reason that somebody gave; of a void round, what it was voided for as well."""
    if isinstance(event, round_events.RoundVoided):
        return void_reason(event)
    return str(getattr(event, "why", "") or getattr(event, "detail", ""))


def void_reason(event: round_events.RoundVoided) -> str:
    """The irregularity, if a clause voided the round, and what was said about it."""
    kind = _words(event.kind) if event.kind else ""
    return ". ".join([part for part in (kind, event.why) if part])


def paragraph_of(event: round_events.Event) -> str:
    return str(getattr(event, "clause", "") or getattr(event, "paragraph", ""))


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _words(tag: str) -> str:
    return tag.replace("-", " ")


def _dealt(event: round_events.CardDealt) -> str:
    astray = f", put in the {event.put_at} area" if event.put_at is not event.hand else ""
    return f"{event.card} to the {event.hand} hand{astray}"


def _insurance_opened(event: round_events.InsuranceOpened) -> str:
    offers = " and ".join(f"{hand} at {odds}" for hand, odds in event.offers.items())
    return f"Insurance opens ({event.window}): {offers}"


def _seat_settled(event: round_events.SeatSettled) -> str:
    return (
        f"Seat {event.seat} staked {show_cents(event.staked_cents)} and is returned {show_cents(event.returned_cents)}"
    )


def _round_settled(event: round_events.RoundSettled) -> str:
    collected, winnings = show_cents(event.collected_cents), show_cents(event.winnings_cents)
    return f"Round settled: {show_cents(event.staked_cents)} staked, {collected} collected, {winnings} won on top"


def _reported(event: round_events.IrregularityReported) -> str:
    cards = f" ({' '.join(event.cards)})" if event.cards else ""
    what = f"{_words(event.kind)}{cards}{_because(event.detail)}"
    return f"Irregularity reported: {what}; a {_words(event.rank)} or above decides"


def _decided(event: round_events.IrregularityDecided) -> str:
    what = f"{_words(event.remedy)}{_because(event.why)}"
    return f"Irregularity {_words(event.kind)} decided by a {_words(event.rank)}: {what}"


def _corrected(event: round_events.CardsCorrected) -> str:
    held = f", {' '.join(event.held)} wait" if event.held else ""
    return f"Cards put right: {' '.join(event.cards)}{held}{_because(event.why)}"


def _limits(event: table_events.LimitsChanged) -> str:
    limits = ", ".join(
        f"{wager} {show_cents(least)} to {show_cents(most)}" for wager, (least, most) in event.limits.items()
    )
    return f"Limits changed: {limits}{_because(event.why)}"


def _started(event: table_events.ProgramStarted) -> str:
    changed = f"; changed since the last start: {', '.join(event.changed)}" if event.changed else ""
    stopped = "" if event.stopped_cleanly else " after a stop that was not on purpose"
    return f"Program {event.version} started{stopped}{changed}"


_TELLERS: Final[dict[type[round_events.Event], Callable[[Any], str]]] = {
    round_events.ShoeLoaded: lambda event: f"Shoe {event.shoe} loaded, {event.decks} decks",
    round_events.ShoeReplaced: lambda event: f"The cards were replaced by {event.decks} other decks",
    round_events.BettingOpened: lambda event: f"Round {event.round}: betting opens",
    round_events.BetPlaced: lambda event: f"Seat {event.seat} bets {show_cents(event.cents)} on {event.wager}",
    round_events.BetIncreased: lambda event: f"Seat {event.seat} adds {show_cents(event.cents)} to {event.wager}",
    round_events.BetTakenBack: lambda event: (
        f"Seat {event.seat} takes back {show_cents(event.cents)} from {event.wager}"
    ),
    round_events.BetsCleared: lambda event: f"Seat {event.seat} takes back all bets, {show_cents(event.cents)}",
    round_events.BettingClosed: lambda event: f"No more bets: {show_cents(event.staked_cents)} at stake",
    round_events.CardDealt: _dealt,
    round_events.CutCardAppeared: lambda event: "The cut card appeared: this round is the last of the shoe",
    round_events.InsuranceOpened: _insurance_opened,
    round_events.InsurancePlaced: lambda event: (
        f"Seat {event.seat} insures {event.hand} with {show_cents(event.cents)} at {event.odds}"
    ),
    round_events.InsuranceClosed: lambda event: f"Insurance closes ({event.window})",
    round_events.InsuranceWaived: lambda event: "The second insurance window is waived for a squeeze",
    round_events.InsuranceReturned: lambda event: (
        f"Seat {event.seat} gets its {event.hand}-insurance of {show_cents(event.cents)} back"
    ),
    round_events.ResultDeclared: lambda event: (
        f"Result: {event.winner}, Player {event.player_total}, Banker {event.banker_total}"
    ),
    round_events.SeatSettled: _seat_settled,
    round_events.RoundSettled: _round_settled,
    round_events.SettlementReversed: lambda event: (
        f"Seat {event.seat}: settlement of {show_cents(event.cents)} reversed"
    ),
    round_events.IrregularityReported: _reported,
    round_events.IrregularityDecided: _decided,
    round_events.CardsReconstructed: lambda event: "The cards were laid where they belong",
    round_events.CardsPutInOrder: lambda event: f"{' '.join(event.cards)} wait in this order, before any other card",
    round_events.CardsCorrected: _corrected,
    round_events.BetsReturned: lambda event: f"Seat {event.seat} gets {show_cents(event.cents)} back",
    round_events.RoundVoided: lambda event: (
        f"Round void: {show_cents(event.returned_cents)} returned{_because(void_reason(event))}"
    ),
    table_events.TableOpened: lambda event: (
        f"Table opened: {event.game}, {event.decks} decks, {event.mode}, {event.shoe}"
    ),
    table_events.TablePaused: lambda event: f"Table paused{_because(event.why)}",
    table_events.TableClosed: lambda event: f"Table closed{_because(event.why)}",
    table_events.TableHeld: lambda event: "The program was stopped on purpose; the table is held",
    table_events.TableContinued: lambda event: "The table goes on where it was held",
    table_events.LimitsChanged: _limits,
    table_events.TerminalLocked: lambda event: f"Terminal {event.seat} locked{_because(event.why)}",
    table_events.TerminalUnlocked: lambda event: f"Terminal {event.seat} unlocked{_because(event.why)}",
    table_events.FaultRaised: lambda event: f"Fault {event.fault}{_because(event.detail)}",
    table_events.FaultCleared: lambda event: f"Fault {event.fault} cleared{_because(event.why)}",
    table_events.RoundFrozen: lambda event: f"Round {event.round} frozen in a dispute{_because(event.why)}",
    table_events.LateBetRefused: lambda event: (
        f"Seat {event.seat}: {show_cents(event.cents)} on {event.wager} came too late and was refused"
    ),
    table_events.CreditBought: lambda event: f"Seat {event.seat} bought {show_cents(event.cents)} of credit",
    table_events.HandPaid: lambda event: (
        f"Seat {event.seat} was paid {show_cents(event.cents)} by hand{_because(event.why)}"
    ),
    table_events.VoucherIssued: lambda event: (
        f"Seat {event.seat}: voucher {event.number} for {show_cents(event.cents)}"
    ),
    table_events.VoucherInserted: lambda event: (
        f"Seat {event.seat}: voucher {event.number} inserted, {show_cents(event.cents)}"
    ),
    table_events.VoucherVoided: lambda event: (
        f"Voucher {event.number} voided, {show_cents(event.cents)} back to seat {event.seat}{_because(event.why)}"
    ),
    table_events.ShoeCommitted: lambda event: f"Shoe {event.shoe} committed to: {event.commitment}",
    table_events.ShoeRevealed: lambda event: f"Shoe {event.shoe} revealed, {event.dealt} cards drawn",
    table_events.NewShoeRequired: lambda event: f"A new shoe is required{_because(event.why)}",
    table_events.DebtLeft: lambda event: f"Seat {event.seat} is left owing {show_cents(event.cents)}",
    table_events.ProgramStarted: _started,
    table_events.ProgramStopped: lambda event: f"Program stopped{_because(event.why)}",
    table_events.VoucherPaid: lambda event: f"Voucher {event.number} paid at the desk, {show_cents(event.cents)}",
}
