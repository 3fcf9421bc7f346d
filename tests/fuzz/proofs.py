"""What is shown to whoever trusts nobody, and what they answer: notes, keys, proofs, receipts, stamps, witnesses."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from natural9.proof.checkpoint import TreeHead, verify_checkpoint
from natural9.proof.cosignature import cosigned_by, parse_cosignatures
from natural9.proof.key_succession import HouseKey, check_succession
from natural9.proof.merkle import BadProof, check_consistency, check_inclusion, leaf_hash
from natural9.proof.signed_note import BadNote, SignedNote, SigningKey, VerifierKey
from natural9.proof.time_stamp import BadStamp, check_stamp, stamp_query
from natural9.proof.tlog_proof import LogProof
from natural9.store.receipt import BadReceipt, check_receipt, read_receipt
from natural9.witness.house import HouseSeen
from natural9.witness.looking import Witness
from natural9.witness.memory import Memory
from natural9.witness.trouble import HouseTrouble, TwoHistories
from tests.fuzz.evenings import an_evening
from tests.fuzz.mutation import spoilt, spoilt_json
from tests.fuzz.target import Target, Wrong, is_sentence
from tests.lies.house import FIRST_KEY, KEYS, ORIGIN, WITNESS_KEY, house_keys, key_record
from tests.server.proof.authority import Authority
from verifier import natural9_verify

VERIFIERS: Final = [key.verifier for key in KEYS]


class Notes(Target):
    """Signed notes and all that is made of them: what is accepted is what was signed, and nothing else."""

    name = "notes"
    share = 70

    async def open(self, folder: Path) -> None:
        shown = an_evening().shown
        self._notes = [str(note) for note in shown.notes]
        self._texts = {note.text for note in shown.notes}
        self._cosigned = [str(note) for note in shown.notes if note.signed_by(WITNESS_KEY.verifier)]
        assert self._cosigned, "a witness looked on"
        lines = [str(SignedNote.parse(one).signatures[-1]) + "\n" for one in self._cosigned]
        self._keys = [json.dumps(key_record(one)) for one in house_keys()]
        self._valid: dict[str, list[str]] = {
            "checkpoint": self._notes,
            "cosigned": self._cosigned,
            "lines": lines,
            "key": [str(key) for key in VERIFIERS] + [str(WITNESS_KEY.verifier)],
            "secret": [KEYS[0].written],
            "proof": [one["proof"] for one in shown.receipts],
            "succession": self._keys,
        }

    def make(self, chance: Random) -> tuple[str, bytes]:
        kind = chance.choice([*self._valid])
        valid = [one.encode() for one in self._valid[kind]]
        return kind, spoilt(chance, chance.choice(valid), valid)

    async def feed(self, given: tuple[str, bytes]) -> bool:
        kind, written = given
        read: Callable[[bytes], None] = getattr(self, f"_read_{kind}")
        try:
            read(written)
        except (BadNote, BadProof) as error:
            is_sentence(str(error))
            return False
        return True

    def _read_checkpoint(self, written: bytes) -> None:
        note = SignedNote.parse(written)
        TreeHead.parse(note.text)
        verify_checkpoint(note, ORIGIN, VERIFIERS)
        if note.text not in self._texts:
            raise Wrong("a checkpoint that was never signed")

    def _read_cosigned(self, written: bytes) -> None:
        note = SignedNote.parse(written)
        if cosigned_by(note, [WITNESS_KEY.verifier]) and note.text not in self._texts:
            raise Wrong("a checkpoint that was never cosigned")

    def _read_lines(self, written: bytes) -> None:
        parse_cosignatures(_text(written))

    def _read_key(self, written: bytes) -> None:
        text = _text(written)
        if str(VerifierKey.parse(text)).lower() != text.lower():
            raise Wrong("two ways to write one key")

    def _read_secret(self, written: bytes) -> None:
        SigningKey.parse(_text(written))

    def _read_proof(self, written: bytes) -> None:
        proof = LogProof.parse(_text(written))
        head = TreeHead.parse(proof.checkpoint.text)
        check_inclusion(leaf_hash(bytes(32)), proof.index, head.size, proof.hashes, head.root)
        raise Wrong("nothing is proved to be there")

    def _read_succession(self, written: bytes) -> None:
        try:
            record = json.loads(written)
            parts = [record[name] for name in ("key", "signature", "signature_before")]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise BadNote("no record at all") from None
        if all(isinstance(one, str) for one in parts):
            key = HouseKey(VerifierKey.parse(parts[0]), parts[1], parts[2])
            check_succession(ORIGIN, [house_keys()[0], key])


def _text(written: bytes) -> str:
    return written.decode(errors="replace")


class Receipts(Target):
    """Ours and the outside verifier's: what holds says what was handed out."""

    name = "receipts"
    share = 60

    async def open(self, folder: Path) -> None:
        self._receipts = an_evening().shown.receipts
        self._entries = [one["entry"]["body"] for one in self._receipts]
        self._outside = [natural9_verify.parse_vkey(str(key)) for key in VERIFIERS]

    def make(self, chance: Random) -> bytes:
        valid = chance.choice(self._receipts)
        return spoilt_json(chance, valid) if chance.random() < 0.6 else spoilt(chance, json.dumps(valid).encode())

    async def feed(self, given: bytes) -> bool:
        ours = self._ours(given)
        theirs = self._theirs(given)
        if ours and not theirs:
            raise Wrong("it holds here, and not for the outside verifier")
        return ours

    def _ours(self, given: bytes) -> bool:
        try:
            receipt = read_receipt(given)
            key = next((one for one in VERIFIERS if str(one) == receipt.key), VERIFIERS[0])
            check_receipt(receipt, key, [WITNESS_KEY.verifier])
        except (BadReceipt, BadNote, BadProof) as error:
            is_sentence(str(error))
            return False
        if receipt.entry.body not in self._entries:
            raise Wrong("a receipt of what was never written")
        return True

    def _theirs(self, given: bytes) -> bool:
        try:
            receipt = natural9_verify.decode(given.decode())
            natural9_verify.check_receipt(receipt, self._outside, [])
        except (natural9_verify.Wrong, *natural9_verify.NO_SENSE):
            return False
        if receipt["entry"]["body"] not in self._entries:
            raise Wrong("the outside verifier takes a receipt of what was never written")
        return True


