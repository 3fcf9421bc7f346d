"""A house that signs what its journal is: checkpoints, cosignatures and proofs, over HTTP and to the byte."""

import asyncio
import json
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from natural9.cli.backup import copy_venue, make_folder
from natural9.cli.rekey import rekey
from natural9.core.errors import BadInput
from natural9.journal.line import BY_PROGRAM
from natural9.journal.venue_events import ClockJumped
from natural9.proof.checkpoint import TreeHead, sign_checkpoint, verify_checkpoint
from natural9.proof.cosignature import cosign, cosigned_by
from natural9.proof.key_succession import HouseKey, check_succession, new_house_key, vouched_for
from natural9.proof.merkle import check_consistency, check_inclusion, leaf_hash
from natural9.proof.signed_note import COSIGNATURE, ED25519, SignedNote, SigningKey, VerifierKey, sign
from natural9.server.app import make_app
from natural9.server.house import House
from natural9.server.proof.checkpoints import Checkpoints
from natural9.server.proof.signing_key import CHECKPOINT_KEY_FILE, CheckpointKeys, held_keys, open_checkpoint_keys
from natural9.server.reports.examination import verify_records
from natural9.store.contract import Access, Checkpoint, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, parse_noted
from natural9.table.venue.venue import load_venue
from tests.server.live_server import table, venue_file
from tests.starter import ROOT

WITNESS = SigningKey("regulator.example/w1", COSIGNATURE, b"w" * 32)
STRANGER = SigningKey("stranger.example", COSIGNATURE, b"s" * 32)
ANYTHING = ClockJumped(before_ms=1, after_ms=2)


def new_venue(folder: Path, proof: str = "") -> None:
    """Its one table waits for a dealer, so that nothing happens but what a test does."""
    (folder / "venue.toml").write_text(f"{venue_file(table('a', 'rws-nc'))}\n[proof]\n{proof}\n")


@asynccontextmanager
async def a_house(folder: Path, proof: str = f'witnesses = ["{WITNESS.verifier}"]') -> AsyncIterator[House]:
    if not (folder / "venue.toml").exists():
        new_venue(folder, proof)
    house = await House.open(folder)
    await house.start()
    try:
        yield house
    finally:
        await house.stop("over")


@asynccontextmanager
async def browser(house: House) -> AsyncIterator[httpx.AsyncClient]:
    app: Any = make_app(house)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
        yield client


async def something_happens(house: House) -> None:
    await house.office.write(ANYTHING, by=BY_PROGRAM)


async def shown(client: httpx.AsyncClient) -> SignedNote:
    answer = await client.get("/api/checkpoint")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    return SignedNote.parse(answer.text)


