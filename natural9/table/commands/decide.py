"""Decide what a command at a live table leads to, or why it is refused. It reads the state and changes nothing."""

from typing import NamedTuple

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.staff import Rank, Staff
from natural9.table.commands import betting, cage, commands
from natural9.table.commands.cage import Voucher
from natural9.table.commands.console import Chance, console, new_shoe
from natural9.table.commands.pit import floor
from natural9.table.commands.refusals import Code
from natural9.table.state.state import Status, TableState

Decision = list[Event] | Refusal


class Who(NamedTuple):
    """Who gives a command: a terminal at its seat, or a person by their id and, in the pit, their rank."""

    id: str
    rank: Rank | None = None
    seat: int | None = None


class Facts(NamedTuple):
    """Time and chance, and what lies outside the table: arguments of a decision, like the command itself."""

    at_ms: int
    voucher_days: int = 30
    chance: Chance = Chance()
    voucher: Voucher | Refusal | None = None  # the one that the command names


def decide(state: TableState, command: commands.TableCommand, who: Who, facts: Facts) -> Decision:
    if isinstance(command, commands.TerminalCommand):
        return _terminal(state, command, who, facts)
    if who.seat is not None:
        return Refusal(Code.NOT_STAFF, f"{who.id} is a terminal: this is for the staff")
    match command:
        case commands.NewShoe():
            return _staff(who) or new_shoe(state, facts.chance)
        case commands.CreditTerminal() | commands.HandPay() | commands.VoidVoucher():
            return _money(state, command, who, facts)
        case (
            commands.OpenTable()
            | commands.PauseTable()
            | commands.ResumeTable()
            | commands.CloseTable()
            | commands.ChangeLimits()
            | commands.LockTerminal()
            | commands.UnlockTerminal()
            | commands.ClearFault()
            | commands.FreezeRound()
        ):
            return _no_such_seat(state, command) or floor(state, command, by=who.id)
        case _:
            return _staff(who) or console(state, command, Staff(who.id, who.rank or Rank.DEALER), facts.chance)


def _staff(who: Who) -> Refusal | None:
    if who.rank is None:
        return Refusal(Code.NOT_STAFF, f"{who.id} holds no rank at the table")
    return None


def _terminal(state: TableState, command: commands.TerminalCommand, who: Who, facts: Facts) -> Decision:
    seat = who.seat
    if seat is None:
        return Refusal(Code.NOT_A_TERMINAL, f"{who.id} is not a terminal: bets are made at one")
    if refusal := _out_of_service(state, command, seat):
        return refusal
    match command:
        case commands.Bet():
            return betting.bet(state, seat, command)
        case commands.TakeBack():
            return betting.take_back(state, seat, command)
        case commands.Clear():
            return betting.clear(state, seat, command)
        case commands.Undo():
            return betting.undo(state, seat, command)
        case commands.Double():
            return betting.double(state, seat, command)
        case commands.ReBet():
            return betting.re_bet(state, seat, command)
        case commands.Insure():
            return betting.insure(state, seat, command)
        case commands.CashOut():
            return cage.cash_out(state, seat, command, at_ms=facts.at_ms, voucher_days=facts.voucher_days)
        case commands.InsertVoucher():
            if isinstance(facts.voucher, Voucher):
                return cage.insert_voucher(state, seat, facts.voucher)
            return facts.voucher or Refusal(Code.NO_SUCH_VOUCHER, f"There is no voucher {command.number}")


def _out_of_service(state: TableState, command: commands.TerminalCommand, seat: int) -> Refusal | None:
    """No credit is taken in a fault or lock-up (requirement 15); cashing out is still the player's right."""
    if not 1 <= seat <= state.config.seats:
        return Refusal(Code.NO_SUCH_SEAT, f"There is no seat {seat}: this table has seats 1 to {state.config.seats}")
    if locked := state.terminal(seat).locked:
        return Refusal(Code.TERMINAL_LOCKED, f"This terminal is locked: {locked}. Please call an attendant")
    return None if isinstance(command, commands.CashOut) else takes_no_bets(state)


def takes_no_bets(state: TableState) -> Refusal | None:
    """Why no terminal may bet here, whatever the round allows."""
    if state.faults:
        fault, detail = next(iter(state.faults.items()))
        return Refusal(Code.FAULT, f"The table has a fault, {fault}: {detail}. Bets already registered are safe")
    if state.status is Status.CLOSED:
        return Refusal(Code.TABLE_NOT_OPEN, "The table is closed")
    return None


def _money(
    state: TableState,
    command: commands.CreditTerminal | commands.HandPay | commands.VoidVoucher,
    who: Who,
    facts: Facts,
) -> Decision:
    if refusal := _no_such_seat(state, command):
        return refusal
    match command:
        case commands.CreditTerminal():
            if state.faults:
                return Refusal(Code.FAULT, "No credit is taken while the table has a fault: clear it first")
            return cage.credit_terminal(state, command, by=who.id)
        case commands.HandPay():
            return cage.hand_pay(state, command, by=who.id)
        case commands.VoidVoucher():
            if isinstance(facts.voucher, Voucher):
                return cage.void_voucher(state, command, facts.voucher, by=who.id)
            return facts.voucher or Refusal(Code.NO_SUCH_VOUCHER, f"There is no voucher {command.number}")


def _no_such_seat(state: TableState, command: commands.TableCommand) -> Refusal | None:
    seat = getattr(command, "seat", None)
    if seat is None or 1 <= seat <= state.config.seats:
        return None
    return Refusal(Code.NO_SUCH_SEAT, f"There is no seat {seat}: this table has seats 1 to {state.config.seats}")
