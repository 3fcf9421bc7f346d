"""Cards that a device reads: lines on a socket or a serial port, and what each means for the round.

A device only writes. A line is a card (`9H`, `10h`), `CUT` for the cut card, `EMPTY` for a shoe with no card left;
anything else is a card that does not belong to the game.
"""

import asyncio
import os
import re
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind
from natural9.core.round import RoundState
from natural9.core.round import commands as round_commands
from natural9.core.round.burning import burn_first
from natural9.core.round.reporting import cannot_be_there, not_of_this_round
from natural9.core.round.state import BETWEEN_ROUNDS, DEALING, Phase
from natural9.core.saying import Said, say, verbatim

LONGEST_LINE: Final = 64  # bytes; a card is two or three
LONGEST_SHOWN: Final = 24
FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 10.0


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


class Tcp(NamedTuple):
    host: str
    port: int


class Serial(NamedTuple):
    path: Path


def parse_address(text: str) -> Tcp | Serial:
    """
    >>> parse_address("tcp:127.0.0.1:9401")
    Tcp(host='127.0.0.1', port=9401)
    """
    kind, _, rest = text.partition(":")
    if kind == "serial" and Path(rest).is_absolute() and rest.isprintable():
        return Serial(Path(rest))
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})", rest, re.ASCII)
    if kind == "tcp" and match and 1 <= int(match[2]) <= 65535:
        return Tcp(match[1].strip("[]"), int(match[2]))
    raise BadInput("bad-reader", f"{text!r} is not where cards are read: write tcp:HOST:PORT or serial:/dev/ttyUSB0")


@asynccontextmanager
async def opened(where: Tcp | Serial) -> AsyncIterator[asyncio.StreamReader]:
    """The device's line, as long as it lasts."""
    if isinstance(where, Serial):
        stream = asyncio.StreamReader()
        with os.fdopen(_open_serial(where.path), "rb", buffering=0) as device:
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(stream), device
            )
            try:
                yield stream
            finally:
                transport.close()
    else:
        async with asyncio.timeout(LONGEST_WAIT_S):
            stream, writer = await asyncio.open_connection(where.host, where.port)
        _keep_alive(writer.get_extra_info("socket"))
        try:
            yield stream
        finally:
            writer.close()


OpenReader = Callable[[Tcp | Serial], AbstractAsyncContextManager[asyncio.StreamReader]]


async def read_cards(
    address: str, *, first_wait_s: float = FIRST_WAIT_S, opened: OpenReader = opened
) -> AsyncGenerator[Reading, None]:
    """Whatever the device writes, for ever: when it is lost it is looked for again, ever more patiently."""
    where = parse_address(address)
    wait_s, is_lost = first_wait_s, False
    while True:
        try:
            async with opened(where) as stream:
                yield Connected(address)
                is_lost = False
                async for reading in readings(stream):
                    wait_s = first_wait_s  # only a device that speaks is worth coming back to at once
                    yield reading
            why = say("the device closed the connection")
        except OSError as error:
            why = verbatim(error.strerror or str(error)) if str(error) else say("no answer")
        if not is_lost:  # one outage is one report, however often it is tried
            is_lost = True
            yield Lost(address, why)
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


async def readings(stream: asyncio.StreamReader) -> AsyncGenerator[FromShoe, None]:
    """Each line as what it says. What a device had not finished writing when it was lost is not a card."""
    unfinished, is_skipping = b"", False
    while chunk := await stream.read(4096):
        *lines, unfinished = re.split(rb"[\r\n]", unfinished + chunk)
        for line in lines:
            if line.strip(b" \t\0") and not is_skipping:
                yield read_line(line)
            is_skipping = False
        if len(unfinished) > LONGEST_LINE:
            if not is_skipping:
                yield read_line(unfinished)
            unfinished, is_skipping = b"", True


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
    shown = "".join(sign if sign.isprintable() else "?" for sign in text[: LONGEST_SHOWN + 1])
    return Foreign(shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "...")


def _keep_alive(connection: socket.socket) -> None:
    """A device that lost its power says nothing: ask it now and then, or its silence would look like a slow dealer."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _open_serial(path: Path) -> int:
    """The device at 9600 baud, eight bits, no parity, one stop bit, and nothing interpreted on the way."""
    import termios  # not on every system, and only a serial port needs it
    import tty

    device = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        tty.setraw(device)
        settings = termios.tcgetattr(device)
        settings[2] &= ~(termios.CSIZE | termios.PARENB | termios.CSTOPB)
        settings[2] |= termios.CS8 | termios.CREAD | termios.CLOCAL
        settings[4] = settings[5] = termios.B9600
        termios.tcsetattr(device, termios.TCSANOW, settings)
    except termios.error as error:
        os.close(device)
        raise OSError(f"{path} is not a serial port: {error.args[-1]}") from None
    return device


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
