"""What a bill acceptor says and is told: a line of text each (docs/howto/bill-acceptor.md).

The device keeps what was inserted in escrow and asks, under an id that it never uses twice, what is to become of it.
"""

import re
from dataclasses import dataclass
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.money import parse_cents, show_cents
from natural9.core.saying import Said
from natural9.table.devices.line import shown

LONGEST_LINE: Final = 256  # bytes
LONGEST_TOLD: Final = 200
LONGEST_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Bill:
    """Of any amount: what no terminal takes goes back."""

    id: str
    cents: int
    currency: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """A slip with a code on it. A text that is none of ours has no number."""

    id: str
    number: str
    code: str


@dataclass(frozen=True, slots=True)
class Stacked:
    """It lies in the cash box."""

    id: str


@dataclass(frozen=True, slots=True)
class Returned:
    """It went back to the player."""

    id: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that a person must see to: a jam, a full box, a door."""

    text: str


@dataclass(frozen=True, slots=True)
class Fine:
    """No trouble any more."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that says nothing; the text is what the device wrote, made fit to be shown."""

    text: str


FromAcceptor = Bill | Ticket | Stacked | Returned | Trouble | Fine | Unread

_ID: Final = r"(?P<id>[A-Za-z0-9._-]{8,40})"  # a bare counter from 1 would begin anew some day, and is too short
_BILL: Final = re.compile(rf"BILL (?P<amount>[0-9]{{1,9}}(?:\.[0-9]{{2}})?) (?P<currency>[A-Z]{{3}}) {_ID}")
_TICKET: Final = re.compile(rf"TICKET (?P<text>[!-~]{{1,140}}) {_ID}")
_SLIP: Final = re.compile(r"natural9:(?P<number>[a-z0-9-]{1,64}):(?P<code>[0-9A-Za-z-]{1,64})")
_DONE: Final = re.compile(rf"(?P<what>STACKED|RETURNED) {_ID}")
_TROUBLE: Final = "TROUBLE"


def read_line(line: bytes) -> FromAcceptor:
    """
    >>> read_line(b"BILL 50 SGD A7-000031")
    Bill(id='A7-000031', cents=5000, currency='SGD')
    >>> read_line(b"BILL 50 1")
    Unread(text='BILL 50 1')
    """
    text = line.decode(errors="replace").strip(" \t\0")
    if match := _BILL.fullmatch(text):
        try:
            return Bill(match["id"], parse_cents(match["amount"]), match["currency"])
        except BadInput:
            return Bill(match["id"], 0, match["currency"])  # more than there is: it goes back
    if match := _TICKET.fullmatch(text):
        slip = _SLIP.fullmatch(match["text"])
        return Ticket(match["id"], slip["number"] if slip else "", slip["code"] if slip else "")
    if match := _DONE.fullmatch(text):
        return Stacked(match["id"]) if match["what"] == "STACKED" else Returned(match["id"])
    if text == "OK":
        return Fine()
    if text.startswith(f"{_TROUBLE} "):
        return Trouble(shown(text.removeprefix(_TROUBLE).strip(), LONGEST_SHOWN))
    return Unread(shown(text, LONGEST_SHOWN))


# What it is told.


def stack(id: str) -> bytes:
    """What it stands for is durable: keep it."""
    return _told(f"STACK {id}")


def give_back(id: str, why: Said) -> bytes:
    """It never becomes credit: let the player have it."""
    return _told(f"RETURN {id} {why}")


def wait(id: str) -> bytes:
    """Nobody knows yet: hold it, and ask again in a moment."""
    return _told(f"WAIT {id}")


def not_read(text: str) -> bytes:
    return _told(f"ERROR {text!r} is no line of a bill acceptor")


def bill_line(bill: Bill) -> str:
    """As a device writes it.

    >>> bill_line(Bill("A7-000031", 5000, "SGD"))
    'BILL 50.00 SGD A7-000031'
    """
    return f"BILL {show_cents(bill.cents).replace(',', '')} {bill.currency} {bill.id}"


def _told(text: str) -> bytes:
    """ASCII, for a display of a few letters: what it cannot show is a question mark."""
    clean = "".join(sign if sign.isprintable() else "?" for sign in text)
    return clean[:LONGEST_TOLD].encode("ascii", "replace") + b"\n"
