"""The notebooks run from top to bottom, and each is the same as a script and as a notebook."""

from pathlib import Path
from typing import Any

import jupytext  # type: ignore[import-untyped]
import pytest

from tests.starter import ROOT

FOLDER = Path(ROOT) / "docs" / "notebooks"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def test_there_are_three() -> None:
    assert [path.stem for path in SCRIPTS] == ["first_odds", "safe_to_offer", "season"]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_it_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells: dict[str, Any] = {}
    for cell in jupytext.read(path.with_suffix(".ipynb")).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, f"{path.stem}.ipynb", "exec"), cells)
    assert capsys.readouterr().out, "it shows something"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_and_notebook_are_the_same(path: Path) -> None:
    def told(kept: Path) -> list[tuple[str, str]]:
        return [(cell.cell_type, cell.source) for cell in jupytext.read(kept).cells]

    assert told(path) == told(path.with_suffix(".ipynb")), "run `make notebooks`"
