"""A venue is played at until a process of the server is killed; its journal is read, it is started again, and so on."""

import asyncio
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx
from websockets.exceptions import ConnectionClosed, InvalidMessage

from tests.outside import venue
from tests.outside.books import Books
from tests.outside.check import Auditor
from tests.outside.desk import Cashier, Desk, VoucherDesk
from tests.outside.moments import JOURNAL, ON_THE_WAY_UP, STARTING, Plan, Trap, plans
from tests.outside.person import Person
from tests.outside.server import Server
from tests.outside.sqlite_journal import SqliteJournal
from tests.outside.terminal import Terminal

SEATS = (1, 2, 3)
CREDIT_CENTS = {1: 10_000_000, 2: 1_000_000, 3: 2_000}  # the last is refused most of what it asks
LIFE_S = 5.0  # a moment that has not come by then comes now
HALTED_S = 1.0
LAST_S = 60
LAST_OLD_ONES = 30  # of each sender's answered requests, asked once more at the end
NEVER = Plan("betting opens", "server", 0, 0.0)


class Story:
    """`await Story(folder, seed).tell(kills)`; what is wrong stands in its books."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self._seed = seed
        self.books = Books()
        self.server = Server(venue.make(folder))
        self.journal = SqliteJournal(folder / "journal.db", self.books.wrong)
        self.auditor = Auditor(self.books, self.journal)
        self.kills: Counter[tuple[str, str]] = Counter()
        self.not_come = 0  # moments that the clock had to end
        self.seconds = 0.0
        self.terminals: list[Terminal] = []
        self.desks: list[Desk] = []
        self._pat: Person

    async def tell(self, kills: int) -> Books:
        began = time.monotonic()
        try:
            await self._set_up()
            for plan in plans(random.Random(self._seed), kills):
                self.books.step(str(plan))
                await (self._killed_while_starting(plan) if plan.name == STARTING else self._life(plan))
                self._check()
                self.kills[plan.name, plan.victim] += 1
            await self._end()
        finally:
            await self.server.clear_away()
            for person in self._people():
                await person.leave()
        self.seconds = time.monotonic() - began
        return self.books

    def _people(self) -> list[Person]:
        return [desk.person for desk in self.desks] + ([self._pat] if self.desks else [])

    def _check(self) -> None:
        """What was asked or answered since the last time; the server is down."""
        known = self.auditor.known()
        self.journal.read_on()
        self.auditor.hold(known)

    def _senders(self) -> list[Terminal | Desk]:
        return [*self.terminals, *self.desks]

    async def _set_up(self) -> None:
        self.books.life = 1
        await self.server.start()
        ada, staff = await venue.hire(self.server)
        self._pat = staff["pat"]
        seats = [(table, seat) for table in venue.TABLES for seat in SEATS]
        poor = [(table, seat) for table, seat in seats if CREDIT_CENTS[seat] < 10_000]
        cashier = Cashier(self.books, staff["cass"], self._chance(), seats + poor * 3)
        self.desks = [cashier, VoucherDesk(self.books, staff["dave"], self._chance(), seats)]
        cashier.trap = self._trap(NEVER)
        for table in venue.TABLES:
            cookies = await venue.enrol(ada, self.server.address, table, SEATS)
            for seat, cookie in cookies.items():
                self.terminals.append(Terminal(self.books, table, seat, cookie, self._chance(), self.auditor.show))
                command = {"type": "credit-terminal", "seat": seat, "cents": CREDIT_CENTS[seat]}
                await cashier.send(self.books.new(cashier.sender, f"first {table}-{seat}", {"command": command}, table))
            await self._order(table, "open-table")
        await ada.leave()

    def _chance(self) -> random.Random:
        return random.Random(self.chance.random())

    async def _order(self, table: str, command: str) -> None:
        request = f"{command} {self.books.life}"
        await self._pat.must(f"/api/tables/{table}/commands", {"request": request, "command": {"type": command}})

    # One life of the server.

    async def _start(self) -> None:
        if not self.server.is_running:
            self.books.life += 1
            await self.server.start()

    def _trap(self, plan: Plan) -> Trap:
        victim = self.server.journal_pid if plan.victim == JOURNAL else self.server.pid

        def kill() -> None:
            self.books.step(f"the {plan.victim} is killed")
            self.server.kill(victim)

        return Trap(plan, kill)

    async def _life(self, plan: Plan) -> None:
        await self._start()
        _ = self.server.journal_pid  # known before anything is killed
        trap = self._trap(plan)
        playing = [asyncio.create_task(self._play(terminal, trap)) for terminal in self.terminals]
        playing += [asyncio.create_task(self._serve(desk, trap)) for desk in self.desks]
        if not await trap.wait(LIFE_S):
            self.not_come += 1
        if plan.victim == JOURNAL:
            await self._operator_looks()
        await self.server.ended()
        await self._hear_the_rest(playing)

    async def _play(self, terminal: Terminal, trap: Trap) -> None:
        with suppress(OSError, ConnectionClosed, InvalidMessage):  # it may be dead before it has answered
            await terminal.arrive(self.server.address, trap)
            await terminal.play(trap.plan.moment.favours)

    async def _serve(self, desk: Desk, trap: Trap) -> None:
        desk.trap = trap
        await desk.person.arrive(self.server.address)
        await desk.play()

    async def _operator_looks(self) -> None:
        """The tables have stopped, the terminals go on asking; then the server is killed or told to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HALTED_S):
                await asyncio.gather(*(terminal.halted.wait() for terminal in self.terminals))
        await asyncio.sleep(self.chance.choice((0, 0.05, 0.3)))
        if self.chance.random() < 0.3:
            self.server.kill(self.server.pid, signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.server.ended(), 10)
        self.server.kill(self.server.pid)

    async def _hear_the_rest(self, playing: list[asyncio.Task[None]]) -> None:
        """What the dead server had already sent was told, too."""
        for desk in self.desks:
            desk.over = True
        for task in playing[: len(self.terminals)]:
            task.cancel()  # first of all: whoever still has a turn to send would find no line
        for terminal in self.terminals:
            await terminal.leave()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        for one in ended:
            if isinstance(one, BaseException) and not isinstance(one, asyncio.CancelledError | httpx.TransportError):
                raise one

    async def _killed_while_starting(self, plan: Plan) -> None:
        """On its way up, when the log has come so far."""
        if self.server.is_running:
            self.server.kill(self.server.pid)
            await self.server.ended()
        self.books.life += 1
        self.server.begin()
        await self.server.says(self.chance.choice(ON_THE_WAY_UP))
        journal = self.server.journal_pid
        self.server.kill(journal if plan.victim == JOURNAL else self.server.pid)
        if plan.victim == JOURNAL:
            await asyncio.sleep(self.chance.choice((0.05, 0.3)))
            self.server.kill(self.server.pid)
        await self.server.ended()

    # The end.

    async def _end(self) -> None:
        """Everything is asked until it is known; the tables come to rest; what is shown is what the journal says."""
        await self._start()
        trap = self._trap(NEVER)
        for desk in self.desks:
            desk.trap = trap
        for person in self._people():
            await person.arrive(self.server.address)
        await asyncio.gather(*(terminal.arrive(self.server.address, trap) for terminal in self.terminals))
        try:
            async with asyncio.timeout(LAST_S):
                await asyncio.gather(*(self._ask_until_known(one) for one in self._senders()))
        except TimeoutError:
            waiting = [ask for one in self._senders() for ask in self.books.undecided(one.sender)]
            self.books.wrong("never answered", f"{len(waiting)} requests, the first {waiting[0] if waiting else ''}")
        await self._come_to_rest()
        shown = {terminal.place: terminal.you["credit_cents"] for terminal in self.terminals}
        self.server.kill(self.server.pid, signal.SIGTERM)
        if status := await self.server.ended():
            self.books.wrong("it did not end well", f"exit status {status}")
        for terminal in self.terminals:
            await terminal.leave()
        self._check()
        self.auditor.hold_all()
        self._holds(shown)
        status, said = await self.server.verify()
        if status:
            self.books.wrong("verify complains", said[-500:])

    async def _ask_until_known(self, one: Terminal | Desk) -> None:
        answered = self.books.decided(one.sender)
        for ask in self.chance.sample(answered, min(LAST_OLD_ONES, len(answered))):
            await one.send(ask)
        while waiting := self.books.undecided(one.sender):
            for ask in waiting:
                if not ask.decided:  # the answer to an earlier try may have come by now
                    await one.send(ask)
            await asyncio.sleep(0.5)

    async def _come_to_rest(self) -> None:
        for table in venue.TABLES:
            await self._order(table, "pause-table")
        for terminal in self.terminals:
            async with asyncio.timeout(LAST_S):
                await terminal.until(lambda at=terminal: at.view["status"] == "paused" and not at.view["in_play"])  # type: ignore[misc]
        await asyncio.sleep(0.2)
        for terminal in self.terminals:  # connected anew: what the server shows to whoever comes
            await terminal.hang_up()
            await terminal.arrive(self.server.address, self._trap(NEVER))
        for table in venue.TABLES:
            for line in await self._pat.get(f"/api/tables/{table}/terminals"):
                [terminal] = [one for one in self.terminals if one.place == f"{table}-{line['seat']}"]
                if line["credit_cents"] != terminal.you["credit_cents"]:
                    self.books.wrong("shown differently", f"{terminal.place}: {line}, and {terminal.you} to itself")

    def _holds(self, shown: dict[str, int]) -> None:
        """Credit bought, and what the journal's own lines settled, less what was taken out: that is what is shown."""
        journal = self.auditor.journal
        for seat, cents in shown.items():
            by_events, held = journal.seats[seat][-1].credit_cents, journal.balances[f"credit/{seat}"]
            if not cents == by_events == held:
                self.books.wrong(
                    "credit is wrong", f"{seat}: shown {cents}, {by_events} by events, {held} by transfers"
                )
            if journal.at_stake[seat]:
                self.books.wrong("a stake was left", f"{seat}: {journal.at_stake[seat]} at stake at rest")

    # Figures.

    def decided(self) -> Counter[str]:
        """How many requests were done, refused, and never answered."""
        return Counter(str(ask.decided.verdict) if ask.decided else "never" for ask in self.books.asks.values())

    def unknown(self) -> int:
        """Requests whose answer was no decision at first."""
        return sum(1 for ask in self.books.asks.values() if ask.undecided)
