"""What `natural9 doctor` finds of the machine: what is installed, files, disk, clock."""

import ctypes
import errno
import os
import platform
import re
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from natural9.cli.doctor_findings import Finding, bad, good, look
from natural9.extras import EXTRAS, install_line
from natural9.server.connections import SPARE_HANDLES
from natural9.server.screens import BUILT

# What each extra is for; one that is not here is listed all the same.
PURPOSES: Final = {
    "math": "the mathematics at full speed",
    "pdf": "disputes and par sheets as PDF",
    "postgres": "records in PostgreSQL, and several machines",
    "stamps": "time stamps of gaming days",
    "fast": "a faster event loop",
    "engines": "natural9 demo --nodes",
    "dask": "simulations on several machines",
    "gpu": "simulations on an NVIDIA GPU",
    "telemetry": "traces for OpenTelemetry",
}
SYNCS: Final = 20
SLOW_SYNC_MS: Final = 10.0
STALLING_SYNC_MS: Final = 100.0
GIB: Final = 1024**3
MEMORY_ONLY: Final = frozenset({"tmpfs", "ramfs"})
FAR_AWAY: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs"})
UNSYNCHRONISED: Final = 0x40  # STA_UNSYNC of Linux's <sys/timex.h>
LATE_MS: Final = 500.0


def look_at_machine() -> Iterator[Finding]:
    try:
        ours = distribution("natural9")
    except PackageNotFoundError:
        yield look("Program", "natural9 runs from a folder and is not installed", "pip install natural9")
    else:
        yield good("Program", f"natural9 {ours.version}, Python {platform.python_version()}, {platform.system()}")
        yield from look_at_packages(ours)
    yield _screens()
    yield _clock()


def _screens() -> Finding:
    if (BUILT / "index.html").is_file():
        return good("Screens", "the pages are built")
    remedy = "install natural9 from its wheel, or run make web in the source"
    return bad("Screens", f"{BUILT} has no pages: every screen would be empty", remedy)


class Requirement(NamedTuple):
    name: str
    extra: str  # "" where everybody needs it


def parse_requirement(text: str) -> Requirement | None:
    """None for one that this system does not need.

    >>> parse_requirement('asyncpg>=0.30; extra == "cluster"')
    Requirement(name='asyncpg', extra='cluster')
    """
    named, _, condition = text.partition(";")
    name = re.split(r"[\s\[<>=!~(]", named.strip(), maxsplit=1)[0]
    extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", condition)
    if "win32" in condition and "!=" not in condition:
        return None
    return Requirement(name, extra[1] if extra else "")


def _is_installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def missing_packages(ours: Distribution) -> dict[str, list[str]]:
    """What is not installed, by the extra that brings it; "" is what nothing runs without."""
    missing: dict[str, list[str]] = {"": []}
    missing |= {extra: [] for extra in ours.metadata.get_all("Provides-Extra") or []}
    for text in ours.requires or []:
        needed = parse_requirement(text)
        if needed and not _is_installed(needed.name):
            missing[needed.extra].append(needed.name)
    return {extra: names for extra, names in missing.items() if not extra or extra in EXTRAS}


def look_at_packages(ours: Distribution) -> Iterator[Finding]:
    missing = missing_packages(ours)
    needed = missing.pop("")
    if needed:
        remedy = "pip install --force-reinstall natural9"
        yield bad("Packages", f"{', '.join(needed)} not installed: nothing runs without", remedy)
    else:
        yield good("Packages", "all that every venue needs is installed")
    for extra, names in sorted(missing.items()):
        purpose = PURPOSES.get(extra, f"what natural9[{extra}] brings")
        if names:
            words = f"not installed ({', '.join(names)}): needed only for {purpose}"
            yield look(f"Extra {extra}", words, f"if you want that: {install_line(extra)}")
        else:
            yield good(f"Extra {extra}", f"installed: {purpose}")


