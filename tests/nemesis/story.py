"""A venue is played at without a pause, while one fault comes after another; then all is counted."""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple, Protocol

import httpx

from tests.nemesis.player import LOST, NOBODY, Roamer
from tests.outside import venue
from tests.outside.books import Ask, Books, Message
from tests.outside.check import Auditor
from tests.outside.desk import PAY, Cashier, Desk, VoucherDesk
from tests.outside.journal import Journal
from tests.outside.person import Person, SessionLost
from tests.outside.server import Server

STAFF = {"pat": "pit-manager", "cass": "cashier", "dave": "cashier", "vera": "cashier"}
CREDIT_CENTS = (10_000_000, 1_000_000, 2_000)  # by seat, in turn: the last is refused most of what it asks
SHORT_S = 10  # the usual: a table that is back within it goes on where it stood
BACK_S = 90.0  # by then every table takes bets again, on a machine with much else to do, too
LAST_S = 90.0
DESK_WAITS_S = 6.0
HTTP_LOST = (httpx.TransportError, OSError, RuntimeError)  # the last: by ourselves, who went elsewhere


class Size(NamedTuple):
    tables: int = 3
    seats: int = 4  # at each, with a terminal
    betting_s: float = 1.0
    verify_every: int = 50  # faults
    longest_pause_s: float = 0.6  # of a player between two taps


def _rests(table: Message) -> bool:
    return table.get("status") == "paused" and not table["in_play"]


def deck(chance: random.Random, names: Iterable[str]) -> Iterator[str]:
    """Every fault before any comes twice, in an order of the seed's; without end."""
    names = list(names)
    while True:
        chance.shuffle(names)
        yield from names


class Strikes(Protocol):
    """A nemesis. What it does is whole again when `strike` has returned, as an operator makes it."""

    @property
    def gave_up(self) -> list[str]:
        """Servers that ended without having been told to, or not as they should."""
        ...

    async def strike(self, name: str) -> None: ...


