"""Whether a check catches what is planted in the copy, and who said so."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.planted.bug import Bug, Check
from tests.planted.scratch import Scratch

EVENING: Final = Check("verifier", "evening")
HUNT: Final = Check("simulator", "hunt")  # seed after seed
LIMIT_S: Final = 600  # on a busy machine, too
AT_ONCE: Final = 40
# What pytest ends with: a test has failed, or one could not even be read.
_FAILED: Final = (1, 2)
_FAILING: Final = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - |$)", re.MULTILINE)
_FAILING_SCREEN: Final = re.compile(r"^.*FAIL\s+(\S+\.test\.ts)", re.MULTILINE)


class Ran(NamedTuple):
    """How one check went."""

    check: Check
    failed: bool
    by: str  # the first that failed, or what was printed last
    seconds: float


def run(scratch: Scratch, check: Check) -> Ran:
    """In the copy as it stands."""
    command, folder, failed = _command(scratch, check)
    environment = os.environ | {"PYTHONPATH": str(scratch.folder), "NO_COLOR": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = time.monotonic()
    parts = 3 if check.kind in ("verifier", "simulator") else len(check.what.split())  # those play whole evenings
    limit_s = LIMIT_S * max(1, parts)
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        return Ran(check, True, f"no end within {limit_s} s", time.monotonic() - begun)
    seconds = time.monotonic() - begun
    if done.returncode not in (0, *failed):
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    printed = done.stdout + done.stderr
    return Ran(check, done.returncode != 0, _who(printed) if done.returncode else "", seconds)


def _command(scratch: Scratch, check: Check) -> tuple[list[str], Path, Sequence[int]]:
    """What to run, where, and the exit codes by which it says that something is wrong."""
    python = sys.executable
    match check.kind:
        case "screens":
            vitest = str(scratch.folder / "web" / "node_modules" / "vitest" / "vitest.mjs")
            node = str(Path(python).with_name("node"))  # the locked one: an older cannot say what has failed
            return [node, vitest, "run", *check.what.split()], scratch.folder / "web", (1,)
        case "verifier":
            return [python, "-m", "tests.planted.judged"], scratch.folder, (1,)
        case "simulator" if check == HUNT:
            return [python, "-m", "tests.planted.hunted"], scratch.folder, (1,)
        case "simulator":
            return [python, "-m", "natural9", "torture", "--json", *check.what.split()], scratch.folder, (1,)
        case _:
            options = ["-q", "-x", "-rfE", "--no-header", "-p", "no:cacheprovider"]
            return [python, "-m", "pytest", *options, *check.what.split()], scratch.folder, _FAILED


def _who(printed: str) -> str:
    found = _FAILING.search(printed) or _FAILING_SCREEN.search(printed)
    return found[1] if found else (printed.strip().splitlines() or [""])[-1]


def failing(ran: Ran) -> Check:
    """What failed, alone: the test's function, or else the whole check."""
    file, colons, function = ran.by.partition("::")
    if ran.check.kind not in ("unit", "property") or not colons:
        return ran.check
    return ran.check._replace(what=f"{file}::{function.partition('[')[0]}")


def several(checks: Iterable[Check]) -> list[Check]:
    """The same, tests of ours together: to begin takes as long as most of them."""
    tests = [check.what for check in checks if check.kind in ("unit", "property")]
    groups = [tests[at : at + AT_ONCE] for at in range(0, len(tests), AT_ONCE)]
    others = [check for check in checks if check.kind not in ("unit", "property")]
    return [Check("unit", " ".join(group)) for group in groups] + others


def wide(bug: Bug) -> Check:
    """All tests of the bug's room."""
    if bug.file.startswith("web/"):
        return Check("screens", "")
    return Check("unit", f"tests/{bug.file.split('/')[1]}")
