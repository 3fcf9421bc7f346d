"""Power cuts of the real committer, and of a whole house, on a disk that forgets all that it may.

A story is recorded (a journal begun, written and opened again; a venue made, played, backed up and restored), then cut
at random steps; each image is opened as the program opens it. `python -m bench.power_cuts --images 100000 --seed 1`, on
one core unless told. Prints how many of each story, and every image that was refused or lacks something; exit 1 if one
is.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.torture.disk.conftest import MEMORY
from tests.torture.disk.cuts import Cut, recordings, story_cut
from tests.torture.disk.stories import STORIES

EVERY_S = 60.0  # a line of progress
SHOWN = 20
RECORDINGS_OF_A_PROCESS = 50


def cut_recording(seed: int, number: int) -> tuple[list[Cut], float]:
    """All images of one recording, and the CPU seconds that they took."""
    logging.disable(logging.CRITICAL)
    name, images = recordings(number)
    before = time.process_time()
    with tempfile.TemporaryDirectory(prefix="natural9-cuts-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        found = list(story_cut(Path(folder), name, STORIES[name], f"{seed}/{number}", images))
    return found, time.process_time() - before


def main() -> None:
    options = argparse.ArgumentParser(description="Power cuts on a disk that forgets all that it may.")
    options.add_argument("--images", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--cores", type=int, default=1)
    asked = options.parse_args()
    numbers, due = 0, 0
    while due < asked.images:
        due += recordings(numbers)[1]
        numbers += 1
    many: Counter[str] = Counter()
    wrong: list[Cut] = []
    cpu_s, told = 0.0, time.monotonic()
    # SQLite keeps what was opened through a VFS of ours, about 10 MB of a recording: a process ends after some of them.
    anew = get_context("spawn")
    with ProcessPoolExecutor(asked.cores, mp_context=anew, max_tasks_per_child=RECORDINGS_OF_A_PROCESS) as workers:
        for done in as_completed(
            workers.submit(partial(cut_recording, asked.seed), number) for number in range(numbers)
        ):
            found, seconds = done.result()
            cpu_s += seconds
            many.update(cut.story for cut in found)
            for cut in (cut for cut in found if cut.wrong):
                wrong.append(cut)
                if len(wrong) <= SHOWN:
                    print(f"{cut.story}, recording {cut.seed}, step {cut.step}: {cut.wrong}", flush=True)
            if time.monotonic() - told > EVERY_S:
                told = time.monotonic()
                print(f"{many.total():,} images of {due:,}, {len(wrong)} wrong, {cpu_s:,.0f} CPU s", flush=True)
    for story, images in sorted(many.items()):
        print(f"{story:28} {images:9,}")
    pace = many.total() / cpu_s
    print(
        f"{many.total():,} images of {numbers:,} recordings with seed {asked.seed}, {pace:,.0f} a CPU second:", end=" "
    )
    print(f"{len(wrong)} refused or lacking anything acknowledged (aim: 0)")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
