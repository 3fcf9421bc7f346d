"""One connection to a NATS server: the few words of its protocol that a node needs (docs.nats.io, "Client Protocol").

What is published is written at once, and what arrives is handed on at once: a bet on its way to another node waits for
no other task of this process. A connection that is lost stays lost.
"""

import asyncio
import base64
import re
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

import msgspec
import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from natural9.server.program import version
from natural9.table.venue.cluster import NatsIdentity

PORT: Final = 4222
LONGEST_LINE: Final = 64 * 1024  # of the protocol itself; messages have their length before them
LARGEST_BODY: Final = 64 * 1024 * 1024  # that any NATS server takes
NOT_NATS: Final = "it does not speak NATS"
NO_RESPONDERS: Final = b"NATS/1.0 503"
CONNECT: Final = {
    "lang": "python",
    "protocol": 1,
    "verbose": False,
    "pedantic": False,
    "echo": False,  # nobody hears oneself
    "headers": True,
    "no_responders": True,
}
SEED_PREFIX_BYTES, SEED_CHECK_BYTES = 2, 2
SECTION: Final = re.compile(r"-+BEGIN ([A-Z ]+)-+\s+(\S+)\s+-+END")

log = structlog.get_logger()


class NatsRefused(Exception):
    """It answered, and not as it should: in its own words."""


def shown(login: NatsIdentity, nonce: str) -> dict[str, str]:
    """What CONNECT says of it. OSError or ValueError if the file cannot be used."""
    if login.credentials:
        sections = dict(SECTION.findall(login.credentials.read_text(encoding="ascii")))
        jwt, seed = sections.get("NATS USER JWT"), sections.get("USER NKEY SEED")
        if not jwt or not seed:
            raise ValueError(f"{login.credentials} holds no NATS user and seed")
        return {"jwt": jwt, "sig": signature(seed, nonce)}
    named = {"user": login.user, "pass": login.password, "auth_token": login.token}
    return {name: value for name, value in named.items() if value}


def signature(seed: str, nonce: str) -> str:
    """By an nkey: base32 of two bytes that say what it is, an Ed25519 seed, and two that check it."""
    raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    key = Ed25519PrivateKey.from_private_bytes(raw[SEED_PREFIX_BYTES:-SEED_CHECK_BYTES])
    return base64.urlsafe_b64encode(key.sign(nonce.encode())).rstrip(b"=").decode()


class NatsInfo(Struct):
    """What a server says of itself first."""

    max_payload: int
    nonce: str = ""
    tls_required: bool = False


