"""Records carried into a database that has none."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from natural9.store.balances import Balances, Counts, count, meters_of
from natural9.store.chain import START
from natural9.store.contract import Checkpoint, Head, StoreFailed, StreamHead, Written
from natural9.store.postgres.committer import KEEP
from natural9.store.postgres.connection import SCHEMA, DatabaseConnection
from natural9.store.postgres.locks import lock_writers
from natural9.store.postgres.rows import entry_columns
from natural9.store.postgres.schema import check_server, make_schema, set_state, state_of, version_of
from natural9.store.postgres.scripts import COPIED, OPEN, UNFINISHED
from natural9.store.tree import Growing

JOURNAL = """
INSERT INTO journal SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bigint[], $6::text[],
    $7::text[], $8::bytea[], $9::bigint[], $10::int[], $11::text[], $12::text[], $13::bytea[], $14::bigint[])
"""
PLACE = """
INSERT INTO place SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bytea[], $6::bigint[],
    $7::int[])
"""
ACCOUNT_TRANSFER = "INSERT INTO account_transfer SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])"
TREE = "INSERT INTO tree SELECT * FROM unnest($1::int[], $2::bigint[], $3::bytea[])"
STREAM = """
INSERT INTO stream (name, epoch, owner, number, hash, transfers) SELECT name, 0, '', number, hash, transfers
FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[]) AS ended (name, number, hash, transfers)
"""
PLACED = "INSERT INTO placed SELECT * FROM unnest($1::text[], $2::bigint[])"
HEAD = "UPDATE head SET entries = $1, transfers = $2, hash = $3"
TICKET = "SELECT setval('ticket', greatest($1::bigint, 1))"
BALANCE = "INSERT INTO balance SELECT * FROM unnest($1::text[], $2::bigint[])"
METER = """
INSERT INTO meter SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::bigint[])
"""
DOCUMENT = "INSERT INTO document VALUES ($1, $2, $3)"


def columns(rows: Sequence[Sequence[object]], many: int) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(many)]


class PostgresCopy:
    """Said to be unfinished until it is whole."""

    def __init__(self, address: str) -> None:
        self.place = Path(address)
        self._connection = DatabaseConnection(address, application="natural9, moving")
        try:
            check_server(self._connection)
            lock_writers(self._connection, alone=True)
            self._make_room()
        except BaseException:
            self._connection.close()
            raise
        self._balances = Balances(may_go_below_zero=("",))  # whoever copies verifies afterwards
        self._counts: Counts = {}
        self._streams: dict[str, StreamHead] = {}
        self._growing = Growing()
        self._head = START

    def _make_room(self) -> None:
        """What an earlier move did not finish is taken away; a venue's records never are."""
        if version_of(self._connection):
            begun = state_of(self._connection) in (UNFINISHED, COPIED)
            if not begun and self._connection.fetch("SELECT 1 FROM stream LIMIT 1"):
                name = self._connection.name
                raise StoreFailed(f"{name} has records already, and nothing is overwritten: name an empty database")
            self._connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
        make_schema(self._connection, state=UNFINISHED)

    def add(self, page: Sequence[Written]) -> None:
        places, accounts, ledger = [], [], self._head.transfers + 1
        for one in page:
            places.append(
                (one.seq, one.stream, one.number, one.label, one.request.encode(), ledger, len(one.transfers))
            )
            for number, (_, source, target, _) in enumerate(one.transfers, ledger):
                accounts += [(source, number, one.seq), (target, number, one.seq)]
            ledger += len(one.transfers)
            self._balances.move(one.transfers)
            count(self._counts, one.day, one.transfers)
            self._streams[one.stream] = one.stream_head
        fetch = self._connection.fetch
        fetch(JOURNAL, *entry_columns(page), [one.seq for one in page])
        fetch(PLACE, *columns(places, 7))
        fetch(ACCOUNT_TRANSFER, *columns(accounts, 3))
        fetch(TREE, *columns(self._growing.add([one.hash for one in page]), 3))
        self._head = Head(page[-1].seq, page[-1].hash, ledger - 1)

    def add_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._connection.fetch(KEEP, *columns(checkpoints, 2))

    def finish(self, documents: Mapping[str, bytes]) -> None:
        fetch = self._connection.fetch
        heads = sorted(self._streams.items())
        fetch(STREAM, *columns([(name, *head) for name, head in heads], 4))
        fetch(PLACED, *columns([(name, head.number) for name, head in heads], 2))
        fetch(HEAD, self._head.seq, self._head.transfers, self._head.hash)
        fetch(TICKET, self._head.seq)
        fetch(BALANCE, *columns(sorted(self._balances.items()), 2))
        fetch(METER, *columns(meters_of(self._counts), 7))
        for key, value in documents.items():
            fetch(DOCUMENT, key, value, sha256(value).hexdigest())
        set_state(self._connection, COPIED)

    def open(self) -> None:
        set_state(self._connection, OPEN)

    def close(self) -> None:
        self._connection.close()
