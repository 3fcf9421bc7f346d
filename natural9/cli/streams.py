"""The three streams that a program has: they may be closed, full, or left by whoever read them."""

import os
import sys
from contextlib import suppress
from pathlib import Path


def open_those_closed() -> None:
    """What was started with a closed stream (`<&-`) reads nothing there, or writes to nobody."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number, which is this one: else a file of ours would get it, and what is printed.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    nowhere = Path(os.devnull)
    if sys.stdin is None:
        sys.stdin = nowhere.open(encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = nowhere.open("w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = nowhere.open("w", encoding="utf-8")


def forget_no_width() -> None:
    """COLUMNS=0 is how some say that they do not know how wide it is; in no column nothing would be printed."""
    columns = os.environ.get("COLUMNS", "")
    if not (columns.isdecimal() and columns.strip("0")):
        os.environ.pop("COLUMNS", None)


def drop_what_is_unwritten() -> None:
    """Else the end of the program would try once more to write it, and complain in its own way."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
