"""A shoe that is played no further, because its table takes up another game or other cards, is shown like any other."""

from dataclasses import replace
from typing import Any

import pytest

from natural9.core.errors import BadInput
from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.store.contract import Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands.console import Chance, reveal
from natural9.table.live.recovery import recover
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import SealBroken
from natural9.table.venue.file import Burn, ShoeSource
from tests.table.live import DEALER, SUPERVISOR, LiveTable, live_table, table_config
from tests.table.stories import rewritten, with_record
from tests.table.test_shoebox import deal_round
from tests.table.test_verify import the
from tests.verifier.lines import exported, outside

SHUFFLER = table_config("mbs-tiger", shoe=ShoeSource.SHUFFLER)
OTHER_GAME = table_config("rws-nc", shoe=ShoeSource.SHUFFLER)
REAL_CARDS = table_config("mbs-tiger", shoe=ShoeSource.READ)


async def in_use(config: Any = SHUFFLER) -> LiveTable:
    """One round is played from its first shoe."""
    table = await live_table(config, MemoryStore())
    if config.burn is Burn.NONE:
        await table.open()
    else:
        await table.do(staff.OpenTable, SUPERVISOR)
        await table.do(staff.LoadNewShoe, DEALER)
        await burn(table)
        await table.do(staff.StartRound, DEALER)
    await play(table)
    return table


async def play(table: LiveTable) -> None:
    await (deal_round(table) if table.config.shoe is ShoeSource.SHUFFLER else table.finish("4H 9D 4C 9S"))


async def burn(table: LiveTable) -> int:
    """How many are out by it."""
    await table.do(round_commands.BurnCards, DEALER)
    new = table.state.round.new_shoe
    assert new
    return 1 + new.face_down


async def both_say(store: Any) -> tuple[str, str]:
    """What is wrong by our verifier and by the one outside; nothing where all is well."""
    found = await verify(store, load_game=load_game)
    return found.fault.should if found.fault else "", outside(await exported(store))


async def without(store: Any, kind: str) -> MemoryStore:
    def hidden(entries: list[Written]) -> list[Written]:
        at = the(kind, entries)
        return [*entries[:at], *entries[at + 1 :]]

    return await rewritten(store, hidden)


@pytest.mark.parametrize("config", [OTHER_GAME, REAL_CARDS], ids=["another game", "real cards"])
async def test_the_shoe_in_use_is_shown_with_the_next(config: Any) -> None:
    table = await in_use()
    out = 416 - table.state.round.cards_left
    table = await table.restart(config)
    table = await table.restart(config)  # nothing of it is lost by a power cut in between
    assert "new shoe" in (await table.refused(staff.StartRound, DEALER)).message
    await table.do(staff.LoadNewShoe, DEALER)

    [shown] = await table.happened("shoe-revealed")
    assert (shown.shoe, shown.dealt) == (1, out)
    assert not [key for key in await table.store.documents("shoe/") if shown.commitment in key]
    await table.do(staff.StartRound, DEALER)
    await table.check_history()
    assert await both_say(table.store) == ("", "")
    ours, theirs = await both_say(await without(table.store, "shoe-revealed"))
    assert ours == "shoe 1 is revealed first"
    assert theirs.startswith("line ")


@pytest.mark.parametrize("burns", [Burn.NONE, Burn.FIRST_CARD])
async def test_one_that_waited_for_its_first_round_is_shown_too(burns: Burn) -> None:
    """With the cards that were burnt of it: an order that is known and does not suit is not quietly put away."""
    table = await in_use(replace(SHUFFLER, burn=burns))
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="an early shoe")
    burnt = await burn(table) if burns is Burn.FIRST_CARD else 0
    table = await table.restart(OTHER_GAME)
    await table.do(staff.LoadNewShoe, DEALER)
    first, waited = await table.happened("shoe-revealed")
    assert (waited.shoe, waited.dealt) == (2, burnt)
    assert first.commitment != waited.commitment
    table = await table.restart(OTHER_GAME)  # and so is the first one of the new game
    await table.do(staff.LoadNewShoe, DEALER)
    assert len(await table.happened("shoe-revealed")) == 3
    await table.do(staff.StartRound, DEALER)
    await table.check_history()
    assert await both_say(table.store) == ("", "")


async def test_back_to_the_game_before_nothing_is_shown_early() -> None:
    """Whoever started it with the wrong file has lost no shoe."""
    table = await in_use()
    table = await table.restart(OTHER_GAME)
    table = await table.restart(SHUFFLER)
    await table.do(staff.StartRound, DEALER)
    await play(table)
    assert await table.happened("shoe-revealed") == []
    assert (await table.happened("betting-opened"))[-1].shoe == 1
    assert await both_say(table.store) == ("", "")


async def test_real_cards_are_not_dealt_on_by_the_shuffler() -> None:
    table = await in_use(REAL_CARDS)
    table = await table.restart(SHUFFLER)
    assert "Load a new shoe" in (await table.refused(staff.StartRound, DEALER)).message
    await table.do(staff.LoadNewShoe, DEALER)
    await table.do(staff.StartRound, DEALER)
    await table.check_history()
    assert await both_say(table.store) == ("", "")


@pytest.mark.parametrize("opening", [0, 1], ids=["before its first round", "in use"])
async def test_nothing_is_played_on_a_shoe_that_was_shown(opening: int) -> None:
    table = await in_use()
    await table.do(staff.StartRound, DEALER)
    await play(table)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="an early shoe")
    assert isinstance(table.store, MemoryStore)
    cards = [416 - table.state.round.cards_left - len(table.state.round.cards), 0][opening - 1]

    def early(entries: list[Written]) -> list[Written]:
        at, opened = the("shoe-revealed", entries), the("betting-opened", entries, opening)
        shown = with_record(entries[at], dealt=cards)
        return [*entries[:opened], shown, *entries[opened:at], *entries[at + 1 :]]

    ours, theirs = await both_say(await rewritten(table.store, early))
    assert ours
    assert theirs.startswith("line ")


async def test_a_round_in_play_keeps_its_cards() -> None:
    table = await in_use()
    await table.do(staff.StartRound, DEALER)
    with pytest.raises(BadInput, match='round 2 open, dealt with shoe = "shuffler"'):
        await table.restart(REAL_CARDS)


async def test_a_shoe_whose_seal_is_broken_is_named_by_its_number() -> None:
    """Nobody can show it any more, and the fault says so."""
    table = await in_use()
    state, _ = await recover(table.store, OTHER_GAME, table.vouchers)
    other = Shoebox(table="1", decks=8, key=bytes(32))
    with pytest.raises(SealBroken, match="table 1 shoe 1"):
        await other.open(table.store, state)
    assert reveal(state, Chance()) == []