class NemesisStory(ABC):
    """`await story.tell(faults)`; what is wrong stands in its books. What is played at is for those to say who
    come of it."""

    staff = STAFF
    journal: Journal
    nemesis: Strikes
    faults_here: Iterable[str]  # those that can be done on this machine
    left_out: Mapping[str, str]  # the others, and why

    def __init__(self, seed: int, size: Size | None = None) -> None:
        self.seed, self.size = seed, size or Size()
        self.chance = random.Random(seed)
        self.books = Books()
        games = ("rws-nc", "mbs-nc")
        self.tables = {f"t{number + 1}": games[number % 2] for number in range(self.size.tables)}
        self.terminals: list[Roamer] = []
        self.desks: list[Desk] = []
        self.faults: Counter[str] = Counter()
        self.back_s: list[float] = []  # from the end of each fault until every table has taken a bet
        self.verified = 0  # times
        self.seconds = 0.0
        self.over = False
        self.progress: Callable[[str], None] = lambda line: None  # told after every fault
        self._fresh: set[str] = set()  # tables that have taken a bet since the last fault
        self._news = asyncio.Event()
        self._races = count(1)
        self._pat: Person

    # What is played at.

    @abstractmethod
    async def open(self) -> Server:
        """The venue at work, on an empty journal; the server at which its people are hired."""

    @abstractmethod
    async def open_more(self) -> None:
        """Other machines of it, once its people are hired."""

    @abstractmethod
    def addresses(self, sender: str) -> Sequence[str]:
        """Where a terminal, by its place, or staff may connect."""

    @abstractmethod
    async def could_read_on(self) -> bool:
        """The journal, up to now; False while it cannot be read."""

    @abstractmethod
    async def run_verify(self) -> tuple[int, str]:
        """The exit status of `natural9 verify`, and what it says."""

    @abstractmethod
    async def stop(self) -> None:
        """Every server is told to end, and ends well."""

    @property
    @abstractmethod
    def starts(self) -> int:
        """How often a server was started."""

    def figures(self) -> Mapping[str, int]:
        """What is counted here alone."""
        return {}

    def chance_of_its_own(self) -> random.Random:
        return random.Random(self.chance.random())

    def deck(self) -> Iterator[str]:
        return deck(random.Random(self.seed), self.faults_here)

    async def tell(self, faults: Iterable[str]) -> Books:
        began = time.monotonic()
        await self.set_up()
        playing = self._players()
        try:
            await self.is_back()
            for number, name in enumerate(faults, 1):
                await self._fault(name, playing)
                if number % self.size.verify_every == 0:
                    await self.verify()
            self.over = True
            await self._finish(playing)
            await self._end()
        finally:
            await self.leave(playing)
        self.seconds = time.monotonic() - began
        return self.books

    # Setting up.

    async def set_up(self, terminal: type[Roamer] = Roamer) -> None:
        self.books.life = 1
        self.auditor = Auditor(self.books, self.journal)
        first = await self.open()
        ada, staff = await venue.hire(first, self.staff)
        self._pat = staff["pat"]
        cookies = await self._furnish(ada, staff, first.address)
        await self.open_more()
        for person in self._people():
            person.patience_s = DESK_WAITS_S
            await self._go_anywhere(person)
        for (table, seat), cookie in cookies.items():
            place = f"{table}-{seat}"
            chance, show = self.chance_of_its_own(), self.auditor.show
            self.terminals.append(
                terminal(self.books, table, seat, cookie, chance, show, self.addresses(place), self._accepted)
            )
            self.terminals[-1].longest_pause_s = self.size.longest_pause_s
        for table in self.tables:
            await self._order(table, "open-table")

    def make_venue(self, folder: Path) -> Path:
        size = self.size
        return venue.make(folder, self.tables, seats=size.seats, betting_s=size.betting_s, short_s=SHORT_S)

    async def _go_anywhere(self, person: Person) -> None:
        await person.arrive(self.chance.choice(self.addresses("staff")))

    async def _furnish(self, ada: Person, staff: dict[str, Person], address: str) -> dict[tuple[str, int], str]:
        """Terminals with their cookies and credit, and the desks."""
        seats = [(table, seat) for table in self.tables for seat in range(1, self.size.seats + 1)]
        poor = [(table, seat) for table, seat in seats if CREDIT_CENTS[seat % 3] < 10_000]
        first, *others = (person for id, person in staff.items() if self.staff[id] == "cashier")
        cashier = Cashier(self.books, first, self.chance_of_its_own(), seats + poor * 3)
        self.desks = [cashier, *(VoucherDesk(self.books, one, self.chance_of_its_own(), seats) for one in others)]
        for desk in self.desks:
            desk.trap = NOBODY
        cookies: dict[tuple[str, int], str] = {}
        for table in self.tables:
            enrolled = await venue.enrol(ada, address, table, range(1, self.size.seats + 1))
            cookies |= {(table, seat): cookie for seat, cookie in enrolled.items()}
        for table, seat in seats:
            command = {"type": "credit-terminal", "seat": seat, "cents": CREDIT_CENTS[seat % 3]}
            await cashier.send(self.books.new(cashier.sender, f"first {table}-{seat}", {"command": command}, table))
        await ada.leave()
        return cookies

    def _people(self) -> list[Person]:
        return [*(desk.person for desk in self.desks), self._pat] if self.desks else []

    async def _order(self, table: str, command: str) -> None:
        """Asked at any node until it is done."""
        body = {"request": f"{command} {table} {self.books.life}", "command": {"type": command}}
        said = ""
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_S):
                while True:
                    with suppress(*HTTP_LOST):
                        response = await self._pat.post(f"/api/tables/{table}/commands", body)
                        if response.is_success:
                            return
                        said = f"{response.status_code} {response.text}"
                    await self._go_anywhere(self._pat)
                    await asyncio.sleep(0.2)
        self.books.wrong("an order was not carried out", f"{command} at {table}: {said}")

    # Playing.

    def _players(self) -> list[asyncio.Future[None]]:
        desks = [asyncio.ensure_future(self._serve(desk)) for desk in self.desks]
        roaming = [asyncio.ensure_future(terminal.roam()) for terminal in self.terminals]
        return [*desks, *roaming, asyncio.ensure_future(self._race())]

    async def _serve(self, desk: Desk) -> None:
        """At some node for a while, then at another."""
        while not self.over:
            await self._go_anywhere(desk.person)
            try:
                async with asyncio.timeout(self.chance.uniform(2, 8)):
                    await desk.play()
            except (TimeoutError, *HTTP_LOST):
                pass
            except SessionLost as lost:
                self.books.wrong("a session was lost", f"{desk.person.id}: {lost}")
                with suppress(AssertionError, *HTTP_LOST):
                    await venue.sign_in(desk.person)
            await asyncio.sleep(0.2)

    async def _race(self) -> None:
        """One voucher, asked for at two terminals and two desks in one instant."""
        while not self.over:
            await asyncio.sleep(self.chance.uniform(0.3, 1.0))
            if not self.books.vouchers:
                continue
            voucher = self.books.vouchers.pop(self.chance.randrange(len(self.books.vouchers)))
            number = next(self._races)
            content = {"number": voucher.number, "code": voucher.code}
            sending = []
            for terminal in self.chance.sample(self.terminals, 2):
                ask = {"type": "insert-voucher", **content}
                new = self.books.new(terminal.sender, f"race {number}", ask, terminal.table)
                if terminal.is_connected:
                    sending.append(terminal.send(new))
            for desk in self.desks[1:]:
                ask = {"type": PAY, **content}
                sending.append(desk.send(self.books.new(desk.sender, f"race {number}", ask, "")))
            for one in await asyncio.gather(*sending, return_exceptions=True):
                if isinstance(one, BaseException) and not isinstance(one, (*LOST, *HTTP_LOST)):
                    raise one

    def _accepted(self, table: str, ask: Ask) -> None:
        """A bet that was first sent after the last fault."""
        if ask.kind == "bet" and ask.sent[0] == self.books.life and table not in self._fresh:
            self._fresh.add(table)
            self._news.set()

    # One fault.

    async def _fault(self, name: str, playing: Sequence["asyncio.Future[None]"]) -> None:
        self.books.step(f"fault {sum(self.faults.values()) + 1}: {name}")
        await self.nemesis.strike(name)
        self.faults[name] += 1
        for said in self.nemesis.gave_up:
            self.books.wrong("a server gave up", f"after {name}: {said}")
        self.nemesis.gave_up.clear()
        self.books.life += 1
        self._fresh.clear()
        await self.is_back(name)
        await self.look()
        for one in playing:
            if one.done():
                one.result()
        wrong = len(self.books.violations)
        self.progress(f"{self.faults.total():4} {name:34} {self.back_s[-1]:5.1f} s until all took bets, {wrong} wrong")

    async def is_back(self, after: str = "the start") -> None:
        """Every table takes bets again, by itself."""
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_S):
                while len(self._fresh) < len(self.tables):
                    self._news.clear()
                    await self._news.wait()
        if missing := self.tables.keys() - self._fresh:
            self.books.wrong("a table did not come back", f"{sorted(missing)} within {BACK_S:.0f} s of {after}")
        self.back_s.append(time.monotonic() - began)

    async def look(self) -> None:
        known = self.auditor.known()
        async with asyncio.timeout(BACK_S):
            while not await self.could_read_on():
                await asyncio.sleep(0.5)
        self.auditor.hold(known)

    async def verify(self) -> None:
        status, said = await self.run_verify()
        self.verified += 1
        if status:
            self.books.wrong("verify complains", said[-800:])

    # The end.

    async def _finish(self, playing: Sequence["asyncio.Future[None]"]) -> None:
        for terminal in self.terminals:
            terminal.over = True
        for desk in self.desks:
            desk.over = True
        done = await asyncio.gather(*playing, return_exceptions=True)
        for one in done:
            if isinstance(one, Exception):
                raise one

    async def _end(self) -> None:
        """Everything is asked until it is known; the tables come to rest; what is shown is what the journal says."""
        asking = [self._ask_until_known(terminal) for terminal in self.terminals]
        asking += [self._ask_desk_until_known(desk) for desk in self.desks]
        try:
            async with asyncio.timeout(LAST_S):
                await asyncio.gather(*asking)
        except TimeoutError:
            senders = [one.sender for one in self.terminals] + [one.sender for one in self.desks]
            waiting = [ask for sender in senders for ask in self.books.undecided(sender)]
            self.books.wrong("never answered", f"{len(waiting)} requests, the first {waiting[0] if waiting else ''}")
        for table in self.tables:
            await self._order(table, "pause-table")
        shown = dict(await asyncio.gather(*(self._shown_at_rest(terminal) for terminal in self.terminals)))
        await self.look()
        self.auditor.hold_all()
        self._holds(shown)
        await self.stop()
        await self.look()
        await self.verify()

    async def _ask_until_known(self, terminal: Roamer) -> None:
        while self.books.undecided(terminal.sender):
            with suppress(*LOST):
                if not terminal.is_connected:
                    await terminal.come()
                for ask in self.books.undecided(terminal.sender):
                    if not ask.decided:  # the answer to an earlier try may have come by now
                        await terminal.send(ask)
                await terminal.answers()
                continue
            terminal.hang_up_at_once()
            await asyncio.sleep(0.3)

    async def _ask_desk_until_known(self, desk: Desk) -> None:
        while waiting := self.books.undecided(desk.sender):
            for ask in waiting:
                with suppress(*HTTP_LOST):
                    await desk.send(ask)
            await self._go_anywhere(desk.person)
            await asyncio.sleep(0.3)

    async def _shown_at_rest(self, terminal: Roamer) -> tuple[str, int]:
        """To whoever comes anew, at whatever node."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                while True:
                    terminal.hang_up_at_once()
                    with suppress(*LOST):
                        await terminal.come()
                        await terminal.until(lambda: _rests(terminal.view))
                        break
                    await asyncio.sleep(0.2)
                terminal.hang_up_at_once()
                while True:
                    with suppress(*LOST):
                        await terminal.come()
                        return terminal.place, int(terminal.you["credit_cents"])
        self.books.wrong("a table did not come to rest", f"{terminal.place}: {terminal.view}")
        return terminal.place, int(terminal.you.get("credit_cents", -1))

    def _holds(self, shown: dict[str, int]) -> None:
        journal = self.journal
        for seat, cents in shown.items():
            by_events, held = journal.seats[seat][-1].credit_cents, journal.balances[f"credit/{seat}"]
            if not cents == by_events == held:
                what = f"{seat}: shown {cents}, {by_events} by events, {held} by transfers"
                self.books.wrong("credit is wrong", what)
            if journal.at_stake[seat]:
                self.books.wrong("a stake was left", f"{seat}: {journal.at_stake[seat]} at stake at rest")

    async def leave(self, playing: Sequence["asyncio.Future[None]"] = ()) -> None:
        self.over = True
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for terminal in self.terminals:
            terminal.hang_up_at_once()
        for person in self._people():
            await person.leave()

    # Figures.

    def decided(self) -> Counter[str]:
        """How many requests were done, refused, and never answered."""
        return Counter(str(ask.decided.verdict) if ask.decided else "never" for ask in self.books.asks.values())
