"""A command of any kind, with something in each of its fields: a command that is added is tried without being named."""

from dataclasses import fields
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from natural9.core.cards import Card
from natural9.core.round.commands import Bounds, Command
from natural9.table.commands.staff import LimitChange


def sample(shape: type[Command]) -> Command:
    kinds = get_type_hints(shape, include_extras=True)
    return shape(**{one.name: _value(kinds[one.name]) for one in fields(shape)})  # type: ignore[arg-type]


def _value(kind: Any, least: int = 1) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bounds = parts[1]
        assert isinstance(bounds, Bounds)
        return _value(parts[0], max(1, bounds.least))
    if origin in (Union, UnionType):
        return _value(parts[0])
    if origin is tuple:
        return (_value(parts[0]),) * max(2, least)
    if origin is not None:
        return {_value(parts[0]): _value(parts[1])}
    if issubclass(kind, Enum):
        return next(iter(kind))
    return {int: least, str: "x" * least, bool: True}.get(kind) or _MADE[kind]


_MADE = {Card: Card.parse("TS"), LimitChange: LimitChange(min_cents=100, max_cents=500)}
