"""Processes to be killed: one changes a venue's key for ever, one kills itself at each step of doing it once, or of
changing the key of its checkpoints."""

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import cryptography.hazmat.primitives.ciphers.aead  # noqa: F401  (loaded late: not what is to be killed in the middle of)

from natural9.cli.rekey import rekey

# Calls by which something on the disk changes, or may.
STEPS = {"open", "write", "flush", "fsync", "replace", "rename", "unlink", "execute", "executemany", "close"}


def for_ever(folder: Path) -> None:
    """Prints a line for each key, once it is changed."""
    while True:
        rekey(folder)
        sys.stdout.flush()


def killed_before(step: int, folder: Path, *, checkpoint: bool) -> None:
    """Change the key, and be killed before this step of it."""
    passed, begun = 0, False

    def watch(frame: FrameType, what: str, called: Any) -> None:
        nonlocal passed, begun
        begun = begun or (what == "call" and frame.f_code.co_name.startswith("change_"))  # nothing is changed before
        if begun and what == "c_call" and called.__name__ in STEPS:
            passed += 1
            if passed == step:
                os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(watch)
    sys.setprofile(watch)
    rekey(folder, checkpoint=checkpoint)


def at_each_step(folder: Path, *, checkpoint: bool = False) -> None:
    """Copies of the folder beside it, `1`, `2` and so on, each cut off a step later; the last is done."""
    for step in count(1):
        copy = folder.parent / str(step)
        shutil.copytree(folder, copy)
        child = os.fork()
        if not child:
            try:
                killed_before(step, copy, checkpoint=checkpoint)
            finally:
                sys.stdout.flush()
                os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            return


if __name__ == "__main__":
    ways: dict[str, Callable[[Path], None]] = {
        "for-ever": for_ever,
        "each-step": at_each_step,
        "checkpoint": partial(at_each_step, checkpoint=True),
    }
    ways[sys.argv[1]](Path(sys.argv[2]))
