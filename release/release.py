"""`make release`: the sdist, the wheel made from it, the bill of materials and their checksums, into dist/.

Everything is built twice, from two copies of the commit in two places, and the bytes must be the same. Whatever stands
in the way is said in a sentence, and then dist/ is as it was.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from hashlib import sha256
from pathlib import Path

from release.agreement import disagreements
from release.hatch_build import BILL

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


class NotReleased(Exception):
    """Says why."""


def release(root: Path, *, rehearsal: bool) -> dict[str, str]:
    """The checksum of each file that now lies in dist/."""
    if changed := _git(root, "status", "--porcelain").splitlines():
        raise NotReleased(f"the tree is dirty ({changed[0].strip()}, {len(changed)} in all): commit or remove it first")
    if wrong := disagreements(root, rehearsal=rehearsal):
        raise NotReleased("; ".join(wrong))
    with tempfile.TemporaryDirectory(prefix="natural9-release-") as scratch:
        first, second = (_build(root, Path(scratch) / name) for name in ("one", "a-second-one"))
        for name, made in first.items():
            if second.get(name) is None or made.read_bytes() != second[name].read_bytes():
                raise NotReleased(f"two builds differ in {name}, so nobody could check it by building it again")
        dist = root / "dist"
        shutil.rmtree(dist, ignore_errors=True)
        dist.mkdir()
        for name, made in first.items():
            shutil.copy(made, dist / name)
    sums = {name: sha256((dist / name).read_bytes()).hexdigest() for name in sorted(first)}
    (dist / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    return sums


def _build(root: Path, place: Path) -> dict[str, Path]:
    """Of the commit alone, whatever else lies in the tree; the wheel from the sdist alone, so that it is whole."""
    source, sdist, wheel = place / "source", place / "sdist", place / "wheel"
    source.mkdir(parents=True)
    archive = place / "commit.tar"
    _git(root, "archive", f"--output={archive}", "HEAD")
    with tarfile.open(archive) as packed:
        packed.extractall(source, filter="data")
    env = {**os.environ, "SOURCE_DATE_EPOCH": _git(root, "log", "-1", "--format=%ct").strip()}
    env.pop("PYTHONPATH", None)
    _hatchling(source, env, "sdist", sdist)
    [packed_source] = sdist.iterdir()
    unpacked = place / "unpacked"
    with tarfile.open(packed_source) as packed:
        packed.extractall(unpacked, filter="data")
    [whole] = unpacked.iterdir()
    _hatchling(whole, env, "wheel", wheel)
    made = [packed_source, *wheel.iterdir(), whole / BILL]
    return {one.name: one for one in made}


def _hatchling(source: Path, env: dict[str, str], target: str, to: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(to)]
    if subprocess.run(command, cwd=source, env=env, stdout=subprocess.DEVNULL, check=False).returncode:
        raise NotReleased(f"the {target} cannot be built, as it says above")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReleased(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def main() -> None:
    asked = argparse.ArgumentParser(prog="make release", description="Build and check what is published.")
    asked.add_argument("--rehearsal", action="store_true", help="let the changelog say that it is unreleased")
    try:
        sums = release(ROOT, rehearsal=asked.parse_args().rehearsal)
    except NotReleased as error:
        sys.exit(f"not released: {error}")
    for name, digest in sums.items():
        print(f"{digest}  dist/{name}")


if __name__ == "__main__":
    main()
