"""All pages as they go into the site: those of docs/, those made from the code, and the few that lie elsewhere."""

import re
import shutil
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from docs_site.reference import reference_pages

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
ELSEWHERE: Final = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "LICENSE")
_NOT_SHOWN: Final = {".py", ".ipynb"}  # a notebook is shown as a page


class Place(NamedTuple):
    """A page in the navigation, or several below a title."""

    title: str
    page: str = ""
    below: Sequence["Place"] = ()


def write_pages(folder: Path) -> None:
    """Everything that the site is built from."""
    for source in sorted(DOCS.rglob("*")):
        if source.is_file() and source.suffix not in _NOT_SHOWN:
            target = folder / source.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix == ".md":
                target.write_text(_inward(source.read_text(encoding="utf-8")), encoding="utf-8")
            else:
                shutil.copyfile(source, target)
    for name in ELSEWHERE:
        if (ROOT / name).exists():
            (folder / name).write_text(_from_the_root((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "notebooks").mkdir(exist_ok=True)
    for script in sorted((DOCS / "notebooks").glob("*.py")):
        (folder / "notebooks" / f"{script.stem}.md").write_text(notebook_page(script), encoding="utf-8")
        shutil.copyfile(script.with_suffix(".ipynb"), folder / "notebooks" / f"{script.stem}.ipynb")
    for path, text in reference_pages().items():
        target = folder / "reference" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    shutil.copyfile(Path(__file__).with_name("looks.css"), folder / "looks.css")


def _inward(text: str) -> str:
    """What lies beside docs/ lies on the site in it."""
    return re.sub(r"\]\(((?:\.\./)*)\.\./(?=[A-Z])", r"](\1", text)


def _from_the_root(text: str) -> str:
    return re.sub(r"\]\(docs/", "](", text)


def notebook_page(script: Path) -> str:
    """A notebook's script as a page: its words as words, its code as code."""
    words: list[str] = []
    for cell in re.split(r"^# %%", script.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        kind, _, body = cell.partition("\n")
        if "[markdown]" in kind:
            words.append(re.sub(r"^# ?", "", body, flags=re.MULTILINE).strip())
        else:
            words.append(f"```python\n{body.strip()}\n```")
    words.append(f"As a notebook: [{script.stem}.ipynb]({script.stem}.ipynb).")
    return "\n\n".join(words) + "\n"


def navigation(folder: Path) -> list[Place]:
    """The navigation, with the pages of whole folders, for the pages that lie in this one."""
    parts = tomllib.loads(Path(__file__).with_name("navigation.toml").read_text(encoding="utf-8"))["part"]
    return [Place(part["title"], below=[_place(folder, *one) for one in part["pages"]]) for part in parts]


def _place(folder: Path, title: str, page: str) -> Place:
    if not page.endswith("/"):
        return Place(title, page)
    paths = sorted((folder / page).glob("*.md"), key=lambda path: (path.stem not in ("index", "README"), path.name))
    return Place(title, below=[Place(title_of(path), path.relative_to(folder).as_posix()) for path in paths])


def title_of(path: Path) -> str:
    """The first heading of a page."""
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{path.name} has no title"
    return found[1].replace("`", "")


def about(path: Path) -> str:
    """What a page is about, in a sentence: what it says of itself, or the first that it says."""
    text = path.read_text(encoding="utf-8")
    if said := re.match(r'---\ndescription: "(.*)"\n---', text):
        return said[1]
    body = text.removeprefix("# ") if text.startswith("# ") else text.partition("\n# ")[2]
    for part in re.split(r"\n\s*\n", body)[1:]:
        if re.match(r"(?!```)[A-Z`*“一-龥]", part.strip()):
            plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(part.split()))
            return re.split(r"(?<=\.)\s|(?<=。)", plain)[0].removesuffix(":")
    return ""


def placed(places: Sequence[Place]) -> Iterator[Place]:
    """Every page of the navigation, in its order."""
    for place in places:
        if place.page:
            yield place
        yield from placed(place.below)
