"""The last entry of each stream that a node knows to be durable, in a file beside the venue.

A database that has lost commits is as sound as ever, and a process that ended remembers nothing. So the heads are kept
here, too, a moment after they were acknowledged: whoever opens the records again holds them against the database.
"""

import logging
import re
import shlex
import threading
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from natural9.disk.durable import replace_file
from natural9.store.contract import Head, LostEntries, StoreFailed, StreamHead
from natural9.store.postgres.connection import DatabaseConnection
from natural9.store.postgres.schema import accepted_losses, loss_of, note_loss

HEADS_FILE: Final = "journal.heads."  # and the node's name
PAUSE_S: Final = 0.2  # between two writings
HASH_AT = "SELECT hash FROM journal WHERE stream = $1 AND number = $2"


class KnownHeads(msgspec.Struct):
    accepted: int  # how many losses a person had accepted by then: what was lost before does not count any more
    heads: dict[str, tuple[int, bytes]] = {}  # the number and the hash of the last entry, by stream


_log = logging.getLogger(__name__)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(KnownHeads).decode


def check_node_name(name: str) -> str:
    """The same, or StoreFailed."""
    if not _NAME.fullmatch(name):
        raise StoreFailed(f"{name[:60]!r} is no name for a node: 1 to 40 letters, digits, hyphens and underscores")
    return name


def heads_file(folder: Path, node: str) -> Path:
    return folder / (HEADS_FILE + check_node_name(node))


def heads_files(folder: Path) -> list[Path]:
    """Of all nodes that ever wrote from this folder."""
    return sorted(path for path in folder.glob(HEADS_FILE + "*") if _NAME.fullmatch(path.name[len(HEADS_FILE) :]))


def check_loss(connection: DatabaseConnection, head: Head, folder: Path | None, files: Iterable[Path]) -> None:
    """LostEntries where somebody found that commits were lost, or one of these files of the folder names an entry that
    is not there."""
    words = loss_of(connection)
    for path in files:
        words = words or _loss(connection, path)
    if words:
        accept = f'natural9 accept-loss {shlex.quote(str(folder or "VENUE"))} --by ID --why "..."'
        out = f"go back to a server that has them; if they are lost for good, stop every node, then {accept}"
        raise LostEntries(f"{words}; {out}", head, None)


def _loss(connection: DatabaseConnection, path: Path) -> str:
    """What is missing by this file. Whoever finds it tells everybody, through the database."""
    try:
        known = read_heads(path)
    except ValueError:
        return f"{path} is damaged, so that nobody knows how far {connection.name} went"
    if known.accepted >= accepted_losses(connection):
        for stream, (number, hashed) in sorted(known.heads.items()):
            if [row[0] for row in connection.fetch(HASH_AT, stream, number)] != [hashed]:
                said = f"entry {number} of {stream} ({hashed.hex()[:16]}) was acknowledged, says {path}"
                words = f"{connection.name} has lost commits: {said}, and is not there"
                note_loss(connection, words)
                return words
    return ""


def read_heads(path: Path) -> KnownHeads:
    """ValueError if it is damaged."""
    try:
        checksum, _, kept = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return KnownHeads(0)
    if sha256(kept).hexdigest().encode() != checksum:
        raise ValueError
    return _decode(kept)


class HeadsKeeper:
    """Writes the file of one node, by a thread of its own: no commit waits for it."""

    def __init__(self, path: Path, accepted: int) -> None:
        """What was kept before the last loss that was accepted does not count any more."""
        self._path = path
        known = read_heads(path)
        self._known = known if known.accepted >= accepted else KnownHeads(accepted)
        self._writing = threading.Lock()
        self._changed = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._keep, name=f"writer of {path}", daemon=True)
        self._thread.start()

    def note(self, heads: Mapping[str, StreamHead]) -> None:
        for stream, (number, hashed, _) in heads.items():
            assert hashed is not None  # it was written
            self._known.heads[stream] = number, hashed
        self._changed.set()

    def flush(self) -> None:
        """On the disk when it returns. A disk that is full stops no table: it is tried again, and said."""
        with self._writing:
            if self._changed.is_set():
                self._changed.clear()
                try:
                    self._write()
                except OSError as error:
                    self._changed.set()
                    _log.warning("%s cannot be written: %s", self._path, error)

    def _write(self) -> None:
        kept = _encode(KnownHeads(self._known.accepted, self._known.heads.copy()))
        replace_file(self._path, sha256(kept).hexdigest().encode() + b"\n" + kept)

    def _keep(self) -> None:
        while not self._closing.wait(PAUSE_S):
            self._changed.wait()
            self.flush()

    def close(self) -> None:
        self._closing.set()
        self._changed.set()
        self._thread.join()
        self.flush()
