"""`natural9 chance`: a report in words and as JSON, and raw bytes."""

import json
import subprocess
import sys

from tests.cli.test_command import run_alone
from tests.starter import ROOT


def test_the_report_from_a_seed() -> None:
    shown = run_alone("chance", "--shoes", "500", "--decks", "1", "--seed", "4")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("500 shoes of 1 decks from seed 4, which no table uses, ")
    assert "At 99% for all 14 tests together (Holm;" in shown.stdout
    as_json = run_alone("chance", "--shoes", "500", "--decks", "1", "--seed", "4", "--json")
    report = json.loads(as_json.stdout)
    assert (report["holds"], report["level"], len(report["tests"])) == (True, 0.01, 14)


def test_raw_bytes_and_what_does_not_go_with_them() -> None:
    command = [sys.executable, "-m", "natural9", "chance", "--raw", "1000"]
    raw = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, timeout=120).stdout
    assert len(raw) == 1000
    assert len(set(raw)) > 200
    assert run_alone("chance", "--raw", "10", "--json").returncode == 2
    assert run_alone("chance", "--shoes", "3").stderr == "natural9: --shoes 3 is out of range: give 500 to 1000000\n"
