"""Play as the program in this tree plays it, judged by a verifier that shares nothing with it.

    python -m tests.planted.judged

The evening that all lies are told about, and some rounds of each game with every wager, insurance, a void and a
correction. Exit 1: the verifier has found what is wrong. What a bug keeps from being played to its end is judged as far
as it went; that it ended is no finding.
"""

import asyncio
import sys
import tempfile
import traceback
from pathlib import Path
from random import Random
from typing import Final

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.games import game_ids
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import Answer
from tests.lies.catchers import outside
from tests.lies.evening import evening
from tests.table.live import DEALER, SHIFT_MANAGER, Ears, LiveTable, table_config, terminal
from tests.verifier import lines

ROUNDS: Final = 30  # of each game
RARE: Final = "A69T"  # what makes pairs, ties and Banker sixes come often


class Nobody(Ears):
    """No console is made for anybody."""

    def has_staff(self) -> bool:
        return False


class Unwatched(LiveTable):
    """Nobody looks but the verifier."""

    async def check_money(self) -> None:
        pass

    async def ask(self, what: Tap | Order | Refusal, who: Who) -> Answer:
        return what if isinstance(what, Refusal) else await self.writer.answer(what, who)


def judge() -> int:
    for wrong in (_evening(), *map(_game, game_ids())):
        if wrong:
            print(wrong)
            return 1
    return 0


def _evening() -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return outside(asyncio.run(evening(Path(folder) / "witness.jsonl")).shown)
        except Exception:
            traceback.print_exc()
            return ""


def _game(game: str) -> str:
    return asyncio.run(_judged(game))


async def _judged(game: str) -> str:
    store = MemoryStore()
    table = Unwatched(table_config(game), store)
    table.ears = Nobody()
    await table.start()
    try:
        await _play(table, Random(game))
        await table.stop()
    except Exception:
        traceback.print_exc()
    return lines.outside(await lines.exported(store))


async def _play(table: LiveTable, chance: Random) -> None:
    for seat in (1, 2):
        await table.buy(seat, 100_000_000)
    for number in range(ROUNDS):
        await table.open()
        for wager in table.config.game.wagers:
            await table.bet(1, wager.id, 2_000)
        await table.bet(2, "banker", 100_000)
        await table.do(round_commands.CloseBetting, DEALER)
        if number % 10 == 9:
            await _deal(table, chance, cards=chance.randrange(4, 6))
            await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a glass fell over")
            continue
        await _deal(table, chance)
        await table.do(round_commands.DeclareResult, DEALER)
        await table.do(round_commands.Settle, DEALER)
        if number % 10 == 5:
            first, held = table.state.round.cards[0], table.state.round.held
            while (other := _card(table, chance)) in (first, *held):
                pass
            await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card=str(other), why="misread")
            await _deal(table, chance)  # another first card may ask for another third
            if table.state.in_play:
                await table.do(round_commands.DeclareResult, DEALER)
                await table.do(round_commands.Settle, DEALER)
        if table.state.round.cards_left < 60:
            await table.do(round_commands.ReportCutCard, DEALER)
            await table.do(staff.LoadNewShoe, DEALER)


async def _deal(table: LiveTable, chance: Random, cards: int = 6) -> None:
    while table.state.in_play and table.state.round.due and len(table.state.round.cards) < cards:
        if table.state.round.window:
            await table.do(round_commands.OpenInsurance, DEALER)
            await _insure(table)
        await table.do(round_commands.DealCard, DEALER, card=str(_card(table, chance)))


async def _insure(table: LiveTable) -> None:
    """A little on each hand that is offered, by who has bet on both; more by who has bet on the Banker."""
    for offer in table.state.round.offers:
        for seat, cents in ((1, 200), (2, 1_000)):
            if table.state.round.seats[seat].bets.get(offer.hand):
                who = terminal(seat, table.config.id)
                await table.do(taps.Insure, who, round=table.round, hand=offer.hand, cents=cents)
    if table.state.round.window_open:
        await table.do(round_commands.CloseInsurance, DEALER)


def _card(table: LiveTable, chance: Random) -> Card:
    """One that waits, or one that is left; half of those make something rare."""
    shoe, held = table.state.round.shoe, table.state.round.held
    if held:
        return held[0]
    assert shoe is not None
    while True:
        card = chance.choice(ALL_CARDS)
        if shoe.left(card) and (card.rank in RARE or chance.random() < 0.5):
            return card


if __name__ == "__main__":
    sys.exit(judge())
