"""Managers who walk the floor: they void vouchers, rule on single bets, correct the cards of earlier rounds, and find
that these were right; and whoever answers calls, takes alarms and frees seats."""

import asyncio
from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.staff import Rank
from natural9.torture.consoles import Consoles
from natural9.torture.felt import RealCards, WrongRecord, is_whole, names
from natural9.torture.people import of_rank, titled, too_low
from natural9.torture.seam import Answer, Picture
from natural9.torture.terminals import in_words

if TYPE_CHECKING:
    from natural9.torture.story import Story

LOOK_S: Final = 0.5
REMEMBERED: Final = 12  # rounds of a table
OVER: Final = frozenset({"settled", "void"})
TOO_LOW: Final = 0.2  # how likely somebody tries first whose rank is too low
TRIES: Final = 20


class RoundSeen(NamedTuple):
    """As a console showed it once it was over."""

    number: int
    phase: str
    cards: tuple[str, ...]
    bets: tuple[tuple[int, str, int], ...]  # seat, wager, cents


class Orderer:
    """Gives orders under the right rank, or after somebody whose rank is too low."""

    def __init__(self, story: "Story", consoles: Consoles, chance: Random) -> None:
        self.consoles, self.chance, self.quiet = consoles, chance, False
        self._tell = story.tell

    async def order(self, table: str, least: Rank, command: Picture, why: str) -> Answer:
        if self.chance.random() < TOO_LOW and not self.quiet and (other := too_low(least, self.chance)):
            await self._order(table, other, command, why)
        return await self._order(table, of_rank(least, self.chance)[0], command, why)

    async def _order(self, table: str, who: str, command: Picture, why: str) -> Answer:
        answer = await self.consoles.order(table, who, command, why)
        came = "" if answer.done else f": refused, {answer.words or answer.code}"
        self._tell(f"table {table}: {titled(who)} asks: {in_words(msgspec.json.encode(command))}{came}")
        return answer


class ShiftManager(Orderer):
    """`felts`: of the tables with real cards, which the cameras see."""

    def __init__(self, story: "Story", consoles: Consoles, felts: dict[str, RealCards], chance: Random) -> None:
        super().__init__(story, consoles, chance)
        self._felts, self._habits = felts, story.mix.habits.managers
        self._vouchers = story.cashier.printed_lately
        self._rounds = {table.id: deque[RoundSeen](maxlen=REMEMBERED) for table in story.mix.tables}

    async def work(self) -> None:
        habits = self._habits
        kinds = ((habits.void_s, self._void), (habits.rule_s, self._rule), (habits.correct_s, self._correct))
        await asyncio.gather(self._look(), *[self._now_and_then(mean_s, do) for mean_s, do in kinds if mean_s])

    async def _now_and_then(self, mean_s: float, do: Any) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / mean_s))
            if not self.quiet:
                await do()

    async def _look(self) -> None:
        """Over the shoulders of whoever stands at the consoles."""
        while True:
            for table, rounds in self._rounds.items():
                picture = self.consoles.console(table)
                if picture and picture["table"]["phase"] in OVER:
                    seen = _seen(picture)
                    if rounds and rounds[-1].number == seen.number:
                        rounds[-1] = seen
                    else:
                        rounds.append(seen)
            await asyncio.sleep(LOOK_S)

    async def _void(self) -> None:
        """A voucher that was printed lately, whatever became of it since; now and then at another table."""
        if not self._vouchers:
            return
        number = self.chance.choice((self._vouchers[-1], self.chance.choice(self._vouchers)))["number"]
        home = number.split("-")[0]
        table = home if self.chance.random() < 0.9 else self.chance.choice([*self._rounds])
        await self.order(table, Rank.PIT_MANAGER, {"type": "void-voucher", "number": number}, "lost by its owner")

    async def _rule(self) -> None:
        """On a bet of the round in play, of the last one, or of one long over."""
        chance, table = self.chance, self.chance.choice([*self._rounds])
        picture = self.consoles.console(table)
        known = [one for one in self._rounds[table] if one.bets]
        if picture and picture["table"]["in_play"] and (chance.random() < 0.3 or not known):
            now = _seen(picture)
        elif known:
            now = chance.choice(known)
        else:
            return
        if not now.bets:
            return
        seat, wager, cents = chance.choice(now.bets)
        command: Picture = {"type": "rule-on-bet", "seat": seat, "wager": wager, "round": now.number}
        if now.phase in OVER:
            command["returned_cents"] = chance.choice((None, 0, cents, 2 * cents, 9 * cents))
        await self.order(table, Rank.SHIFT_MANAGER, command, "a quarrel")

    async def _correct(self) -> None:
        """Other cards of a round that is over, by a camera that saw it badly; a moment later by a better one."""
        chance, table = self.chance, self.chance.choice([*self._rounds])
        known = [one for one in list(self._rounds[table])[:-1] if one.phase in OVER and len(one.cards) >= 4]
        if not known:
            return
        was = chance.choice(known)
        felt = self._felts.get(table)
        if felt is None or was.number in felt.wrong or felt.round <= was.number:
            return
        lay = tuple([Card.parse(one) for one in was.cards])
        if not is_whole(lay) or not (other := self._misread(lay)):
            return
        if not (await self._are(table, was.number, other)).done:
            return
        await asyncio.sleep(chance.uniform(0.0, 5.0))
        if not (await self._are(table, was.number, lay)).done:
            felt.wrong[was.number] = WrongRecord(lay, other, felt.round)

    def _misread(self, lay: tuple[Card, ...]) -> tuple[Card, ...]:
        """One card taken for another, so that it is still a whole round."""
        for _ in range(TRIES):
            place = self.chance.randrange(len(lay))
            other = (*lay[:place], self.chance.choice(ALL_CARDS), *lay[place + 1 :])
            if other != lay and is_whole(other):
                return other
        return ()

    async def _are(self, table: str, number: int, cards: tuple[Card, ...]) -> Answer:
        command = {"type": "correct-result", "cards": names(cards), "round": number}
        return await self.order(table, Rank.SHIFT_MANAGER, command, "the cameras show it")


