"""The bill of materials names every part that is locked, and nothing else."""

import json
import tomllib
from importlib.metadata import version

from release.sbom import PINNED, PYTHON, ROOT, SCREENS, bill


def test_every_part_that_is_locked_is_on_the_bill_once() -> None:
    made = bill()
    purls = [part["purl"] for part in made["components"]]
    assert len(purls) == len(set(purls))
    pinned = {f"pkg:pypi/{one['name']}@{one['version']}" for one in PINNED.finditer(PYTHON.read_text())}
    screens = json.loads(SCREENS.read_text())["packages"]
    assert {one for one in purls if one.startswith("pkg:pypi/")} == pinned
    assert sum(one.startswith("pkg:npm/") for one in purls) > 50
    assert {"pkg:npm/svelte@" + screens["node_modules/svelte"]["version"]} <= set(purls)
    assert bill() == made, "the same locks, the same bytes"


def test_every_part_has_a_hash_and_every_reference_an_end() -> None:
    made = bill()
    refs = {part["bom-ref"] for part in made["components"]} | {made["metadata"]["component"]["bom-ref"]}
    for part in made["components"]:
        hashes = part.get("hashes") or part["externalReferences"][0]["hashes"]
        assert hashes
        assert all(len(one["content"]) == {"SHA-256": 64, "SHA-512": 128}[one["alg"]] for one in hashes)
    for one in made["dependencies"]:
        assert {one["ref"], *one["dependsOn"]} <= refs
    [own] = [one for one in made["dependencies"] if one["ref"] == "natural9"]
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert len(own["dependsOn"]) >= len(asked), "all that we ask for ourselves"


def test_what_runs_here_is_what_is_on_the_bill() -> None:
    parts = {part["name"]: part["version"] for part in bill()["components"]}
    for name in ("litestar", "uvicorn", "picows", "msgspec", "argon2-cffi", "cryptography", "apsw", "zxcvbn"):
        assert parts[name] == version(name), name
