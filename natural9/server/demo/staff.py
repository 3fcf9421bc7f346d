"""A person of the demo's own at work: signs in over HTTP like anybody, and again when the session has run out."""

import secrets
import ssl
from typing import Any

from picows import WSInvalidStatusError

from natural9.server.client import Client, Live, ServerSaidNo

UNAUTHORISED = 401


class StaffClient(Client):
    """Holds a password that nobody else knows, for as long as the demo runs."""

    def __init__(self, address: str, id: str, *, ssl_context: ssl.SSLContext | None = None) -> None:
        super().__init__(address, ssl_context=ssl_context)
        self.id = id
        self._password = secrets.token_urlsafe(24)

    async def begin(self, code: str) -> None:
        """Set the password by the one-time code of the account, and sign in."""
        await super().post("/api/set-password", {"code": code, "password": self._password})
        await self.sign_in(self.id, self._password)

    async def post(self, path: str, body: object = None) -> Any:
        try:
            return await super().post(path, body)
        except ServerSaidNo as no:
            if no.status != UNAUTHORISED or path == "/api/sign-in":
                raise
        await self.sign_in(self.id, self._password)
        return await super().post(path, body)

    async def connect(self, path: str, *, after: str = "") -> Live:
        try:
            return await super().connect(path, after=after)
        except WSInvalidStatusError:
            await self.sign_in(self.id, self._password)
            return await super().connect(path, after=after)
