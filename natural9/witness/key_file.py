"""The witness's own key: made on first use, and never anybody else's to read."""

import os
import secrets
import stat
from hashlib import sha256
from pathlib import Path

from natural9.disk.durable import replace_file
from natural9.proof.signed_note import COSIGNATURE, KEY_BYTES, BadNote, SigningKey
from natural9.witness.trouble import WitnessFailed


def open_key(path: Path, name: str) -> tuple[SigningKey, bool]:
    """The key in this file; where there is none, a new one by this name, or by one made from the key (and True)."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return _make_key(path, name), True
    except OSError as error:
        raise WitnessFailed(f"the key {path} cannot be read: {error.strerror}") from None
    with os.fdopen(handle, "rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & 0o077:
            raise WitnessFailed(
                f"{path} can be read by others (mode {mode:o}), who could cosign in your name: chmod 600 {path}"
            )
        written = file.read(1000)
    try:
        key = SigningKey.parse(written.decode().strip())
    except (BadNote, UnicodeDecodeError) as error:
        raise WitnessFailed(f"{path} is not a witness's key: {error}") from None
    if key.kind != COSIGNATURE:
        raise WitnessFailed(f"{path} is not a witness's key: it signs something else")
    if name and name != key.name:
        raise WitnessFailed(f"the key in {path} is named {key.name}: leave out --name, or give another --key")
    return key, False


def _make_key(path: Path, name: str) -> SigningKey:
    secret = secrets.token_bytes(KEY_BYTES)
    try:
        draft = SigningKey("draft", COSIGNATURE, secret)
        key = SigningKey(name or f"witness/{sha256(draft.verifier.public).hexdigest()[:8]}", COSIGNATURE, secret)
    except BadNote as error:
        raise WitnessFailed(str(error)) from None
    try:
        replace_file(path, f"{key.written}\n".encode())
    except OSError as error:
        raise WitnessFailed(f"the key {path} cannot be made: {error.strerror}") from None
    return key
