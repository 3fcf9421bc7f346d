"""Faults against real servers that terminals play at, one machine or several, and what an outside client's books say.

`python -m bench.nemesis --faults 300 --seed 7`: three nodes with 300 terminals (`tests/cluster`); with `--nodes 1` one
machine (`tests/nemesis`). `natural9 torture --real` is this with `--minutes`. Prints faults by kind, what was asked and
answered, and every kind of violation with its first case and the story's last steps. Exit 1 if there is any.
A journal is verified whole after every fault, which costs more the longer it is: so every `--venue-after` faults a new
venue begins, from the next seed.
"""

import argparse
import asyncio
import json
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count, cycle, islice, takewhile
from pathlib import Path
from typing import NamedTuple

from bench.live_server import allow_open_files
from natural9.core.errors import BadInput
from tests.nemesis.machine import open_machine
from tests.nemesis.one_machine import OneMachineStory
from tests.nemesis.story import NemesisStory, Size
from tests.outside.books import Verdict

# By the number of nodes: the size of a venue, and after how many faults another begins.
SIZES = {1: Size(2, 6, 1.0), 3: Size(6, 50, 4.0)}
VENUE_AFTER = {1: 30, 3: 50}
FAULT = "fault: "


class Asked(NamedTuple):
    nodes: int
    size: Size
    venue_after: int
    faults: int | None  # or until `until`
    until: float
    only: list[str] | None
    logs: Path | None
    quiet: bool  # what is said on the way goes where errors go


@asynccontextmanager
async def opened(asked: Asked, seed: int) -> AsyncIterator[tuple[NemesisStory, Path]]:
    """A venue, and the folder that has its logs."""
    if asked.nodes > 1:
        from tests.cluster.floor import open_floor  # PostgreSQL and NATS are for those who ask for them
        from tests.cluster.story import ClusterStory

        async with open_floor(on_small_disk=True) as floor:
            yield ClusterStory(floor, seed, asked.size), floor.folder
    else:
        # The system's own may be in memory.
        with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name:
            async with open_machine(Path(name)) as machine:
                yield OneMachineStory(machine, seed, asked.size), Path(name)


def figures(story: NemesisStory) -> Counter[str]:
    """That can be added up."""
    books, decided, journal = story.books, story.decided(), story.journal
    done = Counter({f"{FAULT}{name}": many for name, many in story.faults.items()})
    done["faults"] = story.faults.total()
    done["requests acknowledged"] = decided["done"]
    done["bets acknowledged"] = sum(
        1 for ask in books.asks.values() if ask.kind == "bet" and ask.decided and ask.decided.verdict is Verdict.DONE
    )
    done["requests refused"] = decided["refused"]
    done["requests never answered"] = decided["never"]
    done["answers of unknown"] = books.counts["unknown"]
    done["sent again"] = books.counts["sent again"]
    done["times connected"] = sum(terminal.arrivals for terminal in story.terminals)
    done["servers started"] = story.starts
    done["requests checked"] = story.auditor.checked
    done["entries"] = journal.entries
    done.update(story.figures())
    done["rounds settled"] = journal.kinds["round-settled"]
    done["rounds interrupted"] = journal.kinds["round-interrupted"]
    done["rounds void"] = journal.kinds["round-voided"]
    done["journals verified"] = story.verified
    done["violations"] = len(books.violations)
    done["seconds"] = round(story.seconds)
    return done


def lines(done: Counter[str], back_s: list[float]) -> Iterator[str]:
    yield from (f"{name:48}{many:12,}" for name, many in done.items())
    if back_s:
        yield f"{'until all tables took bets again, median':48}{statistics.median(back_s):12.1f} s"
        yield f"{'until all tables took bets again, at worst':48}{max(back_s):12.1f} s"


def check(only: list[str] | None, story: NemesisStory) -> None:
    for name in only or ():
        if name not in story.faults_here:
            why = story.left_out.get(name) or f"there are {', '.join(story.faults_here)}"
            raise BadInput("no-such-fault", f"{name!r} is no fault that can be done here: {why}")


