"""`natural9 init`: a venue to start from."""

import shlex
import shutil
import sys
from collections.abc import Callable
from getpass import getuser
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from natural9.cli.init_venue import HOST, PORT, WantedVenue, example, parse_address, venue_text
from natural9.cli.usage import within
from natural9.core.errors import BadInput
from natural9.deploy.files import USER, container_files, install_lines, systemd_files
from natural9.disk.durable import make_durable, make_durable_folder, write_new
from natural9.disk.seen import is_there
from natural9.games.loader import game_ids, load_game
from natural9.table.venue.cluster import is_loopback
from natural9.table.venue.file import Mode
from natural9.table.venue.venue import VENUE_FILE

T = TypeVar("T")


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder for the venue.")],
    games: Annotated[
        list[str] | None, typer.Option("--game", metavar="GAME", help="A game to offer; repeat it for more.")
    ] = None,
    tables: Annotated[
        int | None,
        typer.Option(metavar="N", callback=within("--tables", 1, 99), help="Tables of each game.  [default: 1]"),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="automatic or dealer.  [default: automatic where the rules let it]"),
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help=f"Where it listens.  [default: {HOST}:{PORT}]")
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Something else than TLS protects the wire.")
    ] = False,
    systemd: Annotated[bool, typer.Option("--systemd", help="Write systemd units beside it.")] = False,
    container: Annotated[
        bool, typer.Option("--container", help="Write a Containerfile and compose.yaml beside it.")
    ] = False,
) -> None:
    """Make a new venue from a commented example.

    It writes venue.toml with every setting explained: the tables that you name, or four as an example. On a terminal,
    without options, it asks. Change what you like, then start it with natural9 serve. Nothing is ever overwritten.

    Example: natural9 init my-venue --game rws-nc --game mbs-tiger --tables 2
    """
    path = folder / VENUE_FILE
    has_options = bool(games or tables or mode or address or allow_remote or systemd or container)
    if is_there(path):
        raise _exists(path)
    if has_options:
        wanted = _wanted(games or [], tables, mode, address, allow_remote=allow_remote)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        wanted = _ask()
    else:
        wanted = WantedVenue()
    written, next_lines = _beside(folder, wanted, systemd=systemd, container=container)
    _write(folder, written)
    made = "a venue with four tables" if not wanted.games else f"a venue of {', '.join(wanted.games)}"
    print(f"{path} is written: {made}, every setting explained.")
    if others := [name for name in written if name != VENUE_FILE]:
        print(f"Beside it: {', '.join(others)}.")
    print("Change what you like in it, then start it:")
    for line in next_lines or (f"natural9 serve {shlex.quote(str(folder))}",):
        print(f"    {line}")


def _wanted(
    games: list[str], tables: int | None, mode: str | None, address: str | None, *, allow_remote: bool
) -> WantedVenue:
    if (tables or mode) and not games:
        option = "--tables" if tables else "--mode"
        raise BadInput(
            "bad-option", f"{option} is for the games that you name: add --game GAME; natural9 games lists them"
        )
    host, port = parse_address(address) if address else (HOST, PORT)
    return WantedVenue(
        games=tuple(dict.fromkeys(load_game(one).id for one in games)),
        tables=tables or 1,
        mode=_mode(mode) if mode else None,
        host=host,
        port=port,
        allow_remote=allow_remote,
    )


def _mode(text: str) -> Mode:
    try:
        return Mode(text)
    except ValueError:
        raise BadInput("bad-mode", f"{text!r} is no mode of a table: write automatic or dealer") from None


def _ask() -> WantedVenue:
    """Enter takes what stands in brackets; a bad answer is asked for again."""
    print(f"Games: {', '.join(game_ids())}. natural9 games explains them.")
    games = _asked("Which games, with spaces between? [the example of four tables]", "", _games)
    tables, mode = 1, None
    if games:
        tables = _asked("How many tables of each? [1]", "1", _tables)
        mode = _asked(
            "Do they play by themselves, or by a dealer: automatic, dealer? [whatever the rules let]", "", _any_mode
        )
    host, port = _asked(f"Where does it listen? [{HOST}:{PORT}]", f"{HOST}:{PORT}", parse_address)
    question = f"{host} can be reached from other machines. Does something else than TLS protect the wire?"
    allow = not is_loopback(host) and typer.confirm(question)
    return WantedVenue(games=games, tables=tables, mode=mode, host=host, port=port, allow_remote=allow)


def _asked(question: str, default: str, parse: Callable[[str], T]) -> T:
    while True:
        text = str(typer.prompt(question, default=default, show_default=False, prompt_suffix=" ")).strip()
        try:
            return parse(text)
        except BadInput as error:
            print(f"  {error}")


def _games(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(load_game(one).id for one in text.replace(",", " ").split()))


def _tables(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise BadInput("bad-tables", f"{text!r} is no number of tables: give 1 to 99")
    return int(text)


def _any_mode(text: str) -> Mode | None:
    return _mode(text) if text else None


def _beside(
    folder: Path, wanted: WantedVenue, *, systemd: bool, container: bool
) -> tuple[dict[str, str], tuple[str, ...]]:
    """All files by their names, and what is typed next where that is more than to serve it."""
    written, lines = dict[str, str](), list[str]()
    home = folder.absolute()
    if systemd:
        program = Path(shutil.which("natural9") or Path(sys.executable).with_name("natural9")).absolute()
        user = USER if getuser() == "root" else getuser()  # no venue is served by root
        written |= systemd_files(home, program, user)
        lines += install_lines(home, user)
    if container:
        if not is_loopback(wanted.host):
            why = (
                f"compose.yaml opens a port of this machine alone, not of {wanted.host}: give --address 127.0.0.1:PORT"
            )
            raise BadInput("bad-address", f"{why}, and let a proxy with TLS stand before it")
        # In the container it listens to all who come; compose lets only this machine come, at the address's port.
        written |= container_files(wanted.port)
        wanted = WantedVenue(games=wanted.games, tables=wanted.tables, mode=wanted.mode, allow_remote=True)
        lines.append(f"cd {shlex.quote(str(home))} && HOST_UID=$(id -u) HOST_GID=$(id -g) docker compose up --detach")
    return {VENUE_FILE: example() if wanted == WantedVenue() else venue_text(wanted), **written}, tuple(lines)


def _exists(path: Path) -> BadInput:
    return BadInput("venue-exists", f"{path} exists already and is not overwritten: change it, or name a new folder")


def _write(folder: Path, written: dict[str, str]) -> None:
    """All of them or none: a name that is taken is found before the first is written."""
    for name in written:
        if is_there(folder / name):
            raise _exists(folder / name)
    try:
        make_durable_folder(folder)
        for name, text in written.items():
            write_new(folder / name, text.encode(), 0o666)
        make_durable(folder)
    except FileExistsError as error:
        if error.filename != str(folder):
            raise _exists(Path(error.filename)) from None
        raise BadInput("bad-folder", f"{folder} is a file: name a new folder") from None
    except OSError as error:
        raise BadInput("bad-folder", f"{folder / VENUE_FILE} cannot be written: {error.strerror}") from None
