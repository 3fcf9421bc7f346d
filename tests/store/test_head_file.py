"""A journal that has lost its end, or is an old copy, does not pass for the one that was acknowledged."""

import errno
import os
import random
import shutil
from pathlib import Path

import pytest

from natural9.store.contract import Access, Corrupt, Head, LostEntries, StoreFailed
from natural9.store.opening import open_store
from natural9.store.sqlite.head_file import HeadFile, head_path
from tests.store.opening import append, audited, buy, closing_store, entry, folder
from tests.store.test_crash import killed_while_appending


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def appended(place: Path, entries: int = 1, head_copy: Path | None = None, cents: int = 5) -> None:
    async with closing_store(open_store(place, Access.WRITE, head_copy=head_copy)) as store:
        for _ in range(entries):
            await append(store, [entry(buy(1, cents))])


def refusal(place: Path, access: Access = Access.WRITE, head_copy: Path | None = None) -> LostEntries:
    with pytest.raises(LostEntries) as refused:
        open_store(place, access, head_copy=head_copy)
    return refused.value


# The file by itself.


def heads(many: int) -> list[Head]:
    return [Head(seq, bytes([seq]) * 32, seq * 2) for seq in range(1, many + 1)]


def opened(path: Path) -> HeadFile:
    file = HeadFile(path)
    file.read()
    file.open(anew=False)
    return file


def write(file: HeadFile, head: Head) -> None:
    before = head._replace(seq=head.seq - 1)
    file.write_pending(head, before)
    file.write_durable(head, before)


@pytest.fixture
def head_file(tmp_path: Path) -> Path:
    return tmp_path / "journal.head"


def test_the_last_head_is_read_again(head_file: Path) -> None:
    assert HeadFile(head_file).read() is None
    for head in heads(5):
        file = opened(head_file)
        write(file, head)
        write(file, again := head._replace(transfers=99, seq=head.seq + 1))
        file.close()
        assert HeadFile(head_file).read() == again
    assert head_file.stat().st_size == 1024
    assert head_file.stat().st_mode & 0o777 == 0o600
    HeadFile(head_file).close()


def test_what_is_pending_was_not_acknowledged(head_file: Path) -> None:
    first, second, third = heads(3)
    file = opened(head_file)
    file.write_pending(first, first)
    assert not head_file.exists(), "it begins with what is durable"
    file.write_durable(first, first)
    for before, head in ((first, second), (second, third)):
        file.write_pending(head, before)
        assert HeadFile(head_file).read() == before
        file.write_durable(head, before)
        assert HeadFile(head_file).read() == head
    file.close()


def test_a_pending_head_tells_of_the_one_before_though_that_is_damaged(head_file: Path) -> None:
    first, second = heads(2)
    file = opened(head_file)
    file.write_durable(first, first)
    file.write_pending(second, first)
    file.close()
    written = head_file.read_bytes()
    head_file.write_bytes(b"?" + written[1:])
    assert HeadFile(head_file).read() == first


def test_a_torn_write_leaves_the_one_before(head_file: Path) -> None:
    first, second, third = heads(3)
    file = opened(head_file)
    write(file, first)
    write(file, second)
    before = head_file.read_bytes()
    write(file, third)
    file.close()
    after = head_file.read_bytes()
    for cut in range(0, 512, 7):
        torn = after[:cut] + before[cut:]
        head_file.write_bytes(torn)
        assert HeadFile(head_file).read() == (third if torn == after else second)


def test_no_single_bit_is_taken_for_another_head(head_file: Path) -> None:
    file = opened(head_file)
    for head in heads(2):
        write(file, head)
    file.close()
    sound = head_file.read_bytes()
    for bit in random.Random(12).sample(range(len(sound) * 8), 500):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        head_file.write_bytes(flipped)
        assert HeadFile(head_file).read() in heads(2)


# The journal held against it.


async def test_a_log_that_is_gone_is_missed(path: Path) -> None:
    known = killed_while_appending(path.parent, appenders=3, after=50)
    path.with_name("journal.db-wal").unlink()
    path.with_name("journal.db-shm").unlink()
    found = HeadFile(head_path(path)).read()
    assert found
    assert found.seq > max(known), "acknowledged means that it stands there"
    refused = refusal(path)
    assert (
        f"journal.db ends with entry 0 (0000000000000000), but entry {found.seq} ({found.hash.hex()[:16]}) was"
        in str(refused)
    )
    assert f"acknowledged, says {head_path(path)}: {found.seq} entries are lost; put journal.db, " in str(refused)
    assert f'natural9 accept-loss {path.parent} --by ID --why "..." goes on without them' in str(refused)
    assert (refused.head.seq, refused.known) == (0, found)
    with pytest.raises(Corrupt, match="entries are lost"):
        open_store(path, Access.SERVE)
    with pytest.raises(Corrupt, match="entries are lost"):
        open_store(path, Access.READ)  # so that verify says it, too


async def test_a_log_that_is_refused_stays_and_may_be_mended(path: Path) -> None:
    killed_while_appending(path.parent, appenders=3, after=50)
    path.with_name("journal.db-shm").unlink()
    log = path.with_name("journal.db-wal")
    sound = log.read_bytes()
    chance = random.Random(5)
    for bit in chance.sample(range(32 * 8), 12):  # of its header
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        log.write_bytes(flipped)
        assert "entries are lost" in str(refusal(path))
        assert log.read_bytes() == flipped
    log.write_bytes(sound)
    found = HeadFile(head_path(path)).read()
    assert found
    assert (await audited(open_store(path, Access.WRITE))).entries >= found.seq


