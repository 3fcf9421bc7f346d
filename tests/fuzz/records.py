"""What was kept: lines of the journal, exports, snapshots, sealed shoes, and the small files beside a journal."""

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from natural9.core.errors import BadInput
from natural9.journal.line import Origin, encode_line, read_asked, read_body, read_line
from natural9.server.heartbeat import FILE as HEARTBEAT
from natural9.server.heartbeat import away_ms, beat_now
from natural9.server.people.sessions import Sessions
from natural9.store.contract import Corrupt, Head, Written
from natural9.store.sqlite.head_file import HeadFile
from natural9.table.shoes.shuffler import SealBroken, Shuffled, sealed, shuffle, unsealed
from natural9.table.state import snapshot
from natural9.witness.memory import Memory
from natural9.witness.trouble import WitnessFailed
from tests.fuzz.evenings import an_evening
from tests.fuzz.mutation import spoilt, spoilt_json
from tests.fuzz.target import Target, Wrong, is_sentence
from tests.lies.house import WITNESS_KEY
from tests.lies.shown import Line, Shown, make_anew
from verifier import natural9_verify

GOLDEN: Final = Path(__file__).parents[1] / "golden"
KEY: Final = bytes(range(32))
NOW_MS: Final = 1_800_000_000_000


class JournalLines(Target):
    """Whatever is read is what would be written, and read again."""

    name = "journal-lines"
    share = 120

    async def open(self, folder: Path) -> None:
        golden = [line for file in sorted(GOLDEN.glob("*.jsonl")) for line in file.read_bytes().splitlines()]
        self._lines = [*golden, *{line["kind"]: line["body"].encode() for line in an_evening().shown.entries}.values()]

    def make(self, chance: Random) -> bytes:
        valid = chance.choice(self._lines)
        if chance.random() < 0.5:
            return spoilt(chance, valid, self._lines)
        return spoilt_json(chance, json.loads(valid))

    async def feed(self, given: bytes) -> bool:
        written = Written(1, "table/1", 1, "bet-placed", given, NOW_MS, "2026-11-18", "", "", 1, (), (), "", bytes(32))
        try:
            read_asked(written)
        except BadInput as error:
            is_sentence(str(error))
        try:
            line = read_line(written)
        except BadInput as error:
            is_sentence(str(error))
            return False
        again = read_body(encode_line(line.event, line.origin, line.command))
        if (again.event, again.origin) != (line.event, line.origin) or not isinstance(line.origin, Origin):
            raise Wrong(f"read as {line}, and written as {again}")
        return True


class Exports(Target):
    """The verifier that is not ours reads an export in which something is wrong: it is named, or the export still says
    the same. Half of the time everything after it is made anew, as an insider would."""

    name = "exports"
    share = 8

    async def open(self, folder: Path) -> None:
        shown = an_evening().shown
        self._shown = shown
        self._export = b"".join(shown.export)
        self._says = _said_in(self._export)

    def make(self, chance: Random) -> tuple[str, bytes]:
        kind = chance.random()
        if kind < 0.35:
            return "spoilt", spoilt(chance, self._export)
        lines = self._export.splitlines()
        at = chance.randrange(len(lines))
        if kind < 0.7:
            lines[at] = spoilt_json(chance, json.loads(lines[at])).replace(b"\n", b" ")
            return "spoilt", b"\n".join(lines) + b"\n"
        return "insider", _insiders(chance, self._shown)

    async def feed(self, given: tuple[str, bytes]) -> bool:
        kind, export = given
        journal = natural9_verify.Journal([], [], [])
        try:
            wrong = natural9_verify.verify(export.splitlines(keepends=True), journal)
        except ValueError as error:  # of the first line
            wrong = str(error)
        if wrong:
            if len(wrong) > 100_000 or "Traceback" in wrong:
                raise Wrong(wrong[:300])
            return False
        if kind == "spoilt" and _said_in(export) != self._says:
            raise Wrong("another history passes for the same")
        return True


def _said_in(export: bytes) -> list[Any]:
    """All that is hashed or counted in it: not what it is called, and not every checkpoint."""
    lines = [json.loads(line) for line in export.splitlines()[1:]]
    return [line for line in lines if "checkpoint" not in line]


