"""The first cards of a shoe burnt at a live table: by itself, by the dealer, by a reading shoe, across a power cut, and
held against the promise afterwards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import Card, parse_cards, show_cards
from natural9.core.round import commands as round_commands
from natural9.core.round.burning import face_down
from natural9.core.round.state import Phase
from natural9.core.saying import verbatim
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe
from natural9.games import load_game
from natural9.server.card_reader import follow_reader
from natural9.server.reports.shoes import shoe_shown
from natural9.store.contract import Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.findings import Verified
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.shoes.shuffler import Shuffled, check_reveal, parse_dealt, shuffled_shoe
from natural9.table.state.console_view import console_sees
from natural9.table.state.view import BurntView, everybody_sees
from natural9.table.venue.file import Burn, Mode, ShoeSource
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, picture, table_config
from tests.table.stories import rewritten, with_record

KEYED = table_config(burn=Burn.FIRST_CARD)
SHUFFLER = replace(KEYED, shoe=ShoeSource.SHUFFLER)
AUTOMATIC = replace(SHUFFLER, mode=Mode.AUTOMATIC)
READER = "tcp:127.0.0.1:9401"
READING = replace(KEYED, reader=READER)
NATURAL = "9S KH KD 5C"


def stacked(*first: str) -> Callable[[int], Shuffled]:
    """A shuffler whose shoes begin with these cards."""

    def shuffle(decks: int) -> Shuffled:
        shuffled = shuffled_shoe(decks)
        rest = list(shuffled.order)
        for card in map(Card.parse, first):
            rest.remove(card)
        return Shuffled(decks, shuffled.salt, (*map(Card.parse, first), *rest))

    return shuffle


async def loaded(
    config: object = KEYED, *, shuffle: Callable[[int], Shuffled] = shuffled_shoe, store: MemoryStore | None = None
) -> LiveTable:
    """A table that is open, with a shoe that is not burnt yet."""
    table = await LiveTable(config, store or MemoryStore(), shuffle=shuffle).start()  # type: ignore[arg-type]
    await table.do(staff.OpenTable, SUPERVISOR)
    if table.config.mode is Mode.DEALER:
        await table.do(staff.LoadNewShoe, DEALER)
    await table.settle_down()
    return table


def burnt(table: LiveTable) -> BurntView | None:
    return everybody_sees(table.state).shoe.next_burnt


async def play_round(table: LiveTable) -> tuple[str, ...]:
    """A round of the shuffler's cards."""
    await table.do(staff.StartRound, DEALER)
    await table.do(round_commands.CloseBetting, DEALER)
    while table.state.round.due:
        await table.do(round_commands.DealCard, DEALER)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    return tuple(map(str, table.state.round.cards))


# By itself.


async def test_an_automatic_table_burns_by_itself_and_shows_it() -> None:
    table = await loaded(AUTOMATIC, shuffle=stacked("7H"))
    assert burnt(table) == BurntView(card="7H", face_down=7, to_come=0)
    await table.pass_ms(999)
    assert table.round == 0, "it is shown for as long as a card is"
    await table.pass_ms(1)
    assert table.round == 1
    shoe = everybody_sees(table.state).shoe
    assert (shoe.burnt, shoe.next_burnt) == (BurntView(card="7H", face_down=7, to_come=0), None)
    assert shoe.cards_left == 8 * 52 - 8
    tags = [line.event.TAG for line in await table.journal()]
    assert tags[-4:] == ["shoe-committed", "shoe-loaded", "cards-burnt", "betting-opened"]
    order = table.shoebox.in_use(table.state)
    assert order is not None
    for cards in range(1, 5):
        await table.pass_ms(15_000 if cards == 1 else 0)
        await table.pass_ms(1_000)
        assert table.state.round.cards == order.order[8 : 8 + cards]
    await table.check_history()


async def test_the_last_result_stays_as_long_as_ever_when_a_new_shoe_burns() -> None:
    table = await loaded(replace(AUTOMATIC, cut_cards=8 * 52 - 20), shuffle=stacked("9H"))
    for _ in range(200):
        if table.state.round.new_shoe and table.round:
            break
        await table.pass_ms(1_000)
    assert (table.state.round.phase, burnt(table)) == (Phase.SETTLED, BurntView(card="9H", face_down=9, to_come=0))
    number = table.round
    await table.pass_ms(4_999)
    assert table.round == number
    await table.pass_ms(1)
    assert (table.round, table.state.round.shoe_number) == (number + 1, 2)


