"""A terminal that plays for long: it connects anew, to another server if there is one, when a line is cut or silent."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.outside.books import Answer, Ask, Books, Message
from tests.outside.moments import Plan, Trap
from tests.outside.terminal import Terminal

DIAL_S = 4.0
SILENT_S = 4.0  # nothing heard for so long: there may be somebody at another node
PATIENCE_S = 1.5  # for an answer; then it is asked again, here or elsewhere
STAYS = (0.97, 0.97, 0.4)  # how often it stays where it is: some hop from node to node, and see what each shows
LOST = (OSError, ConnectionClosed, InvalidHandshake, InvalidMessage, TimeoutError)
NOBODY = Trap(Plan("betting opens", "server", 0, 0.0), lambda: None)  # what happens here springs no trap

Accepted = Callable[[str, Ask], None]


class Roamer(Terminal):
    """`addresses` are those of all nodes; `accepted` is told every request that was done, when it was first told so."""

    burst: tuple[int, ...] = (1, 1, 2, 3, 6)
    longest_pause_s = 0.6
    tries_again = False  # what was refused, and other content under an id that was answered

    def __init__(
        self,
        books: Books,
        table: str,
        seat: int,
        cookie: str,
        chance: random.Random,
        show: Callable[[str, Message], None],
        addresses: Sequence[str],
        accepted: Accepted,
    ) -> None:
        super().__init__(books, table, seat, cookie, chance, show)
        self.trap = NOBODY
        self.addresses, self._accepted = addresses, accepted
        self.over = False
        self.arrivals = 0
        self._stays = chance.choice(STAYS)
        self._heard_s = 0.0

    async def roam(self) -> None:
        """Until it is told that it is over."""
        while not self.over:
            with suppress(*LOST):
                await self.come()
                await self.send_again()
                await self._stay()
            self.hang_up_at_once()
            await asyncio.sleep(self.chance.uniform(0.02, 0.3) + self.halted.is_set())

    async def come(self) -> None:
        """To some node; raises whatever of LOST it is that keeps it from there."""
        async with asyncio.timeout(DIAL_S):
            line = await self.dial(self.chance.choice(self.addresses))
        self._heard_s = time.monotonic()
        self.begin(line)
        self.arrivals += 1
        async with asyncio.timeout(DIAL_S):
            await self.until(lambda: bool(self.you) or self.halted.is_set())

    @property
    def is_connected(self) -> bool:
        return self._line is not None and self._hearing is not None and not self._hearing.done() and bool(self.you)

    def hang_up_at_once(self) -> None:
        """What else comes on this line nobody hears."""
        if self._hearing:
            self._hearing.cancel()
        if self._line:
            self._line.transport.abort()
        self._line = self._hearing = None

    async def _stay(self) -> None:
        while not self.over and not self.halted.is_set() and self.chance.random() < self._stays:
            await self._until_heard(lambda: bool(self.view.get("takes_bets")) or self.halted.is_set() or self.over)
            await asyncio.sleep(self.chance.uniform(0, self.longest_pause_s))
            for _ in range(self.chance.choice(self.burst)):
                content = self.make.content(self.trap.plan.moment.favours)
                await self.send(self.books.new(self.sender, self.make.id(), content, self.table))
            self.trap.tell("burst sent")
            await self.answers()
            if self.tries_again:
                async with asyncio.timeout(SILENT_S):
                    await self._some_again()

    async def answers(self) -> None:
        """Those that do not come are asked for again; then it is better to go elsewhere."""
        for _ in range(2):
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await self.until(lambda: not self._missing())
            if not self._missing():
                return
            for ask in self._missing():
                await self.send(ask)
        raise TimeoutError

    def _missing(self) -> list[Ask]:
        return self.books.undecided(self.sender)

    async def _until_heard(self, when: Callable[[], bool]) -> None:
        while not when():
            before = self._heard_s
            try:
                async with asyncio.timeout(SILENT_S):
                    await self.until(when)
            except TimeoutError:
                if self._heard_s == before:
                    raise

    def _hear(self, message: Message) -> None:
        self._heard_s = time.monotonic()
        super()._hear(message)

    def _answer(self, id: str, answer: Answer) -> None:
        ask = self.books.asks.get((self.sender, id))
        was_decided = ask is None or ask.decided
        super()._answer(id, answer)
        if ask and not was_decided and ask.decided:
            self._accepted(self.table, ask)
