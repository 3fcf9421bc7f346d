"""docs/architecture.md names every module once, under the folder that it is in."""

import re
from collections import Counter
from pathlib import Path

import natural9

PACKAGE = Path(natural9.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


def on_the_page() -> dict[str, Counter[str]]:
    """The words in code font under each folder of the list."""
    listing = PAGE.read_text(encoding="utf-8").partition("## Rooms")[2].partition("\nBeside the package")[0]
    items = re.findall(r"^- \*\*`([\w/]+|\.)/`\*\*(.*?)(?=^- |\Z)", listing, re.MULTILINE | re.DOTALL)
    return {folder: Counter(re.findall(r"`(\w+)`", words)) for folder, words in items}


def in_the_package() -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        if path.stem not in ("__init__", "__main__"):
            found.setdefault(path.parent.relative_to(PACKAGE).as_posix(), Counter())[path.stem] += 1
    return found


def test_every_module_is_named_once_and_none_that_is_not_there() -> None:
    assert on_the_page() == in_the_package()
