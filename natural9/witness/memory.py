"""All that a witness has seen, in a file that only grows: a line of JSON each, durable before anything rests on it.

It is what keeps a witness honest with itself. A checkpoint is on the disk before it is cosigned, so that a witness that
is killed at any instant, or run twice, can never cosign a second history. A line that was cut off by a power cut was
never rested on, and is taken out.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from natural9.disk.calls import disk
from natural9.disk.durable import make_durable
from natural9.proof.checkpoint import TreeHead
from natural9.proof.signed_note import BadNote, SignedNote, VerifierKey
from natural9.witness.trouble import WitnessFailed

FORMAT: Final = 1
LONGEST_LINE: Final = 1024 * 1024  # bytes


class Began(msgspec.Struct, frozen=True, tag="witness", tag_field="natural9"):
    """The first line."""

    format: int
    witness: str  # its own public key


class HouseKeyTrusted(msgspec.Struct, frozen=True, tag="key", tag_field="natural9"):
    """From now on this key signs the house's checkpoints: the first that was seen, or one that followed it."""

    at_s: int
    origin: str
    key: str


class StrangeKeySeen(msgspec.Struct, frozen=True, tag="strange-key", tag_field="natural9"):
    """The house's checkpoint was signed by a key that no known one vouches for: it was not believed."""

    at_s: int
    origin: str
    key: str
    note: str


class HouseFound(msgspec.Struct, frozen=True, tag="house", tag_field="natural9"):
    """Which log is at this address."""

    at_s: int
    url: str
    origin: str


class CheckpointSeen(msgspec.Struct, frozen=True, tag="checkpoint", tag_field="natural9"):
    """It goes on from all before it, and may be cosigned at this time."""

    at_s: int
    note: str


class HistoryBroken(msgspec.Struct, frozen=True, tag="broken", tag_field="natural9"):
    """The evidence: what the house had shown and what it shows now, each with its own signature."""

    at_s: int
    origin: str
    why: str
    before: str
    now: str
    hashes: tuple[str, ...] = ()  # the proof that was to join the two, and does not


Line = Began | HouseKeyTrusted | StrangeKeySeen | HouseFound | CheckpointSeen | HistoryBroken
_decode = msgspec.json.Decoder(Line).decode


@dataclass
class Seen:
    """What is known of one log."""

    keys: list[VerifierKey] = field(default_factory=list)
    note: SignedNote | None = None  # the longest checkpoint
    at_s: int = 0
    broken: HistoryBroken | None = None
    strange: set[str] = field(default_factory=set)  # keys that were not believed

    @property
    def head(self) -> TreeHead | None:
        return None if self.note is None else TreeHead.parse(self.note.text)


class Memory:
    """Open from the moment it is made, and this process's alone."""

    def __init__(self, path: Path, witness: VerifierKey, *, is_new: bool) -> None:
        """`is_new` where the witness's key was made just now; else there must be a file that goes with it."""
        self.path = path
        if not is_new and not path.exists():
            raise WitnessFailed(
                f"{path} is gone, and without it this witness could cosign a second history: "
                "restore it, or start again with another --key"
            )
        self.logs: dict[str, Seen] = {}
        self.origins: dict[str, str] = {}  # by address
        try:
            self._file = disk().open(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise WitnessFailed(f"{path} cannot be opened: {error.strerror}") from None
        try:
            self._take(str(witness))
        except BaseException:
            disk().close(self._file)
            raise

    def close(self) -> None:
        disk().close(self._file)

    def of(self, origin: str) -> Seen:
        return self.logs.setdefault(origin, Seen())

    def add(self, line: Line) -> None:
        """Durable when it returns; WitnessFailed if it may not be, and then nothing may rest on it.

        The end of the line comes once the line is durable: a disk may keep the end of what was written without the
        beginning, and a line that has its end counts.
        """
        encoded = msgspec.json.encode(line)
        try:
            for data, at in ((encoded, self._end), (b"\n", self._end + len(encoded))):
                disk().write(self._file, data, at)
                disk().sync(self._file)
        except OSError as error:
            with suppress(OSError):
                disk().truncate(self._file, self._end)
            raise WitnessFailed(f"{self.path} cannot be written: {error.strerror}; nothing is cosigned") from None
        self._end += len(encoded) + 1
        self._apply(line)

    def _take(self, witness: str) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WitnessFailed(f"{self.path} is in use by another witness: stop that one first") from None
        good = 0
        checkpoints: dict[str, tuple[int, CheckpointSeen]] = {}  # a year of them is read fast by the last
        with os.fdopen(os.dup(self._file), "rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), 1):
                if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                    disk().truncate(self._file, good)
                    break
                good += len(line)
                with self._restore_if_bad(number):
                    self._read(number, line, witness, checkpoints)
        for number, last in checkpoints.values():
            with self._restore_if_bad(number):
                self._apply(last)
        self._end = good
        if not good:
            self.add(Began(FORMAT, witness))
            make_durable(self.path.parent)

    @contextmanager
    def _restore_if_bad(self, number: int) -> Iterator[None]:
        """What cannot be read is said with its line."""
        try:
            yield
        except (msgspec.MsgspecError, BadNote, UnicodeDecodeError, RecursionError) as error:
            raise WitnessFailed(f"{self.path} line {number} cannot be read: {error}; restore the file") from None

    def _read(
        self, number: int, written: bytes, witness: str, checkpoints: dict[str, tuple[int, CheckpointSeen]]
    ) -> None:
        line = _decode(written)
        if (number == 1) != isinstance(line, Began):
            raise BadNote("it is not a witness's file" if number == 1 else "it begins twice")
        if isinstance(line, Began) and (line.format, line.witness) != (FORMAT, witness):
            raise BadNote(f"it is the file of {line.witness[:200]}: give the --key that it was made with")
        if isinstance(line, CheckpointSeen):
            checkpoints[line.note.partition("\n")[0]] = number, line
        else:
            self._apply(line)

    def _apply(self, line: Line) -> None:
        match line:
            case Began():
                pass
            case HouseKeyTrusted():
                self.of(line.origin).keys.append(VerifierKey.parse(line.key))
            case StrangeKeySeen():
                self.of(line.origin).strange.add(line.key)
            case HouseFound():
                self.origins[line.url] = line.origin
            case CheckpointSeen():
                note = SignedNote.parse(line.note)
                seen = self.of(TreeHead.parse(note.text).origin)
                seen.note, seen.at_s = note, line.at_s
            case HistoryBroken():
                self.of(line.origin).broken = line
