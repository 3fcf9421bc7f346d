"""A plain install does all that needs no extra, and says in one line what brings the rest."""

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from natural9.cli.main import COMMANDS
from natural9.extras import EXTRAS, install_line
from tests.starter import ROOT

# What this process may not import, as if pip had never brought it; then every command of the list, one after the other.
PLAIN = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
missing, commands = json.load(sys.stdin)

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from natural9.cli.main import main

def run(arguments):
    sys.argv, out, errors = ["natural9", *arguments], io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            main()
        except SystemExit as end:
            return [end.code or 0, out.getvalue(), errors.getvalue()]

print(json.dumps([run(arguments) for arguments in commands]))
"""
# A command that needs something, and which extra brings that.
REFUSED = {
    "simulate mbs-tiger --rounds 1000": "math",
    "session mbs-tiger --bet banker=10": "math",
    "penetration mbs-tiger --wager tiger": "math",
    "vulnerability mbs-tiger --wager tiger": "math",
    "design rws-nc-insurance --insurance": "math",
    "chance --shoes 500": "math",
    "parsheet mbs-tiger --out sheet.html": "math",
    "dispute nowhere nc-1 1 --out round.pdf": "pdf",
    "report win postgresql://nobody@127.0.0.1:1/none": "postgres",
    "nodes postgresql://nobody@127.0.0.1:1/none": "postgres",
    "simulate mbs-tiger --rounds 1000 --scheduler tcp://127.0.0.1:1": "dask",
    "simulate mbs-tiger --rounds 1000 --gpu": "gpu",
    "demo --nodes 3 --for 1": "engines",
}
PRICED = (  # exactly, with Numba or without
    "odds rws-nc-insurance --csv",
    "odds mbs-tiger --decks 4..5",
    "design mbs-tiger --wager tiger --edge 10%",
)
WORKS = (
    *PRICED,
    "games mbs-tiger",
    "established mbs-tiger 9S,2H,KD",
    "roads BPPB",
    *(f"{command} --help" for command in COMMANDS),
)

Ended = tuple[int, str, str]


def run_without(missing: list[str], commands: list[str], folder: Path) -> dict[str, Ended]:
    asked = json.dumps([missing, [command.split() for command in commands]])
    done = subprocess.run(
        [sys.executable, "-c", PLAIN], input=asked, capture_output=True, text=True, cwd=folder, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return {command: tuple(one) for command, one in zip(commands, found, strict=True)}


@cache
def plainly() -> dict[str, Ended]:
    modules = [module for extra in EXTRAS.values() for module in extra]
    return run_without(modules, [*REFUSED, *WORKS], Path("/"))


@pytest.mark.parametrize("command", REFUSED)
def test_what_lacks_an_extra_says_which_line_brings_it(command: str) -> None:
    code, out, errors = plainly()[command]
    assert (code, out) == (2, "")
    assert re.fullmatch(
        rf"natural9: .* needs [\w-]+, which is not installed: {re.escape(install_line(REFUSED[command]))}\n", errors
    )


def test_all_else_works_without_any() -> None:
    ended = {command: plainly()[command] for command in WORKS}
    assert not {command: one for command, one in ended.items() if one[0]}
    assert {command for command, (_, _, errors) in ended.items() if errors} == set(PRICED)
    for command in PRICED:
        assert ended[command][2].count("\n") == 1, "said once"
        assert install_line("math") in ended[command][2]


def test_the_odds_are_the_same_without_numpy(tmp_path: Path) -> None:
    for command, (code, out, errors) in run_without([], [*PRICED], tmp_path).items():
        assert (code, errors) == (0, "")
        assert plainly()[command][1] == out


def test_a_defect_is_no_missing_extra(tmp_path: Path) -> None:
    """A module of our own, or of what everybody has, that is not there is not explained away."""
    with pytest.raises(AssertionError, match="ModuleNotFoundError: No module named 'msgspec'"):
        run_without(["msgspec"], ["games"], tmp_path)


def test_every_extra_is_in_the_project_and_no_plain_dependency_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"all", "cluster", "build", "dev"}
    for extra, modules in EXTRAS.items():
        brought = " ".join(project["optional-dependencies"][extra]).lower()
        for package in modules.values():
            assert package.lower() in brought
            assert not [one for one in project["dependencies"] if one.lower().startswith(package.lower())]
