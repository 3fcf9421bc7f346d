"""The verifier as a laboratory runs it: exit codes, keys and checkpoints that somebody kept, receipts, witnesses."""

import ast
import asyncio
import gzip
import json
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from natural9.proof.cosignature import cosign
from natural9.proof.merkle import inclusion_ranges, leaf_hashes, root_of
from natural9.proof.signed_note import COSIGNATURE, ED25519, SigningKey
from natural9.proof.tlog_proof import LogProof
from tests.table.test_verify import evening
from tests.verifier.lines import (
    HOUSE,
    ORIGIN,
    Item,
    chained,
    changed,
    exported,
    key_set,
    note_of,
    outside,
    signed,
    with_body,
    with_record,
    written,
)
from verifier import natural9_verify

OTHER = SigningKey(ORIGIN, ED25519, bytes(32))
WITNESS = SigningKey("witness.example/1", COSIGNATURE, bytes(31) + b"\x07")


@pytest.fixture(scope="module")
def played() -> list[Item]:
    async def lines() -> list[Item]:
        return await exported(await evening())

    return asyncio.run(lines())


@pytest.fixture(scope="module")
def journal(played: list[Item]) -> list[Item]:
    return signed(played)


def saved(items: list[Item], path: Path) -> Path:
    path.write_bytes(b"".join(map(written, items)))
    return path


def receipt_of(items: list[Item], seq: int) -> Item:
    """As a terminal gets it: the entry, its proof, the checkpoint of all there is."""
    entries = [item for item in items if "seq" in item]
    leaves = leaf_hashes(bytes.fromhex(one["hash"]) for one in entries)
    size = len(entries)
    path = tuple(root_of(leaves[start:end]) for start, end in inclusion_ranges(seq - 1, size))
    entry = entries[seq - 1]
    before = [one["hash"] for one in entries[: seq - 1] if one["stream"] == entry["stream"]]
    return {
        "natural9": "receipt",
        "format": 1,
        "entry": {**entry, "previous_hash": before[-1] if before else "00" * 32},
        "proof": str(LogProof(seq - 1, path, note_of(items, size))),
        "key": str(HOUSE.verifier),
    }


