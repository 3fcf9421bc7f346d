"""The venue file that `natural9 init` writes: the commented example, or one made to measure."""

import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.host import is_host
from natural9.games.loader import load_game
from natural9.table.venue.cluster import is_loopback
from natural9.table.venue.file import Mode
from natural9.table.venue.venue import VENUE_FILE, load_venue

HOST: Final = "127.0.0.1"
PORT: Final = 8909
SEATS: Final = 100  # of a table whose layout shows no boxes
MOST_TABLES: Final = 99
FIRST_TABLE: Final = "# A table that plays by itself"


@dataclass(frozen=True, kw_only=True)
class WantedVenue:
    """A venue as somebody asked for it."""

    games: tuple[str, ...] = ()  # none: those of the example
    tables: int = 1  # of each game
    mode: Mode | None = None  # None: by itself wherever the rules let it
    host: str = HOST
    port: int = PORT
    allow_remote: bool = False


def example() -> str:
    return files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")


def parse_address(text: str) -> tuple[str, int]:
    """
    >>> parse_address("10.1.0.7:8909"), parse_address("localhost")
    (('10.1.0.7', 8909), ('localhost', 8909))
    """
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?", text.strip(), re.ASCII)
    port = int(match[2] or PORT) if match else 0
    if match is None or not is_host(match[1].strip("[]")) or not 1 <= port <= 65535:
        raise BadInput("bad-address", f"{text!r} is no address to listen at: write HOST:PORT, as in 127.0.0.1:8909")
    return match[1].strip("[]"), port


def venue_text(wanted: WantedVenue) -> str:
    """The file, which can be served as it is."""
    if not (is_loopback(wanted.host) or wanted.allow_remote):
        raise BadInput(
            "bad-address",
            f"{wanted.host} can be reached from other machines, and without TLS anyone on the way can read along: add "
            f"--allow-remote if something else protects the wire, or leave it at {HOST} and name tls_cert and tls_key "
            "in the venue file first",
        )
    text = example()
    if wanted.games:
        head, _, _ = text.partition(FIRST_TABLE)
        text = head + "\n".join(_tables(wanted))
    for old, new in (
        (f'host = "{HOST}"', f'host = "{wanted.host}"'),
        (f"port = {PORT}", f"port = {wanted.port}"),
        ("allow_remote = false", f"allow_remote = {str(wanted.allow_remote).lower()}"),
    ):
        text = text.replace(old, new, 1)
    _check(text)
    return text


def _check(text: str) -> None:
    """As the server will read it: what cannot be played is refused before anything is written."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / VENUE_FILE
        path.write_text(text, encoding="utf-8")
        load_venue(path)


def _tables(wanted: WantedVenue) -> list[str]:
    if not 1 <= wanted.tables <= MOST_TABLES:
        raise BadInput("bad-tables", f"{wanted.tables} tables of a game: give 1 to {MOST_TABLES}")
    taken: Counter[str] = Counter()
    sections = []
    for game in [load_game(one) for one in dict.fromkeys(wanted.games)]:
        for _ in range(wanted.tables):
            stem = game.id.partition("-")[2]  # without its operator
            taken[stem] += 1
            sections.append(_table(game, f"{stem}-{taken[stem]}", wanted.mode))
    return sections


def _table(game: Game, table: str, mode: Mode | None) -> str:
    if mode is Mode.AUTOMATIC and game.document.dealer_announces:
        raise BadInput(
            "bad-mode",
            f"{game.id} cannot run by itself, since a dealer announces when betting opens and closes: leave the mode "
            "out, or choose dealer",
            paragraph=game.document.dealer_announces,
        )
    by_itself = mode is not Mode.DEALER and not game.document.dealer_announces
    layout = next((one for one in game.layouts if one.boxes is None), game.layouts[0])
    seats = f"seats = {SEATS} # how many terminals may sit\n" if layout.boxes is None else ""
    insurance = "insurance = 12, " if game.insurance else ""
    return f"""[[table]]
id = "{table}" # it stays in the records for ever
title = "{game.title} {table.rpartition("-")[2]}"
game = "{game.id}"
decks = 8
layout = "{layout.id}"
{seats}mode = "{Mode.AUTOMATIC if by_itself else Mode.DEALER}" # or "{Mode.DEALER if by_itself else Mode.AUTOMATIC}"
shoe = "shuffler" # "read": real cards, typed by the dealer or read by a device
minimum = 10 # for each wager without limits of its own
maximum = 5000
timers = {{ betting = 20, {insurance}reveal = 1.2, result = 6 }} # seconds
"""
