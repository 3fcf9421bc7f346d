"""Cards that a device reads: lines on a socket or a serial port, and what each means for the round.

A device only writes. A line is a card (`9H`, `10h`), `CUT` for the cut card, `EMPTY` for a shoe with no card left;
anything else is a card that does not belong to the game.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Final

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.round import RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round.burning import burn_first
from natural9.core.round.reporting import cannot_be_there, not_of_this_round
from natural9.core.round.state import BETWEEN_ROUNDS, DEALING, Phase
from natural9.core.saying import Said
from natural9.table.devices.line import (
    FIRST_WAIT_S,
    LineLost,
    LineToDevice,
    OpenDevice,
    device_lines,
    opened,
    parse_address,
    shown,
    whole_lines,
)

LONGEST_LINE: Final = 64  # bytes; a card is two or three
LONGEST_SHOWN: Final = 24


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card came out of the shoe."""

    card: Card


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something came that is no card of the game; the text is what the device wrote, made fit to be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class CutCard:
    pass


@dataclass(frozen=True, slots=True)
class Empty:
    """The shoe has no card left."""


@dataclass(frozen=True, slots=True)
class Connected:
    address: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing can be read until the next `Connected`."""

    address: str
    why: Said


FromShoe = Drawn | Foreign | CutCard | Empty
Reading = FromShoe | Connected | Lost
_WORDS: Final[dict[str, FromShoe]] = {"CUT": CutCard(), "EMPTY": Empty()}


async def read_cards(
    address: str, *, first_wait_s: float = FIRST_WAIT_S, opened: OpenDevice = opened
) -> AsyncGenerator[Reading, None]:
    """Whatever the device writes, for ever."""
    lines = device_lines(parse_address(address), longest=LONGEST_LINE, first_wait_s=first_wait_s, opened=opened)
    async with aclosing(lines):
        async for one in lines:
            match one:
                case LineToDevice():
                    yield Connected(address)
                case LineLost(why=why):
                    yield Lost(address, why)
                case bytes():
                    yield read_line(one)


async def readings(stream: asyncio.StreamReader) -> AsyncGenerator[FromShoe, None]:
    """Each line as what it says. What a device had not finished writing when it was lost is not a card."""
    async for line in whole_lines(stream, LONGEST_LINE):
        yield read_line(line)


def read_line(line: bytes) -> FromShoe:
    """
    >>> read_line(b"10h"), read_line(b"cut"), read_line(b"JOKER")
    (Drawn(card=Card(rank='T', suit='H')), CutCard(), Foreign(text='JOKER'))
    """
    text = line.decode(errors="replace").strip(" \t\0")
    if text.upper() in _WORDS:
        return _WORDS[text.upper()]
    if text == text.strip():  # a person may leave blanks of any kind, a device has no reason to
        with suppress(BadInput):
            return Drawn(Card.parse(text))
    return Foreign(shown(text, LONGEST_SHOWN))


def interpret(state: RoundState, reading: FromShoe) -> round_commands.Command | None:
    """What the table is to be told; None if nothing.

    While an irregularity waits for its decision the round takes no command: keep what is read, in order, until then.
    """
    match reading:
        case Drawn(card):
            return _drawn(state, card)
        case Foreign(text):
            return _report(state, Kind.FOREIGN_CARD, f"the reader read {text!r}, which is not a card of the game")
        case CutCard():
            return round_commands.ReportCutCard()
        case Empty():
            return _empty(state)


def _drawn(state: RoundState, card: Card) -> round_commands.Command:
    if state.new_shoe and burn_first(state):  # the first is shown, those after it are counted and never named
        return round_commands.BurnFaceDown() if state.new_shoe.burnt else round_commands.BurnCards(card=card)
    if state.new_shoe and state.new_shoe.burns:  # perhaps one too many of those face down: nobody is told which
        return _report(state, Kind.NOT_COVERED, "a card was drawn after all burnt ones, before the first round")
    if state.shoe is None or state.new_shoe:  # a set of cards is counted from its first round on
        return _report(state, Kind.NOT_COVERED, f"{card} was drawn before the shoe's first round")
    if not state.shoe.left(card):
        return _report(state, Kind.SHORTAGE_OR_EXCESS, str(cannot_be_there(card, state.shoe.decks)))
    if not state.cards_left:
        return _report(state, Kind.SHORTAGE_OR_EXCESS, f"{card} is one too many: by the count no card was left")
    if state.phase in DEALING and state.due and not state.held:
        return round_commands.DealCard(card=card, put_at=state.due)
    waiting = f": {state.held[0]} came out before it" if state.held else ""
    detail = f"{card} was drawn while no card was due from the shoe{waiting}"
    return _report(state, Kind.EXCESS_OR_EXPOSED, detail, (card,))


def _empty(state: RoundState) -> round_commands.Command | None:
    detail = f"the reader reports an empty shoe after {len(state.cards)} cards of the round"
    if state.phase is Phase.BETTING_OPEN:
        return _report(state, Kind.NOT_COVERED, detail)
    if state.phase not in BETWEEN_ROUNDS and state.due:
        return _report(state, Kind.INSUFFICIENT_CARDS, detail)
    if state.phase in (Phase.COMPLETE, Phase.SETTLED, Phase.VOID) and not state.cut_card_out:
        return round_commands.ReportCutCard()  # all cards have been played, and no round can follow from this shoe
    return None


def _report(
    state: RoundState, kind: Kind, detail: str, cards: tuple[Card, ...] = ()
) -> round_commands.ReportIrregularity:
    """A report that the round will take: of a concluded one most kinds change nothing, so the shift manager decides."""
    is_open = state.phase is not Phase.NO_ROUND and not_of_this_round(state, kind) is None
    return round_commands.ReportIrregularity(kind=kind if is_open else Kind.NOT_COVERED, detail=detail, cards=cards)
