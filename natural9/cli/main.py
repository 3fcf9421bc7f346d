"""The `natural9` command. Bad input is one clear line on stderr and exit 2, never a traceback."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

import typer

from natural9.cli.established import established
from natural9.cli.games import games
from natural9.cli.odds import odds
from natural9.cli.parsheet import parsheet
from natural9.cli.play import play
from natural9.cli.roads import roads
from natural9.cli.settle import settle
from natural9.cli.simulate import simulate
from natural9.cli.vulnerability import vulnerability
from natural9.core.errors import BadInput

app = typer.Typer(
    name="natural9",
    help="An electronic baccarat table: the approved rules, settled to the cent, with the paragraph of every payment.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (games, settle, established, roads, play, odds, parsheet, simulate, vulnerability):
    app.command()(command)


def main() -> NoReturn:
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Chinese still shows the rest
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
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
