"""`natural9 init`: a venue to start from."""

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from natural9.core.errors import BadInput
from natural9.disk.durable import make_durable, make_durable_folder, write_new


def init(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder for the venue.")]) -> None:
    """Make a new venue from a commented example.

    It writes venue.toml with four tables and every setting explained. Change what you like, then start it with natural9
    serve.

    Example: natural9 init my-venue
    """
    path = folder / "venue.toml"
    example = files("natural9.table.venue").joinpath("example.toml").read_bytes()
    try:
        make_durable_folder(folder)
        write_new(path, example, 0o666)
        make_durable(folder)
    except FileExistsError as error:
        if error.filename == str(path):
            raise BadInput(
                "venue-exists", f"{path} exists already and is not overwritten: change it, or name a new folder"
            ) from None
        raise BadInput("bad-folder", f"{folder} is a file: name a new folder") from None
    except OSError as error:
        raise BadInput("bad-folder", f"{path} cannot be written: {error.strerror}") from None
    print(f"{path} is written: a venue with four tables, every setting explained.")
    print("Change what you like in it, then start it:")
    print(f"    natural9 serve {shlex.quote(str(folder))}")
