"""The auditor finds a bet again and prints its round; the pit follows what is left in a shoe."""

import re

from playwright.sync_api import expect

from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import Visit
from tests.web.eyes import look_at
from tests.web.windows import Windows

SEARCHED, FOLLOWED = "searched", "followed"


def test_a_bet_is_found_by_its_amount_and_leads_to_its_film_its_entry_and_paper(windows: Windows) -> None:
    windows.tell(_a_bet_and_a_voucher)
    page = windows.staff("auditor", "/audit/search", bypass_csp=True)
    expect(page.get_by_text("Fill in any of the fields")).to_be_visible()
    windows.expect_error("400")
    page.get_by_label("Amount, at least").fill("much")
    page.get_by_label("Amount, at least").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'much' is not an amount of money")

    page.get_by_label("Amount, at least").fill("31.00")
    page.get_by_label("Amount, at most").fill("31.00")
    page.locator("form select").first.select_option(SEARCHED)
    page.get_by_role("button", name="Search").click()
    rows = page.get_by_role("region", name="What was found").locator("tbody tr")
    bet = rows.filter(has_text="Seat 3 bets 31.00 on Banker")
    expect(bet).to_contain_text("闲 PLAYER")
    expect(page.get_by_role("status")).to_contain_text(re.compile(r"^\s*\d+ found\."))
    look_at(page)

    bet.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=re.compile(r"^Entry \d+$"))).to_be_visible()
    expect(page.get_by_role("cell", name="31.00")).to_be_visible()
    look_at(page)
    page.get_by_role("link", name="#1", exact=True).click()
    film = page.get_by_role("region", name="The round, step by step")
    expect(film).to_contain_text("Seat 3 bets 31.00 on Banker")  # it stands at that very entry
    for name in ("Dispute pack PDF", "PDF Dispute pack of seat 3"):
        with page.expect_download() as paper:
            page.get_by_role("link", name=name).click()
        assert paper.value.path().read_bytes().startswith(b"%PDF-")

    page.goto("/audit/search?voucher=searched-3-1")
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("link", name="searched-3-1")).to_be_visible()
    page.goto("/audit/search?person=nobody")
    expect(page.get_by_role("status")).to_have_text("Nothing found.")


async def _a_bet_and_a_voucher(one: Visit) -> None:
    await one.begin_round(SEARCHED)
    terminal = await one.sit(SEARCHED, 3, 100_000)
    await terminal.betting_open()
    await terminal.bet("banker", 3_100)
    await one.finish(SEARCHED, "9S 2H KD 6C")
    await terminal.do(taps.CashOut)


def test_insurance_is_a_map_and_the_pit_follows_a_shoe(windows: Windows) -> None:
    windows.tell(_a_round)
    page = windows.staff("pit-manager", "/odds?game=rws-nc-insurance", bypass_csp=True)
    grid = page.get_by_role("table", name="after four cards")
    cell = grid.get_by_role("row", name=re.compile("^Player 0 ")).get_by_role("cell").nth(5)
    expect(cell).to_contain_text("+0.12%")  # a full shoe of eight decks, Banker 5
    look_at(page)
    page.get_by_role("combobox", name="Shoe").select_option(FOLLOWED)
    left = page.get_by_role("list", name="Cards left, by rank").get_by_role("listitem")
    expect(left).to_have_count(13)
    expect(left.nth(8)).to_contain_text("31 left, 1 out")
    expect(grid).to_be_visible()
    look_at(page)
    windows.tell(_another_round)
    expect(left.nth(8)).to_contain_text("30 left, 2 out")  # by itself

    player = windows.staff("dealer", f"/odds?table={FOLLOWED}")
    expect(player.get_by_role("list", name="Take cards out")).to_be_visible()
    expect(player.get_by_role("combobox", name="Shoe")).to_have_count(0)


async def _a_round(one: Visit) -> None:
    await one.begin_round(FOLLOWED)
    await one.finish(FOLLOWED, "9S 2H KD 6C")


async def _another_round(one: Visit) -> None:
    await one.do("dealer", FOLLOWED, staff.StartRound)
    await one.finish(FOLLOWED, "9H 2D KC 6S")
