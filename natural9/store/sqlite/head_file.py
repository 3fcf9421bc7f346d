"""The last head that was acknowledged, in a second place: what tells a journal that has lost its end from a whole one.

A journal cannot know by itself that its log was lost, or that it is an old copy. So before anything is acknowledged,
where the journal ends by then is written here and synced: whoever opens a journal that does not go so far refuses it.
"""

import os
import shlex
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from natural9.store.chain import START
from natural9.store.contract import Corrupt, Head, LostEntries
from natural9.store.sqlite.reader import Reader
from natural9.store.sqlite.rights import make_private
from natural9.store.sqlite.schema import make_durable

SLOT_BYTES = 512  # a disk writes as much as one


def head_path(path: Path) -> Path:
    """Of the journal at this path: journal.head beside journal.db."""
    return path.with_suffix(".head")


class HeadFile:
    """Two slots of text that are written in turn, so that a torn write leaves the one before it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = -1
        self._slot: int | None = None  # to be written next; None where the file is begun anew

    def read(self) -> Head | None:
        """None if there is no such file."""
        try:
            written = self.path.read_bytes()
        except FileNotFoundError:
            return None
        heads = [_decoded(written[start : start + SLOT_BYTES]) for start in (0, SLOT_BYTES)]
        last = max(filter(None, heads), default=None)
        if last is None:
            raise Corrupt(f"{self.path} is damaged")
        self._slot = 1 - heads.index(last)
        return last

    def forget(self) -> None:
        """What it says does not count any more, once something is written."""
        self._slot = None

    def write(self, head: Head) -> None:
        """Durable when it returns. The file has its size from the beginning, so that only its bytes are synced."""
        if self._slot is None:
            self._begin(head)
        else:
            os.pwrite(self._file, _encoded(head), self._slot * SLOT_BYTES)
            self._slot = 1 - self._slot

    def open(self) -> None:
        if self._slot is not None:
            self._file = os.open(self.path, os.O_WRONLY | os.O_DSYNC | os.O_CLOEXEC)

    def _begin(self, head: Head) -> None:
        part = self.path.with_name(self.path.name + ".part")
        make_private(part)
        part.write_bytes(_encoded(head) + b" " * SLOT_BYTES)
        make_durable(part)
        part.rename(self.path)
        make_durable(self.path.parent)
        self._slot = 1
        self.open()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)


class Heads:
    """All places where the last head of a journal is kept: beside it, and on another disk if there is a copy."""

    def __init__(self, journal: Path, copy: Path | None = None) -> None:
        self._journal = journal
        self._files = [HeadFile(head_path(journal)), *([HeadFile(copy)] if copy else [])]
        self._known = [self._read(file) for file in self._files]

    def _read(self, file: HeadFile) -> Head | Corrupt | None:
        try:
            return file.read()
        except Corrupt as damaged:
            return damaged

    def check(self, reader: Reader | None, head: Head, *, reading: bool = False) -> None:
        """LostEntries unless the journal, which ends with this head, goes through every head that was acknowledged.

        It may go further: what was committed and not yet acknowledged is there, too. Who only reads may have been
        given the journal alone.
        """
        for file, known in zip(self._files, self._known, strict=True):
            if known is None and not (reading or head.seq == 0):
                raise self._lost(f"{file.path} is missing, so that nobody knows how far {self._journal} went", head)
            if isinstance(known, Corrupt):
                raise self._lost(f"{known}, so that nobody knows how far {self._journal} went", head)
            if known and known != self._at(reader, known.seq, head):
                raise self._lost(self._difference(file.path, known, head), head, known)

    def _at(self, reader: Reader | None, seq: int, head: Head) -> Head | None:
        """Where the journal stood after this entry, if it goes so far."""
        if seq > head.seq:
            return None
        if seq == head.seq or reader is None:
            return head
        found = reader.entries(seq - 1, None, 1) if seq else []
        return found[0].head if found else START

    def _difference(self, file: Path, known: Head, head: Head) -> str:
        acknowledged = f"entry {known.seq} ({known.hash.hex()[:16]}) was acknowledged, says {file}"
        if head.seq < known.seq:
            many = known.seq - head.seq
            lost = f"{many} entries are lost" if many > 1 else "1 entry is lost"
            return f"{self._journal} ends with entry {head.seq} ({head.hash.hex()[:16]}), but {acknowledged}: {lost}"
        return f"{self._journal} has another entry {known.seq} than was acknowledged: {acknowledged}"

    def _lost(self, what: str, head: Head, known: Head | None = None) -> LostEntries:
        accept = f'natural9 accept-loss {shlex.quote(str(self._journal.parent))} --by ID --why "..."'
        logs = f"{self._journal.name}, {self._journal.name}-wal and {self._files[0].path.name}"
        out = f"put {logs} back as they were; if they are lost for good, {accept} goes on without them"
        return LostEntries(f"{what}; {out}", head, known)

    def open(self, *, anew: bool) -> None:
        """For writing; with `anew`, what was acknowledged before does not count from the next head on."""
        for file in self._files:
            if anew:
                file.forget()
            file.open()

    def write(self, head: Head) -> None:
        """Durable everywhere when it returns."""
        for file in self._files:
            file.write(head)

    def close(self) -> None:
        for file in self._files:
            file.close()


def _encoded(head: Head) -> bytes:
    """Such as people can read, with a checksum at its end."""
    line = b"entry %020d transfer %020d %s" % (head.seq, head.transfers, head.hash.hex().encode())
    return (b"%s %s" % (line, sha256(line).hexdigest().encode())).ljust(SLOT_BYTES - 1) + b"\n"


def _decoded(slot: Sequence[int]) -> Head | None:
    """None if it was never written, or not to its end."""
    fields = bytes(slot).split()
    try:
        head = Head(int(fields[1]), bytes.fromhex(fields[4].decode()), int(fields[3]))
    except (IndexError, ValueError):
        return None
    return head if _encoded(head) == bytes(slot) else None
