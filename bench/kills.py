"""Kills of the server or of its journal's process at moments of the protocol, and what an outside client's books say.

`python -m bench.kills --kills 300 --seed 7`: prints kills by moment, what was asked and answered, and every kind of
violation with its first case and the story's last steps. Exit 1 if there is any. `tests/outside` is the client.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.outside.moments import JOURNAL, MOMENTS, SERVER
from tests.outside.story import Story


def figures(story: Story) -> list[str]:
    books, kills = story.books, story.kills
    victims = Counter[str]()
    for (_, victim), many in kills.items():
        victims[victim] += many
    decided = story.decided()
    restart_s = story.server.start_s
    lines = [f"{'killed at':32}{SERVER:>8}{JOURNAL:>8}"]
    lines += [f"{name:32}{kills[name, SERVER]:8}{kills[name, JOURNAL]:8}" for name in MOMENTS]
    return [
        *lines,
        f"{'in all':32}{victims[SERVER]:8}{victims[JOURNAL]:8}   ({story.not_come} by the clock)",
        f"requests      {len(books.asks):,}, up to {books.most_in_flight} of a sender in flight",
        f"              {decided['done']:,} acknowledged, {decided['refused']:,} refused",
        f"              {decided['never']:,} never answered",
        f"              {story.unknown():,} unknown at first, {books.counts['sent again']:,} sent again",
        f"              {books.counts['told to slow down']:,} times told to slow down",
        f"checked       {story.auditor.checked:,} requests against {story.auditor.journal.entries:,} entries",
        f"a restart     {statistics.median(restart_s):.1f} s ({min(restart_s):.1f} to {max(restart_s):.1f})",
        f"seconds       {story.seconds:,.0f}",
        f"violations    {len(books.violations):,}",
    ]


async def run(folder: Path, kills: int, seed: int) -> int:
    story = Story(folder, seed)
    try:
        await story.tell(kills)
    finally:
        print("\n".join(figures(story)))
        if story.books.violations:
            print("\n".join(story.books.told()))
    return 1 if story.books.violations else 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        sys.exit(asyncio.run(run(Path(folder), asked.kills, asked.seed)))


if __name__ == "__main__":
    main()
