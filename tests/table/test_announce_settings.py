"""[announce] in the venue file: what it comes to, and every mistake with its line; no secret is shown."""

from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.table.venue.announce import AnnounceSettings
from natural9.table.venue.venue import load_venue
from tests.table.test_venue import VENUE, written

LINE = len(VENUE.splitlines()) + 3  # of the first setting


def settings(folder: Path, lines: str) -> AnnounceSettings | None:
    return load_venue(written(folder, f"{VENUE}\n[announce]\n{lines}\n")).announce


def test_nobody_is_told_unless_the_venue_says_so(tmp_path: Path) -> None:
    assert load_venue(written(tmp_path, VENUE)).announce is None
    assert settings(tmp_path, "") is None
    assert settings(tmp_path, 'subject = "floor"') is None


def test_all_that_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "hook.secret").write_text("sixteen letters, or more\n")
    (tmp_path / "nats.creds").touch()
    said = settings(
        tmp_path,
        """\
webhook = "https://signage.example:8443/tables?hall=1"
secret_file = "hook.secret"
nats = "tls://nats.example:4222"
nats_credentials = "nats.creds"
subject = "casino.floor-1"
""",
    )
    assert said == AnnounceSettings(
        webhook="https://signage.example:8443/tables?hall=1",
        secret_file=tmp_path / "hook.secret",
        nats="tls://nats.example:4222",
        nats_credentials=tmp_path / "nats.creds",
        subject="casino.floor-1",
    )
    assert said is not None
    assert said.secret() == b"sixteen letters, or more"
    assert "sixteen" not in repr(said)
    assert "signage" not in repr(said), "some webhooks have a password in their path"


@pytest.mark.parametrize("webhook", ["http://127.0.0.1:80/x", "http://localhost/x", "http://[::1]:8080", "https://a.b"])
def test_without_tls_to_this_machine_alone(tmp_path: Path, webhook: str) -> None:
    said = settings(tmp_path, f'webhook = "{webhook}"')
    assert said
    assert (said.webhook, said.secret()) == (webhook, b"")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ('webhook = "http://signage.example/x"', "signage.example is another machine.*write https://"),
        ('webhook = "ftp://signage.example/x"', "is no address of a webhook: write one such as https://"),
        ('webhook = "https://"', "is no address of a webhook"),
        ('webhook = "https://a.b/x y"', "is no address of a webhook"),
        ('webhook = "https://a.b/x#y"', "is no address of a webhook"),
        ('webhook = "https://a.b:99999/"', "is no address of a webhook"),
        ('webhook = "https://[::1"', "is no address of a webhook"),
        ('webhook = "https://me:word@a.b/"', "leave user and password out"),
        ('secret_file = "hook.secret"', "secret_file is given without webhook"),
        ('secret_file = "none"\nwebhook = "https://a.b"', "there is no file .*none"),
        ('nats = "nats://nats.example:4222"', "nats.example is another machine.*write tls://nats.example$"),
        ('nats = "http://127.0.0.1"', "is no address of a NATS server"),
        ('nats = "tls://me:word@nats.example"', "leave user and password out.*nats_credentials"),
        ('nats_credentials = "nats.creds"', "nats_credentials is given without nats"),
        ('nats_credentials = "none"\nnats = "tls://a.b"', "there is no file .*none"),
        ('subject = "natural9.>"\nnats = "tls://a.b"', "is no NATS subject: write words"),
        ('subject = ""\nnats = "tls://a.b"', "is no NATS subject"),
        ('hook = "https://a.b"', "hook"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, lines: str, why: str) -> None:
    with pytest.raises(BadInput, match=rf"venue\.toml:{LINE}: .*{why}"):
        settings(tmp_path, lines)


@pytest.mark.parametrize(("secret", "why"), [(b"short", "is shorter than 16"), (b"\xff" * 20, "it is not text")])
def test_a_secret_that_is_none(tmp_path: Path, secret: bytes, why: str) -> None:
    (tmp_path / "hook.secret").write_bytes(secret)
    said = settings(tmp_path, 'webhook = "https://a.b"\nsecret_file = "hook.secret"')
    assert said
    with pytest.raises(BadInput, match=why):
        said.secret()
