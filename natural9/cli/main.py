"""The `natural9` command. Bad input is one clear line on stderr and exit 2, never a traceback."""

import errno
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

import natural9
from natural9.cli.streams import drop_what_is_unwritten, forget_no_width, open_those_closed
from natural9.cli.usage import PlainCommand
from natural9.core.errors import BadInput, did_you_mean

# Every command in its group, with what it does. It is here so that `natural9 --help` imports none of them.
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
    "session": "Show how a session of the same bets can end.",
    "penetration": "Show how a wager's edge varies as the shoe is dealt.",
    "design": "Find the odds that give a wager a house edge.",
    "vulnerability": "Measure what a card counter can win on a wager.",
    "chance": "Test the shuffler, or write the bytes that it draws.",
}
VENUE: Final = {
    "init": "Make a new venue from a commented example.",
    "doctor": "Check this machine and a venue; say how to fix each problem.",
    "serve": "Run the tables of a venue.",
    "nodes": "Show which node has which table, since when, and who is dead.",
    "demo": "Run a demo venue with bots and a link for every role.",
    "train": "Train a dealer at a real console, scored by clause.",
    "users": "Manage the staff accounts of a venue.",
    "rekey": "Give a venue a new key while its server is stopped.",
    "reading-shoe": "Simulate a shoe that reads its cards.",
    "bill-acceptor": "Simulate a bill acceptor for bills and vouchers.",
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
    "dispute": "Write a round as a PDF, for a dispute.",
    "report": "Print a report: win, meters, vouchers, corrections and more.",
    "export": "Write the journal as JSON lines, for another verifier.",
    "backup": "Copy a venue, even while its server runs.",
    "restore": "Make a venue from a backup, after verifying it.",
    "drill": "Restore the newest backup as a test, and verify it.",
    "move": "Move a venue's records from SQLite to PostgreSQL, or back.",
    "accept-loss": "Go on with a journal that has lost entries.",
}
GROUPS: Final = {"Play": PLAY, "Mathematics": MATHEMATICS, "Venue": VENUE, "Records": RECORDS}
COMMANDS: Final = PLAY | MATHEMATICS | VENUE | RECORDS
READER_GONE: Final = 141  # `| head`, as a shell says it: there is nobody left to tell
NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


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
    open_those_closed()
    forget_no_width()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Chinese still shows the rest
    arguments = sys.argv[1:] or ["--help"]
    try:
        code = _run(arguments)
        sys.stdout.flush()  # here, where it can still be said that it fails
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
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        code = READER_GONE
    except OSError as error:  # never 1, by which a command says that something does not hold
        code = _complain(_refused(error))
    drop_what_is_unwritten()
    sys.exit(code)


def _run(arguments: list[str]) -> Any:
    try:
        return make_app()(arguments, standalone_mode=False)
    except SystemExit as ended:
        if ended.code != 1:
            raise
        return READER_GONE  # no command ends so: it is typer, when the output cannot be written any more


def _refused(error: OSError) -> str:
    """What this machine would not do."""
    if error.filename is None:
        if error.errno not in NO_ROOM:
            return f"this machine refused what was asked of it: {error}"
        return f"not all could be written: {error.strerror}; make room, or send the output elsewhere"
    if isinstance(error, PermissionError):
        return f"{error.filename} is closed to this user: run this as its owner"
    return f"{error.filename} cannot be used: {error.strerror}"


def _complain(message: str) -> int:
    with suppress(OSError):  # nobody can be told
        print("natural9: " + " ".join(message.split()), file=sys.stderr)
    return 2
