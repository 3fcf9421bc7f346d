"""Browser windows on a real server: each is somebody, and nothing strange may happen in any of them."""

import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from natural9.core.round.commands import Command
from tests.server.live_server import Server, Visit, session_of, visit

T = TypeVar("T")

# A busy machine is slow, and slowness is no fault: only what never comes is.
WAIT_MS = 30_000
expect.set_options(timeout=WAIT_MS)

WIDE = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
LARGE = {"width": 2560, "height": 1440}
GIVEN_UP = r"WebSocket is closed before the connection is established"  # after a silence: another is tried
NOBODY = r"/api/me: .*status of 401"  # how a browser that is nobody yet hears so


def aside(work: Callable[[], T]) -> T:
    """Work with an event loop of its own, which the browser's thread cannot have."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(work).result()


class Windows:
    """The windows of one test, each with cookies of its own. What goes wrong in one of them is kept."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        self.wrong: list[str] = []
        self._browser = browser
        self._expected = [GIVEN_UP]

    def tell(self, story: Callable[[Visit], Coroutine[Any, Any, T]]) -> T:
        """What people without a window do meanwhile."""
        return aside(lambda: visit(self.server, story))

    def do(self, role: str, table: str, shape: type[Command], **fields: Any) -> Any:
        return self.tell(lambda one: one.do(role, table, shape, **fields))

    def get(self, role: str, path: str) -> Any:
        async def story(one: Visit) -> Any:
            return await (await one.person(role)).get(path)

        return self.tell(story)

    # Windows.

    def stranger(self, path: str, *, cookies: str = "", **look: Any) -> Page:
        still = {"viewport": WIDE, "reduced_motion": "reduce", "base_url": self.server.address}
        context = self._browser.new_context(**{**still, **look})
        context.set_default_timeout(WAIT_MS)
        for cookie in filter(None, cookies.split("; ")):
            name, _, value = cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": self.server.address}])
        page = context.new_page()
        self._watch(page)
        page.goto(path)
        return page

    def staff(self, role: str, path: str, **look: Any) -> Page:
        return self.stranger(path, cookies=session_of(role), **look)

    def terminal(self, table: str, seat: int, cents: int = 0, **look: Any) -> Page:
        async def story(one: Visit) -> str:
            client = await one.enrolled(table, seat)
            if cents:
                await one.credit(table, seat, cents)
            return client.cookies

        return self.stranger("/terminal", cookies=self.tell(story), **look)

    def display(self, table: str, **look: Any) -> Page:
        async def story(one: Visit) -> str:
            admin = await one.person("administrator")
            [issued] = await admin.post("/api/devices/", {"kind": "display", "table": table})
            client = await one.stranger()
            await client.enrol(issued["code"])
            return client.cookies

        return self.stranger(f"/display/{table}", cookies=self.tell(story), **look)

    # What must not happen.

    def expect_error(self, pattern: str) -> None:
        """From now on the browser may write such a line: a refusal, or a server that is away."""
        self._expected.append(pattern)

    def _watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._note(f"uncaught: {error}"))
        page.on("request", self._see)
        page.on("websocket", lambda socket: self._own("websocket", socket.url))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.location['url']}: {message.text}")

    def _note(self, line: str) -> None:
        if not any(re.search(pattern, line) for pattern in self._expected):
            self.wrong.append(line)

    def _see(self, request: Request) -> None:
        self._own(request.resource_type, request.url)

    def _own(self, what: str, url: str) -> None:
        own = (self.server.address, self.server.address.replace("http", "ws", 1), "data:", "blob:")
        if not url.startswith(own):
            self.wrong.append(f"a {what} leaves the machine: {url}")

    def close(self) -> None:
        for context in self._browser.contexts:
            context.close()


# Words of the terminal that several tests look for.


def money(cents: int) -> str:
    """As the screens write it."""
    return f"{'−' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def meter(page: Page, name: str) -> Locator:
    """BET, CREDIT or WIN: the number under it."""
    return page.locator("dl > div", has=page.get_by_text(name, exact=True)).locator("dd").first


def spot(page: Page, title: str) -> Locator:
    board = page.get_by_role("region", name="Bet layout")
    return board.get_by_role("button").filter(has=page.get_by_text(title, exact=True))


def banner(page: Page) -> Locator:
    """The one line that says what the table is doing."""
    return page.get_by_role("banner").get_by_role("status")
