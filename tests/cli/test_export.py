"""`natural9 export`: every entry as JSON lines, whole or of one stream, also beside a running server."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from natural9.journal.export import AT_A_TIME, journal_lines
from natural9.store.contract import Access, Checkpoint
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from tests.cli.venue_folder import an_evenings_venue, complaint, run
from tests.store.opening import append, buy, entry
from verifier import natural9_verify


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("export") / "venue")


def lines_of(written: bytes) -> list[Any]:
    return [json.loads(line) for line in written.splitlines()]


def test_what_is_written_is_what_the_outside_verifier_checks(
    venue: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("export", venue) == 0
    written = capsysbinary.readouterr()
    assert written.err == b""
    first, *entries, last = lines_of(written.out)
    assert (first["natural9"], first["format"], first["stream"], first["keys"]) == ("journal", 1, None, [])
    assert [item["seq"] for item in entries] == list(range(1, last["end"]["entries"] + 1))
    assert natural9_verify.verify(written.out.splitlines(), natural9_verify.Journal([], [], [])) == ""


def test_one_stream_alone(venue: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("export", venue, "--stream", "table/1") == 0
    written = capsysbinary.readouterr().out
    first, *entries, last = lines_of(written)
    assert natural9_verify.verify(written.splitlines(), natural9_verify.Journal([], [], [])) == ""
    assert first["stream"] == "table/1"
    assert {item["stream"] for item in entries} == {"table/1"}
    assert [item["number"] for item in entries] == list(range(1, last["end"]["entries"] + 1))
    assert last["end"]["streams"] == {"table/1": [entries[-1]["number"], entries[-1]["hash"]]}


def test_a_stream_that_is_not_there(venue: Path) -> None:
    assert "there is no stream 'table/9'" in complaint("export", venue, "--stream", "table/9")
    assert "no folder" in complaint("export", venue / "nowhere")


async def test_while_a_server_writes(venue: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    store = open_store(venue, Access.WRITE)
    assert await asyncio.to_thread(run, "export", venue) == 0
    await store.close()
    assert b'{"end":' in capsysbinary.readouterr().out


async def test_checkpoints_stand_behind_the_entry_that_they_end_with() -> None:
    """More of both than are read at a time."""
    store = MemoryStore()
    many = AT_A_TIME + 3
    await append(store, [entry(buy(1, 1)) for _ in range(many)])
    for size in range(1, many + 1):
        await store.keep_checkpoint(Checkpoint(size, f"note {size}"))
    lines = [json.loads(line) async for line in journal_lines(store, "Test")]
    pairs = list(zip(lines[1:-1:2], lines[2:-1:2], strict=True))
    assert [(one["seq"], note["checkpoint"]) for one, note in pairs] == [(n, f"note {n}") for n in range(1, many + 1)]
