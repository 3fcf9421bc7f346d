"""Credit becomes a voucher; the voucher becomes cash or credit elsewhere, once."""

import os
import re
import signal

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from natural9.table.commands import staff
from tests.server.live_server import PEOPLE, password
from tests.web.eyes import look_at
from tests.web.windows import Windows, meter

CREDIT = 25_000
MOMENT = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d")


def collect(page: Page) -> tuple[str, str]:
    """All credit of a terminal as a voucher: its number and its code."""
    page.get_by_role("button", name="COLLECT").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Collect 250.00").click()
    expect(dialog).to_contain_text("Your voucher")
    expect(dialog).to_contain_text("SGD 250.00")
    picture = dialog.get_by_role("img", name="QR code of the voucher")
    page.wait_for_function("picture => picture.complete && picture.naturalWidth > 20", arg=picture.element_handle())
    number, code = (dialog.locator("dt", has_text=name).locator("+ dd").inner_text() for name in ("Number", "Code"))
    page.keyboard.press("Escape")  # a voucher is money: only its own button takes it away
    expect(dialog).to_be_visible()
    page.reload()  # nor does a page loaded anew
    for shown in ("Your voucher", "SGD 250.00", number, code):
        expect(dialog).to_contain_text(shown)
    assert code not in page.evaluate("JSON.stringify({...localStorage})")
    dialog.get_by_role("button", name="I have it").click()
    expect(dialog).to_have_count(0)
    page.reload()
    expect(meter(page, "CREDIT")).to_have_text("0.00")
    expect(dialog).to_have_count(0)
    return number, code


def test_cash_out_and_redemption(windows: Windows) -> None:
    number, code = collect(windows.terminal("cash", 1, CREDIT))
    desk = windows.staff("cashier", "/cashier")
    _scan(desk, number, code)
    voucher = desk.get_by_role("region", name="Voucher", exact=True)
    expect(voucher).to_contain_text("250.00")
    voucher.get_by_role("button", name="Pay out 250.00").click()
    sure = desk.get_by_role("dialog", name="Pay out?")
    expect(sure).to_contain_text(f"Cash out of the drawer, for voucher {number}.")
    sure.get_by_role("button", name="Cancel").click()
    expect(desk.get_by_role("article")).to_have_count(0)
    voucher.get_by_role("button", name="Pay out 250.00").click()
    sure.get_by_role("button", name="Cash is counted: pay out").click()
    receipt = desk.get_by_role("article")
    expect(receipt).to_contain_text("Voucher paid")
    expect(receipt).to_contain_text(number)
    expect(receipt).to_contain_text(re.compile(r"Receipt no\.\s*[1-9]\d*"))
    expect(receipt).to_contain_text(MOMENT)
    desk.get_by_role("button", name="Next customer").click()
    expect(desk.get_by_role("complementary")).to_contain_text("−250.00")

    windows.expect_error(r"/api/vouchers/look: .*status of 409")
    _scan(desk, number, code)
    expect(voucher.get_by_role("alert")).to_contain_text("Not done.")
    expect(voucher.get_by_role("alert")).to_contain_text(
        f"Voucher {number} was paid at the desk by {PEOPLE['cashier']}"
    )
    expect(voucher.get_by_role("alert")).to_contain_text(MOMENT)
    expect(voucher.get_by_role("button", name="Pay out")).to_have_count(0)


def test_much_cash_takes_a_second_signature(windows: Windows) -> None:
    windows.terminal("cash", 8)
    desk = windows.staff("cashier", "/cashier", bypass_csp=True)
    desk.get_by_label("Voucher or terminal").fill("cash-8")
    desk.get_by_role("button", name="Find").click()
    desk.get_by_label("Amount").fill("12000")
    desk.get_by_role("button", name="Credit 12,000.00").click()
    sure = desk.get_by_role("dialog", name="Credit?")
    windows.expect_error(r"/api/tables/cash/commands: .*status of 40[39]")
    sure.get_by_role("button", name="Cash is counted: credit").click()
    expect(sure.get_by_role("alert")).to_contain_text("12,000.00 takes a second signature: above 10,000.00")
    sign(sure, "cashier")
    expect(sure.get_by_role("alert")).to_contain_text("another person does")
    sign(sure, "pit-supervisor")
    expect(sure.get_by_role("alert")).to_contain_text("it takes a Pit Manager or above")
    look_at(desk, within="dialog")
    sign(sure, "pit-manager")
    expect(desk.get_by_role("article")).to_contain_text("12,000.00")


