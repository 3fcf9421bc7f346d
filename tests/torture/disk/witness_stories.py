"""What is recorded of a witness: its key, and its file that only grows."""

import random
from collections.abc import Sequence
from pathlib import Path

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.signed_note import ED25519, SigningKey
from natural9.witness.key_file import open_key
from natural9.witness.memory import CheckpointSeen, HouseKeyTrusted, Memory
from natural9.witness.trouble import WitnessFailed
from tests.torture.disk.recorders import recording
from tests.torture.disk.recording import Recording
from tests.torture.disk.tape import Tape

HOUSE = SigningKey("house.example/" + "h" * 180, ED25519, b"1" * 32)  # so that a line crosses sectors
BEGUN = "the witness has a key and a file"


def _opened(folder: Path) -> Memory:
    key, is_new = open_key(folder / "witness.key", "")
    return Memory(folder / "witness.jsonl", key.verifier, is_new=is_new)


async def witness_story(root: Path, chance: random.Random) -> Recording:
    root = root.resolve()
    with recording(root) as tape:
        for opening in range(2):
            memory = _opened(root)
            if not opening:
                memory.add(HouseKeyTrusted(0, HOUSE.name, str(HOUSE.verifier)))
                tape.acknowledge(BEGUN)
            for size in range(opening * 4 + 1, opening * 4 + 5):
                _see(memory, size, tape)
            memory.close()
    return Recording(tape, root, {}, wrong_witness)


def _see(memory: Memory, size: int, tape: Tape) -> None:
    note = sign_checkpoint(TreeHead(HOUSE.name, size, bytes([size]) * 32), HOUSE)
    memory.add(CheckpointSeen(size, str(note)))
    tape.acknowledge(size)


async def wrong_witness(recording: Recording, acknowledged: Sequence[object], root: Path) -> str:
    """It remembers the last checkpoint that it may have cosigned. One that never began may have to begin anew."""
    try:
        memory = _opened(root)
    except WitnessFailed as refused:
        return f"refused: {refused}" if BEGUN in acknowledged else ""
    head = memory.of(HOUSE.name).head
    memory.close()
    due = max([0, *(one for one in acknowledged if isinstance(one, int))])
    return "" if due == 0 or (head and head.size >= due) else f"lost: checkpoint {due} was cosigned, {head} is known"
