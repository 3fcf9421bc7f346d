"""A terminal plays at other tables than its own: one credit, which no power cut loses and no limit is escaped by."""

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.store.contract import Entry, StoreFailed, Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.live.answers import Accepted, Answer, NotKnown
from natural9.table.live.errands import CatchUp
from natural9.table.state.console_view import console_sees
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.protection import Protection
from tests.store.opening import append
from tests.table.live import (
    CASHIER,
    DEALER,
    SHIFT_MANAGER,
    START_MS,
    SUPERVISOR,
    LiveTable,
    terminal,
)
from tests.table.visited import BANKER_WINS, PLAYER_WINS, SEAT, TABLES, KeepsAppends, Mistake, Visited, visited

# A seat.


async def test_each_terminal_has_one_seat_at_each_table_and_keeps_it() -> None:
    floor = await visited()
    assert floor.seats == {"2": 10_001, "3": 10_001}
    other = await floor.sit("2", SeatPlace("3", 7))
    assert (other, await floor.sit("2", SeatPlace("1", 7))) == (10_002, 10_001)
    floor = await floor.restart()
    assert (await floor.sit("2", SeatPlace("3", 7)), await floor.sit("2", SeatPlace("3", 8))) == (10_002, 10_003)
    await floor.check()


async def test_the_console_says_where_a_visitor_comes_from() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    [seat] = console_sees(floor.tables["2"].state).seats
    assert (seat.seat, seat.home_table, seat.home_seat) == (10_001, "1", 7)


async def test_a_visitor_bets_and_does_all_else_at_home() -> None:
    floor = await visited()
    for shape in (taps.CashOut, taps.CallAttendant, taps.ContinuePlay):
        assert (await floor.tables["2"].refused(shape, floor.who("2"))).code == "not-here"
    for command in (staff.CreditTerminal, staff.HandPay):
        fields = {"why": "asked"} if command is staff.HandPay else {}
        refusal = await floor.tables["2"].refused(command, CASHIER, seat=10_001, cents=100, **fields)
        assert refusal.message == "Seat 10001 is a visitor's, whose credit is at 1 seat 7"


# One credit.


async def test_a_bet_brings_what_it_takes_and_what_it_wins_goes_home() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    assert floor.credits() == (97_500, 0, 0, 0)
    assert floor.home.state.terminal(SEAT).away_cents == 2_500
    await floor.finish("2", PLAYER_WINS)
    assert floor.credits() == (102_500, 0, 0, 0)
    assert floor.home.state.terminal(SEAT).away_cents == 0
    await floor.check()


async def test_what_is_lost_is_told_at_home() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await floor.finish("2", BANKER_WINS)
    assert floor.credits() == (97_500, 0, 0, 0)
    assert floor.home.state.terminal(SEAT).away_cents == 0
    await floor.check()


async def test_taking_back_brings_it_home_at_once() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await floor.bet("2", "tie", 1_000)
    assert isinstance(await floor.ask("2", taps.TakeBack, wager="player", cents=500), Accepted)
    assert floor.credits() == (97_000, 0, 0, 0)
    assert isinstance(await floor.ask("2", taps.Undo), Accepted)  # and out again
    assert floor.credits() == (96_500, 0, 0, 0)
    assert isinstance(await floor.ask("2", taps.Clear), Accepted)
    assert floor.credits() == (100_000, 0, 0, 0)
    assert floor.home.state.terminal(SEAT).away_cents == 0
    await floor.check()


async def test_the_last_cent_can_be_bet_anywhere_and_only_once() -> None:
    floor = await visited(credit=10_000)
    await floor.bet("2", "player", 6_000)
    assert await floor.not_bet("3", 5_000) == "not-enough-credit"
    await floor.bet("3", "banker", 4_000)
    assert (await floor.home.refused(taps.Bet, terminal(SEAT), round=1, wager="tie", cents=100)).code == (
        "not-enough-credit"
    )
    await floor.check()


