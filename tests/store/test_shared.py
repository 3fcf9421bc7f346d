"""Several who write one journal in a database: each stream by who has taken it over, and nobody else."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from natural9.store.chain import STREAM_START
from natural9.store.contract import Access, Entry, NoLongerOwner, Overdrawn, Transfer
from natural9.store.group import Outcome, Writing, owning
from natural9.store.opening import open_store
from natural9.store.postgres.connection import DatabaseConnection
from natural9.store.postgres.shared import SharedCommitter, open_shared_committer
from tests.store.opening import audited, bet, buy, entry
from tests.store.postgres_server import address, new_place, psql


@pytest.fixture
def place() -> Path:
    return new_place()


def write(one: SharedCommitter, *entries: Entry) -> Outcome:
    """After all that it knows of."""
    after = one._book.streams.get(entries[0].stream, STREAM_START)
    [outcome] = one.commit([Writing(entries, after.number, after.hash)]).outcomes
    return outcome


def claim(one: SharedCommitter, stream: str) -> int:
    """As its node's lease would."""
    [[epoch]] = one._connection.fetch(
        "INSERT INTO stream VALUES ($1, 1, $2, 0, $3, 0) ON CONFLICT (name) DO UPDATE SET epoch = stream.epoch + 1,"
        " owner = excluded.owner RETURNING epoch",
        stream,
        one._owner,
        bytes(32),
    )
    return int(epoch)


def take(one: SharedCommitter, *streams: str) -> None:
    for stream in streams:
        [outcome] = one.commit([owning(stream, claim(one, stream))]).outcomes
        assert isinstance(outcome, int), outcome


@pytest.fixture
def pair(place: Path) -> Iterator[tuple[SharedCommitter, SharedCommitter]]:
    """Two who write with others."""
    one = open_shared_committer(address(place), "one", None)
    with closing(one), closing(open_shared_committer(address(place), "other", None)) as other:
        yield one, other


def test_who_lost_a_stream_is_told_and_the_others_go_on(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    one, other = pair
    take(one, "table/1", "venue")
    assert write(one, entry(documents=(("shoe/1", b"a"),))) == 1
    assert write(one, entry(stream="venue")) == 1
    first = one._book.streams["table/1"]
    take(other, "table/1")
    assert write(other, entry(documents=(("shoe/1", b"b"),))) == 2
    refused, fine = one.commit(
        [Writing((entry(),), first.number, first.hash), Writing((entry(stream="venue"),), 1, None)]
    ).outcomes
    assert isinstance(refused, NoLongerOwner)
    assert "table/1, which ends with entry 2, is written by other now: this writer stops" in str(refused)
    assert fine == 2
    assert one.is_able
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 4


def test_documents_and_money_of_others_are_what_they_are_by_now(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    """Neither knows what the other wrote until the database says so."""
    one, other = pair
    take(one, "table/1")
    take(other, "venue")
    voucher = Transfer("voucher-out", "house/1", "voucher/9", 500)
    paid = Transfer("voucher-paid", "voucher/9", "desk/1", 500)
    assert write(one, entry(voucher, documents=(("voucher/9", b"new"), ("card", b"x")))) == 1
    assert write(other, entry(paid, stream="venue", documents=(("voucher/9", None),))) == 1
    second = write(one, entry(paid))
    assert isinstance(second, Overdrawn)
    assert str(second) == "voucher/9 would fall to -500 cents"
    again = entry(documents=(("voucher/9", b"anew"), ("card", None), ("never", None)))
    assert write(one, again) == 2
    assert write(other, entry(stream="venue", documents=(("never", None), ("card", b"y")))) == 2
    found = asyncio.run(audited(open_store(place, Access.READ)))
    assert (found.entries, found.documents, found.accounts) == (4, 2, 2)


def test_a_short_account_that_was_paid_in_meanwhile_pays(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    take(one, "table/1")
    take(other, "venue")
    refused = one._overdrawn

    def paid_in_meanwhile(entries: Any) -> Overdrawn | None:
        assert write(other, entry(buy(1, 5), stream="venue")) == 1
        return refused(entries)

    monkeypatch.setattr(one, "_overdrawn", paid_in_meanwhile)
    assert write(one, entry(bet(1, 5))) == 1
    assert psql(place, "SELECT account, cents FROM balance ORDER BY 1") == "desk/1|-5\nstake/1|5"


def test_several_who_write_at_once_make_one_journal(place: Path) -> None:
    """Money goes round between them all the time: whatever order places are given in, nobody is short on the way."""
    writers = 4

    def work(number: int) -> None:
        stream = f"table/{number}"
        mine, next_one = f"credit/{number}", f"credit/{(number + 1) % writers}"
        with closing(open_shared_committer(address(place), f"node{number}", None)) as one:
            take(one, stream)
            assert write(one, entry(Transfer("buy", "desk/1", mine, 100), stream=stream)) == 1
            for turn in range(25):
                at = one._book.streams[stream]
                moved = entry(Transfer("pay", mine, next_one, 40), stream=stream)
                outcome = write(one, moved, entry(stream=stream, documents=(("last", b"%d" % number),)))
                assert outcome == at.number + 1 or isinstance(outcome, Overdrawn), outcome
                if turn % 8 == number:
                    with closing(DatabaseConnection(address(place))) as giving:
                        giving.fetch("SELECT give_places()")

    failed: list[BaseException] = []

    def noted(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=noted, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert asyncio.run(audited(open_store(place, Access.READ))).entries > writers
