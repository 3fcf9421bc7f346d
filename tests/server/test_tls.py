"""With a certificate: HTTPS and wss, and cookies that never travel without it."""

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import tests.server.live_server as live
from natural9.server import protocol
from natural9.server.accepting import Acceptor
from natural9.server.client import Client
from natural9.table.commands import staff


def self_signed(folder: Path) -> None:
    """cert.pem and key.pem for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8
    plain = key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(plain)
    (folder / "key.pem").chmod(0o600)


async def test_over_tls(tmp_path: Path) -> None:
    folder = live.new_venue(
        tmp_path / "venue", live.table("a", "rws-nc"), server='tls_cert = "cert.pem"\ntls_key = "key.pem"\n'
    )
    self_signed(folder)
    trusting = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    with live.running(folder) as server:
        assert server.address.startswith("https://")
        async with (
            httpx.AsyncClient(base_url=server.address, verify=trusting) as browser,
            Client(server.address, ssl_context=trusting) as client,
        ):
            signing = {"id": live.PEOPLE["dealer"], "password": live.password("dealer")}
            answer = await browser.post("/api/sign-in", json=signing)
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-natural9-staff=")
            assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
            assert answer.headers["strict-transport-security"].startswith("max-age=")

            await client.sign_in(**signing)
            floor = await client.connect("/ws/table/a")
            welcome = await floor.wait_for(protocol.Welcome)
            assert welcome.console
            await client.order("a", staff.LockTerminal(seat=1), why="to see it come")
            await floor.wait_for(protocol.TableMessage, lambda told: "terminal-locked" in told.happened)
            floor.close()

            # A cookie under the name that plain HTTP uses is no session here.
            plain = f"natural9-staff={client.cookies.partition('=')[2]}"
        async with httpx.AsyncClient(base_url=server.address, verify=trusting) as stranger:
            assert (await stranger.get("/api/me", headers={"cookie": plain})).status_code == 401
        assert server.terminate() == 0


async def test_who_never_says_a_word_of_tls_is_hung_up_on_and_keeps_nobody_out(tmp_path: Path) -> None:
    self_signed(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        at = listening.getsockname()
        acceptor = Acceptor(listening, asyncio.Protocol, tls=tls, handshake_s=3, most_arriving=2)
        silent = [await asyncio.open_connection(*at) for _ in range(3)]
        assert await asyncio.wait_for(silent[0][0].read(), 30) == b"", "the oldest of too many goes at once"
        _, honest = await asyncio.wait_for(asyncio.open_connection(*at, ssl=trusting, server_hostname="127.0.0.1"), 30)
        for reader, _ in silent[1:]:
            assert await asyncio.wait_for(reader.read(), 30) == b"", "the others once their time is over"
        for _, writer in [*silent, ("", honest)]:
            writer.close()
        acceptor.close()
        await acceptor.wait_closed()
