"""What `natural9 doctor` finds of a venue's records: the journal, its balances, the last head's copy and the keys."""

import os
import shlex
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Final, NamedTuple

from natural9.cli.doctor_findings import Finding, Health, bad, good, look
from natural9.cli.doctor_machine import has_module
from natural9.cli.records import read_records, show_time
from natural9.core.errors import BadInput
from natural9.disk.seen import is_there
from natural9.proof.signed_note import VerifierKey
from natural9.server.keyring import IN_USE
from natural9.server.people.keys import KEY_FILE, key_id, venue_keys
from natural9.server.proof.signing_key import CHECKPOINT_KEY_FILE, held_keys, public_keys
from natural9.store.contract import Store, StoreFailed, Written
from natural9.store.opening import find_records
from natural9.store.postgres.address import address_of
from natural9.store.sqlite.schema import JOURNAL_FILE
from natural9.table.venue.venue import Venue

SECOND_MS: Final = 1000


class JournalSays(NamedTuple):
    """What the journal says of itself and of the keys that it was written with."""

    last: Written | None
    total_cents: int
    key: bytes | None  # the name of the one in use
    checkpoint_key: VerifierKey | None


def look_at_records(folder: Path, venue: Venue | None, now_ms: int) -> Iterator[Finding]:
    """Opening the journal has compared its end with what was acknowledged."""
    if venue and venue.head_copy and venue.head_copy.parent.stat().st_dev == folder.stat().st_dev:
        words = f"{venue.head_copy} is on the same disk as the journal"
        yield look("Head copy", words, "name a place on another disk in head_copy: with the disk, both would be gone")
    try:
        address = address_of(folder)
        where = find_records(folder)
    except StoreFailed as error:
        yield bad("Journal", str(error), "write the database's address as postgresql://USER@HOST/DATABASE")
        return
    if address and not has_module("asyncpg"):
        yield bad("Journal", "it is in PostgreSQL, and asyncpg is missing", "pip install 'natural9[postgres]'")
    elif where is None:
        yield good("Journal", "nothing was played yet: the first start begins it")
    elif not address and (closed := _closed_to_this_user(folder)):
        yield look("Journal", f"this user may not use {closed}", "run doctor as the server's user")
    else:
        yield from _records(folder, where, now_ms, is_database=bool(address))


def _closed_to_this_user(folder: Path) -> str:
    """Which file it is; SQLite writes beside a journal that it reads."""
    files = [folder, *(folder / name for name in (JOURNAL_FILE, f"{JOURNAL_FILE}-wal", KEY_FILE, CHECKPOINT_KEY_FILE))]
    return next((str(one) for one in files if is_there(one) and not os.access(one, os.R_OK | os.W_OK)), "")


def _records(folder: Path, where: str, now_ms: int, *, is_database: bool) -> Iterator[Finding]:
    verify = f"natural9 verify {shlex.quote(str(folder))}"
    try:
        kept = read_records(folder, _kept)
    except BadInput as error:
        if is_database and error.code == "store-failed":
            remedy = "start the database, or correct its address and the rights of its user; its own log says more"
        else:
            remedy = f"stop the server, keep a copy of the folder, then {verify}; natural9 restore brings a backup back"
        yield bad("Journal", str(error), remedy)
        return
    yield _journal(kept, where, verify, now_ms)
    yield _keys(folder, kept)


async def _kept(store: Store) -> JournalSays:
    head = await store.head()
    last = await store.entries(after=head.seq - 1, limit=1) if head.seq else []
    public = await public_keys(store)
    return JournalSays(
        last=last[0] if last else None,
        total_cents=sum((await store.balances()).values()),
        key=await store.document(IN_USE),
        checkpoint_key=public[-1].key if public else None,
    )


def _journal(kept: JournalSays, where: str, verify: str, now_ms: int) -> Finding:
    if kept.last is None:
        return good("Journal", f"{where} is empty")
    if kept.total_cents:
        return bad("Journal", f"the balances of {where} come to {kept.total_cents} cents instead of nothing", verify)
    when = show_time(kept.last.at_ms, UTC)
    if kept.last.at_ms > now_ms + 10 * SECOND_MS:
        words = f"its last entry is from {when} UTC, and this machine's clock is before that"
        return bad("Journal", words, "set the clock right before the server starts")
    return good("Journal", f"{kept.last.seq:,} entries, the last of {when} UTC; {verify} checks every one")


def missing_keys(folder: Path) -> str:
    """Which of the keys that its journal names a folder does not hold, in words; empty where it could be served."""
    found = _keys(folder, read_records(folder, _kept))
    return found.words if found.verdict is Health.BAD else ""


def _keys(folder: Path, kept: JournalSays) -> Finding:
    """Without the keys that the journal names the server does not start."""
    again = f"natural9 rekey --lost {shlex.quote(str(folder))}"
    lost = "restore it from the backup; only if it is lost for good:"
    try:
        held = [key_id(key).encode() for key in venue_keys(folder)]
        if kept.last and (kept.key not in held if kept.key else not held):
            return bad("Keys", f"{KEY_FILE} does not hold the key that the journal names", f"{lost} {again}")
        if kept.checkpoint_key and kept.checkpoint_key not in [one.verifier for one in held_keys(folder)]:
            words = f"{CHECKPOINT_KEY_FILE} does not hold the key that the journal names"
            return bad("Keys", words, f"{lost} {again} --checkpoint")
    except BadInput as error:  # it says what to do
        return bad("Keys", str(error), f"do as it says; then natural9 doctor {shlex.quote(str(folder))} again")
    return good("Keys", "those that the journal names are here")