def _seen(picture: Picture) -> RoundSeen:
    table, bets = picture["table"], list[tuple[int, str, int]]()
    for one in picture["console"]["seats"]:
        bets += [(one["seat"], wager, cents) for wager, cents in one["bets"].items()]
        bets += [(one["seat"], f"{bet['hand']}-insurance", bet["cents"]) for bet in one["insurance"]]
    return RoundSeen(table["round"], table["phase"], tuple([one["card"] for one in table["cards"]]), tuple(bets))


class Attendant(Orderer):
    """Goes wherever somebody calls, or something rings; and frees seats that were left."""

    def __init__(self, story: "Story", consoles: Consoles, chance: Random) -> None:
        super().__init__(story, consoles, chance)
        self._mean_s = story.mix.habits.managers.answer_s
        self._terminals = [one for one in story.terminals.values() if not one.home]
        self._tables = [table.id for table in story.mix.tables]

    async def work(self) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / self._mean_s))
            if not self.quiet:
                for table in self._tables:
                    await self._go_to(table)
                await self._free_a_seat()

    async def _go_to(self, table: str) -> None:
        picture = self.consoles.console(table)
        if not picture:
            return
        for call in picture["console"]["calls"]:
            what = "clear-call" if call["taken_by"] or self.chance.random() < 0.2 else "take-call"
            await self.order(table, Rank.DEALER, {"type": what, "seat": call["seat"]}, "")
        alarms = [*picture["table"]["faults"], *[f"report-{one['report']}" for one in picture["table"]["waiting"]]]
        if alarms:
            command = {"type": "take-alarm", "alarm": self.chance.choice(alarms)}
            await self.order(table, Rank.PIT_SUPERVISOR, command, "")

    async def _free_a_seat(self) -> None:
        """Where nothing lies; now and then where something does."""
        left = [one for one in self._terminals if one.you and one.you["session"] and not one.you["credit_cents"]]
        one = self.chance.choice(left or self._terminals)
        command = {"type": "release-seat", "seat": one.seat}
        if left or self.chance.random() < 0.1:
            await self.order(one.table, Rank.PIT_SUPERVISOR, command, "nobody sits there")


def managers_of(story: "Story", consoles: Consoles, felts: dict[str, RealCards]) -> list[Any]:
    """Those whom this story has."""
    habits, found = story.mix.habits.managers, list[Any]()
    if habits.void_s or habits.rule_s or habits.correct_s:
        found.append(ShiftManager(story, consoles, felts, story.chance("shift manager")))
    if habits.answer_s:
        found.append(Attendant(story, consoles, story.chance("attendant")))
    return found
