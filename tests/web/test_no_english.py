"""In Chinese every screen speaks Chinese: no run of English letters is left but names, and what people typed."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands
from natural9.games.loader import wager_names
from tests.server.live_server import Server, Visit, new_venue, running, table
from tests.web.conftest import PLAYERS
from tests.web.windows import Windows, aside

CHINESE: Final = {"locale": "zh-CN"}
# What is said to be English by its `lang` (a document's own title, the English half of a spot's name) is left out.
READ: Final = """() => {
    const english = (one) => (one.closest('[lang]')?.lang ?? '').startsWith('en');
    const shown = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const one = walk.currentNode.parentElement;
        if (one.checkVisibility() && !english(one) && !one.closest('script, style')) shown.push(walk.currentNode.data);
    }
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [alt], [title]'))
        if (!english(one)) shown.push(one.ariaLabel ?? '', one.placeholder ?? '', one.alt ?? '', one.title ?? '');
    return shown.map(text => text.trim().replace(/\\s+/g, ' ')).filter(Boolean);
}"""
SPOTS: Final = {
    names["en"].upper() for names in wager_names().values()
}  # both names stand on a spot, as on the layouts
# Names of things that Chinese calls the same, keys, cards, hashes, and examples of what to type.
NAMES: Final = re.compile(
    r"natural9|SHA-256|UTC|TLS|SGD|CSV|JSON|PDF|QR|English|TID|Asia/Singapore|Marina Bay Sands|Resorts World at Sentosa"
    r"|Esc|Enter|Shift|Tab|Home|End|Alt|Ctrl"
    r"|\b[A2-9TJQK][CDHS]\b|\b[0-9a-f]{6,64}\b|test\.natural9/[0-9a-f]{8}(?:\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*)?|tiger-1-7(?:-1)?|mei\.tan|credit/3-7"
)
OF_A_DEVICE: Final = r"(?:(?:terminal|display|reader)-|(?:credit|stake|house|desk|owed|voucher)/)?"  # and of an account
DIALOGS: Final = "rxvflm?"  # the console's keys


def english(page: Page, own: Iterable[str]) -> set[str]:
    """What is left of it. `own`: the names of the venue, its tables and its people."""
    names = "|".join(re.escape(name) for name in sorted(own, key=len, reverse=True))
    called = re.compile(rf"\b{OF_A_DEVICE}(?:{names})(?:-\d+)*\b")
    found = set()
    for text in page.evaluate(READ):
        left = NAMES.sub("", called.sub("", text))
        spots = re.sub(r"^[^A-Za-z]+", "", left).strip().upper()
        if re.search(r"[A-Za-z]{2}", left) and not any(spots.startswith(one) for one in SPOTS):
            found.add(text)
    return found


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A venue of its own: what people typed in other tests, in English, stands in its books for ever."""
    del browser
    folder = tmp_path_factory.mktemp("chinese")
    tables = ("words", "mbs-tiger-nc"), ("worded", "mbs-tiger"), ("worded-rule", "mbs-tiger")
    aside(lambda: new_venue(folder, *(table(id, game) for id, game in tables), PLAYERS))
    with running(folder) as server:
        yield server


@pytest.fixture
def own(windows: Windows) -> list[str]:
    venue = windows.get("dealer", "/api/venue")
    people = windows.get("administrator", "/api/staff")
    names = [venue["name"], *(one["table"] for one in venue["tables"])]
    return names + [name for person in people for name in (person["id"], person["name"])]


