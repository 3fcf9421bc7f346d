"""The keys of the console: each does what it says, whatever has the focus, and none ever moves or hides."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.server.live_server import Visit
from tests.web.console import answered, deal_four, key_cards, next_step, settle, space
from tests.web.resize import resize
from tests.web.windows import Windows

CREDIT = 100_000
SIZES = ((1440, 900), (1280, 800), (1366, 650), (1024, 768))
BOXES = """() => Object.fromEntries([...document.querySelectorAll('[aria-keyshortcuts], .pad .key, .step')].map(one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const wide = one.matches('.step'); // as wide as its words
    const name = wide ? 'step' : one.getAttribute('aria-keyshortcuts') ?? `card ${one.textContent.trim()}`;
    return [name, [wide ? 0 : left, top, right, bottom].map(Math.round)];
}))"""


SMALL = ((360, 640), (390, 844), (844, 390))
# Keys that the red one lies on, or that it is itself out of the window, wherever the page is scrolled to.
COVERED = """() => {
    const all = [...document.querySelectorAll('.console *')], found = new Set();
    const red = document.querySelector('[aria-keyshortcuts=R]');
    const touches = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        for (const one of [document.documentElement, ...all]) one.scrollTop = part * one.scrollHeight;
        const place = red.getBoundingClientRect();
        if (place.top < 0 || place.bottom > innerHeight || !place.height) found.add('itself');
        for (const one of all.filter(one => one.matches('button, a[href]') && one !== red)) {
            const hit = document.elementsFromPoint(place.left + place.width / 2, place.top + place.height / 2);
            const clips = [...all].filter(at => at.contains(one) && getComputedStyle(at).overflowY === 'auto');
            const seen = clips.every(at => touches(at.getBoundingClientRect(), place));
            if (hit.includes(one) || (seen && touches(one.getBoundingClientRect(), place))) found.add(one.textContent);
        }
    }
    return [...found];
}"""


def test_a_stray_key_is_reported_to_nobody(windows: Windows) -> None:
    """B, and then a card for PLAYER: the console shows it, and the dealer takes it back."""
    windows.tell(lambda one: one.begin_round("stray"))
    dealer = windows.staff("dealer", "/console/stray")
    space(dealer, "Close bets")
    expect(next_step(dealer)).to_have_text("Deal to PLAYER, first card")
    dealer.keyboard.type("b9h")
    expect(next_step(dealer)).to_have_text("9♥ keyed for BANKER, PLAYER is due")
    dealer.keyboard.type("ks")  # without a look at the line
    dealer.keyboard.press("Space")
    dealer.keyboard.press("Escape")
    expect(next_step(dealer)).to_have_text("Deal to PLAYER, first card")
    dealer.keyboard.type("9h")
    expect(next_step(dealer)).to_have_text("Deal to BANKER, first card")

    dealer.keyboard.type("pks")
    expect(next_step(dealer)).to_have_text("K♠ keyed for PLAYER, BANKER is due")
    dealer.keyboard.press("r")  # it does lie there
    expect(next_step(dealer)).to_have_text("Irregularity: the Dealer decides")
    [waiting] = windows.tell(lambda one: one.see("stray")).table.waiting
    assert waiting.kind == "wrong-area"


def test_the_order_is_not_asked_for_where_nobody_knows_it(windows: Windows) -> None:
    dealer = windows.staff("dealer", "/console/unordered")
    windows.tell(lambda one: one.begin_round("unordered"))
    space(dealer, "Close bets")
    answered(dealer)
    for order, asked in (("known", "in the order they came"), ("not known", "In any order")):
        dealer.keyboard.press("r")
        dialog = dealer.get_by_role("dialog")
        dialog.get_by_role("button", name=f"Two cards came out together, order {order}").click()
        expect(dialog).to_contain_text(asked)
        expect(dialog.get_by_text("in the order they came")).to_have_count(int(order == "known"))
        dealer.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.fixture
def at_the_boxes(windows: Windows) -> Page:
    """Insurance after four cards, with a bet of each kind."""

    async def story(one: Visit) -> None:
        await one.begin_round("keys")
        for seat, wager in ((2, "banker"), (5, "player")):
            terminal = await one.sit("keys", seat, CREDIT)
            await terminal.bet(wager, 10_000)

    windows.tell(story)
    return windows.staff("dealer", "/console/keys")


def test_no_key_moves_or_hides_from_phase_to_phase(windows: Windows, at_the_boxes: Page) -> None:
    dealer = at_the_boxes
    at_first: dict[tuple[int, int, str], list[int]] = {}

    def look() -> None:
        for size in SIZES:
            resize(dealer, *size)
            boxes = dealer.evaluate(BOXES)
            for key, box in boxes.items():
                assert box == at_first.setdefault((*size, key), box), (size, key, next_step(dealer).inner_text())
            left, top, right, bottom = boxes["R"]
            assert min(left, top) >= 0, (size, boxes["R"])
            assert right <= size[0], (size, boxes["R"])
            assert bottom <= size[1], (size, boxes["R"])

    phases: list[Callable[[], None]] = [
        lambda: space(dealer, "Close bets"),
        lambda: deal_four(dealer, "5S 6H KD QC"),
        lambda: space(dealer, "Open insurance"),
        lambda: space(dealer, "Close insurance"),
        lambda: key_cards(dealer, ("PLAYER draws a third card", "6D")),
        lambda: space(dealer, "Open insurance"),
        lambda: space(dealer, "Close insurance"),
        lambda: key_cards(dealer, ("BANKER draws a third card", "4H")),
        lambda: space(dealer, "Declare: PLAYER wins, 1 over 0"),
        lambda: settle(dealer),
    ]
    expect(next_step(dealer)).to_have_text("Close bets")
    look()
    for go in phases:
        before = next_step(dealer).inner_text()
        go()
        expect(next_step(dealer)).not_to_have_text(before)
        look()
    expect(dealer.get_by_text("Box 2 is paid 0.00 · Box 5 is paid 200.00")).to_be_visible()


def test_the_red_key_covers_nothing_of_a_small_window(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round("red"))
    dealer = windows.staff("dealer", "/console/red")
    space(dealer, "Close bets")
    expect(next_step(dealer)).to_have_text("Deal to PLAYER, first card")
    for width, height in SMALL:
        resize(dealer, width, height)
        expect(dealer.locator(".own-place")).to_be_visible()
        covered = dealer.evaluate(COVERED)
        for _ in range(60):  # until the layout rests
            if covered:
                dealer.wait_for_timeout(50)
                covered = dealer.evaluate(COVERED)
        assert covered == [], (width, height)


def test_space_is_the_next_step_wherever_the_focus_is(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round("focus"))
    dealer = windows.staff("dealer", "/console/focus")
    expect(next_step(dealer)).to_have_text("Close bets")
    for key in ("Lock a terminal", "IRREGULARITY"):
        dealer.get_by_role("button", name=key).focus()
        dealer.keyboard.press("Enter")
        expect(dealer.get_by_role("dialog")).to_be_visible()
        dealer.keyboard.press("Escape")
        expect(dealer.get_by_role("dialog")).to_have_count(0)
    expect(dealer.get_by_role("button", name="IRREGULARITY")).to_be_focused()
    space(dealer, "Close bets")
    expect(dealer.get_by_role("dialog")).to_have_count(0)


def test_whose_signature_a_key_takes_stands_on_it(windows: Windows) -> None:
    dealer, manager = (windows.staff(role, "/console/signed") for role in ("dealer", "shift-manager"))
    windows.tell(lambda one: one.begin_round("signed"))
    for key, rank in (
        ("Void the round", "Pit Supervisor"),
        ("Freeze a round", "Pit Supervisor"),
        ("Rule on a bet", "Shift Manager"),
    ):
        expect(dealer.get_by_role("button", name=key)).to_contain_text(rank)
        expect(manager.get_by_role("button", name=key)).not_to_contain_text(rank)
    dealer.keyboard.press("m")
    dialog = dealer.get_by_role("dialog", name="The table")
    expect(dialog.get_by_role("radio", name="Pause (Pit Supervisor or above)")).to_be_visible()
    expect(dialog.get_by_role("group", name="Pit Supervisor signs here")).to_be_visible()
