"""Whoever imports the core finds every public name explained."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import natural9.core


def public_things() -> Iterator[tuple[str, object]]:
    for found in pkgutil.walk_packages(natural9.core.__path__, "natural9.core."):
        module = importlib.import_module(found.name)
        yield found.name, module
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != found.name:
                continue
            if inspect.isclass(thing):
                yield f"{found.name}.{name}", thing
                yield from _members(f"{found.name}.{name}", thing)
            elif inspect.isfunction(thing):
                yield f"{found.name}.{name}", thing


def _members(where: str, shape: type) -> Iterator[tuple[str, object]]:
    for name, member in vars(shape).items():
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | staticmethod)):
            yield f"{where}.{name}", getattr(shape, name)  # so that it inherits what its base says


def _words(thing: object) -> str:
    # A method may inherit its words; a class says its own.
    words = (thing.__dict__.get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)) or ""
    generated = inspect.isclass(thing) and words.startswith(
        f"{thing.__name__}("
    )  # what dataclass and NamedTuple make up
    return "" if generated else words


def test_everything_public_in_core_has_a_docstring() -> None:
    things = list(public_things())
    assert len(things) > 300
    assert [where for where, thing in things if not _words(thing)] == []
