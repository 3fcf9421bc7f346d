"""The server is killed in the middle of a round, with the page left open: away for long, or back at once."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from natural9.table.commands import staff
from tests.server.live_server import Server, automatic, new_venue, running
from tests.web.conftest import open_windows
from tests.web.console import next_step
from tests.web.windows import Windows, aside, banner, meter, spot

# What a browser says of a server that is killed: before an answer, in the middle of one (a font, say), and while away.
AWAY = (
    r"ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH"
    r"|ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection to"
)


@pytest.fixture
def venue(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    aside(lambda: new_venue(tmp_path, automatic("t", "mbs-tiger", betting=300, result=300)))
    with running(tmp_path) as server:
        keep_its_port(server)
        yield from open_windows(browser, server)


def keep_its_port(server: Server) -> None:
    """A page that is left open looks for the server where it was."""
    file = server.folder / "venue.toml"
    file.write_text(file.read_text().replace("port = 0", f"port = {server.address.rpartition(':')[2]}"))


def call_short(server: Server, seconds: int) -> None:
    """From the next start on, an interruption that is over within so many seconds is a short one."""
    file = server.folder / "venue.toml"
    file.write_text(file.read_text().replace("[venue]\n", f"[venue]\nshort_interruption = {seconds}\n"))


def test_killed_in_the_middle_of_a_round(venue: Windows) -> None:
    server = venue.server
    call_short(server, 0)
    venue.do("pit-manager", "t", staff.OpenTable)
    page = venue.terminal("t", 1, 100_000)
    console, wall = venue.staff("dealer", "/console/t"), venue.display("t")
    expect(next_step(console)).to_have_text("Betting is open")
    expect(wall.get_by_role("status")).to_contain_text("Place your bets")
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("radio", name="25.00", exact=True).click()
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("25.00registered")
    expect(meter(page, "CREDIT")).to_have_text("975.00")

    os.kill(server.pid, signal.SIGSTOP)  # from here it hears nothing: this bet is sent and not answered
    spot(page, "Tie").click()
    expect(spot(page, "Tie")).to_contain_text("25.00 not yet registered")
    venue.expect_error(AWAY)
    server.kill()
    band = page.get_by_role("alert").filter(has_text="Connection lost")
    expect(band).to_contain_text("Bets that are registered are safe.")
    expect(spot(page, "Banker")).to_contain_text("safe")
    expect(console.get_by_role("alert")).to_contain_text("No connection to the table.")
    expect(wall.get_by_role("alert")).to_contain_text("Connection lost")
    expect(page.get_by_role("banner")).not_to_contain_text("Place your bets")
    spot(page, "Banker").click(force=True)  # nothing is bet into the dark
    expect(page.get_by_text("No connection: nothing was bet.")).to_be_visible()
    expect(spot(page, "Banker")).to_contain_text("25.00registered")

    server.start()
    expect(band).to_have_count(0)
    expect(banner(page)).to_contain_text("This round is void")
    expect(banner(page)).to_contain_text("Rule 5.9.1")
    expect(banner(page)).to_contain_text("25.00 came back to your credit")
    expect(meter(page, "CREDIT")).to_have_text("1,000.00")
    expect(page.get_by_text("not yet registered")).to_have_count(0)
    expect(console.get_by_text("Round 1 is void")).to_be_visible()
    expect(wall.get_by_role("status")).to_contain_text("This round is void")
    for other in (console, wall):
        expect(other.get_by_role("alert")).to_have_count(0)
    [seat] = venue.get("auditor", "/api/rounds/t/1")["seats"]
    assert (seat["bets"], seat["void_returned_cents"], seat["credit_after_cents"]) == (
        {"banker": 2_500},
        2_500,
        100_000,
    )

    venue.do("dealer", "t", staff.StartRound)  # and the page plays on
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Tie").click()
    expect(spot(page, "Tie")).to_contain_text("25.00registered")
    expect(meter(page, "CREDIT")).to_have_text("975.00")


def test_back_at_once_the_round_goes_on_where_it_stood(venue: Windows) -> None:
    server = venue.server
    call_short(server, 300)  # however slow the machine is
    venue.do("pit-manager", "t", staff.OpenTable)
    page = venue.terminal("t", 1, 100_000)
    console, wall = venue.staff("dealer", "/console/t"), venue.display("t")
    expect(next_step(console)).to_have_text("Betting is open")
    expect(wall.get_by_role("status")).to_contain_text("Place your bets")
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("radio", name="25.00", exact=True).click()
    spot(page, "Banker").click()
    expect(spot(page, "Banker")).to_contain_text("25.00registered")
    venue.expect_error(AWAY)
    server.kill()
    expect(page.get_by_role("alert").filter(has_text="Connection lost")).to_be_visible()
    server.start()

    for told in (banner(page), wall.get_by_role("status"), console.locator("section", has=next_step(console))):
        expect(told).to_contain_text("goes on where it stood")
    expect(banner(page)).to_contain_text("Place your bets")
    expect(spot(page, "Banker")).to_contain_text("25.00registered")
    expect(meter(page, "CREDIT")).to_have_text("975.00")
    spot(page, "Tie").click()  # and bets are taken
    expect(spot(page, "Tie")).to_contain_text("25.00registered")
    expect(meter(page, "CREDIT")).to_have_text("950.00")
