"""A small disk in memory, which can be filled to its last byte; where we may mount one. And one that is slow."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LONG_RUN = "3g"  # only as much of the memory is used as lies there
SOURCE = Path(__file__).with_name("slow_disk.c")


@contextmanager
def small_disk(folder: Path, size: str = LONG_RUN) -> Iterator[bool]:
    """Whether there is one at this folder now."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "n9-nemesis", str(folder)]
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


class SlowDisk:
    """Every sync of a process with this environment takes so much longer; from one moment to the next."""

    def __init__(self, library: Path, ms: Path) -> None:
        self._ms = ms
        self.set(0)
        self.environment = {"LD_PRELOAD": str(library), "SLOW_DISK_MS": str(ms)}

    def set(self, ms: int) -> None:
        self._ms.write_text(str(ms), encoding="ascii")


def slow_disk(folder: Path) -> SlowDisk | None:
    """Made in this folder; None where there is no C compiler."""
    compiler = shutil.which("cc")
    library = folder / "slow_disk.so"
    if not compiler:
        return None
    made = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(made, check=True, capture_output=True)
    return SlowDisk(library, folder / "slow_disk_ms")
