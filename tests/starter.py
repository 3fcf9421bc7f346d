"""A process that has loaded every command and waits: each run is forked from it, with the arguments, file descriptors,
environment and exit status of a real one. To start Python and to load a command takes longer than most of them do."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select

import natural9
from natural9.cli.main import COMMANDS, main

ROOT = Path(natural9.__file__).parent.parent
BARE = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "PYTHONIOENCODING", "FORCE_COLOR"}}
LATER = ("server.serve", "server.demo.run", "odds.simulation", "odds.vulnerability")  # what a command itself loads late
LONGEST_S = 600  # only what hangs takes so long: on a busy machine, odds compiled for the first time took over 60
LONGEST_REQUEST = 1 << 17  # that a socket takes whole: what a process may be started with is seldom more


class Started:
    """A run of `natural9`, as `subprocess.Popen` would show it. It is a child of the process that watches it."""

    def __init__(self, told: int) -> None:
        """`told` is where its number comes from, and its exit status when it has ended."""
        self._told = os.fdopen(told, "rb", buffering=0)
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None and select([self._told], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("natural9", timeout or 0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def _end(self) -> None:
        self.returncode = int(self._told.readline())
        self._told.close()

    def send_signal(self, one: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, one)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Starter:
    """Of one worker of pytest, for as long as that lives."""

    def __init__(self) -> None:
        self._line, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST_REQUEST * 2)
        with its:
            command = [sys.executable, "-c", f"from tests.starter import wait; wait({its.fileno()})"]
            self._process = subprocess.Popen(command, cwd=ROOT, env=BARE, pass_fds=[its.fileno()])

    def begin(
        self,
        arguments: tuple[str, ...],
        files: tuple[int, int, int],
        *,
        environment: Mapping[str, str],
        cwd: Path,
        longest_s: int = 0,
    ) -> Started:
        """With these as its stdin, stdout and stderr."""
        told, tells = os.pipe()
        request = json.dumps([arguments, dict(environment), str(cwd), longest_s]).encode()
        socket.send_fds(self._line, [request], [*files, tells])
        os.close(tells)
        return Started(told)

    def run(self, arguments: tuple[str, ...], stdin: bytes) -> tuple[int, bytes, bytes]:
        """The exit status, and what it wrote to stdout and stderr."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            for one in (given, out, err):
                one.seek(0)
            files = given.fileno(), out.fileno(), err.fileno()
            # What hangs is a failure, not a wait.
            code = self.begin(arguments, files, environment=BARE, cwd=ROOT, longest_s=LONGEST_S).wait()
            assert code != -signal.SIGALRM, f"natural9 {' '.join(arguments)} had not ended after {LONGEST_S} s"
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def close(self) -> None:
        self._line.close()
        self._process.wait()


@cache
def starter() -> Starter:
    one = Starter()
    atexit.register(one.close)
    return one


def wait(number: int) -> None:
    """For requests, until nobody can ask any more."""
    for module in (*(f"cli.{command.replace('-', '_')}" for command in COMMANDS), *LATER):
        import_module(f"natural9.{module}")
    line, watchers = socket.socket(fileno=number), list[int]()
    while True:
        request, files, _, _ = socket.recv_fds(line, LONGEST_REQUEST, 4)
        if not request:
            return
        watchers.append(os.fork())
        if not watchers[-1]:
            line.close()
            watch(request, files)
        for one in files:
            os.close(one)
        watchers = [one for one in watchers if not os.waitpid(one, os.WNOHANG)[0]]


def watch(request: bytes, files: list[int]) -> None:
    """One run, which has nothing of ours open."""
    *standard, tells = files
    run = os.fork()
    if not run:
        os.close(tells)
        be_the_command(request, standard)
    for one in standard:
        os.close(one)
    os.write(tells, b"%d\n" % run)
    os.write(tells, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(run, 0)[1]))
    os._exit(0)


def be_the_command(request: bytes, standard: list[int]) -> None:
    code: object = 1
    try:
        for number, one in enumerate(standard):
            os.dup2(one, number)
            os.close(one)
        arguments, environment, folder, longest_s = json.loads(request)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        signal.alarm(longest_s)
        sys.argv = ["natural9", *arguments]
        main()
    except SystemExit as done:
        code = done.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # as at the end of any program
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)
