"""What must agree before a release: the version wherever it stands, the changelog, and what the pages promise."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

INSTALLING = "docs/installing.md"
WORKFLOW = ".github/workflows/tests.yml"


def disagreements(root: Path, *, rehearsal: bool = False) -> list[str]:
    """Each in a sentence; none for a tree that may be released. A rehearsal may have a changelog without a date."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return [
        *_versions(root, project["version"]),
        *_changelog(root, project["version"], rehearsal=rehearsal),
        *_extras(root, project),
        *_pythons(root, project),
        *_build(root),
    ]


def _versions(root: Path, version: str) -> Iterator[str]:
    lock = json.loads((root / "web" / "package-lock.json").read_text())
    own = re.search(r'^__version__ = "(.+)"$', (root / "natural9" / "__init__.py").read_text(), re.MULTILINE)
    said = {
        "natural9/__init__.py": own[1] if own else "none",
        "web/package.json": json.loads((root / "web" / "package.json").read_text())["version"],
        "web/package-lock.json": lock["packages"][""]["version"],
    }
    for where, other in said.items():
        if other != version:
            yield f"pyproject.toml has version {version}, {where} has {other}"
    for page in _pages(root):
        for other in re.findall(r"natural9(?:-|==)(\d+\.\d+\.\d+)", page.read_text(encoding="utf-8")):
            if other != version:
                yield f"{page.relative_to(root)} speaks of version {other}, this is {version}"


def _changelog(root: Path, version: str, *, rehearsal: bool) -> Iterator[str]:
    first = re.search(r"^## (\S+) \((.+)\)$", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if first is None or first[1] != version:
        yield f"CHANGELOG.md does not begin with {version}"
    elif not rehearsal and not re.fullmatch(r"\d{4}-\d\d-\d\d", first[2]):
        yield f"CHANGELOG.md says of {version} '{first[2]}': write the day of the release there, as 2027-01-31"


def _extras(root: Path, project: dict[str, Any]) -> Iterator[str]:
    """Every one is explained, and none is promised that there is not."""
    extras = set(project["optional-dependencies"]) - {"build", "dev"}
    explained = set(
        re.findall(r"^\| `natural9\[(\w+)\]`", (root / INSTALLING).read_text(encoding="utf-8"), re.MULTILINE)
    )
    for extra in sorted(extras - explained):
        yield f"{INSTALLING} does not explain natural9[{extra}]"
    for page in _pages(root):
        for listed in re.findall(r"natural9\[([\w,]+)\]", page.read_text(encoding="utf-8")):
            for extra in set(listed.split(",")) - extras:
                yield f"{page.relative_to(root)} speaks of natural9[{extra}], which is no extra"


def _pythons(root: Path, project: dict[str, Any]) -> Iterator[str]:
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in project["classifiers"])
    declared = {one[1] for one in found if one}
    page = (root / INSTALLING).read_text(encoding="utf-8")
    supported = set(re.findall(r"^\| (3\.\d+) \| yes", page, re.MULTILINE))
    if declared != supported:
        yield f"pyproject.toml declares Python {sorted(declared)}, {INSTALLING} supports {sorted(supported)}"
    tested = set(re.findall(r'"(3\.\d+)"', (root / WORKFLOW).read_text(encoding="utf-8")))
    if declared != tested:
        yield f"pyproject.toml declares Python {sorted(declared)}, {WORKFLOW} tests {sorted(tested)}"
    if f">={min(declared, key=_minor)}" != project["requires-python"]:
        yield f"requires-python is {project['requires-python']}, the oldest declared {min(declared, key=_minor)}"


def _minor(python: str) -> int:
    return int(python.partition(".")[2])


def _build(root: Path) -> Iterator[str]:
    """Whoever builds alone gets what the lock has."""
    asked = tomllib.loads((root / "pyproject.toml").read_text())
    extra = asked["project"]["optional-dependencies"]["build"]
    if asked["build-system"]["requires"] != extra:
        yield "build-system.requires and the extra build differ in pyproject.toml"
    for lock in ("run.txt", "dev.txt"):
        pinned = (root / "requirements" / lock).read_text()
        for one in extra:
            if not re.search(rf"^{re.escape(one)}\b", pinned, re.MULTILINE):
                yield f"requirements/{lock} does not have {one}: make lock"


def _pages(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