async def test_two_tables_that_ask_for_the_same_credit_at_once_do_not_both_get_it() -> None:
    floor = await visited(credit=10_000)
    answers = await asyncio.gather(*[floor.ask(table, taps.Bet, wager="player", cents=8_000) for table in ("2", "3")])
    assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Refusal"]
    assert floor.credits() == (2_000, 0, 0, 0)
    await floor.check()


async def test_taps_of_one_seat_stay_in_order_while_credit_is_fetched() -> None:
    floor = await visited()
    at, who = floor.tables["2"], floor.who("2")
    asked = [
        taps.Bet(request="a", round=1, wager="player", cents=1_000),
        taps.Bet(request="b", round=1, wager="player", cents=500),
        taps.Undo(request="c", round=1),
        taps.Bet(request="a", round=1, wager="player", cents=1_000),  # the first once more
        taps.Double(request="d", round=1),
    ]
    answers = await asyncio.gather(*[at.writer.answer(tap, who) for tap in asked])
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert dict(at.state.round.seats[10_001].bets) == {"player": 2_000}
    await floor.check()
    assert floor.credits() == (98_000, 0, 0, 0)


async def test_taps_stay_in_order_though_the_credit_comes_while_the_table_reads_its_journal() -> None:
    class ReadsSlowly(MemoryStore):
        async def asked(self, requests: Sequence[str]) -> dict[str, Written]:
            for _ in range(50):
                await asyncio.sleep(0)
            return await super().asked(requests)

    floor = await visited(store=ReadsSlowly())
    at, who = floor.tables["2"], floor.who("2")
    bet = asyncio.create_task(at.writer.answer(taps.Bet(request="a", round=1, wager="player", cents=1_000), who))
    while not at.writer._fetching:
        await asyncio.sleep(0)
    called = at.writer.answer(taps.CallAttendant(request="c"), terminal(3, "2"))  # what the journal is read for
    answers = await asyncio.gather(called, at.writer.answer(taps.Clear(request="b", round=1), who))
    assert [type(answer) for answer in (await bet, *answers)] == [Accepted, Accepted, Accepted]
    assert not at.state.round.seats[10_001].bets
    await floor.check()
    assert floor.credits() == (100_000, 0, 0, 0)


async def test_x2_and_re_bet_bring_what_they_can() -> None:
    floor = await visited(credit=10_000)
    await floor.bet("2", "player", 3_000)
    await floor.bet("2", "tie", 2_500)
    doubled = await floor.ask("2", taps.Double)
    assert isinstance(doubled, Accepted)
    assert "Tie stays at 25.00" in str(doubled.note)
    assert floor.credits() == (1_500, 0, 0, 0)
    await floor.finish("2", PLAYER_WINS)
    assert floor.credits() == (13_500, 0, 0, 0)
    await floor.tables["2"].do(staff.StartRound, DEALER)
    assert isinstance(await floor.ask("2", taps.ReBet), Accepted)
    assert floor.credits() == (5_000, 0, 0, 0)
    await floor.check()


async def test_a_bet_that_is_refused_for_another_reason_leaves_the_credit_at_home() -> None:
    floor = await visited()
    assert await floor.not_bet("2", 1_000_100) == "outside-limits"
    await floor.tables["2"].do(round_commands.CloseBetting, DEALER)
    assert await floor.not_bet("2", 1_000) == "no-more-bets"
    await floor.home.do(staff.LockTerminal, SUPERVISOR, seat=SEAT, why="cleaning")
    assert await floor.not_bet("3", 1_000) == "terminal-locked"
    await floor.check()


async def test_collect_at_home_takes_everything_that_is_not_at_risk() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    out = await floor.home.do(taps.CashOut, terminal(SEAT))
    assert out.voucher
    assert out.voucher.cents == 97_500
    assert floor.home.state.holds(SEAT) == ("bets",)
    await floor.finish("2", PLAYER_WINS)
    assert floor.credits() == (5_000, 0, 0, 0)
    await floor.check()


