"""Each setting of a venue file: name, kind and default from the shapes, words from the file that `init` writes."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from inspect import isclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from docs_site.markdown import block, cell, code, page, table
from natural9.games.files import File
from natural9.table.venue.file import Amount, VenueFile

_SETTING: Final = re.compile(r"^(?:# )?(?P<name>[a-z][a-z0-9_]*) = [^#]*?(?: *# (?P<words>.*))?$")
_KINDS: Final[Mapping[Any, str]] = {int: "whole number", float: "number", str: "text", bool: "true or false"}


class Setting(NamedTuple):
    part: str  # such as "table" or "table.timers"
    name: str
    kind: str
    default: str  # "" where it must be given


def example() -> str:
    return files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")


def settings() -> Iterator[Setting]:
    """Every setting that a venue file can have, part by part."""
    for part, kind in get_type_hints(VenueFile).items():
        yield from _settings_of(part, _file_in(kind))


def words_of(setting: Setting) -> str:
    """What settings.toml says of it, else what `init` writes beside it."""
    return _words().get((setting.part, setting.name), "")


def venue_pages() -> dict[str, str]:
    parts: dict[str, list[Setting]] = {}
    for setting in settings():
        parts.setdefault(setting.part, []).append(setting)
    made = {
        "venue/index.md": page(
            "The venue file",
            "One file says what a venue is: `venue.toml` in its folder. `natural9 init` writes one with every setting "
            "explained, and `natural9 serve` names the first mistake in it with its line.",
            table(
                ["part", "", "settings"],
                (
                    [f"[`{_head(part)}`]({_name(part)}.md)", _about(part), str(len(rows))]
                    for part, rows in parts.items()
                ),
            ),
            "## As `natural9 init` writes it\n",
            block(example(), "toml"),
            about="Every setting of venue.toml, with its kind, its default and what it does.",
        )
    }
    for part, rows in parts.items():
        made[f"venue/{_name(part)}.md"] = page(
            f"{_head(part)}",
            _about(part),
            *(piece for row in rows for piece in _entry(row)),
            about=f"The settings of {_head(part)} in venue.toml.",
        )
    return made


def _entry(row: Setting) -> Iterator[str]:
    yield f"## {row.name}"
    yield f"*{row.kind}*, {'must be given' if not row.default else 'without it ' + code(row.default)}" + "\n"
    yield _sentence(words_of(row))


def _sentence(words: str) -> str:
    words = cell(words).strip(". ")
    return f"{words if words.startswith('a-z') else words[:1].upper() + words[1:]}." if words else ""


def _head(part: str) -> str:
    if part == "table":
        return "[[table]]"
    return f"[{part}]" if "." not in part else part.replace(".", ": ")


def _name(part: str) -> str:
    return part.replace(".", "-")


def _about(part: str) -> str:
    kind = dict(_parts())[part]
    return _sentence(_words().get((part, "about"), "") or kind.__doc__ or "")


def _parts() -> Iterator[tuple[str, type[File]]]:
    for part, kind in get_type_hints(VenueFile).items():
        found = _file_in(kind)
        yield part, found
        for name, inner in get_type_hints(found).items():
            if row := _file_in(inner, or_none=True):
                yield f"{part}.{name}", row


def _settings_of(part: str, kind: type[File]) -> Iterator[Setting]:
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        yield Setting(part, field.name, _kind_of(hints[field.name], field.name), _default(field))
    for name, inner in hints.items():
        if row := _file_in(inner, or_none=True):
            yield from _settings_of(f"{part}.{name}", row)


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return ""
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    match value:
        case None | "":
            return "none"
        case bool():
            return str(value).lower()
        case tuple() | list():
            return "[]"
        case float():
            return f"{value:g}"
        case StrEnum():
            return f'"{value}"'
        case _:
            return str(value)


def _kind_of(hint: Any, name: str) -> str:
    if hint == Amount:
        return "amount"
    if isclass(hint) and issubclass(hint, StrEnum):
        return " or ".join(f'"{one}"' for one in hint)
    if isclass(hint) and issubclass(hint, File):
        return "a part of its own"
    if get_origin(hint) in (tuple, list):
        inner = _kind_of(get_args(hint)[0], name)
        return "rows" if inner == "a part of its own" else f"list of {inner}"
    if get_origin(hint) in (Union, UnionType):
        kinds = [one for one in get_args(hint) if one is not NoneType]
        return "amount" if set(kinds) == set(get_args(Amount)) else " or ".join(_kind_of(one, name) for one in kinds)
    return _KINDS[hint]


def _file_in(hint: Any, *, or_none: bool = False) -> Any:
    """The shape of a part, also of one that may be left out or comes several times."""
    for one in (hint, *get_args(hint)):
        if isclass(one) and issubclass(one, File):
            return one
    assert or_none, hint
    return None


@cache
def _words() -> Mapping[tuple[str, str], str]:
    bare = tomllib.loads(Path(__file__).with_name("settings.toml").read_text(encoding="utf-8"))
    found = {(part, name): words for part, rows in bare.items() for name, words in rows.items()}
    part = ""
    for line in example().splitlines():
        if head := re.match(r"(?:# )?\[+([a-z_]+)\]+", line):
            part = head[1]
        elif (said := _SETTING.match(line)) and part and said["words"]:
            found.setdefault((part, said["name"]), said["words"])
    return found
