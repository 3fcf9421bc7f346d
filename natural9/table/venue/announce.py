"""Who outside the house is told what everybody at a table may see: a webhook, a NATS subject, or both."""

import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from natural9.core.errors import BadInput
from natural9.games.source import Source
from natural9.table.venue.cluster import file_beside, is_loopback, nats_address, read_secret
from natural9.table.venue.file import AnnounceSection

SHORTEST_SECRET: Final = 16  # letters: shorter ones can be tried out
LONGEST_SUBJECT: Final = 100


@dataclass(frozen=True, kw_only=True)
class AnnounceSettings:
    webhook: str = field(default="", repr=False)  # some have a password in their path
    secret_file: Path | None = None
    nats: str = ""
    nats_credentials: Path | None = None
    subject: str = "natural9"  # what each table's own begins with

    def secret(self) -> bytes:
        """What messages to the webhook are signed with; empty where they are not."""
        if self.secret_file is None:
            return b""
        secret = read_secret(self.secret_file)
        if len(secret) < SHORTEST_SECRET:
            how = "write a long one, such as openssl rand -hex 32 makes"
            raise BadInput("bad-secret", f"the secret in {self.secret_file} is shorter than {SHORTEST_SECRET}: {how}")
        return secret.encode()


def read_announce(source: Source, section: AnnounceSection) -> AnnounceSettings | None:
    for key, of in (("secret_file", "webhook"), ("nats_credentials", "nats")):
        if getattr(section, key) and not getattr(section, of):
            source.refuse(f"$.announce.{key}", f"{key} is given without {of}: who is told?")
    nats_of = partial(nats_address, is_safe=False, login="nats_credentials names a file that NATS has made")
    settings = AnnounceSettings(
        webhook=source.parse("$.announce.webhook", _webhook, section.webhook) if section.webhook else "",
        secret_file=_file(source, "secret_file", section.secret_file),
        nats=source.parse("$.announce.nats", nats_of, section.nats) if section.nats else "",
        nats_credentials=_file(source, "nats_credentials", section.nats_credentials),
        subject=source.parse("$.announce.subject", _subject, section.subject),
    )
    return settings if settings.webhook or settings.nats else None


def _file(source: Source, key: str, text: str) -> Path | None:
    return file_beside(source, f"$.announce.{key}", text) if text else None


def _webhook(url: str) -> str:
    example = "write one such as https://signage.example/tables"
    try:
        parts = urlsplit(url)
        host, is_port = parts.hostname or "", parts.port != 0
    except ValueError:
        raise BadInput("bad-webhook", f"this is no address of a webhook: {example}") from None
    if "@" in parts.netloc:
        raise BadInput("bad-webhook", "leave user and password out of the address: secret_file signs what is sent")
    if not re.fullmatch(r"https?://[!-~]+", url) or not (host and is_port) or parts.fragment:
        raise BadInput("bad-webhook", f"{url[:80]!r} is no address of a webhook: {example}")
    if parts.scheme == "http" and not is_loopback(host):
        why = f"{host} is another machine, and without TLS anyone on the way can change what is told: write https://"
        raise BadInput("bad-webhook", why)
    return url


def _subject(text: str) -> str:
    if len(text) > LONGEST_SUBJECT or not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", text):
        example = "write words of letters, digits, - and _ with dots between, as in floor.tables"
        raise BadInput("bad-subject", f"{text[:80]!r} is no NATS subject: {example}")
    return text
