"""Locks that a session of a database holds as long as it lives: who writes there, and who is alive."""

import time
from hashlib import sha256

from natural9.store.contract import StoreFailed
from natural9.store.postgres.connection import DatabaseConnection

PATIENCE_S = 5.0  # how long somebody else may take to go
WRITERS = 7_205_759_403_793  # whoever writes alone holds it, and whoever writes with others shares it
WRITES = """
SELECT application_name, backend_start::text FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND objid = ($1::bigint & 4294967295)::oid AND pid <> pg_backend_pid()
"""


def lock_key(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)


def sessions_key(node: str) -> int:
    """Shared by all sessions of a node but the one that keeps its lease: they end when that is over."""
    return lock_key(f"sessions of {node}")


def lock_writers(connection: DatabaseConnection, *, alone: bool) -> None:
    """Held as long as the connection is: who writes alone shuts out everybody else."""
    shared = "" if alone else "_shared"
    until = time.monotonic() + PATIENCE_S
    while True:
        [[got]] = connection.fetch(f"SELECT pg_try_advisory_lock{shared}($1)", WRITERS)
        if got:
            return
        if time.monotonic() > until:
            who = connection.fetch(WRITES, WRITERS)
            named = f"{who[0][0]} since {who[0][1]}" if who else "somebody"
            raise StoreFailed(f"{connection.name} is being written by {named}: stop that first")
        time.sleep(0.05)


def lock_sessions(connection: DatabaseConnection, node: str) -> None:
    """Nobody writes alone meanwhile; and when this node is dead, whoever takes its streams ends this session."""
    lock_writers(connection, alone=False)
    connection.fetch("SELECT pg_advisory_lock_shared($1)", sessions_key(node))