async def run(asked: Asked, seed: int, many: int) -> tuple[NemesisStory, Counter[str]]:
    """One venue."""
    out = sys.stderr if asked.quiet else sys.stdout
    async with opened(asked, seed) as (story, folder):
        story.progress = lambda line: print(line, file=out, flush=True)
        for name, why in story.left_out.items():
            print(f"     {name:38} left out: {why}", file=out)
        check(asked.only, story)
        faults = islice(cycle(asked.only) if asked.only else story.deck(), many)
        began = time.monotonic()
        try:
            await story.tell(takewhile(lambda _: time.monotonic() < asked.until, faults))
        finally:
            story.seconds = time.monotonic() - began
            done = figures(story)
            if story.books.violations:
                print("\n".join(story.books.told()), file=out)
            if asked.logs:
                keep_logs(folder, asked.logs / str(seed))
    return story, done


async def run_all(asked: Asked, seed: int) -> tuple[Counter[str], list[str], list[float]]:
    """Venue after venue; what was counted, what was wrong, and how long it took after each fault."""
    total: Counter[str] = Counter()
    wrong: list[str] = []
    back_s: list[float] = []
    out = sys.stderr if asked.quiet else sys.stdout
    for number in count():
        left = asked.venue_after if asked.faults is None else min(asked.venue_after, asked.faults - total["faults"])
        if left <= 0 or (number and time.monotonic() >= asked.until):
            break
        print(f"venue {number + 1}, seed {seed + number}", file=out, flush=True)
        story, done = await run(asked, seed + number, left)
        total.update(done)
        wrong += [f"seed {seed + number}: {one.kind}: {one.what}" for one in story.books.violations]
        back_s += story.back_s[1:]
    return total, wrong, back_s


def keep_logs(folder: Path, keep: Path) -> None:
    for log in (*folder.glob("node-*/log*"), *folder.glob("*/log"), *folder.glob("log*")):
        target = keep / log.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, target)


def asked_for(words: list[str] | None = None) -> tuple[Asked, int, bool]:
    """And from which seed on, and whether as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.nemesis", description=__doc__.partition("\n")[0])
    parser.add_argument("--nodes", type=int, choices=SIZES, default=3)
    parser.add_argument(
        "--faults", type=int, default=None, help="30, or as many as are given by name, unless minutes are given"
    )
    parser.add_argument("--minutes", type=float, default=None)
    parser.add_argument("--only", action="append", help="this fault; and others, in turn")
    parser.add_argument("--venue-after", type=int, default=None, help="faults; then a new one, from the next seed")
    parser.add_argument("--verify-every", type=int, default=1, help="faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=None)
    parser.add_argument("--seats", type=int, default=None)
    parser.add_argument("--betting", type=float, default=None, help="seconds")
    parser.add_argument("--pause", type=float, default=0.6, help="seconds at most between a player's taps")
    parser.add_argument("--logs", type=Path, help="where the servers' logs are kept")
    parser.add_argument("--json", action="store_true")
    said = parser.parse_args(words)
    usual = SIZES[said.nodes]
    tables, seats, betting_s = said.tables or usual.tables, said.seats or usual.seats, said.betting or usual.betting_s
    size = Size(tables, seats, betting_s, said.verify_every, said.pause)
    faults = said.faults or (len(said.only or ()) or 30 if said.minutes is None else None)
    until = time.monotonic() + 60 * said.minutes if said.minutes is not None else float("inf")
    venue_after = said.venue_after or VENUE_AFTER[said.nodes]
    return Asked(said.nodes, size, venue_after, faults, until, said.only, said.logs, said.json), said.seed, said.json


def as_document(
    asked: Asked, seed: int, total: Counter[str], wrong: list[str], back_s: list[float]
) -> dict[str, object]:
    """For programs, with the names that the simulated floor's has."""
    kinds = {name.removeprefix(FAULT): many for name, many in total.items() if name.startswith(FAULT)}
    rest = {name.replace(" ", "_"): many for name, many in total.items() if not name.startswith(FAULT)}
    back = [round(seconds, 1) for seconds in back_s]
    return {"seed": seed, "nodes": asked.nodes, **rest, "faults": kinds, "back_s": back, "violations": wrong}


def interrupt(_: int, frame: object) -> None:
    """Told to end: what was started is cleared away, as after Ctrl-C."""
    raise KeyboardInterrupt


def main() -> None:
    asked, seed, as_json = asked_for()
    allow_open_files(4096)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        total, wrong, back_s = asyncio.run(run_all(asked, seed))
    except KeyboardInterrupt:
        sys.exit(130)
    except BadInput as error:  # engines that are not there
        print(f"natural9: {error}", file=sys.stderr)
        sys.exit(2)
    if as_json:
        print(json.dumps(as_document(asked, seed, total, wrong, back_s)))
    else:
        print("\n".join(["", "in all", *lines(total, back_s)]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
