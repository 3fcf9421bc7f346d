"""A real nats-server from its wheel, for the tests."""

import atexit
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from natural9.server.cluster.engines import free_port

PROGRAM = Path(sys.executable).parent / "nats-server"


class NatsServer:
    """`options` are its own, such as `--user`; it can be stopped and started again at the same port."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="n9-nats-"))
        self._options = options
        self.start()

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [str(PROGRAM), "-a", "127.0.0.1", "-p", str(self.port), *self._options]
        said = (self.folder / "said").open("ab")
        self.process = subprocess.Popen(command, stdout=said, stderr=said)
        said.close()
        until = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise AssertionError((self.folder / "said").read_text())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def nats_server() -> NatsServer:
    """Of this process."""
    made = NatsServer()
    atexit.register(made.end)
    return made
