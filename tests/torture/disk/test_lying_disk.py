"""A disk that says that it has synced and has not: the head that stands elsewhere tells on it, in words."""

import asyncio
import os
import random
import shutil
from collections import Counter
from pathlib import Path

from natural9.disk.calls import another_disk, disk
from natural9.store.contract import Access, LostEntries
from natural9.store.opening import open_store
from tests.store.opening import append, buy, closing_store, entry
from tests.torture.disk.power_cut import DiskInTime, Image, write_image
from tests.torture.disk.recorders import RecordingCalls, recording
from tests.torture.disk.recording import Durable
from tests.torture.disk.tape import Tape
from tests.torture.disk.telling import telling

IMAGES = 80
COPY = Path("other-disk") / "natural9.head"


class HeadIsNotWaitedFor(RecordingCalls):
    """A planted bug: the head is written, and nobody asks whether it arrived."""

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        return super().open(path, flags & ~os.O_DSYNC, mode)


async def recorded(root: Path, *, is_sound: bool) -> Tape:
    for one in ("venue", "other-disk"):
        (root / one).mkdir()
    with recording(root) as tape, another_disk(disk() if is_sound else HeadIsNotWaitedFor(tape)):
        store = telling(open_store(root / "venue", Access.WRITE, head_copy=root / COPY), tape)
        async with closing_store(store):
            for _ in range(25):
                await append(store, [entry(buy(1, 5))])
    return tape


def mixed(tape: Tape, chance: random.Random, image: Path) -> int:
    """The venue's disk as a power cut left it earlier, the other one as it is now; how far the journal was acknowledged
    before the last answer: of that one alone no disk tells."""
    earlier, now = sorted(chance.randint(tape.begins, tape.now) for _ in range(2))
    lying, honest = DiskInTime(tape, chance), DiskInTime(tape, chance)
    lying.go_to(earlier)
    honest.go_to(now)
    other = tape.root / "other-disk"
    both: Image = {path: content for path, content in lying.cut().items() if not path.is_relative_to(other)}
    both |= {path: content for path, content in honest.cut().items() if path.is_relative_to(other)}
    image.mkdir()
    write_image(both, tape.root, image)
    done = [one.number for one in honest.acknowledged if isinstance(one, Durable)]
    return max([0, *done[:-1]])


async def opened(image: Path) -> int:
    """How far the journal goes; -1 if it is refused for what it lost, -2 if for something else."""
    try:
        async with closing_store(open_store(image / "venue", Access.WRITE, head_copy=image / COPY)) as store:
            return (await store.head()).seq
    except LostEntries as refused:
        return -1 if "acknowledged, says" in str(refused) else -2


def lost_in_silence(scratch: Path, *, is_sound: bool) -> Counter[str]:
    root, image, chance = scratch.resolve() / "recorded", scratch / "image", random.Random(6)
    root.mkdir()
    tape = asyncio.run(recorded(root, is_sound=is_sound))
    found: Counter[str] = Counter()
    for _ in range(IMAGES):
        due = mixed(tape, chance, image)
        reached = asyncio.run(opened(image))
        found["refused" if reached == -1 else "lost" if reached < due else "whole"] += 1
        shutil.rmtree(image)
    return found


def test_what_a_lying_disk_lost_is_refused(scratch: Path) -> None:
    found = lost_in_silence(scratch, is_sound=True)
    assert found["lost"] == 0
    assert min(found["refused"], found["whole"]) > 0, "it would else prove nothing"


def test_a_head_that_nobody_waits_for_would_not_tell(scratch: Path) -> None:
    assert lost_in_silence(scratch, is_sound=False)["lost"] > 0