async def test_an_automatic_table_with_real_cards_waits_until_they_are_burnt() -> None:
    table = await loaded(replace(READING, mode=Mode.AUTOMATIC))
    await table.pass_ms(60_000)
    assert (table.round, table.state.round.new_shoe) == (0, None)
    await table.do(staff.LoadNewShoe, DEALER)
    for order in (round_commands.BurnCards(card=Card("2", "C")), *[round_commands.BurnFaceDown()] * 2):
        await table.pass_ms(60_000)
        assert (table.round, table.state.faults) == (0, {})
        fields = {"card": str(order.card)} if isinstance(order, round_commands.BurnCards) else {}
        await table.do(type(order), DEALER, **fields)
    await table.pass_ms(1_000)
    assert table.round == 1


# By the dealer.


async def test_a_dealer_burns_what_the_shuffler_has_first() -> None:
    table = await loaded(SHUFFLER, shuffle=stacked("QS"))
    assert burnt(table) == BurntView(card="", face_down=0, to_come=0)
    commands = console_sees(table.state).commands
    assert "burn" in commands
    assert not {"open-betting", "new-shoe", "burn-face-down"} & set(commands)
    assert (await table.refused(staff.StartRound, DEALER)).code == "burn-first"
    assert (await table.refused(round_commands.BurnCards, DEALER, card="QS")).code == "bad-card", "nobody names it"
    await table.do(round_commands.BurnCards, DEALER)
    assert burnt(table) == BurntView(card="QS", face_down=10, to_come=0)
    assert "burn" not in console_sees(table.state).commands
    assert (await table.refused(round_commands.BurnCards, DEALER, why="again")).code == "already-done"
    order = table.shoebox.waiting(table.state)
    assert order is not None
    dealt = await play_round(table)
    assert dealt == tuple(map(str, order.order[11 : 11 + len(dealt)]))
    await table.check_history()


async def test_a_dealer_keys_the_card_that_is_shown_and_corrects_it_with_a_reason() -> None:
    table = await loaded(KEYED)
    assert (await table.refused(round_commands.BurnCards, DEALER)).code == "bad-card"
    await table.do(round_commands.BurnCards, DEALER, card="7D")
    assert {"burn", "open-betting"} <= set(console_sees(table.state).commands)
    assert (await table.refused(round_commands.BurnCards, DEALER, card="7H")).code == "bad-correction"
    await table.do(round_commands.BurnCards, DEALER, card="4H", why="a four")
    assert burnt(table) == BurntView(card="4H", face_down=4, to_come=0)
    await table.open()
    assert (await table.refused(round_commands.BurnCards, DEALER, card="5H", why="late")).code == "nothing-to-burn"
    await table.finish(NATURAL)
    assert everybody_sees(table.state).shoe.cards_left == 8 * 52 - 5 - 4
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="torn cards")
    assert (await table.refused(staff.StartRound, DEALER)).code == "burn-first"
    await table.check_history()
    assert (await verified(table)).fault is None
    told = await recall(table.store, "1", 1)
    assert [step.says for step in told.steps][-1] == "Shoe 2 loaded, 8 decks"


async def test_the_burnt_card_is_shown_in_the_round_before() -> None:
    table = await loaded(KEYED)
    await table.do(round_commands.BurnCards, DEALER, card="AS")
    await table.open()
    await table.finish(NATURAL)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="torn cards")
    await table.do(round_commands.BurnCards, DEALER, card="AD")
    last = (await recall(table.store, "1", 1)).steps[-1]
    assert (last.says, last.paragraph) == ("Burnt: AD and 1 face down", "interpretation burning")


async def test_a_table_that_does_not_burn_has_nothing_to_burn() -> None:
    table = await loaded(table_config())
    assert "burn" not in console_sees(table.state).commands
    assert (await table.refused(round_commands.BurnCards, DEALER, card="7H")).code == "nothing-to-burn"
    await table.open()
    shoe = everybody_sees(table.state).shoe
    assert (shoe.burnt, shoe.next_burnt, shoe.cards_left) == (None, None, 8 * 52)


@pytest.mark.parametrize(("behind", "comes"), [(8 * 52 - 2 - 4, True), (8 * 52 - 2 - 5, False)])
async def test_the_cut_card_comes_as_many_cards_earlier(behind: int, comes: bool) -> None:
    table = await loaded(replace(SHUFFLER, cut_cards=behind), shuffle=stacked("AC", "2D", *NATURAL.split()))
    await table.do(round_commands.BurnCards, DEALER)
    assert show_cards(parse_cards(" ".join(await play_round(table)))) == NATURAL
    assert table.state.round.cut_card_out is comes


