"""The built site is whole: every link, anchor and picture is there, and no page asks another house for anything."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself; a link that somebody follows may lead anywhere.
FETCHED: Final = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}
_HARMLESS_LINKS: Final = {"canonical", "prev", "next", "alternate", "edit"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        self.anchors |= {of[name] for name in ("id", "name") if of.get(name)}
        if tag == "a" and of.get("href"):
            self.links.append(of["href"])
        source = of.get(FETCHED.get(tag, ""), "")
        if source and of.get("rel") not in _HARMLESS_LINKS:
            self.fetched.append(source)


@cache
def _read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def complaints(site: Path) -> Iterator[str]:
    """All that is wrong, a line each."""
    _read.cache_clear()
    for page in sorted(site.rglob("*.html")):
        name = page.relative_to(site).as_posix()
        if name == "404.html":  # it is shown at any address, and so has only absolute ones
            continue
        for source in _read(page).fetched:
            if urlsplit(source).scheme or source.startswith("//"):
                yield f"{name}: asks {source}"
            elif wrong := _wrong(site, page, source):
                yield f"{name}: {wrong}"
        for link in _read(page).links:
            if not urlsplit(link).scheme and (wrong := _wrong(site, page, link)):
                yield f"{name}: {wrong}"
    for sheet in sorted(site.rglob("*.css")):
        if "url(http" in (text := sheet.read_text(encoding="utf-8")) or "url(//" in text:
            yield f"{sheet.relative_to(site)}: asks another house"


def _wrong(site: Path, page: Path, link: str) -> str:
    parts = urlsplit(link)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return f"{link} leads nowhere"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _read(target).anchors:
        return f"{link} has no such heading"
    return ""
