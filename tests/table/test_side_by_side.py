"""Verifying by several processes: the same answer as by one, whatever their number; here they are real."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import pytest

from bench.long_journal import make_journal
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.games import load_game
from natural9.store.contract import Access, Store, StreamHead
from natural9.store.opening import open_store
from natural9.table.audit import verify as verifying
from natural9.table.audit.findings import Verified
from natural9.table.audit.rules import MOST_NAMED, LoadGame
from natural9.table.audit.side_by_side import WorkerProcess, forked_workers, parts, shares
from natural9.table.audit.stream_worker import PartOfShare, Share
from natural9.table.audit.verify import verify
from tests.table.conftest import one_after_another

ROUNDS, TABLES = 12, 3


@pytest.fixture
async def venue(tmp_path: Path) -> Path:
    await make_journal(tmp_path / "venue", ROUNDS, tables=TABLES)
    return tmp_path / "venue"


async def verified(place: Path, by: Callable[[Store], Awaitable[Verified]]) -> Verified:
    store = open_store(place, Access.READ)
    try:
        return await by(store)
    finally:
        await store.close()


async def test_processes_find_what_one_walk_finds(venue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def walked_again(*told: object) -> Verified:
        raise AssertionError("they could not agree that it holds")

    alone = await verified(venue, lambda store: one_after_another(store, load_game, None, lambda done, end: None))
    monkeypatch.setattr(verifying, "WORTH_IT", 1)
    monkeypatch.setattr(verifying, "walk", walked_again)
    told: list[tuple[int, int]] = []

    def by_two(store: Store) -> Awaitable[Verified]:
        return verify(store, load_game=load_game, processes=2, advance=lambda *far: told.append(far))

    assert await verified(venue, by_two) == alone
    assert (alone.fault, alone.rounds, alone.tables) == (None, ROUNDS, TABLES)
    assert told[-1] == (alone.entries, alone.entries)
    assert told == sorted(told)


async def test_processes_forked_before_anything_was_open_find_the_same(
    venue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = [WorkerProcess(venue, load_game, forked=True) for _ in range(3)]
    alone = await verified(venue, lambda store: one_after_another(store, load_game, None, lambda done, end: None))
    monkeypatch.setattr(verifying, "WORTH_IT", 1)
    monkeypatch.setattr(verifying, "walk", None)
    monkeypatch.setattr(verifying, "WorkerProcess", None)

    def by_those(store: Store) -> Awaitable[Verified]:
        return verify(store, load_game=load_game, processes=2, waiting=waiting)

    assert await verified(venue, by_those) == alone
    assert [worker._process.is_alive() for worker in waiting] == [True, False, False], "nobody asked the first"
    waiting[0].close()


def no_rules(game_id: str) -> Game:
    raise BadInput("unknown-game", f"there is no game {game_id!r}")


async def test_processes_name_the_same_rounds_whose_rules_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are named, of several tables at once."""
    await make_journal(tmp_path / "venue", 2 * MOST_NAMED, tables=TABLES, seats=1)
    waiting = [WorkerProcess(tmp_path / "venue", no_rules, forked=True) for _ in range(2)]
    alone = await verified(tmp_path / "venue", lambda store: verify(store, load_game=no_rules))
    monkeypatch.setattr(verifying, "WORTH_IT", 1)
    monkeypatch.setattr(verifying, "walk", None)

    def by_two(store: Store) -> Awaitable[Verified]:
        return verify(store, load_game=no_rules, processes=2, waiting=waiting)

    assert await verified(tmp_path / "venue", by_two) == alone
    assert (len(alone.not_derived_first), alone.fault) == (MOST_NAMED, None)
    assert {one.table for one in alone.not_derived_first} == {"t1", "t2", "t3"}


def test_nothing_is_forked_beside_other_threads(tmp_path: Path) -> None:
    begun = Event()
    other = Thread(target=begun.wait)
    other.start()
    try:
        assert forked_workers(tmp_path, load_game, 2) == []
    finally:
        begun.set()
        other.join()
    assert forked_workers(tmp_path, load_game, 1) == [], "one core does it alone"


async def test_where_no_process_can_be_started_one_core_does_it_and_says_so(
    venue: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class FirstAlone(WorkerProcess):
        """The machine has room for one."""

        started: ClassVar[list["FirstAlone"]] = []

        def __init__(self, place: Path, load_game: LoadGame) -> None:
            if self.started:
                raise BlockingIOError("Resource temporarily unavailable")
            super().__init__(place, load_game)
            self.started.append(self)

    monkeypatch.setattr(verifying, "WORTH_IT", 1)
    monkeypatch.setattr(verifying, "WorkerProcess", FirstAlone)
    found = await verified(venue, lambda store: verify(store, load_game=load_game, processes=2))
    assert (found.fault, found.rounds) == (None, ROUNDS)
    assert "no other process can be started (Resource temporarily unavailable): one core verifies" in caplog.text
    assert not FirstAlone.started[0]._process.is_alive()


async def test_one_table_is_derived_by_one_process_while_another_looks_at_its_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make_journal(tmp_path / "venue", ROUNDS, tables=1)
    alone = await verified(
        tmp_path / "venue", lambda store: one_after_another(store, load_game, None, lambda *far: None)
    )
    monkeypatch.setattr(verifying, "WORTH_IT", 1)
    monkeypatch.setattr(verifying, "walk", None)
    assert await verified(tmp_path / "venue", lambda store: verify(store, load_game=load_game, processes=2)) == alone
    assert parts([("table/1",)], 9, 2) == [
        Share(("table/1",), 9, PartOfShare.CHAIN),
        Share(("table/1",), 9, PartOfShare.DERIVED),
    ]
    assert parts([("table/1",), ("table/2",)], 9, 2) == [Share(("table/1",), 9), Share(("table/2",), 9)]


def test_tables_are_shared_out_evenly_and_each_once() -> None:
    heads = {name: StreamHead(number, b"", 0) for name, number in (("venue", 99), ("people", 5), ("table/1", 7))}
    heads |= {f"table/{name}": StreamHead(number, b"", 0) for name, number in (("2", 4), ("3", 3), ("4", 1))}
    found = shares(heads, 2)
    assert sorted(name for share in found for name in share) == ["table/1", "table/2", "table/3", "table/4"]
    assert sorted(sum(heads[name].number for name in share) for share in found) == [7, 8]
    assert len(shares(heads, 9)) == 4, "none has nothing to do"
    assert shares({"venue": heads["venue"]}, 2) == []
