"""One look at a house: is what it shows now the continuation of all that it showed before? If so, it is cosigned."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

from natural9.proof.checkpoint import TreeHead, verify_checkpoint
from natural9.proof.cosignature import LATEST_S, cosign
from natural9.proof.key_succession import check_succession, vouched_for
from natural9.proof.merkle import BadProof, check_consistency
from natural9.proof.signed_note import BadNote, SignedNote, SigningKey, VerifierKey, is_key_name
from natural9.witness.house import HouseSeen, NotThere
from natural9.witness.memory import (
    CheckpointSeen,
    HistoryBroken,
    HouseFound,
    HouseKeyTrusted,
    Memory,
    Seen,
    StrangeKeySeen,
)
from natural9.witness.trouble import HouseTrouble, StrangeKey, TwoHistories


class Witness:
    """Looks at any number of houses. Two addresses that show one log are one house, whose history is one."""

    def __init__(
        self,
        memory: Memory,
        key: SigningKey,
        trusted: Sequence[VerifierKey] = (),
        on_first_sight: Callable[[str, VerifierKey], None] = lambda origin, key: None,
    ) -> None:
        self.memory = memory
        self.key = key
        self._trusted = trusted  # from a house's papers; without any, the first key that is seen is believed
        self.on_first_sight = on_first_sight  # gets a key that nobody but the house has vouched for
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # one look at a log at a time

    async def look(self, house: HouseSeen, now_s: int) -> str:
        """What was done, in words; HouseTrouble or TwoHistories if nothing was."""
        known = self.memory.origins.get(house.url)
        origin = known if known is not None else _origin(await house.checkpoint())
        async with self._turns[origin]:
            seen = self.memory.of(origin)
            if seen.broken is not None:
                raise TwoHistories(seen.broken.why)
            now_s = min(max(now_s, seen.at_s), LATEST_S)  # a clock may go back, a witness's word may not
            note = await house.checkpoint()
            head = await self._believed(house, origin, seen, note, now_s)
            if known is None:
                self.memory.add(HouseFound(now_s, house.url, origin))
            is_new = await self._goes_on(house, seen, note, head, now_s)
            if not is_new and note.signed_by(self.key.verifier) is not None:
                return f"{origin}: nothing new, {head.size} entries"
            await self._cosign(house, seen, head, now_s)
            return f"{origin}: cosigned {head.size} entries, root {head.root.hex()[:16]}"

    async def _believed(self, house: HouseSeen, origin: str, seen: Seen, note: SignedNote, now_s: int) -> TreeHead:
        """What the checkpoint says, if a key signed it that is known, or that a known one vouches for."""
        if _origin(note) != origin:
            # No known key signed it, so it is no evidence: somebody on the way may have put it there.
            raise HouseTrouble(f"shows another log than before: it was {origin}, and is {_origin(note)}")
        if not any(note.signed_by(key) for key in seen.keys):
            await self._learn_keys(house, origin, seen, note, now_s)
        try:
            return verify_checkpoint(note, origin, seen.keys)
        except BadNote as error:
            raise HouseTrouble(f"shows a checkpoint that is not its own: {error}") from None

    async def _learn_keys(self, house: HouseSeen, origin: str, seen: Seen, note: SignedNote, now_s: int) -> None:
        shown_origin, keys = await house.keys()
        try:
            check_succession(origin, keys)
        except BadNote as error:
            raise HouseTrouble(f"shows keys that do not follow from each other: {error}") from None
        if shown_origin != origin or not keys:
            raise HouseTrouble("shows no keys of its own")
        papers = [key for key in self._trusted if key.name == origin]
        known, newest = [*papers, *seen.keys], keys[-1].key
        good = [key for one in known or [newest] for key in vouched_for(one, keys)]
        if newest not in good:
            if str(newest) not in seen.strange:
                self.memory.add(StrangeKeySeen(now_s, origin, str(newest), str(note)))
            raise StrangeKey(
                f"signs with a key that nobody vouches for, {newest}: "
                "ask the house on paper, and if the key is its own, give it by --house-key"
            )
        for key in dict.fromkeys(good):
            if key not in seen.keys:
                self.memory.add(HouseKeyTrusted(now_s, origin, str(key)))
        if not known:
            self.on_first_sight(origin, newest)

    async def _goes_on(self, house: HouseSeen, seen: Seen, note: SignedNote, head: TreeHead, now_s: int) -> bool:
        """Whether it is longer than what was seen before. It is durable then, and may be cosigned."""
        before = seen.head
        if before is not None and seen.note is not None:
            if head.size < before.size:
                await self._check_older(house, seen.note, before, note, head, now_s)
            if head.size == before.size:
                if head.root == before.root:
                    return False
                why = f"{head.origin} shows two histories of {head.size} entries"
                raise self._broken(head.origin, why, seen.note, note, now_s)
            hashes = await house.consistency(before.size, head.size)
            try:
                check_consistency(before.size, before.root, head.size, head.root, hashes)
            except BadProof:
                why = f"{head.origin} shows a history of {head.size} entries that does not begin with its {before.size}"
                raise self._broken(head.origin, why, seen.note, note, now_s, hashes) from None
        self.memory.add(CheckpointSeen(now_s, str(note)))
        return True

    async def _check_older(
        self,
        house: HouseSeen,
        seen_note: SignedNote,
        before: TreeHead,
        note: SignedNote,
        head: TreeHead,
        now_s: int,
    ) -> None:
        """A house that still has the longer history can prove it; one that cannot has gone back."""
        why = f"{head.origin} has gone back from {before.size} entries to {head.size}"
        hashes: list[bytes] = []
        try:
            hashes = await house.consistency(head.size, before.size)
            check_consistency(head.size, head.root, before.size, before.root, hashes)
        except NotThere:
            raise self._broken(head.origin, why, seen_note, note, now_s) from None
        except BadProof:
            raise self._broken(head.origin, why, seen_note, note, now_s, hashes) from None
        raise HouseTrouble(f"shows an old checkpoint, of {head.size} entries, after one of {before.size}")

    async def _cosign(self, house: HouseSeen, seen: Seen, head: TreeHead, now_s: int) -> None:
        assert seen.note is not None, "what is cosigned is on the disk"
        try:
            await house.take(head.size, cosign(seen.note.text, self.key, now_s))
        except HouseTrouble as error:
            raise HouseTrouble(f"was cosigned up to {head.size} entries, and does not take it: it {error}") from None

    def _broken(
        self, origin: str, why: str, before: SignedNote, now: SignedNote, now_s: int, hashes: Sequence[bytes] = ()
    ) -> TwoHistories:
        proof = tuple(one.hex() for one in hashes)
        self.memory.add(HistoryBroken(now_s, origin, why, str(before), str(now), proof))
        return TwoHistories(why)


def _origin(note: SignedNote) -> str:
    try:
        origin = TreeHead.parse(note.text).origin
    except BadNote as error:
        raise HouseTrouble(f"shows a checkpoint that is none: {error}") from None
    if not is_key_name(origin):
        raise HouseTrouble("shows a checkpoint whose first line names no log")
    return origin