def sign(dialog: Locator, role: str) -> None:
    dialog.get_by_label("Id of who signs").fill(PEOPLE[role])
    dialog.get_by_label("Password").fill(password(role))
    dialog.get_by_role("button", name="Cash is counted: credit").click()


def test_a_voucher_is_typed_on_the_screen_where_there_is_no_keyboard(windows: Windows) -> None:
    number, code = collect(windows.terminal("cash", 6, CREDIT))
    windows.do("pit-manager", "cash", staff.OpenTable)
    other = windows.terminal("cash", 7, bypass_csp=True, has_touch=True)
    other.get_by_role("button", name="INSERT VOUCHER").click()
    dialog = other.get_by_role("dialog")
    keys = dialog.get_by_role("group", name="Keys on the screen")
    for key in number:
        keys.get_by_role("button", name=key, exact=True).click()
    expect(dialog.get_by_label("Number")).to_have_value(number)
    look_at(other, within="dialog")
    dialog.get_by_label("Code").click()
    for key in code.replace("-", "")[:5]:
        keys.get_by_role("button", name=key, exact=True).click()
    keys.get_by_role("button", name="Delete").click()
    for key in code.replace("-", "")[4:]:
        keys.get_by_role("button", name=key, exact=True).click()
    expect(dialog.get_by_label("Code")).to_have_value(code)
    dialog.get_by_role("button", name="Add to credit").click()
    expect(meter(other, "CREDIT")).to_have_text("250.00")


def test_a_voucher_is_good_at_another_terminal_once(windows: Windows) -> None:
    number, code = collect(windows.terminal("cash", 2, CREDIT))
    windows.do("pit-manager", "bank", staff.OpenTable)  # a closed table takes no money
    other = windows.terminal("bank", 7)
    _insert(other, number, code)
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(meter(other, "CREDIT")).to_have_text("250.00")
    _insert(other, number, code)
    expect(other.get_by_role("dialog").get_by_role("alert")).to_contain_text(number)
    expect(meter(other, "CREDIT")).to_have_text("250.00")


def test_a_slip_survives_a_reload_between_asking_and_the_answer(windows: Windows) -> None:
    """The journal stands still: the cash-out is asked, nobody can be answered, and the page is loaded anew, twice."""
    page = windows.terminal("cash", 3, CREDIT)
    page.get_by_role("button", name="COLLECT").click()
    dialog, journal = page.get_by_role("dialog"), windows.server.journal_pid
    os.kill(journal, signal.SIGSTOP)
    try:
        dialog.get_by_role("button", name="Collect 250.00").click()
        expect(dialog.get_by_role("button", name="One moment")).to_be_visible()
        page.reload()
        page.reload()
    finally:
        os.kill(journal, signal.SIGCONT)
    for shown in ("Your voucher", "SGD 250.00", "cash-3-1"):
        expect(dialog).to_contain_text(shown)
    expect(meter(page, "CREDIT")).to_have_text("0.00")
    code = dialog.locator("dt", has_text="Code").locator("+ dd").inner_text()
    page.evaluate("sessionStorage.clear()")  # as a browser that was started anew
    page.reload()
    expect(dialog).to_contain_text(code)
    dialog.get_by_role("button", name="I have it").click()
    page.reload()
    expect(meter(page, "CREDIT")).to_have_text("0.00")
    expect(dialog).to_have_count(0)
    assert "cash-out" not in page.evaluate("JSON.stringify({...localStorage})")
    desk = windows.staff("cashier", "/cashier")
    _scan(desk, "cash-3-1", code)
    expect(desk.get_by_role("region", name="Voucher", exact=True)).to_contain_text("250.00")


def test_a_reload_before_it_was_heard_collects_nothing_and_the_next_tap_does(windows: Windows) -> None:
    page = windows.terminal("cash", 4, CREDIT)
    hears = False

    def carry(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda said: server.send(said) if hears or "cash-out" not in str(said) else None)

    page.route_web_socket("**/ws/table/*", carry)
    page.reload()
    page.get_by_role("button", name="COLLECT").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Collect 250.00").click()
    expect(dialog.get_by_role("button", name="One moment")).to_be_visible()
    hears = True
    page.reload()
    expect(meter(page, "CREDIT")).to_have_text("250.00")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="COLLECT").click()
    dialog.get_by_role("button", name="Collect 250.00").click()
    expect(dialog).to_contain_text("cash-4-1")
    dialog.get_by_role("button", name="I have it").click()
    expect(meter(page, "CREDIT")).to_have_text("0.00")


