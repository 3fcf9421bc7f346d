"""A dealer for the tables that need one: signs on, works the console over HTTP, and steps aside for a person."""

import asyncio
from collections import Counter
from itertools import count
from random import Random
from secrets import token_hex
from typing import Final, NamedTuple

import httpx
import structlog
from picows import WSError

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.round.commands import BurnCards, Command, DealCard
from natural9.core.round.state import Phase
from natural9.server import protocol
from natural9.server.client import Closed, Live, ServerSaidNo
from natural9.server.demo.floor import Pace
from natural9.server.demo.staff import StaffClient
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.staff import BY_TAG
from natural9.table.state.console_view import ConsoleView
from natural9.table.state.state import Status
from natural9.table.state.view import TableView
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.tables import TableConfig

STEPS_ASIDE_S: Final = 60.0  # after somebody else's move at the console
IDLE_S: Final = 3600.0

log = structlog.get_logger()


class DealerStep(NamedTuple):
    """What a dealer does now, and how long it takes them to get to it."""

    word: str
    wait_s: float


def next_move(view: TableView, console: ConsoleView, pace: Pace, *, cut_cards: int | None) -> DealerStep | None:
    """None: it is somebody else's turn. `cut_cards` where the dealer must notice the cut card, as with real cards."""
    may = set(console.commands)
    if view.waiting or view.faults or view.status is not Status.OPEN:
        return None
    if cut_cards is not None and not view.shoe.cut_card and "cut-card" in may and view.shoe.cards_left <= cut_cards:
        return DealerStep("cut-card", 0)
    if view.phase in (Phase.NO_ROUND, Phase.SETTLED, Phase.VOID):
        wait_s = pace.result_s if view.round else 0
        burns = view.shoe.next_burnt is not None and not view.shoe.next_burnt.card
        words = ("burn",) if burns else ("open-betting", "new-shoe")
        word = next((word for word in words if word in may), None)
        return DealerStep(word, wait_s) if word else None
    waits = (
        ("settle", pace.reveal_s),
        ("declare", pace.reveal_s),
        ("close-betting", pace.betting_s),
        ("open-insurance", pace.reveal_s),
        ("close-insurance", pace.insurance_s),
        ("deal", pace.reveal_s),
    )
    return next((DealerStep(word, wait_s) for word, wait_s in waits if word in may), None)


def signed_on_first(move: DealerStep | None, *, dealer: str, me: str) -> DealerStep | None:
    """Before it deals it signs on; a person who is on is relieved once they have left the console."""
    if move is None or dealer == me:
        return move
    return DealerStep("sign-on", STEPS_ASIDE_S if dealer else 0)