def test_the_terminal(windows: Windows, own: list[str]) -> None:
    windows.tell(lambda one: one.begin_round("words"))
    page = windows.terminal("words", 1, 100_000, **CHINESE)
    status = page.get_by_role("banner").get_by_role("status")
    expect(status).to_contain_text("请下注")
    board = page.get_by_role("region", name="投注")
    board.get_by_role("button").filter(has=page.get_by_text("庄", exact=True)).click()
    expect(board).to_contain_text("已登记")
    left = english(page, own)
    for name in ("收取", "插入票券", "帮助", "设置"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog").first).to_be_visible()
        for tab in page.get_by_role("tab").all():
            tab.click()
            left |= english(page, own)
        left |= english(page, own)
        page.keyboard.press("Escape")
    windows.tell(lambda one: one.finish("words", "9S 2H KD 6C"))
    expect(status).to_contain_text("闲")
    assert left | english(page, own) == set()


def test_the_staff_from_a_report_to_the_books(windows: Windows, own: list[str]) -> None:
    """Console, pit, cash desk, books and administration, with an irregularity on its way through them."""
    table = "worded"

    async def story(one: Visit) -> int:
        number = await one.begin_round(table)
        terminal = await one.sit(table, 1, 100_000)
        await terminal.bet("banker", 1_000)
        return number

    number = windows.tell(story)
    console = windows.staff("dealer", f"/console/{table}", **CHINESE)
    expect(console.locator("#next-step")).not_to_be_empty()
    left = english(console, own)
    for key in DIALOGS:
        console.keyboard.press(key)
        left |= english(console, own)
        console.keyboard.press("Escape")
    windows.do("dealer", table, commands.CloseBetting)
    windows.do("dealer", table, commands.ReportIrregularity, kind=Kind.FOREIGN_CARD)
    expect(console.locator("#next-step")).to_contain_text("异常")
    left |= english(console, own)
    pit = windows.staff("pit-manager", "/pit", **CHINESE)
    expect(pit.get_by_text("外来牌").first).to_be_visible()
    left |= english(pit, own)
    windows.do("pit-supervisor", table, commands.DecideIrregularity, remedy=Remedy.VOID, why="红 A")
    expect(console.get_by_text("作废").first).to_be_visible()
    left |= english(console, own)
    for role, path, shown in (
        ("pit-manager", f"/pit/{table}", "外来牌"),
        ("cashier", "/cashier", "票券"),
        ("cashier", "/players", "新玩家"),
        ("auditor", "/audit", "最近各局"),
        ("auditor", f"/audit/rounds/{table}/{number}", "外来牌"),
        ("auditor", "/audit/search?least=1", "条"),
        ("auditor", "/audit/entries/5", "哈希值"),
        ("auditor", "/audit/verify", "核验"),
        ("pit-manager", "/odds?game=rws-nc-insurance", "按点数看保险"),
        ("administrator", "/admin", "人员"),
        ("administrator", "/admin/devices", "设备"),
        ("administrator", "/admin/permissions", "权限表"),
        ("administrator", "/admin/program", "程序"),
        ("dealer", "/", "正在进行"),
        ("dealer", "/console", "牌桌"),
        ("dealer", "/odds", "赔率"),
    ):
        page = windows.staff(role, path, **CHINESE)
        expect(page.get_by_text(shown).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        left |= {f"{path}: {text}" for text in english(page, own)}
        page.context.close()
    assert left == set()


def test_every_report(windows: Windows, own: list[str]) -> None:
    page = windows.staff("auditor", "/audit/reports", **CHINESE)
    left = set()
    for report in windows.get("auditor", "/api/reports"):
        page.goto(f"/audit/reports/{report['name']}")
        expect(page.locator("main table, main p").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        left |= {f"{report['name']}: {text}" for text in english(page, own)}
    assert left == set()


def test_a_rule_is_called_by_its_number_and_says_what_it_says_when_tapped(windows: Windows) -> None:
    """In Chinese and in English, and nobody reads an id."""
    windows.tell(lambda one: one.begin_round("worded-rule"))
    for look, called, says in (
        (CHINESE, "规则 4.10", "老虎游戏可提供老虎注项"),
        ({}, "Rule 4.10", "Tiger"),
    ):
        page = windows.terminal("worded-rule", 1, 1_000, **look)
        rule = page.get_by_role("button", name=called, exact=True).first
        rule.click()
        shown = page.get_by_role("dialog", name=called).first
        expect(shown).to_contain_text(says)
        expect(shown).to_contain_text("Marina Bay Sands")
        assert not re.search(r"\bmbs\b|interpretation [a-z]+-|§", page.locator("body").inner_text())
        page.keyboard.press("Escape")
        expect(shown).to_be_hidden()
        page.context.close()
