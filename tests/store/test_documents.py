"""Documents decide who may do what: each is held against the entry that wrote it, at every opening and in the audit."""

from collections.abc import Callable
from pathlib import Path

import pytest

from natural9.store import opening_check
from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt, Overdrawn, Store
from natural9.store.documents import DocumentHashes, compare_documents, hash_documents
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from tests.store.opening import STORES, append, audited, bet, buy, closing_store, entry
from tests.store.test_tampering import change

ANNA = b'{"id":"anna","role":"cashier"}'
WRITTEN = (("staff/anna", ANNA), ("device/d1", b"{}"), ("program", b"1"))
# What is done to the documents of a file, and what is said of it.
CHANGES = {
    "UPDATE document SET value = CAST(replace(value, 'cashier', 'manager') AS BLOB) WHERE key = 'staff/anna'": (
        "the staff record of anna is not what the journal says was written"
    ),
    "DELETE FROM document WHERE key = 'device/d1'": "the device record of d1 is missing, though the journal says",
    "INSERT INTO document VALUES ('device/d2', X'7B7D')": "the device record of d2 is there, though the journal says",
    "UPDATE document SET key = 'device/d2' WHERE key = 'device/d1'": "the device record of d1 is missing",
    "UPDATE document SET value = X'30' WHERE key = 'program'": "the program record is not what the journal says",
    "UPDATE document SET value = X'30' WHERE key = 'table/1'": "the table record of 1 is not what the journal says",
    # A former one, which some entry did write.
    "UPDATE document SET value = X'6F6C64' WHERE key = 'table/1'": "the table record of 1 is not what the journal",
    "UPDATE journal SET documents = replace(documents, '6', '7') WHERE seq = 3": "entry 3: its hash does not follow",
    "UPDATE journal SET documents = '' WHERE seq = 3": "entry 3: its hash does not follow from entry 2 of table/1",
    "UPDATE journal SET documents = '{' WHERE seq = 3": "entry 3: what it says of documents cannot be read",
}


async def filled(store: Store, later: int = 0) -> None:
    await append(store, [entry(documents=WRITTEN), entry(buy(1, 5)), entry(documents=(("table/1", b"old"),))])
    await append(
        store, [entry(documents=(("table/1", b"new"), ("shoe/1", b"x"))), entry(documents=(("shoe/1", None),))]
    )
    await append(store, [entry() for _ in range(1 + later)])


@pytest.mark.parametrize("name", STORES)
async def test_an_entry_says_what_was_written_beside_it(name: str, tmp_path: Path) -> None:
    async with closing_store(STORES[name](tmp_path)) as store:
        await filled(store)
        entries = await store.entries()
        assert [one.documents for one in entries] == [
            hash_documents(WRITTEN),
            (),
            hash_documents([("table/1", b"old")]),
            hash_documents([("table/1", b"new"), ("shoe/1", b"x")]),
            (("shoe/1", None),),
            (),
        ]
        assert [bool(one.documents_sum) for one in entries] == [True, False, True, True, True, False]
        assert (await audit(store)).documents == 4


@pytest.mark.parametrize("name", STORES)
async def test_what_is_refused_leaves_the_documents_as_they_were(name: str, tmp_path: Path) -> None:
    async with closing_store(STORES[name](tmp_path)) as store:
        await filled(store)
        gone = entry(documents=(("staff/anna", None), ("table/1", b"3"), ("table/1", b"4"), ("new", b"")))
        with pytest.raises(Overdrawn):
            await append(store, [gone, entry(documents=WRITTEN[:2]), entry(bet(1, 99))])
        await append(store, [entry(documents=(("table/1", b"5"),))])
        assert (await audit(store)).documents == 4


def test_the_sum_over_documents_follows_from_what_is_there_alone() -> None:
    one, other = DocumentHashes(), DocumentHashes()
    one.change("s", (("a", "1"), ("b", "2"), ("c", "3"), ("b", None)))
    other.change("s", (("c", "4"), ("a", "1")))
    before = other.sum_of("s")
    undo = other.change("s", (("c", "3"), ("d", "1"), ("d", None)))
    assert one == other
    assert one.sum_of("s") == other.sum_of("s") != before
    assert DocumentHashes(one.items(), {"s": one.sum_of("s")}).agree()
    other.change("s", undo)
    assert other.sum_of("s") == before
    assert not DocumentHashes([("a", "3"), ("c", "1")], {"s": one.sum_of("s")}).agree()
    compare_documents(one, one)


