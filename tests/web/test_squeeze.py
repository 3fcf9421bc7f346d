"""The squeeze in a real browser: a finger bends a card open, lets it fall back, turns it; nothing tells it before."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from tests.server.live_server import Server, Visit, visit
from tests.web.eyes import look_at
from tests.web.windows import PHONE, Windows, aside, banner, spot

TABLE = "squeezed"
STRIP = "() => getComputedStyle(document.querySelectorAll('.squeezed .strip')[0]).clipPath"


def deal(windows: Windows, cards: str) -> None:
    async def story(one: Visit) -> None:
        for card in cards.split():
            await one.do("dealer", TABLE, round_commands.DealCard, card=card)

    windows.tell(story)


def begin(windows: Windows, **look: object) -> Page:
    """A terminal with a bet on Player, and betting closed."""
    page = windows.terminal(TABLE, 3, 100_000, **look)
    windows.do("dealer", TABLE, staff.StartRound)
    expect(banner(page)).to_contain_text("Place your bets")
    spot(page, "Player").click()
    expect(spot(page, "Player")).to_contain_text(re.compile(r"\dregistered"))
    windows.do("dealer", TABLE, round_commands.CloseBetting)
    return page


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name)


def total(page: Page, hand: str) -> Locator:
    return page.locator(f".hand.{hand} .total")


def held(width: float) -> float:
    """A small card is held larger."""
    return min(2.4 * width, max(width, 150))


def pulled(page: Page, name: str, part: float) -> None:
    """Take the card by its left edge and go so much of its width to the right; the finger stays down."""
    box = card(page, name).bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 3, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 3 + part * held(box["width"]), y, steps=5)


@pytest.fixture(scope="module")
def opened(floor: Server) -> Server:
    async def story(one: Visit) -> None:
        await one.do("pit-manager", TABLE, staff.OpenTable)
        await one.do("dealer", TABLE, staff.LoadNewShoe)

    aside(lambda: visit(floor, story))
    return floor


def touched(page: Page, name: str, *parts: float) -> None:
    """A finger takes the card by its upper long edge, as one that lies across has it, and goes down by these parts."""
    card(page, name).scroll_into_view_if_needed()
    box = card(page, name).bounding_box()
    assert box
    fingers = page.context.new_cdp_session(page)
    x, top = box["x"] + box["width"] / 2, box["y"] + 3

    def touch(what: str, *at: float) -> None:
        points = [{"x": x, "y": top + part * held(box["height"])} for part in at]
        fingers.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    touch("touchStart", 0)
    for part in parts:
        touch("touchMove", part)


@pytest.mark.usefixtures("opened")
def test_a_finger_squeezes_a_third_card_on_a_phone(windows: Windows) -> None:
    page = begin(windows, reduced_motion="no-preference", viewport=PHONE, has_touch=True)
    deal(windows, "2S 3H 3C 2S")
    page.get_by_role("button", name="TURN", exact=True).click()
    deal(windows, "4D")
    expect(total(page, "player")).to_contain_text("5")  # of the first two: the third has told nothing
    touched(page, "PLAYER, card 3", 0.2, 0.5)
    expect(card(page, "PLAYER, card 3")).to_have_attribute("aria-valuenow", "50")
    assert page.evaluate(STRIP) == "inset(0px 0px 0px 75%)"
    touched(page, "PLAYER, card 3", 0.5, 0.95)
    expect(page.get_by_role("img", name="4 of diamonds")).to_be_visible()
    expect(total(page, "player")).to_contain_text("9")
    deal(windows, "4C")
    windows.do("dealer", TABLE, round_commands.DeclareResult)
    windows.do("dealer", TABLE, round_commands.Settle)


@pytest.mark.usefixtures("opened")
def test_cards_are_squeezed(windows: Windows) -> None:
    page = begin(windows, reduced_motion="no-preference", bypass_csp=True)
    wall = windows.display(TABLE)
    deal(windows, "9C 3C KD 2D")  # a natural, which nobody is to hear of yet
    expect(page.get_by_role("slider")).to_have_count(4)
    for hand in ("player", "banker"):
        expect(total(page, hand)).to_have_text("Total")
        expect(page.locator(f".hand.{hand}")).not_to_contain_text("Natural")
    expect(banner(page)).not_to_contain_text("result")
    expect(wall.get_by_role("img", name="face down")).to_have_count(4)
    expect(wall.get_by_role("status")).to_contain_text("The players turn the cards")
    look_at(page)

    pulled(page, "PLAYER, card 1", 0.5)
    expect(card(page, "PLAYER, card 1")).to_have_attribute("aria-valuenow", "50")
    assert page.evaluate(STRIP) == "inset(0px 0px 0px 75%)"  # a quarter of the face: the legs, and no index
    page.mouse.move(0, 0)
    expect(card(page, "PLAYER, card 1")).to_have_attribute("aria-valuenow", "0")
    page.mouse.up()
    pulled(page, "PLAYER, card 1", 0.5)
    page.mouse.up()  # let go, it falls back
    expect(card(page, "PLAYER, card 1")).to_have_attribute("aria-valuenow", "0")
    pulled(page, "PLAYER, card 1", 1.0)
    page.mouse.up()
    expect(page.get_by_role("img", name="9 of clubs")).to_be_visible()
    expect(total(page, "player")).to_contain_text("9")
    expect(page.locator(".hand.player")).not_to_contain_text("Natural")  # its second card still lies

    card(page, "PLAYER, card 2").focus()
    page.keyboard.press("ArrowRight")
    expect(card(page, "PLAYER, card 2")).to_have_attribute("aria-valuenow", "6")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".hand.player")).to_contain_text("Natural")
    expect(page.get_by_role("slider", name="BANKER, card 1")).to_be_focused()  # nobody has to look for the next
    expect(banner(page)).not_to_contain_text("result")
    page.get_by_role("button", name="TURN", exact=True).click()
    expect(total(page, "banker")).to_contain_text("5")
    expect(banner(page)).to_contain_text("The result is being announced")
    expect(page.get_by_role("group", name="Squeeze")).to_contain_text("The others are turning their cards")
    windows.do("dealer", TABLE, round_commands.DeclareResult)
    expect(banner(page)).to_contain_text("Player wins")
    expect(wall.get_by_role("img", name="9 of clubs")).to_be_visible()
    windows.do("dealer", TABLE, round_commands.Settle)

    # A plain key without motion; a third card lies across; what comes next opens what was not turned.
    page = begin(windows)
    deal(windows, "2C 3D 3S 2H")
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_role("button", name="PLAYER, card 1: Turn the card").click()
    expect(total(page, "player")).to_contain_text("2")
    deal(windows, "4H")
    expect(total(page, "player")).to_contain_text("5")
    expect(total(page, "banker")).to_contain_text("5")
    page.get_by_role("button", name="TURN", exact=True).click()
    expect(total(page, "player")).to_contain_text("9")
    deal(windows, "4S")
    windows.do("dealer", TABLE, round_commands.DeclareResult)
    windows.do("dealer", TABLE, round_commands.Settle)
