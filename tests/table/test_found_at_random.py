"""What random evenings once found at a live table, each told as shortly as it can be."""

from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from natural9.table.live.answers import NOT_KNOWN
from natural9.table.venue.file import Burn
from tests.table.live import DEALER, SHIFT_MANAGER, live_table, read, table_config
from tests.table.stores import UnreadableStore

NATURAL = "9S 2H KD 6C"  # Player 9, Banker 8


async def test_a_round_is_corrected_late_though_a_shoe_was_burnt_after_it() -> None:
    """What was burnt after a round stands in its history, and reading that stopped the table."""
    table = await live_table(table_config("rws-nc", burn=Burn.FIRST_CARD))
    await table.do(staff.OpenTable, SHIFT_MANAGER)
    for number in (1, 2):
        await table.do(staff.LoadNewShoe, SHIFT_MANAGER, why="" if number == 1 else "marked cards")
        await table.do(round_commands.BurnCards, DEALER, card="AS")
        await table.do(staff.StartRound, DEALER)
        await table.finish(NATURAL)
    await table.do(round_commands.CorrectCard, DEALER, place=1, card="9H", round=1, why="misread")
    assert not table.writer.halted
    await table.check_history()


async def test_an_earlier_round_that_cannot_be_read_stops_the_table_and_whoever_asked_is_told() -> None:
    """The writer died of it without a word, and nobody was ever answered again."""
    store = UnreadableStore()
    table = await live_table(table_config("rws-nc"), store)
    await table.open()
    await table.finish(NATURAL)
    await table.open()
    store.unreadable = True
    correction = read(round_commands.CorrectCard, request="r", place=1, card="9H", round=1, why="misread")
    answer = await table.ask(correction, DEALER)
    assert answer == NOT_KNOWN
    assert "the disk is broken" in str(table.writer.halted)
    assert table.ears.halts == [table.writer.halted]
