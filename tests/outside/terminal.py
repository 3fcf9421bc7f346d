"""A player's terminal: it connects, asks, hears, and sends what was not answered again. `tests/nemesis` has it play."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.outside.asking import Maker, other_content
from tests.outside.books import Answer, Ask, Books, Message, Verdict, Voucher
from tests.outside.moments import Trap

TOO_MANY = 4429
REUSED = "request-reused"
BURST, A_SECOND = 200, 38.0  # what a terminal sends at once, and then steadily
OLD_BURST = 70  # a server that does not say how many may be outstanding takes fewer at once
OLD_ONES = 8  # answered requests that are sent again after every restart


class Pace:
    """As many messages as a well-behaved terminal sends."""

    def __init__(self, burst: int) -> None:
        self._left, self._burst, self._at = float(burst), burst, time.monotonic()

    async def turn(self) -> None:
        while (wait_s := self._wait_s()) > 0:
            await asyncio.sleep(wait_s)
        self._left -= 1

    def _wait_s(self) -> float:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * A_SECOND)
        self._at = now
        return max(0.0, (1 - self._left) / A_SECOND)


class Terminal:
    def __init__(
        self,
        books: Books,
        table: str,
        seat: int,
        cookie: str,
        chance: random.Random,
        show: Callable[[str, Message], None],
    ) -> None:
        self.books, self.table, self.place, self.chance = books, table, f"{table}-{seat}", chance
        self.sender = f"terminal/{self.place}"
        self.view: Message = {}
        self.you: Message = {}
        self.make = Maker(self, chance)
        self.halted = asyncio.Event()
        self.trap: Trap
        self._cookie, self._show = cookie, show
        self._line: ClientConnection | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._pace = Pace(BURST)
        self._news = asyncio.Event()
        self._awaited: Counter[str] = Counter()  # answers that may still come, by id
        self._trying: set[str] = set()  # ids that were sent with other content, on this line
        self._tried: Counter[str] = Counter()  # the same, on any: their refusals may still come
        self._refused_lately: list[Ask] = []

    # Connecting.

    async def dial(self, address: str) -> ClientConnection:
        return await connect(
            f"{address.replace('http', 'ws', 1)}/ws/table/{self.table}",
            additional_headers={"Cookie": self._cookie},
            origin=Origin(address),
            compression=None,
            max_queue=None,
            ping_interval=None,
            close_timeout=1,
            proxy=None,
        )

    def begin(self, line: ClientConnection) -> None:
        """On a line of its own. What was on its way on the last one may be answered here, or never."""
        self.view, self.you = {}, {}
        self._trying.clear()
        self.halted.clear()
        self._line = line
        self._hearing = asyncio.create_task(self._hear_all(line))

    async def until(self, when: Callable[[], bool]) -> None:
        """Or until the line is cut, which raises ConnectionClosed."""
        while not when():
            assert self._hearing, "it is connected"
            if self._hearing.done():
                raise ConnectionClosed(None, None)
            self._news.clear()
            waiting = asyncio.create_task(self._news.wait())
            try:
                await asyncio.wait({waiting, self._hearing}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()

    # Hearing.

    async def _hear_all(self, line: ClientConnection) -> None:
        try:
            async for raw in line:
                self._hear(json.loads(raw))
                self._news.set()
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code == TOO_MANY:
                self.books.counts["told to slow down"] += 1
        finally:
            self._news.set()

    def _hear(self, message: Message) -> None:
        if you := message.get("you"):
            self.you = you
            self._show(self.place, you)
        match message["type"]:
            case "welcome":
                self.view = message["table"]
                self._pace = Pace(BURST if "outstanding" in message else OLD_BURST)
            case "table":
                self.view = message["table"]
                for tag in message["happened"]:
                    self.trap.tell(tag)
            case "registered":
                slip = message.get("voucher")
                voucher = Voucher(slip["number"], slip["code"], slip["cents"]) if slip else None
                for id in message["requests"]:
                    self._answer(id, Answer(Verdict.DONE, voucher=voucher))
            case "refused":
                assert message.get("request"), f"{self.place} was not understood: {message}"
                verdict = Verdict.AGAIN if message.get("again") else Verdict.REFUSED
                self._answer(message["request"], Answer(verdict, message["code"]))
            case "unknown":
                for id in message["requests"]:
                    self._answer(id, Answer(Verdict.UNKNOWN))
            case "halted":
                self.halted.set()
            case _:
                pass

    def _answer(self, id: str, answer: Answer) -> None:
        if id in self._trying or (answer.code == REUSED and self._tried[id]):
            self._trying.discard(id)
            self._tried[id] -= 1
            if answer.verdict is Verdict.DONE:
                self.books.wrong("one id, two contents", f"{self.sender} {id!r} was done with other content")
            return
        self._awaited[id] -= 1
        ask = self.books.heard(self.sender, id, answer)
        if ask and ask.decided is answer:  # and not one more that says the same
            self.trap.tell(answer.verdict)
            if answer.voucher:
                self.trap.tell("voucher")
            if answer.verdict is Verdict.REFUSED:
                self._refused_lately.append(ask)

    # Sending.

    async def send(self, ask: Ask) -> None:
        await self._pace.turn()
        if self._line is None:  # meanwhile it hung up
            raise ConnectionClosed(None, None)
        again = bool(ask.sent)
        self.books.sending(ask)
        self._awaited[ask.id] += 1
        await self._line.send(json.dumps({**ask.content, "request": ask.id}))
        self.trap.tell("sent again" if again else "sent")
        self.trap.tell(f"sent {ask.kind}")
        if ask.decided and ask.decided.verdict is Verdict.REFUSED:
            self.trap.tell("refusal sent again")

    async def send_again(self) -> None:
        """What was not answered; and, spread among it, some of what was, also from long ago."""
        waiting, answered = self.books.undecided(self.sender), self.books.decided(self.sender)
        if self.chance.random() < 0.3:
            self.chance.shuffle(waiting)
        old = self.chance.sample(answered, min(OLD_ONES, len(answered)))
        for ask in dict.fromkeys([*old, *self._take_refused(4)]):
            waiting.insert(self.chance.randint(0, len(waiting)), ask)
        for ask in waiting:
            if ask.id not in self._trying:
                await self.send(ask)

    async def _some_again(self) -> None:
        """A refusal is asked again, an old id is tried with other content, and what is unknown is asked again."""
        for ask in self._take_refused(2):
            await self.send(ask)
        unknown = [ask for ask in self.books.undecided(self.sender) if ask.undecided]
        for ask in self.chance.sample(unknown, min(3, len(unknown))):
            await self.send(ask)
        answered = self.books.decided(self.sender)
        if answered and self.chance.random() < 0.3:
            await self._try_other_content(self.chance.choice(answered))

    def _take_refused(self, most: int) -> list[Ask]:
        """Some of what was refused lately, also before the server was killed."""
        lately, self._refused_lately = self._refused_lately[-20:], []
        return self.chance.sample(lately, min(most, len(lately)))

    async def _try_other_content(self, ask: Ask) -> None:
        """Only with an id that nothing else is on its way for: the answer names nothing but the id."""
        await self._pace.turn()
        if self._awaited[ask.id] or self.halted.is_set():
            return
        assert self._line, "it is connected"
        self._trying.add(ask.id)
        self._tried[ask.id] += 1
        content = other_content(ask)
        self.books.step(f"{self.sender} tries {ask.id!r} for {content}")
        await self._line.send(json.dumps({**content, "request": ask.id}))
        self.trap.tell("sent with other content")
        await self.until(lambda: ask.id not in self._trying or self.halted.is_set())
