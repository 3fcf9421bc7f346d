"""A TOML file and where in it everything stands, so that a mistake is named with its file and line."""

import re
import tomllib
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from natural9.core.errors import BadInput

S = TypeVar("S")
T = TypeVar("T")


class Source:
    """One data file. Paths into it are written as msgspec writes them: ``$.wager[2].pays[0].odds``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.bytes = path.read_bytes()
            self.text = self.bytes.decode()
        except OSError as error:
            raise BadInput("no-such-file", f"{path}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise BadInput("bad-pack", f"{path}: not UTF-8 text: {error}") from None

    @property
    def sha256(self) -> str:
        return sha256(self.bytes).hexdigest()

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def read(self, shape: type[T]) -> T:
        try:
            return msgspec.convert(tomllib.loads(self.text), shape)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"line (\d+)", str(error))
            raise BadInput("bad-pack", f"{self.path.name}:{at[1] if at else len(self.lines)}: {error}") from None
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at ")
            self.refuse(where.strip("`") or "$", what)

    def parse(self, where: str, parse: Callable[[S], T], value: S) -> T:
        """Use a value that stands at this place, naming the place if it cannot be used."""
        try:
            return parse(value)
        except BadInput as error:
            self.refuse(where, str(error))

    def refuse(self, where: str, why: str) -> NoReturn:
        raise BadInput("bad-pack", f"{self.path.name}:{self.line_of(where)}: {why}")

    def line_of(self, where: str) -> int:
        """The line, from 1, on which the value at this path stands, or that of the nearest thing around it."""
        start, end = 0, len(self.lines)
        for name, index in re.findall(r"\.([\w-]+)|\[(\d+)\]", where):
            if name:
                key = re.compile(rf"\s*({re.escape(name)}\s*=|\[+{re.escape(name)}\b)")
                start = next((line for line in range(start, end) if key.match(self.lines[line])), start)
            elif self.lines[start].lstrip().startswith("[["):
                header = self.lines[start]
                places = [line for line in range(start, end) if self.lines[line] == header]
                start, end = places[int(index)], [*places, end][int(index) + 1]
            elif "{" not in self.lines[start]:  # an inline array, one row a line
                rows = [line for line in range(start, end) if self.lines[line].lstrip().startswith("{")]
                start = rows[int(index)] if int(index) < len(rows) else start
        return start + 1
