"""Search: any combination finds exactly what an entry says, newest first, with an honest count and a bound."""

from datetime import UTC
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from natural9.core.errors import BadInput
from natural9.core.round import commands as round_commands
from natural9.journal.labels import label_of
from natural9.journal.line import by_staff, encode_line, read_line
from natural9.journal.player_events import PlayerExcluded
from natural9.server.people.devices import Place
from natural9.server.search.found import SearchFound, search
from natural9.server.search.query import RoundEnd, SearchQuery, search_query
from natural9.store.contract import Entry, Store
from natural9.store.memory import MemoryStore
from natural9.table.audit.recall import recall
from tests.server.people.house import Clock, house
from tests.store.opening import append
from tests.table.live import SHIFT_MANAGER, START_MS, live_table
from tests.table.stories import NATURAL, an_evening, an_irregular_round, everything


async def evening() -> Store:
    store = MemoryStore()
    await an_irregular_round(await an_evening(store))
    return store


async def found(store: Store, **query: Any) -> SearchFound:
    return await search(store, SearchQuery(**query))


async def test_nothing_asked_is_everything_newest_first() -> None:
    store = await evening()
    everything_found = await search(store, SearchQuery(), limit=10_000)
    assert [row.entry for row in everything_found.rows] == [one.seq for one in reversed(await everything(store))]
    assert (everything_found.count, everything_found.complete) == (len(everything_found.rows), True)
    assert everything_found.more_before is None


async def test_a_seat_is_found_in_all_that_is_about_it_or_done_by_it() -> None:
    store = await evening()
    rows = (await found(store, table="1", seat=2)).rows
    assert {row.seat for row in rows} <= {2, None}
    kinds = {row.kind for row in rows}
    assert {
        "bet-placed",
        "seat-settled",
        "credit-bought",
        "voucher-issued",
        "request-refused",
        "bets-returned",
    } <= kinds
    assert not {row.kind for row in (await found(store, table="1", seat=22)).rows}
    assert not (await found(store, table="2", seat=2)).rows


async def test_each_row_says_its_round_and_how_that_ended() -> None:
    store = await evening()
    rounds = {number: await recall(store, "1", number) for number in (1, 2, 3, 4)}
    for row in (await found(store, table="1", seat=2)).rows:
        if row.kind == "bet-placed":
            told = rounds[row.round]
            assert told.first_entry < row.entry <= told.last_entry
            assert row.result == (told.winner or ("void" if told.void_why else None))


@pytest.mark.parametrize("result", RoundEnd)
async def test_a_result_by_itself_finds_its_rounds_once(result: RoundEnd) -> None:
    store = await evening()
    ended: dict[str, list[int]] = {}
    for number in (4, 3, 2, 1):
        told = await recall(store, "1", number)
        ended.setdefault("void" if told.status == "void" else str(told.winner), []).append(number)
    rows = (await found(store, result=result)).rows
    assert [*dict.fromkeys(row.round for row in rows)] == ended.get(result, [])
    assert {row.result for row in rows} <= {result}


async def test_a_result_and_a_seat_find_what_the_seat_did_in_such_rounds() -> None:
    store = await evening()
    rows = (await found(store, result=RoundEnd.VOID, seat=2)).rows
    assert {row.round for row in rows} == {3}
    assert {"bet-placed", "bets-returned"} <= {row.kind for row in rows}


async def test_a_round_put_right_later_ended_as_it_stands_now() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    for _ in range(3):
        await table.open()
        await table.finish(NATURAL)
    opened = (await recall(store, "1", 3)).opened_at_ms
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="8S", round=1, why="misread")
    for until_ms in (None, opened + 10**9):  # read from the end of the journal, or from before it
        ties = await found(store, result=RoundEnd.TIE, until_ms=until_ms)
        assert [row.round for row in ties.rows] == [1]
        assert [row.round for row in (await found(store, result=RoundEnd.PLAYER, until_ms=until_ms)).rows] == [3, 2]


async def test_small_pages_know_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    store = await evening()
    whole = await found(store, result=RoundEnd.TIE, seat=2), await found(store, result=RoundEnd.BANKER)
    monkeypatch.setattr("natural9.server.search.found.STRIDE", 3)
    monkeypatch.setattr("natural9.server.search.found.LONGEST_STRIDE", 7)
    assert (await found(store, result=RoundEnd.TIE, seat=2), await found(store, result=RoundEnd.BANKER)) == whole


async def test_an_amount_is_any_that_is_moved_or_named() -> None:
    store = await evening()
    rows = (await found(store, least_cents=30_000, most_cents=30_000)).rows
    assert {row.kind for row in rows} >= {"bet-placed", "bets-returned"}
    assert {row.round for row in rows} == {3}
    assert not (await found(store, least_cents=30_001, most_cents=34_499)).rows
    assert "betting-opened" not in {row.kind for row in (await found(store, least_cents=1)).rows}


async def test_a_voucher_from_its_printing_to_its_end() -> None:
    store = await evening()
    [issued] = [row for row in (await found(store, voucher="1-2-1")).rows if row.kind == "voucher-issued"]
    assert (issued.voucher, issued.seat, issued.cents) == ("1-2-1", 2, 1_000)
    assert not (await found(store, voucher="1-2-1", table="2")).rows
    assert not (await found(store, voucher="1-2-99")).rows


async def test_a_person_is_found_in_what_they_did_and_in_what_names_them() -> None:
    store = await evening()
    managers = {read_line(one).origin.person for one in await everything(store) if one.kind == "round-voided"}
    [manager] = managers
    rows = (await found(store, person=manager)).rows
    assert "round-voided" in {row.kind for row in rows}
    desks = (await found(store, person="cass")).rows
    assert desks
    assert {row.kind for row in desks} <= {"credit-bought", "hand-paid"}


