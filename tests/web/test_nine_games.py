"""A player plays whole rounds of each game, by touching the screen."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from natural9.core.round import commands as round_commands
from natural9.games import game_ids, load_game
from natural9.table.commands import staff
from tests.web.windows import Windows, banner, meter, money, spot

CREDIT = 100_000
SEAT = 3

# What stood on the spot between the tap and the answer is gone in a moment: the page itself writes it down.
KEEP_WHAT_IT_SHOWS = """spot => {
    const seen = window.seen = [];
    new MutationObserver(() => seen.push(spot.textContent))
        .observe(spot, {childList: true, subtree: true, characterData: true});
}"""


@pytest.mark.parametrize("game", game_ids())
def test_a_player_plays_two_rounds(windows: Windows, game: str) -> None:
    is_dealt = bool(load_game(game).document.dealer_announces)
    game = game[:20]  # the table of this game has its name, as far as names go
    page = windows.terminal(game, SEAT, CREDIT, reduced_motion="no-preference")
    expect(banner(page)).to_contain_text("This table is closed")
    windows.do("pit-manager", game, staff.OpenTable)
    if is_dealt:
        windows.do("dealer", game, staff.LoadNewShoe)
        windows.do("dealer", game, staff.StartRound)
    expect(page.get_by_text("Malfunction voids all pays and plays.")).to_have_count(1 if game.startswith("mbs") else 0)
    wagers = windows.get("dealer", f"/api/venue/tables/{game}/rules")["wagers"]

    expect(banner(page)).to_contain_text("Place your bets")
    for wager in wagers:
        _bet(page, spot(page, wager["title"]))
    staked = 100 * len(wagers)
    expect(meter(page, "BET")).to_have_text(money(staked))
    expect(meter(page, "CREDIT")).to_have_text(money(CREDIT - staked))
    credit = _see_the_result(windows, page, game, 1, wagers, CREDIT - staked, is_dealt=is_dealt)

    windows.do("pit-manager", game, staff.ResumeTable)
    windows.tell(lambda one: _betting_open(one, game, 2))
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("button", name="RE-BET").click()
    for wager in wagers:
        expect(spot(page, wager["title"])).to_contain_text("1.00registered")
    expect(meter(page, "CREDIT")).to_have_text(money(credit - staked))
    _see_the_result(windows, page, game, 2, wagers, credit - staked, is_dealt=is_dealt)


async def _betting_open(one: Any, game: str, number: int) -> None:
    """The result is still shown for as long as the table is told to: the dealer goes on at once."""
    if (await one.see(game)).table.round < number:
        await one.do("dealer", game, staff.StartRound)


def _bet(page: Page, where: Locator) -> None:
    where.evaluate(KEEP_WHAT_IT_SHOWS)
    where.click()
    expect(where).to_contain_text("1.00registered")
    shown: list[str] = page.evaluate("window.seen")
    assert any("1.00 not yet registered" in text for text in shown), shown


def _see_the_result(
    windows: Windows, page: Page, game: str, number: int, wagers: list[Any], credit: int, *, is_dealt: bool
) -> int:
    """The round runs to its end and the table rests there; the credit after it."""
    windows.do("pit-manager", game, staff.PauseTable)
    windows.do("dealer", game, round_commands.CloseBetting)
    if is_dealt:
        windows.tell(lambda one: one.play_out(game))
    expect(banner(page)).to_contain_text("No more rounds for now")
    [seat] = windows.get("auditor", f"/api/rounds/{game}/{number}")["seats"]
    nets = {line["wager"]: line["net_cents"] for line in seat["lines"]}
    assert set(nets) == {wager["id"] for wager in wagers}
    for wager in wagers:
        net = nets[wager["id"]]
        says = f"+{money(net)}" if net > 0 else f"±{money(0)}" if net == 0 else money(net)
        expect(spot(page, wager["title"])).to_contain_text(says)
    returned = sum(line["stake_cents"] + line["net_cents"] for line in seat["lines"])
    assert seat["credit_after_cents"] == credit + returned
    expect(meter(page, "CREDIT")).to_have_text(money(seat["credit_after_cents"]))
    won = sum(max(0, net) for net in nets.values())
    expect(meter(page, "WIN").locator(".sr-only")).to_have_text(money(won))
    return int(seat["credit_after_cents"])
