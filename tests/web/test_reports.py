"""The auditor's page draws any report that the server lists, with its columns and filters."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.filters import FilterKind
from tests.server.live_server import Server, Visit, visit
from tests.web.eyes import look_at
from tests.web.windows import Windows, aside

TABLE = "reported"


def tables(page: Page) -> Locator:
    """The choice of a table among the filters."""
    return page.locator("form label", has_text=re.compile(r"^\s*Table")).locator("select")


@pytest.fixture(scope="module")
def evening(floor: Server) -> None:
    async def story(one: Visit) -> None:
        await one.begin_round(TABLE)
        terminal = await one.sit(TABLE, 1, 100_000)
        await terminal.betting_open()
        await terminal.bet("banker", 2_500)
        await one.finish(TABLE, "9S 2H KD 6C")
        await (await one.person("cashier")).post("/api/players", {"name": "Lim"})  # so that players' reports are listed

    aside(lambda: visit(floor, story))


@pytest.mark.usefixtures("evening")
def test_every_report_of_the_catalogue_is_on_the_auditors_page(windows: Windows) -> None:
    page = windows.staff("auditor", "/audit/reports", bypass_csp=True)
    listed = page.get_by_role("navigation", name="Reports").get_by_role("link")
    expect(listed).to_have_text([report.title for report in REPORTS])
    for report in REPORTS:
        listed.get_by_text(report.title, exact=True).click()
        expect(page.get_by_role("heading", name=report.title)).to_be_visible()
        by_table = any(one.filter.kind is FilterKind.TABLE for one in report.parameters)
        expect(tables(page)).to_have_count(int(by_table))
        by_day = any(one.filter.kind is FilterKind.DAYS for one in report.parameters)
        expect(page.get_by_label("From day")).to_have_count(int(by_day))


@pytest.mark.usefixtures("evening")
def test_rows_are_drawn_by_kind_filtered_and_summed(windows: Windows) -> None:
    page = windows.staff("auditor", "/audit/reports/win", bypass_csp=True)
    tables(page).select_option(TABLE)
    [win] = [report for report in REPORTS if report.name == "win"]
    cells = page.get_by_role("region", name="Win").get_by_role("row").nth(1).get_by_role("cell")
    expect(page.get_by_role("columnheader")).to_have_text([one.title for one in win.columns if one.on_screen])
    expect(cells.nth(4)).to_have_text("1,000.00")  # the drop
    expect(cells.last).to_have_text("100.000%")

    page.get_by_role("link", name="Meters").click()
    tables(page).select_option(TABLE)
    rows = page.get_by_role("region", name="Meters").locator("tbody tr")
    expect(rows.locator("td:nth-child(2)")).to_have_text(["1", "all"])
    expect(rows.nth(1)).to_have_class(re.compile("total"))

    page.get_by_role("link", name="Transactions").click()
    page.get_by_label("Account").fill(f"credit/{TABLE}-1")
    rows = page.get_by_role("region", name="Transactions").locator("tbody tr")
    expect(rows.locator("td:nth-child(4)")).to_have_text(["Bet", "Buy in"])
    look_at(page)