def _scan(desk: Page, number: str, code: str) -> None:
    desk.get_by_label("Voucher or terminal").click()
    desk.keyboard.type(f"natural9:{number}:{code}")  # as a scanner does: key by key, then Enter
    desk.keyboard.press("Enter")


def _insert(terminal: Page, number: str, code: str) -> None:
    terminal.get_by_role("button", name="INSERT VOUCHER").click()
    terminal.get_by_role("dialog").get_by_label("Number").click()
    terminal.keyboard.type(f"natural9:{number}:{code}")
    terminal.keyboard.press("Enter")


def test_a_scan_while_the_page_still_loads_is_looked_up(windows: Windows) -> None:
    desk = windows.staff("cashier", "/")
    desk.route("**/api/venue", lambda _: None)  # held
    desk.goto("/cashier")
    field = desk.get_by_label("Voucher or terminal")
    field.fill("cash-1")
    field.press("Enter")
    expect(desk.get_by_role("region", name="Terminal")).to_have_count(0)
    desk.unroute("**/api/venue")
    expect(desk.get_by_role("region", name="Terminal")).to_contain_text("Credit balance")


def test_a_cashiers_shift_from_the_float_to_the_close_out(windows: Windows) -> None:
    desk = windows.staff("cashier", "/cashier", bypass_csp=True)
    drawer = desk.get_by_role("complementary")
    drawer.get_by_role("button", name="Open the drawer").click()
    dialog = desk.get_by_role("dialog")
    expect(dialog.get_by_label("Float")).to_be_focused()
    dialog.get_by_label("Float").fill("abc")
    expect(dialog.get_by_role("button", name="Open with")).to_be_disabled()
    dialog.get_by_label("Float").fill("1000")
    look_at(desk, within="dialog")
    dialog.get_by_role("button", name="Open with 1,000.00").click()
    expect(desk.get_by_role("article")).to_contain_text("Float")
    expect(drawer).to_contain_text("with a float of 1,000.00")
    drawer.get_by_role("button", name="Fill").click()
    dialog.get_by_label("Amount").fill("500")
    dialog.get_by_role("button", name="Cash is counted: fill 500.00").click()
    expect(desk.get_by_role("article")).to_contain_text("Fill")
    desk.reload()  # a drawer stays open
    drawer.get_by_role("button", name="Count and close").click()
    dialog.get_by_label("Cash counted").fill("0")
    dialog.get_by_role("button", name="Close with 0.00").click()
    slip = desk.get_by_role("article")
    for shown in ("Close-out", "Fills", "500.00", "Expected", "short"):
        expect(slip).to_contain_text(shown)
    look_at(desk)
    slip.get_by_role("button", name="Done").click()
    expect(drawer.get_by_role("button", name="Open the drawer")).to_be_visible()


def test_money_that_was_not_answered_for_is_told_of_after_a_reload(windows: Windows) -> None:
    """Whoever presses again after a reload would give it twice."""
    windows.terminal("cash", 9)
    desk = windows.staff("cashier", "/cashier", bypass_csp=True)
    desk.get_by_label("Voucher or terminal").fill("cash-9")
    desk.get_by_role("button", name="Find").click()
    desk.get_by_label("Amount").fill("60")
    desk.get_by_role("button", name="Credit 60.00").click()
    desk.route("**/commands", lambda route: (route.fetch(), route.abort()))
    windows.expect_error("ERR_FAILED")
    sure = desk.get_by_role("dialog", name="Credit?")
    sure.get_by_role("button", name="Cash is counted: credit").click()
    expect(sure.get_by_role("button", name="Being checked …")).to_be_visible()
    desk.unroute("**/commands")
    desk.route("**/commands", lambda route: None)
    desk.reload()
    told = desk.get_by_role("alert")
    expect(told).to_contain_text("it is perhaps done. Look at the last transactions before you do it again.")
    look_at(desk)
    told.get_by_role("button", name="I have looked").click()
    expect(told).to_have_count(0)
    desk.reload()
    expect(desk.get_by_label("Voucher or terminal")).to_be_visible()
    expect(told).to_have_count(0)
