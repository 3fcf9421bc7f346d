"""`natural9 bench`: four figures of this machine; no timing is held to anything here."""

import json
from pathlib import Path

from tests import json_page
from tests.cli.test_command import run


def test_it_measures_four_things_and_leaves_nothing_behind(tmp_path: Path) -> None:
    done = run("bench", "--folder", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    json_page.hold("bench", figures)
    assert len({figure["what"] for figure in figures}) == len(figures) == 4
    assert all(figure["a_second"] > 0 for figure in figures)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    done = run("bench", "--folder", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "nowhere" in done.stderr
