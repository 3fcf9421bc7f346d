"""docs/rules.md is true: every paragraph in force is carried by something and shown by a test."""

import pytest

from natural9.games.loader import paragraphs
from tests.rules_map import PAGE, carriers, citations, page, shown_by


def test_every_paragraph_in_force_has_a_test() -> None:
    shown = shown_by()
    missing = [citation for citation, entry in paragraphs().items() if not entry.untested and citation not in shown]
    assert not missing, f"in force, with no test: {', '.join(missing)}"


def test_every_paragraph_in_force_is_carried_by_something() -> None:
    carried = carriers()
    missing = [citation for citation, entry in paragraphs().items() if not entry.untested and citation not in carried]
    assert not missing, f"in force, cited nowhere in the package: {', '.join(missing)}"


def test_whatever_is_cited_exists() -> None:
    known = set(paragraphs())
    assert set(carriers()) <= known
    assert set(shown_by()) <= known


def test_what_has_a_test_is_not_called_untested() -> None:
    shown = shown_by()
    assert not [citation for citation, entry in paragraphs().items() if entry.untested and citation in shown]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run `make rules`"


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("mbs 3.3, 3.4", {"mbs 3.3", "mbs 3.4"}),
        ("rws-nc 5.1 and 5.2; rws-nc-insurance 1:tie", {"rws-nc 5.1", "rws-nc 5.2", "rws-nc-insurance 1:tie"}),
        ("rws-nc 3.9,\n# 3.10", {"rws-nc 3.9", "rws-nc 3.10"}),
        ("a table of mbs", set()),
    ],
)
def test_citations_are_found(text: str, cited: set[str]) -> None:
    assert citations(text) == cited