def _insiders(chance: Random, shown: Shown) -> bytes:
    """One body is another, and every number, hash and signature after it is right."""
    changed = shown.copied()
    entry: Line = chance.choice(changed.entries)
    body = spoilt_json(chance, json.loads(entry["body"]))
    entry["body"] = body.decode(errors="replace").encode("utf-8", "replace").decode()
    try:
        make_anew(changed)
        return b"".join(changed.export)
    except (ValueError, TypeError, LookupError):  # it cannot even be written so
        return body


class KeptFiles(Target):
    """Documents and files beside the journal: what is damaged is made anew or named, never believed."""

    name = "kept-files"
    share = 60

    async def open(self, folder: Path) -> None:
        self._folder = folder
        evening = an_evening()
        self._snapshots = [value for value in evening.shown.written.values() if value.startswith(b'{"v":')]
        assert self._snapshots, "an evening keeps snapshots"
        self._shoe = Shuffled(1, KEY, tuple(shuffle(1, Random(2).randrange)))
        self._sealed = sealed(KEY, self._shoe, "shoe/1/1")
        file = HeadFile(folder / "journal.head")
        file.write_durable(Head(7, KEY, 3), Head(6, KEY[::-1], 2))
        file.close()
        self._head = (folder / "journal.head").read_bytes()
        self._beat = msgspec.json.encode(beat_now())
        self._sessions = Sessions(KEY, clock_ms=lambda: NOW_MS)
        self._staff = self._sessions.begin("staff", "ada")
        self._token = self._sessions.token(self._staff).encode()
        self._witness = evening.witness_file

    def make(self, chance: Random) -> tuple[str, bytes]:
        kind = chance.choice(("snapshot", "snapshot", "sealed", "head", "beat", "token", "token", "witness"))
        match kind:
            case "snapshot":
                valid = chance.choice(self._snapshots)
                made = spoilt_json(chance, json.loads(valid)) if chance.random() < 0.6 else spoilt(chance, valid)
            case "sealed":
                made = spoilt(chance, self._sealed)
            case "head":
                made = spoilt(chance, self._head, [self._head])
            case "beat":
                made = spoilt(chance, self._beat)
            case "token":
                made = spoilt(chance, self._token)
            case _:
                made = spoilt(chance, self._witness)
        return kind, made

    async def feed(self, given: tuple[str, bytes]) -> bool:
        kind, written = given
        return bool(getattr(self, f"_read_{kind}")(written))

    def _read_snapshot(self, written: bytes) -> bool:
        return snapshot.restore("1", written) is not None

    def _read_sealed(self, written: bytes) -> bool:
        try:
            shoe = unsealed(KEY, written, "shoe/1/1")
        except SealBroken as broken:
            is_sentence(str(broken))
            return False
        if written != self._sealed or shoe != self._shoe:
            raise Wrong("a seal was broken, and believed")
        return True

    def _read_head(self, written: bytes) -> bool:
        path = self._folder / "journal.head"
        path.write_bytes(written)
        try:
            head = HeadFile(path).read()
        except Corrupt as damaged:
            is_sentence(str(damaged))
            return False
        if head not in (None, Head(7, KEY, 3), Head(6, KEY[::-1], 2)):
            raise Wrong(f"a head that was never written: {head}")
        return head is not None

    def _read_beat(self, written: bytes) -> bool:
        (self._folder / HEARTBEAT).write_bytes(written)
        return away_ms(self._folder, beat_now()) is not None

    def _read_token(self, written: bytes) -> bool:
        session = self._sessions.read(written.decode("latin-1"))
        if session is not None and session.kind == "staff" and session != self._staff:
            raise Wrong(f"a token that was never made: {session}")
        return session is not None

    def _read_witness(self, written: bytes) -> bool:
        path = self._folder / "witness.jsonl"
        path.write_bytes(written)
        try:
            memory = Memory(path, WITNESS_KEY.verifier, is_new=False)
        except WitnessFailed as failed:
            is_sentence(str(failed))
            return False
        memory.close()
        return True
