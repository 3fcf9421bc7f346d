"""`natural9 receipt`: what a player can check at home, without the house."""

import asyncio
import json
from pathlib import Path
from typing import Any

from natural9.proof.cosignature import cosign
from natural9.proof.signed_note import COSIGNATURE, SigningKey
from natural9.proof.tlog_proof import LogProof
from tests.cli.test_command import answer, complaint, run, text
from tests.store.receipts import KEY, as_file, receipt_of, small_journal

RECEIPT = as_file(asyncio.run(receipt_of(asyncio.run(small_journal()), 4)))
WITNESS = SigningKey("witness.example", COSIGNATURE, bytes(range(1, 33)))


def saved(folder: Path, told: Any = None) -> str:
    path = folder / "receipt.json"
    path.write_bytes(RECEIPT if told is None else json.dumps(told).encode())
    return str(path)


def test_a_receipt_is_told_in_words(tmp_path: Path) -> None:
    shown = text("receipt", saved(tmp_path), "--key", str(KEY.verifier))
    assert "The receipt holds: Seat 3" in shown
    assert "entry 2 of table/1, 2026-" in shown
    assert f"in the checkpoint of 7 entries, signed with the key {KEY.verifier}" in shown
    assert "papers" not in shown
    assert "compare it with the house's papers" in text("receipt", saved(tmp_path))


def test_for_programs_and_from_stdin(tmp_path: Path) -> None:
    found = answer("receipt", saved(tmp_path))
    assert (found["holds"], found["stream"], found["number"], found["entries"]) == (True, "table/1", 2, 7)
    done = run("receipt", "-", stdin=RECEIPT.decode())
    assert (done.returncode, done.stderr) == (0, "")


def test_what_does_not_hold_exits_1(tmp_path: Path) -> None:
    told = json.loads(RECEIPT)
    told["entry"]["body"] = told["entry"]["body"].replace("500", "900")
    done = run("receipt", saved(tmp_path, told))
    assert (done.returncode, done.stderr) == (1, "")
    assert "does not hold: the entry was changed" in done.stdout
    done = run("receipt", saved(tmp_path), "--witness", str(WITNESS.verifier), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"holds": False, "why": "witness.example has not cosigned its checkpoint"}


def test_a_witness_that_has_cosigned_is_named(tmp_path: Path) -> None:
    told = json.loads(RECEIPT)
    proof = LogProof.parse(told["proof"])
    line = cosign(proof.checkpoint.text, WITNESS, 1_800_000_000)
    told["proof"] = str(LogProof(proof.index, proof.hashes, proof.checkpoint.with_signatures([line])))
    assert "cosigned by witness.example, 2027-01-15" in text(
        "receipt", saved(tmp_path, told), "--witness", str(WITNESS.verifier)
    )


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    assert "No such file" in complaint("receipt", str(tmp_path / "none.json"))
    assert "this is no receipt" in complaint("receipt", saved(tmp_path, {"natural9": "journal"}))
    assert "a public key is written as NAME+ID+KEY" in complaint("receipt", saved(tmp_path), "--key", "abc")
    assert "--key is empty" in complaint("receipt", saved(tmp_path), "--key", "")
    assert "a witness's key" in complaint("receipt", saved(tmp_path), "--key", str(WITNESS.verifier))
    assert "a house's key" in complaint("receipt", saved(tmp_path), "--witness", str(KEY.verifier))
