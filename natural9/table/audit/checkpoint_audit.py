"""Every checkpoint that was kept, held against the journal: its key, its signature, and the root over its entries."""

import re
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.line import read_line
from natural9.journal.venue_events import CheckpointKeySet
from natural9.proof.checkpoint import TreeHead, verify_checkpoint
from natural9.proof.key_succession import HouseKey, check_succession
from natural9.proof.merkle import TreeEdge, whole_ranges
from natural9.proof.signed_note import BadNote, SignedNote, VerifierKey
from natural9.store.contract import Corrupt, Store

PAGE: Final = 1000
LEAST_DIGITS: Final = 16  # of a root: fewer could be met by a history made to fit


class NotedCheckpoint(NamedTuple):
    """What somebody wrote down: how many entries, and the root's first hexadecimal digits."""

    size: int
    root: str


class CheckpointsFound(NamedTuple):
    """`keys` has each public key of the house, oldest first."""

    checkpoints: int
    keys: tuple[str, ...]
    size: int
    root: str


def parse_noted(text: str) -> NotedCheckpoint | None:
    """A whole checkpoint, or its size and root as a screen shows them; None for nothing at all."""
    words = text.split()
    if not words:
        return None
    try:
        head = TreeHead.parse("\n".join([*text.strip().splitlines()[:3], ""]))
        return NotedCheckpoint(head.size, head.root.hex())
    except BadNote:
        size, root = words[0].replace(",", ""), "".join(words[1:]).lower()
    if not re.fullmatch("[0-9]{1,16}", size) or not re.fullmatch(f"[0-9a-f]{{{LEAST_DIGITS},64}}", root):
        wrong = say(
            "This is no checkpoint: give a whole one, or its number of entries and at least {least} digits of its root",
            least=LEAST_DIGITS,
        )
        raise BadInput("bad-checkpoint", wrong)
    return NotedCheckpoint(int(size), root)


async def audit_checkpoints(store: Store, noted: NotedCheckpoint | None = None) -> CheckpointsFound:
    """Of a store that does not grow meanwhile; Corrupt names the first that does not hold."""
    keys = await _keys(store)
    size = (await store.head()).seq
    edge, many = TreeEdge(), 0
    async for at, note in _kept(store):
        if at > size:
            raise Corrupt(f"{at} entries were signed in a checkpoint, and the journal has {size}")
        await _grow(store, edge, at)
        _check(note, at, edge.root, [key for seq, key in keys if seq <= at][-1:])
        many += 1
    if noted is not None:
        await _check_noted(store, noted, size)
    await _grow(store, edge, size)
    return CheckpointsFound(many, tuple(str(key) for _, key in keys), size, edge.root.hex())


async def _keys(store: Store) -> list[tuple[int, VerifierKey]]:
    """Each with the entry that names it."""
    found: list[tuple[int, CheckpointKeySet]] = []
    after = 0
    while page := await store.entries(after=after, stream="venue", limit=PAGE):
        for written in page:
            if written.kind == CheckpointKeySet.TAG:
                event = read_line(written).event
                assert isinstance(event, CheckpointKeySet)
                found.append((written.seq, event))
        after = page[-1].seq
    try:
        told = [(seq, HouseKey(VerifierKey.parse(one.key), one.signature, one.signature_before)) for seq, one in found]
        for origin in {one.origin for _, one in found}:
            check_succession(origin, [key for _, key in told])
    except BadNote as error:
        raise Corrupt(f"the checkpoint keys in the journal do not follow from each other: {error}") from None
    return [(seq, one.key) for seq, one in told]


async def _kept(store: Store) -> AsyncIterator[tuple[int, str]]:
    after = -1
    while page := await store.checkpoints(after=after, limit=PAGE):
        for one in page:
            yield one.size, one.note
        after = page[-1].size


async def _grow(store: Store, edge: TreeEdge, size: int) -> None:
    ranges = whole_ranges(edge.size, size)
    edge.add(await store.tree_hashes(ranges), ranges)


def _check(note: str, size: int, root: bytes, keys: list[VerifierKey]) -> None:
    try:
        if not keys:
            raise BadNote("the journal names no key before it")
        head = verify_checkpoint(SignedNote.parse(note), keys[0].name, keys)
    except BadNote as error:
        raise Corrupt(f"the checkpoint of {size} entries is not the house's: {error}") from None
    if (head.size, head.root) != (size, root):
        raise Corrupt(f"the checkpoint of {size} entries was signed for another history: its root is {head.root.hex()}")


async def _check_noted(store: Store, noted: NotedCheckpoint, size: int) -> None:
    if noted.size > size:
        raise Corrupt(f"a checkpoint of {noted.size} entries was noted, and the journal has {size}")
    [root] = await store.tree_hashes([(0, noted.size)])
    if not root.hex().startswith(noted.root):
        raise Corrupt(
            f"the first {noted.size} entries are not the history that was noted: their root is {root.hex()}, "
            f"and {noted.root} was noted"
        )
