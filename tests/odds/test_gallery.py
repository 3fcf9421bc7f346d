"""The plots of docs/gallery.md are those that their script draws, and the page shows each of them."""

from bench.gallery import FOLDER, drawn
from bench.published import DOCS


def test_the_plots_are_as_they_are_drawn() -> None:
    found = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    assert found == drawn(), "run `python -m bench.gallery`"


def test_the_page_shows_each_of_them() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [path.name for path in sorted(FOLDER.glob("*.svg")) if f"plots/{path.name})" not in page] == []
