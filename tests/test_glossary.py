"""One thing, one word: the catalogues and the program's sentences keep to docs/glossary.md, in both languages."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from natural9.games.loader import paragraphs, register, wager_names
from tests.sentences import LANGUAGES, calls, sentences

PAGE: Final = Path(__file__).parents[1] / "docs" / "glossary.md"
SCREENS: Final = LANGUAGES.parent
# Everyday words, which Chinese says without as often as with: only what they must not be called is looked at.
EVERYDAY: Final = (
    "Player",
    "shoe",
    "squeeze",
    "insurance",
    "roads",
    "round",
    "Rule",
    "seat",
    "session",
    "hash",
    "table",
    "terminal",
    "credit",
)


class Term(NamedTuple):
    english: str
    chinese: str
    never: list[str]
    never_chinese: list[str]


def terms() -> list[Term]:
    rows = re.findall(r"^\| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows[1:] if not row.startswith("--")]
    return [
        Term(english, chinese, [one for one in never.split(", ") if one], [one for one in never_zh.split("、") if one])
        for english, chinese, _, never, never_zh in cells
    ]


def told() -> dict[str, str]:
    """Everything that is said in both languages: English to Chinese."""
    said = sentences("zh")
    for entry in register():
        other = entry.languages["zh"]
        said |= {entry.title: other.title, entry.reading: other.reading}
        said |= {entry.rejected: other.rejected, entry.why: other.why}
    said |= {one.says: one.languages["zh"] for one in paragraphs().values() if "zh" in one.languages}
    return said | {names["en"]: names["zh"] for names in wager_names().values()}


def test_the_page_has_a_word_in_both_languages_for_each_term() -> None:
    found = terms()
    assert len(found) > 20
    assert len({term.english for term in found}) == len(found)
    assert [term for term in found if not term.english or not term.chinese] == []


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.english)
def test_nothing_is_called_what_it_must_not_be_called(term: Term) -> None:
    said = told()
    english = {*said, *(call.template or "" for call in calls())}
    assert [(word, text) for word in term.never for text in english if word.lower() in text.lower()] == []
    assert [(word, text) for word in term.never_chinese for text in said.values() if word in text] == []


@pytest.mark.parametrize(
    "term", [term for term in terms() if term.english not in EVERYDAY], ids=lambda term: term.english
)
def test_where_the_english_has_the_term_the_chinese_has_its_word(term: Term) -> None:
    name = term.english.removeprefix("the ")
    whole = re.compile(rf"\b{re.escape(name)}\b" if name[0].isupper() else rf"(?i:\b{re.escape(name)}\b)")
    lacking = {
        english: chinese
        for english, chinese in told().items()
        if whole.search(re.sub(r"\{\w+\}", "", english)) and term.chinese not in chinese
    }
    assert lacking == {}


def test_what_the_screens_write_themselves_keeps_to_it_as_well() -> None:
    """Chinese that stands in a screen, outside every list: names of spots and roads."""
    never = [word for term in terms() for word in term.never_chinese]
    written = {path: path.read_text(encoding="utf-8") for path in SCREENS.rglob("*.svelte")}
    assert [(path.name, word) for path, text in written.items() for word in never if word in text] == []
