"""The four that may catch a lie. Each says in words what is wrong, or nothing."""

import contextlib
import importlib.util
import io
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from natural9.games import load_game
from natural9.proof.cosignature import cosigned_by
from natural9.proof.key_succession import HouseKey
from natural9.proof.merkle import leaf_hashes, root_of
from natural9.proof.signed_note import BadNote, SignedNote, VerifierKey, to_base64
from natural9.store.balances import Balances, Book
from natural9.store.contract import Head, NumberedTransfer, StreamHead, Transfer, Written
from natural9.store.documents import DocumentHashes
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify, walk
from natural9.witness.trouble import HouseTrouble, TwoHistories
from tests.lies.evening import Evening
from tests.lies.house import FIRST_KEY, SECOND_KEY, WITNESS_KEY
from tests.lies.shown import KEY_SET, Line, Shown
from tests.lies.witnessing import HouseShown, Watching

VERIFIER = Path(__file__).parents[2] / "verifier" / "natural9_verify.py"


def _outside_verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("natural9_verify", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_verifier = _outside_verifier()


async def ours(shown: Shown) -> str:
    """`natural9 verify` over the house's own records."""
    found = await verify(as_store(shown), load_game=load_game)
    closer = await walk(as_store(shown), load_game, None, lambda done, end: None, by_bytes=False)
    assert closer == found, "what is known by its bytes is what a closer look finds"
    if found.fault:
        return found.fault.words
    return "the rules of a round are not those of the approved game" if found.not_derived else ""


def outside(shown: Shown, *options: str) -> str:
    """verifier/natural9_verify.py over what was exported, with the house's key from its papers and the witness's."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.jsonl"
        file.write_bytes(b"".join(shown.export))
        return _run(str(file), *options)


def receipts(shown: Shown) -> str:
    """Players who check their receipts, and ask that what they prove stands in the journal that is shown now."""
    leaves = leaf_hashes(shown.hashes)
    entries = shown.entries
    for receipt in shown.receipts:
        if wrong := by_itself(msgspec.json.encode(receipt)):
            return f"the receipt itself: {wrong}"
        kept, note = receipt["entry"], SignedNote.parse(receipt["proof"].partition("\n\n")[2])
        _, size, root = note.text.splitlines()[:3]
        if kept["seq"] > len(entries) or not entries[kept["seq"] - 1].items() <= kept.items():
            return f"entry {kept['seq']} is not the one on the receipt"
        if int(size) > len(leaves) or to_base64(root_of(leaves[: int(size)])) != root:
            return f"the first {size} entries are not those whose checkpoint is on the receipt"
    return ""


@cache  # most lies leave receipts as they are
def by_itself(receipt: bytes) -> str:
    """What is wrong with a receipt, before it is held against any journal; both of the house's keys are known."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "receipt.json"
        file.write_bytes(receipt)
        return _run("--receipt", str(file), "--key", str(SECOND_KEY.verifier), witness=False)


async def witness(shown: Shown, evening: Evening) -> str:
    """A witness who looks once more, and whoever holds what it has cosigned against the journal that is shown."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "witness.jsonl"
        file.write_bytes(evening.witness_file)
        kept = [one["note"] for one in map(msgspec.json.decode, evening.witness_file.splitlines()) if "note" in one]
        return await _look(shown, file) or _held_against(shown, kept)


async def _look(shown: Shown, file: Path) -> str:
    watching = Watching(file)
    try:
        notes = shown.notes
        if not notes:
            return "it shows no checkpoint any more"
        await watching.look(HouseShown(notes[-1], keys_named(shown), shown.hashes))
        for note in notes:
            cosigned_by(note, [WITNESS_KEY.verifier])
    except (HouseTrouble, TwoHistories, BadNote) as error:
        return str(error)
    finally:
        watching.close()
    return ""


def _held_against(shown: Shown, kept: Iterable[str]) -> str:
    leaves = leaf_hashes(shown.hashes)
    for note in kept:
        _, size, root = note.splitlines()[:3]
        if int(size) > len(leaves) or to_base64(root_of(leaves[: int(size)])) != root:
            return f"the first {size} entries are not those that were cosigned"
    return ""


def keys_named(shown: Shown) -> list[HouseKey]:
    """As the journal that is shown names them."""
    told = [msgspec.json.decode(one["body"])["record"] for one in shown.entries if one["kind"] == KEY_SET]
    return [HouseKey(VerifierKey.parse(one["key"]), one["signature"], one["signature_before"]) for one in told]


def _run(*options: str, witness: bool = True) -> str:
    """What the outside verifier prints, if it is not content."""
    printed = io.StringIO()
    keys = ["--key", str(FIRST_KEY.verifier), *(["--witness", str(WITNESS_KEY.verifier)] if witness else [])]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = _verifier.main([*options, *keys])
    return printed.getvalue().strip() if code else ""


def as_store(shown: Shown) -> MemoryStore:
    """The house's own records, whatever they say: nothing is made again, nothing is refused."""
    store, end = MemoryStore(), shown.end
    store._journal = [_written(line) for line in shown.entries]
    last = store._journal[-1].hash if store._journal else bytes(32)
    heads = {name: StreamHead(number, bytes.fromhex(last), 0) for name, (number, last) in end["streams"].items()}
    head = Head(end["entries"], last, end["transfers"])
    store._book = Book(Balances(end["balances"].items()), head, heads, DocumentHashes(end["documents"].items()))
    store._meters = {tuple(one[:3]): one[3:] for one in end["meters"]}
    store._documents = {
        key: shown.written.get(digest, b"{}") for key, digest in end["documents"].items()
    } | shown.documents
    store._tree.add([one.hash for one in store._journal])
    for entry in store._journal:
        store._streams.setdefault(entry.stream, []).append(entry)
        if entry.label:
            store._labels.setdefault(entry.label, []).append(entry)
        if entry.request:
            store._asked.setdefault(entry.request, entry)
        for transfer in entry.transfers:
            number = len(store._transfers) + 1
            store._transfers.append(NumberedTransfer(number, entry.seq, entry.at_ms, entry.day, transfer))
    for line in shown.lines:
        if "checkpoint" in line:
            store._checkpoints[_place(shown, line)] = line["checkpoint"]
    return store


def _place(shown: Shown, note: Line) -> int:
    """How many entries stand before a checkpoint."""
    return sum("checkpoint" not in line for line in shown.lines[: shown.lines.index(note)])


def _written(line: Line) -> Written:
    told: dict[str, Any] = {
        **line,
        "body": line["body"].encode(),
        "hash": bytes.fromhex(line["hash"]),
        "transfers": tuple(Transfer(*one) for one in line["transfers"]),
        "documents": tuple((key, digest) for key, digest in line["documents"]),
    }
    return Written(**told)
