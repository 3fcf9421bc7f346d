"""What of TLS is spoken, and that cookies know of it where a proxy ends it."""

import ssl
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.server.tls import tls_context
from natural9.table.venue.venue import load_venue
from tests.security.floor import VENUE, empty_floor
from tests.server.people.house import PASSWORD
from tests.server.test_tls import self_signed

PROXY = 'proxies = ["10.9.9.9"]\nallowed_origins = ["https://tables.example"]\n'


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> ssl.SSLObject:
    """Both ends in memory; raises where they do not agree."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks = client.wrap_bio(to_client, to_server, server_hostname="127.0.0.1")
    answers = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        for end in (asks, answers):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return asks


@pytest.fixture
def server(tmp_path: Path) -> ssl.SSLContext:
    self_signed(tmp_path)
    return tls_context(tmp_path / "cert.pem", tmp_path / "key.pem")


def test_nothing_weak_is_spoken(server: ssl.SSLContext) -> None:
    assert server.minimum_version == ssl.TLSVersion.TLSv1_2
    suites = server.get_ciphers()
    assert suites
    assert all(suite["aead"] for suite in suites)
    older = [suite["name"] for suite in suites if suite["protocol"] != "TLSv1.3"]
    assert all(name.startswith("ECDHE-") for name in older), "forward secret, all of them"
    assert server.options & ssl.OP_NO_COMPRESSION
    assert server.options & ssl.OP_NO_RENEGOTIATION


@pytest.mark.parametrize(("newest", "spoken"), [("TLSv1_3", "TLSv1.3"), ("TLSv1_2", "TLSv1.2")])
def test_a_browser_is_spoken_to(server: ssl.SSLContext, tmp_path: Path, newest: str, spoken: str) -> None:
    client = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    client.maximum_version = ssl.TLSVersion[newest]
    agreed = shake_hands(server, client)
    assert agreed.version() == spoken
    assert "GCM" in (agreed.cipher() or ("",))[0]


@pytest.mark.parametrize("suites", ["ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA", "AES128-GCM-SHA256"])
def test_an_old_suite_is_refused(server: ssl.SSLContext, tmp_path: Path, suites: str) -> None:
    client = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    client.set_ciphers(suites)
    with pytest.raises(ssl.SSLError):
        shake_hands(server, client)


def test_a_key_that_everybody_can_read_is_refused(tmp_path: Path) -> None:
    self_signed(tmp_path)
    (tmp_path / "key.pem").chmod(0o644)
    with pytest.raises(BadInput, match="can be read by everybody"):
        tls_context(tmp_path / "cert.pem", tmp_path / "key.pem")
    (tmp_path / "key.pem").chmod(0o640)  # a group of those who may is usual
    tls_context(tmp_path / "cert.pem", tmp_path / "key.pem")
    with pytest.raises(BadInput, match="no certificate and its key"):
        tls_context(tmp_path / "key.pem", tmp_path / "key.pem")


async def test_where_a_proxy_ends_tls_cookies_travel_over_https_alone(tmp_path: Path) -> None:
    written = VENUE.replace("[server]\n", f"[server]\ntls_at_proxy = true\n{PROXY}")
    async with empty_floor(tmp_path, written=written) as floor:
        claim = floor.house.accounts.first_code() or ""
        await floor.house.accounts.claim_administrator(claim, id="ada", name="Ada", password=PASSWORD, peer="")
        origin = {"origin": "https://tables.example", "host": "tables.example"}
        signing = {"id": "ada", "password": PASSWORD}
        answer = await floor.ask("nobody", "POST", "/api/sign-in", signing, headers=origin, peer="10.9.9.9")
        cookie = answer.header("set-cookie")
        assert cookie.startswith("__Host-natural9-staff=")
        assert "; Secure" in cookie
        assert answer.header("strict-transport-security").startswith("max-age=")


@pytest.mark.parametrize("lacks", ["proxies", "allowed_origins"])
def test_a_proxy_that_nobody_knows_ends_no_tls(tmp_path: Path, lacks: str) -> None:
    lines = [line for line in PROXY.splitlines(keepends=True) if not line.startswith(lacks)]
    file = tmp_path / "venue.toml"
    file.write_text(VENUE.replace("[server]\n", f"[server]\ntls_at_proxy = true\n{''.join(lines)}"))
    with pytest.raises(BadInput, match="where a proxy ends TLS"):
        load_venue(file)
