"""What a player's terminal loads before the first bet can be laid, gzipped: all its JavaScript, under 80 kB.

A real Chromium opens /terminal at a table of the demo; every file that it asks for is counted, as gzip -9 leaves it.
Styles and fonts are counted too, for information. Then the dialogs and views are opened: nothing more should be loaded.
"""

import gzip
import sys

from playwright.sync_api import Page, Response

from bench.browser import MAY_BET, chromium, demo, enter, open_page

AIM_BYTES = 80_000
KINDS = {"script": "JavaScript", "stylesheet": "styles", "font": "fonts"}


def loaded_bytes(responses: list[Response], kind: str) -> list[int]:
    """Of each file of this kind, gzipped; fonts are compressed already."""
    bodies = [response.body() for response in responses if response.request.resource_type == kind]
    return [len(body) if kind == "font" else len(gzip.compress(body, 9)) for body in bodies]


def sent_bytes(responses: list[Response]) -> int:
    """What went over the line for the scripts: gzipped only if the server gzips."""
    scripts = [response for response in responses if response.request.resource_type == "script"]
    return sum(int(response.headers.get("content-length", 0)) or len(response.body()) for response in scripts)


def open_everything(page: Page) -> None:
    page.keyboard.press("v")
    page.keyboard.press("v")
    page.keyboard.press("v")
    for name in ("HELP", "COLLECT", "INSERT VOUCHER", "Settings", "Last rounds"):
        page.get_by_role("button", name=name).first.click()
        page.wait_for_timeout(300)
        page.keyboard.press("Escape")


def main() -> None:
    with demo("--fast") as address, chromium() as browser:
        context = enter(browser, address, "terminal", table="tiger-1")
        responses: list[Response] = []
        context.on("response", lambda response: responses.append(response))  # a builtin is not taken
        page = open_page(context, "/terminal")
        page.wait_for_selector(MAY_BET)
        page.wait_for_timeout(1000)
        sizes = {kind: loaded_bytes(responses, kind) for kind in KINDS}
        open_everything(page)
        sent = sent_bytes(responses)
        later = sum(loaded_bytes(responses, "script")) - sum(sizes["script"])
    for kind, title in KINDS.items():
        how = "as they are" if kind == "font" else "gzipped"
        print(f"{title:11} {sum(sizes[kind]) / 1e3:6.1f} kB {how}, {len(sizes[kind])} files")
    print(f"loaded later, by views and dialogs: {later / 1e3:.1f} kB of JavaScript")
    print(f"sent by this server for them: {sent / 1e3:.1f} kB")
    whole = sum(sizes["script"]) + later
    print(f"JavaScript of the terminal: {whole / AIM_BYTES:.2f} of the {AIM_BYTES / 1e3:.0f} kB it may have")
    if whole > AIM_BYTES:
        sys.exit("too large")


if __name__ == "__main__":
    main()
