"""Players with cards: they show them at terminals, at two at the same moment, with a wrong PIN, and after an exclusion.

A card comes out by the terminal's own key, once it leaves nothing behind (`terminals.py`).
"""

import asyncio
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from natural9.torture.floor import HouseIsDown, HttpAnswer

if TYPE_CHECKING:
    from natural9.torture.story import Story

SHOWN_S: Final = 15.0
AGAIN_S: Final = 1.0
DESK: Final = "cass"
EXCLUDES: Final = "sam"
NOT_NOW: Final = (401, 429, 503)


class PlayerCard(NamedTuple):
    number: str
    card: str
    pin: str


class CardedPlayers:
    def __init__(self, story: "Story", chance: Random) -> None:
        self._floor, self._chance, self.quiet = story.floor, chance, False
        self._terminals = [name for name, one in story.terminals.items() if not one.home]
        self._shown = 0

    async def work(self) -> None:
        chance = self._chance
        cards = [await self._issue() for _ in range(chance.randint(1, 3))]
        while True:
            await asyncio.sleep(SHOWN_S * chance.uniform(0.1, 2.0))
            card = chance.choice(cards)
            places = chance.sample(self._terminals, k=min(1 + (chance.random() < 0.2), len(self._terminals)))
            await asyncio.gather(*[self._show(card, place) for place in places])
            if chance.random() < 0.05 and not self.quiet:
                body = {"why": "asked for it at the desk", "own": True}
                await self._until_answered(EXCLUDES, f"/api/players/{card.number}/exclude", body)

    async def _issue(self) -> PlayerCard:
        answer = await self._until_answered(DESK, "/api/players", {"name": "Nine"})
        return PlayerCard(answer.body["number"], answer.body["card"], answer.body["pin"])

    async def _show(self, card: PlayerCard, place: str) -> None:
        self._shown += 1
        pin = card.pin if self._chance.random() < 0.95 else "0000"
        body: dict[str, object] = {"request": f"card-{self._shown}", "card": card.card, "pin": pin}
        await self._until_answered(place, "/api/card", body)

    async def _until_answered(self, who: str, path: str, body: dict[str, object]) -> HttpAnswer:
        floor = self._floor
        while True:
            try:
                if who in floor.badges or await floor.sign_in(who):
                    answer = await floor.request(who, "POST", path, body)
                    if answer.status not in NOT_NOW:
                        return answer
                    if answer.status == 401 and who in (DESK, EXCLUDES):
                        floor.badges.pop(who, None)
            except HouseIsDown:
                pass
            await asyncio.sleep(AGAIN_S * self._chance.uniform(0.5, 1.5))
