"""`natural9 reading-shoe`: a device that reads cards, for a table that has none yet."""

import asyncio
import secrets
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from random import Random
from typing import Annotated

import typer

from natural9.cli.usage import a_seed, within
from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.table.shoes.shuffler import shuffle

NOT_A_CARD = "JOKER"
MOST_CARDS = 520


def reading_shoe(
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT", callback=within("--port", 0, 65535), help="The port to listen on; 0 takes any free one."
        ),
    ] = 9401,
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    decks: Annotated[int, typer.Option(metavar="N", callback=within("--decks", 1, 10), help="Decks in the shoe.")] = 8,
    seed: Annotated[
        int | None, typer.Option(metavar="N", callback=a_seed, help="The same seed shuffles the same shoe.")
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            callback=within("--every", 0, 3600),
            help="Seconds between cards.  [default: one at each Enter]",
        ),
    ] = None,
    cut_cards: Annotated[
        int,
        typer.Option(metavar="N", callback=within("--cut-cards", 0, MOST_CARDS), help="Cards behind the cut card."),
    ] = 14,
    foreign_at: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            callback=within("--foreign-at", 1, MOST_CARDS),
            help="Fault: the Nth card is not a playing card.",
        ),
    ] = None,
    extra_at: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            callback=within("--extra-at", 1, MOST_CARDS),
            help="Fault: from the Nth card on, one card too many comes.",
        ),
    ] = None,
    short: Annotated[
        int,
        typer.Option(metavar="N", callback=within("--short", 0, MOST_CARDS), help="Fault: the shoe is N cards short."),
    ] = 0,
) -> None:
    """Simulate a shoe that reads its cards.

    It sends a line for every card, such as 9H, CUT or EMPTY, and ends with the shoe. A card waits until a table is
    connected. In the venue file its table has shoe = "read" and reader = "tcp:127.0.0.1:9401".

    Example: natural9 reading-shoe --decks 8 --every 2
    """
    _check_places(decks, cut_cards=cut_cards, foreign_at=foreign_at, extra_at=extra_at, short=short)
    order = shuffle(decks, Random(seed).randrange if seed is not None else secrets.randbelow)
    lines = shoe_lines(order, cut_cards=cut_cards, foreign_at=foreign_at, extra_at=extra_at, short=short)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(host, port, lines, every))


def _check_places(decks: int, *, cut_cards: int, foreign_at: int | None, extra_at: int | None, short: int) -> None:
    """Nothing is to happen after the last card: a fault that never comes would look like one that nobody notices."""
    cards = 52 * decks
    held = f"a shoe of {decks} {'deck' if decks == 1 else 'decks'} has {cards} cards"
    for option, count in (("--cut-cards", cut_cards), ("--short", short)):
        if count > cards:
            raise BadInput("bad-option", f"{option} {count} is too many, because {held}: give at most {cards}")
    dealt = cards - short
    for option, place in (("--foreign-at", foreign_at), ("--extra-at", extra_at)):
        if place is not None and place > dealt:
            less = f" and {short} of them are missing" if short else ""
            raise BadInput("bad-option", f"{option} {place} never comes, because {held}{less}: give at most {dealt}")


def shoe_lines(
    order: Sequence[Card],
    *,
    cut_cards: int,
    foreign_at: int | None = None,
    extra_at: int | None = None,
    short: int = 0,
) -> list[str]:
    """All that the device writes for one shoe, faults included."""
    lines: list[str] = []
    decks, out, cards = len(order) // 52, Counter[Card](), 0
    for place, card in enumerate(order[: len(order) - short]):
        if len(order) - place == cut_cards:
            lines.append("CUT")
        cards += 1
        if cards == foreign_at:
            lines.append(NOT_A_CARD)
            cards += 1
        whole = [one for one, count in out.items() if count == decks]
        if extra_at is not None and cards >= extra_at and whole:
            lines.append(str(whole[0]))
            extra_at = None
            cards += 1
        lines.append(str(card))
        out[card] += 1
    return [*lines, "EMPTY"]


async def _serve(host: str, port: int, lines: Sequence[str], every_s: float | None) -> None:
    peers: set[asyncio.StreamWriter] = set()
    connected = asyncio.Event()

    async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.add(writer)
        connected.set()
        with suppress(OSError):
            while await reader.read(1024):  # a device does not listen
                pass
        peers.discard(writer)
        if not peers:
            connected.clear()
        writer.close()

    try:
        server = await asyncio.start_server(welcome, host, port)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(
            "bad-port", f"the shoe cannot listen at {host}:{port}: {why}; choose another --port or --host"
        ) from None
    async with server:
        taken = server.sockets[0].getsockname()[1]
        how = "Enter draws a card" if every_s is None else f"a card every {every_s:g} seconds"
        print(f"reading shoe at tcp:{host}:{taken}, {how}", flush=True)
        due = _enters() if every_s is None else _ticks(every_s)
        for line in lines:
            if await anext(due, None) is None:
                break  # nobody is left to press Enter
            await connected.wait()
            for peer in peers:
                peer.write(f"{line}\n".encode())
            print(line, flush=True)
        for peer in [*peers]:
            with suppress(OSError):
                await peer.drain()
            peer.close()


async def _ticks(every_s: float) -> AsyncIterator[bool]:
    while True:
        await asyncio.sleep(every_s)
        yield True


async def _enters() -> AsyncIterator[bool]:
    """Each line from the terminal. A thread of its own reads it, so that Ctrl-C need not wait for a last Enter."""
    queue: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def listen() -> None:
        with suppress(RuntimeError):  # the loop has ended
            for line in sys.stdin:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, "")

    threading.Thread(target=listen, daemon=True).start()
    while await queue.get():
        yield True
