"""Files that are whole and durable, or not there."""

import os
from pathlib import Path

import pytest

from natural9.disk import durable
from natural9.disk.calls import DiskCalls, another_disk, disk


class Notes(DiskCalls):
    """The system's calls, noted."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def write(self, file: int, data: bytes, at: int) -> None:
        super().write(file, data, at)
        self.noted.append("write")

    def sync(self, file: int) -> None:
        super().sync(file)
        self.noted.append(f"sync {Path(f'/proc/self/fd/{file}').readlink().name}")

    def rename(self, path: Path, to: Path) -> None:
        super().rename(path, to)
        self.noted.append(f"rename {path.name} {to.name}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "venue").mkdir()
    return tmp_path / "venue"


def test_a_file_is_synced_before_it_gets_its_name_and_the_name_is_synced_after(folder: Path) -> None:
    (folder / "key.part").write_bytes(b"what a power cut left")
    (folder / "key").write_bytes(b"before")
    with another_disk(notes := Notes()):
        durable.replace_file(folder / "key", b"now")
    assert notes.noted == ["write", "sync key.part", "rename key.part key", "sync venue"]
    assert (folder / "key").read_bytes() == b"now"
    assert (folder / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["key"]
    assert type(disk()) is DiskCalls


def test_a_folder_is_made_with_those_above_it_and_each_name_synced(tmp_path: Path) -> None:
    with another_disk(notes := Notes()):
        durable.make_durable_folder(tmp_path / "backups" / "monday")
        durable.make_durable_folder(tmp_path / "backups" / "monday")
    assert notes.noted == [f"sync {tmp_path.name}", "sync backups"]
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        durable.make_durable_folder(tmp_path / "file")


def test_what_nothing_rests_on_is_overwritten_and_not_synced(folder: Path) -> None:
    with another_disk(notes := Notes()):
        durable.overwrite(folder / "alive", b"a long line")
        durable.overwrite(folder / "alive", b"short")
    assert (folder / "alive").read_bytes() == b"short"
    assert notes.noted == ["write", "write"]


def test_what_is_written_again_stays_as_it_is(folder: Path) -> None:
    (folder / "log").write_bytes(b"written")
    with another_disk(notes := Notes()):
        durable.write_again(folder / "log")
    assert (folder / "log").read_bytes() == b"written"
    assert notes.noted == ["write", "sync log"]


def test_a_write_that_the_disk_took_a_part_of_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = disk().open(folder / "key", os.O_CREAT | os.O_WRONLY)
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: len(data) - 1)
    with pytest.raises(OSError, match="No space left"):
        disk().write(file, b"all of it", 0)
    disk().truncate(file, 0)
    disk().close(file)


def test_what_is_not_there_need_not_be_removed(folder: Path) -> None:
    durable.remove_if_there(folder / "key.part")
    durable.make_private(folder / "key.part")
    durable.remove_if_there(folder / "key.part")
    assert list(folder.iterdir()) == []
