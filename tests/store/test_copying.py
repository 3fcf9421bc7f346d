"""Records carried from one kind of store to another, whole or not at all."""

import asyncio
from pathlib import Path

import pytest

from natural9.store import copying
from natural9.store.audit import audit
from natural9.store.contract import Access, Checkpoint, Store, StoreFailed
from natural9.store.copying import copy_all
from natural9.store.opening import begin_copy, copy_records, find_records, open_store, retire_records
from natural9.store.postgres.address import ADDRESS_FILE
from tests.store.opening import append, audited, bet, buy, closing_store, entry, folder
from tests.store.postgres_server import new_place

KINDS = ("sqlite", "postgres")


def place_of(kind: str, path: Path) -> Path:
    return folder(path) if kind == "sqlite" else new_place()


async def fill(store: Store) -> None:
    documents = (("shoe/1", b"a"), ("shoe/2", b"\xff\x00"))
    await append(store, [entry(buy(1, 500), buy(2, 5), documents=documents), entry(label="round/1", request="a\0b")])
    for number in range(300):
        await append(store, [entry(bet(1, 1), stream=f"table/{number % 3}", day=f"2026-11-{number % 9 + 10}")])
    await append(store, [entry(stream="venue", documents=(("shoe/1", None),))])
    for size in (0, 7, 303):
        await store.keep_checkpoint(Checkpoint(size, f"note {size}"))


async def all_of(store: Store) -> tuple[object, ...]:
    return (
        await store.head(), await store.entries(limit=1000), await store.tree(), await store.stream_heads(),
        await store.balances(), await store.meters(), await store.documents(""), await store.checkpoints(),
        await store.transfers(account="stake/1"), await store.labelled("round/1"), await store.asked(["a\0b"]),
        await store.tree_hashes([(0, 256)]), (await audit(store)).entries,
    )  # fmt: skip


async def copied(source: Store, target: Path) -> None:
    copy = await asyncio.to_thread(begin_copy, target)
    try:
        await copy_all(source, copy)
        await asyncio.to_thread(copy.open)
    finally:
        await asyncio.to_thread(copy.close)


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("source", KINDS)
async def test_everything_is_there_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, target: str
) -> None:
    monkeypatch.setattr(copying, "PAGE", 100)
    to = place_of(target, tmp_path / "to")
    async with closing_store(open_store(place_of(source, tmp_path / "from"), Access.WRITE)) as store:
        await fill(store)
        await copied(store, to)
        before = await all_of(store)
    async with closing_store(open_store(to, Access.WRITE)) as moved:
        assert await all_of(moved) == before
        assert await append(moved, [entry(bet(1, 1)), entry(documents=(("shoe/2", b"b"),))]) == 103
        assert (await audit(moved)).entries == 305


@pytest.mark.parametrize("target", KINDS)
async def test_nothing_at_all_is_copied_too(tmp_path: Path, target: str) -> None:
    to = folder(tmp_path / "to") if target == "sqlite" else new_place(made=False)
    async with closing_store(open_store(new_place(), Access.WRITE)) as store:
        await copied(store, to)
    async with closing_store(open_store(to, Access.WRITE)) as moved:
        assert await append(moved, [entry()]) == 1
        assert (await audit(moved)).entries == 1


async def test_a_copy_that_was_cut_short_is_refused_and_begun_anew(tmp_path: Path) -> None:
    places = [folder(tmp_path / "to"), new_place()]
    async with closing_store(open_store(new_place(), Access.WRITE)) as store:
        await fill(store)
        for place in places:
            copy = await asyncio.to_thread(begin_copy, place)
            await asyncio.to_thread(copy.add, await store.entries())
            await asyncio.to_thread(copy.close)
            with pytest.raises(StoreFailed, match=r"is unfinished: a move into it|nothing was ever recorded there"):
                open_store(place, Access.READ)
            finished = await asyncio.to_thread(begin_copy, place)
            await copy_all(store, finished)
            assert (await audited(open_store(finished.place, Access.READ))).entries == 303  # to be verified
            await asyncio.to_thread(finished.close)
            await copied(store, place)
            assert (await audited(open_store(place, Access.WRITE))).entries == 303


async def test_what_has_records_is_not_overwritten(tmp_path: Path) -> None:
    place = new_place()
    for full in (tmp_path, place):
        async with closing_store(open_store(full, Access.WRITE)) as store:
            await append(store, [entry()])
        with pytest.raises(StoreFailed, match=r"nothing is overwritten|exists already and is not overwritten"):
            begin_copy(full)
        assert (await audited(open_store(full, Access.READ))).entries == 1
    with pytest.raises(StoreFailed, match="there is no folder"):
        begin_copy(tmp_path / "nowhere" / "journal.db")


async def test_a_copy_for_safety_is_a_file(tmp_path: Path) -> None:
    async with closing_store(open_store(new_place(), Access.WRITE)) as store:
        await fill(store)
        assert store.place is not None
        copy = copy_records(store.place, folder(tmp_path / "copy"))
        assert [file.name for file in copy.parent.iterdir()] == ["journal.db"]
        async with closing_store(open_store(copy, Access.READ)) as still:
            assert await all_of(still) == await all_of(store)


async def test_nobody_goes_on_with_what_was_moved(tmp_path: Path) -> None:
    """A folder says where its records are; a file is kept under another name; a database says so itself."""
    await open_store(tmp_path, Access.WRITE).close()
    place = new_place()
    retire_records(tmp_path, place)
    assert find_records(tmp_path) == find_records(place)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "journal.db.lock", "journal.db.moved", "journal.head.moved", ADDRESS_FILE
    ]  # fmt: skip
    retire_records(tmp_path, tmp_path / "journal.db")
    assert find_records(tmp_path) is None
    await open_store(tmp_path, Access.WRITE).close()
    retire_records(tmp_path, new_place())
    assert (tmp_path / "journal.db.moved").exists()
    assert (tmp_path / "journal.db.moved1").exists()
    with pytest.raises(StoreFailed, match=r"were moved to .*journal\.db: open them there"):
        open_store(place, Access.WRITE)
    other = new_place()
    retire_records(other, folder(tmp_path / "other"))
    with pytest.raises(StoreFailed, match="were moved to"):
        open_store(other, Access.WRITE)
    alone = folder(tmp_path / "alone")
    await open_store(alone, Access.WRITE).close()
    retire_records(alone / "journal.db", other)
    assert find_records(alone) is None
    copy = copy_records(place, alone)  # which has no head beside it
    retire_records(copy, other)
    assert sorted(file.name for file in alone.glob("*.moved*")) == [
        "journal.db.moved", "journal.db.moved1", "journal.head.moved"
    ]  # fmt: skip
