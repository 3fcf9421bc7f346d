"""Power cuts by the thousand: a story is recorded, cut at many steps, and each image judged; again and again."""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.torture.disk.power_cut import DiskInTime, write_image
from tests.torture.disk.recording import Recording
from tests.torture.disk.stories import Story

# How many images of one recording of each story: fewer of those that take longer to open.
IMAGES = {
    "a new journal": 100,
    "a log that begins again": 30,
    "a power cut, and another": 100,
    "a sync that failed": 50,
    "a venue at play": 20,
    "a backup restored": 100,
    "a witness": 100,
}


class Cut(NamedTuple):
    """One power cut, and what was wrong after it."""

    story: str
    seed: str  # of its recording
    step: int
    wrong: str


def recordings(number: int) -> tuple[str, int]:
    """Which story the recording of this number is of, and how many images are made of it."""
    names = list(IMAGES)
    name = names[number % len(names)]
    return name, IMAGES[name]


def story_cut(folder: Path, name: str, story: Story, seed: str, images: int) -> Iterator[Cut]:
    chance = random.Random(seed)
    recorded = folder / "recorded"
    recorded.mkdir()
    yield from recording_cut(asyncio.run(story(recorded, chance)), folder, name, seed, chance, images)
    shutil.rmtree(recorded)


def recording_cut(
    recording: Recording, folder: Path, name: str, seed: str, chance: random.Random, images: int
) -> Iterator[Cut]:
    tape, image = recording.tape, folder / "image"
    disk = DiskInTime(tape, chance)
    for step in sorted(chance.randint(tape.begins, tape.now) for _ in range(images)):
        disk.go_to(step)
        image.mkdir()
        write_image(disk.cut(), tape.root, image)
        wrong = asyncio.run(recording.judge(recording, disk.acknowledged, image))
        shutil.rmtree(image)
        yield Cut(name, seed, step, wrong)


def tally(found: Iterator[Cut]) -> tuple[Counter[str], list[Cut]]:
    """How many of each story, and those that are wrong."""
    many: Counter[str] = Counter()
    wrong = []
    for cut in found:
        many[cut.story] += 1
        if cut.wrong:
            wrong.append(cut)
    return many, wrong
