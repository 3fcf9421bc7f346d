"""The verifier that is not ours and `natural9 verify` say the same of every journal: what was played, and every lie."""

import asyncio
from random import Random
from typing import Any

import pytest

from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore
from natural9.table.audit.findings import Verified
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.venue.file import ShoeSource
from tests.table import floor_at_random
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config
from tests.table.stories import rewritten, shuffled_rounds
from tests.table.test_joint_shoes import JOINT, commit, reveal
from tests.table.test_joint_shoes import LIES as MIX_LIES
from tests.table.test_player_audit import without
from tests.table.test_random_floor import GAMES
from tests.table.test_shoebox import play_shoe
from tests.table.test_verify import LIES, Rewrite, changed, evening
from tests.verifier.lines import exported, outside

# Lies about what lies beside the record, and of the shuffler; those of an evening are LIES.
MORE_LIES: dict[str, Rewrite] = {
    "a smaller win": changed("round-settled", 0, winnings_cents=0),
    "more returned than lay": changed("round-voided", 0, returned_cents=1),
    "another winner's bets": changed("result-declared", 0, won=["tie"]),
    "a correction without a reason": changed("cards-corrected", 0, why=""),
}


@pytest.fixture(scope="module")
def an_evenings_store() -> MemoryStore:
    return asyncio.run(evening())


async def both(store: Store) -> tuple[Verified, str]:
    return await verify(store, load_game=load_game), outside(await exported(store))


async def test_an_evening(an_evenings_store: MemoryStore) -> None:
    ours, theirs = await both(an_evenings_store)
    assert (ours.fault, theirs) == (None, "")


@pytest.mark.parametrize("lie", [*LIES, *MORE_LIES])
async def test_a_lie_is_found_by_both(lie: str, an_evenings_store: MemoryStore) -> None:
    change = LIES[lie][0] if lie in LIES else MORE_LIES[lie]
    ours, theirs = await both(await rewritten(an_evenings_store, change))
    assert ours.fault is not None
    assert theirs.startswith("line "), theirs


async def test_the_shuffler_and_another_order() -> None:
    store = MemoryStore()
    table = await shuffled_rounds(store)
    await table.stop()
    assert await both(store) == (await verify(store, load_game=load_game), "")
    for lie in (changed("shoe-revealed", salt="00" * 32), changed("shoe-committed", commitment="11" * 32)):
        ours, theirs = await both(await rewritten(store, lie))
        assert ours.fault is not None
        assert "commitment" in theirs


async def mixed_by_the_seats() -> MemoryStore:
    """A shoe that three seats commit to and two reveal for, played, revealed, and the next one loaded."""
    store = MemoryStore()
    table = await LiveTable(JOINT, store, checkpoint=lambda: "7 cm9vdA==").start()
    await commit(table, 1, 2, 3)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await reveal(table, 1, 2)
    await table.pass_ms(5_000)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    await table.stop()
    return store


async def test_a_shoe_that_the_seats_mix_and_every_lie_about_it() -> None:
    store = await mixed_by_the_seats()
    assert outside(await exported(store)) == ""
    missed = {
        lie for lie, (change, _) in MIX_LIES.items() if not outside(await exported(await rewritten(store, change)))
    }
    assert missed == set()


async def test_a_ruling_that_the_cards_came_to_say_themselves_stands_when_they_change_again() -> None:
    """Nothing was paid for it then, so the verifier that is not ours forgot it (`bench.pure_rounds`, seed 119)."""
    table = await live_table(table_config("rws-nc"))
    await table.open()
    await table.buy(1, 10_000)
    await table.bet(1, "player", 10_000)
    await table.finish("2S 9H KD KC")  # Banker wins
    bet = {"seat": 1, "wager": "player", "why": "the call was not heard"}
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **bet, returned_cents=10_000)
    correct = {"round": 1, "why": "the film shows it"}
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("9S", "9H", "KD", "KC"), **correct)  # a tie
    await table.open()
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("8S", "9H", "KD", "KC"), **correct)
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **bet, returned_cents=5_000, round=1)
    [_, ruled] = await table.happened("bet-ruled")
    assert ruled.was_cents == 10_000
    assert await both(table.store) == (await verify(table.store, load_game=load_game), "")
    await table.stop()


async def test_a_ruling_that_is_not_paid_again_is_missed_whoever_else_is_settled_after_it() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.open()
    for seat in (1, 2):
        await table.buy(seat, 10_000)
        await table.bet(seat, "player", 10_000)
    await table.finish("2S 9H KD KC")  # Banker wins
    ruling = {"seat": 1, "wager": "player", "returned_cents": 5_000, "why": "the call was not heard"}
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **ruling)
    correct = {"cards": ("3S", "9H", "KD", "KC"), "why": "the film shows it"}
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, **correct)
    assert len(await table.happened("bet-ruled")) == 2
    assert await both(table.store) == (await verify(table.store, load_game=load_game), "")
    ours, theirs = await both(await rewritten(table.store, without("bet-ruled", 1)))
    assert ours.fault
    assert "these rulings are forgotten" in theirs
    await table.stop()


@pytest.mark.no_cover  # by chance
@pytest.mark.parametrize("seed", range(15))
def test_a_random_evening(seed: int) -> None:
    """Whatever a dealer gets wrong and the floor puts right."""

    async def as_both(store: MemoryStore, **asked: Any) -> Verified:
        ours = await verify(store, **asked)
        assert outside(await exported(store)) == (ours.fault.words if ours.fault else "")
        return ours

    evening_of = floor_at_random.random_floor(GAMES[seed % len(GAMES)], ShoeSource.READ, 1 + seed % 4, Random(seed))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(floor_at_random, "verify", as_both)
        asyncio.run(asyncio.wait_for(evening_of, 60))
