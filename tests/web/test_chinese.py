"""The screens in Chinese: the words of the approved layouts, and no English that has a translation, whoever said it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands
from natural9.table.commands import staff
from tests.web.windows import Windows

LISTS = Path(__file__).parents[2] / "web/src/languages/zh"
CHINESE = {"locale": "zh-CN"}  # the browser's own language is taken until another is chosen
READ = """() => {
    const shown = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (walk.currentNode.parentElement.checkVisibility()) shown.push(walk.currentNode.data);
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [alt]'))
        shown.push(one.ariaLabel ?? '', one.placeholder ?? '', one.alt ?? '');
    return shown.map(text => text.trim().replace(/\\s+/g, ' ')).filter(Boolean);
}"""
GAP = re.compile(r"\{\w+\}")
PAIR = re.compile(r"""^\s*(?:'((?:[^'\\]|\\.)+)'|"([^"]+)"|(\w+)):\s*\n?\s*['"](.+?)['"],?$""", re.MULTILINE)


def translated(*lists: str) -> list[re.Pattern[str]]:
    """Every English sentence that has a Chinese one, as a pattern: {name} stands for anything."""
    found = [match for one in lists for match in PAIR.finditer((LISTS / one).read_text())]
    english = {(quoted or double or plain).replace("\\'", "'"): to for quoted, double, plain, to in _groups(found)}
    sentences = [text for text, to in english.items() if text != to and re.search(r"[a-z]{2}", GAP.sub("", text))]
    assert len(sentences) > 100
    return [re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text))) for text in sentences]


def _groups(found: list[re.Match[str]]) -> list[tuple[str, str, str, str]]:
    return [(match[1] or "", match[2] or "", match[3] or "", match[4]) for match in found]


def still_english(page: Page, sentences: list[re.Pattern[str]], names: tuple[str, ...] = ()) -> list[str]:
    """`names` are the venue's own: a table's title, and the English half of a spot's name."""
    words = [text for text in page.evaluate(READ) if re.search(r"[A-Za-z]{2}", text) and text not in names]
    return [text for text in words if any(one.fullmatch(text) for one in sentences)]


@pytest.fixture(scope="module")
def of_the_terminal() -> list[re.Pattern[str]]:
    return translated("common.ts", "terminal.ts")


@pytest.fixture(scope="module")
def of_the_console() -> list[re.Pattern[str]]:
    return translated("common.ts", "console.ts")


@pytest.fixture(scope="module")
def of_the_server() -> list[re.Pattern[str]]:
    return translated("play.ts", "people.ts", "server.ts")


def test_the_terminal_in_chinese(windows: Windows, of_the_terminal: list[re.Pattern[str]]) -> None:
    windows.tell(lambda one: one.begin_round("zh"))
    rules = windows.get("dealer", "/api/venue/tables/zh/rules")
    names = (rules["title"], *(wager["title"] for wager in rules["wagers"]))
    page = windows.terminal("zh", 1, 100_000, **CHINESE)
    status = page.get_by_role("banner").get_by_role("status")
    expect(status).to_contain_text("请下注")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    board = page.get_by_role("region", name="投注")
    for word in ("庄", "闲", "和", "老虎", "小老虎", "大老虎", "老虎和", "老虎对子"):
        expect(board.get_by_text(word, exact=True)).to_be_visible()
    board.get_by_role("button").filter(has=page.get_by_text("庄", exact=True)).click()
    expect(board).to_contain_text("已登记")
    faults = still_english(page, of_the_terminal, names)
    for name in ("收取", "插入票券", "帮助", "设置"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        faults += still_english(page, of_the_terminal, names)
        page.keyboard.press("Escape")
    windows.tell(lambda one: one.finish("zh", "9S 2H KD 6C"))
    expect(status).to_contain_text("闲")
    faults += still_english(page, of_the_terminal, names)
    assert not faults


def test_the_console_in_chinese(windows: Windows, of_the_console: list[re.Pattern[str]]) -> None:
    windows.do("pit-manager", "zh-boxes", staff.OpenTable)
    page = windows.staff("dealer", "/console/zh-boxes", **CHINESE)
    step = page.locator("#next-step")
    expect(step).not_to_be_empty()
    faults = still_english(page, of_the_console)
    windows.tell(lambda one: one.begin_round("zh-boxes"))
    for word in ("庄", "闲", "和"):
        expect(page.get_by_text(re.compile(word)).first).to_be_visible()
    for key in "rxvflm?":
        page.keyboard.press(key)
        faults += still_english(page, of_the_console)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert not faults
    page.get_by_role("button", name="English").click()
    expect(step).to_have_text("Close bets")
    page.reload()  # the choice is kept
    expect(step).to_have_text("Close bets")


def test_what_the_server_says_in_chinese(windows: Windows, of_the_server: list[re.Pattern[str]]) -> None:
    """A refusal at the terminal, and an irregularity at the console, in the pit and in the books."""
    table, titles = "zh-said", ("Tiger Baccarat",)  # the venue's own name for it
    number = windows.tell(lambda one: one.begin_round(table))
    terminal = windows.terminal(table, 1, 100_000, **CHINESE)
    board = terminal.get_by_role("region", name="投注")
    board.get_by_role("button").filter(has=terminal.get_by_text("庄", exact=True)).click()
    expect(board).to_contain_text("已登记")
    terminal.get_by_role("button", name="插入票券", exact=True).click()
    terminal.get_by_label("号码").fill("zh-said-9-9")
    terminal.get_by_label("验证码").fill("AAAA-BBBB-CCCC-DDDD")
    terminal.get_by_role("button", name="存入余额").click()
    expect(terminal.get_by_text("没有号码为 zh-said-9-9 且验证码相符的票券").first).to_be_visible()
    faults = still_english(terminal, of_the_server, titles)
    terminal.keyboard.press("Escape")

    console = windows.staff("dealer", f"/console/{table}", **CHINESE)
    expect(console.locator("#next-step")).not_to_be_empty()
    console.keyboard.press("r")
    expect(console.get_by_role("dialog")).to_contain_text("请先停止下注再报告")  # why it cannot be reported now
    faults += still_english(console, of_the_server, titles)
    console.keyboard.press("Escape")
    windows.do("dealer", table, commands.CloseBetting)
    windows.do("dealer", table, commands.ReportIrregularity, kind=Kind.FOREIGN_CARD)
    windows.do("pit-supervisor", table, commands.DecideIrregularity, remedy=Remedy.VOID, why="红 A")
    expect(console.get_by_text("外来牌").first).to_be_visible()
    faults += still_english(console, of_the_server, titles)

    pit = windows.staff("pit-manager", f"/pit/{table}", **CHINESE)
    expect(pit.get_by_text("外来牌").first).to_be_visible()
    faults += still_english(pit, of_the_server, titles)
    audit = windows.staff("auditor", f"/audit/rounds/{table}/{number}", **CHINESE)
    expect(audit.get_by_text("1 号座位在庄下注").first).to_be_visible()
    expect(audit.get_by_text(re.compile("报告异常.外来牌")).first).to_be_visible()
    faults += still_english(audit, of_the_server, titles)
    assert not faults
