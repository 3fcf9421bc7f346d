"""A browser at the venue's HTTP interface: it keeps its cookies, and sends the CSRF token that it was told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from litestar import Litestar
from litestar.di import Provide

from natural9.server.people.answers import exception_handlers
from natural9.server.people.guards import Gate
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.routes import SignIns, people_router
from tests.server.people.house import PASSWORD, PEER, House


class Browser:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.csrf = ""

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def post(self, path: str, data: Any = None, **more: Any) -> httpx.Response:
        headers = {"x-csrf-token": self.csrf} if self.csrf else {}
        answer = await self.client.post(path, json=data, headers=headers, **more)
        if answer.is_success and answer.content and "csrf" in answer.json():
            self.csrf = answer.json()["csrf"]
        return answer

    async def sign_in(self, id: str, password: str = PASSWORD) -> httpx.Response:
        return await self.post("/api/sign-in", {"id": id, "password": password})


def application(venue: House, *, secure: bool = False, limiter: AttemptLimiter | None = None) -> Gate:
    sign_ins = SignIns(venue.accounts, secure=secure, limiter=limiter)
    app = Litestar(
        [people_router()],
        dependencies={"sign_ins": Provide(lambda: sign_ins, sync_to_thread=False)},
        exception_handlers=exception_handlers(),
        logging_config=None,
    )
    return Gate(app, venue.accounts, secure=secure)


@asynccontextmanager
async def browser(
    venue: House, *, secure: bool = False, limiter: AttemptLimiter | None = None
) -> AsyncIterator[Browser]:
    gate: Any = application(venue, secure=secure, limiter=limiter)  # httpx and Litestar spell ASGI in different types
    transport = httpx.ASGITransport(gate, client=(PEER, 5000))
    scheme = "https" if secure else "http"
    async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://127.0.0.1:8000") as client:
        yield Browser(client)
