"""Every column of the journal and the ledger changed by a hand with the right tool: each change is found and named."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from natural9.store import opening_check
from natural9.store.audit import Walk, audit
from natural9.store.contract import Access, Corrupt, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.store.opening_check import CHECKED_AT_OPENING
from tests.store.opening import append, audited, bet, buy, closing_store, entry

ENTRIES = CHECKED_AT_OPENING + 40
HASH_17 = "entry 17: its hash does not follow from entry 16 of table/1"
# What is done to the file, and what the audit says. Entry n carries transfer n.
CHANGES = {
    "UPDATE journal SET stream = 'venue' WHERE seq = 17": "entry 17: entry 1 of venue is missing, and 17 comes after 0",
    "UPDATE journal SET kind = 'settled' WHERE seq = 17": HASH_17,
    "UPDATE journal SET body = '{}' WHERE seq = 17": HASH_17,
    "UPDATE journal SET body = CAST(X'FF' AS TEXT) WHERE seq = 17": HASH_17,
    "UPDATE journal SET at_ms = at_ms + 1 WHERE seq = 17": HASH_17,
    "UPDATE journal SET day = '2026-11-15' WHERE seq = 17": HASH_17,
    "UPDATE journal SET label = 'round/1' WHERE seq = 17": HASH_17,
    "UPDATE journal SET request = 'cass pay-1' WHERE seq = 17": HASH_17,
    "UPDATE journal SET hash = zeroblob(32) WHERE seq = 17": HASH_17,
    "UPDATE journal SET number = 18 WHERE seq = 17": "entry 17: entry 17 of table/1 is missing, and 18 comes after 16",
    "UPDATE journal SET first_transfer = 18 WHERE seq = 17": "numbered from 18, but 17 comes next in table/1",
    "UPDATE journal SET first_in_ledger = 18 WHERE seq = 17": "entry 17: its transfers should be 1 from number 18",
    "UPDATE journal SET transfers = 0 WHERE seq = 17": HASH_17,
    "UPDATE journal SET transfers = 2 WHERE seq = 17": "entry 17: its transfers should be 2 from number 17",
    "UPDATE journal SET transfers = 9223372036854775807 WHERE seq = 17": "entry 17: its transfers should be 9223372036",
    "UPDATE journal SET transfers = -1 WHERE seq = 17": "entry 17: its transfers should be -1 from number 17",
    "UPDATE journal SET stream = CAST(X'FF' AS TEXT) WHERE seq = 17": "is damaged or no journal at all: 'utf-8'",
    "UPDATE journal SET seq = 0 WHERE seq = 17": "entry 17 is missing: entry 18 comes after entry 16",
    "UPDATE journal SET body = 'x' WHERE seq = 1": "entry 1: its hash does not follow from the start of table/1",
    "DELETE FROM journal WHERE seq = 17": "entry 17 is missing: entry 18 comes after entry 16",
    "UPDATE transfer SET kind = 'gift' WHERE number = 17": HASH_17,
    "UPDATE transfer SET source = 'desk/2' WHERE number = 17": HASH_17,
    "UPDATE transfer SET target = 'terminal/9' WHERE number = 17": HASH_17,
    "UPDATE transfer SET cents = cents + 1 WHERE number = 17": HASH_17,
    "UPDATE transfer SET seq = 18 WHERE number = 17": "entry 17: its transfers should be 1 from number 17",
    "UPDATE transfer SET number = 0 WHERE number = 17": "entry 17: its transfers should be 1 from number 17",
    "DELETE FROM transfer WHERE number = 17": "entry 17: its transfers should be 1 from number 17",
    "UPDATE balance SET cents = cents + iif(account = 'desk/1', -5, 5) WHERE account IN ('desk/1', 'stake/1')": (
        "account desk/1: its balance is -97349 cents, but its transfers make -97344"
    ),
    "UPDATE balance SET account = 'terminal/2' WHERE account = 'terminal/1'": (
        "account terminal/1: its balance is 0 cents, but its transfers make"
    ),
    "INSERT INTO balance VALUES ('terminal/0', 0)": "account terminal/0: its balance is 0 cents, but its",
    "UPDATE meter SET in_cents = in_cents + 1 WHERE account = 'stake/1'": "account stake/1: its meter of bet on 2026",
    "UPDATE meter SET in_count = 0 WHERE account = 'stake/1'": "account stake/1: its meter of bet",
    "UPDATE meter SET out_cents = 0 WHERE account = 'desk/1'": "account desk/1: its meter of buy",
    "UPDATE meter SET out_count = 0 WHERE account = 'desk/1'": "account desk/1: its meter of buy",
    "UPDATE meter SET account = 'stake/2' WHERE account = 'stake/1'": "account stake/1: its meter of bet on 2026",
    "UPDATE meter SET day = '2026-11-15' WHERE account = 'stake/1'": "account stake/1: its meter of bet on 2026-11-15",
    "UPDATE meter SET kind = 'gift' WHERE account = 'stake/1'": "account stake/1: its meter of bet on 2026-11-16 is m",
    "DELETE FROM meter WHERE account = 'stake/1'": "account stake/1: its meter of bet on 2026-11-16 is missing",
}
# What opening already finds: it looks at the end of the journal, and at the sum of all money.
AT_OPENING = {
    f"DELETE FROM journal WHERE seq = {ENTRIES - 5}": f"entry {ENTRIES - 5} is missing: entry {ENTRIES - 4}",
    f"UPDATE journal SET body = '' WHERE seq = {ENTRIES - 5}": f"entry {ENTRIES - 5}: its hash does not follow",
    f"DELETE FROM journal WHERE seq = {ENTRIES}": f"ends with entry {ENTRIES - 1} and transfer {ENTRIES - 1}",
    f"DELETE FROM journal WHERE seq > {ENTRIES - 1020}": f"entry {ENTRIES - 1000} is missing",
    "UPDATE meta SET value = value - 1 WHERE key = 'entries'": f"says that the journal ends with entry {ENTRIES - 1}",
    "UPDATE meta SET value = value - 1 WHERE key = 'transfers'": f"and transfer {ENTRIES - 1}, but it ends with",
    "UPDATE meta SET value = hex(zeroblob(32)) WHERE key = 'last_hash'": "or with another hash",
    "UPDATE meta SET value = '9999999999999999999' WHERE key = 'entries'": "has 9999999999999999999 entries",
    "UPDATE meta SET value = 'xyz' WHERE key = 'last_hash'": "does not say how far the journal goes",
    "UPDATE meta SET value = 'many' WHERE key = 'entries'": "does not say how far the journal goes",
    "DELETE FROM meta WHERE key = 'transfers'": "it has no row transfers in the table meta",
    "INSERT INTO meta VALUES ('owner', 'me')": "it has 'row owner in the table meta', which was never made",
    "UPDATE balance SET cents = cents + 1 WHERE account = 'desk/1'": "the balances add up to 1 cents instead",
    "INSERT INTO transfer VALUES (9999, 9999, 'gift', 'desk/1', 'terminal/1', 5)": "belongs to no entry",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "journal.db"

    async def fill() -> None:
        async with closing_store(open_store(path.parent, Access.WRITE)) as store:
            await append(
                store, [entry(bet(1, 1) if n % 10 == 0 else buy(1, n % 9 + 100)) for n in range(1, ENTRIES + 1)]
            )

    asyncio.run(fill())  # made once for all tests here, each of which has an event loop of its own
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    shutil.copy(sound.with_name("journal.head"), tmp_path)
    return Path(shutil.copy(sound, tmp_path))


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        triggers = other.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for trigger, _ in triggers:
            other.execute(f"DROP TRIGGER {trigger}")
        assert other.execute(sql).rowcount > 0
        for _, made in triggers:
            other.execute(made)


async def test_the_sound_journal_is_sound(path: Path) -> None:
    assert (await audited(open_store(path, Access.READ)))[:4] == (ENTRIES, ENTRIES, 3, 4)


@pytest.mark.parametrize("sql", CHANGES)
async def test_the_audit_names_what_was_changed(path: Path, sql: str) -> None:
    """And so does whoever opens it to write, as long as it is short enough for all of it to be checked then."""
    change(path, sql)
    with pytest.raises(Corrupt) as found:
        await audited(open_store(path, Access.READ))
    assert CHANGES[sql] in str(found.value)
    with pytest.raises(Corrupt) as found:
        open_store(path, Access.WRITE)
    assert CHANGES[sql] in str(found.value)


async def test_of_a_long_journal_only_the_end_is_checked_at_opening(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_check, "WHOLE_AT_OPENING", ENTRIES - 1)
    change(path, "UPDATE journal SET body = '{}' WHERE seq = 17")
    async with closing_store(open_store(path, Access.WRITE)) as store:
        with pytest.raises(Corrupt, match=HASH_17):
            await audit(store)


@pytest.mark.parametrize("sql", AT_OPENING)
def test_opening_names_what_was_changed_at_the_end(path: Path, sql: str) -> None:
    change(path, sql)
    for access in Access:
        with pytest.raises(Corrupt) as found:
            open_store(path, access)
        assert AT_OPENING[sql] in str(found.value)


async def test_a_walk_shows_each_entry_and_proves_them_only_at_its_end(path: Path) -> None:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        walk = Walk(store)
        seen = []
        async for written in walk:
            assert walk.result is None
            seen.append(written.seq)
        assert seen == list(range(1, ENTRIES + 1))
        assert walk.result is not None
        assert walk.result.last_hash == (await store.head()).hash.hex()


# What only an audit of a store that is already open can find: opening would have refused it.
WHILE_OPEN = {
    f"DELETE FROM journal WHERE seq = {ENTRIES}": f"entry {ENTRIES} is missing: the journal should go to entry",
    "UPDATE meta SET value = hex(zeroblob(32)) WHERE key = 'last_hash'": (
        f"entry {ENTRIES}: it is not the one that the journal is said to end with"
    ),
    f"INSERT INTO journal SELECT {ENTRIES + 1}, stream, number + 1, kind, body, at_ms, day, label, request,"
    f" first_transfer + 1, first_in_ledger + 1, 0, documents, hash FROM journal WHERE seq = {ENTRIES}": (
        f"entry {ENTRIES + 1}: the journal should have ended with entry {ENTRIES}"
    ),
    "INSERT INTO transfer VALUES (9999, 9999, 'gift', 'desk/1', 'terminal/1', 5)": "transfer 9999 belongs to no entry",
}


@pytest.mark.parametrize("sql", WHILE_OPEN)
async def test_the_audit_names_what_was_changed_while_the_store_is_open(path: Path, sql: str) -> None:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        change(path, sql)
        with pytest.raises(Corrupt) as found:
            await audit(store)
        assert WHILE_OPEN[sql] in str(found.value)


async def test_the_audit_names_money_that_was_never_there() -> None:
    """A house that keeps its own books may pay from an empty account; the chain holds, the money does not."""
    async with closing_store(MemoryStore(may_go_below_zero=("",))) as store:
        await append(store, [entry(), entry(bet(1, 5))])
        with pytest.raises(Corrupt, match="entry 2: terminal/1 would fall to -5 cents"):
            await audit(store)


async def test_a_journal_that_grows_is_not_audited(path: Path) -> None:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        walk = Walk(store)
        entries = aiter(walk)
        assert (await anext(entries)).seq == 1
        await append(store, [entry()])
        with pytest.raises(StoreFailed, match="the journal grew while it was audited"):
            assert [written.seq async for written in entries] == []
        assert walk.result is None
