"""Processes to be killed: one changes a venue's key for ever, one kills itself at each step of doing it once, or of
changing the key of its checkpoints."""

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import cryptography.hazmat.primitives.ciphers.aead  # noqa: F401  (loaded late: not what is to be killed in the middle of)

from natural9.cli.rekey import rekey

# Calls by which something on the disk changes, or may.
STEPS = {"open", "write", "pwrite", "flush", "fsync", "replace", "rename", "unlink", "execute", "executemany", "close"}


def for_ever(folder: Path) -> None:
    """Prints a line for each key, once it is changed."""
    while True:
        rekey(folder)
        sys.stdout.flush()


def changed(folder: Path, before: Callable[[int], None], *, checkpoint: bool) -> int:
    """Change the key, with this done before each step of it, in a process of its own: its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = count(1)

    def watch(frame: FrameType, what: str, called: Any) -> None:
        if what == "c_call" and called.__name__ in STEPS:
            before(next(steps))

    code = 1
    try:
        threading.setprofile(watch)
        sys.setprofile(watch)
        rekey(folder, checkpoint=checkpoint)
        code = 0
    finally:
        sys.stdout.flush()
        os._exit(code)


def killed_at(step: int, passed: int) -> None:
    if passed == step:
        os.kill(os.getpid(), signal.SIGKILL)


def on_disk(folder: Path) -> str:
    files = [(path.name, path.read_bytes()) for path in sorted(folder.iterdir()) if path.is_file()]
    return sha256(repr(files).encode()).hexdigest()


def at_each_step(folder: Path, *, checkpoint: bool = False) -> None:
    """Copies of the folder beside it, named by the step that they were cut off before; the last is done. Most steps
    change nothing on the disk: who is cut off before the next one leaves the same behind."""
    trial, seen = folder.parent / "trial", folder.parent / "seen"
    shutil.copytree(folder, trial)
    with seen.open("w") as notes:
        assert changed(trial, lambda step: print(on_disk(trial), file=notes, flush=True), checkpoint=checkpoint) == 0
    left = seen.read_text().split()
    shutil.rmtree(trial)
    seen.unlink()
    for step, (before, now) in enumerate(pairwise(["", *left, "done"]), 1):
        if now != before:
            copy = folder.parent / str(step)
            shutil.copytree(folder, copy)
            code = changed(copy, partial(killed_at, step), checkpoint=checkpoint)
            assert code in (0, -signal.SIGKILL), "it failed by itself"


if __name__ == "__main__":
    ways: dict[str, Callable[[Path], None]] = {
        "for-ever": for_ever,
        "each-step": at_each_step,
        "checkpoint": partial(at_each_step, checkpoint=True),
    }
    ways[sys.argv[1]](Path(sys.argv[2]))
