"""Whatever terminals and staff ask, in whatever order, and whenever the power goes: the money adds up, the state is the
journal's, a refusal changes nothing, and nobody sees what is another's."""

import asyncio
import re
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.round import Refusal
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import UNDECIDED
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import Answer
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Burn, Mode, ShoeSource
from tests.table.live import LiveTable, live_table, picture, table_config
from tests.table.taps_at_random import SEATS, next_tap

# Amounts that nothing else at the table adds up to: any of them in a view is somebody's credit.
CREDIT = {1: 700_000_001, 2: 800_000_003, 3: 900_000_007}
TABLES = [
    pytest.param("mbs-tiger", {"shoe": ShoeSource.READ}, id="dealer"),
    pytest.param("rws-nc-insurance", {"shoe": ShoeSource.READ}, id="insurance"),
    pytest.param("rws-nc", {"shoe": ShoeSource.SHUFFLER}, id="shuffler"),
    pytest.param("rws-nc", {"shoe": ShoeSource.SHUFFLER, "joint_shoe": True, "cut_cards": 400}, id="joint"),
    pytest.param("mbs-super-six-nc", {"mode": Mode.AUTOMATIC, "shoe": ShoeSource.SHUFFLER}, id="automatic"),
    pytest.param(
        "mbs-nc", {"mode": Mode.AUTOMATIC, "shoe": ShoeSource.SHUFFLER, "burn": Burn.FIRST_CARD}, id="burning"
    ),
    pytest.param("rws-nc", {"reader": "tcp:127.0.0.1:9401", "burn": Burn.FIRST_CARD}, id="burnt cards are read"),
]


Asked = tuple[Tap | Order, Who, Answer]


async def step(table: LiveTable, chance: Random) -> Asked:
    command, who = next_tap(table, chance)
    before, head = picture(table.state), await table.store.head()
    answer = await table.ask(command, who)
    assert not table.writer.halted, f"{command} by {who}: {table.writer.halted}"
    if isinstance(answer, Refusal) and table.config.mode is Mode.DEALER:
        assert picture(table.state) == before, command
        logged = [entry.kind for entry in await table.store.entries(after=head.seq)]
        assert set(logged) <= {"late-bet-refused", "request-refused", "wrong-voucher-codes"}, command
    assert await table.ask(command, who) == answer  # the same request, the same answer
    await table.check_money()
    return command, who, answer


async def ask_again(table: LiveTable, earlier: Asked) -> None:
    """However many rounds and power cuts ago it was: it gets its first answer, and nothing is written."""
    command, who, answer = earlier
    if isinstance(answer, Refusal) and answer.code in UNDECIDED:
        return
    before, head = picture(table.state), await table.store.head()
    assert await table.ask(command, who) == answer, (command, who)
    if table.config.mode is Mode.DEALER:
        assert (picture(table.state), await table.store.head()) == (before, head), command


def numbers(seen: bytes) -> set[int]:
    """Whole ones: a time of 1800000203500 ms is nobody's credit of 800000203 cents."""
    return {int(digits) for digits in re.findall(rb"\d+", seen)}


def check_views(table: LiveTable) -> None:
    for seat in SEATS:
        seen = msgspec.json.encode([everybody_sees(table.state), one_seat_sees(table.state, seat)])
        assert table.state.credit_cents(seat) in numbers(seen)
        for other in SEATS:
            credit = table.state.credit_cents(other)
            if other != seat and len(str(credit)) == 9:
                assert credit not in numbers(seen)
                assert credit not in numbers(msgspec.json.encode(console_sees(table.state)))


@pytest.mark.parametrize(("game", "settings_of_table"), TABLES)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_is_asked_the_money_adds_up_and_the_journal_is_the_state(
    game: str, settings_of_table: dict[str, Any], seed: int
) -> None:
    async def story() -> None:
        chance = Random(seed)
        table = await live_table(table_config(game, **settings_of_table), chance=chance)
        for seat, cents in CREDIT.items():
            await table.buy(seat, cents)
        answered: list[Asked] = []
        for _ in range(120):
            answered.append(await step(table, chance))
            if chance.random() < 0.2:
                await ask_again(table, chance.choice(answered))
            if (table.config.mode is Mode.AUTOMATIC or table.config.joint_shoe) and chance.random() < 0.3:
                await table.pass_ms(chance.choice((100, 1_000, 15_000)))
            if chance.random() < 0.03:
                table = await come_back(table, chance)
        for earlier in answered:
            await ask_again(table, earlier)
        check_views(table)
        await table.check_history()

    # Hypothesis runs many examples in one test: each has an event loop, and a limit, of its own.
    asyncio.run(asyncio.wait_for(story(), 60))


async def come_back(table: LiveTable, chance: Random) -> LiveTable:
    """The power goes, or a dealer's table is held."""
    await table.check_history()
    if chance.random() < 0.5 or table.config.mode is Mode.AUTOMATIC:
        table = await table.restart()
    else:
        await table.stop()
        table = await table.again()
    await table.check_history()
    return table