def look_at_handles(*, seats: int) -> Finding:
    """One for each terminal, and some to spare: the server takes as many as the hard limit lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    due = seats + 2 * SPARE_HANDLES
    if most == resource.RLIM_INFINITY:
        return good("Open files", "no limit")
    if most < due:
        remedy = "raise it: LimitNOFILE=65536 in the systemd unit, or ulimit -Hn as root"
        return look("Open files", f"the limit is {most:,}, and {seats:,} seats need {due:,}", remedy)
    return good("Open files", f"the limit is {most:,}, enough for {most - 2 * SPARE_HANDLES:,} seats")


def look_at_disk(folder: Path) -> Iterator[Finding]:
    kind = file_system_of(folder)
    if kind in MEMORY_ONLY:
        yield bad(
            "Disk", f"{folder} is in memory ({kind}): a power cut loses every record", "put the venue on a real disk"
        )
    elif kind in FAR_AWAY:
        remedy = "put the venue on a disk of this machine, or its records in PostgreSQL (natural9 move)"
        yield bad("Disk", f"{folder} is on another machine ({kind}), where a journal file is not safe", remedy)
    free = shutil.disk_usage(folder).free
    words = f"{free / GIB:,.1f} GiB free in {folder}"
    if free < GIB:
        yield bad("Free space", words, "free some: without any the tables stop")
    elif free < 10 * GIB:
        yield look("Free space", words, "free some: a busy day writes a few GiB")
    else:
        yield good("Free space", words)
    try:
        took_ms = sync_ms(folder)
    except OSError as error:
        yield _not_written(folder, error)
        return
    words = f"a bet is on the disk in {took_ms:.1f} ms"
    if took_ms > STALLING_SYNC_MS:
        yield bad("Disk sync", words, "use a faster disk: every bet waits for it")
    elif took_ms > SLOW_SYNC_MS:
        yield look("Disk sync", words, "bets feel slow above 10 ms: use an SSD, best one with power-loss protection")
    else:
        yield good("Disk sync", words)


def _not_written(folder: Path, error: OSError) -> Finding:
    words = f"nothing can be written in {folder}: {error.strerror}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return bad("Disk sync", words, "free some space: without any the tables stop")
    if error.errno in (errno.EACCES, errno.EPERM):
        return look("Disk sync", words, "run doctor as the server's user, or give the folder to the user that you are")
    return bad("Disk sync", words, "look at the disk (dmesg), and how it is mounted; then run doctor again")


def file_system_of(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """Such as "ext4"; "" where the system does not say."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    where, found = folder.resolve(), ("", "")
    for line in lines:
        _, mounted, kind = line.split(" ")[:3]
        mounted = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), mounted)
        if where.is_relative_to(mounted) and len(mounted) >= len(found[0]):
            found = (mounted, kind)
    return found[1]


def sync_ms(folder: Path) -> float:
    """How long it takes until a small write is durable, as the journal writes it; the median of some."""
    took: list[float] = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(SYNCS):
            began = time.perf_counter()
            file.write(b"\0" * 4096)
            os.fsync(file.fileno())
            took.append((time.perf_counter() - began) * 1000)
    return median(took)


def _clock() -> Finding:
    """Whether the system keeps the clock in step with others', as the kernel has it (requirement 49)."""
    remedy = "switch it on: timedatectl set-ntp true, or install chrony"
    state = (ctypes.c_long * 64)()  # struct timex, more than long enough; modes = 0 only asks
    ask = getattr(ctypes.CDLL(None), "adjtimex", None)
    if ask is None or ask(state) < 0 or ctypes.sizeof(ctypes.c_long) != 8:
        return look("Clock", "the system does not say whether the clock is in step", remedy)
    error_ms, status = state[3] / 1000, state[5] & 0xFFFFFFFF
    if status & UNSYNCHRONISED:
        return look("Clock", "nothing keeps the clock in step; records and vouchers go by it", remedy)
    if error_ms > LATE_MS:
        return look("Clock", f"in step, but it may be {error_ms / 1000:.1f} s off", "look at the time server's log")
    return good("Clock", f"in step, at most {error_ms:.0f} ms off")


def has_module(name: str) -> bool:
    return find_spec(name) is not None
