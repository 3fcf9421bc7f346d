"""Nobody reads an id: whatever can be cited is called "Rule 4.7" or by the title of an interpretation."""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Final

import pytest

import natural9
from natural9.games import game_ids, load_game
from natural9.games.citations import citation, cited, titles
from natural9.games.loader import paragraphs, register
from natural9.server.people.permissions import permissions

RULE: Final = re.compile(r"Rule (\d+(\.\d+)*|[A-E])")
KEY: Final = re.compile(r"(mbs|rws-nc(-insurance|-super-six-plus)?|interpretation|requirement) [\w.:-]+")


def keys(value: object) -> Iterator[str]:
    """Every citation in a value of the rules: clauses, remedies, pay rows, steps, layouts, insurance."""
    if isinstance(value, str):
        if KEY.fullmatch(value):
            yield value
    elif isinstance(value, Enum) or value is None:
        return
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from keys(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from keys(one)
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from keys(one)


def keys_in_the_program() -> set[str]:
    """Those that refusals and events name by themselves."""
    root = Path(natural9.__file__).parent
    return {
        node.value
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value)
    }


def is_readable(key: str) -> bool:
    called = citation(key)
    if key.startswith("requirement "):
        return called == ""
    return bool(RULE.fullmatch(called)) or called in titles().values()


@pytest.mark.parametrize("game", game_ids())
def test_whatever_a_game_cites_is_a_rule_or_a_title(game: str) -> None:
    found = set(keys(load_game(game)))
    assert len(found) > 20
    assert [key for key in found if not is_readable(key)] == []


def test_whatever_the_program_cites_is_a_rule_or_a_title() -> None:
    found = keys_in_the_program() | {one.paragraph for one in permissions().values()} | set(paragraphs())
    assert {"interpretation spent-shoe", "requirement 46", "mbs 6.2", "rws-nc-insurance A"} <= found
    assert [key for key in found if not is_readable(key)] == []


def test_an_interpretation_has_one_title_which_is_no_id() -> None:
    by_id: dict[str, set[str]] = {}
    for entry in register():
        by_id.setdefault(entry.id, set()).add(entry.title)
    assert [id for id, called in by_id.items() if len(called) > 1] == []
    assert len({*titles().values()}) == len(titles())
    assert [title for title in titles().values() if not re.fullmatch(r"[A-Z][\w’,: -]+[a-z]", title)] == []


def test_a_citation_that_the_register_no_longer_has_is_no_id_either() -> None:
    assert citation("interpretation pair-is-suit") == "An interpretation that is no longer in force"


def test_what_follows_from_no_rule_is_left_as_it_is() -> None:
    assert [cited("no", key) for key in ("", "requirement 46", "mbs 6.2")] == ["no", "no", "no (Rule 6.2)"]
