"""An order: a command of staff, the request id that its sender made, and the reason.

What goes over the wire and into the journal is made from the commands as they are declared, so that there is no second
description of any: a card is written as text, and every number, text and list is bounded.
"""

from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.round.commands import Bounds, Command
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.staff import BY_TAG
from natural9.table.commands.terminal import BetTap, InsertVoucher, OfTheServer, Request, Tap, TerminalCommand

CardText = Annotated[str, Meta(min_length=1, max_length=8, description="A card, as 9H or 10S")]


class Order(Struct, frozen=True):
    """What is asked of a table. Who asks is known by their session."""

    request: str
    command: Command
    why: str = ""


# The commands on the wire.


def _wire(kind: Any) -> Any:
    """A field's type as the wire has it."""
    if kind is Card:
        return CardText
    if get_origin(kind) is Annotated:
        inner, bounds = get_args(kind)
        return Annotated[inner if inner in (int, str) else _wire(inner), _meta(inner, bounds)]
    assert kind not in (int, str), "a field that comes from outside has bounds"
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(_wire(one) for one in get_args(kind))]  # noqa: UP007
    if get_args(kind):
        return get_origin(kind)[tuple(one if one is ... else _wire(one) for one in get_args(kind))]
    return kind


def _meta(kind: Any, bounds: Bounds) -> Meta:
    if kind is int:
        return Meta(ge=bounds.least, le=bounds.most)
    return Meta(min_length=bounds.least, max_length=bounds.most)


def _default(field: Field[Any]) -> tuple[Any, ...]:
    if field.default_factory is not MISSING:
        return (msgspec.field(default_factory=field.default_factory),)
    return () if field.default is MISSING else (field.default,)


def _written(tag: str, shape: type[Command]) -> type[Struct]:
    """The command as JSON has it."""
    kinds = get_type_hints(shape, include_extras=True)
    return msgspec.defstruct(
        shape.__name__,
        [(one.name, _wire(kinds[one.name]), *_default(one)) for one in fields(shape)],  # type: ignore[arg-type]
        namespace={"__doc__": shape.__doc__},
        module=shape.__module__,
        tag_field="type",
        tag=tag,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


_SHAPES: Final = {_written(tag, shape): shape for tag, shape in BY_TAG.items()}
WRITTEN: Final = {shape: written for written, shape in _SHAPES.items()}
_HAS_CARDS: Final = {
    shape: [name for name, kind in get_type_hints(shape).items() if Card in (kind, *get_args(kind))]
    for shape in WRITTEN
}

if TYPE_CHECKING:
    StaffCommand = Struct
else:
    StaffCommand = Union[tuple(_SHAPES)]  # noqa: UP007


def write(command: Command) -> StaffCommand:
    """The command as JSON has it: cards become text."""
    values = {one.name: getattr(command, one.name) for one in fields(command)}  # type: ignore[arg-type]
    return WRITTEN[type(command)](**{name: _text(value) for name, value in values.items()})


def _text(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_text, value))
    return str(value) if isinstance(value, Card) else value


def read(written: StaffCommand) -> Command | Refusal:
    """The command that was written; refused if one of its cards is none."""
    shape = _SHAPES[type(written)]
    values = {name: getattr(written, name) for name in written.__struct_fields__}
    try:
        return shape(**values | {name: _card(values[name]) for name in _HAS_CARDS[shape]})
    except BadInput as error:
        return Refusal.of(TableCode.BAD_CARD, error)


def _card(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_card, value))
    return None if value is None else Card.parse(value)


# Orders on the wire and in the journal.


class WrittenOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    request: Request
    command: StaffCommand
    why: Annotated[str, Meta(max_length=500, description="The reason, where the command takes one")] = ""


def content(asked: Tap | Order) -> bytes:
    """What the journal keeps of it, and what "the same content" compares: all but a voucher's code."""
    if type(asked) is Order:  # and not isinstance: every bet passes here
        return _encode(WrittenOrder(request=asked.request, command=write(asked.command), why=asked.why))
    if type(asked) is InsertVoucher:
        asked = msgspec.structs.replace(asked, code="-")
    return _encode(asked)


def read_order(content: bytes) -> Order | Refusal:
    """The order that the journal kept. Raises msgspec.DecodeError if it is none."""
    written = _decode(content)
    command = read(written.command)
    return command if isinstance(command, Refusal) else Order(written.request, command, written.why)


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(WrittenOrder).decode
_TAPS: Final = {shape: str(shape.__struct_config__.tag) for shape in get_args(TerminalCommand | OfTheServer)}


_BETS: Final = frozenset(tag for shape, tag in _TAPS.items() if issubclass(shape, BetTap))


def is_bet(tag: str) -> bool:
    """Whether what was asked is about the bets of a round: all else is found in the journal by its request."""
    return tag in _BETS


def tag_of(asked: Tap | Order) -> str:
    return asked.command.TAG if type(asked) is Order else _TAPS[type(asked)]
