"""A player's statement, and the list of players, from a journal that real tables wrote."""

from pathlib import Path

import pytest

from natural9.core.round import commands as round_commands
from natural9.journal.card_events import PlayCounted
from natural9.journal.labels import player_label
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.server.points import PAGE as POINTS_PAGE
from natural9.server.points import Points
from natural9.server.reports import aside
from natural9.server.reports.days import Days
from natural9.server.reports.player_statement import statement_report
from natural9.server.reports.players import player_report
from natural9.store.contract import Access, Entry, Written
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from tests.security.floor import empty_floor
from tests.server.people.house import house
from tests.table.carded import MEI, TAN, Floor, floor
from tests.table.live import SHIFT_MANAGER

PLAYER_WINS = "4C 2D 5D 2S"
BANKER_WINS = ("4C", "2D", "2S", "7S")


async def two_visits() -> Floor:
    """Mei wins 10.00 at one table, goes, and loses 20.00 at the other, where her card is still in."""
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "player", 1_000)
    await on.tables["1"].finish(PLAYER_WINS)
    await on.collect()
    await on.pass_ms(60_000)
    await on.card_in(MEI, "2", 5)
    await on.tables["2"].buy(5, 10_000)
    await on.tables["2"].bet(5, "banker", 2_000)
    await on.tables["2"].finish(PLAYER_WINS)
    return on


async def test_every_visit_with_what_was_staked_and_returned() -> None:
    on = await two_visits()
    second, first = await statement_report(on.store, player=MEI)
    assert (first.player, first.table, first.seat, first.rounds) == (MEI, "1", 1, 1)
    assert (first.staked_cents, first.returned_cents) == (1_000, 2_000)
    assert (first.net_cents, first.points) == (1_000, 1.0)
    assert (second.table, second.seat, second.net_cents, second.points) == ("2", 5, -2_000, 2.0)
    assert first.card_out_at_ms is not None
    assert second.card_in_at_ms - first.card_out_at_ms == 60_000
    assert second.card_out_at_ms is None
    assert await statement_report(on.store, player=TAN) == []
    assert await Points(on.store).of(MEI) == 300


async def test_a_correction_long_after_changes_the_visit_that_it_is_about() -> None:
    on = await two_visits()
    await on.tables["1"].open()
    await on.tables["1"].do(round_commands.CorrectResult, SHIFT_MANAGER, cards=BANKER_WINS, round=1, why="misread")
    second, first = await statement_report(on.store, player=MEI)
    assert (first.rounds, first.staked_cents, first.net_cents) == (1, 1_000, -1_000)
    assert second.net_cents == -2_000
    assert await Points(on.store).of(MEI) == 300


async def test_it_is_asked_for_by_player_and_day() -> None:
    on = await two_visits()
    assert await statement_report(on.store) == []  # of these accounts the journal has the numbers alone
    assert len(await statement_report(on.store, Days("2027-01-15", "2027-01-15"), player=MEI)) == 2
    assert await statement_report(on.store, Days(first="9000-01-01"), player=MEI) == []
    assert await statement_report(on.store, Days("2000-01-01", "2000-01-02"), player=MEI) == []


async def test_the_list_says_who_is_closed_and_excluded_and_nothing_secret() -> None:
    venue = await house()
    players = venue.accounts.players
    for name in ("Mei", "Tan", "Lim"):
        await players.add(name, by="cass")
    await players.close("10002", by="cass")
    await players.exclude("10003", until_day="2027-01-31", own=True, why="asked", by="cass")
    mei, tan, lim = await player_report(venue.store)
    assert (mei.number, mei.name, mei.closed, mei.excluded) == ("10001", "Mei", False, False)
    assert (tan.closed, tan.excluded) == (True, False)
    assert (lim.excluded, lim.until_day, lim.own) == (True, "2027-01-31", True)


async def test_points_are_read_once_and_a_little_at_a_time() -> None:
    """A card-in waits for them at a terminal, where the tables are at work."""
    store, read = MemoryStore(), list[int]()
    points, labelled = Points(store), store.labelled

    async def counted(label: str, *, before: int | None = None, limit: int = 100) -> list[Written]:
        page = await labelled(label, before=before, limit=limit)
        read.append(len(page))
        return page

    async def play(rounds: int) -> None:
        body = encode_line(
            PlayCounted(
                seat=1, player=MEI, of_round=1, rounds=1, staked_cents=100, returned_cents=0, decided_cents=100,
                points=10, points_per_100=10,
            ),
            BY_PROGRAM,
        )  # fmt: skip
        entry = Entry("table/1", PlayCounted.TAG, body, 0, "2026-09-21", player_label(MEI))
        await store.append([entry] * rounds, store.stream_head("table/1"))

    store.labelled = counted  # type: ignore[method-assign]
    assert await points.of(MEI) == 0
    await play(2 * POINTS_PAGE)
    await play(1)
    assert await points.of(MEI) == 10 * (2 * POINTS_PAGE + 1)
    assert max(read) == POINTS_PAGE <= 100
    read.clear()
    await play(3)
    assert await points.of(MEI) == 10 * (2 * POINTS_PAGE + 4)
    assert read == [POINTS_PAGE], "one page says that nothing older is new"
    assert await points.of(TAN) == 0


async def test_a_player_reads_their_statement_aside_with_the_guests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty thousand rounds take more than a tenth of a second in one go: no table waits for it."""
    async with empty_floor(tmp_path, open_store(tmp_path, Access.SERVE)) as on:
        on.knows("terminal", await on.enrol("terminal", "a", 1))
        mei = await on.house.accounts.players.add("Mei", by="cass")
        shown = {"request": "in", "card": mei.card, "pin": mei.pin}
        assert (await on.ask("terminal", "POST", "/api/card", shown)).words == "200"
        [visit] = (await on.ask("terminal", "GET", "/api/card/statement")).json
        assert (visit["table"], visit["seat"], visit["card_out_at_ms"]) == ("a", 1, None)
        monkeypatch.setitem(aside._waiting, aside.Lane.GUESTS, aside.MOST_WAITING)
        assert (await on.ask("terminal", "GET", "/api/card/statement")).words == "503 busy"
