"""What lies on a disk, as far as this user may look: what nobody may see is not there. (Python's own would raise.)"""

import stat
from collections.abc import Callable
from pathlib import Path


def is_there(path: Path) -> bool:
    return _is(path, bool)


def is_file(path: Path) -> bool:
    return _is(path, stat.S_ISREG)


def _is(path: Path, so: Callable[[int], bool]) -> bool:
    try:
        return so(path.stat().st_mode)
    except (OSError, ValueError):  # the latter for a name that no file can have
        return False
