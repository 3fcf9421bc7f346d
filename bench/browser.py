"""A real Chromium before a real `natural9 demo`: for what is measured of the screens, and for their pictures."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STOPS_WITHIN_S = 60  # the rounds in play come to their end first
WIDE = (1600, 1000)
MAY_BET = ".spot[aria-disabled='false']"
MAY_NOT_BET = ".spot[aria-disabled='true']"


@contextmanager
def demo(*options: str) -> Iterator[str]:
    """Its address, once its links work."""
    command = (sys.executable, "-m", "natural9", "demo", "--port", "0", "--json", *options)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield _address(process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=STOPS_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _address(process: "subprocess.Popen[str]") -> str:
    """Printed as JSON, over as many lines as it takes."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        try:
            return str(json.loads(said)["address"])
        except ValueError:
            continue
    sys.exit(f"the demo did not start: {said}")


@contextmanager
def chromium(*options: str) -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        sys.exit("no Chromium found (on Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *options])
        try:
            yield browser
        finally:
            browser.close()


def enter(
    browser: Browser,
    address: str,
    role: str,
    *,
    table: str = "",
    size: tuple[int, int] = WIDE,
    language: str = "en",
) -> BrowserContext:
    """A browser of its own that has become this role of the demo; without a role, nobody."""
    width, height = size
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        locale={"en": "en-SG", "zh": "zh-CN"}[language],
    )
    if role:
        answer = context.request.post("/api/demo/enter", data={"role": role, "table": table})
        if not answer.ok:
            sys.exit(f"the demo lets nobody in as {role!r}: {answer.text()}")
    return context


def open_page(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    page.wait_for_selector("main")
    return page


def wait_for_betting(page: Page, *, timeout_s: float = 90) -> None:
    """The beginning of a betting window, not what is left of one."""
    page.wait_for_selector(MAY_NOT_BET, timeout=timeout_s * 1000)
    page.wait_for_selector(MAY_BET, timeout=timeout_s * 1000)


def lay(page: Page, wager: str) -> None:
    """A tap on a spot, found by its title as it stands on the felt."""
    page.locator(".spot .latin").get_by_text(wager, exact=True).click()


def cdp(page: Page, method: str, **given: Any) -> Any:
    """One question to the browser itself."""
    session = page.context.new_cdp_session(page)
    try:
        return session.send(method, given)
    finally:
        session.detach()