async def test_an_old_copy_is_refused(path: Path) -> None:
    await appended(path.parent, 3)
    shutil.copy(path, path.with_name("old"))
    await appended(path.parent, 4)
    shutil.copy(path.with_name("old"), path)
    refused = refusal(path)
    assert "journal.db ends with entry 3 (" in str(refused)
    assert "4 entries are lost" in str(refused)
    assert refused.known
    assert (refused.head.seq, refused.known.seq) == (3, 7)


async def test_another_history_is_refused(path: Path) -> None:
    """As long as the other, or longer; and a journal that was deleted is not begun anew."""
    await appended(path.parent, 3)
    kept = folder(path.parent / "kept")
    for file in (path, head_path(path)):
        shutil.move(file, kept / file.name)
    await appended(path.parent, 5, cents=6)
    shutil.copy(kept / "journal.head", path.parent)
    assert "journal.db has another entry 3 than was acknowledged: entry 3 (" in str(refusal(path))
    path.unlink()
    assert "journal.db ends with entry 0" in str(refusal(path.parent))
    assert not path.exists()


async def test_a_head_that_is_missing_or_damaged_is_named(path: Path) -> None:
    await appended(path.parent, 2)
    head_path(path).write_bytes(b"no head at all")
    damaged = refusal(path)
    assert f"{head_path(path)} is damaged, so that nobody knows how far {path} went" in str(damaged)
    assert (damaged.head.seq, damaged.known) == (2, None)
    assert "is damaged" in str(refusal(path, Access.READ))
    head_path(path).unlink()
    assert f"{head_path(path)} is missing, so that nobody knows how far {path} went" in str(refusal(path))
    assert (await audited(open_store(path, Access.READ))).entries == 2  # as an auditor was given it


async def test_what_was_committed_and_not_acknowledged_counts_from_then_on(path: Path) -> None:
    """Killed between the two: the journal goes further than the head, and through it."""
    begun = folder(path.parent / "begun")
    async with closing_store(open_store(path.parent, Access.WRITE)):
        shutil.copy(head_path(path), begun)
    await appended(path.parent, 3)
    shutil.copy(head_path(path), path.with_name("three"))
    await appended(path.parent, 2)
    for earlier in (path.with_name("three"), begun / "journal.head"):
        shutil.copy(earlier, head_path(path))
        await audited(open_store(path, Access.READ))
        await audited(open_store(path, Access.WRITE))
        head = HeadFile(head_path(path)).read()
        assert head
        assert head.seq == 5


async def test_a_power_cut_in_the_middle_of_a_commit_is_no_loss(path: Path) -> None:
    """The head is on the disk as pending, and the journal never got there."""
    await appended(path.parent, 3)
    file = opened(head_path(path))
    last = file.read()
    assert last
    file.write_pending(Head(9, b"9" * 32, 9), last)
    file.close()
    assert (await audited(open_store(path, Access.READ))).entries == 3
    await appended(path.parent)
    assert HeadFile(head_path(path)).read() == Head(4, (await last_hash(path)), 4)


async def last_hash(path: Path) -> bytes:
    async with closing_store(open_store(path, Access.READ)) as store:
        return (await store.head()).hash


async def test_a_head_that_cannot_be_written_stops_the_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not acknowledged may be there; what was, is."""
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry()])

        def full(*_: object) -> int:
            raise OSError(errno.EIO, "the other disk is gone")

        with monkeypatch.context() as failing:
            failing.setattr(os, "pwrite", full)
            with pytest.raises(StoreFailed, match="the other disk is gone"):
                await append(store, [entry()])
        with pytest.raises(StoreFailed, match="the other disk is gone"):
            await append(store, [entry()])
    assert (await audited(open_store(path, Access.WRITE))).entries in (1, 2)


async def test_a_loss_that_is_accepted_is_one_from_the_next_entry_on(path: Path) -> None:
    await appended(path.parent, 3)
    shutil.copy(path, path.with_name("old"))
    await appended(path.parent, 4)
    shutil.copy(path.with_name("old"), path)
    async with closing_store(open_store(path, Access.WRITE, accept_loss=True)):
        pass  # nothing was written, and so nothing was accepted
    refusal(path)
    async with closing_store(open_store(path, Access.WRITE, accept_loss=True)) as store:
        assert await append(store, [entry()]) == 4
        assert await append(store, [entry()]) == 5
    await appended(path.parent)
    assert (await audited(open_store(path, Access.WRITE))).entries == 6
    path.unlink()
    async with closing_store(open_store(path.parent, Access.WRITE, accept_loss=True)) as store:
        assert await append(store, [entry()]) == 1
    await appended(path.parent)


async def test_a_copy_on_another_disk_finds_out_that_the_whole_folder_is_old(tmp_path: Path) -> None:
    venue, disk = folder(tmp_path / "venue"), folder(tmp_path / "disk")
    copy = disk / "natural9.head"
    await appended(venue, 2, copy)
    shutil.copytree(venue, tmp_path / "old")
    await appended(venue, 2, copy)
    async with closing_store(open_store(venue, Access.SERVE, head_copy=copy)) as store:
        await append(store, [entry()])
    assert copy.read_bytes().split()[1:2] == (venue / "journal.head").read_bytes().split()[1:2]
    shutil.rmtree(venue)
    shutil.copytree(tmp_path / "old", venue)
    await appended(venue, 0)  # by itself it looks whole
    refused = str(refusal(venue, head_copy=copy))
    assert "journal.db ends with entry 2" in refused
    assert (
        f"entry 5 ({refused.partition('entry 5 (')[2][:16]}) was acknowledged, says {copy}: 3 entries are lost"
        in refused
    )
    copy.unlink()
    assert f"{copy} is missing" in str(refusal(venue, head_copy=copy))
