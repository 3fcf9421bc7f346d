"""The shuffler: its order is promised before the first card, dealt as promised, revealed after the last, seen by nobody
before."""

import pytest

from natural9.core.cards import parse_cards, show_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.journal.line import OriginKind
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import (
    RandomnessFailed,
    SealBroken,
    Shuffled,
    check_reveal,
    sealed,
    shuffled_shoe,
)
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import ShoeSource
from tests.table.live import (
    DEALER,
    KEY,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    asked,
    live_table,
    table_config,
    terminal,
)

SHUFFLER = table_config(shoe=ShoeSource.SHUFFLER)


async def deal_round(table: LiveTable) -> None:
    await table.do(round_commands.CloseBetting, DEALER)
    while table.state.round.due:
        await table.do(round_commands.DealCard, DEALER)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)


async def play_shoe(table: LiveTable) -> list[str]:
    """Rounds until the cut card has come; the cards as they were dealt."""
    dealt: list[str] = []
    while not dealt or not table.state.round.cut_card_out:
        await table.do(staff.StartRound, DEALER)
        await deal_round(table)
        dealt += map(str, table.state.round.cards)
    return dealt


async def test_the_order_is_promised_dealt_and_revealed() -> None:
    table = await live_table(SHUFFLER)
    await table.do(staff.OpenTable, SUPERVISOR)
    promised, dealt = "", list[str]()
    for shoe in (1, 2):
        await table.do(staff.LoadNewShoe, DEALER)
        promised = everybody_sees(table.state).shoe.next_commitment
        assert len(promised) == 64
        dealt = await play_shoe(table)
        assert everybody_sees(table.state).shoe.commitment == promised
        assert table.state.round.shoe
        assert table.state.round.shoe.cards_left <= 14
        assert (await table.refused(staff.StartRound, DEALER)).code == "shoe-spent"
        assert len(await table.happened("shoe-revealed")) == shoe - 1
    await table.do(staff.LoadNewShoe, DEALER)
    revealed = (await table.happened("shoe-revealed"))[-1]
    order = parse_cards(revealed.order)
    assert (revealed.shoe, revealed.commitment, revealed.dealt) == (2, promised, len(dealt))
    checks = check_reveal(8, bytes.fromhex(revealed.salt), order, promised, parse_cards(" ".join(dealt)))
    assert all(check.holds for check in checks)
    # Of three orders promised one is still to be dealt, and only that one is kept.
    assert list(await table.store.documents("shoe/")) == [f"shoe/1/{table.state.next_commitment}"]
    await table.check_history()


async def test_the_promise_stands_in_the_journal_before_the_first_card() -> None:
    table = await live_table(SHUFFLER)
    await table.open()
    await deal_round(table)
    tags = [line.event.TAG for line in await table.journal()]
    assert tags.index("shoe-committed") < tags.index("shoe-loaded") < tags.index("card-dealt")


async def test_the_cut_card_comes_by_itself() -> None:
    table = await live_table(table_config(shoe=ShoeSource.SHUFFLER, cut_cards=8 * 52 - 7))
    await table.open()
    await deal_round(table)
    await table.do(staff.StartRound, DEALER)
    assert await table.happened("cut-card-appeared") == []
    await deal_round(table)
    [line] = [line for line in await table.journal() if line.event.TAG == "cut-card-appeared"]
    assert line.origin.kind is OriginKind.PROGRAM


async def test_no_card_of_a_shuffler_is_named_by_a_person() -> None:
    """Whether a guess fits would tell what comes next, and a card put right would not be the promised one."""
    table = await live_table(SHUFFLER)
    await table.open()
    for shape, fields in (
        (round_commands.ReportIrregularity, {"kind": Kind.EXCESS_OR_EXPOSED, "cards": ("8D",)}),
        (round_commands.ReportIrregularity, {"kind": Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, "cards": ("8D", "9C")}),
        (round_commands.CorrectCard, {"place": 1, "card": "8D"}),
        (round_commands.CorrectResult, {"cards": ("8D",), "why": "a guess"}),
    ):
        assert (await table.refused(shape, SHIFT_MANAGER, **fields)).code == "bad-card", shape
    await table.do(round_commands.CloseBetting, DEALER)
    assert (await table.refused(round_commands.DealCard, DEALER, card="8D")).code == "bad-card"
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    decide = {"remedy": Remedy.SETTLE_BY_CARDS, "cards": ("8D",)}
    assert (await table.refused(round_commands.DecideIrregularity, SHIFT_MANAGER, **decide)).code == "bad-card"
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.VOID, why="enough")


