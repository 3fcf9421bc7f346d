"""A copy of the tree, in which bugs are planted one after the other."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from tests.planted.bug import TREE, Bug

# Too large to copy, and nothing is ever planted there.
_LINKED: Final = ("web/node_modules", "natural9/server/web")
_LEFT_OUT: Final = (".git", ".venv", ".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache", "dist", ".bench-*")
_LEFT_HERE: Final = ("node_modules", ".vitest")


class Scratch:
    """One copy; a bug lies in it for as long as it is looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        linked = {TREE / path for path in _LINKED}

        def leave_out(here: str, names: list[str]) -> set[str]:
            out = {name for name in names if name in _LEFT_HERE or Path(here, name) in linked}
            return out | shutil.ignore_patterns(*_LEFT_OUT)(here, names)

        shutil.copytree(TREE, self.folder, ignore=leave_out)
        for path in _LINKED:
            if (TREE / path).exists():
                (self.folder / path).symlink_to((TREE / path).resolve())
        # Python knows a changed file by its time in whole seconds: no two of ours have the same.
        self._times = count(1_000_000_000)

    @contextmanager
    def holding(self, bug: Bug) -> Iterator[None]:
        """The copy with this bug in it."""
        path = self.folder / bug.file
        whole = path.read_text(encoding="utf-8")
        self._write(path, bug.planted(whole))
        try:
            yield
        finally:
            self._write(path, whole)

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        now = next(self._times)
        os.utime(path, (now, now))
