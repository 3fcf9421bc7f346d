"""Running the real command, for the other tests here; and what holds for all of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.starter import BARE, LONGEST_S, ROOT, starter


def run(*arguments: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """`natural9` with these arguments, as another process; its output decoded."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    code, out, err = starter().run(arguments, given)
    assert b"Traceback" not in err, err.decode()
    return subprocess.CompletedProcess(arguments, code, out.decode(), err.decode())


def run_alone(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same, from a start of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "natural9", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env={**BARE, **environment},
        check=False,
        timeout=LONGEST_S,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def answer(*arguments: str) -> Any:
    """The JSON that a command that must succeed prints: one document on stdout, nothing else anywhere."""
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n")
    assert done.stdout.count("\n") == 1, "not on a terminal, so one line"
    return json.loads(done.stdout)


def text(*arguments: str) -> str:
    """What a command that must succeed prints for people."""
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def complaint(*arguments: str, stdin: str = "") -> str:
    """The one line by which bad input is refused: exit 2, nothing on stdout."""
    return complaint_of(run(*arguments, stdin=stdin))


def complaint_of(done: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("natural9: ")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, "exactly one line"
    return done.stderr.removeprefix("natural9: ").strip()


def test_without_a_command_it_shows_its_help() -> None:
    shown = text()
    assert shown.startswith("Usage: ")
    for command in ("games", "settle", "established", "roads", "play"):
        assert f"\n  {command} " in shown


def test_the_installed_command_is_the_same() -> None:
    script = Path(sys.executable).with_name("natural9")
    done = subprocess.run([script, "roads", "BPB", "--json"], capture_output=True, check=True, timeout=LONGEST_S)
    assert json.loads(done.stdout) == answer("roads", "BPB")


def test_runs_that_share_a_start_are_like_any_other() -> None:
    commands = [
        ("roads", "BPB", "--json"),
        ("roads", "BPX"),
        ("games", "mbs-nc"),
        ("roads", "--help"),
        ("settle", "\udcff", "9"),
    ]
    for alone, shared in ((run_alone(*arguments), run(*arguments)) for arguments in commands):
        assert (alone.returncode, alone.stderr) == (shared.returncode, shared.stderr)
        assert alone.stdout.replace("python -m natural9", "natural9") == shared.stdout


def test_a_reader_who_goes_away_is_no_error() -> None:
    """As in `natural9 games --json | head -c 1`."""
    command = [sys.executable, "-m", "natural9", "games", "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=LONGEST_S) == 141, "never 1, which is a command's own answer"


@pytest.mark.parametrize(
    "arguments", [("roads", "BPB"), ("games", "--json"), ("games",), ("chance", "--raw", "100000")]
)
def test_a_full_disk_is_one_line_and_no_answer(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "natural9", *arguments]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False, timeout=LONGEST_S)
        assert done.returncode == 2
        assert done.stderr.decode() == (
            "natural9: not all could be written: No space left on device; make room, or send the output elsewhere\n"
        )
        assert subprocess.run(command, cwd=ROOT, stdout=full, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("settle --jsonl <&-", 0),
        ("verify-shoe - <&-", 2),
        ("receipt - <&-", 2),
        ("init {folder}/new <&-", 0),
        ("games >&-", 0),
        ("games --json >&-", 0),
        ("odds mbs-nc --csv >&-", 0),
        ("chance --raw 5 >&-", 0),
        ("games --json >&- 2>&- <&-", 0),
        ("games no-such >&- 2>&- <&-", 2),
    ],
)
def test_a_stream_that_is_closed_is_as_nothing(shell: str, code: int, tmp_path: Path) -> None:
    line = f"exec {sys.executable} -m natural9 {shell.format(folder=tmp_path)}"
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, env=BARE, capture_output=True, check=False, timeout=LONGEST_S)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == code, done


@pytest.mark.parametrize("columns", ["0", "-5", "", "wide"])
def test_columns_that_say_no_width_are_as_if_not_there(columns: str) -> None:
    settled = ("settle", "mbs-nc", "9S 2H KD 5C", "--bet", "player=1000000")
    assert run_alone(*settled, COLUMNS=columns).stdout == text(*settled)


def test_a_terminal_that_knows_only_ascii_is_no_error() -> None:
    """The wagers have Chinese names; where they cannot be written something else stands for them."""
    done = run_alone("games", "mbs-tiger", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "tiger-pair" in done.stdout
