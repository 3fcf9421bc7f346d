"""A live table for tests: the real writer over a real store, with a clock that the test moves."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, fields, replace
from datetime import time
from functools import partial
from itertools import count
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command
from natural9.core.round.state import Limit, Phase
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.journal.accounts import stake_account
from natural9.journal.line import JournalLine, read_asked, read_line
from natural9.server.clock import Clock, last_entry_ms
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore
from natural9.table.commands import orders, staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order, content
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import Accepted, Answer
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.carrier import Carrier
from natural9.table.live.outbox import Answered, News
from natural9.table.live.outside import Outside
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.live.writer import Writer
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import SealBroken, Shuffled, shuffled_shoe
from natural9.table.state.evolve import evolve
from natural9.table.state.postings import transfers
from natural9.table.state.seat_view import SeatView
from natural9.table.state.state import TableState, Terminal
from natural9.table.venue.file import Mode, ShoeSource
from natural9.table.venue.limits import TableLimits, offered_wagers
from natural9.table.venue.tables import TableConfig, Timers
from natural9.table.venue.venue import Venue

KEY = bytes(range(32))
KEYS = {"one": KEY}
DEALER = Who("dora", rank=Rank.DEALER)
SUPERVISOR = Who("pat", rank=Rank.PIT_SUPERVISOR)
MANAGER = Who("max", rank=Rank.PIT_MANAGER)
SHIFT_MANAGER = Who("sam", rank=Rank.SHIFT_MANAGER)
CASHIER = Who("cass")
START_MS = 1_800_000_000_000


def terminal(seat: int, table: str = "1") -> Who:
    return Who.terminal(table, seat)


def table_config(game_id: str = "mbs-tiger", **changes: Any) -> TableConfig:
    game = load_game(game_id)
    layout = game.layouts[0]
    limits = {wager: Limit(100, 1_000_000) for wager in offered_wagers(game, None)}
    config = TableConfig(
        id="1",
        title="Table 1",
        game=game,
        decks=8,
        layout=layout,
        seats=layout.boxes or 200,
        limits=TableLimits(betting_unit_cents=100, by_wager=limits),
        optional=None,
        mode=Mode.DEALER,
        shoe=ShoeSource.READ,
        timers=Timers(betting_s=15, insurance_s=10, reveal_s=1, result_s=5),
        cut_cards=14,
        wait_for_players=False,
        reader="",
    )
    return replace(config, **changes)


def venue_of(*tables: TableConfig) -> Venue:
    return Venue(
        name="Test",
        currency="SGD",
        zone=ZoneInfo("Asia/Singapore"),
        day_starts=time(6),
        voucher_days=30,
        short_interruption_ms=10_000,
        host="127.0.0.1",
        port=0,
        tls_cert=None,
        tls_key=None,
        allow_remote=False,
        allowed_origins=(),
        approved_program="",
        head_copy=None,
        tables={table.id: table for table in tables},
        sha256="",
    )


Shape = type[Tap] | type[Command]


def read(shape: Shape, *, request: str, why: str = "", **fields: Any) -> Tap | Order | Refusal:
    """What is asked with these fields, as the wire has them: cards are text."""
    if issubclass(shape, Tap):
        return shape(request=request, **fields)
    command = orders.read(orders.WRITTEN[shape](**fields))
    return command if isinstance(command, Refusal) else Order(request, command, why)


def asked(shape: type[Command], *, request: str, why: str = "", **fields: Any) -> Order:
    order = read(shape, request=request, why=why, **fields)
    assert isinstance(order, Order), order
    return order


class Ears:
    """An outlet that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[News] = []
        self.seats: list[SeatView] = []
        self.answers: list[tuple[int, Answered, SeatView | None]] = []
        self.people = 1
        self.absent: set[int] = set()  # seats without a connection
        self.halts: list[str] = []

    def news(self, news: News) -> None:
        self.told.append(news)

    def seat(self, view: SeatView) -> None:
        self.seats.append(view)

    def answered(self, seat: int, answers: Answered, view: SeatView | None) -> None:
        self.answers += [(seat, answers, view)]

    def is_connected(self, seat: int) -> bool:
        return seat not in self.absent

    def has_staff(self) -> bool:
        return True

    def seated(self) -> int:
        return self.people

    def halted(self, why: str) -> None:
        self.halts.append(why)


