"""Other eyes on a page: axe's, and those of somebody with a phone or a 27-inch screen."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as NeverCame

from tests.web.resize import resize
from tests.web.windows import LARGE, PHONE

NOT_REACHED = """within => {
    const controls = document.querySelectorAll('button, a[href], input, select, textarea, summary');
    const open = document.querySelector('dialog[open]') ?? document.querySelector(within);
    return [...controls].filter(one => open.contains(one) && one.checkVisibility({visibilityProperty: true}))
        .filter(one => {
            one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
            const box = one.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const hit = document.elementFromPoint(x, y);
            const inside = box.left >= -1 && box.right <= innerWidth + 1 && y >= 0 && y <= innerHeight;
            return !inside || !hit || !(one.contains(hit) || hit.closest('label')?.contains(one));
        })
        .map(one => `${one.tagName} ${one.textContent.trim() || one.ariaLabel || one.name}`.slice(0, 80));
}"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@cache
def _axe() -> str:
    return (Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js").read_text()


def look_at(page: Page, *, within: str = "body") -> None:
    """With axe's eyes, then on a phone and on 27 inches."""
    faults = serious_faults(page)
    before = page.viewport_size
    for size in (PHONE, LARGE):
        resize(page, size["width"], size["height"])
        faults += [f"{size['width']} wide: {fault}" for fault in unreachable(page, within)]
        if size == PHONE:
            faults += [f"{size['width']} wide: {fault}" for fault in serious_faults(page)]
    assert before
    resize(page, before["width"], before["height"])
    assert not faults, "\n".join(faults)


def unreachable(page: Page, within: str = "body") -> Iterator[str]:
    try:
        page.wait_for_function(f"{TOO_WIDE} <= 0", timeout=3_000)  # a frame or two after the turn of the screen
    except NeverCame:
        if (over := page.evaluate(TOO_WIDE)) > 0:  # a slow machine has perhaps not looked in that time
            yield f"{over} px too wide"
    try:
        page.wait_for_function(f"within => ({NOT_REACHED})(within).length === 0", arg=within, timeout=3_000)
    except NeverCame:
        yield from (f"not reached: {control}" for control in page.evaluate(NOT_REACHED, within))


# A key that has just come alive is still on its way from grey: what moves on for ever is left alone.
COME_TO_REST = """Promise.all(document.getAnimations()
    .filter(one => one.effect.getComputedTiming().endTime !== Infinity)
    .map(one => one.finished.catch(() => null))).then(() => true)"""


# Who speaks to a page says what they read on a key: axe leaves that out unless it is asked.
ASKED = "{resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}}"


def serious_faults(page: Page) -> list[str]:
    page.evaluate(COME_TO_REST)
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found: list[Any] = page.evaluate(f"axe.run({ASKED}).then(found => found.violations)")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
