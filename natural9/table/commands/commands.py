"""What terminals and staff ask of a live table. These are the wire's own types: one definition for both sides.

Every command carries the request id that its sender made: the same id again gets the same answer, and the same id with
other content is refused. The journal keeps the command beside the events that it led to.
"""

from typing import Annotated, Final, get_args

import msgspec
from msgspec import Meta, Struct

from natural9.core.cards import Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import MAX_CENTS
from natural9.core.outcome import Winner
from natural9.core.table_of_play import Hand

Request = Annotated[str, Meta(min_length=1, max_length=64, description="An id that the sender makes, new for each")]
Cents = Annotated[int, Meta(ge=1, le=MAX_CENTS)]
SeatNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
RoundNumber = Annotated[int, Meta(ge=0, le=2**53)]
Words = Annotated[str, Meta(max_length=500)]
Reason = Annotated[str, Meta(min_length=1, max_length=500)]
WagerId = Annotated[str, Meta(min_length=1, max_length=40)]
CardText = Annotated[str, Meta(min_length=1, max_length=8, description="A card, as 9H or 10S")]


def _tag(name: str) -> str:
    """A class's name as it is written on the wire: TakeBack is take-back."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    request: Request


# A player's terminal.


class BetCommand(Command, frozen=True, kw_only=True):
    """`round` is the one that the player saw: a bet that comes late can never land in the next."""

    round: RoundNumber


class Bet(BetCommand, frozen=True, kw_only=True):
    """Lay this much on a spot, on top of what lies there."""

    wager: WagerId
    cents: Cents


class TakeBack(BetCommand, frozen=True, kw_only=True):
    """Take back part of a bet; without an amount, all of it."""

    wager: WagerId
    cents: Cents | None = None


class Clear(BetCommand, frozen=True, kw_only=True):
    """Take back all bets."""


class Undo(BetCommand, frozen=True, kw_only=True):
    """Take back the last change of bets in this round."""


class Double(BetCommand, frozen=True, kw_only=True):
    """Lay as much again on every spot."""


class ReBet(BetCommand, frozen=True, kw_only=True):
    """Lay the bets of the last round that this terminal played."""


class Insure(BetCommand, frozen=True, kw_only=True):
    hand: Hand
    cents: Cents


class CashOut(Command, frozen=True, kw_only=True):
    """Turn credit into a voucher; without an amount, all of it."""

    cents: Cents | None = None


class InsertVoucher(Command, frozen=True, kw_only=True):
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=64)]


TerminalCommand = Bet | TakeBack | Clear | Undo | Double | ReBet | Insure | CashOut | InsertVoucher


# The dealer's console.


class OpenBetting(Command, frozen=True, kw_only=True):
    pass


class CloseBetting(Command, frozen=True, kw_only=True):
    pass


class Deal(Command, frozen=True, kw_only=True):
    """The next card: from the shuffler without naming it, from the hand or a reading shoe by its name."""

    card: CardText | None = None
    put_at: Hand | None = None  # where it was physically put, if not where it belongs


class CutCard(Command, frozen=True, kw_only=True):
    pass


class NewShoe(Command, frozen=True, kw_only=True):
    pass


class OpenInsurance(Command, frozen=True, kw_only=True):
    pass


class CloseInsurance(Command, frozen=True, kw_only=True):
    pass


class WaiveInsurance(Command, frozen=True, kw_only=True):
    pass


class Declare(Command, frozen=True, kw_only=True):
    """The result as announced; without one, as the cards show it."""

    winner: Winner | None = None
    player_total: Annotated[int, Meta(ge=0, le=9)] | None = None
    banker_total: Annotated[int, Meta(ge=0, le=9)] | None = None


class Settle(Command, frozen=True, kw_only=True):
    pass


class Report(Command, frozen=True, kw_only=True):
    """What happened, not what to do: the governing clause answers with the remedy and who decides."""

    kind: Kind
    detail: Words = ""
    cards: Annotated[tuple[CardText, ...], Meta(max_length=60)] = ()
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=100)] = ()
    about_round: RoundNumber | None = None


class Decide(Command, frozen=True, kw_only=True):
    remedy: Remedy
    why: Words = ""
    cards: Annotated[tuple[CardText, ...], Meta(max_length=60)] = ()
    replace_shoe: bool = False


class VoidRound(Command, frozen=True, kw_only=True):
    why: Reason


class CorrectCard(Command, frozen=True, kw_only=True):
    place: Annotated[int, Meta(ge=1, le=6)]
    card: CardText
    why: Words = ""


class CorrectResult(Command, frozen=True, kw_only=True):
    cards: Annotated[tuple[CardText, ...], Meta(min_length=1, max_length=6)]
    why: Reason


# The pit and the cashier.


class OpenTable(Command, frozen=True, kw_only=True):
    pass


class PauseTable(Command, frozen=True, kw_only=True):
    """Finish the round, start no other."""

    why: Words = ""


class ResumeTable(Command, frozen=True, kw_only=True):
    pass


class CloseTable(Command, frozen=True, kw_only=True):
    why: Words = ""


class LimitChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    min_cents: Cents
    max_cents: Cents


class ChangeLimits(Command, frozen=True, kw_only=True):
    """Between rounds: the wagers named get new limits; the rest stay as they are."""

    limits: dict[WagerId, LimitChange] = {}
    seat_min_cents: Annotated[int, Meta(ge=0, le=MAX_CENTS)] | None = None
    seat_max_cents: Cents | None = None
    table_max_cents: Cents | None = None
    why: Reason


class LockTerminal(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    why: Reason


class UnlockTerminal(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    why: Words = ""


class CreditTerminal(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    cents: Cents


class HandPay(Command, frozen=True, kw_only=True):
    """Credit paid out by a person; without an amount, all of it."""

    seat: SeatNumber
    cents: Cents | None = None
    why: Words = ""


class VoidVoucher(Command, frozen=True, kw_only=True):
    """Take a voucher that this table issued out of circulation; its money goes back to the terminal."""

    number: Annotated[str, Meta(min_length=1, max_length=64)]
    why: Reason


class ClearFault(Command, frozen=True, kw_only=True):
    fault: Annotated[str, Meta(min_length=1, max_length=40)]
    why: Reason


class FreezeRound(Command, frozen=True, kw_only=True):
    """A dispute: the round's history is marked to be kept, and can be exported."""

    round: Annotated[int, Meta(ge=1, le=2**53)]
    why: Reason


StaffCommand = (
    OpenBetting
    | CloseBetting
    | Deal
    | CutCard
    | NewShoe
    | OpenInsurance
    | CloseInsurance
    | WaiveInsurance
    | Declare
    | Settle
    | Report
    | Decide
    | VoidRound
    | CorrectCard
    | CorrectResult
    | OpenTable
    | PauseTable
    | ResumeTable
    | CloseTable
    | ChangeLimits
    | LockTerminal
    | UnlockTerminal
    | CreditTerminal
    | HandPay
    | VoidVoucher
    | ClearFault
    | FreezeRound
)
TableCommand = TerminalCommand | StaffCommand


def tag_of(command: Command) -> str:
    return _TAGS[type(command)]


_TAGS: Final = {shape: str(shape.__struct_config__.tag) for shape in get_args(TerminalCommand) + get_args(StaffCommand)}


def content(command: Command) -> bytes:
    """What the journal keeps of a command, and what "the same content" compares: all but a voucher's code."""
    if isinstance(command, InsertVoucher):
        command = msgspec.structs.replace(command, code="-")
    return _encode(command)


_encode: Final = msgspec.json.Encoder().encode


def cards_of(texts: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)
