"""A bet's and a voucher's receipt in a real browser: told, taken along, and checked there without the house."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from natural9.store.receipt import check_receipt, read_receipt
from tests.web.eyes import look_at
from tests.web.windows import NOBODY, Windows, spot


def test_a_bets_receipt_holds_here_there_and_in_python(windows: Windows, tmp_path: Path) -> None:
    windows.tell(lambda visit: visit.begin_round("proved"))
    page = windows.terminal("proved", 1, 10_000, viewport={"width": 1280, "height": 800})
    spot(page, "Player").click()
    expect(spot(page, "Player")).to_contain_text(re.compile(r"\dregistered"))
    page.get_by_role("button", name="Last rounds").click()
    dialog = page.get_by_role("dialog", name="Last rounds")
    dialog.get_by_role("button", name="Show").first.click()
    dialog.get_by_role("button", name="Receipt").first.click()
    expect(dialog).to_contain_text("Seat 1 bets")
    picture = dialog.get_by_role("img", name="QR code of the receipt")
    page.wait_for_function("picture => picture.complete && picture.naturalWidth > 20", arg=picture.element_handle())
    when = dialog.locator("dt", has_text="Time").locator("+ dd").inner_text()
    assert when.endswith("GMT+8")  # Singapore's
    dialog.get_by_role("button", name="Check it here").click()
    expect(dialog.get_by_role("status")).to_contain_text("This receipt holds.")
    look_at(page)
    dialog.get_by_role("button", name="Print").click()
    expect(dialog.get_by_text("Printed.")).to_be_visible()
    slips = windows.server.folder / "slips-proved-1"
    [slip] = slips.glob("receipt-proved-*.escpos")
    assert b"Table proved, seat 1\n" in slip.read_bytes()
    slip.unlink()
    slips.rmdir()
    slips.touch()  # nothing can be printed there
    windows.expect_error(r"/api/receipt/print: .*status of 409")
    dialog.get_by_role("button", name="Print").click()
    expect(dialog.get_by_text("Not printed, the printer is away")).to_be_visible()
    look_at(page)
    with page.expect_download() as saving:
        dialog.get_by_role("link", name="Save as a file").click()
    saved = tmp_path / saving.value.suggested_filename
    saving.value.save_as(saved)
    receipt = read_receipt(saved.read_bytes())
    check_receipt(receipt)
    assert (receipt.entry.stream, receipt.entry.kind) == ("table/proved", "bet-placed")

    windows.expect_error(NOBODY)
    anybody = windows.stranger("/receipt", timezone_id="America/New_York")
    expect(anybody.get_by_text("What the receipt says is shown here")).to_be_visible()
    anybody.get_by_label("Choose the file").set_input_files(saved)
    expect(anybody.get_by_role("status")).to_contain_text("This receipt holds.")
    expect(anybody.locator("dt", has_text="Time").locator("+ dd")).to_have_text(when)
    anybody.get_by_label("The key of the house").fill(receipt.key)
    expect(anybody.get_by_role("status")).to_contain_text("That is the key you gave.")
    look_at(anybody)
    told = json.loads(saved.read_bytes())
    told["entry"]["transfers"][0][3] += 100
    pasted = anybody.get_by_label("Or paste the text")
    pasted.fill(json.dumps(told))
    expect(anybody.get_by_role("status")).to_contain_text("This receipt does not hold.")
    pasted.fill("natural9:7-3-1:ABCD")
    expect(anybody.get_by_role("alert")).to_contain_text("This is no receipt")
    anybody.get_by_role("button", name="Another receipt").click()
    expect(anybody.get_by_text("What the receipt says is shown here")).to_be_visible()


def test_a_voucher_has_a_receipt_while_it_is_shown(windows: Windows) -> None:
    page = windows.terminal("proved", 2, 5_000)
    page.get_by_role("button", name="COLLECT").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Collect 50.00").click()
    dialog.get_by_role("button", name="Receipt").click()
    receipt = dialog.get_by_role("region", name="Receipt")
    expect(receipt).to_contain_text("Seat 2: voucher")
    receipt.get_by_role("button", name="Check it here").click()
    expect(receipt.get_by_role("status")).to_contain_text("This receipt holds.")
