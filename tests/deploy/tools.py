"""Programs of others that check what we deploy by; where one is missing its tests are skipped, and say so.

`make deploy-test` installs all of them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "natural9" / "deploy"
WHERE = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def run_tool(name: str, *options: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    found = shutil.which(name, path=WHERE)
    if found is None:
        pytest.skip(f"{name} is not installed: make deploy-test installs it")
    return subprocess.run([found, *map(str, options)], capture_output=True, text=True, cwd=cwd, check=False)


def assert_accepts(name: str, *options: str | Path, cwd: Path | None = None) -> str:
    """All that it said; nothing it said is a warning to be lived with."""
    done = run_tool(name, *options, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
