"""What is left in a shoe, for staff: from cards that were seen, when a round is over, never from the order."""

from collections import Counter

from natural9.core.cards import RANKS
from natural9.core.round import commands as round_commands
from natural9.store.memory import MemoryStore
from natural9.table.audit.recall import last_rounds
from natural9.table.commands import staff
from natural9.table.state.shoe_seen import ShoeSeen, shoe_seen
from natural9.table.venue.file import Burn, Mode, ShoeSource
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config
from tests.table.stories import an_evening, an_irregular_round


def seen(table: LiveTable) -> ShoeSeen:
    found = shoe_seen(table.state)
    assert found is not None
    return found


async def test_there_is_nothing_before_the_first_shoe_and_all_of_it_then() -> None:
    table = await live_table()
    assert shoe_seen(table.state) is None
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    full = seen(table)
    assert (full.left, full.shoe, full.round) == (dict.fromkeys(RANKS, 4 * full.decks), 1, 0)


async def test_a_round_counts_when_it_is_over_and_not_before() -> None:
    table = await live_table()
    await table.open()
    before = seen(table)
    assert before.in_play
    await table.do(round_commands.CloseBetting, DEALER)
    for card in ["9S", "2H", "KD", "6C"]:
        await table.deal(card)
        assert seen(table) == before, "a card that may lie to be squeezed is not told by what is left"
    await table.do(round_commands.DeclareResult, DEALER)
    assert seen(table) == before
    await table.do(round_commands.Settle, DEALER)
    after = seen(table)
    assert Counter(before.left) - Counter(after.left) == Counter("92K6")
    assert (after.round, after.in_play) == (1, False)


async def test_it_is_what_the_rounds_showed_corrected_void_and_irregular_ones_too() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    await an_irregular_round(table)
    out = Counter(card[0] for one in await last_rounds(store, "1", 10) for card in one.cards.split())
    now = seen(table)
    assert {rank: 4 * now.decks - left for rank, left in now.left.items() if left < 4 * now.decks} == out


async def test_cards_that_wait_are_named_and_a_new_shoe_starts_afresh() -> None:
    table = await live_table(table_config(burn=Burn.FIRST_CARD))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await table.do(round_commands.BurnCards, DEALER, card="7H")
    burnt = seen(table)
    assert (burnt.left["7"], burnt.face_down) == (4 * burnt.decks - 1, 7), "nobody knows which seven"
    await table.open()
    await table.finish("9S 2H KD 6C")
    assert (seen(table).face_down, sum(seen(table).left.values())) == (7, 52 * burnt.decks - 5)
    await table.do(staff.LoadNewShoe, SHIFT_MANAGER, why="worn")
    assert (seen(table).shoe, sum(seen(table).left.values())) == (2, 52 * burnt.decks)


async def test_the_sealed_order_has_no_part_in_it() -> None:
    """Two tables with other shuffles and no card dealt show the same."""
    tables = []
    for _ in range(2):
        table = await live_table(table_config(mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
        await table.do(staff.OpenTable, SUPERVISOR)
        await table.pass_ms(0)
        tables.append(table)
    assert seen(tables[0]) == seen(tables[1])