async def test_a_shuffler_whose_last_cards_were_burnt_is_out_of_cards() -> None:
    table = await loaded(SHUFFLER, shuffle=stacked("AC"))
    await table.do(round_commands.BurnCards, DEALER)
    await table.do(staff.StartRound, DEALER)
    await table.do(round_commands.CloseBetting, DEALER)
    one_left = Shoe(8, (1, *(0 for _ in range(CARDS_IN_A_DECK - 1))))  # it is the one that was burnt face down
    table.state.round = table.state.round._replace(shoe=one_left, cut_card_out=True)
    refusal = await table.refused(round_commands.DealCard, DEALER)
    assert (refusal.code, refusal.message.startswith("No card is left to deal")) == ("bad-card", True)


# Through a power cut.


@pytest.mark.parametrize("config", [KEYED, SHUFFLER], ids=["keyed", "shuffler"])
async def test_a_power_cut_between_the_burning_and_the_first_round(config: object) -> None:
    table = await loaded(config, shuffle=stacked("3S"))
    await table.do(round_commands.BurnCards, DEALER, **({"card": "3S"} if config is KEYED else {}))
    before = picture(table.state)
    table = await table.restart()
    assert picture(table.state) == before
    assert burnt(table) == BurntView(card="3S", face_down=3, to_come=0)
    if config is SHUFFLER:
        order = table.shoebox.waiting(table.state)
        assert order is not None
        dealt = await play_round(table)
        assert dealt == tuple(map(str, order.order[4 : 4 + len(dealt)]))
    else:
        await table.open()
        await table.finish(NATURAL)
    await table.open()  # its snapshot knows of it, too
    table = await table.restart()
    assert (str(table.state.round.burnt), table.state.round.burnt_face_down) == ("3S", 3)
    await table.check_history()


async def test_a_power_cut_before_the_burning() -> None:
    table = await (await loaded(SHUFFLER)).restart()
    assert (await table.refused(staff.StartRound, DEALER)).code == "burn-first"
    await table.do(round_commands.BurnCards, DEALER)
    await play_round(table)
    await table.check_history()


async def test_an_order_that_cannot_be_read_gives_way_to_another_shoe() -> None:
    table = await loaded(SHUFFLER)
    table.shoebox.forget(table.shoebox.waiting(table.state))  # type: ignore[arg-type]
    assert (await table.refused(round_commands.BurnCards, DEALER)).code == "fault"
    table.writer.raise_fault("shoe-seal", verbatim("it was changed"))
    await table.do(staff.ClearFault, SUPERVISOR, fault="shoe-seal", why="another shoe")
    await table.do(staff.LoadNewShoe, DEALER)
    await table.do(round_commands.BurnCards, DEALER)
    assert (await table.refused(staff.LoadNewShoe, DEALER)).code == "shoe-not-spent"
    await play_round(table)
    assert table.state.round.shoe_number == 2
    await table.check_history()
    assert (await verified(table)).fault is None


# A reading shoe.


