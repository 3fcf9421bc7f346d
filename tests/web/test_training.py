"""Dealer training at the real console, by keys alone: something happens, a player asks, and the score is by rule."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect

from tests.server.live_server import Server
from tests.web.conftest import open_windows
from tests.web.console import next_step, settle, space
from tests.web.eyes import look_at
from tests.web.test_sizes import CONSOLE, look
from tests.web.windows import NOBODY, Windows

# Beside the console, above it, and where everything scrolls.
WINDOWS = ("360x640", "1024x768", "1280x800", "1366x650", "2560x1440 at 200%", "3840x2160")
SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
BESIDE = {**CONSOLE, "apart": ["aside", *CONSOLE["apart"]], "must": ["aside", *CONSOLE["must"]]}


@pytest.fixture
def school(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    arguments = ["rws-nc", "--rounds", "2", "--only", "excess-or-exposed", "--port", "0", "--json"]
    arguments += ["--limit", "3600"]  # that nobody is late on a slow machine
    command = [sys.executable, "-m", "natural9", "train", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout
            server = Server(tmp_path)
            server.address = msgspec.json.decode(process.stdout.readline())["address"]
            yield from open_windows(browser, server)
        finally:
            process.kill()


def says(page: Page) -> Locator:
    return page.get_by_role("region", name="What happens").get_by_role("paragraph").first


def key(page: Page, card: str) -> None:
    rank, suit = card[:-1], SUITS[card[-1]]
    page.keyboard.type(("t" if rank == "10" else rank.lower()) + suit)


def deal_on(page: Page, until: str) -> None:
    """Every card that comes into the hand, until the strip says this."""
    while True:
        expect(says(page)).to_contain_text(re.compile(f"You draw|it is the next card|{until}"))
        said = says(page).inner_text()
        if re.search(until, said):
            return
        if found := re.search(r"You draw (\S+)\.", said):
            expect(page.get_by_role("group", name="Card pad").get_by_role("button").first).to_be_enabled()
            key(page, found[1])
        else:
            space(page, next_step(page).inner_text())
        expect(says(page)).not_to_have_text(said)


def open_and_close(page: Page) -> None:
    space(page, "Open betting")
    expect(says(page)).to_contain_text("The players have bet")
    space(page, "Close bets")


def declare(page: Page) -> None:
    expect(next_step(page)).to_have_text(re.compile("^Declare"))
    space(page, next_step(page).inner_text())


def declare_and_settle(page: Page) -> None:
    declare(page)
    settle(page)


def test_a_dealer_trains_at_the_real_console(school: Windows) -> None:
    school.expect_error(NOBODY)
    page = school.stranger("/", viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.get_by_role("button", name="Train as a dealer").click()
    page.wait_for_url("**/console/training")
    strip = page.get_by_role("complementary", name="Training")
    expect(strip).to_contain_text("nothing here is real")

    # A card lies exposed: it is reported, and whoever is called signs for what is done about it.
    open_and_close(page)
    deal_on(page, "lies exposed")
    look_at(page)
    faults = look(page, BESIDE, "something has happened", only=WINDOWS)
    assert not faults, "\n".join(faults)
    exposed = re.search(r"exposed: (\S+)\.", says(page).inner_text())
    assert exposed
    page.keyboard.press("r")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^A card too many was drawn")).click()
    key(page, exposed[1])
    page.get_by_role("button", name="Report it").click()
    dialog = page.get_by_role("dialog", name="Irregularity")
    dialog.get_by_role("radio", name=re.compile("^Reconstruct")).check()
    dialog.get_by_role("button", name="Call: Pit Supervisor").click()
    expect(dialog.get_by_role("status").filter(has_text="is at the table and has signed")).to_be_visible()
    dialog.get_by_role("button", name="Reconstruct").click()
    expect(dialog).to_contain_text("Decided")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    handled = page.get_by_role("region", name="How the last one was handled")
    expect(handled).to_contain_text(re.compile(r"Right\b.*Rule 5\.4.*Reconstructed", re.DOTALL))
    deal_on(page, "announce the result")
    declare_and_settle(page)

    # The second is let pass, the question answered by its number, and the drill is over.
    open_and_close(page)
    deal_on(page, "lies exposed")
    page.get_by_role("button", name="Nothing to report: go on").click()
    expect(handled).to_contain_text("Missed")
    deal_on(page, "announce the result")
    declare(page)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/commands", lambda route: late.append((route, route.fetch())))  # done, and not heard of yet
    settle(page)
    expect(page.get_by_role("region", name="A player asks")).to_be_visible()
    page.keyboard.press("1")  # the answer, not an ace
    expect(page.get_by_role("region", name="A player asks")).to_have_count(0)
    for route, answer in late:
        route.fulfill(response=answer)
    page.unroute("**/commands")
    score = page.get_by_role("region", name="The drill is over: your score")
    expect(score).to_contain_text("Rule 5.4 1 of 2")
    look_at(page)
    score.get_by_role("button", name="Only what was not right").click()
    expect(strip).to_contain_text("0 of 1")
    expect(next_step(page)).to_have_text("Open betting")