def test_the_sums_of_all_streams_together_say_what_is_there() -> None:
    """One stream may overwrite or take away what another wrote, as a parcel is received elsewhere than it was sent."""
    both = DocumentHashes()
    both.change("table/1", (("parcel", "1"), ("a", "2")))
    both.change("table/2", (("parcel", None), ("a", "3"), ("b", "4")))
    assert both == {"a": "3", "b": "4"}
    assert both.agree()
    assert not DocumentHashes(both.items(), {"table/2": both.sum_of("table/2")}).agree()
    assert both.sum_of("table/3") == "0" * 64


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.mark.parametrize("sql", CHANGES)
@pytest.mark.parametrize("later", [0, opening_check.CHECKED_AT_OPENING])
async def test_a_document_that_was_changed_is_named(
    path: Path, sql: str, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever opens the file, however long ago it was written, and by the audit of one who has it open."""
    monkeypatch.setattr(opening_check, "WHOLE_AT_OPENING", 0)
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await filled(store, later)
        change(path, sql)
        with pytest.raises(Corrupt) as found:
            await audit(store)
        assert CHANGES[sql] in str(found.value)
    if "journal" in sql and later:
        return  # it stands before what is checked at opening
    for access in (Access.READ, Access.WRITE):
        with pytest.raises(Corrupt) as found:
            open_store(path, access)
        assert CHANGES[sql] in str(found.value)


@pytest.mark.parametrize("later", [0, opening_check.CHECKED_AT_OPENING])
async def test_the_entry_that_says_what_all_documents_are_is_itself_checked(
    path: Path, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents that were changed together with what an entry says of them."""
    monkeypatch.setattr(opening_check, "WHOLE_AT_OPENING", 0)
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await filled(store, later)
        was = (await store.entries(after=4))[0].documents_sum
        hashed = hash_documents((await store.documents("")).items())
        documents = DocumentHashes(hashed, {"table/1": was})  # type: ignore[arg-type]
    documents.change("table/1", hash_documents([("program", b"0")]))
    change(path, "UPDATE document SET value = X'30' WHERE key = 'program'")
    now = documents.sum_of("table/1")
    change(path, f"UPDATE journal SET documents = replace(documents, '{was}', '{now}') WHERE seq = 5")
    with pytest.raises(Corrupt, match="entry 5: its hash does not follow from entry 4 of table/1"):
        open_store(path, Access.WRITE)


async def test_a_single_first_entry_says_it_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_check, "WHOLE_AT_OPENING", 0)
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry(documents=WRITTEN)])
    assert (await audited(open_store(path, Access.WRITE))).documents == 3


async def test_a_sum_that_does_not_follow_from_the_entries_before_is_named() -> None:
    """A house that keeps its own books may say anything and chain it."""
    async with closing_store(MemoryStore()) as store:
        store._book.documents = DocumentHashes(sums={"table/1": "1"})
        await filled(store)
        with pytest.raises(Corrupt, match="entry 1: its sum over documents is not that of the entries of table/1"):
            await audit(store)


FORGED: dict[str, Callable[[MemoryStore], object]] = {
    "the staff record of anna is missing": lambda store: store._documents.pop("staff/anna"),
    "the staff record of eve is there": lambda store: store._documents.setdefault("staff/eve", b""),
    "of a kind that was never written": lambda store: store._documents.update({"staff/anna": None}),  # type: ignore[dict-item]
    "the staff record of anna is not": lambda store: store._documents.update({"staff/anna": b"manager"}),
}


@pytest.mark.parametrize("said", FORGED)
async def test_the_audit_of_any_store_names_a_document_that_was_changed(said: str) -> None:
    async with closing_store(MemoryStore()) as store:
        await filled(store)
        FORGED[said](store)
        with pytest.raises(Corrupt, match=said):
            await audit(store)
