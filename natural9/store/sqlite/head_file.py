"""The last head that was acknowledged, in a second place: what tells a journal that has lost its end from a whole one.

A journal cannot know by itself that its log was lost, or that it is an old copy. So before anything is acknowledged,
where the journal ends by then is written here and synced: whoever opens a journal that does not go so far refuses it.

It is synced while the journal is, by a thread of its own, since one after the other would take twice as long. So a
head is first written as pending, after the one before it, and as durable once both are: one that is pending when the
power fails was not acknowledged, and the journal need not go so far.
"""

import os
import shlex
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from natural9.disk.calls import disk
from natural9.disk.durable import replace_file
from natural9.store.chain import START
from natural9.store.contract import Corrupt, Head, LostEntries
from natural9.store.sqlite.reader import Reader

SLOT_BYTES = 512  # a disk writes as much as one


def head_path(path: Path) -> Path:
    """Of the journal at this path: journal.head beside journal.db."""
    return path.with_suffix(".head")


class Kept(NamedTuple):
    """What stands in a slot."""

    head: Head
    before: Head
    durable: bool

    @property
    def acknowledged(self) -> Head:
        return self.head if self.durable else self.before


class HeadFile:
    """Two slots of text that are written in turn, so that a torn write leaves the one before it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = self._plain = -1
        self._slot: int | None = None  # to be written next; None where the file is begun anew

    def read(self) -> Head | None:
        """The last that was acknowledged; None if there is no such file."""
        try:
            written = self.path.read_bytes()
        except FileNotFoundError:
            return None
        slots = [_decoded(written[start : start + SLOT_BYTES]) for start in (0, SLOT_BYTES)]
        last = max(filter(None, slots), key=lambda kept: (kept.head.seq, kept.durable), default=None)
        if last is None:
            raise Corrupt(f"{self.path} is damaged")
        self._slot = 1 - slots.index(last)
        return last.acknowledged

    def open(self, *, anew: bool) -> None:
        """For writing; with `anew`, what it says does not count any more once another head is durable."""
        if anew:
            self._slot = None
        if self._slot is not None:
            self._synced = disk().open(self.path, os.O_WRONLY | os.O_DSYNC)
            self._plain = disk().open(self.path, os.O_WRONLY)

    def write_pending(self, head: Head, before: Head) -> None:
        """On the disk when it returns. The file has its size from the beginning, so that only its bytes are synced."""
        if self._slot is not None:
            disk().write(self._synced, _encoded(Kept(head, before, durable=False)), self._slot * SLOT_BYTES)

    def write_durable(self, head: Head, before: Head) -> None:
        """The same head once the journal is on the disk, too; this is synced with the next."""
        if self._slot is None:
            self._begin(Kept(head, before, durable=True))
        else:
            disk().write(self._plain, _encoded(Kept(head, before, durable=True)), self._slot * SLOT_BYTES)
            self._slot = 1 - self._slot

    def _begin(self, kept: Kept) -> None:
        replace_file(self.path, _encoded(kept) + b" " * SLOT_BYTES)
        self._slot = 1
        self.open(anew=False)

    def close(self) -> None:
        if self._plain >= 0:
            try:
                disk().sync(self._plain)
            finally:
                disk().close(self._plain)
                disk().close(self._synced)


class Heads:
    """All places where the last head of a journal is kept: beside it, and on another disk if there is a copy."""

    def __init__(self, journal: Path, copy: Path | None = None) -> None:
        self._journal = journal
        self._files = [HeadFile(head_path(journal)), *([HeadFile(copy)] if copy else [])]
        self._known = [self._read(file) for file in self._files]
        self._threads = ThreadPoolExecutor(len(self._files), thread_name_prefix="head")
        self._pending: list[Future[None]] = []
        self._last = self._next = START

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
        return head if seq == head.seq or reader is None else reader.head_at(seq)

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

    def open(self, head: Head, *, anew: bool) -> None:
        """For writing, from this head of the journal on; with `anew`, whatever was acknowledged before."""
        self._last = head
        for file in self._files:
            file.open(anew=anew)

    def begin(self, head: Head) -> None:
        """The journal is about to go so far."""
        self._next = head
        self._pending = [self._threads.submit(file.write_pending, head, self._last) for file in self._files]

    def finish(self) -> None:
        """It is on the disk: when this returns, that stands everywhere, and may be acknowledged."""
        for written in self._pending:
            written.result()
        for file in self._files:
            file.write_durable(self._next, self._last)
        self._last = self._next

    def close(self) -> None:
        self._threads.shutdown()
        with ExitStack() as all_of_them:
            for file in self._files:
                all_of_them.callback(file.close)


def _encoded(kept: Kept) -> bytes:
    """Such as people can read, with a checksum at its end."""
    line = b"%s after %s %s" % (_line(kept.head), _line(kept.before), b"durable" if kept.durable else b"pending")
    return (b"%s %s" % (line, sha256(line).hexdigest().encode())).ljust(SLOT_BYTES - 1) + b"\n"


def _line(head: Head) -> bytes:
    return b"entry %020d transfer %020d %s" % (head.seq, head.transfers, head.hash.hex().encode())


def _decoded(slot: bytes) -> Kept | None:
    """None if it was never written, or not to its end."""
    fields = slot.split()
    try:
        head, before = (
            Head(int(fields[at + 1]), bytes.fromhex(fields[at + 4].decode()), int(fields[at + 3])) for at in (0, 6)
        )
        kept = Kept(head, before, fields[11] == b"durable")
    except (IndexError, ValueError):
        return None
    return kept if _encoded(kept) == slot else None
