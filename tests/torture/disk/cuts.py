"""Power cuts by the thousand: a story is recorded, cut at many steps, and each image judged; again and again."""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.torture.disk.power_cut import DiskInTime, write_image
from tests.torture.disk.stories import STORIES, Story

FROM_ONE_RECORDING = 200


class Cut(NamedTuple):
    """One power cut, and what was wrong after it."""

    story: str
    seed: str  # of its recording
    step: int
    wrong: str


def cuts(folder: Path, images: int, seed: int, stories: dict[str, Story] | None = None) -> Iterator[Cut]:
    """All of them from one seed, in a folder whose disk is best none: what matters here is never the real one."""
    stories = stories or STORIES
    names = list(stories)
    number = 0
    while images > 0:
        name = names[number % len(names)]
        some = min(images, FROM_ONE_RECORDING)
        yield from story_cut(folder, name, stories[name], f"{seed}/{number}", some)
        images -= some
        number += 1


def story_cut(folder: Path, name: str, story: Story, seed: str, images: int) -> Iterator[Cut]:
    chance = random.Random(seed)
    recorded, image = folder / "recorded", folder / "image"
    recorded.mkdir()
    recording = asyncio.run(story(recorded, chance))
    tape = recording.tape
    disk = DiskInTime(tape, chance)
    for step in sorted(chance.randint(tape.begins, tape.now) for _ in range(images)):
        disk.go_to(step)
        image.mkdir()
        write_image(disk.cut(), tape.root, image)
        wrong = asyncio.run(recording.judge(recording, disk.acknowledged, image))
        shutil.rmtree(image)
        yield Cut(name, seed, step, wrong)
    shutil.rmtree(recorded)


def tally(found: Iterator[Cut]) -> tuple[Counter[str], list[Cut]]:
    """How many of each story, and those that are wrong."""
    many: Counter[str] = Counter()
    wrong = []
    for cut in found:
        many[cut.story] += 1
        if cut.wrong:
            wrong.append(cut)
    return many, wrong
