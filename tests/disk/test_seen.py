"""What nobody may see is not there, and nothing raises."""

from pathlib import Path

import pytest

from natural9.disk.seen import is_file, is_there


def test_what_there_is(tmp_path: Path) -> None:
    (file := tmp_path / "file").touch()
    assert [is_there(file), is_file(file)] == [True, True]
    assert [is_there(tmp_path), is_file(tmp_path)] == [True, False]
    for none in (tmp_path / "none", file / "below", Path("a\0b")):
        assert [is_there(none), is_file(none)] == [False, False]


def test_what_may_not_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)  # root may see everything
    assert [is_there(Path("/x")), is_file(Path("/x"))] == [False, False]
