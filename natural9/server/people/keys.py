"""The venue's keys: one file of secrets, from each of which others are derived by their purpose.

The file ends with a checksum: a bit that has changed in a former key would else be found by a player, at the desk.
"""

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.disk.durable import draft_of, remove_if_there, replace_file

KEY_FILE: Final = "venue.key"
KEY_BYTES: Final = 32

Keys = tuple[bytes, ...]


def venue_keys(folder: Path) -> Keys:
    """The keys in the folder of a venue; none if they were never made. Which one is in use, its `Keyring` knows."""
    path = folder / KEY_FILE
    written = read_private(path, "every sign-in rests on it")
    return () if written is None else parse_keys(path, written)


def read_private(path: Path, why: str) -> bytes | None:
    """What is in a file of secrets; None if there is none. One that others can read is refused, and `why` says why."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        written = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput("bad-key", f"{path}: {error.strerror}") from None
    if os.name == "posix" and mode & 0o077:
        raise BadInput("bad-key", f"{path} can be read by others (mode {mode:o}); {why}: chmod 600 {path}")
    return written


def parse_keys(path: Path, written: bytes) -> Keys:
    """What stands in a key file; BadInput names the file if that is none."""
    keys, checksum = written[:-KEY_BYTES], written[-KEY_BYTES:]
    if not keys or len(keys) % KEY_BYTES:
        why = f"{path} holds {len(written)} bytes, and {KEY_BYTES} are due for each key and its checksum"
        raise BadInput("bad-key", f"{why}; restore it from the backup")
    if hashlib.sha256(keys).digest() != checksum:
        raise BadInput("bad-key", f"{path} is damaged, its checksum is wrong: restore it from the backup")
    return tuple(keys[at : at + KEY_BYTES] for at in range(0, len(keys), KEY_BYTES))


def save_keys(folder: Path, keys: Sequence[bytes]) -> None:
    """Durable when it returns, readable by its owner alone, and never half written: a crash leaves the file before.

    For who has opened the venue's records for writing, so that nobody else does it at the same time.
    """
    joined = b"".join(keys)
    save_private(folder / KEY_FILE, joined + hashlib.sha256(joined).digest())


def save_private(path: Path, data: bytes) -> None:
    """Any file of secrets, in the same way."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise BadInput("bad-key", f"{path} cannot be written: {error.strerror}") from None


def remove_draft(folder: Path, name: str = KEY_FILE) -> Path:
    """What a process that was killed was writing: nothing rests on it."""
    draft = draft_of(folder / name)
    remove_if_there(draft)
    return draft


def new_key(random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    return random_bytes(KEY_BYTES)


def key_id(key: bytes) -> str:
    """The name of a key, which tells nothing about it."""
    return subkey(key, "name").hex()[:16]


def subkey(key: bytes, purpose: str) -> bytes:
    """A key for one purpose only: what signs a cookie can never pass for what signs a voucher."""
    return hmac.new(key, f"natural9 {purpose}".encode(), hashlib.sha256).digest()
