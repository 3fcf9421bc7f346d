"""The table of expected answers, as values."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.security.floor import CALLERS, PEOPLE

TABLE: Final = Path(__file__).with_name("answers.toml")


class Row(NamedTuple):
    """What is asked, and what each caller is answered."""

    method: str
    path: str
    body: object
    answers: dict[str, str]
    is_last: bool


@cache
def table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text())


def members(names: Iterable[str]) -> set[str]:
    """Callers by their names, and by those of their groups."""
    groups = table()["groups"]
    return {one for name in names for one in (members(groups[name]) if name in groups else [name])}


def rows() -> dict[str, Row]:
    return {route: _row(route, **written) for route, written in table()["route"].items()}


def _row(route: str, *, may: list[str], answer: str = "200", **more: Any) -> Row:
    method, path = route.split(" ")
    body = more.get("body", {} if method == "POST" else None)
    allowed, otherwise = members(may), more.get("else", "")
    answers = {one: answer if one in allowed else otherwise or refused(one) for one in CALLERS} | more.get("also", {})
    assert set(answers) == set(CALLERS), f"{route} names somebody whom nobody knows"
    unfilled = path.replace("/{rest:path}", "/x")
    return Row(method, more.get("ask", unfilled), body, answers, more.get("last", False))


def refused(caller: str) -> str:
    return "403 not-allowed" if caller in PEOPLE else "401 sign-in-first"
