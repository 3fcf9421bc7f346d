"""Exported journals for the tests of the verifier: of live tables, and made anew after somebody changed them."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from natural9.journal.export import journal_lines
from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.key_succession import new_house_key
from natural9.proof.merkle import leaf_hashes, root_of
from natural9.proof.signed_note import ED25519, SignedNote, SigningKey
from natural9.store.contract import Store
from verifier import natural9_verify

Item = dict[str, Any]
ORIGIN = "test.natural9/00000000"
HOUSE = SigningKey(ORIGIN, ED25519, bytes(range(32)))
ENVELOPE = [
    "stream", "number", "kind", "at_ms", "day", "label", "request", "first_transfer", "transfers", "documents",
    "documents_sum",
]  # fmt: skip


async def exported(store: Store) -> list[Item]:
    return [json.loads(line) async for line in journal_lines(store, "Test")]


def outside(items: Sequence[Item], **trusted: Any) -> str:
    """What the verifier finds wrong first; nothing where all holds."""
    journal = natural9_verify.Journal(*(trusted.get(name, []) for name in ("keys", "kept", "witnesses")))
    return natural9_verify.verify([written(item) for item in items], journal)


def written(item: Item) -> bytes:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def chained(items: Sequence[Item]) -> list[Item]:
    """The same journal with every number, sum, hash, balance and meter made anew, as an insider would."""
    streams: dict[str, list[Any]] = {}
    documents: dict[str, str] = {}
    balances: dict[str, int] = {}
    meters: dict[tuple[str, str, str], list[int]] = {}
    made: list[Item] = [items[0]]
    for item in items[1:-1]:
        number, before, transfers, total = streams.get(item["stream"], [0, bytes(32), 1, 0])
        for key, digest in item["documents"]:
            total -= _weight(key, documents.pop(key)) if key in documents else 0
            if digest is not None:
                documents[key] = digest
                total += _weight(key, digest)
        for kind, source, target, cents in item["transfers"]:
            for account, more, place in ((source, -cents, 2), (target, cents, 0)):
                balances[account] = balances.get(account, 0) + more
                meter = meters.setdefault((account, item["day"], kind), [0, 0, 0, 0])
                meter[place] += cents
                meter[place + 1] += 1
        one = {**item, "seq": len(made), "number": number + 1, "first_transfer": transfers}
        one["documents_sum"] = f"{total % 2**256:064x}" if item["documents"] else ""
        envelope = json.dumps(
            [2, *(one[name] for name in ENVELOPE)], ensure_ascii=False, separators=(",", ":")
        ).encode()
        hashed = hashlib.sha256(before + len(envelope).to_bytes(8, "big") + envelope + one["body"].encode())
        one["hash"] = hashed.hexdigest()
        streams[item["stream"]] = [number + 1, hashed.digest(), transfers + len(item["transfers"]), total]
        made.append(one)
    end = {
        "entries": len(made) - 1,
        "transfers": sum(len(one["transfers"]) for one in made[1:]),
        "streams": {name: [number, before.hex()] for name, (number, before, _, _) in streams.items()},
        "balances": {account: cents for account, cents in balances.items() if cents},
        "meters": [[*key, *sums] for key, sums in sorted(meters.items())],
        "documents": documents,
    }
    return [*made, {"end": end}]


def _weight(key: str, digest: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{digest} {key}".encode()).digest(), "big")


def with_record(item: Item, **changes: object) -> Item:
    body = json.loads(item["body"])
    body["record"].update(changes)
    return with_body(item, body)


def with_body(item: Item, body: Item) -> Item:
    return {**item, "body": json.dumps(body, ensure_ascii=False, separators=(",", ":"))}


def changed(items: Sequence[Item], kind: str, change: Callable[[Item], Item], place: int = 0) -> list[Item]:
    """The so-manieth entry of a kind is another one, and everything after it is made anew."""
    at = [number for number, item in enumerate(items) if item.get("kind") == kind][place]
    return chained([*items[:at], change(items[at]), *items[at + 1 :]])


def key_set(key: SigningKey, before: SigningKey | None = None) -> Item:
    """The entry that sets a key."""
    made = new_house_key(key, before)
    record = {
        "key": str(made.key), "origin": made.key.name, "signature": made.signature,
        "signature_before": made.signature_before,
    }  # fmt: skip
    body = {"event": "checkpoint-key-set", "v": 1, "record": record, "from": "program"}
    entry = {
        "stream": "venue", "kind": "checkpoint-key-set", "at_ms": 1, "day": "2026-01-01", "label": "significant",
        "request": "", "transfers": [], "documents": [],
    }  # fmt: skip
    return with_body(entry, body)


def note_of(items: Sequence[Item], size: int, key: SigningKey = HOUSE) -> SignedNote:
    """The house's checkpoint of the first so many entries."""
    leaves = leaf_hashes(bytes.fromhex(item["hash"]) for item in items if item.get("seq", size + 1) <= size)
    return sign_checkpoint(TreeHead(key.name, size, root_of(leaves)), key)


def signed(items: Sequence[Item], every: int = 10, key: SigningKey = HOUSE) -> list[Item]:
    """The same journal with a key at its beginning and a checkpoint after so many entries, and after the last."""
    made = chained([items[0], key_set(key), *items[1:]])
    last = len(made) - 2
    found = []
    for item in made:
        found.append(item)
        if "seq" in item and (item["seq"] % every == 0 or item["seq"] == last):
            found.append({"checkpoint": str(note_of(made, item["seq"], key))})
    return found