class Dealer:
    """One bot at one console."""

    def __init__(self, client: StaffClient, config: TableConfig, *, pace: Pace, chance: Random) -> None:
        self.table = config.id
        self._client, self._config, self._pace, self._chance = client, config, pace, chance
        self._view: TableView
        self._console: ConsoleView
        self._coming: TableView | None = None
        self._seen: Counter[str] = Counter()  # cards of this shoe, whoever dealt them
        self._cards, self._shoe = 0, 0
        self._mark, self._count = token_hex(4), count(1)
        self._news = asyncio.Event()

    async def run(self) -> None:
        while True:
            try:
                live = await self._client.connect(f"/ws/table/{self.table}")
                try:
                    await self._work(live)
                finally:
                    live.close()
            except (Closed, OSError, WSError, httpx.HTTPError, ServerSaidNo, TimeoutError) as error:
                log.info("dealer waits", table=self.table, why=str(error))
            await asyncio.sleep(1)

    async def _work(self, live: Live) -> None:
        self._hear(await live.wait_for(protocol.Welcome))
        live.on_message = self._hear
        while live.messages:
            self._hear(live.messages.popleft())
        closing = asyncio.create_task(live.wait_closed(timeout_s=10**6))
        try:
            while not closing.done():
                await self._turn(closing)
            raise closing.result()
        finally:
            closing.cancel()

    async def _turn(self, closing: "asyncio.Task[Closed]") -> None:
        """One move, if it is ours: wait as long as it takes, and do it unless somebody else moved meanwhile."""
        before, move = self._position(), self._next()
        if await self._moved(before, closing, wait_s=move.wait_s if move else IDLE_S):
            if self._by_a_person(before):
                while not closing.done() and await self._moved(self._position(), closing, wait_s=STEPS_ASIDE_S):
                    pass
        elif move and await self._order(move.word):
            await self._moved(before, closing, wait_s=2)

    def _next(self) -> DealerStep | None:
        cut_cards = self._config.cut_cards if self._config.shoe is ShoeSource.READ else None
        move = next_move(self._view, self._console, self._pace, cut_cards=cut_cards)
        return signed_on_first(move, dealer=self._console.dealer, me=self._client.id)

    def _position(self) -> tuple[object, ...]:
        """What a move at the console changes, and nothing that a terminal can."""
        view, console = self._view, self._console
        moves = (view.round, view.phase, len(view.cards), view.window_open, bool(view.result))
        table = (view.shoe.number, view.shoe.cut_card, view.status, bool(view.waiting))
        return (*moves, *table, console.commands, console.dealer)

    def _by_a_person(self, before: tuple[object, ...]) -> bool:
        """Opening the table, a report to the pit and the shuffler's cut card are no dealer's moves."""
        return self._position()[:5] != before[:5]

    async def _moved(self, before: tuple[object, ...], closing: "asyncio.Task[Closed]", *, wait_s: float) -> bool:
        """Whether the position became another one within this time."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + wait_s
        while self._position() == before:
            left_s = until_s - loop.time()
            if left_s <= 0 or closing.done():
                return False
            self._news.clear()
            news = asyncio.create_task(self._news.wait())
            try:
                await asyncio.wait((news, closing), timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()
        return True

    def _hear(self, message: protocol.FromServer) -> None:
        """A change of the table comes first, what the console may do about it right behind: they count together."""
        match message:
            case protocol.Welcome(table=table, console=console) if console:
                self._view, self._console = table, console
            case protocol.TableMessage():
                self._coming = message.table
                return
            case protocol.Console() if self._coming:
                self._view, self._console = self._coming, message.console
            case _:
                return
        self._count_cards(self._view)
        self._news.set()

    def _count_cards(self, view: TableView) -> None:
        """So that no card is typed in more often than the decks hold it."""
        if view.shoe.number != self._shoe:
            self._shoe, self._cards = view.shoe.number, 0
            self._seen = Counter([view.shoe.burnt.card] if view.shoe.burnt else [])
        dealt = [one.card for one in view.cards]
        self._seen.update(dealt[self._cards :])
        self._cards = len(dealt)

    async def _order(self, word: str) -> bool:
        request = f"dealer-{self._mark}-{next(self._count)}"
        try:
            await self._client.order(self.table, self._command(word), request=request)
        except ServerSaidNo as no:  # also where it is not known: a dealer looks at the table, then does what is next
            log.info("dealer refused", table=self.table, word=word, why=str(no))
            if no.code == TableCode.NEW_SHOE_REQUIRED:
                return await self._order("new-shoe")
            await asyncio.sleep(1)
            return False
        return True

    def _command(self, word: str) -> Command:
        if word == "deal" and self._config.shoe is ShoeSource.READ and not self._console.held:
            return DealCard(card=self._draw())
        if word == "burn" and self._config.shoe is ShoeSource.READ:
            return BurnCards(card=self._chance.choice(ALL_CARDS))
        return BY_TAG[word]()

    def _draw(self) -> Card:
        """Any card of those left: drawing from what is not yet seen is what a shuffled shoe does."""
        left = [card for card in ALL_CARDS for _ in range(self._config.decks - self._seen[str(card)])]
        return self._chance.choice(left)
