"""Running the real command, for the other tests here; and what holds for all of it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import natural9

ROOT = Path(natural9.__file__).parent.parent
BARE = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "PYTHONIOENCODING", "FORCE_COLOR"}}


def run(*arguments: str, stdin: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """`natural9` with these arguments, as another process; its output decoded."""
    done = subprocess.run(
        [sys.executable, "-m", "natural9", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=ROOT,
        env={**BARE, **environment},
        check=False,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


# Starting Python and importing the command takes longer than all else, so many runs share one start: each is a child
# of its own, with the file descriptors, arguments and exit status of a real one.
_MANY = """
import json, os, sys, tempfile, traceback
from natural9.cli.main import main

def run(arguments):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            code = 1
            try:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = ["natural9", *arguments]
                main()
            except SystemExit as done:
                code = done.code or 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return status, out.read().decode(), err.read().decode()

print(json.dumps([run(arguments) for arguments in json.load(sys.stdin)]))
"""


def run_many(commands: Sequence[Sequence[str]]) -> list[subprocess.CompletedProcess[str]]:
    """`natural9` with each of these arguments."""
    done = subprocess.run(
        [sys.executable, "-c", _MANY],
        input=json.dumps([list(arguments) for arguments in commands]).encode(),
        capture_output=True,
        cwd=ROOT,
        env=BARE,
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    return [
        subprocess.CompletedProcess(arguments, *result)
        for arguments, result in zip(commands, json.loads(done.stdout), strict=True)
    ]


def answer(*arguments: str) -> Any:
    """The JSON that a command that must succeed prints: one document on stdout, nothing else anywhere."""
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n")
    assert done.stdout.count("\n") == 1, "not on a terminal, so one line"
    return json.loads(done.stdout)


def text(*arguments: str, **environment: str) -> str:
    """What a command that must succeed prints for people."""
    done = run(*arguments, **environment)
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
    done = subprocess.run([script, "roads", "BPB", "--json"], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == answer("roads", "BPB")


def test_runs_that_share_a_start_are_like_any_other() -> None:
    commands = [
        ("roads", "BPB", "--json"),
        ("roads", "BPX"),
        ("games", "mbs-nc"),
        ("roads", "--help"),
        ("settle", "\udcff", "9"),
    ]
    for alone, shared in zip([run(*arguments) for arguments in commands], run_many(commands), strict=True):
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
        assert process.wait(timeout=60) == 1


def test_a_terminal_that_knows_only_ascii_is_no_error() -> None:
    """The wagers have Chinese names; where they cannot be written something else stands for them."""
    done = run("games", "mbs-tiger", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "tiger-pair" in done.stdout
