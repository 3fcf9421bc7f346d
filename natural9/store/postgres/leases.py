"""Which node owns which stream: leases by the database's clock, kept by one node on the event loop that it serves on.

A lease only makes it rare that two believe they own a stream: the epoch, which every taking and letting go counts on,
is what the database refuses the old owner by. Each call is one statement, so that a stopped process leaves nothing
locked behind.
"""

import asyncio
import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

import asyncpg

from natural9.store.contract import StoreFailed
from natural9.store.postgres.connection import Row
from natural9.store.postgres.heads import check_node_name
from natural9.store.postgres.line import DatabaseLine, RawConnection
from natural9.store.postgres.locks import WRITERS, WRITES, lock_key, sessions_key
from natural9.store.postgres.scripts import SCRIPTS

REPLACED = "N9004"
JOIN_S = 5.0  # how long whoever had the name before may take to go

JOIN = "SELECT join_nodes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
RENEW = "SELECT * FROM renew_lease($1, $2)"
CLAIM = "SELECT * FROM claim_streams($1, $2, $3)"
LET_GO = "SELECT let_go_of($1, $2, $3, $4)"
LEAVE = "SELECT leave_nodes($1, $2)"
NAMED = "SELECT run, renewed + lease > clock_timestamp(), since::text, address FROM node WHERE name = $1"
END_SESSION = "SELECT pg_terminate_backend(pid) FROM lock_holders($1) AS pid"
NODES = """
SELECT name, version, program_sha256, rules_sha256, address, barred, (extract(epoch FROM since) * 1000)::bigint,
    is_alive(name), (extract(epoch FROM clock_timestamp() - renewed) * 1000)::bigint,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM node ORDER BY name
"""
STREAMS = """
SELECT stream.name, owner, epoch, (extract(epoch FROM stream.since) * 1000)::bigint, number,
    (extract(epoch FROM greatest(renewed, pg_postmaster_start_time()) + lease - clock_timestamp()) * 1000)::bigint
FROM stream LEFT JOIN node ON node.name = owner ORDER BY stream.name
"""


class NodeCard(NamedTuple):
    """What a node says of itself."""

    name: str
    version: str
    program_sha256: str
    rules_sha256: str
    address: str  # where people reach it
    barred: str = ""  # why it takes no stream, in a sentence


class Renewed(NamedTuple):
    epochs: dict[str, int]  # of each stream that is still ours
    now_ms: int  # the database's clock
    sent: float  # time.monotonic() when it was asked for: the lease counts from then
    barred: str  # why this node can claim nothing, in a sentence; "" if it can


class Taken(NamedTuple):
    stream: str
    epoch: int
    away_ms: int  # for how long nobody had it


class SeenNode(NamedTuple):
    card: NodeCard
    since_ms: int  # when it joined
    is_alive: bool
    seen_ms_ago: int  # when it renewed its leases last


class SeenStream(NamedTuple):
    stream: str
    owner: str  # "" if nobody's
    epoch: int
    since_ms: int  # when it was taken, or let go
    number: int  # of its last entry
    expires_in_ms: int | None  # None where no node owns it


class SeenNodes(NamedTuple):
    """Who owns what, as the database knows it."""

    now_ms: int
    nodes: list[SeenNode]
    streams: list[SeenStream]


class NameTaken(StoreFailed):
    """A node of this name lives, or has come in this one's place: this one must end."""


class _LeaseLine(DatabaseLine):
    """Holds the lock that says that its node lives."""

    def __init__(self, address: str, card: NodeCard, run: str, lease_s: float) -> None:
        super().__init__(address, f"natural9 node {card.name}, lease", lease_s / 2, JOIN_S + lease_s)
        self._card = card
        self._run = run
        self._lease = timedelta(seconds=lease_s)
        self._lock = lock_key(f"node {card.name}")
        self._has_joined = False

    async def _open(self) -> RawConnection:
        raw = await super()._open()
        try:
            await self._check_schema(raw)
            await self._lock_writers(raw)
            await self._lock_name(raw)
            name, *said, barred = self._card
            version, program, rules, address = said
            values = (self._lock, sessions_key(name), self._lease, version, program, rules, address, barred)
            await raw.fetch(JOIN, name, self._run, *values, self._has_joined)
        except BaseException:
            raw.terminate()
            raise
        self._has_joined = True
        self._open_s = self._lease.total_seconds()  # which is all that there is time for
        return raw

    async def _check_schema(self, raw: RawConnection) -> None:
        version = await raw.fetchval("SELECT value FROM meta WHERE key = 'schema'")
        if version != str(len(SCRIPTS)):
            raise StoreFailed(f"{self._address} has schema {version}, but this program knows {len(SCRIPTS)}")

    async def _lock_writers(self, raw: RawConnection) -> None:
        if not await raw.fetchval("SELECT pg_try_advisory_lock_shared($1)", WRITERS):
            who = await raw.fetch(WRITES, WRITERS)
            named = f"{who[0][0]} since {who[0][1]}" if who else "somebody"
            raise StoreFailed(f"{self._address} is being written by {named} alone: stop that first")

    async def _lock_name(self, raw: RawConnection) -> None:
        """A session of our own that was lost, or of somebody who renews no more, is ended: its end may not have been
        noticed."""
        until = time.monotonic() + JOIN_S
        while not await raw.fetchval("SELECT pg_try_advisory_lock($1)", self._lock):
            found = await raw.fetch(NAMED, self._card.name)
            run, renews, since, address = found[0] if found else ("", False, "", "")
            if run != self._run and (self._has_joined or renews):
                raise NameTaken(f"there is a node {self._card.name} already, at {address} since {since}")
            await raw.fetch(END_SESSION, self._lock)
            if time.monotonic() > until:
                raise StoreFailed(f"a lost session of node {self._card.name} does not end")
            await asyncio.sleep(0.02)


