"""Hundreds of faults against three nodes that 300 terminals play at, and what an outside client's books say.

`python -m bench.nemesis --faults 300 --seed 7`: prints faults by kind, what was asked and answered, and every kind of
violation with its first case and the story's last steps. Exit 1 if there is any. `tests/cluster` is the client.
A journal is verified whole after every fault, which costs more the longer it is: so every `--venue-after` faults a new
venue begins, from the next seed.
"""

import argparse
import asyncio
import shutil
import statistics
import sys
from collections import Counter
from pathlib import Path

from bench.live_server import allow_open_files
from tests.cluster.floor import open_floor
from tests.cluster.story import ClusterStory, Size


def figures(story: ClusterStory) -> list[str]:
    books, decided, journal = story.books, story.decided(), story.journal
    bets = sum(1 for ask in books.asks.values() if ask.kind == "bet" and ask.decided and ask.decided.verdict == "done")
    back_s = sorted(story.back_s) or [0.0]
    return [
        *(f"{name:34}{many:6}" for name, many in story.faults.items()),
        *(f"{name:34}  left out: {why}" for name, why in story.left_out.items()),
        f"{'faults':34}{story.faults.total():6}",
        f"terminals     {len(story.terminals):,} at {len(story.tables)} tables, {len(story.floor.nodes)} nodes",
        f"              {sum(terminal.arrivals for terminal in story.terminals):,} times connected",
        f"requests      {len(books.asks):,}: {decided['done']:,} acknowledged ({bets:,} bets),"
        f" {decided['refused']:,} refused, {decided['never']:,} never answered",
        f"              {books.counts['unknown']:,} answers of unknown, {books.counts['sent again']:,} sent again",
        f"checked       {story.auditor.checked:,} requests against {journal.entries:,} entries",
        f"tables moved  {journal.moves:,} times; {journal.kinds['round-interrupted']:,} rounds were interrupted,"
        f" for {journal.longest_away_ms / 1000:.1f} s at most; {journal.kinds['round-voided']:,} void",
        f"back          {statistics.median(back_s):.1f} s after a fault all tables had taken a bet,"
        f" {back_s[-1]:.1f} s at worst",
        f"seconds       {story.seconds:,.0f}",
        f"violations    {len(books.violations):,}",
    ]


async def run(faults: int | list[str], seed: int, size: Size, keep: Path | None) -> Counter[str]:
    """One venue; what stands in the last lines, as figures that can be added up."""
    async with open_floor(on_small_disk=True) as floor:
        story = ClusterStory(floor, seed, size)
        story.progress = lambda line: print(line, flush=True)
        try:
            await story.tell(faults)
        finally:
            print("\n".join(figures(story)))
            if story.books.violations:
                print("\n".join(story.books.told()))
            if keep:
                keep_logs(floor.folder, keep / str(seed))
    done = Counter({f"fault: {name}": many for name, many in story.faults.items()})
    done["faults"] = story.faults.total()
    done["requests acknowledged"] = story.decided()["done"]
    done["requests never answered"] = story.decided()["never"]
    done["entries"] = story.journal.entries
    done["tables moved"] = story.journal.moves
    done["rounds interrupted"] = story.journal.kinds["round-interrupted"]
    done["rounds void"] = story.journal.kinds["round-voided"]
    done["journals verified"] = story.verified
    done["seconds"] = round(story.seconds)
    done["violations"] = len(story.books.violations)
    return done


async def run_all(faults: int, venue_after: int, seed: int, size: Size, keep: Path | None) -> int:
    total: Counter[str] = Counter()
    for number, begin in enumerate(range(0, faults, venue_after)):
        many = min(venue_after, faults - begin)
        print(f"\nvenue {number + 1}, seed {seed + number}, {many} faults", flush=True)
        total.update(await run(many, seed + number, size, keep))
    print("\nin all")
    print("\n".join(f"{name:42}{many:12,}" for name, many in total.items()))
    return 1 if total["violations"] else 0


def keep_logs(folder: Path, keep: Path) -> None:
    for log in (*folder.glob("node-*/log*"), *folder.glob("*/log")):
        target = keep / log.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, target)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.nemesis", description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--only", action="append", help="this fault, as often as it is given")
    parser.add_argument("--venue-after", type=int, default=50, help="faults; then a new one, from the next seed")
    parser.add_argument("--verify-every", type=int, default=1, help="faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seats", type=int, default=50)
    parser.add_argument("--betting", type=float, default=4.0, help="seconds")
    parser.add_argument("--pause", type=float, default=0.6, help="seconds at most between a player's taps")
    parser.add_argument("--logs", type=Path, help="where the nodes' logs are kept")
    asked = parser.parse_args()
    allow_open_files(4096)
    size = Size(asked.tables, asked.seats, asked.betting, asked.verify_every, asked.pause)
    if asked.only:
        sys.exit(1 if asyncio.run(run(asked.only, asked.seed, size, asked.logs))["violations"] else 0)
    sys.exit(asyncio.run(run_all(asked.faults, asked.venue_after, asked.seed, size, asked.logs)))


if __name__ == "__main__":
    main()
