"""A small floor for carded play: two tables that share a journal, its vouchers, its time and the players' cards."""

from typing import Any

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.journal.player_events import PlayerAdded
from natural9.server.people.register import PeopleChange, Register
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore
from natural9.table.audit.findings import Verified
from natural9.table.audit.verify import verify
from natural9.table.commands import terminal as taps
from natural9.table.live.answers import Accepted
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.state.player_cards import PlayerCard
from natural9.table.state.sessions import PlayerSession
from natural9.table.venue.protection import Protection
from tests.table.live import KEYS, SHIFT_MANAGER, START_MS, LiveTable, table_config, terminal

MEI, TAN = "10001", "10002"
TABLES = ("1", "2")


class Floor:
    def __init__(self, store: Store | None = None, **protection: Any) -> None:
        self.store = store or MemoryStore()
        self._configs = [table_config(id=id, protection=Protection(**protection)) for id in TABLES]
        self.tables: dict[str, LiveTable] = {}
        self.barred: set[str] = set()

    async def start(self) -> "Floor":
        cards = CardsInPlay(lambda player: player not in self.barred)
        await cards.load(self.store)
        vouchers = await open_vouchers(self.store, KEYS)
        states = [(await recover(self.store, config, vouchers))[0] for config in self._configs]
        worked_ms = cards.worked_ms(states)
        await self._accounts()
        for config in self._configs:
            table = LiveTable(config, self.store, first_request=len(self.tables) * 10_000 + 1)
            if before := self.tables.get(config.id):
                table.now_ms, table._requests = before.now_ms, before._requests
                table.wall_ahead_ms = before.wall_ahead_ms
            table.cards, table.worked_ms = cards, worked_ms
            self.tables[config.id] = await table.start(vouchers)
        self.cards = cards
        return self

    async def _accounts(self) -> None:
        register = Register(self.store, clock_ms=lambda: START_MS, gaming_day=lambda at_ms: "2027-01-15")
        if not await self.store.entries(stream="venue"):
            await register.write([PeopleChange(PlayerAdded(player=player), by="cass") for player in (MEI, TAN)])

    async def restart(self, *, away_ms: int = 0, wall_ms: int = 0) -> None:
        """The power goes at every table, and comes back; meanwhile the machine's clock may be set."""
        for table in self.tables.values():
            await table.crash()
            table.now_ms += away_ms
            table.set_wall(wall_ms)
        await self.start()
        for table in self.tables.values():
            if table.state.round.pending:  # the cards are real: somebody looks at the table first
                await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="cut off")
                await table.open()

    async def stop(self) -> None:
        for table in self.tables.values():
            await table.stop()

    async def pass_ms(self, ms: int) -> None:
        for table in self.tables.values():
            await table.pass_ms(ms)

    async def verified(self) -> Verified:
        """What the journal says by now, by whoever trusts nobody."""
        return await verify(self.store, load_game=load_game)

    # What a player does.

    async def card_in(self, player: str, table: str = "1", seat: int = 1, points: int = 10) -> Accepted:
        who = terminal(seat, table)
        return await self.tables[table].do(taps.CardIn, who, player=player, points_per_100=points)

    async def no_card_in(self, player: str, table: str = "1", seat: int = 1) -> Refusal:
        who = terminal(seat, table)
        return await self.tables[table].refused(taps.CardIn, who, player=player, points_per_100=10)

    async def card_out(self, table: str = "1", seat: int = 1) -> Accepted:
        return await self.tables[table].do(taps.CardOut, terminal(seat, table))

    async def collect(self, table: str = "1", seat: int = 1) -> Accepted:
        return await self.tables[table].do(taps.CashOut, terminal(seat, table))

    async def own(self, table: str = "1", seat: int = 1, **limits: int | None) -> None:
        await self.tables[table].do(taps.SetPlayLimits, terminal(seat, table), **limits)

    async def not_bet(self, cents: int, table: str = "1", seat: int = 1) -> Refusal:
        at = self.tables[table]
        return await at.refused(taps.Bet, terminal(seat, table), round=at.round, wager="banker", cents=cents)

    def card(self, table: str = "1", seat: int = 1) -> PlayerCard | None:
        return self.tables[table].state.terminal(seat).card

    def session(self, table: str = "1", seat: int = 1) -> PlayerSession:
        found = self.tables[table].state.terminal(seat).session
        assert found is not None
        return found


async def floor(**protection: Any) -> Floor:
    """Betting is open at both tables."""
    made = await Floor(**protection).start()
    for table in made.tables.values():
        await table.open()
    return made
