"""The schema of a journal in a database: made, brought up to date, and checked."""

from natural9.store.contract import Corrupt, StoreFailed
from natural9.store.postgres.connection import SCHEMA, DatabaseConnection
from natural9.store.postgres.scripts import ACCEPTED, COPIED, LOST, OPEN, SCRIPTS, UNFINISHED

OLDEST = 150000  # PostgreSQL 15
META = "SELECT key, value FROM meta"
FUNCTIONS = f"SELECT proname, prosrc FROM pg_proc WHERE pronamespace = '{SCHEMA}'::regnamespace"
MAKING = 7_205_759_403_792  # the lock under which a schema is made or changed


def check_server(connection: DatabaseConnection) -> None:
    [[number, version]] = connection.fetch(
        "SELECT current_setting('server_version_num')::int, current_setting('server_version')"
    )
    if number < OLDEST:
        raise StoreFailed(f"{connection.name} is PostgreSQL {version}: natural9 needs {OLDEST // 10_000} or newer")


def version_of(connection: DatabaseConnection) -> int:
    """0 where there is no schema of ours."""
    [[there]] = connection.fetch(f"SELECT to_regclass('{SCHEMA}.meta') IS NOT NULL")
    if not there:
        return 0
    version = dict(connection.fetch(META)).get("schema", "")
    if not version.isdecimal():
        raise Corrupt(f"{connection.name} is damaged: the table meta does not say which schema it has")
    return int(version)


def is_up_to_date(connection: DatabaseConnection) -> bool:
    return version_of(connection) >= len(SCRIPTS)


def state_of(connection: DatabaseConnection) -> str:
    return str(dict(connection.fetch(META)).get("state", ""))


def set_state(connection: DatabaseConnection, state: str) -> None:
    connection.fetch("UPDATE meta SET value = $1 WHERE key = 'state'", state)


def make_schema(connection: DatabaseConnection, *, state: str = OPEN) -> None:
    """Made where there is none, brought up to date where it is older: each step as a whole."""
    version = version_of(connection)
    check_not_newer(connection, version)
    for number, script in enumerate(SCRIPTS[version:], version + 1):
        marks = f"UPDATE meta SET value = '{number}' WHERE key = 'schema';"
        if number == 1:
            marks += f"UPDATE meta SET value = '{state}' WHERE key = 'state';"
        # Who comes second waits for the lock, and then finds that there is nothing to do, or fails: both are safe.
        connection.execute(f"SELECT pg_advisory_xact_lock({MAKING}); {script} {marks}")


def check_not_newer(connection: DatabaseConnection, version: int) -> None:
    if version > len(SCRIPTS):
        raise StoreFailed(
            f"{connection.name} has schema {version}, but this program knows only {len(SCRIPTS)}:"
            " open it with the program that wrote it, or a newer one"
        )


def check_schema(connection: DatabaseConnection, *, reading: bool) -> None:
    """It is there, of today's version, whole, and has our own functions."""
    version = version_of(connection)
    if version == 0:
        raise StoreFailed(f"there is no journal in {connection.name}: nothing was ever recorded there")
    check_not_newer(connection, version)
    if version < len(SCRIPTS):
        raise StoreFailed(
            f"{connection.name} has schema {version}, and this program wants {len(SCRIPTS)}:"
            " whoever writes brings it up to date"
        )
    state = state_of(connection)
    if state == UNFINISHED or (state == COPIED and not reading):
        raise StoreFailed(f"{connection.name} is unfinished: a move into it did not come to its end; move again")
    if state != OPEN and not reading:
        raise StoreFailed(f"the records in {connection.name} were {state}: open them there")
    for name, source in connection.fetch(FUNCTIONS):
        if not any(source in script for script in SCRIPTS):
            raise Corrupt(f"{connection.name} is damaged: its function {name} is not as it was made")


def loss_of(connection: DatabaseConnection) -> str:
    """What somebody found to be missing here; "" if nothing, or if it was accepted."""
    return str(dict(connection.fetch(META)).get(LOST, ""))


def note_loss(connection: DatabaseConnection, words: str) -> None:
    """For everybody: nobody takes any stream until a person accepts it."""
    connection.fetch(f"INSERT INTO meta VALUES ('{LOST}', $1) ON CONFLICT DO NOTHING", words)


def accepted_losses(connection: DatabaseConnection) -> int:
    return int(dict(connection.fetch(META)).get(ACCEPTED, "0"))


def accept_loss(connection: DatabaseConnection) -> None:
    """One statement, so that it is done or not."""
    connection.fetch(
        f"WITH gone AS (DELETE FROM meta WHERE key = '{LOST}') INSERT INTO meta VALUES ('{ACCEPTED}', '1')"
        " ON CONFLICT (key) DO UPDATE SET value = (meta.value::int + 1)::text"
    )
