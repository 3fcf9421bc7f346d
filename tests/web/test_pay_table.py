"""The pay table beside the cards: the approved names, the row that paid in sight, the seat's total minimum."""

from playwright.sync_api import Page, expect

from tests.web.windows import Windows, spot

SHORT = {"width": 1366, "height": 650}  # the panel holds a third of the pay table
PAIR = "4S 2H 4D KC"  # Player 8 with a pair, Banker 2


def is_in_sight(page: Page, text: str) -> bool:
    """Whether the row lies inside the part of the panel that is shown."""
    panel = page.get_by_role("complementary", name="Pay table")
    outer, inner = panel.bounding_box(), panel.get_by_role("row").filter(has_text=text).bounding_box()
    assert outer
    assert inner
    return outer["y"] <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_the_row_that_paid_is_brought_into_sight(windows: Windows) -> None:
    windows.tell(lambda one: one.begin_round("paid"))
    page = windows.terminal("paid", 1, 100_000, viewport=SHORT)
    panel = page.get_by_role("complementary", name="Pay table")
    for name in ("Single Tiger Pair", "Double Tiger Pair", "Twin Tiger Pair"):
        expect(panel.get_by_role("row").filter(has_text=name)).to_have_count(1)
    expect(page.get_by_role("complementary", name="About this table")).to_contain_text("Total minimum bet is 1.00")
    spot(page, "Tiger Pair").click()
    expect(spot(page, "Tiger Pair")).to_contain_text("1.00registered")
    before = page.evaluate("document.scrollingElement.scrollTop")
    assert not is_in_sight(page, "Single Tiger Pair")
    windows.tell(lambda one: one.finish("paid", PAIR))
    lit = panel.get_by_role("row").filter(has_text="Single Tiger Pair")
    expect(lit).to_contain_class("lit")
    expect(spot(page, "Tiger Pair")).to_contain_text("+")  # it is lit as soon as declared, and brought once paid
    assert is_in_sight(page, "Single Tiger Pair")
    assert page.evaluate("document.scrollingElement.scrollTop") == before
