"""`natural9 chance`: a report as JSON (its words are shown by its own example), and raw bytes."""

import json
import subprocess
import sys

from tests.cli.test_command import run_alone
from tests.starter import ROOT


def test_the_report_from_a_seed() -> None:
    shown = run_alone("chance", "--shoes", "500", "--decks", "1", "--seed", "4", "--json")
    assert (shown.returncode, shown.stderr) == (0, "")
    report = json.loads(shown.stdout)
    assert report["source"] == "seed 4, which no table uses"
    assert (report["holds"], report["level"], len(report["tests"])) == (True, 0.01, 14)


def test_raw_bytes() -> None:
    command = [sys.executable, "-m", "natural9", "chance", "--raw", "1000"]
    raw = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, timeout=120).stdout
    assert len(raw) == 1000
    assert len(set(raw)) > 200


def test_what_does_not_go_together_is_refused() -> None:
    assert "leave out --seed, --shoes and --json" in run_alone("chance", "--raw", "10", "--shoes", "500").stderr
    assert run_alone("chance", "--raw", "10", "--json").stderr.startswith(
        "natural9: --raw writes the bytes of the real"
    )
