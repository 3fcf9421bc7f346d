"""The documentation builds without a warning, leads nowhere wrong, asks nobody else, and forgets nothing."""

import re
from collections import Counter
from pathlib import Path

import pytest

from docs_site.__main__ import NotBuilt, build
from docs_site.links import complaints
from docs_site.pages import DOCS, ELSEWHERE, ROOT, navigation, placed
from docs_site.reference import reference_pages
from docs_site.reference.refusals import WHEN, sentences
from docs_site.reference.venue_file import Setting, settings, words_of
from natural9.cli.main import COMMANDS
from natural9.core.round.refusal import Code
from natural9.journal.catalogue import BY_TAG
from natural9.server.announce.announcement import TOLD, Announcement, PublicTable
from natural9.server.people.permissions import TABLE as PERMISSIONS
from natural9.server.people.permissions import Action, load_permissions
from natural9.table.commands.refusals import TableCode

PAGES = reference_pages()


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", PAGES[page], re.MULTILINE)


def test_it_builds_and_is_whole(tmp_path: Path) -> None:
    build(tmp_path / "site")
    assert (tmp_path / "site" / "index.html").is_file()
    listed = (tmp_path / "site" / "llms.txt").read_text(encoding="utf-8")
    assert "](reference/cli/settle.md): Settle a round" in listed
    assert "](tutorials/player.md): Ten minutes at a terminal: your first bet," in listed
    entries = [line for line in listed.splitlines() if line.startswith("- ")]
    assert len(entries) > 100
    assert [line for line in entries if not re.search(r"\.md\): .*[^:]$", line) or "```" in line] == [], (
        "what each is about"
    )
    searched = (tmp_path / "site" / "search.json").read_text(encoding="utf-8")
    assert "no-more-bets" in searched
    chinese = (tmp_path / "site" / "tutorials" / "zh" / "player.html").read_text(encoding="utf-8")
    assert '<html lang="zh-Hans"' in chinese


def test_every_page_has_its_place_in_the_navigation() -> None:
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    written |= {name for name in ELSEWHERE if name.endswith(".md") and (ROOT / name).exists()}
    shown = Counter(one.page for one in placed(navigation(DOCS)) if not one.page.startswith("reference/"))
    assert {page for page, times in shown.items() if times > 1} == set()
    assert set(shown) == written


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page(command: str) -> None:
    assert f"natural9 {command}" in PAGES[f"cli/{command}.md"]


@pytest.mark.parametrize("setting", list(settings()), ids=lambda one: f"{one.part}.{one.name}")
def test_every_setting_has_an_entry_that_says_what_it_does(setting: Setting) -> None:
    assert setting.name in headings(f"venue/{setting.part.replace('.', '-')}.md")
    assert len(words_of(setting).split()) > 2, "say in example.toml, or in settings.toml, what it does"


def test_every_event_has_an_entry() -> None:
    assert set(BY_TAG) <= set(headings("events.md"))


def test_whatever_is_told_outside_has_an_entry() -> None:
    shown = PAGES["announcements.md"]
    for field in (*Announcement.__struct_fields__, *PublicTable.__struct_fields__):
        assert f"| `{field}` |" in shown, field
    assert all(f"`{tag}`" in shown for tag in TOLD)


def test_every_refusal_has_an_entry() -> None:
    assert {*Code, *TableCode} <= set(headings("refusals.md"))


def test_no_words_are_kept_for_a_code_that_has_its_sentence_by_now() -> None:
    without = {code for part in sentences().values() for code, said in part.items() if not said}
    assert set(WHEN) == without, "whatever has no sentence beside it is explained in refusals.toml"
    assert {"too-often", "too-many"} <= set(headings("refusals.md")), "an upgrade's refusals are among them"


def test_every_action_is_among_the_permissions() -> None:
    permissions = load_permissions(PERMISSIONS)
    assert set(permissions) == set(Action)
    assert all(one.says in PAGES["permissions.md"] for one in permissions.values())


def test_a_warning_of_the_builder_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def only_a_bad_link(folder: Path) -> None:
        folder.mkdir()
        (folder / "index.md").write_text("# Home\n\nSee [nothing](nothing.md).\n", encoding="utf-8")

    monkeypatch.setattr("docs_site.__main__.write_pages", only_a_bad_link)
    monkeypatch.setattr("docs_site.__main__.navigation", lambda _: [])
    with pytest.raises(NotBuilt, match="page does not exist"):
        build(tmp_path / "site")


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        ("<img src=gone.png>", "page.html: gone.png leads nowhere"),
        ("<a href=#gone>x</a>", "page.html: #gone has no such heading"),
        ("<a href=../outside.html>x</a>", "page.html: ../outside.html leads nowhere"),
        ("<script src=https://elsewhere.example/x.js></script>", "page.html: asks https://elsewhere.example/x.js"),
        ("<link rel=stylesheet href=//elsewhere.example/x.css>", "page.html: asks //elsewhere.example/x.css"),
        ("<a href=https://elsewhere.example>x</a> <a href=#here>x</a> <p id=here>", ""),
    ],
)
def test_a_page_that_is_not_whole_is_named(tmp_path: Path, html: str, complaint: str) -> None:
    (tmp_path / "outside.html").touch()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "page.html").write_text(html, encoding="utf-8")
    assert list(complaints(tmp_path / "site")) == [complaint] * bool(complaint)
