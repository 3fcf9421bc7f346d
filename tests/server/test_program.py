"""What is running is named for what it is, wherever it runs from."""

import subprocess
import sys

from natural9.server.program import version
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
