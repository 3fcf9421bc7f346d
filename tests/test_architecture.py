"""docs/architecture.md tells every room once, and where to begin in it; every module says itself what it is."""

import re
from pathlib import Path

from docs_site.reference.modules import PACKAGE, about, rooms

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


def rows() -> list[tuple[str, list[str]]]:
    """Each room of the table, with what its last cell names."""
    listed = PAGE.read_text(encoding="utf-8").partition("## Rooms")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `([\w/]+)/` \|[^|]+\|([^|]+)\|$", listed, re.MULTILINE)
    return [(room, re.findall(r"`([^`]+)`", cell)) for room, cell in found]


def test_every_room_is_there_once_and_none_that_is_not() -> None:
    assert sorted(room for room, _ in rows()) == sorted(rooms().keys() - {"."})


def test_it_says_where_to_begin() -> None:
    for room, begin_at in rows():
        assert begin_at, room
        for name in begin_at:
            path = PACKAGE / room / name
            assert path.is_dir() if name.endswith("/") else path.with_suffix(".py").is_file(), path


def test_every_module_says_what_it_is() -> None:
    for modules in rooms().values():
        for path in [*modules, modules[0].with_name("__init__.py")]:
            assert len(about(path)) > 10, path
