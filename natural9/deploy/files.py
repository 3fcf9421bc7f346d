"""What `natural9 init` writes beside a venue, from the files in this folder.

Those are whole, so that tools check them as they lie here: a venue in `/var/lib/natural9`, served by user `natural9`.
For another venue its own names take the place of these.
"""

import shlex
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Final

from natural9.core.errors import BadInput

PROGRAM: Final = "/opt/natural9/bin/natural9"
VENUE: Final = "/var/lib/natural9"
USER: Final = "natural9"
PORT: Final = 8909
# systemd reads these as something else, whatever quotes are around them.
_NOT_IN_A_PATH: Final = frozenset("%$\"'\\*?[]:") | frozenset(map(chr, range(33)))


def text_of(name: str) -> str:
    """A file of this folder, such as `systemd/natural9.service`."""
    return files("natural9.deploy").joinpath(*PurePosixPath(name).parts).read_text(encoding="utf-8")


def names_in(folder: str) -> list[str]:
    """The files of a folder here, with it: `systemd/natural9.service` and the others."""
    return sorted(
        f"{folder}/{one.name}" for one in files("natural9.deploy").joinpath(folder).iterdir() if one.is_file()
    )


def systemd_files(venue: Path, program: Path, user: str = USER) -> dict[str, str]:
    """The units of a venue by their names: its server, an hourly backup and a nightly drill."""
    for path in (venue, program):
        if not path.is_absolute() or _NOT_IN_A_PATH & set(str(path)):
            raise BadInput("bad-path", f"systemd cannot be told of {str(path)!r}: a plain path from / is needed")
        if path.is_relative_to("/root"):
            why = f"{path} is seen by root alone, who serves no venue: put it elsewhere, as below /opt or /var/lib"
            raise BadInput("bad-path", why)
    at_home = any(str(path).startswith(("/home/", "/run/user/")) for path in (venue, program))
    written = {}
    for name in names_in("systemd"):
        text = text_of(name).replace(PROGRAM, str(program)).replace(VENUE, str(venue))
        if user != USER:
            text = text.replace(f"User={USER}", f"User={user}").replace(f"Group={USER}\n", "")
            text = text.replace(f"{USER} {USER}", f"{user} -")
        if at_home:  # which the units else do not see at all
            text = text.replace("ProtectHome=true", "ProtectHome=read-only")
        if user == USER or not name.endswith(".sysusers"):  # somebody who is here already is not made
            written[PurePosixPath(name).name] = text
    return written


def container_files(port: int = PORT) -> dict[str, str]:
    """An image, and the venue in it as one service, reached at this port of the machine."""
    compose = text_of("container/compose.yaml").replace(f"127.0.0.1:{PORT}:", f"127.0.0.1:{port}:")
    return {
        "Containerfile": text_of("container/Containerfile"),
        "compose.yaml": compose,
        ".dockerignore": text_of("container/dockerignore"),
    }


def install_lines(venue: Path, user: str = USER) -> tuple[str, ...]:
    """What is typed, as root, once the units lie in a venue's folder."""
    units = shlex.quote(str(venue))
    make_user = f"cp {units}/natural9.sysusers /etc/sysusers.d/natural9.conf && systemd-sysusers"
    return (
        *([make_user] if user == USER else []),
        f"cp {units}/natural9.tmpfiles /etc/tmpfiles.d/natural9.conf && systemd-tmpfiles --create",
        f"cp {units}/natural9*.service {units}/natural9*.timer /etc/systemd/system/ && systemctl daemon-reload",
        "systemctl enable --now natural9.service natural9-backup.timer natural9-drill.timer",
    )
