"""`natural9 init`: a venue to start from."""

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from natural9.core.errors import BadInput


def init(folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the venue is to live.")]) -> None:
    """Write a commented example of a venue, ready to be played or changed.

    Example: natural9 init my-venue
    """
    path = folder / "venue.toml"
    example = files("natural9.table.venue").joinpath("example.toml").read_bytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(example)
    except FileExistsError as error:
        if error.filename == str(path):
            raise BadInput("venue-exists", f"{path} is there already, and is not overwritten") from None
        raise BadInput("bad-folder", f"{folder} is not a folder") from None
    except OSError as error:
        raise BadInput("bad-folder", f"{path} cannot be written: {error.strerror}") from None
    print(f"{path} is written: a venue with four tables, every setting explained.")
    print("Change what you like in it, then start it:")
    print(f"    natural9 serve {folder}")
