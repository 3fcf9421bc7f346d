"""A window of another size, once the page has come to rest in it: the browser answers before the page has turned."""

from playwright.sync_api import Page

# Sizes are measured by observers, which speak in the frame after: it has come to rest when three frames are alike.
SETTLED = """async ([width, height]) => {
    await document.fonts.ready;
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const boxes = () => [...document.querySelectorAll('body *')].reduce((sum, one) => {
        const {left, top, width, height} = one.getBoundingClientRect();
        return sum * 0.9 + left + 2 * top + 3 * width + 4 * height;
    }, 0);
    for (let alike = 0, last = NaN, left = 120; alike < 3 && left; left -= 1) {
        await frame();
        const now = innerWidth === width && innerHeight === height ? boxes() : NaN;
        alike = now === last ? alike + 1 : 0;
        last = now;
    }
}"""


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    at_rest(page, width, height)


def at_rest(page: Page, width: int, height: int) -> None:
    page.evaluate(SETTLED, [width, height])