class Leases:
    """Of one node. Every call but `open` is StoreFailed while the database is away; the next one tries again.

    NameTaken is for good: another process has come in under this name."""

    def __init__(self, address: str, card: NodeCard, lease_s: float) -> None:
        self.card = card
        self.lease_s = lease_s
        self._run = secrets.token_hex(8)
        self._keeping = _LeaseLine(address, card, self._run, lease_s)
        self._asking = DatabaseLine(address, f"natural9 node {card.name}, claims", lease_s)
        self._epochs: dict[str, int] = {}
        # Let go here and not yet there: the epoch, and since when it is dark; None if it never was served.
        self._dropped: dict[str, tuple[int, float | None]] = {}
        self._claims = self._claims_answered = 0
        self._telling: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._telling.set_result(None)

    @classmethod
    async def open(cls, address: str, card: NodeCard, lease_s: float = 2.0) -> "Leases":
        """Join the nodes. NameTaken where one of this name lives."""
        check_node_name(card.name)
        leases = cls(address, card, lease_s)
        await leases.renew()
        return leases

    async def renew(self) -> Renewed:
        """All leases, by one statement. A stream that is not among them any more is somebody else's."""
        sent, claims = time.monotonic(), self._claims
        is_claiming = claims > self._claims_answered
        [(now_ms, names, epochs, others, lost)] = await self._ask(self._keeping, RENEW, self.card.name, self._run)
        there = dict(zip(names, epochs, strict=True))
        self._epochs = {name: epoch for name, epoch in self._epochs.items() if there.get(name) == epoch}
        if not is_claiming and claims == self._claims:  # what is ours and unknown here was in an answer that was lost
            unknown = there.keys() - self._epochs.keys() - self._dropped.keys()
            self._dropped |= {name: (there[name], None) for name in unknown}
        if self._dropped and self._telling.done():
            self._telling = asyncio.create_task(self._tell())  # which may take long, and no lease waits for it
        return Renewed(self._epochs.copy(), now_ms, sent, lost or self.card.barred or _other_rules(others))

    async def claim(self, streams: Iterable[str]) -> list[Taken]:
        """Those of them that are nobody's, or whose owner's lease is over or whose session has ended. What this node
        has already stays as it is."""
        wanted = [name for name in dict.fromkeys(streams) if name not in self._epochs]
        if self.card.barred or not wanted:
            return []
        await self._send_dropped()
        self._claims += 1
        try:
            [(names, epochs, away, _, _)] = await self._ask(self._asking, CLAIM, self.card.name, self._run, wanted)
        finally:
            self._claims_answered += 1
        taken = [Taken(*one) for one in zip(names, epochs, away, strict=True)]
        self._epochs |= {one.stream: one.epoch for one in taken}
        return taken

    async def let_go(self, streams: Iterable[str], *, dark_ms: int = 0) -> None:
        """For others, or to be claimed anew; `dark_ms` is for how long nobody has served them already. They are not
        renewed from now on, and where the database is away, it is told later."""
        since = time.monotonic() - dark_ms / 1000
        self._dropped |= {name: (self._epochs.pop(name), since) for name in set(streams) & self._epochs.keys()}
        await self._send_dropped()

    async def _tell(self) -> None:
        with suppress(StoreFailed):
            await self._send_dropped()

    async def _send_dropped(self) -> None:
        if self._dropped:
            sent = self._dropped.copy()
            now = time.monotonic()
            dark = [None if since is None else timedelta(seconds=now - since) for _, since in sent.values()]
            epochs = [epoch for epoch, _ in sent.values()]
            await self._ask(self._asking, LET_GO, self.card.name, list(sent), epochs, dark)
            self._dropped = {name: one for name, one in self._dropped.items() if sent.get(name) != one}

    async def look(self) -> SeenNodes:
        return await _look(self._asking)

    async def close(self) -> None:
        """Let go of everything, and leave; where the database is away, the lease just ends."""
        with suppress(StoreFailed):
            await self._ask(self._keeping, LEAVE, self.card.name, self._run)
        self._keeping.drop()
        self._asking.drop()

    async def _ask(self, line: DatabaseLine, sql: str, *values: object) -> Sequence[Row]:
        try:
            return await line.ask(sql, *values)
        except asyncpg.PostgresError as error:
            if error.sqlstate == REPLACED:
                raise NameTaken(f"another process has joined as node {self.card.name}: this one ends") from error
            raise StoreFailed(f"leases: {error}") from error


def _other_rules(others: str) -> str:
    return f"its rules are not those of {others}: it takes tables once no node with those runs" if others else ""


async def _look(line: DatabaseLine) -> SeenNodes:
    nodes = await line.ask(NODES)
    streams = await line.ask(STREAMS)
    seen = [SeenNode(NodeCard(*row[:6]), *row[6:9]) for row in nodes]
    return SeenNodes(nodes[0][9] if nodes else 0, seen, [SeenStream(*row) for row in streams])


async def look(address: str, answer_s: float = 5.0) -> SeenNodes:
    """For whoever is no node."""
    line = DatabaseLine(address, "natural9, looking", answer_s)
    try:
        return await _look(line)
    finally:
        line.drop()
