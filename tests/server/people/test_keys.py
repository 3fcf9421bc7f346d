"""The venue's key: made once, kept from others, derived by purpose."""

import stat
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.server.people.keys import KEY_FILE, subkey, venue_key


def test_it_is_made_once_and_read_again(tmp_path: Path) -> None:
    key = venue_key(tmp_path)
    assert len(key) == 32
    assert venue_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE], "no draft is left behind"


def test_two_venues_have_two_keys(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    assert venue_key(tmp_path / "one") != venue_key(tmp_path / "two")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    venue_key(tmp_path)
    (tmp_path / KEY_FILE).chmod(mode)
    with pytest.raises(BadInput, match="can be read by others") as refused:
        venue_key(tmp_path)
    assert "chmod 600" in refused.value.message


def test_half_a_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"short")
    (tmp_path / KEY_FILE).chmod(0o600)
    with pytest.raises(BadInput, match="holds 5 bytes"):
        venue_key(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        venue_key(tmp_path / "nowhere")


def test_each_purpose_has_a_key_of_its_own() -> None:
    keys = {subkey(bytes(32), purpose) for purpose in ("session", "csrf", "one-time-code", "enrolment")}
    assert len(keys) == 4
    assert subkey(bytes(32), "session") != subkey(b"\1" * 32, "session")
