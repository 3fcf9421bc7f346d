"""Every command's help shows an example, and the example works as it is."""

import re
import shlex
import subprocess
import sys

import pytest

from natural9.cli.main import COMMANDS as ALL
from natural9.cli.main import GROUPS, RECORDS, VENUE
from tests.cli.test_command import run_alone, text
from tests.starter import ROOT

COMMANDS = (
    "games", "settle", "established", "roads",
    "odds", "simulate", "session", "penetration", "design", "vulnerability", "chance",
)  # fmt: skip
# They ask, write files or need a venue.
WITH_TESTS_OF_THEIR_OWN = {"play", "parsheet", *VENUE, *RECORDS}


def example_of(command: str) -> str:
    """The example in a command's help; it may be wrapped, and ends with its paragraph."""
    found = re.search(r"Example: (.*?)\n\s*\n", text(command, "--help"), re.DOTALL)
    assert found, f"{command} --help shows no example"
    return " ".join(found[1].split())


def test_these_are_all_the_commands_there_are() -> None:
    assert set(ALL) == WITH_TESTS_OF_THEIR_OWN | set(COMMANDS)


def test_the_help_lists_every_command_in_its_group_on_a_line_of_its_own() -> None:
    shown = text("--help")
    for heading, commands in GROUPS.items():
        listed = re.search(rf"^{heading}:\n((?:  .*\n)+)", shown, re.MULTILINE)
        assert listed, heading
        assert [line.split(maxsplit=1) for line in listed[1].splitlines()] == [list(one) for one in commands.items()]


def test_the_help_imports_no_command() -> None:
    """So that it is there at once: nothing of the server, the tables, the mathematics, nor what draws a table."""
    code = "import sys; from natural9.cli.main import main\ntry: main()\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, cwd=ROOT, check=False)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("natural9.")} == {
        "natural9.cli", "natural9.cli.main", "natural9.cli.streams", "natural9.cli.usage", "natural9.core",
        "natural9.core.errors", "natural9.core.saying",
    }  # fmt: skip
    assert not loaded & {"rich.console", "msgspec", "numba", "uvicorn"}


@pytest.mark.parametrize("command", ALL)
def test_a_command_says_first_what_the_list_says_of_it(command: str) -> None:
    shown = run_alone(command, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.split("\n\n")[1].strip() == ALL[command]


@pytest.mark.parametrize("command", ALL)
def test_the_help_of_a_command_is_plain(command: str) -> None:
    """Nothing is cut off, no range stands there as a formula, no type by a name of Python's."""
    shown = text(command, "--help")
    described = shown.partition("Options:")[2]
    assert max(map(len, shown.splitlines())) <= 80
    assert "..." not in described
    assert not re.search(r"<=|>=|<\w+|[{}]", described)


@pytest.mark.parametrize("subcommand", ["list", "add", "disable", "enable", "role", "unlock", "new-code"])
def test_so_is_that_of_the_commands_about_users(subcommand: str) -> None:
    shown = text("users", subcommand, "--help")
    assert f"Example: natural9 users {subcommand} my-venue" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert not re.search(r"<\w+|[{}]", shown)
    [first] = re.findall(r"\n\n  (.*)\n\n", shown)[:1]
    assert f"  {subcommand:<8}  {first}\n" in text("users", "--help")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_works_as_it_is(command: str) -> None:
    program, *arguments = shlex.split(example_of(command))
    assert program == "natural9"
    assert arguments[0] == command
    done = run_alone(*arguments)
    by_chance = command == "chance" and "--seed" not in arguments  # of a fair shuffler, too, it says once in 100 times
    assert done.returncode in ((0, 1) if by_chance else (0,))
    assert done.stderr == ""
    assert done.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_names_every_option_and_what_the_command_is_for(command: str) -> None:
    shown = text(command, "--help")
    assert re.search(rf"^Usage: .* {command} ", shown)
    assert "--json" in shown
    assert "--help" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("command", [*VENUE, *RECORDS])
def test_the_help_of_a_live_tables_command_shows_an_example_of_its_own(command: str) -> None:
    shown = text(command, "--help")
    assert f"natural9 {command} " in example_of(command)
    assert max(map(len, shown.splitlines())) <= 80
