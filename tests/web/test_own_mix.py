"""A player's own words are mixed into a shoe; and once it has ended, this browser finds that it was dealt so."""

import asyncio
import re

from playwright.sync_api import Locator, Page, expect

from natural9.table.commands import staff
from tests.server.live_server import Visit
from tests.web.eyes import look_at
from tests.web.windows import Windows

TABLE, SEAT, WORDS = "mixed", 7, "八 lucky words"


def dialog(terminal: Page) -> Locator:
    """Once it is there, its loads are done."""
    terminal.get_by_role("button", name="check this shoe").click()
    opened = terminal.get_by_role("dialog")
    expect(opened.get_by_label("Words of your own")).to_be_visible()
    return opened


async def a_shoe(one: Visit) -> None:
    """Rounds until the cut card has come, and then a new shoe."""
    await one.do("dealer", TABLE, staff.LoadNewShoe)
    while not await one.next_move(TABLE):  # its seats mix it
        await asyncio.sleep(0.05)
    while await one.next_move(TABLE) != "new-shoe":
        await one.do("dealer", TABLE, staff.StartRound)
        await one.play_out(TABLE)
    await one.do("dealer", TABLE, staff.LoadNewShoe)


async def another_bets(one: Visit) -> None:
    while not await one.next_move(TABLE):  # the seats mix the next shoe
        await asyncio.sleep(0.05)
    await one.do("dealer", TABLE, staff.StartRound)
    other = await one.sit(TABLE, SEAT - 1, 10_000)
    await other.betting_open()
    await other.bet("banker", 10_000)


def test_a_players_words_are_mixed_in_and_the_shoe_is_checked(windows: Windows) -> None:
    windows.tell(lambda one: one.open(TABLE))
    terminal = windows.terminal(TABLE, SEAT, bypass_csp=True)
    shown = dialog(terminal)
    expect(shown).to_contain_text("Into shoe 1 this seat mixes a secret number of the terminal.")
    shown.get_by_label("Words of your own").fill(f"  {WORDS} ")
    shown.get_by_role("button", name="Mix them in").click()
    expect(shown).to_contain_text(f"Into shoe 1 this seat mixes your words: {WORDS}")
    look_at(terminal)
    terminal.reload()
    expect(dialog(terminal)).to_contain_text(f"Into shoe 1 this seat mixes your words: {WORDS}")

    windows.tell(a_shoe)  # the terminal reveals by itself: nothing else ends the mixing
    shown = terminal.get_by_role("dialog")
    expect(shown).to_contain_text("Into shoe 3 this seat mixes a secret number of the terminal.")
    shown.get_by_role("button", name="Check in this browser").click()
    expect(shown.get_by_role("listitem").filter(has_text="✓")).to_have_count(4)
    expect(shown).to_contain_text("Every seat revealed what it had committed to")
    expect(shown).to_contain_text(re.compile(f"[0-9a-f]{{64}} {WORDS}"))
    look_at(terminal)

    asked: list[str] = []
    terminal.on("request", lambda request: asked.append(request.url))
    windows.tell(another_bets)  # and what was found stays, and is not asked for again
    expect(terminal.get_by_text("All bets at this table 100").first).to_be_attached()
    expect(shown.get_by_role("listitem").filter(has_text="✓")).to_have_count(4)
    assert not [url for url in asked if "/api/shoes/" in url]