class WitnessAnswers(Target):
    """A house that answers a witness with anything: the witness cosigns one history, and is told what is wrong."""

    name = "witness-answers"
    share = 15

    async def open(self, folder: Path) -> None:
        self._folder = folder
        shown = an_evening().shown
        self._note = str(shown.notes[-1]).encode()
        self._old = str(shown.notes[0]).encode()
        keys = [{name: one for name, one in key_record(key).items() if name != "origin"} for key in house_keys()]
        self._keys = json.dumps({"origin": ORIGIN, "keys": keys}).encode()
        self._proof = json.dumps({"first": 1, "second": 2, "hashes": ["00" * 32, "ab" * 32]}).encode()
        self._texts = {note.text for note in shown.notes}
        self._given: dict[str, Any] = {}
        self._house = HouseSeen("http://house.example")
        await self._house._http.aclose()
        answers = httpx.MockTransport(lambda asked: _answer(asked, self._given))
        self._house._http = httpx.AsyncClient(transport=answers)

    async def close(self) -> None:
        await self._house._http.aclose()

    def make(self, chance: Random) -> dict[str, Any]:
        status = chance.choice((200,) * 12 + (204, 301, 400, 404, 500, 599))
        keys = spoilt(chance, self._keys), spoilt_json(chance, json.loads(self._keys))
        return {
            "note": spoilt(chance, chance.choice((self._note, self._note, self._old))),
            "keys": chance.choice((self._keys, *keys)),
            "proof": chance.choice((self._proof, spoilt_json(chance, json.loads(self._proof)))),
            "status": status,
            "headers": chance.choice(({},) * 8 + ({"content-encoding": "gzip"}, {"location": "http://other.example/"})),
        }

    async def feed(self, given: dict[str, Any]) -> bool:
        file = self._folder / "w.jsonl"
        file.unlink(missing_ok=True)
        memory = Memory(file, WITNESS_KEY.verifier, is_new=True)
        self._given = given
        try:
            words = await Witness(memory, WITNESS_KEY, (FIRST_KEY.verifier,)).look(self._house, now_s=1_800_000_000)
        except (HouseTrouble, TwoHistories) as trouble:
            is_sentence(str(trouble))
            return False
        finally:
            memory.close()
        if not any(seen.note and seen.note.text in self._texts for seen in memory.logs.values()):
            raise Wrong(f"cosigned what the house never signed: {words}")
        return True


def _answer(asked: httpx.Request, given: dict[str, Any]) -> httpx.Response:
    if asked.method == "POST":
        return httpx.Response(200, stream=_Bytes(b""))
    path = asked.url.path
    what = "keys" if path.endswith("keys") else "proof" if "consistency" in path else "note"
    return httpx.Response(given["status"], headers=given["headers"], stream=_Bytes(given[what]))


class _Bytes(httpx.AsyncByteStream):
    def __init__(self, data: bytes) -> None:
        self._data = data

    async def __aiter__(self) -> Any:
        yield self._data


class MerkleProofs(Target):
    """Sizes, places and hashes that somebody sent."""

    name = "merkle-proofs"
    share = 40

    def make(self, chance: Random) -> tuple[int, int, int, list[bytes]]:
        sizes = (0, 1, 2, 3, 5, 8, 64, 65, 2**31, 2**62, 2**63 - 1)
        hashes = [chance.randbytes(chance.choice((32, 32, 32, 0, 31, 64))) for _ in range(chance.randrange(70))]
        return chance.choice(sizes), chance.choice(sizes), chance.choice(sizes), hashes

    async def feed(self, given: tuple[int, int, int, list[bytes]]) -> bool:
        index, first, second, hashes = given
        try:
            check_inclusion(leaf_hash(bytes(32)), index, second, hashes, b"r" * 32)
            raise Wrong("proved by chance")
        except BadProof as error:
            is_sentence(str(error))
        try:
            check_consistency(first, b"a" * 32, second, b"b" * 32, hashes)
        except BadProof as error:
            is_sentence(str(error))
            return False
        if first != 0:
            raise Wrong("joined by chance")
        return True


class TimeStamps(Target):
    """What a time-stamp authority answers."""

    name = "time-stamps"
    share = 25

    async def open(self, folder: Path) -> None:
        authority = Authority(folder / "authority")
        self._data = b"checkpoint"
        self._answer = authority.answer(stamp_query(self._data).encoded)
        self._certificates = authority.root.read_bytes()

    def make(self, chance: Random) -> bytes:
        return spoilt(chance, self._answer)

    async def feed(self, given: bytes) -> bool:
        try:
            check_stamp(given, self._data, certificates=self._certificates)
        except BadStamp as error:
            is_sentence(str(error))
            return False
        return True