async def test_a_player_with_a_card_is_found_by_their_number() -> None:
    store = MemoryStore()
    event = PlayerExcluded(player="P-1001", until_day="", own=True, why="asked for it")
    line = encode_line(event, by_staff("sam"))
    await append(store, [Entry("venue", event.TAG, line, START_MS, "2027-01-15", label_of("", event))])
    assert [row.kind for row in (await found(store, person="P-1001")).rows] == ["player-excluded"]
    assert not (await found(store, person="P-100")).rows


async def test_a_device_is_found_in_what_its_terminal_did_while_it_had_the_seat() -> None:
    store = MemoryStore()
    venue = await house(store, clock=Clock(START_MS))
    await venue.administrator()
    devices = venue.accounts.devices
    [code] = await devices.add([Place("terminal", "1", 2)], by="ada")
    await devices.enrol(code.code, peer="10.0.0.1")
    await an_evening(store)
    await devices.revoke(code.id, by="ada")
    rows = (await found(store, device=code.id)).rows
    kinds = {row.kind for row in rows}
    assert {"device-added", "device-enrolled", "device-revoked", "bet-placed"} <= kinds
    assert {row.seat for row in rows if row.kind == "bet-placed"} == {2}
    assert {row.seat for row in (await found(store, device="1-3")).rows if row.kind == "bet-placed"} == {3}


async def test_times_include_both_ends() -> None:
    store = await evening()
    times = sorted({one.at_ms for one in await everything(store)})
    low, high = times[len(times) // 3], times[2 * len(times) // 3]
    between = [one.seq for one in await everything(store) if low <= one.at_ms <= high]
    rows = (await search(store, SearchQuery(since_ms=low, until_ms=high), limit=10_000)).rows
    assert sorted(row.entry for row in rows) == between
    assert not (await found(store, since_ms=times[-1] + 1)).rows
    assert not (await found(store, until_ms=times[0] - 1)).rows


async def test_pages_follow_each_other_and_the_first_says_how_many() -> None:
    store = await evening()
    whole = await search(store, SearchQuery(seat=2), limit=10_000)
    page = await search(store, SearchQuery(seat=2), limit=4)
    assert page.count == len(whole.rows)
    rows = [*page.rows]
    while page.more_before is not None:
        page = await search(store, SearchQuery(seat=2), limit=4, before=page.more_before)
        assert page.count is None
        rows += page.rows
    assert tuple(rows) == whole.rows


async def test_a_search_that_takes_too_long_says_how_far_it_came_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("natural9.server.search.found.STRIDE", 5)
    monkeypatch.setattr("natural9.server.search.found.LONGEST_STRIDE", 5)
    store = await evening()
    whole = await search(store, SearchQuery(seat=1), limit=10_000)
    seconds = count()
    page = await search(store, SearchQuery(seat=1), most_s=3, clock_s=lambda: float(next(seconds)))
    assert not page.complete
    oldest = next(one for one in await everything(store) if one.at_ms == page.back_to_ms)
    assert oldest.seq <= (page.more_before or 0)
    rows = [*page.rows]
    while page.more_before is not None:
        page = await search(store, SearchQuery(seat=1), before=page.more_before, most_read=10)
        rows += page.rows
    assert tuple(rows) == whole.rows


def test_what_is_typed_is_read() -> None:
    typed = {"since": " 2026-11-16 ", "until": "2026-11-16T14:05", "seat": "7", "least": "1,250.50", "result": "Tie"}
    query = search_query(ZoneInfo("Asia/Singapore"), **typed, person=" mei ", table="", most="")
    assert query == SearchQuery(
        since_ms=1_794_758_400_000,
        until_ms=1_794_758_400_000 + (14 * 60 + 6) * 60_000 - 1,
        seat=7,
        least_cents=125_050,
        result=RoundEnd.TIE,
        person="mei",
    )
    assert search_query(UTC) == SearchQuery()


def test_an_hour_that_comes_twice_is_meant_from_its_first_to_its_second_time() -> None:
    """New York, the autumn change: 01:30 is 05:30 and 06:30 UTC; the day has 25 hours."""
    minute, day = (
        {"since": "2026-11-01 01:30", "until": "2026-11-01 01:30"},
        {"since": "2026-11-01", "until": "2026-11-01"},
    )
    for typed, minutes in ((minute, 61), (day, 25 * 60)):
        query = search_query(ZoneInfo("America/New_York"), **typed)
        assert query.since_ms is not None
        assert query.until_ms == query.since_ms + minutes * 60_000 - 1


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"since": "yesterday"}, "'yesterday' is not a time: write it as 2026-11-16 or 2026-11-16 14:05"),
        ({"until": "2026-11-31"}, "is not a time"),
        ({"until": "9999-12-31"}, "is not a time"),  # its end is in a year that no clock has
        ({"until": "9999-12-31 23:59"}, "is not a time"),
        ({"since": "2026-11-16 25:00"}, "is not a time"),
        ({"since": "2026-11-17", "until": "2026-11-16"}, "2026-11-17 comes after 2026-11-16"),
        ({"least": "ten"}, "'ten' is not an amount of money: write 100 or 2.50"),
        ({"least": "20", "most": "10"}, "20.00 is more than 10.00: the smaller amount stands first"),
        ({"seat": "seven"}, "'seven' is not a seat: write its number, such as 7"),
        ({"seat": "0"}, "is not a seat"),
        ({"result": "natural"}, "'natural' is not a result: write player, banker, tie or void"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(typed: dict[str, str], why: str) -> None:
    with pytest.raises(BadInput, match=why.replace("(", r"\(")):
        search_query(UTC, **typed)
