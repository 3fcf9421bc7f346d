"""Signing what the journal is: every second in which something happened, on demand, and when the program stops.

It stands beside play and never in its way: if it fails, that is logged and tried again a second later.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import structlog

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.cosignature import Cosigned, check_cosignature, cosigned_by, parse_cosignatures
from natural9.proof.signed_note import BadNote, SignedNote, VerifierKey, to_base64
from natural9.server import metrics
from natural9.server.proof.signing_key import CheckpointKeys
from natural9.store.contract import Checkpoint, Store, StoreFailed

EVERY_S: Final = 1.0
LOOKED_BACK: Final = 20_000  # entries: where the witnesses' last words are looked for when the program starts

log = structlog.get_logger()


class WitnessWord(NamedTuple):
    """The last checkpoint that a witness has cosigned."""

    size: int
    at_s: int


class Checkpoints:
    """Of one house. Only one is signed at a time, so that none is ever lost to another."""

    def __init__(self, store: Store, keys: CheckpointKeys, witnesses: Sequence[VerifierKey] = ()) -> None:
        self._store = store
        self.keys = keys
        self.witnesses = tuple(witnesses)
        self.words: dict[VerifierKey, WitnessWord] = {}
        self.newest: Checkpoint | None = None
        self.last_cosigned: TreeHead | None = None  # the longest that any witness has cosigned
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Where the last run ended: who had cosigned, and then a first checkpoint of this run."""
        await self.follow()
        await self._try()

    async def follow(self) -> None:
        """What was signed by whoever did, and who has cosigned that."""
        self.newest = await self._store.checkpoint()
        known = self.last_cosigned.size - 1 if self.last_cosigned else -1
        after = max(known, self.newest.size - LOOKED_BACK if self.newest else -1)
        while self.witnesses and (page := await self._store.checkpoints(after=after)):
            for one in page:
                try:
                    self._hear(SignedNote.parse(one.note))
                except BadNote as error:  # `verify` names it; here it must not keep the tables from opening
                    log.error("bad checkpoint", size=one.size, error=str(error))
            after = page[-1].size

    async def run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            await self._try()

    async def stop(self) -> None:
        """The last of this run, with its last entry in it, if it began at all."""
        if self.newest is not None:
            await self._try()

    async def _try(self) -> None:
        try:
            await self.sign()
        except Exception as error:  # whatever it is, the tables play on
            metrics.CHECKPOINTS_FAILED.inc()
            log.error("no checkpoint", error=str(error) or repr(error))

    async def sign(self) -> Checkpoint:
        """The checkpoint of all that is durable now; a new one if there is more than when the last was signed."""
        async with self._turn:
            tree = await self._store.tree()
            newest = self.newest
            if newest is not None:
                if newest.size == tree.size:
                    return newest
                if newest.size > tree.size:
                    raise StoreFailed(f"{newest.size} entries were signed, and the journal has {tree.size}")
            note = sign_checkpoint(TreeHead(self.keys.origin, tree.size, tree.root), self.keys.signing)
            checkpoint = Checkpoint(tree.size, str(note))
            await self._store.keep_checkpoint(checkpoint)
            self.newest = checkpoint
            metrics.CHECKPOINTS.inc()
            metrics.CHECKPOINT_SIZE.set(tree.size)
            return checkpoint

    async def through(self, seq: int) -> Checkpoint:
        """The newest checkpoint, which has this entry in it: signed now, if need be."""
        newest = self.newest
        return newest if newest is not None and newest.size >= seq else await self.sign()

    def cosigned_text(self) -> str:
        """The longest that any witness has cosigned, as size and root: what nobody at a table could have chosen."""
        head = self.last_cosigned
        return "" if head is None else f"{head.size} {to_base64(head.root)}"

    async def take(self, size: int, written: str) -> list[Cosigned]:
        """Cosignatures of the checkpoint of this size, as their witnesses sent them: all of them good, or BadInput."""
        try:
            lines = parse_cosignatures(written)
        except BadNote as error:
            raise BadInput("bad-cosignature", say("This is no cosignature: {why}", why=str(error))) from None
        known = {(key.name, key.key_id): key for key in self.witnesses}
        async with self._turn:
            kept = await self._store.checkpoint(size)
            if kept is None:
                none = say("There is no checkpoint of {size} entries.", size=size)
                raise BadInput("no-such-checkpoint", none)
            note = SignedNote.parse(kept.note)
            taken: list[Cosigned] = []
            for line in lines:
                key = known.get((line.name, line.key_id))
                if key is None:
                    unknown = say(
                        "This house does not know the witness {name}: its key belongs into the venue file.",
                        name=line.name,
                    )
                    raise BadInput("unknown-witness", unknown)
                try:
                    taken.append(Cosigned(key, check_cosignature(note.text, line, key)))
                except BadNote as error:
                    raise BadInput("bad-cosignature", say("This is no cosignature: {why}", why=str(error))) from None
            before = {one.key: one.at_s for one in cosigned_by(note, self.witnesses)}
            later = [line for line, one in zip(lines, taken, strict=True) if one.at_s > before.get(one.key, -1)]
            if later:  # what is there already, or older, is not written again, however often it is sent
                note = note.with_signatures(later)
                checkpoint = Checkpoint(size, str(note))
                await self._store.keep_checkpoint(checkpoint)
                if self.newest is not None and self.newest.size == size:
                    self.newest = checkpoint
                self._hear(note)
        return taken

    def _hear(self, note: SignedNote) -> None:
        head = TreeHead.parse(note.text)
        for key, at_s in cosigned_by(note, self.witnesses):
            if key not in self.words or head.size >= self.words[key].size:
                self.words[key] = WitnessWord(head.size, at_s)
                metrics.COSIGNED.labels(key.name).set(at_s)
            if self.last_cosigned is None or head.size >= self.last_cosigned.size:
                self.last_cosigned = head
