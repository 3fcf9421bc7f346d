"""What a planted bug is, and the list of them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

TREE: Final = Path(__file__).parents[2]
LIST: Final = Path(__file__).parent / "bugs"
KINDS: Final = ("unit", "property", "screens", "verifier", "simulator")
_TEXTS: Final = ("bug", "file", "old", "new")


class Check(NamedTuple):
    """One that must catch a bug: a test by its id, a file of the screens' tests, the verifier, a seed of the
    simulator."""

    kind: str
    what: str


class Bug(NamedTuple):
    """One text of one file, replaced by another."""

    name: str
    room: str
    words: str  # what is wrong, in a sentence
    file: str
    old: str
    new: str
    checks: tuple[Check, ...]  # the quickest first

    def planted(self, text: str) -> str:
        """The file's text with the bug in it."""
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"{self.name}: its old text is {found} times in {self.file}, and must be there once")
        return text.replace(self.old, self.new)


@cache
def all_bugs() -> tuple[Bug, ...]:
    """Every one, room by room."""
    return tuple(
        _read(path.stem, name, told)
        for path in sorted(LIST.glob("*.toml"))
        for name, told in tomllib.loads(path.read_text(encoding="utf-8")).items()
    )


def _read(room: str, name: str, told: dict[str, Any]) -> Bug:
    if strange := told.keys() - {*_TEXTS, *KINDS}:
        raise ValueError(f"{name}: nobody knows what {', '.join(sorted(strange))} means")
    checks = tuple(Check(kind, told[kind]) for kind in KINDS if kind in told)
    return Bug(name, room, told["bug"], told["file"], told["old"], told["new"], checks)
