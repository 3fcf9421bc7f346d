"""The `natural9` command. Bad input is one clear line on stderr and exit 2, never a traceback."""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

import natural9
from natural9.cli.usage import PlainCommand
from natural9.core.errors import BadInput, did_you_mean

# Every command in its group, with what it does. It stands here so that `natural9 --help` imports none of them.
PLAY: Final = {
    "games": "Show the approved games, their wagers, odds and paragraphs.",
    "settle": "Settle a round: the winner, and what each bet returns.",
    "established": "Show which wagers the cards dealt so far have decided.",
    "roads": "Draw the five roads of a shoe.",
    "play": "Play a game in the terminal.",
}
MATHEMATICS: Final = {
    "odds": "Price every wager of a game exactly, for any shoe.",
    "parsheet": "Write the par sheet of a game as HTML, PDF or Markdown.",
    "simulate": "Play millions of rounds and compare them with exact odds.",
    "session": "Show how a player's rounds of the same bets can end.",
    "penetration": "Show how a wager's edge strays as the shoe is dealt.",
    "design": "Find the odds that give a wager a house edge.",
    "vulnerability": "Measure what a card counter can win on a wager.",
    "chance": "Test the shuffler, or write the bytes that it draws.",
}
VENUE: Final = {
    "init": "Make a new venue from a commented example.",
    "doctor": "Check this machine and a venue, each trouble with its remedy.",
    "serve": "Run the tables of a venue.",
    "nodes": "Show which node has which table, since when, and who is dead.",
    "demo": "Run a demo venue with bots and a link for every role.",
    "train": "Train a dealer at a real console, scored by clause.",
    "users": "Manage the staff accounts of a venue.",
    "rekey": "Give a venue a new key while its server is stopped.",
    "reading-shoe": "Simulate a shoe that reads its cards.",
    "bill-acceptor": "Simulate a bill acceptor and ticket reader.",
    "protocol": "Print the server's interface for programs.",
    "bench": "Measure what this machine does in a second.",
    "torture": "Simulate a whole floor under faults and judge it.",
}
RECORDS: Final = {
    "verify": "Check a journal: its chain, its money and every settlement.",
    "witness": "Watch a house from outside and cosign its checkpoints.",
    "receipt": "Check a receipt: that its entry is in the journal.",
    "verify-shoe": "Check that a revealed shoe is the one that was promised.",
    "replay": "Show a round step by step, checked against the rules.",
    "search": "Search a journal by time, seat, voucher, amount and more.",
    "dispute": "Write a round on paper for a dispute, as PDF.",
    "report": "Print a report: win, meters, vouchers, corrections and more.",
    "export": "Write the journal as JSON lines, for another verifier.",
    "backup": "Copy a venue, even while its server runs.",
    "restore": "Make a venue from a backup, after verifying it.",
    "drill": "Restore the newest backup beside, as a test, and verify it.",
    "move": "Carry a venue's records from SQLite to PostgreSQL, or back.",
    "accept-loss": "Go on with a journal that has lost entries.",
}
GROUPS: Final = {"Play": PLAY, "Mathematics": MATHEMATICS, "Venue": VENUE, "Records": RECORDS}
COMMANDS: Final = PLAY | MATHEMATICS | VENUE | RECORDS


class Commands(TyperGroup):
    """Imports only the command that is asked for: a server's parts are not loaded to draw a road."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            hint = did_you_mean(cmd_name, COMMANDS) or ": natural9 --help lists them all"
            raise BadInput("unknown-command", f"there is no command {cmd_name!r}{hint}")
        return _load(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, COMMANDS))
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), does) for name, does in commands.items()])


def _load(name: str) -> Any:
    python_name = name.replace("-", "_")
    command = getattr(import_module(f"natural9.cli.{python_name}"), python_name)
    if isinstance(command, typer.Typer):
        return get_command(command)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, cls=PlainCommand)(command)
    return get_command(alone)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"natural9 {natural9.__version__}")
        raise typer.Exit


def make_app() -> typer.Typer:
    app = typer.Typer(
        name="natural9",
        cls=Commands,
        help="An electronic baccarat table: the approved rules, settled to the cent with the paragraph of every "
        "payment; live tables and their records; and the exact mathematics.",
        epilog="natural9 COMMAND --help explains a command and shows an example.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    return app


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Those of natural9 itself."""


def main() -> NoReturn:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Chinese still shows the rest
    arguments = sys.argv[1:] or ["--help"]
    try:
        code = make_app()(arguments, standalone_mode=False)
    except BadInput as error:
        from natural9.games.citations import cited  # only a mistake needs it

        code = _complain(cited(str(error), error.paragraph))
    except typer.TyperException as error:
        code = _complain(error.format_message())
    except ModuleNotFoundError as error:
        from natural9.extras import extra_with, lacking

        if error.name is None or extra_with(error.name) is None:
            raise  # a part of natural9 itself, or of what everybody has: a defect
        code = _complain(f"{arguments[0]} needs {lacking(error.name)}")
    except PermissionError as error:
        if error.filename is None:
            raise
        code = _complain(f"{error.filename} is closed to this user: run this as its owner")
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _complain(message: str) -> int:
    print("natural9: " + " ".join(message.split()), file=sys.stderr)
    return 2
