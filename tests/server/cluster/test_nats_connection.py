"""The words of NATS, with a real nats-server: who comes, by TLS or not, and what becomes of a dead line."""

import asyncio
import base64
import json
import secrets
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from natural9.server.cluster.nats_connection import NatsConnection, NatsRefused
from natural9.table.venue.cluster import NatsIdentity
from tests.server.cluster.nats_server import NatsServer
from tests.server.test_tls import self_signed

pytestmark = pytest.mark.asyncio(loop_factories=["asyncio", "uvloop"])


async def connect(address: str, *, heard: Any = None, nobody: Any = None, **settings: Any) -> NatsConnection:
    settings = {"login": NatsIdentity(), "tls": None} | settings
    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    async with asyncio.timeout(30):
        return await NatsConnection.open(
            address, name="test", heard=heard or nothing, nobody=nobody or nothing, **settings
        )


async def speaks(connection: NatsConnection) -> bool:
    """It is let in, and what it publishes is read."""
    connection.publish("somebody", b"")
    await connection.flush()
    return not connection.lost.is_set()


async def test_a_message_arrives_whatever_its_size_and_bytes() -> None:
    server = NatsServer()
    try:
        arrived: asyncio.Queue[tuple[str, str, bytes]] = asyncio.Queue()
        one = await connect(server.address, heard=lambda *message: arrived.put_nowait(message))
        two = await connect(server.address)
        one.subscribe("a.>")
        await one.flush()
        bodies = [b"", b"\r\n", b"MSG a.b 1 3\r\nxyz\r\n", secrets.token_bytes(two.max_payload)]
        for body in bodies:
            two.publish("a.b", body)
        two.publish("a.c", b"answer me", "inbox.7")
        assert [(await arrived.get())[2] for _ in bodies] == bodies
        assert await arrived.get() == ("a.c", "inbox.7", b"answer me")
    finally:
        server.end()


async def test_who_asks_where_nobody_listens_is_told_so() -> None:
    server = NatsServer()
    try:
        nobody: asyncio.Queue[str] = asyncio.Queue()
        one = await connect(server.address, nobody=nobody.put_nowait)
        one.subscribe("inbox.>")
        one.publish("nobody.there", b"", "inbox.9")
        assert await nobody.get() == "inbox.9"
    finally:
        server.end()


@pytest.mark.parametrize(
    ("options", "login"),
    [
        (("--user", "house", "--pass", "s3cret"), NatsIdentity(user="house", password="s3cret")),
        (("--auth", "t0ken"), NatsIdentity(token="t0ken")),
    ],
)
async def test_a_name_or_a_token_lets_one_in_and_nothing_else(options: tuple[str, ...], login: NatsIdentity) -> None:
    server = NatsServer(*options)
    try:
        assert await speaks(await connect(server.address, login=login))
        with pytest.raises(NatsRefused, match="Authorization Violation"):
            await connect(server.address)
        said = f"{login.user}:{login.password}" if login.user else login.token
        assert await speaks(await connect(server.address.replace("://", f"://{said}@")))
        assert "s3cret" not in repr(login)
    finally:
        server.end()


class Nkey:
    """As NATS writes them: base32 of what it is, 32 bytes, and a CRC-16 over both."""

    def __init__(self, prefix: int) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.public = self._written(bytes([prefix]) + self.key.public_key().public_bytes_raw())
        seed = bytes([(18 << 3) | (prefix >> 5), (prefix & 31) << 3])
        self.seed = self._written(seed + self.key.private_bytes_raw())

    @staticmethod
    def _written(raw: bytes) -> str:
        crc = 0
        for byte in raw:
            crc ^= byte << 8
            for _ in range(8):
                crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        return base64.b32encode(raw + crc.to_bytes(2, "little")).decode().rstrip("=")

    def jwt(self, subject: str, kind: str) -> str:
        header = {"typ": "JWT", "alg": "ed25519-nkey"}
        claims = {
            "jti": secrets.token_hex(8),
            "iat": int(time.time()),
            "iss": self.public,
            "sub": subject,
            "name": kind,
        }
        claims |= {"nats": {"type": kind, "version": 2, **LIMITS.get(kind, {})}}
        signed = ".".join(_base64(json.dumps(part).encode()) for part in (header, claims))
        return f"{signed}.{_base64(self.key.sign(signed.encode()))}"


LIMITS: dict[str, dict[str, Any]] = {
    "account": {
        "limits": {"subs": -1, "data": -1, "payload": -1, "conn": -1, "leaf": -1, "imports": -1, "exports": -1}
    },
    "user": {"subs": -1, "data": -1, "payload": -1},
}


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_a_credentials_file_of_nats_lets_one_in(tmp_path: Path) -> None:
    operator, account, user = Nkey(14 << 3), Nkey(0), Nkey(20 << 3)
    config = tmp_path / "config"
    resolved = f'{account.public}: "{operator.jwt(account.public, "account")}"'
    of_operator = operator.jwt(operator.public, "operator")
    config.write_text(f'operator: "{of_operator}"\nresolver: MEMORY\nresolver_preload: {{ {resolved} }}\n')
    creds = tmp_path / "node.creds"
    jwt = account.jwt(user.public, "user")
    creds.write_text(
        f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n"
    )
    server = NatsServer("-c", str(config))
    try:
        assert await speaks(await connect(server.address, login=NatsIdentity(credentials=creds)))
        creds.write_text(creds.read_text().replace(user.seed, Nkey(20 << 3).seed))
        with pytest.raises(NatsRefused, match="Authorization Violation"):
            await connect(server.address, login=NatsIdentity(credentials=creds))
        creds.write_text("nothing")
        with pytest.raises(ValueError, match="holds no NATS user and seed"):
            await connect(server.address, login=NatsIdentity(credentials=creds))
    finally:
        server.end()


async def test_by_tls_with_a_certificate_that_is_vouched_for(tmp_path: Path) -> None:
    self_signed(tmp_path)
    server = NatsServer("--tls", "--tlscert", str(tmp_path / "cert.pem"), "--tlskey", str(tmp_path / "key.pem"))
    try:
        assert await speaks(await connect(server.address, tls=ssl.create_default_context(cafile=tmp_path / "cert.pem")))
        with pytest.raises(OSError, match="certificate verify failed"):  # it wants TLS, and nobody vouches for it
            await connect(server.address)
    finally:
        server.end()


@asynccontextmanager
async def stranger(*lines: bytes) -> AsyncIterator[str]:
    """A server that says the first line, each other when it is pinged, and nothing more."""

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            for line in lines:
                writer.write(line)
                await reader.readuntil(b"PING\r\n")
            await reader.read()
        writer.close()

    server = await asyncio.start_server(met, "127.0.0.1", 0)
    try:
        yield f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def test_a_server_that_does_not_speak_nats_is_left() -> None:
    for words in (b"HTTP/1.1 200 OK\r\n", b"x" * 100_000):
        async with stranger(words) as address:
            with pytest.raises(NatsRefused, match="does not speak NATS"):
                await connect(address)


async def test_a_server_that_answers_no_more_is_left() -> None:
    async with stranger(b'INFO {"max_payload":1000}\r\n', b"PONG\r\n") as address:
        connection = await connect(address)
        connection.beat(0.0)  # asks
        await asyncio.sleep(0.01)
        connection.beat(600.0)
        assert not connection.lost.is_set()
        connection.beat(0.0)
        await connection.lost.wait()