class LiveTable:
    """The writer of one table and everything that it needs. After each command the books are checked."""

    def __init__(
        self,
        config: TableConfig,
        store: Store,
        *,
        shuffle: Callable[[int], Shuffled] = shuffled_shoe,
        first_request: int = 1,
        checkpoint: Callable[[], str] = lambda: "",
    ) -> None:
        self.config, self.store = config, store
        self.now_ms = START_MS
        self.wall_ahead_ms = 0
        self.ears = Ears()
        self.seen_ms = 0
        self.cards = CardsInPlay()
        self.worked_ms: int | None = None  # how long all tables of the venue were at work, where there are several
        self._shuffle, self._checkpoint = shuffle, checkpoint
        self._requests = count(first_request)
        self._task: asyncio.Task[None] | None = None

    async def start(self, vouchers: Vouchers | None = None, carrier: Carrier | None = None) -> "LiveTable":
        self.vouchers: Vouchers = vouchers or await open_vouchers(self.store, KEYS)
        carrier = carrier or await Carrier.open(self.store)
        state, answers = await recover(self.store, self.config, self.vouchers)
        self.cards.recovered(state)
        shoebox = Shoebox(table=self.config.id, decks=self.config.decks, key=KEY, shuffle=self._shuffle)
        with suppress(SealBroken):  # the house raises a fault, and the table comes back without its order
            await shoebox.open(self.store, state)
        self.shoebox = shoebox
        self.clock = Clock(
            await last_entry_ms(self.store),
            machine_ms=lambda: self.now_ms + self.wall_ahead_ms,
            monotonic_ms=lambda: self.now_ms,
        )
        self.writer = Writer(
            state,
            store=self.store,
            outside=Outside(
                venue=venue_of(self.config),
                vouchers=self.vouchers,
                shoebox=shoebox,
                cards=self.cards,
                checkpoint=self._checkpoint,
            ),
            outlet=self.ears,
            play_ms=self.clock.play_ms,
            record_ms=self.clock.record_ms,
            record_held=self.clock.held,
            answers=answers,
            carrier=carrier,
            seen_ms=self.seen_ms,
        )
        if self.worked_ms is not None:
            self.writer.keep_time(self.worked_ms - self.clock.play_ms())
        self._task = asyncio.create_task(self.writer.run())
        await self.settle_down()
        return self

    @property
    def state(self) -> TableState:
        return self.writer.state

    @property
    def round(self) -> int:
        return self.state.round.number

    async def settle_down(self) -> None:
        """Until everything that was asked has been answered and said."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def crash(self) -> None:
        """The power goes: nothing more is decided or said."""
        assert self._task
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def restart(self, config: TableConfig | None = None) -> "LiveTable":
        """The power goes and comes back: the same store, another process."""
        await self.crash()
        return await self.again(config)

    async def again(self, config: TableConfig | None = None, *, seen_ms: int = 0) -> "LiveTable":
        """`seen_ms`: when it was last at work; if nobody knows, too long ago to go on as if nothing had happened."""
        other = LiveTable(config or self.config, self.store, shuffle=self._shuffle)
        other.now_ms, other._requests, other.seen_ms = self.now_ms, self._requests, seen_ms
        other.wall_ahead_ms = self.wall_ahead_ms
        await other.cards.load(self.store)
        return await other.start()

    async def stop(self) -> None:
        assert self._task
        self.writer.stop()
        await self._task

    def request(self) -> str:
        return f"r{next(self._requests)}"

    async def ask(self, what: Tap | Order | Refusal, who: Who) -> Answer:
        """An acknowledgement names the entry where what was asked stands."""
        if isinstance(what, Refusal):
            return what
        answer = await self.writer.answer(what, who)
        if isinstance(answer, Accepted):
            written = await self.store.entry(f"table/{self.config.id}", answer.entry)
            assert written, f"there is no entry {answer.entry}"
            assert read_asked(written) == (who.sender, what.request, content(what))
        return answer

    async def do(self, shape: Shape, who: Who, **fields: Any) -> Accepted:
        answer = await self.ask(read(shape, request=self.request(), **fields), who)
        assert isinstance(answer, Accepted), f"{shape.__name__} {fields} was refused: {answer}"
        await self.check_money()
        return answer

    async def refused(self, shape: Shape, who: Who, **fields: Any) -> Refusal:
        """It is refused, and nothing has changed, but that it is logged."""
        before, head = picture(self.state), await self.store.head()
        answer = await self.ask(read(shape, request=self.request(), **fields), who)
        assert isinstance(answer, Refusal), f"{shape.__name__} {fields} was accepted"
        assert picture(self.state) == before
        logged = await self.store.entries(after=head.seq)
        assert {entry.kind for entry in logged} <= {"late-bet-refused", "request-refused", "wrong-voucher-codes"}
        return answer

    def set_wall(self, by_ms: int) -> None:
        """The machine's clock is set; no time passes."""
        self.wall_ahead_ms += by_ms

    async def pass_ms(self, ms: int) -> None:
        self.now_ms += ms
        self.writer.poke()
        await self.settle_down()

    # What it has done.

    async def journal(self) -> list[JournalLine]:
        return [
            read_line(written) for written in await self.store.entries(stream=f"table/{self.config.id}", limit=10**6)
        ]

    async def happened(self, tag: str) -> list[Any]:
        return [line.event for line in await self.journal() if tag == line.event.TAG]

    async def check_money(self) -> None:
        """Every balance sums to zero with the others, and is what the state says."""
        balances = await self.store.balances()
        assert sum(balances.values()) == 0
        table = self.config.id
        for seat, terminal in self.state.terminals.items():
            assert terminal.credit_cents >= 0
            assert terminal.owed_cents >= 0
            assert balances.get(f"credit/{table}-{seat}", 0) == terminal.credit_cents, seat
            assert balances.get(f"owed/{table}-{seat}", 0) == -terminal.owed_cents, seat
        staked = 0 if self.state.round.phase is Phase.SETTLED else self.state.round.staked_cents
        assert balances.get(stake_account(table), 0) == staked

    async def check_history(self) -> None:
        """The state is that of the journal, folded from the very beginning."""
        await self.check_money()
        assert picture(await refolded(self.store, self.config)) == picture(self.state)

    # A round, by and by.

    async def open(self) -> None:
        """A table ready for bets: opened, a shoe loaded, betting open."""
        if self.state.status == "closed":
            await self.do(staff.OpenTable, SUPERVISOR)
        if self.state.round.shoe is None and self.state.round.new_shoe is None:
            await self.do(staff.LoadNewShoe, DEALER)
        await self.do(staff.StartRound, DEALER)

    async def buy(self, seat: int, cents: int) -> None:
        await self.do(staff.CreditTerminal, CASHIER, seat=seat, cents=cents)

    async def bet(self, seat: int, wager: str, cents: int) -> Accepted:
        who = terminal(seat, self.config.id)
        return await self.do(taps.Bet, who, round=self.state.round.number, wager=wager, cents=cents)

    async def deal(self, cards: str) -> None:
        for card in cards.split():
            while self.state.round.window:
                if not self.state.round.window_open:
                    await self.do(round_commands.OpenInsurance, DEALER)
                else:
                    await self.do(round_commands.CloseInsurance, DEALER)
            await self.do(round_commands.DealCard, DEALER, card=card)

    async def finish(self, cards: str) -> None:
        """Close betting if it is open, deal these cards, declare and settle."""
        if self.state.round.phase == "betting-open":
            await self.do(round_commands.CloseBetting, DEALER)
        await self.deal(cards)
        await self.do(round_commands.DeclareResult, DEALER)
        await self.do(round_commands.Settle, DEALER)


