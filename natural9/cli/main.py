"""The `natural9` command. Bad input is one clear line on stderr and exit 2, never a traceback."""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Final, NoReturn

import typer

from natural9.core.errors import BadInput

RULES: Final = ("games", "settle", "established", "roads", "play")
MATHEMATICS: Final = ("odds", "parsheet", "simulate", "vulnerability")
LIVE_TABLE: Final = ("init", "serve", "demo", "users", "reading-shoe", "protocol", "bench")
RECORDS: Final = ("verify", "verify-shoe", "replay", "report", "backup", "restore")
COMMANDS: Final = (*RULES, *MATHEMATICS, *LIVE_TABLE, *RECORDS)


def make_app(asked: str) -> typer.Typer:
    """The command that is asked for, or all of them for the help: a server's parts are not loaded to draw a road."""
    app = typer.Typer(
        name="natural9",
        help="An electronic baccarat table: the approved rules, settled to the cent, with the paragraph of every "
        "payment; live tables, their records, and the exact mathematics.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(lambda: None)  # one command alone is still a command with a name
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        module = import_module(f"natural9.cli.{name.replace('-', '_')}")
        command = getattr(module, name.replace("-", "_"))
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def main() -> NoReturn:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Chinese still shows the rest
    arguments = sys.argv[1:] or ["--help"]
    try:
        code = make_app(arguments[0])(arguments, standalone_mode=False)
    except BadInput as error:
        code = _complain(str(error))
    except typer.TyperException as error:
        code = _complain(error.format_message())
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`); there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _complain(message: str) -> int:
    print("natural9: " + " ".join(message.split()), file=sys.stderr)
    return 2