async def test_nothing_stored_or_said_shows_an_undealt_card() -> None:
    orders: list[Shuffled] = []

    def shuffle(decks: int) -> Shuffled:
        orders.append(shuffled_shoe(decks))
        return orders[-1]

    store = MemoryStore()
    table = await LiveTable(SHUFFLER, store, shuffle=shuffle).start()
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "tie", 100)
    await deal_round(table)
    [order] = orders
    dealt = len(table.state.round.cards)
    said = [repr(news) for news in table.ears.told] + [repr(view) for view in table.ears.seats]
    said += [
        repr(sees) for sees in (everybody_sees(table.state), one_seat_sees(table.state, 1), console_sees(table.state))
    ]
    stored = [entry.body for entry in await store.entries(limit=10**6)]
    stored += (await store.documents("")).values()
    everything = "\n".join([*said, *[body.decode("latin-1") for body in stored]])
    for text in (show_cards(order.order[dealt : dealt + 6]), order.salt.hex(), order.salt.decode("latin-1")):
        assert text not in everything
    # The search would find it: the order does stand there once it is revealed.
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="to see it")
    revealed = (await store.entries(limit=10**6))[-3].body.decode()
    assert show_cards(order.order[dealt : dealt + 6]) in revealed


@pytest.mark.parametrize("loaded", [False, True])
async def test_the_same_cards_come_after_a_power_cut(loaded: bool) -> None:
    table = await live_table(SHUFFLER)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    if not loaded:
        await table.do(staff.StartRound, DEALER)
        await deal_round(table)
    table = await table.restart()
    await table.do(staff.StartRound, DEALER)
    await deal_round(table)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="to see it")
    [revealed] = await table.happened("shoe-revealed")
    dealt = [event.card for event in await table.happened("card-dealt")]
    assert revealed.order.split()[: revealed.dealt] == dealt


async def test_a_seal_that_is_missing_or_anothers_is_named() -> None:
    table = await live_table(SHUFFLER)
    await table.open()
    await table.crash()
    store = table.store
    assert isinstance(store, MemoryStore)
    place = f"shoe/1/{table.state.commitment}"
    kept = await store.document(place)
    for stored, why in (
        (None, "is missing"),
        (b"x" * 40, "was changed"),
        (sealed(bytes(32), shuffled_shoe(8), place), "was changed"),
        (sealed(KEY, shuffled_shoe(8), place), "is not the one that was committed to"),
    ):
        if stored is None:
            del store._documents[place]
        else:
            store._documents[place] = stored
        with pytest.raises(SealBroken, match=why):
            await Shoebox(table="1", decks=8, key=KEY).open(store, table.state)
    assert kept
    store._documents[place] = kept
    await Shoebox(table="1", decks=8, key=KEY).open(store, table.state)


async def test_without_its_order_a_shuffler_deals_nothing() -> None:
    table = await live_table(SHUFFLER)
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    table.shoebox.forget(table.shoebox.in_use(table.state))  # type: ignore[arg-type]
    assert (await table.refused(round_commands.DealCard, DEALER)).code == "fault"
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="the shuffler lost its order")
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="the shuffler lost its order")
    await table.do(staff.StartRound, DEALER)
    await deal_round(table)


async def test_a_failing_source_of_chance_is_a_fault_and_no_shoe() -> None:
    working = False

    def shuffle(decks: int) -> Shuffled:
        if not working:
            raise RandomnessFailed("the source of chance failed: no entropy")
        return shuffled_shoe(decks)

    table = await LiveTable(SHUFFLER, MemoryStore(), shuffle=shuffle).start()
    await table.do(staff.OpenTable, SUPERVISOR)
    answer = await table.ask(asked(staff.LoadNewShoe, request="shoe-1"), DEALER)
    assert "no entropy" in str(answer)
    assert table.state.faults == {"randomness": "the source of chance failed: no entropy"}
    assert (await table.refused(staff.StartRound, DEALER)).code == "fault"
    working = True
    await table.do(staff.ClearFault, SUPERVISOR, fault="randomness", why="it works again")
    await table.do(staff.LoadNewShoe, DEALER)
    await table.open()
    assert (await table.refused(taps.Bet, terminal(1), round=1, wager="tie", cents=100)).code == "not-enough-credit"
