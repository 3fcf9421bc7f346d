"""Several processes of one venue: where their database and their NATS are, and how long a lease lasts.

Passwords stand in no setting, in files or in the environment alone, and are read when they are needed.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from natural9.core.errors import BadInput
from natural9.core.host import is_host
from natural9.games.source import Source
from natural9.store.contract import StoreFailed
from natural9.store.postgres.address import checked
from natural9.table.venue.file import ClusterSection

SHORTEST_LEASE_S: Final = 0.5
LONGEST_LEASE_S: Final = 60.0
_SCHEMES: Final = ("nats", "tls")


@dataclass(frozen=True, kw_only=True)
class NatsIdentity:
    """As whom a node comes to NATS. What is secret is not shown where one is printed."""

    user: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    credentials: Path | None = None


@dataclass(frozen=True, kw_only=True)
class ClusterSettings:
    nats: tuple[str, ...]  # any of one NATS cluster
    database: str = ""  # "" where the folder's journal.postgresql names it
    tls_ca: Path | None = None  # NATS's; PostgreSQL's stand at the end of its address
    tls_cert: Path | None = None
    tls_key: Path | None = None
    nats_user: str = ""
    password_file: Path | None = None  # of that user
    nats_credentials: Path | None = None  # a .creds file, as NATS makes it
    lease_s: float = 2.0

    def login(self, environment: Mapping[str, str] = os.environ) -> NatsIdentity:
        """By the venue file; else by NATS_USER and NATS_PASSWORD, or NATS_TOKEN."""
        if self.nats_credentials or self.password_file:
            password = read_secret(self.password_file) if self.password_file else ""
            return NatsIdentity(user=self.nats_user, password=password, credentials=self.nats_credentials)
        return NatsIdentity(
            user=self.nats_user or environment.get("NATS_USER", ""),
            password=environment.get("NATS_PASSWORD", ""),
            token=environment.get("NATS_TOKEN", ""),
        )


def check_node_name(name: str) -> str:
    """It stands in file names, in NATS subjects and on screens."""
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,19}", name):
        raise BadInput("bad-node", f"{name[:80]!r} cannot name a node: use a-z, 0-9 and -, up to 20, as in node-1")
    return name


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def read_cluster(
    source: Source, section: ClusterSection | None, *, short_interruption_ms: int
) -> ClusterSettings | None:
    if section is None:
        return None
    if not SHORTEST_LEASE_S <= section.lease_s <= LONGEST_LEASE_S:
        what = f"a lease lasts {SHORTEST_LEASE_S:g} to {LONGEST_LEASE_S:g} seconds, not {section.lease_s:g}"
        source.refuse("$.cluster.lease_s", what)
    if 0 < short_interruption_ms <= section.lease_s * 1000:
        source.refuse(
            "$.cluster.lease_s",
            f"with a lease of {section.lease_s:g} s a table is back too late to go on where it stood after its node "
            f"has died: less than short_interruption, which is {short_interruption_ms / 1000:g}",
        )
    cert, key = _file(source, section, "tls_cert"), _file(source, section, "tls_key")
    if bool(cert) != bool(key):
        given, other = ("tls_cert", "tls_key") if cert else ("tls_key", "tls_cert")
        source.refuse(f"$.cluster.{given}", f"{given} is given without {other}: TLS needs both")
    ca = _file(source, section, "tls_ca")
    if not section.nats:
        source.refuse("$.cluster.nats", 'name a NATS server at least, as in nats = ["nats://127.0.0.1:4222"]')
    nats_of = partial(
        nats_address,
        is_safe=bool(ca or section.allow_plain_nats),
        login="nats_user and password_file name them, or NATS_USER and NATS_PASSWORD in the environment",
        or_else=", give tls_ca, or set allow_plain_nats = true if something else protects the wire",
    )
    return ClusterSettings(
        nats=tuple(source.parse("$.cluster.nats", nats_of, one) for one in section.nats),
        database=source.parse("$.cluster.database", _database, section.database),
        tls_ca=ca,
        tls_cert=cert,
        tls_key=key,
        nats_user=section.nats_user,
        password_file=_password_file(source, section),
        nats_credentials=_file(source, section, "nats_credentials"),
        lease_s=section.lease_s,
    )


def _database(address: str) -> str:
    try:
        return checked(address) if address else ""
    except StoreFailed as error:
        raise BadInput("bad-address", str(error)) from None


def nats_address(address: str, *, is_safe: bool, login: str, or_else: str = "") -> str:
    """What nodes carry has cookies and codes in it, so a wire to another machine is a secret one."""
    example = "write one such as nats://10.1.0.7:4222"
    try:
        parts = urlsplit(address)
        scheme, host, has_password = parts.scheme, parts.hostname or "", "@" in parts.netloc
        is_plain = is_host(host) and parts.port != 0 and not (parts.path or parts.query or parts.fragment)
    except ValueError:
        raise BadInput("bad-nats", f"this is no address of a NATS server: {example}") from None
    if has_password:
        raise BadInput("bad-nats", f"leave user and password out of the address: {login}")
    if scheme not in _SCHEMES or not is_plain:
        raise BadInput("bad-nats", f"{address[:80]!r} is no address of a NATS server: {example}")
    if not (scheme == "tls" or is_safe or is_loopback(host)):
        raise BadInput(
            "bad-nats",
            f"{host} is another machine, and without TLS anyone on the way can read along: write tls://{host}{or_else}",
        )
    return address


def _password_file(source: Source, section: ClusterSection) -> Path | None:
    path = _file(source, section, "password_file")
    if path and not section.nats_user:
        source.refuse("$.cluster.password_file", "password_file is given without nats_user: whose password is it?")
    if path and section.nats_credentials:
        both = "nats_credentials and password_file are two ways to say who comes: give one"
        source.refuse("$.cluster.password_file", both)
    return path


def _file(source: Source, section: ClusterSection, key: str) -> Path | None:
    text: str = getattr(section, key)
    if not text:
        return None
    return file_beside(source, f"$.cluster.{key}", text)


def file_beside(source: Source, where: str, text: str) -> Path:
    """A file whose path is seen from the venue file."""
    path = source.path.parent / text
    if not path.is_file():
        source.refuse(where, f"there is no file {path}")
    return path


def read_secret(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadInput("bad-password-file", f"{path} cannot be read: {why}") from None
