"""The roads beside the spots: asked about the next round, made large and small, and everybody's bets."""

import re

from playwright.sync_api import expect

from natural9.table.commands import staff
from tests.server.live_server import Visit
from tests.web.windows import Windows, spot

TABLE, SEAT = "asked", 4


def test_swap_view_exchanges_sizes_and_the_roads_can_be_asked(windows: Windows) -> None:
    page, wall = windows.terminal(TABLE, SEAT, 100_000), windows.display(TABLE)
    windows.tell(_rounds_and_another_bet)
    expect(spot(page, "Banker")).to_contain_text("All bets at this table 25")
    expect(wall.locator(".facts")).to_contain_text("Round 4")

    for screen in (page, wall):
        for name in ("庄问路", "闲问路"):
            screen.get_by_role("button", name=name).click()
            expect(screen.locator(".asked")).to_have_count(4)  # bead plate, big road, big eye boy, small road
        screen.get_by_role("button", name="闲问路").click()
        expect(screen.locator(".asked")).to_have_count(0)

    roads, board = page.get_by_role("region", name="Roads"), page.get_by_role("region", name="Bet layout")
    small = roads.bounding_box()
    for _ in ("roads", "boxes"):
        page.get_by_role("button", name="SWAP VIEW").click()
        large = roads.bounding_box()
        assert small
        assert large
        assert large["width"] > 1.5 * small["width"]
        expect(board.get_by_role("button").first).to_be_visible()
        expect(page.locator(".road")).to_have_count(5)
    expect(page.get_by_role("group", name=f"Box {SEAT} (yours)")).to_be_visible()
    spot(page, "Banker").click()  # the spots are small, and alive
    expect(spot(page, "Banker")).to_contain_text(re.compile(r"\dregistered"))
    expect(spot(page, "Banker")).to_contain_text("All bets at this table 26")
    page.get_by_role("button", name="SWAP VIEW").click()
    expect(page.get_by_role("img", name="Box")).to_have_count(0)


async def _rounds_and_another_bet(one: Visit) -> None:
    await one.begin_round(TABLE)
    for cards in ("9S 2H KD 6C", "2S 9H KD KC", "9C 2D KH KS"):
        await one.finish(TABLE, cards)
        await one.do("dealer", TABLE, staff.StartRound)
    other = await one.sit(TABLE, 7, 100_000)
    await other.betting_open()
    await other.bet("banker", 2_500)
