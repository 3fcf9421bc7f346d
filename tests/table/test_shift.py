"""The dealer's shift: signed on and off, relieved in any phase without stopping play, and who dealt each round."""

from collections.abc import Callable
from itertools import count

import msgspec
import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.journal import table_events
from natural9.store.contract import Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.check_round import check_steps
from natural9.table.audit.history import history_of
from natural9.table.audit.recall import as_a_seat_sees, recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands.decide import THE_READER, Who
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.snapshot import VERSION, restore
from natural9.table.state.view import everybody_sees
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    picture,
    table_config,
    terminal,
)
from tests.table.stories import NATURAL, everything, rewritten, shuffled_rounds, with_beside, with_record

MEI = Who("mei", rank=Rank.DEALER)
Rewrite = Callable[[list[Written]], list[Written]]


async def opened_table(store: MemoryStore | None = None) -> LiveTable:
    table = await live_table(store=store)
    await table.do(staff.OpenTable, SUPERVISOR)
    return table


async def test_a_dealer_signs_on_and_off() -> None:
    table = await opened_table()
    assert console_sees(table.state).dealer == ""
    await table.do(staff.SignOn, DEALER)
    assert console_sees(table.state).dealer == table.ears.told[-1].dealer == "dora"
    await table.do(staff.SignOff, DEALER)
    assert console_sees(table.state).dealer == table.ears.told[-1].dealer == ""
    assert await table.happened("dealer-signed-on") == [table_events.DealerSignedOn(dealer="dora", relieves="")]
    assert await table.happened("dealer-signed-off") == [table_events.DealerSignedOff(dealer="dora", by="dora")]
    said = [line.event.describe() for line in await table.journal()][-2:]
    assert said == ["dora signed on", "dora signed off"]
    await table.check_history()


async def test_nobody_signs_on_twice_or_at_a_closed_table() -> None:
    table = await live_table()
    refusal = await table.refused(staff.SignOn, DEALER)
    assert (refusal.code, refusal.message) == ("table-not-open", "Table 1 is closed: sign on once it is open")
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.SignOn, DEALER)
    refusal = await table.refused(staff.SignOn, DEALER)
    assert (refusal.code, refusal.message) == ("dealer-signed-on", "dora is already signed on at table 1")
    await table.do(staff.PauseTable, SUPERVISOR)
    await table.do(staff.SignOn, MEI)  # a paused table has a dealer, too


async def test_only_who_is_on_signs_off() -> None:
    table = await opened_table()
    for who in (DEALER, SUPERVISOR):
        refusal = await table.refused(staff.SignOff, who)
        assert (refusal.code, refusal.message) == ("dealer-not-signed-on", "Nobody is signed on at table 1")
    await table.do(staff.SignOn, DEALER)
    for who, named in ((MEI, None), (SUPERVISOR, "mei")):
        refusal = await table.refused(staff.SignOff, who, dealer=named)
        assert (refusal.code, refusal.message) == ("dealer-not-signed-on", "mei is not signed on at table 1: dora is")
    assert (await table.refused(staff.SignOff, SUPERVISOR)).message == "pat is not signed on at table 1: dora is"


async def test_a_dealer_who_left_is_signed_off_by_a_supervisor_or_above() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    refusal = await table.refused(staff.SignOff, MEI, dealer="dora")
    assert (refusal.code, refusal.paragraph) == ("rank-too-low", "requirement 46")
    assert refusal.message == "mei (Dealer) may not sign another dealer off: it takes a Pit Supervisor or above"
    for who in (SUPERVISOR, MANAGER, SHIFT_MANAGER):
        await table.do(staff.SignOff, who, dealer="dora")
        assert (await table.happened("dealer-signed-off"))[-1] == table_events.DealerSignedOff(dealer="dora", by=who.id)
        await table.do(staff.SignOn, DEALER)
    await table.do(staff.SignOff, DEALER, dealer="dora")  # by their own name, a dealer may
    assert "dora was signed off by pat" in [line.event.describe() for line in await table.journal()]


async def test_neither_a_cashier_nor_a_terminal_signs_on() -> None:
    table = await opened_table()
    for shape in (staff.SignOn, staff.SignOff):
        assert (await table.refused(shape, CASHIER)).code == "not-staff"
        assert (await table.refused(shape, terminal(1))).code == "not-staff"


