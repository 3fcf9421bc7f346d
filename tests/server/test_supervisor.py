"""What systemd hears of the program."""

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from natural9.server.supervisor import READY, say_not_stuck, tell_supervisor, watchdog_s


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "s"))
        line.settimeout(10)
        yield line


def test_it_is_told(supervisor: socket.socket, tmp_path: Path) -> None:
    assert tell_supervisor(READY, {"NOTIFY_SOCKET": str(tmp_path / "s")})
    assert supervisor.recv(100) == b"READY=1"


def test_an_abstract_socket_is_told() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0natural9-test-{os.getpid()}")
        line.settimeout(10)
        assert tell_supervisor(READY, {"NOTIFY_SOCKET": f"@natural9-test-{os.getpid()}"})
        assert line.recv(100) == b"READY=1"


@pytest.mark.parametrize("address", ["", "vsock:2:1234", "/nowhere/at/all"])
def test_who_is_not_there_is_no_matter(address: str) -> None:
    assert not tell_supervisor(READY, {"NOTIFY_SOCKET": address})


def test_how_often_it_wants_to_hear() -> None:
    assert watchdog_s({"WATCHDOG_USEC": "20000000"}) == 20
    assert watchdog_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}) == 20
    assert watchdog_s({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}) is None  # another process is meant
    assert watchdog_s({}) is None
    assert watchdog_s({"WATCHDOG_USEC": "0"}) is None


async def test_it_hears_again_and_again(supervisor: socket.socket, tmp_path: Path) -> None:
    asked = {"NOTIFY_SOCKET": str(tmp_path / "s"), "WATCHDOG_USEC": "3000"}
    telling = asyncio.create_task(say_not_stuck(lambda: True, asked))
    for _ in range(3):
        assert await asyncio.to_thread(supervisor.recv, 100) == b"WATCHDOG=1"
    telling.cancel()


async def test_who_does_not_ask_is_not_told() -> None:
    await say_not_stuck(lambda: True, {})


async def test_it_hears_nothing_while_only_a_new_start_helps(supervisor: socket.socket, tmp_path: Path) -> None:
    """Else a disk that was full for a moment would keep every table stopped until somebody came."""
    asked = {"NOTIFY_SOCKET": str(tmp_path / "s"), "WATCHDOG_USEC": "3000"}
    asked_for = iter([True, False, False, True])
    done = asyncio.Event()

    def can_go_on() -> bool:
        can = next(asked_for, None)
        if can is None:
            done.set()
        return bool(can)

    telling = asyncio.create_task(say_not_stuck(can_go_on, asked))
    await done.wait()
    telling.cancel()
    supervisor.setblocking(False)
    assert [supervisor.recv(100), supervisor.recv(100)] == [b"WATCHDOG=1"] * 2
    with pytest.raises(BlockingIOError):
        supervisor.recv(100)
