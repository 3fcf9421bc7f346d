"""Every command's help shows an example, and the example works as it is."""

import re
import shlex

import pytest

from natural9.cli.main import LIVE_TABLE, RECORDS
from tests.cli.test_command import run, text

COMMANDS = ("games", "settle", "established", "roads", "odds", "simulate", "vulnerability")
# They ask, write files or need a venue.
WITH_TESTS_OF_THEIR_OWN = {"play", "parsheet", *LIVE_TABLE, *RECORDS}


def example_of(command: str) -> str:
    """The example in a command's help; it may be wrapped, and ends with its paragraph."""
    found = re.search(r"Example: (.*?)\n\s*\n", text(command, "--help"), re.DOTALL)
    assert found, f"{command} --help shows no example"
    return " ".join(found[1].split())


def test_these_are_all_the_commands_there_are() -> None:
    listed = text("--help").partition("Commands:")[2]
    assert set(re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)) == WITH_TESTS_OF_THEIR_OWN | set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_works_as_it_is(command: str) -> None:
    program, *arguments = shlex.split(example_of(command))
    assert program == "natural9"
    assert arguments[0] == command
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_names_every_option_and_what_the_command_is_for(command: str) -> None:
    shown = text(command, "--help")
    assert re.search(rf"^Usage: .* {command} ", shown)
    assert "--json" in shown
    assert "--help" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("command", [*LIVE_TABLE, *RECORDS])
def test_the_help_of_a_live_tables_command_shows_an_example_of_its_own(command: str) -> None:
    shown = text(command, "--help")
    assert f"natural9 {command} " in example_of(command)
    assert max(map(len, shown.splitlines())) <= 80
