"""What only one table or desk of the venue may decide about at a time: a voucher, a player's card.

Where one process writes alone its memory decides, and none of this happens. Where several do, whoever decides has the
hold of it first, reads what the records say of it, and lets go once the decision is durable.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Final

from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.store.contract import Holds, Store, StoreFailed
from natural9.table.commands import staff
from natural9.table.commands.cage import VOUCHER, Vouchers
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.terminal import CardIn, InsertVoucher, Tap
from natural9.table.live.cards_in_play import CardsInPlay

CARD: Final = "card/"  # how the names of holds begin, as `VOUCHER`


def exclusive(asked: Tap | Order) -> str:
    """The name of the hold that it takes; "" if none."""
    match asked.command if isinstance(asked, Order) else asked:
        case InsertVoucher(number=number) | staff.VoidVoucher(number=number) if number.isprintable():
            return VOUCHER + number
        case CardIn(player=player):
            return CARD + player
        case _:
            return ""


def busy_elsewhere(name: str) -> Refusal:
    """Nothing was decided: whoever has it decides first."""
    if name.startswith(VOUCHER):
        number = name.removeprefix(VOUCHER)
        return Refusal(TableCode.TOO_BUSY, say("Voucher {number} is just being used: try again", number=number))
    return Refusal(TableCode.TOO_BUSY, say("This card is just being used: try again"))


async def bring_voucher(store: Store, vouchers: Vouchers, number: str) -> None:
    """As the records have it, for whoever has its hold."""
    vouchers.hold(number, await store.document(VOUCHER + number))


async def forget_redeemed(store: Store, vouchers: Vouchers) -> None:
    """What was issued or read here and redeemed elsewhere would stay in memory for ever. Whoever has brought one of
    them meanwhile is about to decide about it."""
    known = dict(vouchers.outstanding)
    kept = await store.documents(VOUCHER)
    for number, voucher in known.items():
        if VOUCHER + number not in kept and vouchers.outstanding.get(number) is voucher:
            del vouchers.outstanding[number]


class TableHolds:
    """Those of one table's writer. What it decided in a batch that is not durable yet, it knows in the next."""

    def __init__(self, holds: Holds, store: Store, vouchers: Vouchers, cards: CardsInPlay) -> None:
        self._holds, self._store, self._vouchers, self._cards = holds, store, vouchers, cards
        self._held: Counter[str] = Counter()  # how many batches rest on each

    async def take(self, asked: Iterable[Tap | Order]) -> tuple[list[str], set[str]]:
        """All that these take: what is held, to be let go of once they are durable, and what somebody else has."""
        names = {name for one in asked if (name := exclusive(one))}
        held = [name for name in names if name in self._held]
        self._held.update(held)
        new = [name for name in names if name not in self._held]
        got = await asyncio.gather(*[self._take(name) for name in new])
        held += [name for name, is_ours in zip(new, got, strict=True) if is_ours]
        return held, names.difference(held)

    async def _take(self, name: str) -> bool:
        try:
            if not await self._holds.take(name):
                return False
            self._held[name] += 1
            await self._bring(name)
        except StoreFailed:  # nobody can say: as good as somebody else's
            self.let_go([name])
            return False
        return True

    async def _bring(self, name: str) -> None:
        kind, _, which = name.partition("/")
        if kind + "/" == VOUCHER:
            await bring_voucher(self._store, self._vouchers, which)
        else:
            await self._cards.read(self._store, which)

    def let_go(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self._held:
                continue  # all were let go of
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]
                self._holds.let_go(name)

    def let_go_all(self) -> None:
        """Its table has stopped."""
        for name in self._held:
            self._holds.let_go(name)
        self._held.clear()
