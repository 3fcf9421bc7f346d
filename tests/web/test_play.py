"""Player protection at the terminal: the session in sight, own limits, a break, a reality check; and in Chinese."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from natural9.table.commands import staff
from tests.server.live_server import Server, Visit, automatic, new_venue, running, visit
from tests.web.conftest import SLOW, open_windows
from tests.web.eyes import look_at
from tests.web.windows import PHONE, Windows, aside, meter, spot

OWN = "own-play"
PROTECTION = "[protection]\nreality_check = {minutes}\ncooling_off = 24\n"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A venue whose reality checks come with the first look at a session."""
    del browser
    folder = tmp_path_factory.mktemp("guarded")
    tables = [automatic("checks", "rws-nc", **SLOW)]
    aside(lambda: new_venue(folder, *tables, server=PROTECTION.format(minutes=0.05)))
    with running(folder) as server:
        yield server
        aside(lambda: asyncio.run(server.check_every_round()))


@pytest.fixture(scope="module")
def open_floor(floor: Server) -> Server:
    """Betting is open at the table that these tests play at."""

    async def story(one: Visit) -> None:
        await one.do("pit-manager", OWN, staff.OpenTable)

    aside(lambda: visit(floor, story))
    return floor


@pytest.fixture
def checked(browser: Browser, guarded: Server) -> Iterator[Windows]:
    yield from open_windows(browser, guarded)


def line(page: Page) -> Locator:
    return page.get_by_role("button", name="Manage my play")


def choose(dialog: Locator, group: str, choice: str) -> None:
    dialog.get_by_role("group", name=group).get_by_role("radio", name=choice, exact=True).check()


@pytest.mark.usefixtures("open_floor")
def test_the_session_is_in_sight_and_its_limits_hold(windows: Windows) -> None:
    page = windows.terminal(OWN, 1, 100_000, bypass_csp=True)
    expect(line(page)).to_contain_text("0 min")
    expect(line(page)).to_contain_text("0.00")
    line(page).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Money in")
    expect(dialog.get_by_role("button", name="Set my limits")).to_be_disabled()
    choose(dialog, "Stake in a round", "10.00")
    dialog.get_by_role("button", name="Set my limits").click()
    expect(dialog.get_by_role("status")).to_have_text("Your limits hold now.")
    look_at(page)
    choose(dialog, "Stake in a round", "No limit")
    dialog.get_by_role("button", name="Set my limits").click()
    expect(dialog).to_contain_text("No limit may be set in 24 h")
    expect(dialog.get_by_role("group", name="Stake in a round")).to_contain_text("10.00")
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="5.00", exact=True).click()
    for _ in range(2):
        spot(page, "Banker").click()
    expect(meter(page, "BET")).to_have_text("10.00")
    spot(page, "Banker").click()
    expect(page.get_by_role("alert")).to_contain_text("15.00 in this round is over your stake limit of 10.00")
    expect(meter(page, "BET")).to_have_text("10.00")


@pytest.mark.usefixtures("open_floor")
def test_a_break_locks_betting_and_says_how_long(windows: Windows) -> None:
    page = windows.terminal(OWN, 2, 100_000)
    line(page).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="30 min", exact=True).first.check()
    dialog.get_by_role("button", name="Start a break of 30 min").click()
    expect(dialog.get_by_role("status")).to_have_text("Your break has begun.")
    page.keyboard.press("Escape")
    expect(line(page)).to_contain_text("Break, 30 min left")
    spot(page, "Banker").click()
    expect(page.get_by_role("alert")).to_contain_text("You take a break: you can bet again in 30 min")
    page.reload()  # nor does a page loaded anew
    expect(line(page)).to_contain_text("Break,")


def test_a_reality_check_waits_for_its_own_keys(checked: Windows) -> None:
    page = checked.terminal("checks", 1, 50_000, bypass_csp=True)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Reality check")
    look_at(page)
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    page.reload()
    expect(dialog).to_contain_text("You have been playing for")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_have_count(0)
    expect(dialog).to_contain_text("Reality check")  # the next one
    dialog.get_by_role("button", name="Stop and collect").click()
    expect(dialog).to_contain_text("All credit of this terminal becomes a voucher")


@pytest.mark.usefixtures("open_floor")
def test_in_chinese_and_on_a_phone(windows: Windows) -> None:
    page = windows.terminal(OWN, 3, 100_000, viewport=PHONE, locale="zh-CN", bypass_csp=True)
    if page.locator("html").get_attribute("lang") != "zh-Hans":
        page.evaluate("localStorage.setItem('natural9-language', 'zh')")
        page.reload()
    page.get_by_role("button", name="掌控游戏").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("掌控游戏")
    expect(dialog).to_contain_text("调低立即生效")
    look_at(page)
