"""Play as the program in this tree plays it, judged by a verifier that shares nothing with it.

    python -m tests.planted.judged

The evening that all lies are told about, and some rounds of each game with every wager and every pay row, all of the
Table of Play, insurance, ties where somebody is insured, voids, corrections and vouchers. What one rank may the ranks
below try first, and a voucher is put in twice: a house without a bug refuses both. Exit 1: the verifier has found what
is wrong. What a bug keeps from being played to its end is judged as far as it went; that it ended is no finding.
"""

import asyncio
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from itertools import cycle, product
from pathlib import Path
from random import Random
from typing import Any, Final

from natural9.core.cards import ALL_CARDS, Card, Rank
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand, total
from natural9.games import game_ids
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import Accepted, Answer
from natural9.table.venue.tables import TableConfig
from natural9.torture.pay_rows import RareRounds, pay_rows
from natural9.torture.stacked import WORTH
from tests.lies.catchers import outside
from tests.lies.evening import evening
from tests.table.live import (
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    Ears,
    LiveTable,
    Shape,
    read,
    table_config,
    terminal,
)
from tests.verifier import lines

ROUNDS: Final = 40  # of each game; three times as many with insurance, which is offered in one of three
RARE: Final = "A69T"  # what makes pairs, ties and Banker sixes come often
BY_RANK: Final = (DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)


class Nobody(Ears):
    """No console is made for anybody."""

    def has_staff(self) -> bool:
        return False


class Unwatched(LiveTable):
    """Nobody looks but the verifier."""

    plan: tuple[Sequence[Rank], ...] = ()  # of which ranks each card of this round is, as long as there is one

    async def check_money(self) -> None:
        pass

    async def ask(self, what: Tap | Order | Refusal, who: Who) -> Answer:
        return what if isinstance(what, Refusal) else await self.writer.answer(what, who)


def judge() -> int:
    cells = cycle(product(range(10), range(10)))
    for game in ("", *game_ids()):
        if wrong := _game(game, cells) if game else _evening():
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


def _game(game: str, cells: Iterator[tuple[int, int]]) -> str:
    try:
        config = table_config(game)
    except Exception:  # a house that cannot load its rules has no journal
        traceback.print_exc()
        return ""
    return asyncio.run(_judged(config, cells))


async def _judged(config: TableConfig, cells: Iterator[tuple[int, int]]) -> str:
    store = MemoryStore()
    table = Unwatched(config, store)
    table.ears = Nobody()
    await table.start()
    try:
        await _play(table, Random(config.game.id), cells)
        await table.stop()
    except Exception:
        traceback.print_exc()
    return lines.outside(await lines.exported(store))


async def _play(table: Unwatched, chance: Random, cells: Iterator[tuple[int, int]]) -> None:
    """`cells`: of the Table of Play, the Banker's first two cards and the Player's third; every other round is one, or
    one that a pay row decides, each in turn."""
    game = table.config.game
    rare = RareRounds((game.id,), chance)
    for seat in (1, 2):
        await table.buy(seat, 100_000_000)
    for number in range(max(ROUNDS * (3 if game.insurance else 1), 4 * len(pay_rows(game.id)))):
        await table.open()
        if number % 4 == 2:
            table.plan = tuple([(rank,) for rank in rare.next()])
        elif number % 2:
            banker, third = next(cells)
            table.plan = tuple([WORTH[points] for points in (number // 2 % 6, banker, 0, 0, third)])
        else:
            table.plan = ()
        for wager in table.config.game.wagers:
            await table.bet(1, wager.id, 2_000)
        await table.bet(2, "banker", 100_000)
        await table.do(round_commands.CloseBetting, DEALER)
        await _deal(table, chance, cards=chance.randrange(4, 6) if number % 10 == 9 else 6)
        if number % 10 == 9 or (_insured(table) and number % 4 == 3):
            await _by_rank(table, round_commands.VoidRound, why="a glass fell over")
            continue
        await table.do(round_commands.DeclareResult, DEALER)
        await table.do(round_commands.Settle, DEALER)
        if number % 10 == 5:
            first, held = table.state.round.cards[0], table.state.round.held
            while (other := _card(table, chance)) in (first, *held):
                pass
            await _by_rank(table, round_commands.CorrectCard, place=1, card=str(other), why="misread")
            await _deal(table, chance)  # another first card may ask for another third
            if table.state.in_play:
                await table.do(round_commands.DeclareResult, DEALER)
                await table.do(round_commands.Settle, DEALER)
        if number % 10 == 2:
            await _voucher_twice(table)
        if table.state.round.cards_left < 60:
            await table.do(round_commands.ReportCutCard, DEALER)
            await table.do(staff.LoadNewShoe, DEALER)


async def _by_rank(table: LiveTable, shape: Shape, **fields: Any) -> None:
    """By the lowest who is let."""
    for who in BY_RANK:
        if isinstance(await table.ask(read(shape, request=table.request(), **fields), who), Accepted):
            return


async def _voucher_twice(table: LiveTable) -> None:
    out = await table.do(taps.CashOut, terminal(2, table.config.id), cents=1_000)
    assert out.voucher
    for seat in (1, 2):
        tap = taps.InsertVoucher(request=table.request(), number=out.voucher.number, code=out.voucher.code)
        await table.ask(tap, terminal(seat, table.config.id))


def _insured(table: LiveTable) -> bool:
    return any(seat.insurance for _, seat in table.state.round.seats.items())


async def _deal(table: Unwatched, chance: Random, cards: int = 6) -> None:
    while table.state.in_play and table.state.round.due and len(table.state.round.cards) < cards:
        if table.state.round.window:
            await table.do(round_commands.OpenInsurance, DEALER)
            await _insure(table)
        await table.do(round_commands.DealCard, DEALER, card=str(_card(table, chance)))


async def _insure(table: LiveTable) -> None:
    """A little on each hand that is offered, by who has bet on both; more by who has bet on the Banker, as much as the
    bet if the house takes that."""
    for offer in table.state.round.offers:
        for seat, cents in ((1, 200), (2, 100_000), (2, 1_000)):
            if table.state.round.seats[seat].bets.get(offer.hand):
                tap = taps.Insure(request=table.request(), round=table.round, hand=offer.hand, cents=cents)
                await table.ask(tap, terminal(seat, table.config.id))
    if table.state.round.window_open:
        await table.do(round_commands.CloseInsurance, DEALER)


def _card(table: Unwatched, chance: Random) -> Card:
    """One that waits, or that is planned, or is left; half of those make something rare, or a tie if somebody is
    insured."""
    shoe, held = table.state.round.shoe, table.state.round.held
    if held:
        return held[0]
    assert shoe is not None
    place, left = len(table.state.round.cards), [card for card in ALL_CARDS if shoe.left(card)]
    if place < len(table.plan) and (planned := [card for card in left if card.rank in table.plan[place]]):
        return chance.choice(planned)
    if _insured(table) and chance.random() < 0.5 and (ties := [card for card in left if _would_tie(table, card)]):
        return chance.choice(ties)
    while True:
        card = chance.choice(ALL_CARDS)
        if shoe.left(card) and (card.rank in RARE or chance.random() < 0.5):
            return card


def _would_tie(table: LiveTable, card: Card) -> bool:
    """If no other card came: the first four in turn, then the third cards."""
    ranks = table.state.round.ranks
    player, banker = [ranks[0], ranks[2], *ranks[4:]], [ranks[1], ranks[3]]
    (player if table.state.round.due is Hand.PLAYER else banker).append(card.rank)
    return total(player) == total(banker)


if __name__ == "__main__":
    sys.exit(judge())
