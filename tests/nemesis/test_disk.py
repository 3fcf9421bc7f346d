"""The disk that is filled is full, and the one that is slow is slow; for a program that knows nothing of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nemesis.disk import fill, make_room, slow_disk, small_disk

SYNCS = """
import os, sys, time
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY | (os.O_DSYNC if sys.argv[2] == "write" else 0))
began = time.monotonic()
os.pwrite(file, b"x", 0)
if sys.argv[2] != "write":
    getattr(os, sys.argv[2])(file)
print(time.monotonic() - began)
"""


def test_a_full_disk_takes_nothing_until_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path, "1m") as is_small:
        if not is_small:
            pytest.skip("no disk can be mounted here")
        fill(tmp_path)
        with pytest.raises(OSError, match="No space left"):
            (tmp_path / "journal").write_bytes(b"x")
        make_room(tmp_path)
        assert (tmp_path / "journal").write_bytes(b"x") == 1


@pytest.mark.parametrize("call", ["fsync", "fdatasync", "write"])
def test_a_slow_disk_takes_its_time_for_whatever_is_made_durable(tmp_path: Path, call: str) -> None:
    slow = slow_disk(tmp_path)
    if slow is None:
        pytest.skip("there is no C compiler")
    command = [sys.executable, "-S", "-c", SYNCS, str(tmp_path / "journal"), call]
    slow.set(300)
    took = subprocess.run(command, env={**os.environ, **slow.environment}, capture_output=True, text=True, check=True)
    assert float(took.stdout) >= 0.3
    assert not took.stderr
