"""The program and its rules, verified by their hashes: before play, daily, and when somebody asks (requirement 36)."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

import natural9

PACKAGE = Path(natural9.__file__).parent
_CACHES = frozenset({"__pycache__"})


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What is running: kept beside the journal, so that the next start can say what has changed."""

    version: str
    program_sha256: str
    venue_sha256: str
    rules: dict[str, str]
    running: bool

    def changed_since(self, former: "Program | None") -> tuple[str, ...]:
        if former is None:
            return ()
        changed = [
            name
            for name in ("version", "program_sha256", "venue_sha256")
            if getattr(self, name) != getattr(former, name)
        ]
        games = sorted({*self.rules, *former.rules})
        changed += [f"rules of {game}" for game in games if self.rules.get(game) != former.rules.get(game)]
        return tuple(changed)


def version() -> str:
    """Of the code that runs, which need not be what is installed."""
    return natural9.__version__


def file_hashes(folder: Path = PACKAGE) -> dict[str, str]:
    """Every file of the program, the rules and the screens, by its path. One that cannot be read counts as changed."""
    return {
        path.relative_to(folder).as_posix(): _hash(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _CACHES & set(path.parts)
    }


def _hash(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return f"not readable: {error.strerror}"


def program_sha256(hashes: Mapping[str, str]) -> str:
    """One hash for all of them: that of the list of hashes and paths, as sha256sum would print it."""
    return sha256("".join(f"{digest}  {path}\n" for path, digest in hashes.items()).encode()).hexdigest()
