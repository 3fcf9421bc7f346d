"""What is wrong with the shape of a file, in the words of the person who wrote it."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from msgspec import inspect

from natural9.core.errors import did_you_mean, nearest

_WORDS: Final = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "text in quotes",
    "array": "a list",
    "object": "keys in braces",
}


class Section(NamedTuple):
    """A part of a file that has keys, as the file writes it: ``[server]``, ``[[table]]``, ``timers of [[table]]``."""

    label: str
    keys: dict[str, inspect.Type]


def explain(shape: type, data: object, complaint: str) -> tuple[str, str]:
    """What msgspec complains of, when this data is to have this shape: the place, and a sentence.

    A place is written as msgspec writes it, ``$.table[0].timers``.
    """
    what, _, where = complaint.partition(" - at ")
    where = where.strip("`") or "$"
    sections, here = _sections(shape), re.sub(r"\[\d+\]", "", where)
    kind, value = _find(inspect.type_info(shape), data, where)
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", what, re.DOTALL):
        return f"{where}.{unknown[1]}", _unknown_key(sections, here, unknown[1], value)
    if missing := re.fullmatch(r"Object missing required field `(.+)`", what):
        return where, _missing_key(sections, here, missing[1])
    name = here.removesuffix("[...]").rpartition(".")[2]
    if wrong := re.fullmatch(r"Expected `(.+)`, got `(.+)`", what):
        return where, _wrong_kind(sections, here, name, wrong[1].split(" | "), wrong[2], value)
    if invalid := re.fullmatch(r"Invalid enum value (.+)", what):
        return where, _wrong_word(name, invalid[1], kind)
    return where, what


def _steps(where: str) -> Iterator[str | int | None]:
    """Each name and each number in a list; None for a name that msgspec leaves out: ``$.action[...]``."""
    for name, index in re.findall(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]", where):
        yield name or (None if index == "..." else int(index))


def _find(kind: inspect.Type, value: Any, where: str) -> tuple[inspect.Type, Any]:
    """The type and the value at this place, as far as it can be followed."""
    for step in _steps(where):
        kind = _without_null(kind)
        if isinstance(step, str) and isinstance(kind, inspect.StructType):
            kind = {field.encode_name: field.type for field in kind.fields}[step]
        elif isinstance(step, int) and isinstance(kind, inspect.ListType | inspect.VarTupleType):
            kind = kind.item_type
        elif step is None and isinstance(kind, inspect.DictType):
            kind = kind.value_type
        else:
            break
        value = None if step is None or value is None else value[step]
    return _without_null(kind), value


def _without_null(kind: inspect.Type) -> inspect.Type:
    if isinstance(kind, inspect.UnionType):
        kinds = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return kinds[0] if len(kinds) == 1 else kind
    return kind


def _sections(shape: type) -> dict[str, Section]:
    """Every section that a file of this shape may have, by its place."""
    found: dict[str, Section] = {}

    def add(kind: inspect.Type, where: str, label: str) -> None:
        kind = _without_null(kind)
        if isinstance(kind, inspect.StructType):
            keys = {field.encode_name: field.type for field in kind.fields}
            found[where] = Section(label, keys)
            for name, inner in keys.items():
                add(inner, f"{where}.{name}", f"{name} of {label}" if label else _header(name, inner))
        elif isinstance(kind, inspect.ListType | inspect.VarTupleType):
            add(kind.item_type, where, label)
        elif isinstance(kind, inspect.DictType):
            add(kind.value_type, f"{where}[...]", label)

    add(inspect.type_info(shape), "$", "")
    return found


def _header(name: str, kind: inspect.Type) -> str:
    return f"[[{name}]]" if isinstance(_without_null(kind), inspect.ListType | inspect.VarTupleType) else f"[{name}]"


def _unknown_key(sections: dict[str, Section], here: str, key: str, value: Any) -> str:
    label, keys = sections[here]
    near = nearest(key, keys)
    if not label and f"$.{near}" in sections:
        near = sections[f"$.{near}"].label
    if label or not isinstance(value[key], dict | list):
        why = f"{label or 'the top of the file'} has no key {key!r}"
    else:
        why = f"the file has no section {f'[[{key}]]' if isinstance(value[key], list) else f'[{key}]'}"
    others = [where for where, section in sections.items() if key in section.keys and where != here]
    if len(others) == 1:
        return f"{why}: it {_belongs(sections, others[0], key)}" + (f"; or did you mean {near}?" if near else "")
    return why + (f"; did you mean {near}?" if near else f": its keys are {', '.join(keys)}")


def _belongs(sections: dict[str, Section], where: str, key: str) -> str:
    if label := sections[where].label:
        return f"belongs in {label}"
    section = sections.get(f"$.{key}")
    return f"is a section of its own, {section.label}" if section else "belongs at the top of the file"


def _missing_key(sections: dict[str, Section], here: str, key: str) -> str:
    if label := sections[here].label:
        return f"{label} has no key {key!r}: add it"
    section = sections.get(f"$.{key}")
    return f"the file has no {f'section {section.label}' if section else f'key {key!r}'}: add it"


def _wrong_kind(
    sections: dict[str, Section], here: str, name: str, expected: list[str], got: str, value: object
) -> str:
    section = sections.get(here)
    if section and here.count(".") == 1:
        if got == "object":
            return f"write {section.label}, with two brackets: there may be several"
        if got == "array":
            return f"write {section.label}, with one bracket: there is only one"
        return f"{name} is a section: write {section.label}, and its keys on the lines below"
    kinds = [kind for kind in expected if kind != "null" and not (kind == "int" and "float" in expected)]
    *most, last = [_WORDS.get(kind, kind) for kind in kinds]
    return f"{name} must be {', '.join(most)}{' or ' if most else ''}{last}, not {_shown(value, got)}"


def _shown(value: object, got: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, dict | list):
        return _WORDS.get(got, got)
    return f'"{value}"' if isinstance(value, str) else str(value)


def _wrong_word(name: str, word: str, kind: inspect.Type) -> str:
    words: list[str] = []
    if isinstance(kind, inspect.EnumType):
        words = [str(one.value) for one in kind.cls]
    elif isinstance(kind, inspect.LiteralType):
        words = [str(one) for one in kind.values]
    hint = did_you_mean(word.strip("'"), words) or (f": it is one of {', '.join(words)}" if words else "")
    return f"{name} cannot be {word}{hint}"
