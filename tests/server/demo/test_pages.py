"""The plain pages as files: everything our own, nothing inline, nothing read as markup."""

import re
from html.parser import HTMLParser

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from natural9.server.pages import FOLDER, PATH, pages_router

HTML = sorted(FOLDER.glob("*.html"))
SCRIPTS = sorted(FOLDER.glob("*.js"))


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside = ""
        self.inline = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in ("script", "style"):
            self.inline += data


def test_there_are_the_three_pages() -> None:
    assert [page.name for page in HTML] == ["console.html", "index.html", "terminal.html"]


@pytest.mark.parametrize("page", HTML, ids=lambda page: page.stem)
def test_a_page_has_no_inline_script_or_style_and_takes_only_our_own_files(page: object) -> None:
    tags = Tags(page.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    assert not tags.inline.strip()
    for tag, attributes in tags.found:
        assert tag != "style"
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        for name in ("src", "href"):
            if address := attributes.get(name):
                assert (FOLDER / address.removeprefix(f"{PATH}/")).is_file()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_nothing_that_came_over_the_wire_is_read_as_markup(script: object) -> None:
    text = script.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!www\.w3)", text
    )
    for imported in re.findall(r'from "([^"]+)"', text):
        assert (FOLDER / imported.removeprefix(f"{PATH}/")).is_file()


def test_pages_are_served_by_name_and_asked_for_again_only_when_changed() -> None:
    with TestClient(Litestar([pages_router()])) as client:
        for path, kind in (("/", "text/html"), ("/terminal.html", "text/html"), ("/common.js", "text/javascript")):
            answer = client.get(PATH + path)
            assert (answer.status_code, answer.headers["content-type"]) == (200, f"{kind}; charset=utf-8")
            assert answer.headers["cache-control"] == "no-cache"
            again = client.get(PATH + path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        assert client.get(PATH + "/pages.py").status_code == 404
        assert client.get(PATH + "/../pages.py").status_code == 404
