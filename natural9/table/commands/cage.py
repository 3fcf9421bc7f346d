"""Money in and out of a terminal: bought at the desk, paid by hand, turned into a voucher and back."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from natural9.core.events import Event
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.paper_codes import as_printed, paper_code
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import table_events, venue_events
from natural9.journal.accounts import terminal_id
from natural9.table.commands import staff, terminal
from natural9.table.commands.refusals import TableCode, not_enough_credit
from natural9.table.state.state import TableState
from natural9.table.venue.cash import CashLimits

Decision = list[Event] | Refusal

DAY_MS = 24 * 60 * 60 * 1000
CODE_LETTERS = 16  # five bits each: 80 bits, beyond guessing
VOUCHER: Final = "voucher/"  # how the names of documents begin


class Voucher(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    cents: int
    table: str
    seat: int
    issued_at_ms: int
    expires_at_ms: int
    key: str = ""  # the name of the key that its code was made with


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """A voucher as it is handed out."""

    number: str
    code: str
    cents: int
    expires_at_ms: int


@dataclass(slots=True)
class Vouchers:
    """Every voucher that is not redeemed yet, venue-wide. It changes in the same step as the decision to redeem, so
    that of two who come at once the second finds it gone."""

    keys: Mapping[str, bytes]  # by name: the first one prints, the others are former ones
    outstanding: dict[str, Voucher] = field(default_factory=dict)

    def code(self, number: str) -> str:
        """The validation code: only who holds its key can make one, and it need not be stored. "" if that is lost."""
        voucher = self.outstanding.get(number)
        key = self.keys.get(voucher.key if voucher else self._prints_with)
        return _code(key, number) if key else ""

    def printed(self, event: Event) -> Printed | None:
        """The voucher that this event handed out, if it is one."""
        if not isinstance(event, table_events.VoucherIssued):
            return None
        code = self.code(event.number)
        return Printed(number=event.number, code=code, cents=event.cents, expires_at_ms=event.expires_at_ms)

    def find(self, number: str, code: str, *, at_ms: int) -> Voucher | Refusal:
        """A wrong code and an unknown number get the same answer."""
        given = as_printed(code)
        is_right = any(hmac.compare_digest(wanted.encode(), given.encode()) for wanted in self._codes(number))
        if not is_right and not self._is_past_checking(number, at_ms):
            why = say("No voucher {number} has this validation code: check both", number=number)
            return Refusal(TableCode.NO_SUCH_VOUCHER, why)
        return self.by_number(number, at_ms=at_ms)

    def _codes(self, number: str) -> list[str]:
        """Which codes are right: the one printed on it, or, when it is redeemed, what any key makes of its number."""
        voucher = self.outstanding.get(number)
        keys = [self.keys[name] for name in self.keys if voucher is None or name == voucher.key]
        return [_code(key, number).replace("-", "") for key in keys]

    def _is_past_checking(self, number: str, at_ms: int) -> bool:
        """It has expired, so that its key is no longer kept: no code is right, and it is worth nothing here."""
        voucher = self.outstanding.get(number)
        return voucher is not None and voucher.key not in self.keys and at_ms >= voucher.expires_at_ms

    @property
    def _prints_with(self) -> str:
        return next(iter(self.keys))

    def by_number(self, number: str, *, at_ms: int, even_expired: bool = False) -> Voucher | Refusal:
        voucher = self.outstanding.get(number)
        if voucher is None:
            return Refusal(TableCode.VOUCHER_REDEEMED, say("Voucher {number} is already redeemed", number=number))
        if at_ms >= voucher.expires_at_ms and not even_expired:
            why = say("Voucher {number} has expired: take it to the cash desk", number=number)
            return Refusal(TableCode.VOUCHER_EXPIRED, why)
        return voucher

    def hold(self, number: str, kept: bytes | None) -> None:
        """As it was just read; None where there is none, or no longer."""
        if kept is None:
            self.outstanding.pop(number, None)
        else:
            self.outstanding[number] = msgspec.json.decode(kept, type=Voucher)

    def evolve(self, event: Event, table: str, at_ms: int) -> None:
        match event:
            case table_events.VoucherIssued():
                self.outstanding[event.number] = Voucher(
                    number=event.number,
                    cents=event.cents,
                    table=table,
                    seat=event.seat,
                    issued_at_ms=at_ms,
                    expires_at_ms=event.expires_at_ms,
                    key=self._prints_with,
                )
            case table_events.VoucherInserted() | table_events.VoucherVoided() | venue_events.VoucherPaid():
                del self.outstanding[event.number]
            case _:
                pass

    def document(self, event: Event) -> tuple[tuple[str, bytes | None], ...]:
        """The voucher as it is kept beside the journal, until it is redeemed."""
        match event:
            case table_events.VoucherIssued():
                return ((VOUCHER + event.number, msgspec.json.encode(self.outstanding[event.number])),)
            case table_events.VoucherInserted() | table_events.VoucherVoided() | venue_events.VoucherPaid():
                return ((VOUCHER + event.number, None),)
            case _:
                return ()


def _code(key: bytes, number: str) -> str:
    mac = hmac.digest(key, f"voucher {number}".encode(), "sha256")
    return paper_code(mac, letters=CODE_LETTERS, group=4)


def cash_out(state: TableState, seat: int, tap: terminal.CashOut, *, at_ms: int, voucher_days: int) -> Decision:
    at_seat = state.terminal(seat)
    if tap.vouchers not in (None, at_seat.vouchers):
        late = say("This terminal has printed a voucher since: look at your credit and collect again")
        return Refusal(TableCode.OTHER_VOUCHER, late)
    cents = at_seat.credit_cents if tap.cents is None else tap.cents
    if cents <= 0:
        return Refusal(TableCode.NOT_ENOUGH_CREDIT, say("There is no credit to cash out"))
    if cents > at_seat.credit_cents:
        return not_enough_credit(at_seat.credit_cents, cents)
    number = f"{terminal_id(state.config.id, seat)}-{at_seat.vouchers + 1}"
    expires = at_ms + voucher_days * DAY_MS
    return [table_events.VoucherIssued(number=number, seat=seat, cents=cents, expires_at_ms=expires)]


def insert_voucher(state: TableState, seat: int, voucher: Voucher) -> Decision:
    if refusal := too_much(state, seat, voucher.cents):
        return refusal
    return [table_events.VoucherInserted(number=voucher.number, seat=seat, cents=voucher.cents)]


def void_voucher(state: TableState, voucher: Voucher, by: str, why: str) -> Decision:
    if voucher.table != state.config.id:
        elsewhere = say(
            "Voucher {number} was issued at table {table}: void it there", number=voucher.number, table=voucher.table
        )
        return Refusal(TableCode.NO_SUCH_VOUCHER, elsewhere)
    number, seat, cents = voucher.number, voucher.seat, voucher.cents
    return [table_events.VoucherVoided(number=number, seat=seat, cents=cents, by=by, why=why)]


def no_drawer(limits: CashLimits, *, has_drawer: bool) -> Refusal | None:
    """Why somebody without an open drawer moves no cash, where the venue wants one."""
    if has_drawer or not limits.open_drawer_first:
        return None
    return Refusal(TableCode.DRAWER_NOT_OPEN, say("Your drawer is not open: open it with its float first"))


def no_terminal(seat: int) -> Refusal:
    none = say("No terminal is enrolled at seat {seat}: credit is for a terminal", seat=seat)
    return Refusal(TableCode.NO_TERMINAL, none)


class CashSigners(NamedTuple):
    """Whose drawer it is, and who signs besides; "" if nobody does."""

    desk: str
    signed_by: str = ""


def credit_terminal(state: TableState, command: staff.CreditTerminal, by: CashSigners, limits: CashLimits) -> Decision:
    if state.faults:
        fault = say("The table takes no credit while it has a fault: clear the fault first")
        return Refusal(TableCode.FAULT, fault)
    cents = command.cents
    if refusal := over_limit(limits, cents, by) or too_much(state, command.seat, cents):
        return refusal
    return [table_events.CreditBought(seat=command.seat, cents=cents, **by._asdict())]


def hand_pay(state: TableState, command: staff.HandPay, by: CashSigners, why: str, limits: CashLimits) -> Decision:
    credit = state.credit_cents(command.seat)
    cents = credit if command.cents is None else command.cents
    if cents <= 0 or cents > credit:
        most = say(
            "Seat {seat} has {credit} of credit: pay out that much at most",
            seat=command.seat,
            credit=show_cents(credit),
        )
        return Refusal(TableCode.NOT_ENOUGH_CREDIT, most)
    if refusal := over_limit(limits, cents, by):
        return refusal
    return [table_events.HandPaid(seat=command.seat, cents=cents, why=why, **by._asdict())]


def over_limit(limits: CashLimits, cents: int, by: CashSigners) -> Refusal | None:
    """Why so much cash does not move in one transaction, with these signatures."""
    if cents > limits.ceiling_cents:
        most = say(
            "{amount} is more than one transaction may move here: the ceiling is {most}",
            amount=show_cents(cents),
            most=show_cents(limits.ceiling_cents),
        )
        return Refusal(TableCode.OVER_CEILING, most)
    if cents > limits.second_signature_cents and not by.signed_by:
        another = say(
            "{amount} takes a second signature: above {most}, another person signs as well",
            amount=show_cents(cents),
            most=show_cents(limits.second_signature_cents),
        )
        return Refusal(TableCode.SIGNATURE_REQUIRED, another)
    return None


def too_much(state: TableState, seat: int, cents: int) -> Refusal | None:
    if state.credit_cents(seat) + cents <= MAX_CENTS:
        return None
    why = say(
        "{amount} more is too much: a terminal holds at most {most}",
        amount=show_cents(cents),
        most=show_cents(MAX_CENTS),
    )
    return Refusal(TableCode.BAD_AMOUNT, why)
