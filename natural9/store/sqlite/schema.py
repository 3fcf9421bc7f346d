"""The tables of a journal file, laid out so that an auditor can read them with any SQLite tool."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

from natural9.disk.durable import draft_of, make_private, rename_durably
from natural9.store.chain import GENESIS
from natural9.store.contract import Corrupt, StoreFailed

JOURNAL_FILE: Final = "journal.db"  # in the folder of the venue
VERSION = "2"
BUSY_MS = 10_000  # how long to wait for a backup or a reader that recovers the file

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,  -- over all streams
    stream TEXT NOT NULL,
    number INTEGER NOT NULL,  -- in its stream
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    day TEXT NOT NULL,
    label TEXT NOT NULL,
    request TEXT NOT NULL,  -- who asked for it, and by which request; bets have none
    first_transfer INTEGER NOT NULL,  -- in its stream
    first_in_ledger INTEGER NOT NULL,  -- the same over all streams
    transfers INTEGER NOT NULL,  -- how many
    documents TEXT NOT NULL,  -- those written beside it: its stream's sum, and [key, SHA-256] of each
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX journal_by_stream ON journal (stream, seq);
CREATE INDEX journal_by_label ON journal (label, seq) WHERE label != '';
CREATE INDEX journal_with_documents ON journal (stream, seq) WHERE documents != '';
CREATE INDEX journal_by_request ON journal (request, seq) WHERE request != '';

-- The Merkle tree over the hashes of all entries: whole runs of 256, of 256 of those, and so on.
CREATE TABLE tree (
    level INTEGER NOT NULL,  -- from 1
    place INTEGER NOT NULL,  -- from 0
    hash BLOB NOT NULL,
    PRIMARY KEY (level, place)
) STRICT, WITHOUT ROWID;

-- What was signed of the tree when it had so many leaves.
CREATE TABLE checkpoint (size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;

CREATE TABLE transfer (
    number INTEGER PRIMARY KEY,  -- over all streams
    seq INTEGER NOT NULL,  -- of the journal entry that it belongs to
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0)
) STRICT;

-- Which transfers an account had a part in, up to the number in meta; the latest are not sorted in yet.
CREATE TABLE account_transfer (account TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (account, number))
STRICT, WITHOUT ROWID;

CREATE TABLE balance (account TEXT PRIMARY KEY, cents INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE meter (
    account TEXT NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    in_cents INTEGER NOT NULL,
    in_count INTEGER NOT NULL,
    out_cents INTEGER NOT NULL,
    out_count INTEGER NOT NULL,
    PRIMARY KEY (account, day, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE document (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
"""

# A hand that slips is stopped here; one that means it is found by the chain.
APPEND_ONLY = """
CREATE TRIGGER {table}_is_never_changed BEFORE UPDATE ON {table}
    BEGIN SELECT RAISE(ABORT, 'the {table} is append-only'); END;
CREATE TRIGGER {table}_is_never_shortened BEFORE DELETE ON {table}
    BEGIN SELECT RAISE(ABORT, 'the {table} is append-only'); END;
"""

FIRST_META = """
INSERT INTO meta VALUES
    ('made_by', 'natural9'), ('schema', ?1), ('entries', '0'), ('transfers', '0'), ('last_hash', ?2),
    ('indexed_transfers', '0')
"""


def journal_files(path: Path) -> list[Path]:
    """A journal and what SQLite keeps beside it while it is in use."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm")]


def log_file(path: Path) -> Path:
    """Where SQLite writes first. It is there while the journal is open, and after a process was killed."""
    return path.with_name(path.name + "-wal")


def journal_file(place: Path) -> Path:
    """The file that the folder of a venue, or a journal given by itself, stands for."""
    return place / JOURNAL_FILE if place.is_dir() else place


def is_there(path: Path) -> bool:
    """A journal file. Whoever opened a pipe of its name would wait for ever."""
    if path.exists() and not path.is_file():
        raise StoreFailed(f"{path} is not a plain file: put it elsewhere")
    return path.exists()


@contextmanager
def speaking_of(path: Path, cannot: str = "be used") -> Iterator[None]:
    """What SQLite and the system say about a file, as this room says it."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, UnicodeDecodeError) as error:
        raise Corrupt(f"{path} is damaged or no journal at all: {error}") from error
    except (TypeError, ValueError, OverflowError) as error:  # no column of ours ever held such a value
        raise Corrupt(f"{path} is damaged: it holds a value that was never written: {error}") from error
    except apsw.Error as error:
        raise StoreFailed(f"{path} cannot {cannot}: {error}") from error
    except OSError as error:
        raise StoreFailed(f"{path} cannot {cannot}: {error.strerror}") from error


def create_journal(path: Path) -> None:
    """Whole or not at all: a power cut leaves no file that would pass for a journal that lost its tables."""
    part = draft_of(path)
    make_private(part)
    with closing(apsw.Connection(str(part))) as connection, connection:
        make_tables(connection)
    rename_durably(part, path)


def make_tables(connection: apsw.Connection) -> None:
    connection.execute(TABLES)
    for table in ("journal", "transfer"):
        connection.execute(APPEND_ONLY.format(table=table))
    connection.execute(FIRST_META, (VERSION, GENESIS.hex()))


def check_version(connection: apsw.Connection, path: Path) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").get:
        raise StoreFailed(f"{path} is a SQLite file, but no journal of natural9: it has no table meta")
    version = connection.execute("SELECT value FROM meta WHERE key = 'schema'").get
    if version != VERSION:
        raise StoreFailed(
            f"{path} has schema {version!r}, but this program knows only {VERSION!r}:"
            " open it with the program that wrote it"
        )
