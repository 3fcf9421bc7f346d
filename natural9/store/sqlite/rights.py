"""Who may read what: a journal holds password hashes, so its files are their owner's alone."""

import logging
import stat
from collections.abc import Iterable
from pathlib import Path

_log = logging.getLogger(__name__)


def tighten(files: Iterable[Path]) -> None:
    """Take from others what they may do with these files; say so where that was something."""
    for path in files:
        mode = _mode(path)
        if mode & 0o077:
            try:
                path.chmod(mode & 0o700)
            except OSError as error:
                _log.warning("%s is open to others (mode %o), and that cannot be changed: %s", path, mode, error)
            else:
                _log.warning("%s was open to others (mode %o): it is its owner's alone now", path, mode)


def warn_of_folder(folder: Path) -> None:
    """Whoever may write a folder can exchange the files in it, whatever their rights."""
    if (mode := _mode(folder)) & 0o022:
        _log.warning("%s can be changed by others (mode %o): chmod 700 %s", folder, mode, folder)


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return 0