async def test_a_void_round_brings_it_all_home() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await floor.tables["2"].do(round_commands.VoidRound, SHIFT_MANAGER, why="a card fell")
    await floor.settle_down()
    assert floor.credits() == (100_000, 0, 0, 0)
    await floor.check()


async def test_a_correction_that_takes_back_what_is_home_leaves_a_debt_at_the_table() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await floor.finish("2", PLAYER_WINS)
    await floor.tables["2"].do(
        round_commands.CorrectResult, SHIFT_MANAGER, cards=("2D", "4C", "2S", "5D"), why="misread"
    )
    await floor.settle_down()
    assert floor.tables["2"].state.terminal(10_001).owed_cents == 5_000
    assert floor.credits() == (102_500, 0, 0, 0)
    await floor.check()


# A power cut, at every instant.


async def test_a_power_cut_at_any_commit_loses_nothing() -> None:
    """The journal cut behind each of its commits: what was on its way is delivered, what lay lies."""
    store = KeepsAppends()
    floor = await visited(store=store)
    start = len(store.appends)
    await floor.bet("2", "player", 2_500)
    await floor.bet("3", "banker", 1_000)
    await floor.ask("2", taps.TakeBack, wager="player", cents=500)
    await floor.finish("2", PLAYER_WINS)
    await floor.finish("3", PLAYER_WINS)
    assert floor.credits() == (101_000, 0, 0, 0)
    await floor.crash()
    for cut in range(start, len(store.appends) + 1):
        behind = MemoryStore()
        for entries in store.appends[:cut]:
            await append(behind, entries)
        again = await Visited(behind).start()
        again.carrier.deliver_all()
        await again.settle_down()
        home, on_the_way, *others = again.credits()
        assert (on_the_way, others) == (0, [0, 0]), cut
        lies = sum(
            table.state.round.seats[10_001].staked_cents for table in again.tables.values() if table.state.in_play
        )
        assert again.home.state.terminal(SEAT).away_cents == lies, cut
        assert home + lies in (100_000, 102_000, 101_000), cut  # nothing decided, one round or both
        await again.check()
        await again.crash()


async def test_what_was_on_its_way_is_delivered_once() -> None:
    store = KeepsAppends()
    floor = await visited(store=store)
    await floor.bet("2", "player", 2_500)
    await floor.crash()
    sent = next(
        place for place, entries in enumerate(store.appends, 1) if any(e.kind == "credit-taken-along" for e in entries)
    )
    behind = MemoryStore()
    for entries in store.appends[:sent]:
        await append(behind, entries)
    assert await behind.balances("transit/") == {"transit/2-10001": 2_500}
    again = await Visited(behind).start()
    assert again.credits() == (97_500, 2_500, 0, 0)
    for _ in range(3):
        again.carrier.deliver_all()
    await again.settle_down()
    assert again.credits() == (100_000, 0, 0, 0)
    assert len(await again.tables["2"].happened("credit-brought")) == 1
    await again.check()


async def test_the_bet_that_was_cut_off_is_made_when_it_comes_again() -> None:
    store = KeepsAppends()
    floor = await visited(store=store)
    bet = taps.Bet(request="late", round=1, wager="player", cents=2_500)
    await floor.tables["2"].ask(bet, floor.who("2"))
    await floor.crash()
    cut = next(
        place for place, entries in enumerate(store.appends, 1) if any(e.kind == "credit-taken-along" for e in entries)
    )
    behind = MemoryStore()
    for entries in store.appends[:cut]:
        await append(behind, entries)
    again = await Visited(behind).start()
    again.carrier.deliver_all()
    await again.settle_down()
    table = again.tables["2"]
    for _ in range(2):
        await table.ask(bet, again.who("2"))
    await again.settle_down()
    lies = table.state.round.seats[10_001].staked_cents
    assert again.credits() == (100_000 - lies, 0, 0, 0)
    await again.check()


