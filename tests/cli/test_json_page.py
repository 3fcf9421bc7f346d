"""docs/json.md is true: whoever writes a script from it gets what it says."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from natural9.cli.main import COMMANDS, make_app
from tests.json_page import MADE, PAGE, as_it_should_be

TEXT = PAGE.read_text()


def test_the_page_is_up_to_date() -> None:
    assert as_it_should_be(TEXT) == TEXT, "run `make json`"
    assert "?" not in dict(MADE.findall(TEXT)).values()


def test_every_command_with_json_is_there() -> None:
    assert {re.sub(" .*", "", title) for title in re.findall(r"(?m)^## (.+)", TEXT)} == {*with_json()}


def with_json() -> Iterator[str]:
    root: Any = typer.main.get_command(make_app())
    context = typer.Context(root)
    for name in COMMANDS:
        command = root.get_command(context, name)
        below = [command.get_command(context, one) for one in getattr(command, "commands", ())]
        if any("--json" in option.opts for one in (command, *below) for option in one.params):
            yield name
