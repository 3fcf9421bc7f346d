"""A tutorial's commands print what it shows, its Python runs, and what it says is on a screen is there.

Those that take long run by `make docs-test`.
"""

import doctest
from pathlib import Path

import pytest

from docs_site.pages import DOCS
from docs_site.tutorials import complaints, on_the_screen, pages, steps
from tests.sentences import sentences

PAGES = {page.relative_to(DOCS).as_posix(): page for page in pages()}
TUTORIALS = {name: page for name, page in PAGES.items() if name.startswith("tutorials/")}
PEOPLE = (
    "player", "dealer", "supervisor", "cashier", "auditor", "administrator", "mathematician", "programmer", "engineer",
)  # fmt: skip


def test_everybody_has_a_tutorial_and_players_and_dealers_have_it_in_chinese() -> None:
    assert set(TUTORIALS) == {f"tutorials/{who}.md" for who in PEOPLE} | {
        "tutorials/zh/player.md",
        "tutorials/zh/dealer.md",
    }
    assert all(list(steps(page)) for page in TUTORIALS.values())


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if any(not one.is_slow for one in steps(page))])
def test_its_commands_print_what_it_shows(name: str) -> None:
    assert not list(complaints(PAGES[name], slow=False))


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if ">>> " in page.read_text(encoding="utf-8")])
def test_its_python_runs(name: str) -> None:
    failed, tried = doctest.testfile(str(PAGES[name]), module_relative=False)
    assert tried
    assert not failed


@pytest.mark.parametrize("name", TUTORIALS)
def test_what_it_says_is_on_the_screen_is_there(name: str) -> None:
    known = sentences("zh")
    words = set(known.values()) if "/zh/" in name else set(known)
    assert [one for one in on_the_screen(TUTORIALS[name]) if one not in words] == []


def test_a_page_that_shows_what_is_not_printed_is_named(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one; echo two\none\n...\nthree\n```\n", encoding="utf-8")
    [wrong] = complaints(page, slow=False)
    assert "does not print: three" in wrong
    page.write_text("```console\n$ printf 'a\\n  b  c 17 d\\n'\nb c ... d\n$ false\n```\n", encoding="utf-8")
    assert list(complaints(page, slow=False)) == []
    page.write_text("<!-- slow -->\n```console\n$ echo one\ntwo\n```\n", encoding="utf-8")
    assert list(complaints(page, slow=False)) == []
    assert len(list(complaints(page, slow=True))) == 1
