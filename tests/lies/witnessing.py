"""A witness as the program has it, and a house that shows it whatever it likes."""

from collections.abc import Sequence
from pathlib import Path

from natural9.proof.key_succession import HouseKey
from natural9.proof.merkle import consistency_ranges, leaf_hashes, root_of
from natural9.proof.signed_note import NoteSignature, SignedNote
from natural9.witness.house import HouseSeen, NotThere
from natural9.witness.looking import Witness
from natural9.witness.memory import Memory
from tests.lies.house import FIRST_KEY, URL, WITNESS_KEY


class HouseShown(HouseSeen):
    """What its address answers: a checkpoint, keys, and proofs made from these entries' hashes."""

    def __init__(self, note: SignedNote, keys: list[HouseKey], hashes: Sequence[bytes]) -> None:
        self.url = URL
        self._note, self._keys, self._leaves = note, keys, leaf_hashes(hashes)
        self.taken: list[NoteSignature] = []

    async def checkpoint(self) -> SignedNote:
        return self._note

    async def keys(self) -> tuple[str, list[HouseKey]]:
        return (self._keys[-1].key.name if self._keys else ""), self._keys

    async def consistency(self, first: int, second: int) -> list[bytes]:
        if second > len(self._leaves):
            raise NotThere("has not so many entries")
        return [root_of(self._leaves[start:end]) for start, end in consistency_ranges(first, second)]

    async def take(self, size: int, line: NoteSignature) -> None:
        self.taken.append(line)


class Watching:
    """A witness with a file of its own, who was given the house's first key on paper."""

    def __init__(self, file: Path) -> None:
        self.memory = Memory(file, WITNESS_KEY.verifier, is_new=not file.exists())
        self._witness = Witness(self.memory, WITNESS_KEY, (FIRST_KEY.verifier,))

    async def look(self, house: HouseShown) -> str:
        return await self._witness.look(house, now_s=1_800_000_000)

    def close(self) -> None:
        self.memory.close()
