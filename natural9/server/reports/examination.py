"""Verifying the journal while tables play: in another process, on the file as it stood, so that no table waits."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds.workers import cores
from natural9.server.keyring import wrong_key
from natural9.server.proof.signing_key import wrong_checkpoint_key
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, parse_noted
from natural9.table.audit.findings import Fault, Verified
from natural9.table.audit.rules import GamesBeside, LoadGame
from natural9.table.audit.side_by_side import Advance, WorkerProcess, forked_workers
from natural9.table.audit.time_stamp_audit import vouched_for
from natural9.table.audit.verify import verify
from natural9.table.venue.venue import VENUE_FILE, load_venue


class ExaminationView(Struct, frozen=True, kw_only=True):
    """How far it is; `result` is of the last one that ended, and its `fault` names the first line that does not
    follow."""

    state: Literal["never", "running", "done", "failed"]
    started_at_ms: int | None = None
    ended_at_ms: int | None = None
    why: str = ""  # it failed
    holds: bool | None = None
    result: Verified | None = None


class Examination:
    """One at a time."""

    def __init__(self, *, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._task: asyncio.Task[None] | None = None
        self.view = ExaminationView(state="never")

    def start(self, store: Store, *, noted: NotedCheckpoint | None = None) -> ExaminationView:
        if self._task is None or self._task.done():
            self.view = ExaminationView(state="running", started_at_ms=self._clock_ms())
            self._task = asyncio.create_task(self._run(store, noted))
        return self.view

    async def wait(self) -> ExaminationView:
        if self._task:
            await self._task
        return self.view

    async def _run(self, store: Store, noted: NotedCheckpoint | None) -> None:
        started = self.view.started_at_ms
        try:
            found = await examined(store, noted)
        except Exception as error:  # whatever happened to the other process, the auditor must not wait for ever
            self.view = ExaminationView(
                state="failed", started_at_ms=started, ended_at_ms=self._clock_ms(), why=str(error) or repr(error)
            )
            return
        self.view = ExaminationView(
            state="done",
            started_at_ms=started,
            ended_at_ms=self._clock_ms(),
            holds=found.fault is None,
            result=found,
        )


async def examined(store: Store, noted: NotedCheckpoint | None = None) -> Verified:
    """By another process, where it finds the records; a store in memory has no other to be read by."""
    if store.place is None:
        return await verify(store, load_game=load_game, noted=noted)
    program = (sys.executable, "-m", "natural9.server.reports.examination", str(store.place), *map(str, noted or ()))
    process = await asyncio.create_subprocess_exec(*program, stdout=PIPE, stderr=PIPE)
    try:
        found, complaint = await process.communicate()
    finally:
        if process.returncode is None:  # the server stops, and does not wait for it
            process.kill()
    if process.returncode:
        raise StoreFailed(complaint.decode(errors="replace").strip().rpartition("\n")[2])
    return msgspec.json.decode(found, type=Verified)


def verify_records(
    place: Path,
    noted: NotedCheckpoint | None = None,
    *,
    by_head_copy: bool = True,
    progress: AbstractContextManager[Advance | None] | None = None,
) -> Verified:
    """A journal, verified as it stands at this moment, on every core; what cannot be opened for damage is a fault
    too. `progress` shows how far it is, from when the work begins. Without `by_head_copy` nobody asks whether the venue
    went on after it, as it does after every backup."""

    head_copy, load_game = head_copy_of(place) if by_head_copy else None, games_beside(place)
    waiting = forked_workers(place, load_game, cores())  # while no thread or file would go along

    async def walk(advance: Advance | None) -> Verified:
        try:
            store = open_store(place, Access.READ, head_copy=head_copy)
        except Corrupt as error:
            return Verified(fault=Fault(entry=0, says=str(error)))
        try:
            return await verify_folder(
                place, store, load_game=load_game, noted=noted, processes=cores(), waiting=waiting, advance=advance
            )
        finally:
            await store.close()

    try:
        with progress or nullcontext() as advance:
            return asyncio.run(walk(advance))
    finally:
        for worker in waiting:
            worker.close()


async def verify_folder(
    place: Path,
    store: Store,
    *,
    load_game: LoadGame,
    noted: NotedCheckpoint | None = None,
    processes: int = 1,
    waiting: Sequence[WorkerProcess] = (),
    advance: Advance | None = None,
) -> Verified:
    """The records, and the keys beside them, without which vouchers, shoes and checkpoints are worth nothing."""
    found = await verify(store, load_game=load_game, noted=noted, processes=processes, waiting=waiting, advance=advance)
    if found.fault is None:
        try:
            wrong = await wrong_key(place, store) or await wrong_checkpoint_key(place, store)
            if wrong:
                found.fault = Fault(entry=0, says=wrong)
            elif found.time_stamps and (certificates := _certificates_of(place)):
                found.stamps_vouched_for = await vouched_for(store, certificates)
        except Corrupt as error:
            found.fault = Fault(entry=0, says=str(error))
    return found


def venue_file_beside(place: Path) -> Path:
    """Where the venue file of these records would lie: a place is a folder, or a journal by itself."""
    return (place if place.is_dir() else place.parent) / VENUE_FILE


def head_copy_of(place: Path) -> Path | None:
    """Where a venue keeps the last head on another disk; None where its file does not say or cannot be read."""
    try:
        return load_venue(place / VENUE_FILE).head_copy if place.is_dir() else None
    except BadInput:
        return None


def _certificates_of(place: Path) -> bytes:
    """Those that vouch for the venue's time-stamp authority; none where its file does not name one."""
    try:
        authority = load_venue(venue_file_beside(place)).proof.stamp_authority
    except BadInput:
        return b""
    return authority.certificates if authority else b""


def games_beside(place: Path) -> GamesBeside:
    return GamesBeside(venue_file_beside(place))


if __name__ == "__main__":
    os.nice(10)  # whoever plays comes first
    found_here = verify_records(Path(sys.argv[1]), parse_noted(" ".join(sys.argv[2:])))
    sys.stdout.buffer.write(msgspec.json.encode(found_here))