class NatsConnection(asyncio.Protocol):
    """`heard` gets subject, subject of the answer, and body; `nobody` the subject of an answer that will not come,
    because nobody listens."""

    def __init__(self, heard: Callable[[str, str, bytes], None], nobody: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        self._heard, self._nobody = heard, nobody
        self._transport: asyncio.Transport
        self._rest = b""
        self._pongs: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._subscriptions = 0
        self._why = ""  # in the server's words
        self.info: asyncio.Future[NatsInfo] = loop.create_future()
        self.lost = asyncio.Event()
        self.max_payload = 0

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        name: str,
        login: NatsIdentity,
        tls: ssl.SSLContext | None,
        heard: Callable[[str, str, bytes], None],
        nobody: Callable[[str], None],
    ) -> "NatsConnection":
        """NatsRefused, OSError or ValueError says why not."""
        host, port, login = _parts(address, login)
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(lambda: cls(heard, nobody), host, port)
        try:
            info = await connection.info
            connection.max_payload = info.max_payload
            if tls or info.tls_required:
                context = tls or ssl.create_default_context()
                plain = connection._transport
                secure = await loop.start_tls(plain, connection, context, server_hostname=host)
                if secure is None:
                    raise NatsRefused("it hung up")
                connection._transport = secure
            await connection._introduce(name, shown(login, info.nonce), secure=bool(tls or info.tls_required))
        except BaseException:
            connection.abort()
            raise
        return connection

    async def _introduce(self, name: str, login: dict[str, str], *, secure: bool) -> None:
        words = {"name": name, "version": version(), "tls_required": secure, **CONNECT, **login}
        self._transport.write(b"CONNECT %s\r\n" % msgspec.json.encode(words))
        await self.flush()

    def subscribe(self, subject: str) -> None:
        self._subscriptions += 1
        self._transport.write(b"SUB %s %d\r\n" % (subject.encode(), self._subscriptions))

    def unsubscribe_all(self) -> None:
        for number in range(1, self._subscriptions + 1):
            self._transport.write(b"UNSUB %d\r\n" % number)

    def publish(self, subject: str, body: bytes, reply: str = "") -> None:
        words = f"{subject} {reply}" if reply else subject
        self._transport.write(b"PUB %s %d\r\n%s\r\n" % (words.encode(), len(body), body))

    async def flush(self) -> None:
        """Once the server has read all of it."""
        pong = self._ping()
        await pong

    def beat(self, patience_s: float) -> None:
        """Called now and then: a server that does not answer is as good as gone."""
        if self._pongs and asyncio.get_running_loop().time() - self._pongs[0][0] > patience_s:
            self.abort()
        elif not self._pongs:
            self._ping()

    @property
    def refused(self) -> str:
        """Why the server did not do something, in its own words; "" where it did all."""
        return self._why

    @property
    def unsent_bytes(self) -> int:
        return self._transport.get_write_buffer_size()

    def abort(self) -> None:
        self._transport.abort()

    def _ping(self) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        pong: asyncio.Future[None] = loop.create_future()
        pong.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be waiting for it
        self._pongs.append((loop.time(), pong))
        self._transport.write(b"PING\r\n")
        return pong

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        why = NatsRefused(self._why or "it hung up")
        waiting: list[asyncio.Future[Any]] = [self.info, *[pong for _, pong in self._pongs]]
        for one in waiting:
            if not one.done():
                one.set_exception(why)
        if not self.info.cancelled():  # as it is where whoever waited for it has gone
            self.info.exception()
        self.lost.set()

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        at = 0
        while not self._transport.is_closing() and (end := data.find(b"\r\n", at)) >= 0:
            line = data[at:end]
            if line.startswith((b"MSG ", b"HMSG ")):  # as nearly all do
                words = line.split()
                if not _is_message(words):
                    self._hang_up()
                    return
                after = end + 2 + int(words[-1])
                if len(data) < after + 2:
                    break
                self._message(words, data[end + 2 : after])
                at = after + 2
            else:
                self._control(line)
                at = end + 2
        else:
            if len(data) - at > LONGEST_LINE:
                self._hang_up()
        self._rest = data[at:]

    def _hang_up(self) -> None:
        self._why = NOT_NATS
        self.abort()

    def _message(self, words: list[bytes], body: bytes) -> None:
        """MSG subject sid [reply] bytes; HMSG subject sid [reply] header-bytes bytes."""
        has_headers = words[0] == b"HMSG"
        subject = words[1].decode()
        if has_headers and body.startswith(NO_RESPONDERS):
            self._nobody(subject)
            return
        reply = words[3].decode() if len(words) > 4 + has_headers else ""
        self._heard(subject, reply, body[int(words[-2]) :] if has_headers else body)

    def _control(self, line: bytes) -> None:
        word = line.partition(b" ")[0].upper()
        if word == b"PING":
            self._transport.write(b"PONG\r\n")
        elif word == b"PONG":
            if self._pongs and not (pong := self._pongs.popleft()[1]).done():
                pong.set_result(None)
        elif word == b"-ERR":
            self._why = line[5:].decode(errors="replace").strip("' ")
            log.warning("NATS refuses", why=self._why)
        elif word == b"INFO":
            self._introduced(line[5:])
        elif word != b"+OK":
            self._hang_up()

    def _introduced(self, told: bytes) -> None:
        try:
            info = msgspec.json.decode(told, type=NatsInfo)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._hang_up()
            return
        if not self.info.done():
            self.info.set_result(info)


def _is_message(words: list[bytes]) -> bool:
    """Whether this is the first line of one, and says how long it is."""
    has_headers = words[0] == b"HMSG"
    numbers = words[-2:] if has_headers else words[-1:]
    if len(words) - has_headers not in (4, 5) or not all(one.isdigit() and len(one) < 10 for one in numbers):
        return False
    return words[1].isascii() and words[3].isascii() and int(numbers[0]) <= int(numbers[-1]) <= LARGEST_BODY


def _parts(address: str, login: NatsIdentity) -> tuple[str, int, NatsIdentity]:
    """Host, port, and who one is there; an address may say it, too."""
    parts = urlsplit(address if "://" in address else f"nats://{address}")
    if not parts.hostname:
        raise ValueError("an address of NATS is nats://HOST:PORT or tls://HOST:PORT")
    if parts.username:
        user, password = unquote(parts.username), unquote(parts.password or "")
        login = NatsIdentity(user=user, password=password) if parts.password else NatsIdentity(token=user)
    return parts.hostname, parts.port or PORT, login