class Device:
    """A reading shoe on a real socket: what it writes, and how it is cut off."""

    def __init__(self) -> None:
        self.connected = asyncio.Event()
        self._peer: asyncio.StreamWriter | None = None

    async def welcome(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._peer = writer
        self.connected.set()

    async def write(self, lines: str) -> None:
        await self.connected.wait()
        assert self._peer
        self._peer.write("".join(f"{line}\n" for line in lines.split()).encode())
        await self._peer.drain()

    def cut(self) -> None:
        assert self._peer
        self.connected.clear()
        self._peer.close()


@asynccontextmanager
async def reading(table: LiveTable) -> AsyncIterator[Device]:
    device = Device()
    async with await asyncio.start_server(device.welcome, "127.0.0.1", 0) as server:
        address = f"tcp:127.0.0.1:{server.sockets[0].getsockname()[1]}"
        following = asyncio.create_task(follow_reader(address, table.writer))
        try:
            async with asyncio.timeout(30):
                yield device
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            device.cut()


async def until(table: LiveTable, holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.001)
        assert not table.writer.halted
    await table.settle_down()


def to_come(table: LiveTable) -> int | None:
    view = burnt(table)
    return view.to_come if view and view.card else None


async def test_the_first_card_read_is_shown_and_those_after_it_are_counted_and_not_named() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("3C 8D 8H 8S")
        await until(table, lambda: to_come(table) == 0)
        assert burnt(table) == BurntView(card="3C", face_down=3, to_come=0)
        assert (await table.journal())[-1].event.describe() == "All burnt cards of shoe 1 are out"
        await table.open()
        await table.do(round_commands.CloseBetting, DEALER)
        await device.write("9S KH KD 5C")
        await until(table, lambda: len(table.state.round.cards) == 4)
    assert show_cards(table.state.round.cards) == NATURAL
    assert not table.state.round.pending
    kept = b"".join([written.body for written in await table.store.entries(limit=1_000)])
    assert not any(card in kept for card in (b"8D", b"8H", b"8S")), "the journal may be given to anyone"
    assert everybody_sees(table.state).shoe.cards_left == 8 * 52 - 4 - 4
    await table.check_history()
    assert (await verified(table)).fault is None


async def test_a_round_opens_only_once_all_are_read() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("2C 8D")
        await until(table, lambda: to_come(table) == 1)
        refusal = await table.refused(staff.StartRound, DEALER)
        assert refusal.code == "burn-first"
        assert refusal.message.startswith("1 of the cards burnt face down are still to be read")
        await device.write("8H")
        await until(table, lambda: to_come(table) == 0)
        await table.open()


async def test_a_device_that_is_lost_in_the_middle_and_misses_cards_eats_none_of_the_round() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("5C 8D")
        await until(table, lambda: to_come(table) == 4)
        device.cut()  # the dealer goes on burning: two cards are not read
        await until(table, lambda: "reading-shoe" in table.state.faults)
        await device.write("8H 8S")  # kept until the fault is cleared, which holds the table
        assert to_come(table) == 4
        await table.do(staff.ClearFault, SUPERVISOR, fault="reading-shoe", why="the cable is in again")
        await until(table, lambda: to_come(table) == 2)
        assert (await table.refused(staff.StartRound, DEALER)).code == "burn-first"
        await table.do(round_commands.BurnFaceDown, DEALER, rest=True)  # all five lie there
        await table.open()
        await table.do(round_commands.CloseBetting, DEALER)
        await device.write("9S KH")
        await until(table, lambda: len(table.state.round.cards) == 2)
    assert show_cards(table.state.round.cards) == "9S KH"
    assert everybody_sees(table.state).shoe.cards_left == 8 * 52 - 6 - 2
    assert (await verified(table)).fault is None


async def test_a_power_cut_in_the_middle_goes_on_counting_where_it_was() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("4C 8D 8H")
        await until(table, lambda: to_come(table) == 2)
    table = await table.restart()
    assert burnt(table) == BurntView(card="4C", face_down=4, to_come=2)
    async with reading(table) as device:
        await device.write("8S 8C")
        await until(table, lambda: to_come(table) == 0)
    await table.open()
    await table.check_history()


async def test_a_card_that_is_read_twice_is_noticed_before_the_first_round_of_a_later_shoe() -> None:
    table = await loaded(READING)
    await table.do(round_commands.BurnCards, DEALER, card="AC")
    await table.do(round_commands.BurnFaceDown, DEALER)
    await table.open()
    await table.finish(NATURAL)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="torn cards")
    async with reading(table) as device:
        await device.write("2C 8D 8D 8H")  # a stutter: two lie face down, and three were read
        await until(table, lambda: bool(table.state.round.pending))
    [report] = await table.happened("irregularity-reported")
    assert (report.kind, report.cards) == ("not-covered", ())
    assert report.detail == "a card was drawn after all burnt ones, before the first round"
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy="continue", why="it stuttered")
    await table.open()
    assert everybody_sees(table.state).shoe.cards_left == 8 * 52 - 3


async def test_and_of_the_very_first_shoe_where_nothing_can_be_reported_yet() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("2C 8D 8D 8H")
        await until(table, lambda: "reading-shoe" in table.state.faults)
    assert "belongs to none" in table.state.faults["reading-shoe"]
    assert (await table.refused(staff.StartRound, DEALER)).code == "fault"


async def test_a_card_that_is_no_card_is_not_counted_as_burnt() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("2C JOKER")
        await until(table, lambda: "reading-shoe" in table.state.faults)
        assert to_come(table) == 2


async def test_a_card_misread_by_the_device_is_corrected_by_the_dealer() -> None:
    table = await loaded(READING)
    async with reading(table) as device:
        await device.write("KC 8D 8H")
        await until(table, lambda: to_come(table) == 8)
        await table.do(round_commands.BurnCards, DEALER, card="3C", why="it is a three")
        assert burnt(table) == BurntView(card="3C", face_down=3, to_come=1)
        await device.write("8S")
        await until(table, lambda: to_come(table) == 0)
    await table.open()
    assert everybody_sees(table.state).shoe.cards_left == 8 * 52 - 4
    assert (await verified(table)).fault is None


# Held against the promise.


async def verified(table: LiveTable, change: Callable[[list[Written]], list[Written]] | None = None) -> Verified:
    return await verify(await rewritten(table.store, change or list), load_game=load_game)


