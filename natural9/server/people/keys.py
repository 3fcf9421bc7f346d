"""The venue's key: one secret in one file, from which every other is derived by its purpose."""

import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from natural9.core.errors import BadInput

KEY_FILE = "venue.key"
KEY_BYTES = 32


def venue_key(folder: Path) -> bytes:
    """The key of the venue in this folder; the first call makes it, readable by its owner alone."""
    path = folder / KEY_FILE
    with suppress(FileExistsError):
        return _create(path)
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        key = path.read_bytes()
    except OSError as error:
        raise BadInput("bad-key", f"{path}: {error.strerror}") from None
    if os.name == "posix" and mode & 0o077:
        raise BadInput(
            "bad-key", f"{path} can be read by others (mode {mode:o}); every sign-in rests on it: chmod 600 {path}"
        )
    if len(key) != KEY_BYTES:
        raise BadInput("bad-key", f"{path} holds {len(key)} bytes, a key has {KEY_BYTES}; restore it from the backup")
    return key


def _create(path: Path) -> bytes:
    """A new key under its final name only when it is whole, so that a crash never leaves half of one."""
    if path.exists():
        raise FileExistsError
    key = secrets.token_bytes(KEY_BYTES)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # unlike a rename it never takes the place of a key that another process made first
    except FileExistsError:
        raise
    except OSError as error:
        raise BadInput("bad-key", f"{path} cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return key


def subkey(key: bytes, purpose: str) -> bytes:
    """A key for one purpose only: what signs a cookie can never pass for what signs a voucher."""
    return hmac.new(key, f"natural9 {purpose}".encode(), hashlib.sha256).digest()