async def live_table(
    config: TableConfig | None = None, store: Store | None = None, chance: Random | None = None
) -> LiveTable:
    """`chance`: what shoes are shuffled by, so that a story that went wrong goes wrong again."""
    shuffle = (
        partial(shuffled_shoe, random=chance.randrange, random_bytes=chance.randbytes) if chance else shuffled_shoe
    )
    return await LiveTable(config or table_config(), store or MemoryStore(), shuffle=shuffle).start()


async def refolded(store: Store, config: TableConfig) -> TableState:
    """The table by its whole history, without any snapshot."""
    state = TableState.new(config)
    for written in await store.entries(stream=f"table/{config.id}", limit=10**6):
        line = read_line(written)
        moved = transfers(state, line.event)
        assert moved == written.transfers, f"entry {written.seq}"
        evolve(state, line.event, moved, line.origin, written.at_ms)
    return state


def picture(state: TableState) -> dict[str, Any]:
    """All of a state that two equal ones share; when its timers began, and terminals nobody has used, are left out."""
    told = {field.name: getattr(state, field.name) for field in fields(state)}
    for name in ("configured", "by_account", "since_ms", "mix_since_ms", "ahead_ms"):
        del told[name]
    told["round"] = state.round[1:]
    told["terminals"] = {
        seat: _terminal(terminal)
        for seat, terminal in state.terminals.items()
        if terminal != Terminal(terminal.account)
    }
    told["results"], told["faults"], told["laid"] = list(state.results), dict(state.faults), _nonzero(state.laid)
    return told


def _terminal(terminal: Terminal) -> dict[str, Any]:
    told = {**asdict(terminal), "changes": list(terminal.changes), "settled": terminal.settled}
    del told["session_view"]  # made when somebody looks
    return told


def _nonzero(laid: dict[str, int]) -> dict[str, int]:
    return {wager: cents for wager, cents in laid.items() if cents}
