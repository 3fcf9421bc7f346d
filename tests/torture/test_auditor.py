"""The judge of the simulated floor: an honest evening has nothing wrong with it, and every lie in it is named."""

import re
import tomllib
from pathlib import Path

import pytest

from natural9.torture import judge_views
from natural9.torture.clause_book import TEXTS, clauses
from natural9.torture.outside import FILE, verifier_path
from tests.torture.recorded import Story, audit


def test_an_honest_evening_has_nothing_wrong_with_it(story: Story) -> None:
    assert audit(story) == []


def test_a_table_may_have_gone_any_way_on_while_nobody_looked(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed 5018, killed every second: since the last news were more entries than a welcome was looked for in."""
    monkeypatch.setattr(judge_views, "FAR", 1)
    is_news = re.compile(rb'\{"type":"(table|console)"')
    seen = [one for one in story.seen if not (isinstance(one.message, bytes) and is_news.match(one.message))]
    assert len(seen) < len(story.seen)
    assert audit(story._replace(seen=seen)) == []


def test_the_outside_verifier_is_found_in_the_tree_and_goes_into_the_wheel() -> None:
    tree = Path(__file__).parents[2]
    assert verifier_path() == tree / "verifier" / FILE
    wheel = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert f"verifier/{FILE}" in wheel["wheel"]["only-include"]
    assert wheel["wheel"]["sources"] == {"verifier": "natural9/torture"}


def test_the_clauses_are_those_of_the_journals_page() -> None:
    """Written once more by hand; the page's own lines come from the documents."""
    page = (Path(__file__).parents[2] / "docs/journal.md").read_text(encoding="utf-8").partition("\n# Clauses\n")[2]
    for document in TEXTS:
        section = page.partition(f"\n## {document}\n")[2].partition("\n## ")[0]
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
        said = {kind.strip("`"): (remedies, rank, rest) for kind, remedies, rank, *rest in rows}
        assert said.keys() == clauses(document).keys()
        for kind, clause in clauses(document).items():
            remedies, rank, rest = said[kind]
            assert rank.rstrip("| ") == clause.rank, (document, kind)
            assert remedies == "<br>".join(_remedy(*one) for one in clause.remedies), (document, kind)
            assert _else(" ".join(rest)) == {
                "later": clause.later,
                "settled": clause.settled,
                "void": clause.void,
                "first": clause.first,
                "stand": clause.stand,
                "shoe": clause.shoe,
            }, (document, kind)


def _remedy(remedy: str, paragraph: str, condition: str) -> str:
    names = {"d": "card-due", "n": "no-card-due", "e": "established", "u": "not-established", "p": "in-play"}
    when = f" ({names[condition]})" if condition else ""
    return f"`{remedy}`{when}: {paragraph}"


def _else(text: str) -> dict[str, object]:
    parts = [part.strip() for part in text.strip("| ").split(";")]

    def after(words: str) -> str:
        return next((part.removeprefix(words) for part in parts if part.startswith(words)), "")

    return {
        "later": after("later "),
        "settled": "until the next round" in parts,
        "void": "after a void" in parts,
        "first": "after the first card" in parts,
        "stand": after("previous stand: "),
        "shoe": after("may replace the shoe: "),
    }
