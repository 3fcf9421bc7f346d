"""A process that has loaded every command and waits: each run is a child of it, with the file descriptors, arguments
and exit status of a real one. To start Python and to load a command takes longer than all that most commands do."""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path

import natural9
from natural9.cli.main import COMMANDS, main

ROOT = Path(natural9.__file__).parent.parent
BARE = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "PYTHONIOENCODING", "FORCE_COLOR"}}
LATER = ("server.serve", "server.demo.run", "odds.simulation", "odds.vulnerability")  # what a command itself loads late
LONGEST_S = 60


class Starter:
    """Of one worker of pytest, for as long as that lives."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from tests.cli.starter import wait; wait()"]
        self._process = subprocess.Popen(command, cwd=ROOT, env=BARE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, arguments: tuple[str, ...], stdin: bytes) -> tuple[int, bytes, bytes]:
        """The exit status, and what it wrote to stdout and stderr."""
        assert self._process.stdin
        assert self._process.stdout
        with tempfile.TemporaryDirectory() as folder:
            given, out, err = files = [Path(folder, name) for name in ("in", "out", "err")]
            given.write_bytes(stdin)
            self._process.stdin.write(json.dumps([arguments, *map(str, files)]).encode() + b"\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline()), out.read_bytes(), err.read_bytes()

    def close(self) -> None:
        self._process.communicate()


@cache
def starter() -> Starter:
    one = Starter()
    atexit.register(one.close)
    return one


def wait() -> None:
    for module in (*(f"cli.{command.replace('-', '_')}" for command in COMMANDS), *LATER):
        import_module(f"natural9.{module}")
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 1)
    for line in asked:
        arguments, *files = json.loads(line)
        child = os.fork()
        if not child:
            be_the_command(arguments, files)
        answers.write(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        answers.flush()


def be_the_command(arguments: list[str], files: list[str]) -> None:
    code: object = 1
    try:
        for fd, path in enumerate(files):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), fd)
        signal.alarm(LONGEST_S)  # and not before: what hangs is a failure, not a wait
        sys.argv = ["natural9", *arguments]
        main()
    except SystemExit as done:
        code = done.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
