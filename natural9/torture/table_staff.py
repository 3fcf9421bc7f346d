"""One table of the simulated floor from where its staff stand: its screen, its real cards, and orders given there."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from natural9.core.staff import Rank
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.tables import TableConfig
from natural9.torture.felt import RealCards
from natural9.torture.pay_rows import RareRounds
from natural9.torture.people import DEALERS, of_rank, titled, too_low
from natural9.torture.seam import Answer, ConsoleScreens, GivesOrders, Picture

T = TypeVar("T")
REASONS = ("seen by the floor", "the cameras show it", "asked by a player", "as it lies")


@dataclass(slots=True)
class TableStaff:
    """What all who work at a table share. `share`: of the moments at which something goes wrong."""

    config: TableConfig
    orders: GivesOrders
    screens: ConsoleScreens
    chance: Random
    tell: Callable[[str], None]
    share: float = 0.1
    never: frozenset[str] = frozenset()  # mistakes that nobody makes in this story, by their names
    rare_cards: float = 0.0  # of the shoes, in which rare rounds come first
    rare: RareRounds | None = None  # that some of these rounds are
    quiet: bool = False  # nobody makes mistakes any more
    dealer: str = ""
    felt: RealCards = field(init=False)
    _seen: Picture = field(default_factory=dict)
    false_reports: set[tuple[int, int]] = field(default_factory=set)  # of what never happened: round, report
    refused: int = 0  # orders in a row, and nothing done between
    given: int = 0  # orders
    used: Counter[str] = field(default_factory=Counter)  # how often something has been chosen

    def __post_init__(self) -> None:
        self.felt = RealCards(self.config.decks, self.chance, rare_cards=self.rare_cards, rare=self.rare)
        self.dealer = self.chance.choice(DEALERS)

    @property
    def id(self) -> str:
        return self.config.id

    @property
    def has_real_cards(self) -> bool:
        return self.config.shoe is not ShoeSource.SHUFFLER

    # Chance

    def rarely(self, share: float) -> bool:
        """Never, once the floor is quiet."""
        return self.chance.random() < share and not self.quiet

    def why(self) -> str:
        return self.chance.choice(REASONS)

    def least_used(self, choices: dict[str, T]) -> T:
        """Of these, one that was chosen least often, so that a short story has something of everything."""
        fewest = min([self.used[name] for name in choices])
        name = self.chance.choice([name for name in choices if self.used[name] == fewest])
        self.used[name] += 1
        return choices[name]

    async def pause(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self.chance.uniform(least_s, most_s))

    # The screen

    def look(self) -> Picture:
        """The picture as it is now, and the real cards with it; empty while the screen is dark."""
        picture = self.screens.console(self.id)
        if picture and (picture is not self._seen or self.felt.drawn):
            self.felt.look(picture)
            self._seen = picture
        return picture

    async def see(self) -> Picture:
        """The picture, once there is one."""
        while not (picture := self.look()):
            await asyncio.sleep(1)
        return picture

    # GivesOrders

    async def order(self, who: str, words: str, tag: str, why: str = "", **fields: Any) -> Answer:
        """Given and told, with what came of it."""
        self.given += 1
        answer = await self.orders.order(self.id, who, {"type": tag, **fields}, why)
        self.refused = 0 if answer.done else self.refused + 1
        if answer.done and (tag == "new-shoe" or fields.get("replace_shoe")):
            self.felt.burn(fields.get("discard", []))
            self.felt.load()
        came = "" if answer.done else f": refused, {answer.words or answer.code}"
        self.tell(f"table {self.id}: {titled(who)} {words}{came}")
        self.look()
        return answer

    async def by_rank(self, least: Rank, words: str, tag: str, why: str = "", **fields: Any) -> Answer:
        """Somebody who may does it; now and then somebody who may not tries first."""
        if self.rarely(0.3) and (other := too_low(least, self.chance)):
            answer = await self.order(other, words, tag, why, **fields)
            if answer.done:
                return answer
        return await self.order(of_rank(least, self.chance)[0], words, tag, why, **fields)

    async def up_the_ranks(self, words: str, tag: str, why: str = "", **fields: Any) -> Answer:
        """Whoever is there tries, and calls the next where it takes more."""
        answer = Answer(done=False)
        for rank in Rank:
            answer = await self.order(self._somebody(rank), words, tag, why, **fields)
            if answer.done or answer.code not in ("rank-too-low", "not-allowed"):
                break
        return answer

    def _somebody(self, rank: Rank) -> str:
        return self.dealer if rank is Rank.DEALER else of_rank(rank, self.chance)[0]