async def test_a_relief_in_every_phase_stops_nothing() -> None:
    """Whatever the round waits for before it, it waits for after it, with the same money and the same cards."""
    table = await opened_table()
    relief, phases = count(), set()

    async def relieve() -> None:
        now, commands = table.state.round, console_sees(table.state).commands
        on, off = (DEALER, MEI) if next(relief) % 2 else (MEI, DEALER)
        before = table.state.dealer
        await table.do(staff.SignOn, on)
        assert (await table.happened("dealer-signed-on"))[-1].relieves == before
        assert (table.state.dealer, before in ("", off.id)) == (on.id, True)
        assert (table.state.round, console_sees(table.state).commands) == (now, commands)
        phases.add(str(now.phase))

    await relieve()
    await table.buy(1, 10_000)
    await table.open()
    await relieve()
    await table.bet(1, "player", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    for card in ("4S", "2H", "KD", "9C", "5H", "5D"):
        await relieve()
        await table.deal(card)
    await relieve()
    await table.do(round_commands.DeclareResult, DEALER)
    await relieve()
    await table.do(round_commands.Settle, DEALER)
    await relieve()
    await table.open()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    await relieve()  # and while a decision waits
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.VOID, why="enough")
    await relieve()
    assert phases >= {"no-round", "betting-open", "initial-deal", "complete", "settled", "void"}
    await table.check_history()
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault.words


async def test_signing_off_does_not_stop_a_round_in_play() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    await table.open()
    await table.do(staff.SignOff, DEALER)
    await table.finish(NATURAL)
    await table.open()
    assert [event.dealer for event in await table.happened("betting-opened")] == ["dora", ""]


async def test_a_table_that_closes_signs_its_dealer_off() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    await table.do(staff.CloseTable, MANAGER, why="good night")
    off, closed = (await table.journal())[-2:]
    assert off.event == table_events.DealerSignedOff(dealer="dora", by="max")
    assert closed.event == table_events.TableClosed(by="max", why="good night")
    assert off.command is not None
    assert closed.command is None, "one decision"
    assert table.state.dealer == ""
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.CloseTable, MANAGER)
    assert len(await table.happened("dealer-signed-off")) == 1, "there was nobody to sign off"


async def test_no_player_is_told_who_deals() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    await table.buy(1, 1_000)
    await table.open()
    await table.bet(1, "tie", 100)
    await table.do(staff.SignOn, MEI)
    await table.finish(NATURAL)
    told = await recall(table.store, "1", 1)
    assert told.dealers == ("dora", "mei")
    for seat in (1, 2, None):
        seen = msgspec.json.encode(as_a_seat_sees(told, seat))
        assert b"dora" not in seen
        assert b"mei" not in seen
    seen = msgspec.json.encode([everybody_sees(table.state), one_seat_sees(table.state, 1)])
    assert b"mei" not in seen


# Who dealt a round.


async def dealers(table: LiveTable, number: int) -> tuple[str, ...]:
    return (await recall(table.store, "1", number)).dealers


async def test_who_was_on_when_a_round_opened_dealt_it() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, MEI)
    await table.open()
    await table.finish(NATURAL)  # by dora's hand: whoever is signed on answers for it
    await table.do(staff.SignOn, SUPERVISOR)  # after the end: no dealer of that round
    await table.open()
    await table.do(staff.SignOn, MEI)
    await table.do(staff.SignOn, DEALER)
    await table.do(staff.SignOn, MEI)  # again: named once
    await table.finish(NATURAL)
    assert [await dealers(table, number) for number in (1, 2)] == [("mei",), ("pat", "mei", "dora")]
    assert check_steps(await history_of(table.store, "1", 2), load_game) == ""


async def test_where_nobody_is_on_it_is_whoever_gave_the_cards() -> None:
    table = await opened_table()
    await table.open()
    await table.do(round_commands.CloseBetting, SHIFT_MANAGER)  # no card was given by that
    for card, who in zip(NATURAL.split(), (SUPERVISOR, DEALER, SUPERVISOR, DEALER), strict=True):
        await table.do(round_commands.DealCard, who, card=card)
    await table.finish("")
    assert await dealers(table, 1) == ("pat", "dora")
    await table.open()
    await table.do(staff.SignOn, MEI)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S 2H")
    await table.do(staff.SignOff, MEI)
    await table.deal("KD 6C")
    assert await dealers(table, 2) == ("mei", "dora")


async def test_a_dealer_who_comes_to_a_corrected_round_deals_it_too() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    await table.open()
    await table.finish("9S 2H KD 5C")
    await table.do(staff.SignOn, MEI)
    assert await dealers(table, 1) == ("dora",)
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="5S", why="misread")
    await table.finish("4D")
    assert await dealers(table, 1) == ("dora", "mei")


async def test_a_table_that_deals_by_itself_has_no_dealer() -> None:
    table = await shuffled_rounds(MemoryStore(), rounds=1)
    assert await dealers(table, 1) == ()
    table = await opened_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    for card in NATURAL.split():
        await table.do(round_commands.DealCard, THE_READER, card=card)
    assert await dealers(table, 1) == ()


