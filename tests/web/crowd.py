"""Terminals without a window, which bet for as long as betting is open."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from natural9.server import protocol
from natural9.table.commands import terminal as taps
from tests.server.live_server import WAIT_S, Server, Terminal, Visit, visit

STAKE = 100
CREDIT = 1_000_000


@contextmanager
def crowd(server: Server, table: str, *, seats: int, pause_s: float) -> Iterator[Callable[[], int]]:
    """So many terminals, each with a bet every so often. What comes is how many of those bets are registered."""
    seated, leave, registered = Event(), Event(), [0] * seats

    async def bet_on(terminal: Terminal, place: int) -> None:
        wager = ("player", "banker", "tie")[place % 3]
        await asyncio.sleep(pause_s * place / seats)
        while not leave.is_set():
            if terminal.table.takes_bets:
                answer = await terminal.ask(taps.Bet, wager=wager, cents=STAKE)  # refused, if it is late
                registered[place] += isinstance(answer, protocol.Registered)
            await asyncio.sleep(pause_s)

    async def story(one: Visit) -> None:
        terminals = [await one.sit(table, seat, CREDIT) for seat in range(1, seats + 1)]
        seated.set()
        await asyncio.gather(*(bet_on(terminal, place) for place, terminal in enumerate(terminals)))

    thread = Thread(target=lambda: visit(server, story, limit_s=10 * WAIT_S))
    thread.start()
    try:
        assert seated.wait(5 * WAIT_S)
        yield lambda: sum(registered)
    finally:
        leave.set()
        thread.join()
