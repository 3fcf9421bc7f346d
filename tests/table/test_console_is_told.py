"""What the console is told so that it holds no rule: the cards that may be named, the ranks that commands take now."""

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand
from natural9.table.audit.recall import last_rounds, recall
from natural9.table.commands import staff
from natural9.table.state.console_view import console_sees
from natural9.table.venue.file import ShoeSource
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config

FOUR = "9S KH KD 5C"
EVERY_PLACE = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER, None, None)


async def cut_off(*, closed: bool, cards: str = "") -> LiveTable:
    """A round that was cut off, at a table with real cards."""
    table = await live_table(table_config("rws-nc"))
    await table.open()
    if closed:
        await table.do(round_commands.CloseBetting, DEALER)
        await table.deal(cards)
    await table.crash()
    return await table.again()


async def test_after_a_power_cut_cards_may_be_named_that_were_never_keyed() -> None:
    table = await cut_off(closed=True, cards="9S KH")
    seen = console_sees(table.state)
    [reported] = seen.reported
    assert (reported.confirm, reported.withdraw_rank) == (True, "")
    assert seen.places == EVERY_PLACE
    cards = tuple(FOUR.split())
    lies = {"remedy": Remedy.CONFIRM_CARDS, "cards": cards, "why": "four lay there"}
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, **lies)
    assert tuple(map(str, table.state.round.cards)) == cards


async def test_while_bets_were_open_none_may() -> None:
    table = await cut_off(closed=False)
    assert console_sees(table.state).places == ()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="none lay there")
    assert not console_sees(table.state).reported


async def test_the_ranks_that_commands_take_are_those_they_are_refused_by() -> None:
    table = await live_table(table_config("rws-nc-insurance"))
    await table.open()
    seen = console_sees(table.state)
    assert seen.ranks == dict.fromkeys(("waive-insurance", "take-back-waiver", "new-shoe"), "pit-supervisor") | {
        "discard-held": seen.ranks["discard-held"]
    }
    await table.finish(FOUR)
    assert console_sees(table.state).early_shoe
    refused = await table.refused(staff.LoadNewShoe, DEALER, why="other cards")
    assert refused.code == "rank-too-low"
    await table.do(round_commands.ReportCutCard, DEALER)
    seen = console_sees(table.state)
    assert (seen.early_shoe, "new-shoe" in seen.ranks) == (False, False)
    await table.do(staff.LoadNewShoe, DEALER)


async def test_cards_that_wait_are_burnt_by_the_rank_that_is_told() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.open()
    await table.finish(FOUR)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.EXCESS_OR_EXPOSED, cards=("5H",))
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.USE_IN_NEXT_ROUND)
    assert console_sees(table.state).ranks["discard-held"] == "pit-supervisor"
    assert (await table.refused(round_commands.DiscardHeld, DEALER, cards=("5H",), why="seen")).code == "rank-too-low"
    await table.do(round_commands.DiscardHeld, SUPERVISOR, cards=("5H",), why="seen")
    assert console_sees(table.state).held == ()


async def test_an_earlier_round_may_be_corrected_once_there_is_one_and_names_its_shoe() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.open()
    assert not console_sees(table.state).earlier
    await table.finish(FOUR)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    await table.do(staff.StartRound, DEALER)
    assert console_sees(table.state).earlier
    assert [(one.round, one.shoe) for one in await last_rounds(table.store, "1", 10)] == [(2, 2), (1, 1)]
    assert (await recall(table.store, "1", 1)).shoe == 1


async def test_the_shufflers_cards_are_nobodys_to_correct() -> None:
    table = await live_table(table_config("rws-nc", shoe=ShoeSource.SHUFFLER))
    await table.open()
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a spill")
    await table.do(staff.StartRound, DEALER)
    assert table.state.round.number == 2
    assert not console_sees(table.state).earlier
