"""`llms.txt`: what there is to read, for programs that read; `llms-full.txt`, all that people wrote, in one file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from docs_site.pages import Place, about, placed


def llms_txt(folder: Path, places: Sequence[Place]) -> str:
    return "\n".join(_lines(folder, places)) + "\n"


def _lines(folder: Path, places: Sequence[Place]) -> Iterator[str]:
    yield "# natural9"
    yield ""
    yield f"> {about(folder / 'index.md')}"
    for part in places:
        yield ""
        yield f"## {part.title}"
        yield ""
        for one in placed(part.below):
            words = about(folder / one.page)
            yield f"- [{one.title}]({one.page}){': ' + words if words else ''}"


def llms_full_txt(folder: Path, places: Sequence[Place]) -> str:
    written = [one.page for one in placed(places) if not one.page.startswith("reference/")]
    return "\n\n".join((folder / page).read_text(encoding="utf-8") for page in written)
