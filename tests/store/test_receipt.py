"""A receipt proves its entry without the house, and nothing else: whatever is changed in it is found."""

import asyncio
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from natural9.proof.cosignature import cosign
from natural9.proof.merkle import BadProof
from natural9.proof.signed_note import COSIGNATURE, ED25519, BadNote, SigningKey
from natural9.proof.tlog_proof import LogProof
from natural9.store.receipt import BadReceipt, EntryReceipt, check_receipt, read_receipt
from tests.store.receipts import KEY, ORIGIN, as_file, receipt_of, small_journal

OTHER = SigningKey(ORIGIN, ED25519, bytes(32))
WITNESS = SigningKey("witness.example", COSIGNATURE, bytes(range(1, 33)))
GOLDEN = Path(__file__).parents[2] / "web/src/lib/receipts/receipt.golden.json"
VERIFIER = Path(__file__).parents[2] / "verifier/natural9_verify.py"


async def one(seq: int = 4, size: int | None = None) -> EntryReceipt:
    return await receipt_of(await small_journal(), seq, size)


@cache
def written() -> bytes:
    return as_file(asyncio.run(one()))


async def test_every_entry_of_a_journal_is_proved_by_every_checkpoint_that_covers_it() -> None:
    store = await small_journal()
    for seq in range(1, 8):
        for size in range(seq, 8):
            receipt = read_receipt(as_file(await receipt_of(store, seq, size)))
            held = check_receipt(receipt, KEY.verifier)
            assert (held.head.size, held.key, held.cosigned) == (size, KEY.verifier, [])
            assert receipt.entry.seq == seq
            assert check_receipt(receipt) == held, "by its own key"


def test_the_screens_are_tested_with_this_very_receipt() -> None:
    assert GOLDEN.read_bytes() == written()


@given(data=st.data())
def test_each_altered_byte_is_refused(data: st.DataObject) -> None:
    altered = bytearray(written())
    place = data.draw(st.integers(0, len(altered) - 1))
    altered[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte != altered[place]))
    with pytest.raises((BadReceipt, BadProof, BadNote)):
        check_receipt(read_receipt(bytes(altered)))


def test_a_name_that_comes_twice_is_no_receipt() -> None:
    """One program would show the first value, and another check the last."""
    twice = written().replace(b'"entry":{', b'"entry":{"body":"paid in full",', 1)
    assert twice != written()
    with pytest.raises(BadReceipt, match="a name comes twice in it"):
        read_receipt(twice)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seq": 3}, "of another entry"),
        ({"body": '{"note":"more"}'}, "its hash is another one"),
        ({"hash": "00" * 32}, "its hash is another one"),
        ({"previous_hash": "00" * 31 + " 0"}, "not 64 hexadecimal digits"),
        ({"previous_hash": ""}, "not 64 hexadecimal digits"),
    ],
)
async def test_what_was_changed_is_named(change: dict[str, object], why: str) -> None:
    receipt = await one()
    with pytest.raises(BadProof, match=why):
        check_receipt(replace(receipt, entry=replace(receipt.entry, **change)))


async def test_a_proof_of_another_entry_proves_nothing() -> None:
    store = await small_journal()
    receipt, other = await receipt_of(store, 4), await receipt_of(store, 5)
    with pytest.raises(BadProof, match="of another entry"):
        check_receipt(replace(receipt, proof=other.proof))
    page = receipt.proof.replace("@v1\n", "@v1\nextra AA==\n")
    with pytest.raises(BadProof, match="of another entry"):
        check_receipt(replace(receipt, proof=page))


async def test_another_houses_key_is_found_by_who_knows_the_right_one() -> None:
    receipt = await one()
    with pytest.raises(BadNote, match="another key than the one that is known"):
        check_receipt(receipt, OTHER.verifier)
    with pytest.raises(BadNote, match="nobody who is known here has signed"):
        check_receipt(replace(receipt, key=str(OTHER.verifier)))
    with pytest.raises(BadNote, match="the key of a witness"):
        check_receipt(replace(receipt, key=str(WITNESS.verifier)))
    with pytest.raises(BadNote, match="no key of the house has signed"):
        await receipt_of(await small_journal(), 4, key=OTHER)


async def test_witnesses_words_are_told() -> None:
    receipt = await one()
    proof = LogProof.parse(receipt.proof)
    line = cosign(proof.checkpoint.text, WITNESS, 1_800_000_000)
    seen = LogProof(proof.index, proof.hashes, proof.checkpoint.with_signatures([line]))
    held = check_receipt(replace(receipt, proof=str(seen)), witnesses=[WITNESS.verifier])
    assert held.cosigned == [(WITNESS.verifier, 1_800_000_000)]
    assert check_receipt(receipt, witnesses=[WITNESS.verifier]).cosigned == []


@pytest.mark.parametrize("text", ["", "[]", "{}", "\xff", "[" * 100_000, '{"natural9":"journal","format":1}'])
def test_what_is_no_receipt_is_named(text: str) -> None:
    with pytest.raises(BadReceipt, match="this is no receipt"):
        read_receipt(text.encode("latin-1"))


def test_the_verifier_that_is_not_ours_says_the_same(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(written())
    told = json.loads(written())
    told["entry"]["transfers"][0][3] += 1
    bad.write_text(json.dumps(told))
    codes = [
        subprocess.run(
            [sys.executable, VERIFIER, "--key", str(KEY.verifier), "--receipt", file], capture_output=True, check=False
        ).returncode
        for file in (good, bad)
    ]
    assert codes == [0, 1]
