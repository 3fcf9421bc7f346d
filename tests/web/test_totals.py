"""The cards tell the total, and not the other way round: nothing is told of a card before it has turned."""

import re
from typing import Any

from playwright.sync_api import expect

from natural9.core.round import commands as round_commands
from tests.server.live_server import Visit
from tests.web.windows import Windows, banner, meter, spot

TABLE = "totals"
TURNS_MS = 500  # of a card's film, at least: a slow machine only takes longer

# When each card came to lie, and when each total, the result, the credit and the road first told something else.
KEEP_WHEN = """() => {
    const seen = window.seen = [], last = {};
    const look = () => {
        const at = performance.now();
        const now = {cards: String(document.querySelectorAll('.hand .dealt').length)};
        for (const hand of ['player', 'banker'])
            now[hand] = document.querySelector(`.hand.${hand} .total`).innerText.match(/\\d/)?.[0] ?? '';
        now.banner = document.querySelector('header [role=status] strong').innerText;
        now.credit = document.querySelector('.credit dd').innerText;
        now.roads = document.querySelector('[aria-label^="Roads:"]').ariaLabel;
        for (const [what, says] of Object.entries(now)) {
            if (last[what] !== says) seen.push({what, says: says.trim(), at});
            last[what] = says;
        }
    };
    new MutationObserver(look)
        .observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true});
}"""


def test_nothing_is_told_of_a_card_before_it_has_turned(windows: Windows) -> None:
    page = windows.terminal(TABLE, 1, 100_000, reduced_motion="no-preference")
    windows.tell(lambda one: one.begin_round(TABLE))
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Player").click()
    expect(spot(page, "Player")).to_contain_text(re.compile(r"\dregistered"))
    page.evaluate(KEEP_WHEN)
    windows.tell(_deal_at_once)
    expect(banner(page)).to_contain_text("Player wins")
    expect(meter(page, "CREDIT")).to_have_text("1,001.00")
    spot(page, "Player").click(force=True)
    expect(page.get_by_text("Bets are not open yet. Nothing was bet.")).to_be_visible()

    seen: list[dict[str, Any]] = page.evaluate("window.seen")
    came = {one["says"]: one["at"] for one in seen if one["what"] == "cards"}
    told = {(one["what"], one["says"].split("\n")[0]): one["at"] for one in reversed(seen)}
    assert told["player", "9"] - came["3"] >= TURNS_MS
    assert told["banker", "8"] - came["4"] >= TURNS_MS
    for result in (("banner", "Player wins"), ("credit", "1,001.00"), ("roads", "Roads: Player")):
        assert told[result] - came["4"] >= TURNS_MS, result


async def _deal_at_once(one: Visit) -> None:
    """As fast as the dealer's hands are: the result is declared and settled while the last card still turns."""
    await one.do("dealer", TABLE, round_commands.CloseBetting)
    await one.deal(TABLE, "5S 6H 4D 2C")
    await one.do("dealer", TABLE, round_commands.DeclareResult)
    await one.do("dealer", TABLE, round_commands.Settle)