async def test_a_halted_home_makes_a_bet_unknown_and_nothing_is_lost() -> None:
    floor = await visited()
    floor.home.writer.halt(floor.home.state.status.words)
    answer = await floor.tables["2"].ask(taps.Bet(request="a", round=1, wager="player", cents=2_500), floor.who("2"))
    assert isinstance(answer, NotKnown)
    floor = await floor.restart()
    assert floor.credits() == (100_000, 0, 0, 0)


@pytest.mark.parametrize("later", range(8))
async def test_a_bet_that_a_halted_home_leaves_unknown_disturbs_nobody_else_at_the_table(later: int) -> None:
    """Table 1 has halted. While its terminal bets at table 2, one of table 2 bets at table 3."""
    floor = await visited()
    await floor.tables["2"].buy(3, 10_000)
    guest = terminal(await floor.sit("3", SeatPlace("2", 3)), "3")
    floor.home.writer.halt(floor.home.state.status.words)

    async def bets_at_2() -> Answer:
        for _ in range(later):
            await asyncio.sleep(0)
        lost = taps.Bet(request="a", round=1, wager="player", cents=2_500)
        return await floor.tables["2"].ask(lost, floor.who("2"))

    bet = taps.Bet(request="b", round=1, wager="player", cents=1_000)
    answers = await asyncio.gather(bets_at_2(), floor.tables["3"].ask(bet, guest))
    assert [type(answer) for answer in answers] == [NotKnown, Accepted]
    assert not floor.carrier.transit.parcels


async def test_a_table_that_halts_while_another_asks_for_credit_lets_the_others_play_on() -> None:
    floor = await visited()

    bet = taps.Bet(request="a", round=1, wager="player", cents=2_500)
    asked = [floor.home.writer.carry_out(Mistake()), floor.home.writer.carry_out(CatchUp())]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers] == [StoreFailed, StoreFailed]
    assert isinstance(await floor.tables["2"].ask(bet, floor.who("2")), NotKnown)


async def test_what_goes_home_to_a_table_that_has_stopped_waits_for_it() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await floor.home.crash()
    floor.home.writer._ended = True
    await floor.finish("2", PLAYER_WINS)
    assert floor.credits()[1] == 5_000
    floor = await floor.restart()
    assert floor.credits() == (102_500, 0, 0, 0)
    await floor.check()


async def test_a_planned_stop_takes_nothing() -> None:
    floor = await visited()
    await floor.bet("2", "player", 2_500)
    await asyncio.gather(*[table.stop() for table in floor.tables.values()])
    floor = await floor.restart()
    assert dict(floor.tables["2"].state.round.seats[10_001].bets) == {"player": 2_500}
    await floor.finish("2", PLAYER_WINS)
    assert floor.credits() == (102_500, 0, 0, 0)
    await floor.check()


# What verify finds.


async def _told_otherwise(kind: str, change: dict[str, Any]) -> str:
    """What verify says of the same journal with one event changed, its money with it."""
    store = KeepsAppends()
    floor = await visited(store=store)
    await floor.bet("2", "player", 2_500)
    await floor.finish("2", PLAYER_WINS)
    await floor.crash()
    forged = MemoryStore(may_go_below_zero=("",))
    for entries in store.appends:
        await append(forged, [_changed(entry, change) if entry.kind == kind else entry for entry in entries])
    found = await verify(forged, load_game=load_game)
    assert found.fault
    return found.fault.words


def _changed(entry: Entry, change: dict[str, Any]) -> Entry:
    line = json.loads(entry.body)
    line["record"] |= change
    cents = change.get("cents")
    moved = tuple(one._replace(cents=cents) for one in entry.transfers) if cents else entry.transfers
    label = f"transit/{change['transit']}" if "transit" in change else entry.label
    return entry._replace(body=json.dumps(line, separators=(",", ":")).encode(), transfers=moved, label=label)


