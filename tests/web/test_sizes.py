"""Every screen at every size that a floor has: nothing overlaps, nothing is cut, everything can be read and reached."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import CDPSession, Page, expect

from natural9.table.commands import staff
from tests.server.live_server import Visit
from tests.web.eyes import serious_faults
from tests.web.resize import at_rest, resize
from tests.web.windows import Windows, banner, spot

SIZES = [
    (360, 640),
    (844, 390),
    (1024, 768),
    (1280, 800),
    (1366, 650),
    (1440, 900),
    (1080, 1920),
    (1920, 1080),
    (2560, 1440),
    (3840, 2160),
]


class Look(NamedTuple):
    language: str
    large_print: bool


ENGLISH, CHINESE = Look("en", False), Look("zh", False)
LARGE, LARGE_CHINESE = Look("en", True), Look("zh", True)

# The parts of each screen that must never lie on each other. Within a part, its own children must not either.
TERMINAL = {
    "apart": [
        "header nav button",
        "header .banner",
        "header dl",
        ".trouble .band",
        ".hand",
        ".hand .dealt, .hand .place",
        ".hand h2",
        ".hand .total",
        "button.spot",
        ".road",
        ".tallies > div",
        ".asks button",
        ".boxes svg",
        ".meters > div",
        ".chips > .chosen, .rack:not(.open) .one",
        ".actions button",
        "aside.pays",
        ".foot > *",
    ],
    "whole": [
        "header nav button",
        "header .banner",
        "header dl",
        ".hand h2",
        ".hand .total",
        "button.spot",
        "button.spot .name",
        "button.spot .line",
        "button.spot .result",
        "button.spot .stake",
        ".road h2",
        ".tallies > div",
        ".asks button",
        ".meters > div",
        ".actions button",
        ".foot > *",
    ],
    "cards": ".hand .dealt, .hand .place",
    "roads": ".road",
    "must": [".hand.player", ".hand.banker", "button.spot.side-player.main", ".road", ".meters", ".actions button"],
}
CONSOLE = {
    "apart": ["#next-step", ".columns .left > *", ".columns .right > *", ".columns .right button"],
    "whole": ["#next-step", ".columns .right button"],
    "cards": ".columns .left svg.card",
    "roads": ".road",
    "must": ["#next-step", ".columns .right button"],
}
WALL = {
    "apart": [".wall > header > *", ".stage", ".hands > section", ".tallies", ".promise", ".road", ".legend li"],
    "whole": [
        ".wall > header h1",
        ".wall .limits > div",
        ".legend li",
        ".stage",
        ".hands h2",
        ".hands .total",
        ".promise",
        ".road h2",
        ".tallies",
    ],
    "cards": "",
    "roads": ".road",
    "must": [".stage", ".road"],
}

SEVERAL = {
    "apart": [".tile > header > *", ".says", ".count", ".totals > span:not(.sr-only)", ".road", ".legend", ".turns"],
    "whole": [".tile h2", ".tile .limits > div", ".says", ".count", ".totals > span:not(.sr-only)", ".legend li"],
    "cards": "",
    "roads": ".road",
    "must": [".tile", ".says", ".road", ".legend"],
}
# Six metres away: letters and squares that are smaller than this part of the shorter side are not read.
FROM_AFAR = """() => {
    const side = Math.min(innerWidth, innerHeight), faults = [];
    const small = (what, px, part) => px < part * side && faults.push(`${what}: ${px.toFixed(1)} px`);
    for (const one of document.querySelectorAll('.says .zh, .totals > span:not(.sr-only), .tile > header h2'))
        small(one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize), 0.02);
    for (const one of document.querySelectorAll('.tile .limits dd, .legend li'))
        small(one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize), 0.0145);
    for (const one of document.querySelectorAll('.road')) {
        const box = one.querySelector('.box').getBoundingClientRect();
        small('squares', Math.min(box.height / 6, box.width / Number(one.dataset.columns)), 0.014);
    }
    return faults;
}"""

# Boxes are in the page's own coordinates, so that a page that is longer than its window is measured whole.
MEASURE = """({apart, whole, cards, roads, must}) => {
    const faults = [], seen = one => one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length;
    const all = selector => selector ? [...document.querySelectorAll(selector)].filter(seen) : [];
    const name = one => `${one.tagName.toLowerCase()}.${one.className.baseVal ?? one.className} `
        .replace(/ ?svelte-\\w+/g, '') + `"${words(one).replace(/\\s+/g, ' ').slice(0, 40)}"`;
    const words = one => (one.textContent || one.ariaLabel || '').trim();
    const clip = one => {  // what is seen of it: a part that scrolls cuts its children, and that is no fault
        let {left, top, right, bottom} = one.getBoundingClientRect();
        for (let at = one.parentElement; at; at = at.parentElement) {
            if (!/auto|scroll/.test(getComputedStyle(at).overflow) || at === document.documentElement) continue;
            const box = at.getBoundingClientRect();
            [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
            [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return {left, top: top + scrollY, right, bottom: bottom + scrollY, one};
    };
    scrollTo(0, document.documentElement.scrollHeight);  // what sticks lies where it belongs
    const boxes = [...new Set(apart.flatMap(all))].map(clip);
    for (const [at, a] of boxes.entries()) for (const b of boxes.slice(at + 1)) {
        if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const by = `${Math.round(wide)} x ${Math.round(high)}`;
        if (wide > 1.5 && high > 1.5) faults.push(`${name(a.one)} lies on ${name(b.one)} by ${by}`);
    }
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) faults.push(`${page.scrollWidth - page.clientWidth} px too wide`);
    const text = one => {  // where its words stand, but for those that are only read aloud
        const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = document.createRange();
        const box = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity};
        for (let node; (node = walker.nextNode()); ) {
            if (!node.data.trim() || getComputedStyle(node.parentElement).clipPath === 'inset(50%)') continue;
            range.selectNodeContents(node);
            const {left, top, right, bottom, width} = range.getBoundingClientRect();
            if (!width) continue;  // folded away
            [box.left, box.top] = [Math.min(box.left, left), Math.min(box.top, top)];
            [box.right, box.bottom] = [Math.max(box.right, right), Math.max(box.bottom, bottom)];
        }
        return box;
    };
    const within = (one, {top, bottom}) => {  // where it stands in what scrolls, the page or a part of it
        const scrolls = at => /auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight;
        let at = one.parentElement;
        while (at && at !== page && !scrolls(at)) at = at.parentElement;
        if (!at || at === page) return [top + scrollY, bottom + scrollY, page.scrollHeight];
        const from = at.scrollTop - at.getBoundingClientRect().top;
        return [top + from, bottom + from, at.scrollHeight];
    };
    for (const one of new Set(whole.flatMap(all))) {
        const box = one.getBoundingClientRect(), inner = text(one);
        const high = 0.1 * (inner.bottom - inner.top);  // letters are lower than their line
        const across = Math.max(inner.right - box.right, box.left - inner.left);
        const over = Math.max(across, inner.bottom - box.bottom - high, box.top - inner.top - high);
        if (over > 3) faults.push(`${name(one)} is cut by ${Math.round(over)} px`);
        if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${name(one)} is out of the window`);
        const [first, last, end] = within(one, box);
        if (first < -1 || last > end + 1) faults.push(`${name(one)} is out of the page`);
    }
    for (const one of all(cards)) {
        const box = one.getBoundingClientRect(), width = Math.min(box.width, box.height);
        if (width < 39.5) faults.push(`a card is ${width.toFixed(1)} px wide`);
    }
    for (const one of all(roads)) {
        const box = one.querySelector('.box').getBoundingClientRect();
        const square = Math.min(box.height / 6, box.width / Number(one.dataset.columns));
        if (square < 9.9) faults.push(`${name(one)}: squares of ${square.toFixed(1)} px`);
        const label = one.querySelector('h2');
        if (!words(label) || text(label).right > box.right + 1) faults.push(`${name(one)}: its name is cut`);
    }
    for (const selector of must) if (!all(selector).length) faults.push(`${selector} is missing`);
    const sticky = all('main, main *, .foot, .head').filter(one => getComputedStyle(one).position === 'sticky');
    const covered = sticky.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0);
    if (covered > innerHeight / 2) faults.push(`what sticks covers ${Math.round(covered)} of ${innerHeight} px`);
    return [...new Set(faults)];
}"""
# Of every key: brought into sight it can be touched, and nothing lies on it.
UNREACHED = """within => [...document.querySelector(within).querySelectorAll('button, a[href], summary, [role=radio]')]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length)
    .filter(one => {
        one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
        const box = one.getBoundingClientRect(), [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        const inside = box.left >= -1 && box.right <= innerWidth + 1 && y >= 0 && y <= innerHeight;
        return !(inside && hit && one.contains(hit));
    }).map(one => `not reached: ${(one.textContent || one.ariaLabel).trim().slice(0, 40)}`)"""
# It lies where it lay and is hit where it was hit, but nothing is painted: at 4K that takes longer than all the rest.
UNPAINTED = "opacity => { document.documentElement.style.opacity = opacity; }"


def sizes() -> Iterator[tuple[str, int, int, int]]:
    """Width and height in CSS px and how many pixels each has: at 200% a window has half as many, and is left out where
    that is a window of its own."""
    for width, height in SIZES:
        yield f"{width}x{height}", width, height, 1
        if (width // 2, height // 2) not in SIZES:
            yield f"{width}x{height} at 200%", width // 2, height // 2, 2


# Each window once, in turns as it is and at 200%: enough for what a state or a look changes. Betting in English is
# looked at in all of them.
IN_TURN = tuple(
    f"{width}x{height}{' at 200%' if place % 2 and (width // 2, height // 2) not in SIZES else ''}"
    for place, (width, height) in enumerate(SIZES)
)
WALLS = tuple(f"{width}x{height}" for width, height in SIZES if min(width, height) >= 1080)


def look(
    page: Page,
    screen: dict[str, Any],
    state: str,
    within: str = "body",
    only: tuple[str, ...] = (),
    also: str = "() => []",
) -> list[str]:
    """What is wrong at any size, or at only these."""
    line: CDPSession = page.context.new_cdp_session(page)
    faults = []
    page.evaluate(UNPAINTED, "0")
    for name, width, height, scale in sizes():
        if only and name not in only:
            continue
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        line.send("Emulation.setDeviceMetricsOverride", metrics)
        at_rest(page, width, height)
        found = page.evaluate(MEASURE, screen) + page.evaluate(UNREACHED, within) + page.evaluate(also)
        faults += [f"{state}, {name}: {fault}" for fault in found]
    line.send("Emulation.clearDeviceMetricsOverride")
    page.evaluate(UNPAINTED, "")
    return faults


def setting(page: Page, chosen: Look) -> None:
    """As a player would, but without the dialog."""
    kept = {
        "natural9-terminal-large-print": "on" if chosen.large_print else "off",
        "natural9-language": chosen.language,
    }
    page.evaluate("kept => Object.entries(kept).forEach(([name, value]) => localStorage.setItem(name, value))", kept)
    page.reload()


def each_look(page: Page, screen: dict[str, Any], state: str, *looks: Look, only: tuple[str, ...] = ()) -> list[str]:
    faults = []
    for chosen in looks:
        setting(page, chosen)
        expect(page.locator(screen["must"][0]).first).to_be_visible()
        page.evaluate("document.fonts.ready.then(() => true)")
        print_ = " in large print" if chosen.large_print else ""
        faults += look(page, screen, f"{state} in {chosen.language}{print_}", only=only)
    return faults


@pytest.mark.parametrize("table", ["sizes", "size-boxes"])
def test_the_terminal_fits_every_window(windows: Windows, table: str) -> None:
    """Betting with chips, both views, insurance where there is one, six cards, and the result."""
    page = windows.terminal(table, 4, 9_876_543)
    insured = table == "size-boxes"
    windows.tell(lambda one: _some_rounds(one, table))
    expect(banner(page)).to_contain_text("Place your bets")
    page.get_by_role("radio", name="100.00", exact=True).click()
    for title in ("Player", "Banker", "Tie"):
        spot(page, title).click()
        expect(spot(page, title)).to_contain_text("registered")
    # What the other table shows as well is looked at there, in every language.
    faults = [] if insured else each_look(page, TERMINAL, "betting", CHINESE, LARGE, only=IN_TURN)
    faults += each_look(page, TERMINAL, "betting", ENGLISH)
    page.keyboard.press("v")
    if not insured:
        faults += look(page, TERMINAL, "roads large", only=IN_TURN)
    page.keyboard.press("v")
    if insured:
        faults += look(page, TERMINAL, "boxes large", only=IN_TURN)
        page.keyboard.press("v")
    cards = iter(["5S", "6H", "KD", "QC", "6S", "3H"])
    if insured:
        windows.tell(lambda one: _lead_on(one, table, cards, until="close-insurance"))
        expect(page.get_by_role("region", name="Insurance?")).to_be_visible()
        faults += look(page, TERMINAL, "insurance", "[aria-label='Insurance?']", only=IN_TURN)
    windows.tell(lambda one: _lead_on(one, table, cards, until="open-betting"))
    expect(page.locator(".dealt")).to_have_count(6)
    expect(page.locator(".result").first).to_be_visible()
    if not insured:
        faults += look(page, TERMINAL, "result", only=IN_TURN)
    faults += each_look(page, TERMINAL, "result", LARGE_CHINESE, only=IN_TURN)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:200])


def test_the_console_fits_every_window(windows: Windows) -> None:
    table = "size-console"
    windows.tell(lambda one: _some_rounds(one, table))
    page = windows.staff("dealer", f"/console/{table}")
    faults = each_look(page, CONSOLE, "betting", CHINESE, only=IN_TURN) + each_look(page, CONSOLE, "betting", ENGLISH)
    cards = iter(["5S", "6H", "KD", "QC", "6S", "3H"])
    windows.tell(lambda one: _bet_on_both(one, table))
    windows.tell(lambda one: _lead_on(one, table, cards, until="close-insurance"))
    expect(page.locator("#next-step")).to_contain_text("Close insurance")
    faults += look(page, CONSOLE, "insurance", only=IN_TURN)
    windows.tell(lambda one: _lead_on(one, table, cards, until="settle"))
    expect(page.locator(str(CONSOLE["cards"]))).to_have_count(6)
    faults += look(page, CONSOLE, "six cards", only=IN_TURN)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:200])


def test_the_roads_beside_a_list_of_seats_are_whole(windows: Windows) -> None:
    """They have what cards and seats leave, and not more."""
    table = "size-list"
    windows.tell(lambda one: _some_rounds(one, table))
    windows.tell(lambda one: _bet_on_both(one, table))
    page = windows.staff("dealer", f"/console/{table}")
    expect(page.locator(".felt .road").first).to_be_visible()
    for width, height in ((1600, 1000), (1400, 960), (1920, 1080), (1080, 1920)):
        resize(page, width, height)
        roads, felt = page.locator(".felt .roads").bounding_box(), page.locator(".felt").bounding_box()
        assert roads
        assert felt
        assert roads["y"] + roads["height"] <= felt["y"] + felt["height"] + 1, (width, height)
        assert not page.evaluate(MEASURE, CONSOLE)


def test_the_wall_fits_every_window(windows: Windows) -> None:
    table = "size-wall"
    windows.tell(lambda one: _some_rounds(one, table))
    page = windows.display(table)
    for part in (".stage", ".limits", ".checkpoint"):
        expect(page.locator(part).first).to_be_visible()
    faults = look(page, WALL, "betting")
    windows.tell(lambda one: one.finish(table, "8S 2H KD 6C"))
    expect(page.locator(".stage")).to_contain_text("Tie")
    faults += look(page, WALL, "result", only=IN_TURN)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:200])


def test_several_tables_on_one_wall_are_read_across_the_room(windows: Windows) -> None:
    """Two, four and six, of which some play, one has not begun, and one is closed."""
    six = ["wall-a", "wall-b", "wall-c", "wall-d", "wall-e", "wall-f"]
    windows.tell(lambda one: _some_rounds(one, "wall-a"))
    windows.tell(lambda one: one.begin_round("wall-b"))
    page = windows.display("", bypass_csp=True)
    page.get_by_role("checkbox").first.wait_for()
    for table in six[:2]:
        page.locator(f"input[value={table}]").check()
    page.get_by_role("button", name="Show 2 tables together").click()
    faults = []
    for count in (2, 4, 6):
        if count > 2:
            page.goto("/display/" + "/".join(six[:count]))
        expect(page.locator(".tile .road")).to_have_count(5 * count)
        expect(page.locator(".tile").first).to_contain_text("Place your bets")
        page.evaluate("document.fonts.ready.then(() => true)")
        faults += look(page, SEVERAL, f"{count} tables", only=WALLS, also=FROM_AFAR)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:200])
    assert not serious_faults(page)
    page.goto("/display")  # as after a power cut
    expect(page.locator(".tile .road")).to_have_count(30)


async def _some_rounds(one: Visit, table: str) -> None:
    """Rounds behind the one that is open, so that the roads have something to show."""
    await one.begin_round(table)
    for cards in ("9S 2H KD 6C", "2S 9H KD KC", "9C 9D KH KS", "4S 5H 5D 3C"):
        await one.finish(table, cards)
        await one.do("dealer", table, staff.StartRound)


async def _bet_on_both(one: Visit, table: str) -> None:
    for seat, wager in ((2, "banker"), (5, "player")):
        terminal = await one.sit(table, seat, 100_000)
        await terminal.bet(wager, 10_000)


async def _lead_on(one: Visit, table: str, cards: Iterator[str], *, until: str) -> None:
    """The dealer does what is next, with these cards, until this would be."""
    while (move := await one.next_move(table)) != until:
        fields = {"card": next(cards)} if move == "deal" else {}
        await one.do("dealer", table, staff.BY_TAG[move], **fields)