async def played(store: MemoryStore | None = None) -> LiveTable:
    """Two rounds of a shoe that was burnt, and its reveal."""
    table = await loaded(SHUFFLER, shuffle=stacked("7H"), store=store)
    await table.do(round_commands.BurnCards, DEALER)
    for _ in range(2):
        await play_round(table)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="torn cards")
    return table


async def test_the_revealed_shoe_is_the_one_that_was_promised_burnt_and_dealt() -> None:
    table = await played()
    assert (await verified(table)).fault is None
    [revealed] = await table.happened("shoe-revealed")
    shown = await shoe_shown(table.store, "1", 1)
    assert shown.dealt is not None
    dealt = parse_dealt(shown.dealt)
    assert shown.dealt.startswith("7H - - - - - - - ")
    assert len(dealt) == revealed.dealt
    checks = check_reveal(8, bytes.fromhex(revealed.salt), parse_cards(revealed.order), shown.commitment, dealt)
    assert all(check.holds for check in checks)
    assert checks[-1].words.endswith("of which 7 were burnt face down")


def lie(kind: str, place: int = 0, **values: object) -> Callable[[list[Written]], list[Written]]:
    def change(entries: list[Written]) -> list[Written]:
        at = [at for at, written in enumerate(entries) if written.kind == kind][place]
        return [*entries[:at], with_record(entries[at], **values), *entries[at + 1 :]]

    return change


def without(kind: str) -> Callable[[list[Written]], list[Written]]:
    return lambda entries: [written for written in entries if written.kind != kind]


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lie("cards-burnt", face_down=6), "cards-burnt", "face_down: 7"),
        (lie("cards-burnt", card="6H"), "cards-burnt", "face_down: 6"),
        (lie("cards-burnt", card="7S"), "cards-burnt", "7H, by the order that entry"),
        (lie("cards-burnt", to_come=1), "cards-burnt", "to_come: 0"),
        (lie("cards-burnt", shoe=2), "cards-burnt", "shoe: 1"),
        (lie("shoe-loaded", burns=False), "cards-burnt", "nothing of the kind: There is nothing to burn"),
        (without("cards-burnt"), "betting-opened", "nothing of the kind: Shoe 1 burns"),
        (lie("shoe-revealed", dealt=8), "shoe-revealed", "of its cards were drawn"),
    ],
    ids=["count", "rank", "suit", "to come", "shoe", "none", "left out", "drawn"],
)
async def test_a_lie_about_what_was_burnt_is_named(
    change: Callable[[list[Written]], list[Written]], kind: str, words: str
) -> None:
    fault = (await verified(await played(), change)).fault
    assert fault is not None
    assert (fault.kind, words in fault.words) == (kind, True), fault.words


async def test_a_lie_about_those_that_a_device_counted_is_named() -> None:
    table = await loaded(READING)
    await table.do(round_commands.BurnCards, DEALER, card="3C")
    await table.do(round_commands.BurnFaceDown, DEALER)
    await table.do(round_commands.BurnFaceDown, DEALER, rest=True)
    await table.open()
    assert (await verified(table)).fault is None
    for change, words in (
        (lie("face-down-burnt", left=1), "left: 2"),
        (lie("face-down-burnt", 1, cards=3), "cards: 2"),
        (lie("cards-burnt", to_come=0), "to_come: 3"),
    ):
        fault = (await verified(table, change)).fault
        assert fault is not None
        assert words in fault.words


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), rounds=st.integers(1, 4))
def test_the_shuffler_deals_its_order_without_those_that_are_burnt(seed: int, rounds: int) -> None:
    chance = Random(seed)

    async def story() -> None:
        table = await loaded(
            SHUFFLER,
            shuffle=lambda decks: shuffled_shoe(decks, chance.randrange, lambda count: chance.randbytes(count)),
        )
        promised = table.state.next_commitment
        await table.do(round_commands.BurnCards, DEALER)
        dealt = [card for _ in range(rounds) for card in await play_round(table)]
        await table.do(staff.LoadNewShoe, SUPERVISOR, why="torn cards")
        [revealed] = await table.happened("shoe-revealed")
        [shown] = await table.happened("cards-burnt")
        order = revealed.order.split()
        gone = 1 + face_down(order[0][0])
        assert (revealed.commitment, shown.card, shown.face_down) == (promised, order[0], gone - 1)
        assert dealt == order[gone : gone + len(dealt)]
        assert revealed.dealt == gone + len(dealt)
        assert (await verified(table)).fault is None
        await table.stop()

    asyncio.run(story())
