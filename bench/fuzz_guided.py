"""The inputs of `bench.fuzz`, guided by coverage: what chance draws there libFuzzer draws here, and keeps what leads to
lines that nothing has led to before.

    pip install atheris
    python -m bench.fuzz_guided notes --runs 100000
    python -m bench.fuzz_guided notes --again crash-0123...   # an input that it kept because something was wrong

It goes on until so many runs or the first failure, and tells what is covered as libFuzzer does. Each target starts from
a few hundred inputs of the seed's chance. Targets that play a whole house are slow this way: all they run is traced.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import crc32

LARGEST: Final = 4096  # bytes that an input is drawn from
BEGINNINGS: Final = 300


class DrawnFromBytes(Random):
    """Chance that is given: so many bytes of it, and after them what follows from those."""

    def __init__(self, data: bytes) -> None:
        super().__init__(crc32(data))
        self._data, self._at = data, 0

    def getrandbits(self, k: int, /) -> int:
        size = (k + 7) // 8
        if self._at + size > len(self._data):
            return super().getrandbits(k)
        drawn = int.from_bytes(self._data[self._at : self._at + size], "little")
        self._at += size
        return drawn & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(32) / 2**32


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", help="one of bench.fuzz's, such as notes")
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="feed what a crash file holds, and nothing else")
    asked = parser.parse_args()
    try:
        atheris: Any = import_module("atheris")
    except ModuleNotFoundError:
        parser.error("atheris is not installed: pip install atheris")
    with atheris.instrument_imports(include=["natural9", "verifier"]):
        from tests.fuzz.targets import TARGETS
    if asked.target not in TARGETS:
        parser.error(f"there is no target {asked.target!r}: {', '.join(TARGETS)}")
    with ExitStack() as stack:
        feed = _feeder(TARGETS[asked.target](), stack)
        if asked.again:
            feed(asked.again.read_bytes())
            return 0
        beginnings = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for number in range(BEGINNINGS):
            (beginnings / str(number)).write_bytes(Random(f"{asked.seed}/{number}").randbytes(256))
        how = (f"-runs={asked.runs}", f"-seed={asked.seed}", f"-max_len={LARGEST}", "-timeout=60", "-rss_limit_mb=4096")
        atheris.Setup([sys.argv[0], *how, str(beginnings)], feed)
        atheris.Fuzz()  # ends the process
    return 0


def _feeder(target: Any, stack: ExitStack) -> Callable[[bytes], None]:
    """Feeds the target what is drawn from some bytes; raises where something is wrong."""
    from tests.fuzz.feeding import Fed, feed_one, in_memory, watched

    runner = stack.enter_context(asyncio.Runner())
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
    complaints: list[str] = []

    async def begin() -> None:
        nonlocal complaints
        complaints = stack.enter_context(watched())
        await target.open(folder)

    def feed(data: bytes) -> None:
        fed = Fed(target.name)
        given = target.make(DrawnFromBytes(data))
        runner.run(feed_one(target, given, 0, fed, complaints))
        for failure in fed.failures:
            print(f"{failure.given}\n{failure.what}", file=sys.stderr)
            raise AssertionError(failure.what)

    runner.run(begin())
    return feed


if __name__ == "__main__":
    sys.exit(main())
