"""Two players, two tables and chance: cards in and out, limits, bets and power cuts in any order. A book of the test
knows where each card is, and how much each player may still lose."""

from collections.abc import Awaitable, Callable
from random import Random

import pytest

from natural9.table.commands import terminal as taps
from natural9.table.live.answers import Accepted
from natural9.table.venue.protection import HOUR_MS, MINUTE_MS
from tests.table.carded import MEI, TABLES, TAN, Floor, floor
from tests.table.live import LiveTable, terminal

DEALS = ("9JQK", "J8QK", "77QJ")  # Player, Banker, tie: nobody draws
STEPS = 350


class Evening:
    def __init__(self, on: Floor, seed: int) -> None:
        self.on, self.chance = on, Random(seed)
        self.places: dict[str, tuple[str, int]] = {}
        self.brought = dict.fromkeys([(table, seat) for table in TABLES for seat in (1, 2)], 0)  # since the card is in
        self.lost = {MEI: 0, TAN: 0}  # at terminals before, as far as it was not won back there
        self.limit: dict[str, int | None] = {MEI: None, TAN: None}
        self.refused = self.carded = self.cut = 0

    # The test's own book.

    def at(self, place: tuple[str, int]) -> LiveTable:
        return self.on.tables[place[0]]

    def player_at(self, place: tuple[str, int]) -> str | None:
        return next((player for player, where in self.places.items() if where == place), None)

    def lies(self, place: tuple[str, int]) -> int:
        state = self.at(place).state
        return state.round.seats[place[1]].staked_cents if state.in_play else 0

    def holds(self, place: tuple[str, int]) -> int:
        return self.at(place).state.credit_cents(place[1]) + self.lies(place)

    def check(self) -> None:
        for place in self.brought:
            player, card = self.player_at(place), self.on.card(*place)
            if player and card is None:  # gone, and nothing of theirs is left
                assert self.holds(place) == 0
                self.lost[player] = max(0, self.lost[player] + self.brought[place])
                del self.places[player]
            else:
                assert (card.player if card else None) == player
            if player and (limit := self.limit[player]) is not None and self.lies(place):
                worst = self.lost[player] + self.brought[place] - self.holds(place) + self.lies(place)
                assert worst <= limit, f"{player} may lose {limit}, and could lose {worst}"
        assert self.on.cards.places == self.places

    # What may happen.

    async def card_in(self, place: tuple[str, int]) -> None:
        player, at = self.chance.choice((MEI, TAN)), self.at(place)
        tap = taps.CardIn(request=at.request(), player=player, points_per_100=10)
        is_free = self.player_at(place) is None and player not in self.places and not self.lies(place)
        answer = await at.writer.answer(tap, terminal(place[1], place[0]))
        assert isinstance(answer, Accepted) is is_free, answer
        if is_free:
            self.places[player], self.brought[place] = place, self.holds(place)
            self.carded += 1

    async def buy(self, place: tuple[str, int]) -> None:
        await self.at(place).buy(place[1], 5_000)
        self.brought[place] += 5_000

    async def bet(self, place: tuple[str, int]) -> None:
        at, cents = self.at(place), 1_000 * self.chance.randint(1, 4)
        wager = self.chance.choice(("player", "banker", "tie"))
        tap = taps.Bet(request=at.request(), round=at.round, wager=wager, cents=cents)
        answer = await at.writer.answer(tap, terminal(place[1], place[0]))
        self.refused += getattr(answer, "code", "") == "over-loss-limit"

    async def play_on(self, place: tuple[str, int]) -> None:
        at = self.at(place)
        if at.state.in_play:
            ranks = self.chance.choice(DEALS)
            suits = "CDHS"[at.round % 4] * 2 + "DHSC"[at.round % 4] * 2
            await at.finish(" ".join(map("".join, zip(ranks, suits, strict=True))))
        else:
            await at.open()

    async def set_limit(self, place: tuple[str, int]) -> None:
        player, at, cents = self.player_at(place), self.at(place), 1_000 * self.chance.randint(2, 6)
        if player is None or at.state.terminal(place[1]).session is None:
            return
        tap = taps.SetPlayLimits(request=at.request(), loss_cents=cents)
        answer = await at.writer.answer(tap, terminal(place[1], place[0]))
        now = self.limit[player]
        if isinstance(answer, Accepted) and not self.lies(place) and (now is None or cents < now):
            self.limit[player] = cents  # a higher one only waits; a lower one holds for the bets to come

    async def collect(self, place: tuple[str, int]) -> None:
        if credit := self.at(place).state.credit_cents(place[1]):
            self.brought[place] -= credit
            await self.on.collect(*place)

    async def card_out(self, place: tuple[str, int]) -> None:
        at = self.at(place)
        answer = await at.writer.answer(taps.CardOut(request=at.request()), terminal(place[1], place[0]))
        assert isinstance(answer, Accepted) is (self.player_at(place) is not None and not self.holds(place))

    async def time(self, place: tuple[str, int]) -> None:
        await self.on.pass_ms(self.chance.randint(1, 3) * MINUTE_MS)

    async def power_cut(self, place: tuple[str, int]) -> None:
        await self.on.restart(wall_ms=self.chance.choice((-HOUR_MS, 0, 30 * 24 * HOUR_MS)))
        self.cut += 1

    async def step(self) -> None:
        likely: list[tuple[Callable[[tuple[str, int]], Awaitable[None]], int]] = [
            (self.card_in, 7), (self.buy, 3), (self.bet, 9), (self.play_on, 6), (self.set_limit, 4),
            (self.collect, 5), (self.card_out, 2), (self.time, 1), (self.power_cut, 1),
        ]  # fmt: skip
        [does] = self.chance.choices([one for one, _ in likely], [weight for _, weight in likely])
        carded = list(self.places.values()) if self.chance.random() < 0.6 else []
        await does(self.chance.choice(carded or list(self.brought)))
        self.check()


@pytest.mark.parametrize("seed", range(4))
async def test_no_order_of_things_splits_a_card_or_stretches_a_limit(seed: int) -> None:
    on = await floor(check_ms=0, idle_ms=0)
    evening = Evening(on, seed)
    for _ in range(STEPS):
        await evening.step()
    assert min(evening.carded, evening.cut, evening.refused) > 0  # it was about something
    for table in on.tables.values():
        await table.check_history()
    assert (await on.verified()).fault is None
