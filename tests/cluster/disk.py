"""A small disk in memory, which can be filled to its last byte; where we may mount one."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = "size=3g"  # what a long run writes fits in; only as much of the memory is used as lies there


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Whether there is one at this folder now."""
    mount = ["mount", "-t", "tmpfs", "-o", SIZE, "n9-nemesis", str(folder)]
    mounted = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True, check=False).returncode
    if mounted:
        folder.chmod(0o711)
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


def fill(folder: Path) -> None:
    for size in (1 << 20, 1 << 10, 1):  # ever smaller pieces, until none fits
        with suppress(OSError), (folder / "ballast").open("ab", buffering=0) as ballast:
            while ballast.write(bytes(size)) == size:
                pass


def make_room(folder: Path) -> None:
    (folder / "ballast").unlink(missing_ok=True)
