"""What is running is named for what it is, wherever it runs from."""

import subprocess
import sys
from pathlib import Path

import pytest

from natural9.server.program import file_hashes, version
from tests.starter import ROOT

# As if nothing had ever been installed: Python reads what is, from folders, by this.
UNINSTALLED = """
from importlib.metadata import MetadataPathFinder
MetadataPathFinder.find_distributions = classmethod(lambda *anything: iter(()))
from natural9.server.program import version
print(version())
"""


def test_what_runs_from_a_folder_and_is_not_installed_has_a_version() -> None:
    """A demo from such a folder ended before its first round."""
    done = subprocess.run([sys.executable, "-c", UNINSTALLED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (version(), "")


def test_a_file_that_cannot_be_read_any_more_counts_as_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And does not end the check: who makes a file unreadable would have switched it off."""
    for name in ("one", "two"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    before, read = file_hashes(tmp_path), Path.read_bytes

    def fails(path: Path) -> bytes:
        if path.name == "one":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", fails)
    now = file_hashes(tmp_path)
    assert [name for name in before if now[name] != before[name]] == ["one"]
