"""What other Python programs use: the public names of the rooms that need no server, with their examples.

The examples are doctests, and run (tests/test_doctests.py).
"""

import inspect
import pkgutil
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from docs_site.markdown import block, page, table

ROOMS: Final = {
    "natural9.core": "cards, hands, wagers, money and settlement",
    "natural9.core.round": "one round as decide and evolve",
    "natural9.games": "the nine games, and how a rule pack is read",
    "natural9.odds": "the exact mathematics, and simulation",
    "natural9.proof": "what anybody checks without trusting the house",
}


def modules(room: str) -> list[str]:
    """The modules of a room, not of the rooms in it."""
    package = import_module(room)
    return [one.name for one in pkgutil.iter_modules(package.__path__, f"{room}.") if not one.ispkg]


def python_pages() -> dict[str, str]:
    made = {
        "python/index.md": page(
            "Python",
            "`pip install natural9` is enough. Nothing of these needs a server, a clock or a file; money is whole "
            "cents, odds are exact fractions, and a value that makes no sense is a `BadInput` that says why.",
            table(["room", ""], ([f"[`{room}`]({room}.md)", about] for room, about in ROOMS.items())),
            "A program in another language asks `natural9 settle --jsonl`, or the server: [HTTP](../http/index.md), "
            "[WebSocket](../websocket.md).",
            about="The Python packages that need no server, with examples that run.",
        )
    }
    for room, about in ROOMS.items():
        parts = [part for name in modules(room) for part in _module(import_module(name))]
        made[f"python/{room}.md"] = page(room, _text(import_module(room).__doc__), *parts, about=f"{room}: {about}.")
    return made


def _module(module: ModuleType) -> Iterator[str]:
    try:
        names = [name for name, value in vars(module).items() if _is_public(name, value, module)]
    except ImportError:
        return
    if not names:
        return
    yield f"## {module.__name__}"
    yield _text(module.__doc__)
    for name in names:
        yield from _name(name, getattr(module, name))


def _is_public(name: str, value: object, module: ModuleType) -> bool:
    own = getattr(value, "__module__", None) == module.__name__
    return own and not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value))


def _name(name: str, value: Any) -> Iterator[str]:
    yield f"### {name}"
    if inspect.isclass(value) and issubclass(value, Enum):
        yield _text(value.__doc__ if "\n" in (value.__doc__ or "") or value.__doc__ else "")
        yield block("\n".join(f"{name}.{one.name} = {one.value!r}" for one in value), "python")
        return
    yield block(f"{name}{_signature(value)}", "python")
    own = value.__doc__ or ""
    yield _text("" if own.startswith(f"{name}(") else own)
    if inspect.isclass(value):
        for attribute, member in vars(value).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if not attribute.startswith("_") and inspect.isfunction(function) and function.__doc__:
                shown = "" if isinstance(member, property) else _signature(function)
                yield f"**`{attribute}`**{' ' + _inline(shown) if shown else ''}\n"
                yield _text(function.__doc__)


def _inline(signature: str) -> str:
    return f"`{signature}`"


def _signature(value: Any) -> str:
    try:
        said = str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(...)"
    said = re.sub(r"<(?:function|object|factory)[^>]*>", "...", said)
    return re.sub(r"\b(?:natural9\.[\w.]*|collections\.abc|typing)\.(?=\w)", "", said)


def _text(doc: str | None) -> str:
    """A docstring, its examples as blocks of code."""
    lines: list[str] = []
    in_example = False
    for line in inspect.cleandoc(doc or "").splitlines():
        if line.startswith(">>> ") and not in_example:
            lines.append("\n```pycon")
            in_example = True
        elif in_example and not line.strip():
            lines.append("```\n")
            in_example = False
        lines.append(line)
    return "\n".join([*lines, "```"] if in_example else lines)
