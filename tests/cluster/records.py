"""The journal in PostgreSQL, read while the nodes write it, as `store/postgres/scripts.py` says; and who wrote it.

A trigger of ours, in the database itself, notes every change of a stream's head: its epoch, its owner, the session that
wrote, and when by the database's clock. So it is the database that says whether two wrote in turns, and how long a
table was away.
"""

import json
from typing import NamedTuple

import asyncpg

from tests.outside.journal import Journal, Row, Wrong

WATCH = """
CREATE SCHEMA nemesis;
CREATE TABLE nemesis.write (
    at bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream text, epoch bigint, owner text, number bigint,
    session integer, ms bigint
);
CREATE FUNCTION nemesis.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' OR NEW.number <> OLD.number OR NEW.epoch <> OLD.epoch THEN
        INSERT INTO nemesis.write (stream, epoch, owner, number, session, ms)
        VALUES (NEW.name, NEW.epoch, NEW.owner, NEW.number, pg_backend_pid(),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER nemesis_notes AFTER INSERT OR UPDATE ON natural9.stream FOR EACH ROW EXECUTE FUNCTION nemesis.note();
"""
SINCE = """
SELECT journal.* FROM natural9.journal
LEFT JOIN unnest($1::text[], $2::bigint[]) AS known (stream, number) USING (stream)
WHERE journal.number > coalesce(known.number, 0) ORDER BY ticket
"""
KEPT = """
SELECT known.stream, journal.hash FROM unnest($1::text[], $2::bigint[]) AS known (stream, number)
LEFT JOIN natural9.journal USING (stream, number)
"""
WRITES = """
SELECT write.* FROM nemesis.write
LEFT JOIN unnest($1::text[], $2::bigint[]) AS known (stream, at) USING (stream)
WHERE write.at > coalesce(known.at, 0) ORDER BY write.at
"""
BALANCES = "SELECT account, cents FROM natural9.balance"
AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.OperatorInterventionError,
)
LATE_MS = 60_000  # an entry that was decided so long before it was written
EARLY_MS = 1_500  # by how much a clock may be ahead of the database's


class Head(NamedTuple):
    epoch: int
    number: int
    session: int
    ms: int


class PostgresJournal(Journal):
    """`await read_on()` while the nodes are at work."""

    def __init__(self, address: str, wrong: Wrong, *, short_ms: int) -> None:
        super().__init__(wrong)
        self.address, self._short_ms = address, short_ms
        self.moves = 0  # of streams, from one owner to another
        self._noted: dict[str, int] = {}  # up to where, by stream: of two streams the later may be there first
        self._owners: dict[str, str] = {}
        self._writers: dict[str, Head] = {}
        self._sessions: dict[str, list[int]] = {}  # that have written in the present epoch of a stream, in turn
        self._written_ms: dict[tuple[str, int], tuple[int, int]] = {}  # when, and when the one before was

    async def watch(self) -> None:
        """Once, when the schema is there."""
        connection = await self._connect()
        try:
            await connection.execute(WATCH)
        finally:
            await connection.close()

    async def _connect(self) -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(self.address, timeout=30, command_timeout=120, statement_cache_size=0)

    async def could_read_on(self) -> bool:
        """False while the database is away."""
        try:
            await self.read_on()
        except AWAY:
            return False
        return True

    async def read_on(self) -> None:
        """All that was written since: everything as of one moment."""
        connection = await self._connect()
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                streams = list(self.heads)
                numbers = [self.heads[one][0] for one in streams]
                kept = await connection.fetch(KEPT, streams, numbers)
                writes = await connection.fetch(WRITES, list(self._noted), list(self._noted.values()))
                entries = await connection.fetch(SINCE, streams, numbers)
                balances = await connection.fetch(BALANCES)
        finally:
            await connection.close()
        for row in kept:
            if row["hash"] != self.heads[row["stream"]][1]:
                self.wrong(
                    "the journal went back", f"{row['stream']} {self.heads[row['stream']][0]} is not what it was"
                )
        for row in writes:
            self._write(row)
        for row in entries:
            self._row(row)
        self.agrees_with({row["account"]: row["cents"] for row in balances})

    # What the database noted.

    def _write(self, row: "asyncpg.Record") -> None:
        """Within an epoch one session writes, or a later one of the same owner in its place; and never the earlier."""
        stream, session = row["stream"], row["session"]
        self._noted[stream] = row["at"]
        head = Head(row["epoch"], row["number"], session, row["ms"])
        before = self._writers.get(stream)
        self._writers[stream] = head
        if before and head.epoch < before.epoch:
            self.wrong("an epoch came again", f"{stream}: {head} after {before}")
        if before is None or head.epoch != before.epoch:
            if self._owners.get(stream) not in (None, row["owner"]):
                self.moves += 1
            self._owners[stream] = row["owner"]
            self._sessions[stream] = []
            if before and head.number != before.number:
                self.wrong("two owners in one chain", f"{stream}: {head} after {before}")
            if before and head.number == before.number:
                self._writers[stream] = head._replace(ms=before.ms)  # a change of owner is no entry
            return
        sessions = self._sessions[stream]
        if row["owner"] != self._owners[stream] or (session in sessions[:-1]):
            self.wrong("two owners in one chain", f"{stream}: {dict(row)} after {before}, of {self._owners[stream]}")
        if session not in sessions:
            sessions.append(session)
        for number in range(before.number + 1, head.number + 1):
            self._written_ms[stream, number] = (head.ms, before.ms)

    # The entries.

    def _row(self, row: "asyncpg.Record") -> None:
        moved = [
            {"number": self.transfers + place, "kind": kind, "source": source, "target": target, "cents": cents}
            for place, (kind, source, target, cents) in enumerate(json.loads(row["transfers"] or "[]"), 1)
        ]
        taken: Row = {
            "seq": self.entries + 1,
            "stream": row["stream"],
            "number": row["number"],
            "kind": row["kind"],
            "body": "",
            "at_ms": row["at_ms"],
            "day": row["day"],
            "label": row["label"],
            "request": row["request"].decode(),
            "first_transfer": row["first_transfer"],
            "first_in_ledger": self.transfers + 1,
            "transfers": row["moves"],
            "documents": row["documents"],
            "hash": row["hash"],
            "raw": row["body"],
        }
        self._in_time(row)
        self.take(taken, moved)

    def _in_time(self, row: "asyncpg.Record") -> None:
        """By the database's clock, whatever that of a node says; and a round is only void for an absence that was."""
        written, before = self._written_ms.pop((row["stream"], row["number"]), (row["at_ms"], 0))
        if not written - LATE_MS <= row["at_ms"] <= written + EARLY_MS:
            behind = written - row["at_ms"]
            self.wrong("another time than the database's", f"{row['stream']} {row['number']}: {behind} ms behind")
        if row["kind"] == "round-interrupted":
            self._interrupted(row, written - before)

    def _interrupted(self, row: "asyncpg.Record", gap_ms: int) -> None:
        said = json.loads(row["body"])["record"]
        away_ms, is_brief = said["away_ms"], said["brief"]
        if not is_brief and (away_ms <= self._short_ms or gap_ms <= self._short_ms):
            what = f"{row['stream']} {row['number']}: away {away_ms} ms by its own word, {gap_ms} ms by the database"
            self.wrong("a round was cut short for no need", what)
