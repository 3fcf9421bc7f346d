"""The start page: signing in by hand, and in the demo by one click."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from natural9.games import game_ids, load_game
from tests.server.live_server import PEOPLE, Server, password
from tests.web.conftest import open_windows
from tests.web.windows import NOBODY, Windows, banner, spot


def test_signing_in_opens_the_doors_of_the_role(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    page = windows.stranger("/")
    page.get_by_label("Your id").fill(PEOPLE["cashier"])
    page.get_by_label("Password").fill(password("cashier"))
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_text("Cass Low")).to_be_visible()
    page.get_by_role("navigation", name="Screens").get_by_role("link", name="Cashier").click()
    expect(page.get_by_label("Voucher or terminal")).to_be_focused()


def test_a_wrong_password_is_refused_in_words(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    windows.expect_error(r"/api/sign-in: .*status of 40[13]")
    page = windows.stranger("/")
    page.get_by_label("Your id").fill(PEOPLE["cashier"])
    page.get_by_label("Password").fill("guessed")
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_label("Password")).to_have_value("")


@pytest.fixture
def demo(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    arguments = ["demo", "--port", "0", "--fast", "--bots", "2", "--json", "--folder", str(tmp_path / "demo")]
    command = [sys.executable, "-m", "natural9", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout
            server = Server(tmp_path)
            server.address = msgspec.json.decode(process.stdout.readline())["address"]
            yield from open_windows(browser, server)
        finally:
            process.kill()


def test_one_click_in_the_demo(demo: Windows) -> None:
    """A player's seat, with money; then, in the same browser, the dealer's console."""
    demo.expect_error(NOBODY)
    page = demo.stranger("/")
    choices = page.get_by_role("region", name="Take a look: one click each")
    for game in game_ids():
        shown = choices.get_by_role("button").filter(has=page.get_by_text(load_game(game).title, exact=True))
        expect(shown).to_have_count(1)
    choices.get_by_role("button").first.click()
    page.wait_for_url("**/terminal")
    expect(banner(page)).to_contain_text("Place your bets")
    expect(spot(page, "Banker")).to_be_visible()
    page.goto("/")
    choices.get_by_role("button", name="Pit manager").click()
    page.wait_for_url("**/pit")
    expect(page.get_by_role("list", name="Tables").get_by_role("listitem")).to_have_count(9)