def run(*arguments: object, said: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = natural9_verify.main([str(argument) for argument in arguments])
    found = said.readouterr()
    return code, found.out + found.err


def test_it_can_be_read_in_an_evening() -> None:
    """One file of 900 lines at the most, none of them ours."""
    text = Path(natural9_verify.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 900
    tree = [*ast.walk(ast.parse(text))]
    names = [alias.name for one in tree if isinstance(one, ast.Import) for alias in one.names]
    names += [one.module or "" for one in tree if isinstance(one, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "cryptography"}


def test_a_journal_that_holds(journal: list[Item], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(journal, tmp_path / "journal.jsonl")
    packed = tmp_path / "journal.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    code, said = run(path, "--key", HOUSE.verifier, said=capsys)
    assert code == 0
    for counted in ("4 rounds", "16 cards", "1 voids", "1 corrections", "8 checkpoints", "1 keys", "key given"):
        assert counted in said
    assert run(packed, "--key", HOUSE.verifier, said=capsys) == (0, said)
    code, said = run(packed, "--json", said=capsys)
    assert code == 0
    assert json.loads(said)["checked"]["rounds"] == 4
    assert "compare them" in json.loads(said)["trust"]


def test_it_leaves_nothing_open(journal: list[Item]) -> None:
    """Rounds that are over lie in a database: it is closed whatever the journal is."""
    lines = [written(item) for item in journal]
    for given in (lines, lines[:-1], [lines[0], b"nonsense"], [b"nonsense"]):
        read = natural9_verify.Journal([], [], [])
        with suppress(ValueError):  # of the first line
            natural9_verify.verify(given, read)
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            read.rounds.execute("select * from old")


def test_as_a_program_of_its_own_from_a_pipe(journal: list[Item]) -> None:
    """Without our packages: Python alone runs it."""
    command = [sys.executable, "-I", natural9_verify.__file__]
    lines = b"".join(map(written, journal))
    assert subprocess.run(command, input=lines, capture_output=True).returncode == 0
    cut = subprocess.run(command, input=lines[: len(lines) // 2], capture_output=True, text=False)
    assert cut.returncode == 1
    assert cut.stdout.startswith(b"WRONG line ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "stops without an end"),
        ("no journal\n", "no exported journal"),
        ('{"natural9":"x"}\n', "no exported journal"),
    ],
)
def test_bad_input(content: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_text(content)
    code, said = run(path, said=capsys)
    assert (code, words in said, said.count("\n")) == (2 if content else 1, True, 1)
    assert run(tmp_path / "nothing", said=capsys)[0] == 2
    assert run(path, "--key", "nonsense", said=capsys)[0] == 2


def test_another_key_does_not_do(journal: list[Item]) -> None:
    other = natural9_verify.parse_vkey(str(OTHER.verifier))
    assert "go back to the key" in outside(journal, keys=[other])


def test_a_history_made_anew_with_fresh_signatures(played: list[Item], journal: list[Item]) -> None:
    """All of it agrees with itself; who kept a checkpoint or a receipt knows better."""
    another = signed(chained([{**item, "day": "2027-01-16"} if "seq" in item else item for item in played]))
    assert outside(another) == ""
    kept = natural9_verify.parse_note(str(note_of(journal, 20)))
    assert outside(journal, kept=[kept]) == ""
    assert "the root at 20 entries" in outside(another, kept=[kept])
    kept = natural9_verify.check_receipt(receipt_of(journal, 30), [], [])
    assert outside(journal, kept=[kept]) == ""
    assert "by what was kept" in outside(another, kept=[kept])


def test_a_journal_cut_short_behind_a_kept_checkpoint(played: list[Item], journal: list[Item]) -> None:
    kept = natural9_verify.parse_note(str(note_of(journal, len(played) - 1)))
    shorter = signed(chained([*played[:30], played[-1]]))
    assert "that was kept is of entry" in outside(shorter, kept=[kept])


@pytest.mark.parametrize("place", [0, 3])
def test_a_checkpoint_of_something_else(place: int, journal: list[Item]) -> None:
    at = [number for number, item in enumerate(journal) if "checkpoint" in item][place]
    for note in (note_of(journal, 5), note_of(journal, journal[at - 1]["seq"], OTHER)):
        assert outside([*journal[:at], {"checkpoint": str(note)}, *journal[at + 1 :]]).startswith(f"line {at + 1} ")


def test_keys_follow_each_other(played: list[Item]) -> None:
    def with_next(next_key: Item) -> list[Item]:
        made = chained([played[0], key_set(HOUSE), *played[1:-1], next_key | played[-2] | next_key, played[-1]])
        note = note_of(made, len(made) - 2, OTHER)
        return [*made[:-1], {"checkpoint": str(note)}, made[-1]]

    house = natural9_verify.parse_vkey(str(HOUSE.verifier))
    late = {"at_ms": 10**14, "day": "2099-01-01"}
    assert outside(with_next(key_set(OTHER, HOUSE) | late), keys=[house]) == ""
    assert "did not sign" in outside(with_next(key_set(OTHER, OTHER) | late))
    assert "go back to the key" in outside(with_next(key_set(OTHER) | late), keys=[house])


def test_witnesses(journal: list[Item], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = note_of(journal, 10)
    cosigned = note.with_signatures([cosign(note.text, WITNESS, 1_800_000_000)])
    at = next(number for number, item in enumerate(journal) if "checkpoint" in item)
    path = saved([*journal[:at], {"checkpoint": str(cosigned)}, *journal[at + 1 :]], tmp_path / "journal.jsonl")
    code, said = run(path, "--witness", WITNESS.verifier, said=capsys)
    assert (code, "1 cosignatures" in said) == (0, True)
    forged = str(note.with_signatures([cosign(note.text + "x", WITNESS, 1_800_000_000)]))
    path = saved([*journal[:at], {"checkpoint": forged}, *journal[at + 1 :]], tmp_path / "forged.jsonl")
    assert run(path, "--witness", WITNESS.verifier, said=capsys)[0] == 1


def test_a_receipt_alone(journal: list[Item], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "receipt.json"
    for seq in (1, 2, 40, 70):
        receipt = receipt_of(journal, seq)
        path.write_text(json.dumps(receipt))
        assert run("--receipt", path, "--key", HOUSE.verifier, said=capsys)[0] == 0
        assert run("--receipt", path, "--key", OTHER.verifier, said=capsys)[0] == 1
        path.write_text(json.dumps({**receipt, "entry": with_record(receipt["entry"], cents=1)}))
        code, said = run("--receipt", path, said=capsys)
        assert (code, "hash of the entry" in said) == (1, True)
    path.write_text("{}")
    assert run("--receipt", path, said=capsys)[0] == 2


def test_a_name_that_comes_twice_or_a_fraction(played: list[Item]) -> None:
    def replaced(old: str, new: str) -> list[Item]:
        return changed(played, "bet-placed", lambda item: {**item, "body": item["body"].replace(old, new)})

    assert "twice" in outside(replaced('"v":2', '"v":2,"v":2'))
    assert "invalid literal" in outside(replaced("10000", "10000.0"))


def test_former_versions_are_read_as_todays(played: list[Item]) -> None:
    def former(tag: str, name: str) -> list[Item]:
        def change(item: Item) -> Item:
            body = json.loads(item["body"])
            record = body["record"]
            record[name] = record.pop("cents")
            return with_body({**item, "kind": tag}, {**body, "event": tag, "v": 1})

        return changed(played, "bet-placed", change)

    assert outside(former("bet-placed", "stake")) == ""
    assert outside(former("bet-increased", "more")) == ""
    assert "transfers" in outside(former("bet-raised", "more"))


def test_an_entry_taken_out_added_or_exchanged(played: list[Item]) -> None:
    """By somebody who leaves the hashes as they are, or forgets the end."""
    for lied in (
        [*played[:20], *played[21:]],
        [*played[:20], played[19], *played[20:]],
        [*played[:20], played[21], played[20], *played[22:]],
        [*played[:-1], {"end": {**played[-1]["end"], "balances": {}}}],
        [*played[:-1], {"end": {**played[-1]["end"], "meters": played[-1]["end"]["meters"][1:]}}],
        [*played[:-1], {"end": {**played[-1]["end"], "documents": {"a": "b"}}}],
        [*played, played[20]],
    ):
        assert outside(lied).startswith("line ")
