"""The venue's key file: made whole or not at all, kept from others, each key derived by purpose."""

import stat
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.server.people.keys import KEY_FILE, key_id, new_key, save_keys, subkey, venue_keys


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    assert venue_keys(tmp_path) == ()
    for keys in ((new_key(),), (new_key(), new_key(), new_key())):
        save_keys(tmp_path, keys)
        assert venue_keys(tmp_path) == keys
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE], "no draft is left behind"


def test_no_key_is_made_twice() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == len({key_id(key) for key in keys}) == 100
    assert {len(key) for key in keys} == {32}


def test_a_key_is_not_seen_in_its_name() -> None:
    key = new_key()
    assert bytes.fromhex(key_id(key)) not in key


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    save_keys(tmp_path, [new_key()])
    (tmp_path / KEY_FILE).chmod(mode)
    with pytest.raises(BadInput, match="can be read by others") as refused:
        venue_keys(tmp_path)
    assert "chmod 600" in refused.value.message


@pytest.mark.parametrize("written", [b"", b"short", bytes(32), bytes(33), bytes(95)])
def test_half_a_key_is_refused(tmp_path: Path, written: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(written)
    (tmp_path / KEY_FILE).chmod(0o600)
    with pytest.raises(BadInput, match=f"holds {len(written)} bytes"):
        venue_keys(tmp_path)


def test_a_single_bit_that_has_changed_is_found(tmp_path: Path) -> None:
    """In the key in use, in a former one that only a voucher needs, and in the checksum."""
    save_keys(tmp_path, [new_key(), new_key()])
    sound = (tmp_path / KEY_FILE).read_bytes()
    for bit in range(0, len(sound) * 8, 7):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        (tmp_path / KEY_FILE).write_bytes(flipped)
        with pytest.raises(BadInput, match="is damaged, its checksum is wrong: restore it from the backup"):
            venue_keys(tmp_path)


def test_a_key_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        save_keys(tmp_path / "nowhere", [new_key()])
    (tmp_path / KEY_FILE).mkdir()
    with pytest.raises(BadInput, match="Is a directory"):
        venue_keys(tmp_path)


def test_what_a_killed_process_was_writing_does_not_count(tmp_path: Path) -> None:
    keys = (new_key(),)
    save_keys(tmp_path, keys)
    (tmp_path / f"{KEY_FILE}.part").write_bytes(b"half")
    assert venue_keys(tmp_path) == keys
    save_keys(tmp_path, keys)
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_each_purpose_has_a_key_of_its_own() -> None:
    keys = {subkey(bytes(32), purpose) for purpose in ("session", "csrf", "shoes", "vouchers", "name")}
    assert len(keys) == 5
    assert subkey(bytes(32), "session") != subkey(b"\1" * 32, "session")
