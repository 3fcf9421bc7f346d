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
from natural9.games.explain import explain

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
            raise BadInput("bad-pack", f"{path} is not UTF-8 text: save it as UTF-8 ({error})") from None

    @property
    def sha256(self) -> str:
        return sha256(self.bytes).hexdigest()

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def read(self, shape: type[T]) -> T:
        try:
            data = tomllib.loads(self.text)
        except ValueError as error:  # TOML that is none, or a number that is no number
            at = re.search(r"line (\d+)", str(error))
            last = len(self.lines) if "end of document" in str(error) else 1
            why = str(error).replace("Cannot overwrite a value", "an earlier line has given this name a value")
            raise BadInput("bad-pack", f"{self.path.name}:{at[1] if at else last}: not valid TOML: {why}") from None
        except RecursionError:
            raise BadInput("bad-pack", f"{self.path.name}:1: not valid TOML: lists in lists without end") from None
        try:
            return msgspec.convert(data, shape)
        except msgspec.ValidationError as error:
            self.refuse(*explain(shape, data, str(error)))

    def parse(self, where: str, parse: Callable[[S], T], value: S) -> T:
        """Use a value that stands at this place, naming the place if it cannot be used."""
        try:
            return parse(value)
        except BadInput as error:
            self.refuse(where, str(error), error.paragraph)

    def refuse(self, where: str, why: str, paragraph: str = "") -> NoReturn:
        raise BadInput("bad-pack", f"{self.path.name}:{self.line_of(where)}: {why}", paragraph)

    def line_of(self, where: str) -> int:
        """The line, from 1, on which the value at this path stands, or that of the nearest thing around it."""
        start, end = 0, len(self.lines)
        for name, index in re.findall(r"\.([\w-]+)|\[(\d+)\]", where):
            if "{" in self.lines[start]:  # an inline table or row: the rest of the path is on this line
                break
            if name:
                key = re.escape(name)
                named = self._matching(rf"\s*({key}\s*[=.]|\[+([\w-]+\.)*{key}\s*\])", start, end)
                start = named[0] if named else start
            elif header := re.match(r"\s*\[\[([\w.-]+)\]\]", self.lines[start]):
                tables = [*self._matching(rf"\s*\[\[{re.escape(header[1])}\]\]", start, end), end]
                if int(index) + 1 < len(tables):
                    start, end = tables[int(index)], tables[int(index) + 1]
            else:  # an inline array, one row a line
                rows = self._matching(r"\s*\{", start, end)
                start = rows[int(index)] if int(index) < len(rows) else start
        return start + 1

    def _matching(self, pattern: str, start: int, end: int) -> list[int]:
        return [line for line in range(start, end) if re.match(pattern, self.lines[line])]
