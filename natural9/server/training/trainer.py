"""A training table at work: the drill hears its journal, its players bet at the real writer, who is called signs."""

import asyncio
import secrets
from collections.abc import Callable
from itertools import count
from typing import Final, cast

from natural9.core.round.commands import Command
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.staff import Rank
from natural9.journal.line import read_line
from natural9.server.demo.sign_in_links import BY, PEOPLE, SIGNS, staff_code
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.people.permissions import Role
from natural9.server.training.drill import SEATS, Drill, Wanted
from natural9.server.training.situations import PlayerTap
from natural9.server.training.wire import DrillResult, SignerView, TrainingView, result_of, view_of
from natural9.table.commands import staff, terminal
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.state.state import Status

CREDIT_CENTS: Final = 1_000_000
LOW_CENTS: Final = 200_000
PAGE: Final = 1000
MANAGER: Final = Who(PEOPLE[Role.PIT_MANAGER][0], rank=Rank.PIT_MANAGER)
CASHIER: Final = Who(PEOPLE[Role.CASHIER][0])
CALLED: Final = {
    Rank.PIT_SUPERVISOR: Role.PIT_SUPERVISOR,
    Rank.PIT_MANAGER: Role.PIT_MANAGER,
    Rank.SHIFT_MANAGER: Role.SHIFT_MANAGER,
}


class Trainer:
    """One table. Whatever is asked of it is asked of the table as it stands by then."""

    def __init__(self, house: House, table: str, wanted: Wanted) -> None:
        self.table, self._wanted = table, wanted
        self._house, self._room = house, house.room(table)
        self._lock, self._changed = asyncio.Lock(), asyncio.Event()
        self._requests, self._mark = count(1), secrets.token_hex(4)
        self._signers: dict[Rank, SignerView] = {}
        self._after = 0
        self._over: list[DrillResult] = []
        self.drill = Drill(wanted, self._room.writer.state.round)

    async def begin(self) -> None:
        """The table is open, has cards and players with credit; the drill hears all that happens from now on."""
        state = self._room.writer.state
        if state.status is Status.CLOSED:
            await self._order(staff.OpenTable(), MANAGER)
        if state.round.shoe is None and state.round.new_shoe is None:
            await self._order(staff.LoadNewShoe(), MANAGER)
        for seat in range(1, SEATS + 1):
            await hold_seat(self._house, self.table, seat)
        await self._fill_up()
        self._after = (await self._house.store.head()).seq
        self.drill = Drill(self.drill.wanted, await self._room.writer.see(lambda state: state.round))
        self._room.listeners.append(self._changed.set)

    async def follow(self) -> None:
        """Until it is cancelled: the players bet when betting opens, whether anybody looks or not."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            async with self._lock:
                await self._catch_up()

    # What the trainee asks

    async def see(self) -> TrainingView:
        return await self._answered(lambda drill, at_ms: None)

    async def call(self, rank: Rank) -> TrainingView:
        if rank in CALLED and rank not in self._signers:
            self._signers[rank] = await self._appoint(CALLED[rank])
        return await self._answered(lambda drill, at_ms: drill.call(rank))

    async def answer(self, question: int, choice: int) -> TrainingView:
        """A second click on the same question finds it answered."""
        return await self._answered(
            lambda drill, at_ms: drill.answer(choice, at_ms) if drill.question and drill.asked == question else None
        )

    async def let_pass(self) -> TrainingView:
        return await self._answered(lambda drill, at_ms: drill.let_pass(at_ms))

    async def finish(self) -> TrainingView:
        return await self._answered(lambda drill, at_ms: drill.finish(at_ms))

    async def again(self, lessons: tuple[str, ...]) -> TrainingView:
        """Another drill: each of these lessons once, or all as at first. One that is not over ends with what it has."""
        async with self._lock:
            await self._catch_up()
            self.drill.finish(self._now_ms())
            self._over.append(self._result())
            wanted = self._wanted._replace(seed=self.drill.wanted.seed + 1)
            if lessons:
                wanted = wanted._replace(lessons=lessons, rounds=len(lessons))
            self.drill = Drill(wanted, self.drill.state)
            return self._view()

    def results(self) -> list[DrillResult]:
        """Of every drill in which anything happened, the last one as far as it went."""
        return [one for one in (*self._over, self._result()) if one.marks]

    async def _answered(self, do: Callable[[Drill, int], None]) -> TrainingView:
        async with self._lock:
            await self._catch_up()
            do(self.drill, self._now_ms())
            await self._catch_up()
            return self._view()

    def _view(self) -> TrainingView:
        called = self.drill.called
        return view_of(self.drill, self._signers.get(called) if called else None)

    def _result(self) -> DrillResult:
        return result_of(self.drill, self._room.config.game)

    def _now_ms(self) -> int:
        return self._house.clock.record_ms()

    # The table

    async def _catch_up(self) -> None:
        await self._hear()
        while self.drill.taps:
            for tap in self.drill.taps:
                await self._tap(tap)
            await self._hear()
            self.drill.tapped(self._now_ms())
            await self._fill_up()

    async def _hear(self) -> None:
        """All that is durable and was not heard yet."""
        while page := await self._house.store.entries(after=self._after, stream=f"table/{self.table}", limit=PAGE):
            for written in page:
                event = read_line(written).event
                if isinstance(event, OfRound):
                    self.drill.hear(cast(RoundEvent, event), written.at_ms)
            self._after = page[-1].seq

    async def _tap(self, tap: PlayerTap) -> None:
        """At the real table: it may refuse, as when the bets have closed meanwhile."""
        shape = terminal.TakeBack if tap.back else terminal.Bet
        round = self.drill.state.number
        bet = shape(request=self._request(), round=round, wager=tap.wager, cents=tap.cents)
        await self._room.writer.answer(bet, Who.terminal(self.table, tap.seat))

    async def _fill_up(self) -> None:
        for seat in range(1, SEATS + 1):
            if self._room.writer.state.credit_cents(seat) < LOW_CENTS:
                await self._order(staff.CreditTerminal(seat=seat, cents=CREDIT_CENTS), CASHIER)

    async def _order(self, command: Command, who: Who) -> None:
        await self._room.writer.answer(Order(self._request(), command), who)

    def _request(self) -> str:
        return f"training-{self._mark}-{next(self._requests)}"

    async def _appoint(self, role: Role) -> SignerView:
        """An account of its own: nobody else signs in with it, and nobody else's password is touched."""
        id, name, password = f"training.{role}", PEOPLE[role][1], secrets.token_urlsafe(24)
        code = await staff_code(self._house, id, name=name, role=role)
        await self._house.accounts.set_password(code.code, password, peer="")
        return SignerView(id=id, name=name, password=password)


Trainings = dict[str, Trainer]  # by table


async def hold_seat(house: House, table: str, seat: int) -> None:
    """Credit is for a terminal: one holds the seat."""
    if not house.accounts.devices.has_terminal(table, seat):
        [code] = await house.accounts.devices.add([Place("terminal", table, seat)], by=BY, signed_by=SIGNS)
        await house.accounts.devices.enrol(code.code, peer="")
