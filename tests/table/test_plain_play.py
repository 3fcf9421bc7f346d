"""What is plain is known by its bytes: it is taken as a closer look would take it, and nothing else is."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.long_journal import TABLE, VENUE, turns
from natural9.games import load_game
from natural9.store.balances import Balances, Book
from natural9.store.contract import FLOATING, Corrupt, Written
from natural9.store.recount import Recount
from natural9.table.audit.examiner import Examiner, runs
from natural9.table.audit.findings import DoesNotFollow, Verified
from natural9.table.venue.venue import VENUE_FILE, load_venue

ROUNDS = 240  # of two tables: some shoes are played to their end


class Looking:
    """An examiner and all that it comes to."""

    def __init__(self, *, by_bytes: bool) -> None:
        self.found, self.recount = Verified(), Recount()
        self.examiner = Examiner(load_game, self.found, self.recount, by_bytes=by_bytes)
        self.plain = 0

    def look_at(self, entries: Sequence[Written]) -> None:
        for run in runs(entries):
            place = 0
            while place < len(run):
                plain = self.examiner.plain(run, place)
                self.plain += plain
                place += plain
                if not plain:
                    self.examiner.examine(run[place])
                    place += 1

    def come_to(self) -> tuple[object, ...]:
        self.examiner.catch_up()
        states = {name: table.state for name, table in self.examiner.tables.items()}
        return states, dict(self.recount.balances), self.recount.counts, self.recount.streams, self.found


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[Written]:
    folder = tmp_path_factory.mktemp("venue")
    (folder / VENUE_FILE).write_text(VENUE + "".join(TABLE.format(id=id, seats=4) for id in ("a", "b-2")))
    book = Book(Balances(may_go_below_zero=FLOATING))
    return list(_written(book, folder / VENUE_FILE))


def _written(book: Book, venue: Path) -> Iterator[Written]:
    for some in turns(load_venue(venue), ROUNDS, 4):
        before = book.streams.get(some[0].stream)
        yield from book.post(some, before.number if before else 0, before.hash if before else None)


def test_nearly_all_of_an_automatic_tables_play_is_plain(entries: Sequence[Written]) -> None:
    looking = Looking(by_bytes=True)
    looking.look_at(entries)
    assert looking.plain > 0.9 * len(entries)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**64))
def test_a_closer_look_at_any_moment_finds_the_same(entries: Sequence[Written], seed: int) -> None:
    """By runs of any length, and one by one."""
    looks = sorted(Random(seed).sample(range(len(entries)), 40))
    quick, slow = Looking(by_bytes=True), Looking(by_bytes=False)
    for first, last in pairwise((0, *looks, len(entries))):
        quick.look_at(entries[first:last])
        for written in entries[first:last]:
            slow.look_at([written])
        assert quick.come_to() == slow.come_to()


@settings(max_examples=120)
@given(seed=st.integers(0, 2**64))
def test_a_changed_entry_is_told_as_a_closer_look_tells_it(entries: Sequence[Written], seed: int) -> None:
    """One entry is changed, and all that follow are chained anew: both name the same in the same words, or nothing.
    No two evenings are alike, so chance chooses what is changed."""
    chance = Random(seed)
    place = chance.randrange(SOME)
    lie = chance.choice((_another_byte, _other_money, _beside, _left_out, _twice, _earlier))
    told = [*entries[:place], *lie(list(entries[place : place + AFTER]), chance)]
    assert _told(told, by_bytes=True) == _told(told, by_bytes=False)


SOME, AFTER = 400, 80  # entries before the lie, and after it


def _told(entries: Sequence[Written], *, by_bytes: bool) -> object:
    looking = Looking(by_bytes=by_bytes)
    looking.recount.chain = lambda page: None  # type: ignore[method-assign]
    try:
        looking.look_at(entries)
        looking.examiner.finish_tables()
    except DoesNotFollow as wrong:
        return wrong.fault.words
    except Corrupt as wrong:
        return str(wrong)
    return looking.come_to()


def _another_byte(entries: list[Written], chance: Random) -> list[Written]:
    body = bytearray(entries[0].body)
    place = chance.randrange(len(body))
    body[place] = chance.choice(b'0123456789"{}[],:-aeKTCDHS \\')
    return [entries[0]._replace(body=bytes(body)), *entries[1:]]


def _other_money(entries: list[Written], chance: Random) -> list[Written]:
    """Of the next entry that moves any."""
    for place, written in enumerate(entries):
        if written.transfers:
            first, *rest = written.transfers
            moved = chance.choice(
                (
                    (first._replace(cents=first.cents + 100), *rest),
                    (first._replace(target="house/b-2"), *rest),
                    (first._replace(kind="winnings"), *rest),
                    (first, *rest, first),
                    tuple(rest),
                )
            )
            return [*entries[:place], written._replace(transfers=moved), *entries[place + 1 :]]
    return entries


def _beside(entries: list[Written], chance: Random) -> list[Written]:
    changes: dict[str, Any] = chance.choice(
        (
            {"at_ms": entries[0].at_ms - 100_000},
            {"label": "significant"},
            {"request": "table/a staff/pat r1"},
            {"kind": "card-dealt"},
            {"kind": "bet-placed"},
            {"day": "2026-11-19"},
            {"stream": "table/a"},
        )
    )
    return [entries[0]._replace(**changes), *entries[1:]]


def _left_out(entries: list[Written], chance: Random) -> list[Written]:
    return entries[1:]


def _twice(entries: list[Written], chance: Random) -> list[Written]:
    return [entries[0], *entries]


def _earlier(entries: list[Written], chance: Random) -> list[Written]:
    """One that comes later comes now."""
    place = chance.randrange(len(entries))
    return [entries[place], *entries[:place], *entries[place + 1 :]]