@pytest.mark.parametrize(
    ("kind", "change", "found"),
    [
        ("visitor-seated", {"seat": 10_005}, "seat 10001: they are numbered without gaps"),
        ("visitor-seated", {"home_table": "2"}, "it has a seat here"),
        ("credit-taken-along", {"to_seat": 10_002}, "a seat of its own there"),
        ("credit-taken-along", {"transit": "1-7-2"}, "1-7-1: what is sent is numbered without gaps"),
        ("credit-brought", {"transit": "1-7-9"}, "it is not on its way"),
        ("credit-brought", {"cents": 900}, "2500"),
        ("credit-sent-home", {"cents": 2_500}, "5000"),
        ("credit-sent-home", {"decided_cents": 0}, "decided_cents"),
        ("credit-came-home", {"cents": 900}, "5000"),
        ("credit-came-home", {"seat": 8}, '"seat":7'),
    ],
)
async def test_verify_names_what_was_not_so(kind: str, change: dict[str, Any], found: str) -> None:
    assert found in await _told_otherwise(kind, change)


async def test_verify_finds_a_parcel_that_is_kept_and_was_never_sent() -> None:
    floor = await visited()
    kept = msgspec.json.encode({"number": "1-7-9"})
    await append(floor.store, [Entry("venue", "program-stopped", b"{}", 0, "", documents=(("transit/1-7-9", kept),))])
    found = await verify(floor.store, load_game=load_game)
    assert found.fault


# By chance.


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_is_tapped_and_cut_off_the_money_is_all_there(seed: int) -> None:
    """Taps at three tables, rounds, own limits and power cuts in any order: one credit, and every entry follows."""
    chance = random.Random(seed)
    floor = await visited(20_000, shoe=ShoeSource.SHUFFLER, protection=Protection(cooling_off_ms=0))
    floor.seats["1"] = SEAT
    for _ in range(40):
        table = chance.choice(TABLES)
        at = floor.tables[table]
        match chance.randrange(12):
            case 0:
                await floor.home.ask(
                    taps.SetPlayLimits(request=floor.home.request(), loss_cents=chance.choice((None, 5_000, 30_000))),
                    terminal(SEAT),
                )
            case 1:
                floor = await floor.restart(seen_ms=chance.choice((0, START_MS)))
                floor.seats["1"] = SEAT
            case 2 | 3:
                await _next_step(at)
            case 4:
                await floor.ask(table, chance.choice((taps.Double, taps.Undo, taps.Clear, taps.ReBet)))
            case 5:
                await asyncio.gather(
                    *[floor.ask(one, taps.Bet, wager="player", cents=chance.randrange(1, 60) * 100) for one in TABLES]
                )
            case 6:
                await floor.ask(table, taps.TakeBack, wager=chance.choice(("player", "tie")))
            case _:
                wager, cents = chance.choice(("player", "banker", "tie")), chance.randrange(1, 60) * 100
                await floor.ask(table, taps.Bet, wager=wager, cents=cents)
        await floor.settle_down()
        lies = sum(
            one.state.round.seats[floor.seats[id]].staked_cents
            for id, one in floor.tables.items()
            if id != "1" and one.state.in_play
        )
        assert floor.home.state.terminal(SEAT).away_cents == lies
        assert floor.credits()[1:3] == (0, 0)
    await floor.check()


async def _next_step(table: LiveTable) -> None:
    """The dealer leads the round to its end, or opens the next."""
    moves = ("settle", "declare", "deal", "close-betting", "open-betting", "new-shoe")
    while True:
        offered = console_sees(table.state).commands
        move = next((one for one in moves if one in offered), "")
        if not move:
            return
        await table.do(staff.BY_TAG[move], DEALER)
        if move in ("settle", "open-betting"):
            return
