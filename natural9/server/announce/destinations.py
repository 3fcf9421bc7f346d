"""Where announcements go. `send` returns once the message is taken, and raises where it is not."""

import hashlib
import hmac
import ssl
from typing import Final, Protocol

import httpx

from natural9.server.cluster.nats_connection import NatsConnection, NatsRefused
from natural9.table.venue.announce import AnnounceSettings
from natural9.table.venue.cluster import NatsIdentity

SIGNATURE: Final = "X-Natural9-Signature"
LONGEST_ANSWER: Final = 64 * 1024  # of a webhook; nobody reads it, but a line that is read to its end is used again


class NotTaken(Exception):
    """It answered, and not that it took the message."""


class Destination(Protocol):
    name: str  # in metrics and logs

    async def send(self, table: str, message: bytes) -> None: ...
    async def close(self) -> None: ...


class Webhook:
    name = "webhook"

    def __init__(self, url: str, secret: bytes) -> None:
        self._url, self._secret = url, secret
        # How long it all may take is said by whoever sends.
        self._http = httpx.AsyncClient(timeout=None, follow_redirects=False)

    async def send(self, table: str, message: bytes) -> None:
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        if self._secret:
            headers[SIGNATURE] = f"sha256={hmac.new(self._secret, message, hashlib.sha256).hexdigest()}"
        async with self._http.stream("POST", self._url, content=message, headers=headers) as answer:
            if not answer.is_success:
                raise NotTaken(f"it answers with HTTP status {answer.status_code}")
            length = 0
            async for part in answer.aiter_raw():
                length += len(part)
                if length > LONGEST_ANSWER:
                    break

    async def close(self) -> None:
        await self._http.aclose()


class NatsSubject:
    """A subject for each table. NATS keeps nothing: who listens later has missed it."""

    name = "nats"

    def __init__(self, settings: AnnounceSettings) -> None:
        self._address, self._subject = settings.nats, settings.subject
        self._login = NatsIdentity(credentials=settings.nats_credentials)
        self._nats: NatsConnection | None = None

    async def send(self, table: str, message: bytes) -> None:
        nats = await self._connected()
        try:
            nats.publish(f"{self._subject}.{table}", message)
            await nats.flush()
            if nats.refused:  # as where this user may not publish there
                raise NatsRefused(nats.refused)
        except BaseException:
            nats.abort()
            raise

    async def close(self) -> None:
        if self._nats:
            self._nats.abort()

    async def _connected(self) -> NatsConnection:
        if self._nats is None or self._nats.lost.is_set() or self._nats.refused:
            tls = ssl.create_default_context() if self._address.startswith("tls://") else None
            self._nats = await NatsConnection.open(
                self._address, name="natural9 announcements", login=self._login, tls=tls, heard=_heard, nobody=_nobody
            )
        return self._nats


def _heard(subject: str, reply: str, body: bytes) -> None:
    """We have subscribed to nothing."""


def _nobody(subject: str) -> None:
    """We have asked nothing."""


def destinations(settings: AnnounceSettings | None) -> list[Destination]:
    found: list[Destination] = []
    if settings and settings.webhook:
        found.append(Webhook(settings.webhook, settings.secret()))
    if settings and settings.nats:
        found.append(NatsSubject(settings))
    return found
