"""One browser's worth of HTTP: cookies, the CSRF token, and how an answer is to be understood."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from tests.outside.books import Answer, Message, Verdict

WAIT_S = 90  # a password is hashed on purpose slowly, and a machine may have much else to do
SENT = "http11.send_request_body.complete"


class SessionLost(AssertionError):
    """Somebody who is signed in is told that nobody is."""


class Person:
    patience_s: float = WAIT_S  # for an answer

    def __init__(self, id: str, address: str) -> None:
        self.id = id
        self._csrf = ""
        self._cookies = httpx.Cookies()
        self._http = self._client(address)

    def _client(self, address: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=address, cookies=self._cookies, timeout=self.patience_s, verify=False, trust_env=False
        )

    async def arrive(self, address: str) -> None:
        """At the server's new address, with the cookies from before."""
        before, self._cookies = self._http, self._http.cookies
        self._http = self._client(address)
        await before.aclose()

    async def leave(self) -> None:
        await self._http.aclose()

    @property
    def cookie_header(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)

    async def post(self, path: str, body: Message, sent: Callable[[], None] = lambda: None) -> httpx.Response:
        """`sent` is called when the last byte is on its way."""

        async def trace(event: str, _: Message) -> None:
            if event == SENT:
                sent()

        headers = {"x-csrf-token": self._csrf}
        response = await self._http.post(path, json=body, headers=headers, extensions={"trace": trace})
        if response.is_success and "csrf" in (said := response.json()):
            self._csrf = said["csrf"]
        return response

    async def must(self, path: str, body: Message) -> Any:
        """For setting up: it succeeds, if need be after a pause."""
        while (response := await self.post(path, body)).status_code == 429:
            await asyncio.sleep(wait_s(response))
        assert response.is_success, f"{self.id} {path}: {response.status_code} {response.text}"
        return response.json()

    async def get(self, path: str) -> Any:
        while (response := await self._http.get(path)).status_code == 429:
            await asyncio.sleep(wait_s(response))
        assert response.is_success, f"{self.id} {path}: {response.status_code} {response.text}"
        return response.json()


def wait_s(response: httpx.Response) -> float:
    return float(response.headers.get("retry-after", 1))


def understood(response: httpx.Response) -> Answer:
    """5xx says nothing about what was done; 4xx is a refusal, unless it says that the same may be asked again."""
    if response.is_success:
        return Answer(Verdict.DONE)
    if response.status_code == 401:
        raise SessionLost(response.text)
    if response.status_code >= 500:
        return Answer(Verdict.UNKNOWN)
    said = response.json()
    if response.status_code == 429 or said.get("again"):
        return Answer(Verdict.AGAIN, said["code"])
    return Answer(Verdict.REFUSED, said["code"])