# What outlives a power cut.


async def test_the_dealer_is_there_after_a_power_cut() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    table = await table.restart()  # without any snapshot
    assert table.state.dealer == "dora"
    await table.open()
    kept = await table.store.document("table/1")
    assert kept is not None
    assert msgspec.json.decode(kept)["v"] == VERSION
    restored = restore("1", kept)
    assert restored is not None
    assert restored.dealer == "dora"
    await table.do(staff.SignOn, MEI)
    before = picture(table.state)
    await table.crash()
    state = (await table.again()).state
    assert (state.dealer, before["dealer"]) == ("mei", "mei")  # from the snapshot and what came after it


async def test_the_same_sign_on_asked_again_after_a_power_cut_is_answered_the_same() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    again = await table.restart()
    again._requests = count(int(table.request()[1:]) - 1)
    await again.do(staff.SignOn, DEALER)
    assert len(await again.happened("dealer-signed-on")) == 1


# What cannot have happened.


async def shifts() -> MemoryStore:
    store = MemoryStore()
    table = await opened_table(store)
    await table.do(staff.SignOn, DEALER)
    await table.open()
    await table.do(staff.SignOn, MEI)
    await table.finish(NATURAL)
    await table.do(staff.SignOff, SUPERVISOR, dealer="mei")
    await table.do(staff.SignOn, DEALER)
    await table.do(staff.CloseTable, MANAGER)
    await table.stop()
    return store


def one(kind: str, place: int, change: Callable[[Written], Written | None]) -> Rewrite:
    """The so-manieth entry of a kind changed, or left out."""

    def rewrite(entries: list[Written]) -> list[Written]:
        at = [at for at, written in enumerate(entries) if written.kind == kind][place]
        changed = change(entries[at])
        return [*entries[:at], *([changed] if changed else []), *entries[at + 1 :]]

    return rewrite


ON, OFF = "dealer-signed-on", "dealer-signed-off"
LIES: dict[str, tuple[Rewrite, str, str]] = {
    "somebody else signs off": (one(OFF, 0, lambda it: with_record(it, dealer="dora")), OFF, "dora is not signed on"),
    "signed off after that": (one(ON, 1, lambda _: None), OFF, "mei is not signed on at table 1: dora is"),
    "nobody is on": (one(ON, 2, lambda _: None), OFF, "Nobody is signed on"),
    "another signed off": (one(OFF, 0, lambda it: with_record(it, by="dora")), OFF, "by: pat"),
    "a rank too low": (one(OFF, 0, lambda it: with_beside(it, rank="dealer")), OFF, "may not sign another dealer off"),
    "no rank": (one(ON, 0, lambda it: with_beside(it, rank="")), ON, "in no rank of the pit"),
    "on for another": (one(ON, 0, lambda it: with_record(it, dealer="mei")), ON, "dealer: dora"),
    "a relief": (one(ON, 1, lambda it: with_record(it, relieves="")), ON, "relieves: dora"),
    "on twice": (one(ON, 1, lambda it: with_beside(it, by="dora")), ON, "dora is already signed on"),
    "before the table opens": (one("table-opened", 0, lambda _: None), ON, "is closed"),
    "the opening": (
        one("betting-opened", 0, lambda it: with_record(it, dealer="")),
        "betting-opened",
        "nobody is signed on; it should say: dora is signed on",
    ),
    "the close": (one(OFF, 1, lambda _: None), "table-closed", "dora is signed off first"),
    "off at the close": (one(OFF, 1, lambda it: with_record(it, dealer="mei")), OFF, "dealer: dora"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_shift_that_does_not_follow_is_named(lie: str) -> None:
    store = await shifts()
    found = await verify(store, load_game=load_game)
    assert found.fault is None, found.fault.words
    change, kind, words = LIES[lie]
    found = await verify(await rewritten(store, change), load_game=load_game)
    assert found.fault is not None
    assert (found.fault.kind, words in found.fault.words) == (kind, True), found.fault.words


async def test_a_journal_holds_what_the_shifts_need() -> None:
    kinds = [(written.kind, written.label) for written in await everything(await shifts())]
    assert [label for kind, label in kinds if kind in (ON, OFF)] == ["significant"] * 5


async def test_another_game_keeps_its_dealer() -> None:
    table = await opened_table()
    await table.do(staff.SignOn, DEALER)
    await table.open()
    await table.finish(NATURAL)
    assert (await table.restart(table_config("mbs-nc"))).state.dealer == "dora"
