"""`natural9 verify`: exit 0 in words, exit 1 with the first line that does not follow, exit 2 for bad input."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from natural9.store.contract import Access, Written
from natural9.store.opening import open_store
from tests.cli.venue_folder import an_evenings_venue, complaint, lied, rewritten_journal, run


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("verify") / "venue")


def another_day(entries: list[Written]) -> list[Written]:
    """A whole and consistent history of his own."""
    return [one._replace(day="2026-01-01") for one in entries]


def test_a_journal_that_holds(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", venue) == 0
    said = capsys.readouterr().out
    assert "journal.db holds" in said
    assert "4 rounds at 1 tables" in said
    assert "8 seats settled again from the cards" in said
    assert "Checkpoint: " in said


def test_for_programs_and_by_the_file_itself(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", venue / "journal.db", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["holds"], found["rounds"], found["fault"], found["not_derived"]) == (True, 4, None, 0)
    assert len(found["root"]) == 64


async def test_while_the_server_writes(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(venue, Access.WRITE)
    assert await asyncio.to_thread(run, "verify", venue) == 0
    await store.close()
    assert "holds" in capsys.readouterr().out


def test_an_insider_is_named(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = rewritten_journal(venue, tmp_path / "changed", lied)
    assert run("verify", changed) == 1
    said = capsys.readouterr().out
    assert "does NOT hold" in said
    assert "round 1, seat-settled) says: staked_cents: 1; it should say: staked_cents: 20000" in said
    assert run("verify", changed, "--json") == 1
    assert json.loads(capsys.readouterr().out)["fault"]["kind"] == "seat-settled"


def test_rounds_whose_rules_are_missing_fail_only_if_that_is_asked_for(venue: Path, tmp_path: Path) -> None:
    def other_rules(entries: list[Written]) -> list[Written]:
        return [one._replace(body=re.sub(rb'(?<="rules_sha256":")\w{64}', b"0" * 64, one.body)) for one in entries]

    unknown = rewritten_journal(venue, tmp_path / "unknown", other_rules)
    assert (run("verify", unknown), run("verify", unknown, "--strict"), run("verify", venue, "--strict")) == (0, 1, 0)


def test_a_noted_checkpoint(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("verify", venue, "--json")
    found = json.loads(capsys.readouterr().out)
    noted = f"{found['entries']} {found['root']}"
    file = tmp_path / "noted.txt"
    file.write_text(f"{noted}\n")
    for given in (noted, str(file)):
        assert run("verify", venue, "--checkpoint", given) == 0
        assert "it goes on from the checkpoint given, of" in capsys.readouterr().out
    other = rewritten_journal(
        venue, tmp_path / "other", lambda entries: [one._replace(day="2026-01-01") for one in entries]
    )
    assert run("verify", other) == 0
    assert run("verify", other, "--checkpoint", noted) == 1
    assert found["root"] in capsys.readouterr().out


def test_a_damaged_file(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = rewritten_journal(venue, tmp_path / "broken", list) / "journal.db"
    data = bytearray(broken.read_bytes())
    at = data.rindex(b'"event":"card-dealt"')
    data[at + 9] ^= 1
    broken.write_bytes(bytes(data))
    assert run("verify", broken) == 1
    assert "its hash does not follow" in capsys.readouterr().out
    broken.write_text("not a journal at all", encoding="utf-8")
    assert run("verify", broken) == 1
    assert "does NOT hold" in capsys.readouterr().out
    broken.with_name("journal.head").touch()  # that there was a journal is known
    for lose in (lambda: broken.write_bytes(b""), broken.unlink):
        lose()
        assert run("verify", broken.parent, "--json") == 1
        assert "journal.head says" in json.loads(capsys.readouterr().out)["words"]


def test_bad_input(venue: Path, tmp_path: Path) -> None:
    assert "is not a venue" in complaint("verify", tmp_path)
    assert "there is no folder" in complaint("verify", tmp_path / "nowhere")
    beef = complaint("verify", venue, "--checkpoint", "beef")
    assert "there is no file 'beef', and as a checkpoint: This is no checkpoint" in beef
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    assert f"{empty} is empty" in complaint("verify", venue, "--checkpoint", empty)
    assert "--checkpoint is empty" in complaint("verify", venue, "--checkpoint", "")  # as of a variable that is not set