async def test_what_is_shown_is_signed_by_the_key_in_the_journal(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house, browser(house) as client:
        told = (await client.get("/api/checkpoint/keys")).json()
        [key] = [HouseKey(VerifierKey.parse(one.pop("key")), **one) for one in told["keys"]]
        check_succession(told["origin"], [key])
        note = await shown(client)
        head = verify_checkpoint(note, told["origin"], [key.key])
        assert head.origin.startswith("test.natural9/")
        assert [head.root] == await house.store.tree_hashes([(0, head.size)])
        assert (await client.get(f"/api/checkpoint/{head.size}")).text == str(note)
        [line] = [one for one in await house.store.entries(stream="venue") if one.kind == "checkpoint-key-set"]
        assert json.loads(line.body)["record"]["key"] == str(key.key)
    mode = stat.S_IMODE((tmp_path / CHECKPOINT_KEY_FILE).stat().st_mode)
    assert mode == 0o600


async def test_it_is_signed_by_itself_when_something_has_happened_and_when_it_stops(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        first = house.office.checkpoints.newest
        assert first is not None
        await something_happens(house)
        while house.office.checkpoints.newest == first:  # the task that signs
            await asyncio.sleep(0.05)
        again = await house.office.checkpoints.sign()
        assert first.size < again.size == (await house.store.head()).seq
        assert await house.office.checkpoints.sign() is again, "nothing has happened: nothing is signed"
        await something_happens(house)
        seq = (await house.store.head()).seq
        through = await house.office.checkpoints.through(seq)
        assert through.size >= seq
        assert await house.office.checkpoints.through(seq) is through
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert found.fault is None
    assert found.checkpoints >= 4
    store = open_store(tmp_path, Access.READ)
    last = await store.checkpoint()
    assert last is not None
    assert last.size == (await store.head()).seq, "the last entry is signed, too"
    await store.close()


async def test_if_it_cannot_be_signed_play_goes_on_and_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as house:
        keep, failed = house.store.keep_checkpoint, asyncio.Event()

        async def fail(checkpoint: Checkpoint) -> None:
            failed.set()
            raise StoreFailed("the disk is away")

        monkeypatch.setattr(house.store, "keep_checkpoint", fail)
        first = house.office.checkpoints.newest
        await something_happens(house)
        await failed.wait()
        await something_happens(house)
        assert house.office.checkpoints.newest == first
        monkeypatch.setattr(house.store, "keep_checkpoint", keep)
        while house.office.checkpoints.newest == first:
            await asyncio.sleep(0.05)


async def test_a_journal_that_is_shorter_than_what_was_signed_is_not_signed() -> None:
    """A backup that is put in place of the journal, beside checkpoints that are newer than it."""
    signing = SigningKey("test.natural9/1", ED25519, b"k" * 32)
    store = MemoryStore()
    checkpoints = Checkpoints(store, CheckpointKeys(signing, (new_house_key(signing),)))
    await checkpoints.start()
    newest = Checkpoint(3, str(sign_checkpoint(TreeHead(signing.name, 3, b"r" * 32), signing)))
    await store.keep_checkpoint(newest)
    await checkpoints.follow()
    with pytest.raises(StoreFailed, match="3 entries were signed, and the journal has 0"):
        await checkpoints.sign()
    assert await store.checkpoint() == checkpoints.newest == newest


async def test_proofs_hold_for_every_entry_and_every_size(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house, browser(house) as client:
        for _ in range(6):
            await something_happens(house)
            await house.office.checkpoints.sign()
        notes = [TreeHead.parse(SignedNote.parse(one.note).text) for one in await house.store.checkpoints()]
        size, root = notes[-1].size, notes[-1].root
        for written in await house.store.entries():
            answer = (await client.get(f"/api/proof/inclusion?entry={written.seq}&size={size}")).json()
            assert (answer["entry"], answer["size"], answer["leaf"]) == (written.seq, size, written.hash.hex())
            hashes = [bytes.fromhex(one) for one in answer["hashes"]]
            check_inclusion(leaf_hash(written.hash), written.seq - 1, size, hashes, root)
        for first in notes:
            answer = (await client.get(f"/api/proof/consistency?first={first.size}&second={size}")).json()
            hashes = [bytes.fromhex(one) for one in answer["hashes"]]
            check_consistency(first.size, first.root, size, root, hashes)


NOT_THERE = [
    ("/api/proof/inclusion?entry=1&size=999999", 404, "The journal has"),
    ("/api/proof/inclusion?entry=2&size=1", 404, "Entry 2 is not among the first 1"),
    ("/api/proof/inclusion?entry=0&size=1", 400, ""),
    ("/api/proof/inclusion?entry=x&size=1", 400, ""),
    ("/api/proof/inclusion?entry=1", 400, ""),
    ("/api/proof/consistency?first=2&second=1", 400, "A journal of 1 entries cannot go on from 2"),
    ("/api/proof/consistency?first=1&second=999999", 404, "The journal has"),
    ("/api/checkpoint/999999", 404, "There is no checkpoint of 999999 entries"),
    ("/api/checkpoint/-1", 400, ""),
    ("/api/head", 404, ""),
]


async def test_what_is_not_there_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house, browser(house) as client:
        for path, status, why in NOT_THERE:
            answer = await client.get(path)
            assert (path, answer.status_code) == (path, status)
            assert why in answer.json()["message"]


# Cosignatures.


async def test_a_witness_of_the_venue_file_is_heard_and_shown(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house, browser(house) as client:
        note = await shown(client)
        size = TreeHead.parse(note.text).size
        before = (await client.get("/api/checkpoint/witnesses")).json()
        line = cosign(note.text, WITNESS, 1_700_000_000)
        answer = await client.post(f"/api/checkpoint/{size}/cosignatures", content=f"{line}\n")
        assert (answer.status_code, answer.json()) == (200, {"size": size, "witnesses": ["regulator.example/w1"]})
        again = SignedNote.parse((await client.get(f"/api/checkpoint/{size}")).text)
        assert cosigned_by(again, [WITNESS.verifier]) == [(WITNESS.verifier, 1_700_000_000)]
        named = {"name": "regulator.example/w1", "key": str(WITNESS.verifier)}
        assert before == [named | {"size": None, "at_s": None}]
        after = (await client.get("/api/checkpoint/witnesses")).json()
        assert after == [named | {"size": size, "at_s": 1_700_000_000}]
        assert house.office.checkpoints.last_cosigned == TreeHead.parse(note.text)
    async with a_house(tmp_path) as house, browser(house) as client:
        assert (await client.get("/api/checkpoint/witnesses")).json() == after, "it is known over a restart"
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert found.fault is None


async def test_a_damaged_checkpoint_does_not_keep_the_tables_from_opening(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        size = (await house.office.checkpoints.sign()).size
    store = open_store(tmp_path, Access.WRITE)
    await store.keep_checkpoint(Checkpoint(size, "nonsense"))
    await store.close()
    async with a_house(tmp_path) as house:
        assert house.ready
        assert (await house.office.checkpoints.sign()).size > size


async def test_what_was_heard_already_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(tmp_path) as house:
        newest = await house.office.checkpoints.sign()
        text = SignedNote.parse(newest.note).text
        sent = f"{cosign(text, WITNESS, 2000)}\n"
        await house.office.checkpoints.take(newest.size, sent)
        kept: list[Checkpoint] = []

        async def keep(checkpoint: Checkpoint) -> None:
            kept.append(checkpoint)

        monkeypatch.setattr(house.store, "keep_checkpoint", keep)
        for _ in range(3):
            await house.office.checkpoints.take(newest.size, sent)
            await house.office.checkpoints.take(newest.size, f"{cosign(text, WITNESS, 1000)}\n")
        assert [one for one in kept if one.size == newest.size] == []
        monkeypatch.undo()


async def test_cosignatures_of_strangers_and_wrong_ones_are_refused_and_change_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house, browser(house) as client:
        note = await shown(client)
        size = TreeHead.parse(note.text).size
        good, other = cosign(note.text, WITNESS, 5), cosign(note.text + "x\n", WITNESS, 5)
        for at, sent, status, code in (
            (size, f"{cosign(note.text, STRANGER, 5)}\n", 403, "unknown-witness"),
            (size, f"{good}\n{cosign(note.text, STRANGER, 5)}\n", 403, "unknown-witness"),
            (size, f"{other}\n", 400, "bad-cosignature"),
            (size, "", 400, "bad-cosignature"),
            (size, "x" * 50_000, 400, "bad-cosignature"),
            (size, b"\xff", 400, "bad-cosignature"),
            (size, "x" * 100_000, 413, "too-large"),
            (999_999, f"{good}\n", 404, "no-such-checkpoint"),
        ):
            answer = await client.post(f"/api/checkpoint/{at}/cosignatures", content=sent)
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert (await client.get(f"/api/checkpoint/{size}")).text == str(note)


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ('witnesses = ["x"]', "a public key is written as NAME+ID+KEY"),
        (
            'witnesses = ["PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]',
            "PeterNeumann is not a witness's key",
        ),
        (f'witnesses = ["{WITNESS.verifier}", "{WITNESS.verifier}"]', "a witness is there twice"),
        ('origin = "two words"', "is no name for checkpoints"),
        ("witness = []", "witnesses"),
    ],
)
async def test_a_mistake_in_the_venue_file_is_named(tmp_path: Path, proof: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        async with a_house(tmp_path, proof):
            pass
    assert why in str(refused.value)
    assert "venue.toml" in str(refused.value)


# The key.


async def test_the_name_is_the_venues_choice_once_and_never_changes(tmp_path: Path) -> None:
    async with a_house(tmp_path, 'origin = "tables.example/marina"') as house:
        assert house.office.checkpoints.keys.origin == "tables.example/marina"
    new_venue(tmp_path, 'origin = "tables.example/other"')
    with pytest.raises(BadInput, match=r"called tables\.example/marina for ever"):
        await House.open(tmp_path)
    new_venue(tmp_path)
    async with a_house(tmp_path) as house:
        assert house.office.checkpoints.keys.origin == "tables.example/marina"


async def test_a_key_that_is_missing_or_another_refuses_to_start_and_is_named(tmp_path: Path) -> None:
    async with a_house(tmp_path):
        pass
    path = tmp_path / CHECKPOINT_KEY_FILE
    sound = path.read_bytes()
    path.unlink()
    with pytest.raises(BadInput, match=r"checkpoint\.key does not hold .* natural9 rekey --checkpoint --lost"):
        await House.open(tmp_path)
    assert not path.exists(), "no other key is made"
    for written, mode, why in (
        (sound, 0o644, "can be read by others"),
        (b"nonsense", 0o600, "is damaged"),
        (SigningKey("x", 1, b"x" * 32).written.encode(), 0o600, "does not hold"),
    ):
        path.write_bytes(written)
        path.chmod(mode)
        with pytest.raises(BadInput, match=why):
            await House.open(tmp_path)
    path.write_bytes(sound)
    path.chmod(0o600)
    async with a_house(tmp_path):
        pass


async def test_a_first_key_that_was_cut_off_before_the_journal_named_it_is_used(tmp_path: Path) -> None:
    new_venue(tmp_path)
    house = await House.open(tmp_path)
    await house.store.close()
    [key] = held_keys(tmp_path)
    async with a_house(tmp_path) as house:
        assert house.office.checkpoints.keys.signing == key


async def test_a_new_key_is_vouched_for_and_everything_signed_before_still_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_house(tmp_path) as house:
        [old] = house.office.checkpoints.keys.public
    await asyncio.to_thread(rekey, tmp_path, checkpoint=True)
    said = capsys.readouterr().out
    async with a_house(tmp_path) as house, browser(house) as client:
        public = house.office.checkpoints.keys.public
        check_succession(house.office.checkpoints.keys.origin, public)
        assert (public[0], str(public[1].key) in said, bool(public[1].signature_before)) == (old, True, True)
        verify_checkpoint(await shown(client), house.office.checkpoints.keys.origin, [public[1].key])
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert (found.fault, found.keys) == (None, tuple(str(one.key) for one in public))
    assert len(held_keys(tmp_path)) == 1


async def test_killed_before_any_step_of_a_new_key_one_whole_key_is_vouched_for(tmp_path: Path) -> None:
    """Never neither: the journal names the old key or the new, the file holds that one, and it signs."""
    folder = tmp_path / "venue"
    folder.mkdir()
    async with a_house(folder) as house:
        origin, [old] = house.office.checkpoints.keys.origin, house.office.checkpoints.keys.public
    command = [sys.executable, "-m", "tests.server.rekeyer", "checkpoint", str(folder)]
    await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True, capture_output=True)
    copies = sorted((path for path in tmp_path.iterdir() if path != folder), key=lambda path: int(path.name))
    ended = []
    for copy in copies:
        held = held_keys(copy)
        store = open_store(copy, Access.WRITE)
        try:
            keys = await open_checkpoint_keys(copy, store, load_venue(copy / "venue.toml"))
        finally:
            await store.close()
        check_succession(origin, keys.public)
        assert vouched_for(old.key, keys.public)[-1] == keys.signing.verifier
        assert held_keys(copy) == (keys.signing,), "what the journal does not name is taken out"
        assert not [path.name for path in copy.iterdir() if path.name.startswith(f"{CHECKPOINT_KEY_FILE}.")]
        ended.append((len(held), len(keys.public)))
    # The new key is not there yet; it is there and not named; it is named; and the old one is gone.
    assert list(dict.fromkeys(ended)) == [(1, 1), (2, 1), (2, 2), (1, 2)]
    for copy in (copies[0], copies[len(copies) // 2], copies[-1]):
        await asyncio.to_thread(rekey, copy, checkpoint=True)  # cut off or done, it can be done again
        assert (await asyncio.to_thread(verify_records, copy)).fault is None


async def test_a_lost_key_is_replaced_by_one_that_nobody_vouches_for(tmp_path: Path) -> None:
    async with a_house(tmp_path):
        pass
    with pytest.raises(BadInput, match="is not lost"):
        await asyncio.to_thread(rekey, tmp_path, checkpoint=True, lost=True)
    (tmp_path / CHECKPOINT_KEY_FILE).unlink()
    with pytest.raises(BadInput, match="does not hold"):
        await asyncio.to_thread(rekey, tmp_path, checkpoint=True)
    await asyncio.to_thread(rekey, tmp_path, checkpoint=True, lost=True)
    async with a_house(tmp_path) as house:
        assert house.office.checkpoints.keys.public[-1].signature_before == ""
    assert (await asyncio.to_thread(verify_records, tmp_path)).fault is None


async def test_a_backup_has_the_key_and_verify_misses_another(tmp_path: Path) -> None:
    venue, copy = tmp_path / "venue", tmp_path / "copy"
    venue.mkdir()
    async with a_house(venue):
        pass
    make_folder(copy)
    assert CHECKPOINT_KEY_FILE in copy_venue(venue, copy)
    assert held_keys(copy) == held_keys(venue)
    assert stat.S_IMODE((copy / CHECKPOINT_KEY_FILE).stat().st_mode) == 0o600
    (copy / CHECKPOINT_KEY_FILE).write_text(SigningKey("x", 1, b"x" * 32).written)
    found = await asyncio.to_thread(verify_records, copy)
    assert found.fault is not None
    assert "does not hold the checkpoint key" in found.fault.says


# Verifying what was signed.


async def test_verify_finds_a_checkpoint_of_another_history_key_or_length(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await something_happens(house)
        keys = house.office.checkpoints.keys
    store = open_store(tmp_path, Access.WRITE)
    tree, good = await store.tree(), await store.checkpoint()
    assert good is not None
    head = TreeHead(keys.origin, tree.size, tree.root)
    other = SigningKey(keys.origin, 1, b"o" * 32)

    def signed(head: TreeHead, key: SigningKey) -> str:
        return str(sign(head.text, key))

    for size, note, why in (
        (tree.size, signed(head._replace(root=b"x" * 32), keys.signing), "signed for another history"),
        (tree.size, signed(head._replace(size=1), keys.signing), "signed for another history"),
        (tree.size, signed(head, other), "not the house's: nobody who is known"),
        (tree.size, signed(head, keys.signing).replace("\n\n", "\nx\n\n"), "not the house's: the signature"),
        (tree.size, "nonsense", "not the house's: this is no signed note"),
        (tree.size + 5, signed(head._replace(size=tree.size + 5), keys.signing), "were signed in a checkpoint"),
    ):
        await store.keep_checkpoint(Checkpoint(size, note))
        found = await asyncio.to_thread(verify_records, tmp_path)
        assert found.fault is not None, why
        assert why in found.fault.says
        await store.keep_checkpoint(good)
    await store.close()


async def test_a_checkpoint_that_somebody_noted_is_held_against_the_journal(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        noted = house.office.checkpoints.newest
        assert noted is not None
    head = TreeHead.parse(SignedNote.parse(noted.note).text)
    shown_root = " ".join(head.root.hex()[at : at + 8] for at in range(0, 64, 8))
    for text in (noted.note, f"{head.size} {head.root.hex()}", f" {head.size:,}  {shown_root[:17].upper()} "):
        found = await asyncio.to_thread(verify_records, tmp_path, parse_noted(text))
        assert (found.fault, found.noted_size) == (None, head.size)
    for wrong, why in (
        (NotedCheckpoint(head.size, "0" * 64), "are not the history that was noted"),
        (NotedCheckpoint(head.size - 1, head.root.hex()), "are not the history that was noted"),
        (NotedCheckpoint(10**6, head.root.hex()), "a checkpoint of 1000000 entries was noted"),
    ):
        found = await asyncio.to_thread(verify_records, tmp_path, wrong)
        assert found.fault is not None
        assert why in found.fault.says
    assert parse_noted("  ") is None
    for text in ("x", "5", "5 abc", f"5 {'g' * 64}", f"-5 {'0' * 64}", f"5 {'0' * 65}"):
        with pytest.raises(BadInput, match="This is no checkpoint"):
            parse_noted(text)
