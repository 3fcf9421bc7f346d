"""The start page: signing in by hand, and in the demo by one click."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from natural9.games import game_ids, load_game
from tests.server.live_server import PEOPLE, Server, password, running, table, venue_file
from tests.web.conftest import open_windows
from tests.web.eyes import look_at
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
def new_house(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    (tmp_path / "venue.toml").write_text(venue_file(table("a", "rws-nc")))
    with running(tmp_path) as server:
        yield from open_windows(browser, server)


def test_a_venue_without_an_administrator_opens_on_that(new_house: Windows) -> None:
    """The code stands in the server's log; who enters it is in, and a stranger is then led to signing in."""
    new_house.expect_error(NOBODY)
    page = new_house.stranger("/", bypass_csp=True)
    first = page.get_by_role("region", name="This venue has no administrator yet")
    code = new_house.server.wait_for_line(r"([0-9A-Z]{5}(?:-[0-9A-Z]{5}){3})")[1]
    expect(page.get_by_text("No table is open now.")).to_be_visible()
    look_at(page)
    first.get_by_label("The code that the server printed").fill(code)
    first.get_by_label("Your id").fill("ada.wong")
    first.get_by_label("Your name").fill("Ada Wong")
    first.get_by_label("New password").fill("seven chips on the rail")
    first.get_by_role("button", name="Make my account").click()
    expect(page.get_by_text("Ada Wong")).to_be_visible()
    expect(first).to_have_count(0)
    expect(new_house.stranger("/").get_by_label("Your id")).to_be_visible()


def test_codes_of_several_people_and_devices_stay_until_each_is_taken(windows: Windows) -> None:
    page = windows.staff("administrator", "/admin/staff", bypass_csp=True)
    for id in ("new.one", "new.two", "new.three"):
        page.get_by_label("Id, such as mei.tan").fill(id)
        page.get_by_label("Name", exact=True).fill(id)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("region", name="One-time codes")).to_contain_text(id)
    codes = page.get_by_role("region", name="One-time codes").get_by_role("listitem")
    expect(codes).to_have_count(3)
    page.get_by_role("link", name="Devices").click()
    page.get_by_role("link", name="Staff").click()
    expect(codes).to_have_count(3)
    look_at(page)
    code = codes.filter(has_text="new.two").locator("code").inner_text()
    windows.expect_error(NOBODY)
    other = windows.stranger("/")
    other.get_by_role("button", name="Set a password").click()
    other.get_by_label("One-time code").fill(code)
    other.get_by_label("New password").fill("seven chips on the rail")
    other.get_by_label("The same again").fill("seven chips on the rail")
    other.get_by_role("button", name="Set it and sign in").click()
    expect(codes.filter(has_text="new.two")).to_have_count(0)
    codes.filter(has_text="new.one").get_by_role("button", name="Handed over").click()
    expect(codes).to_have_count(1)


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
    page.get_by_role("button", name="LOBBY", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(8)  # nine games, and one has boxes
    expect(page.get_by_role("dialog")).not_to_contain_text("Training table")
    page.goto("/")
    choices.get_by_role("button", name="Wall display").click()
    page.wait_for_url("**/display")
    expect(page.get_by_role("checkbox")).to_have_count(9)
    expect(page.get_by_role("main")).not_to_contain_text("Training table")
    page.goto("/")
    choices.get_by_role("button", name="Pit manager").click()
    page.wait_for_url("**/pit")
    tables = page.get_by_role("list", name="Tables").get_by_role("listitem")
    expect(tables).to_have_count(10)  # nine games, and the training table
