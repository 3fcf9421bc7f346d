"""`natural9 torture --real`: real servers under faults, by the outside client of the source tree.

Who judges the program is no part of it and imports nothing of it, so it is not in the wheel: this only starts it.
"""

import math
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import natural9
from natural9.core.errors import BadInput
from natural9.extras import check_extra

ROOT = Path(natural9.__file__).resolve().parents[1]
MINUTES, NODES = 5.0, 1
SPEAKS_BY = ("httpx", "websockets")  # the client, with the server


def check(minutes: float, nodes: int) -> None:
    if not (math.isfinite(minutes) and minutes > 0):
        raise BadInput("bad-minutes", f"{minutes:g} minutes are out of range: give more than 0, as in --minutes 5")
    if nodes not in (1, 3):
        raise BadInput("bad-nodes", f"{nodes} machines are out of range: give 1, or 3 for a cluster")


def run_real(minutes: float, nodes: int, seed: int, *, json: bool, root: Path = ROOT) -> None:
    """This process becomes the one that does it: what it prints and its exit are the answer."""
    check(minutes, nodes)
    program = root / "bench" / "nemesis.py"
    if not (program.is_file() and (root / "tests" / "nemesis").is_dir()):
        raise BadInput(
            "no-source",
            "--real needs the source tree, because its judge is not in the program: unpack the source of natural9, "
            "run pip install -e '.[dev]' there, and ask again",
        )
    if missing := [name for name in SPEAKS_BY if find_spec(name) is None]:
        needed = " and ".join(missing)
        raise BadInput("no-client", f"--real speaks to the server by {needed}: run pip install -e '.[dev]' in {root}")
    if nodes > 1:
        check_extra("postgres")
        check_extra("engines")
    words = ["--nodes", str(nodes), "--minutes", str(minutes), "--seed", str(seed), *(["--json"] if json else [])]
    sys.stdout.flush()
    os.chdir(root)
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    os.execve(sys.executable, [sys.executable, "-m", "bench.nemesis", *words], {**os.environ, "PYTHONPATH": path})
