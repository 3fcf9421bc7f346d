"""A bot at a real server: a line that is lost again and again loses no bet and doubles none."""

import asyncio
import signal
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from natural9.journal.line import read_line
from natural9.server.client import Client
from natural9.server.demo import bots
from natural9.server.demo.betting import Move
from natural9.server.demo.bots import BUY_IN_CENTS, Bot
from natural9.server.demo.cashier import Cashier
from natural9.server.demo.floor import FAST, venue_file
from natural9.server.demo.run import open_tables
from natural9.server.demo.sign_in_links import staff_code, terminal_codes
from natural9.server.demo.staff import StaffClient
from natural9.server.house import House
from natural9.server.people.permissions import Role
from natural9.server.serve import serve
from natural9.server.voucher_slip import VoucherSlip
from natural9.store.contract import Access
from natural9.store.opening import open_store

TABLE, SEAT, STAKE = "nc-1", 2, 500
PACE = FAST._replace(betting_s=1.2, reveal_s=0, result_s=0.1)


async def test_a_bot_whose_line_breaks_bets_what_it_planned_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tuple(Move(when, "bet", "player", STAKE) for when in (0.1, 0.4, 0.7))
    monkeypatch.setattr(bots, "plan_round", lambda *_: plan)
    (tmp_path / "venue.toml").write_text(venue_file(port=0, pace=PACE), encoding="utf-8")
    await play_with_a_bad_line(tmp_path, all_of_it=len(plan) * STAKE)
    staked = await stakes(tmp_path)
    assert max(staked.values()) == len(plan) * STAKE  # never more than was planned
    kinds = await kinds_of(tmp_path)
    assert kinds["shoe-mixed"] >= 1
    assert kinds["nonce-committed"] >= 2  # each of the two, for the first shoe or the next
    assert kinds["voucher-paid"] >= 1  # the other bot left with what it had, and the cashier paid it


async def play_with_a_bad_line(folder: Path, *, all_of_it: int) -> None:
    async def play(house: House, address: str) -> None:
        await open_tables(house)
        async with StaffClient(address, "cashier") as staff, Client(address) as client, Client(address) as other:
            await staff.begin((await staff_code(house, "cashier", name="Cashier", role=Role.CASHIER)).code)
            code, other_code = await terminal_codes(house, [(TABLE, SEAT), (TABLE, SEAT + 1)])
            await client.enrol(code)
            await other.enrol(other_code)
            cashier = CountingCashier(staff)
            bot = Bot(client, cashier, table=TABLE, seat=SEAT, chance=Random(1), window_s=1)
            leaving = Bot(other, cashier, table=TABLE, seat=SEAT + 1, chance=Random(2), window_s=1, leaves_at_cents=1)
            playing = [asyncio.create_task(bot.run()), asyncio.create_task(leaving.run())]
            await asyncio.wait_for(lose_the_line(house, cashier, all_of_it=all_of_it), timeout=60)
            for task in playing:
                assert not task.done()
                task.cancel()
        signal.raise_signal(signal.SIGTERM)

    failed: list[BaseException] = []

    async def started(house: House, address: str) -> None:
        def end(task: "asyncio.Task[None]") -> None:
            if error := task.exception():
                failed.append(error)
                signal.raise_signal(signal.SIGTERM)

        asyncio.create_task(play(house, address)).add_done_callback(end)

    await serve(folder, started=started)
    assert not failed, failed


class CountingCashier(Cashier):
    paid = 0

    async def pay(self, voucher: VoucherSlip) -> None:
        await super().pay(voucher)
        self.paid += 1


async def lose_the_line(house: House, cashier: CountingCashier, *, all_of_it: int) -> None:
    """Broken a few times a second, until a round has seen all bets of the plan and a voucher has been paid. After the
    first ten it is broken less often: whoever connects more than once a second is told to wait in the end."""
    room, chance = house.room(TABLE), Random(3)
    broken, complete = 0, set[int]()
    while not complete or not cashier.paid:
        await asyncio.sleep(chance.uniform(0.2, 0.5) if broken < 10 else chance.uniform(0.5, 1.0))
        now = room.writer.state.round
        if now.seats[SEAT].staked_cents >= all_of_it:
            complete.add(now.number)
        if connection := room.terminals.get(SEAT):
            connection.close(1012, "the line is bad")
            broken += 1
    assert broken > 2


async def stakes(folder: Path) -> Counter[int]:
    """What the bot staked in each round, from the journal. Its first credit came from the cashier."""
    store = open_store(folder, Access.READ)
    try:
        staked: Counter[int] = Counter()
        round, bought = 0, 0
        for written in await store.entries(after=0, limit=100_000):
            if written.stream != f"table/{TABLE}":
                continue
            event = read_line(written).event
            match written.kind:
                case "betting-opened":
                    round = event.round  # type: ignore[attr-defined]
                case "bet-placed" if event.seat != SEAT:  # type: ignore[attr-defined]
                    continue
                case "bet-placed":
                    staked[round] += event.cents  # type: ignore[attr-defined]
                case "credit-bought" if event.seat == SEAT:  # type: ignore[attr-defined]
                    bought += event.cents  # type: ignore[attr-defined]
        assert bought >= BUY_IN_CENTS
        return staked
    finally:
        await store.close()


async def kinds_of(folder: Path) -> Counter[str]:
    store = open_store(folder, Access.READ)
    try:
        return Counter(written.kind for written in await store.entries(after=0, limit=100_000))
    finally:
        await store.close()
