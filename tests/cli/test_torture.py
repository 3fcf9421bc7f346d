"""`natural9 torture`: what does not go together is refused; its runs are in `tests/torture` and `tests/nemesis`."""

import time
from collections import Counter
from pathlib import Path

import pytest

from bench.nemesis import as_document, asked_for
from natural9.cli.torture_real import ROOT, run_real
from natural9.core.errors import BadInput
from tests.cli.test_command import complaint


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("0 rounds or seeds are too few: give at least 1", ("--rounds", "0")),
        ("-2 rounds or seeds are too few", ("--seeds", "-2")),
        ("0 minutes are out of range: give more than 0, as in --minutes 5", ("--real", "--minutes", "0")),
        ("-1 minutes are out of range", ("--real", "--minutes", "-1")),
        ("nan minutes are out of range", ("--real", "--minutes", "nan")),
        ("inf minutes are out of range", ("--real", "--minutes", "inf")),
        ("2 machines are out of range: give 1, or 3 for a cluster", ("--real", "--nodes", "2")),
        ("0 machines are out of range", ("--real", "--nodes", "0")),
        ("--rounds is for the simulated floor: with --real give --minutes", ("--real", "--rounds", "5")),
        ("--seeds is for the simulated floor", ("--real", "--seeds", "5")),
        ("--shrink is for the simulated floor", ("--real", "--no-shrink")),
        ("--minutes is for real servers: give --real, too", ("--minutes", "3")),
        ("--nodes is for real servers: give --real, too", ("--nodes", "3")),
    ],
)
def test_bad_options_are_one_clear_line(says: str, arguments: tuple[str, ...]) -> None:
    assert says in complaint("torture", *arguments)


def test_without_the_source_tree_it_says_so_and_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"needs the source tree.*pip install -e '\.\[dev\]' there, and ask again"):
        run_real(1, 1, 1, json=False, root=tmp_path)


def test_with_the_source_tree_it_becomes_the_program_that_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which understands what it is asked for."""
    became: list[list[str]] = []
    monkeypatch.setattr("os.execve", lambda program, words, environment: became.append(words))
    monkeypatch.chdir(ROOT)  # and back
    run_real(0.5, 3, 7, json=True)
    [[_, _, program, *words]] = became
    asked, seed, as_json = asked_for(words)
    assert program == "bench.nemesis"
    assert (asked.nodes, asked.faults, seed, as_json) == (3, None, 7, True)
    assert 0 < asked.until - time.monotonic() <= 30


def test_its_figures_have_the_names_of_the_simulated_floors() -> None:
    asked, seed, _ = asked_for(["--nodes", "1"])
    counted = Counter({"fault: restart": 2, "faults": 2, "requests acknowledged": 7, "violations": 1})
    assert as_document(asked, seed, counted, ["seed 1: it is wrong"], [1.234]) == {
        "seed": 1,
        "nodes": 1,
        "faults": {"restart": 2},
        "requests_acknowledged": 7,
        "back_s": [1.2],
        "violations": ["seed 1: it is wrong"],
    }
