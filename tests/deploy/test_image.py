"""The image, really built and run: from nothing, without a registry and without Docker.

mmdebstrap makes a Debian, buildah builds the Containerfile on it from wheels alone, and the program runs in what came
out, as its user, on a root that nothing can be written to. It takes minutes, root and 3 GB: `make deploy-test` alone.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from natural9.deploy.files import container_files
from tests.deploy.tools import assert_accepts

ROOT = Path(__file__).parents[2]
DEBIAN, ITS_PYTHON = "bookworm", (3, 11)  # whose wheels are fetched by the Python that runs this
USER = 10009
PORT = 8909
WAIT_S = 240
EXTRAS = "all,cluster,telemetry"  # as the Containerfile has them

pytestmark = [
    pytest.mark.skipif("DEPLOY_TEST" not in os.environ, reason="building an image takes minutes: make deploy-test"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may build a root filesystem"),
    pytest.mark.skipif(sys.version_info[:2] != ITS_PYTHON, reason=f"Debian {DEBIAN} has another Python"),
]

# What stands before a command in the image: a read-only root, the venue's folder and /tmp to write in, no right of
# root's.
INSIDE = """
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$2" "$1/venue"
mount -t tmpfs -o size=256m tmpfs "$1/tmp" && mount -t proc proc "$1/proc"
root=$1 && shift 2
exec chroot "$root" setpriv --reuid {user} --regid {user} --clear-groups --bounding-set=-all --no-new-privs \\
    /usr/bin/env -i {environment} "$@"
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """The root filesystem of the image, and the environment that it sets."""
    place = tmp_path_factory.mktemp("image")
    context = place / "context"
    context.mkdir()
    for name, text in container_files().items():
        (context / name).write_text(text, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--wheel-dir", str(context)]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", str(ROOT)], check=True)
    [wheel] = context.glob("natural9-*.whl")
    subprocess.run([*pip, f"{wheel}[{EXTRAS}]"], check=True)

    assert_accepts(
        "mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,python3-venv,ca-certificates",
        DEBIAN, place / "base.tar",
    )  # fmt: skip

    def buildah(*options: str | Path) -> str:
        kept = "--root", place / "storage", "--runroot", place / "run", "--storage-driver", "overlay"
        return assert_accepts("buildah", *kept, *options).strip()

    base = buildah("from", "scratch").splitlines()[-1]
    buildah("add", "--quiet", base, place / "base.tar", "/")
    buildah("commit", "--quiet", base, "localhost/debian")
    buildah("rm", base)
    buildah(
        "bud", "--quiet", "--isolation", "chroot", "--format", "docker", "--pull-never", "--tag", "natural9",
        "--build-arg", "BASE=localhost/debian", "--build-arg", "PIP_NO_INDEX=1", context,
    )  # fmt: skip
    built = buildah("from", "--pull-never", "localhost/natural9").splitlines()[-1]
    config = json.loads(buildah("inspect", built))["OCIv1"]["config"]
    assert config["User"] == f"{USER}:{USER}"
    assert (config["Entrypoint"], config["Cmd"]) == (["natural9"], ["serve", "/venue", "--host", "0.0.0.0"])
    root = Path(buildah("mount", built).splitlines()[-1])
    yield root, dict(one.split("=", 1) for one in config["Env"])
    buildah("umount", built)


Inside = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def inside(image: tuple[Path, dict[str, str]], tmp_path: Path) -> Inside:
    root, environment = image
    venue = tmp_path / "venue"
    venue.mkdir()
    os.chown(venue, USER, USER)
    script = INSIDE.format(user=USER, environment=" ".join(f"{name}={value}" for name, value in environment.items()))

    def start(*command: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            ["unshare", "--mount", "bash", "-ec", script, "-", str(root), str(venue), *command],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    return start


def printed(one: "subprocess.Popen[str]") -> str:
    said, _ = one.communicate(timeout=WAIT_S)
    return said


def is_ready(inside: Inside) -> bool:
    """By the image's own health check."""
    check = inside("/opt/natural9/bin/python", "-m", "natural9.deploy.ready")
    printed(check)
    return check.returncode == 0


def test_nothing_can_be_written_and_nobody_becomes_root(inside: Inside) -> None:
    tried = inside("/bin/sh", "-c", "id -u; touch /opt/natural9/x; touch /venue/x && echo written")
    said = printed(tried)
    assert said.splitlines()[0] == str(USER)
    assert "Read-only file system" in said
    assert said.splitlines()[-1] == "written"
    assert "CapBnd:\t0000000000000000" in printed(inside("/bin/cat", "/proc/self/status"))


def test_it_serves_a_venue_until_it_is_told_to_stop_and_its_backup_is_one(inside: Inside) -> None:
    made = printed(
        inside("natural9", "init", "/venue", "--game", "mbs-tiger", "--allow-remote", "--address", "0.0.0.0")
    )
    assert "venue.toml is written" in made
    served = inside("natural9", "serve", "/venue", "--host", "0.0.0.0")
    try:
        until_s = time.monotonic() + WAIT_S
        while not is_ready(inside):
            assert served.poll() is None, printed(served)
            assert time.monotonic() < until_s
            time.sleep(0.5)
        page = httpx.get(f"http://127.0.0.1:{PORT}/").text
        [screen] = re.findall(r'src="([^"]+\.js)"', page)
        assert httpx.get(f"http://127.0.0.1:{PORT}{screen}").is_success
        assert "1.235081%" in printed(inside("natural9", "odds", "mbs-tiger"))  # compiled, where it can be written
        printed(inside("natural9", "backup", "/venue", "/venue/backups/one"))
    finally:
        served.send_signal(signal.SIGTERM)
    log = printed(served)
    assert served.returncode == 0, log
    assert "Traceback" not in log
    assert not is_ready(inside)
    drill = inside("natural9", "drill", "/venue/backups")
    assert printed(drill)
    assert drill.returncode == 0
