"""The bill of materials, from what is locked: every part of the program and of its screens, as CycloneDX 1.6.

    python -m release.sbom > natural9.cdx.json

It holds no time and no chance: the same locks make the same bytes. What everybody gets is required; what belongs to an
extra, or only builds, is optional. It needs nothing but the standard library, since the build runs it by itself.
"""

import json
import re
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = ROOT / "requirements" / "run.txt"
SCREENS: Final = ROOT / "web" / "package-lock.json"
PROJECT: Final = ROOT / "pyproject.toml"
PINNED: Final = re.compile(r"^(?P<name>[\w.-]+)(?:\[[\w,-]+\])?==(?P<version>\S+)", re.MULTILINE)

Component = dict[str, Any]


def python_parts() -> list[Component]:
    """Each with the hashes of the files that pip takes for it; one may be there twice, for two versions of Python."""
    parts = [_python_part(name, written) for name, written in _pins()]
    needs, everybody = _needs(parts), set[str]()
    waiting = {_plain(one) for one in _project()["dependencies"]}
    while waiting:
        everybody.add(name := waiting.pop())
        waiting |= {_name(ref) for ref in needs.get(name, ())} - everybody
    for part in parts:
        part["scope"] = "required" if part["name"] in everybody else "optional"
    return parts


def _project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(PROJECT.read_text())["project"]
    return found


def _plain(requirement: str) -> str:
    """A requirement's name as the lock writes it."""
    found = re.match(r"[\w.-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def _name(ref: str) -> str:
    return ref.removeprefix("pkg:pypi/").partition("@")[0]


def _pins() -> Iterator[tuple[str, str]]:
    """Each pin of the lock with all its lines, as they stand."""
    text = PYTHON.read_text()
    starts = [*PINNED.finditer(text)]
    ends = [one.start() for one in starts[1:]] + [len(text)]
    for found, end in zip(starts, ends, strict=True):
        yield found["name"], text[found.start() : end]


def _python_part(name: str, written: str) -> Component:
    found = PINNED.match(written)
    assert found
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", written)
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}@{found['version']}",
        "name": name,
        "version": found["version"],
        "purl": f"pkg:pypi/{name}@{found['version']}",
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"https://pypi.org/project/{name}/{found['version']}/",
                "hashes": [{"alg": "SHA-256", "content": one} for one in hashes],
            }
        ],
    }


def screen_parts() -> list[Component]:
    """What the screens are made of and built with; the latter are optional, since nobody serves them."""
    packages = json.loads(SCREENS.read_text())["packages"]
    return [
        _screen_part(path.rpartition("node_modules/")[2], facts) for path, facts in packages.items() if path
    ]  # the first is our own


def _screen_part(name: str, facts: dict[str, Any]) -> Component:
    purl = f"pkg:npm/{name.replace('@', '%40', 1)}@{facts['version']}"
    algorithm, _, digest = facts["integrity"].partition("-")
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": facts["version"],
        "purl": purl,
        "scope": "optional" if facts.get("dev") else "required",
        "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": b64decode(digest).hex()}],
    }


def dependencies(parts: list[Component]) -> list[dict[str, Any]]:
    """Who needs whom, by what the lock says of each."""
    needs = _needs(parts)
    return [{"ref": part["bom-ref"], "dependsOn": sorted(needs[part["name"]])} for part in (_own(), *parts)]


def _needs(parts: list[Component]) -> dict[str, set[str]]:
    needs: dict[str, set[str]] = {"natural9": set(), **{part["name"]: set() for part in parts}}
    for (_, written), part in zip(_pins(), parts, strict=True):
        for via in re.findall(r"#(?: via|  ) +([\w.-]+)", written):
            if via in needs:
                needs[via].add(part["bom-ref"])
    return needs


def _own() -> Component:
    return {"type": "application", "bom-ref": "natural9", "name": "natural9", "version": _project()["version"]}


def bill() -> dict[str, Any]:
    python = python_parts()
    screens = {part["bom-ref"]: part for part in screen_parts()}  # one may lie in several places
    components = [*python, *screens.values()]
    named = uuid5(NAMESPACE_URL, json.dumps(components, sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{named}",
        "version": 1,
        "metadata": {"component": _own()},
        "components": components,
        "dependencies": dependencies(python),
    }


if __name__ == "__main__":
    print(json.dumps(bill(), indent=1))
