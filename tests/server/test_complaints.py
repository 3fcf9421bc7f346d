"""Whatever is wrong with a request is told in words, with the limit: no field's name and no type reaches a person."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, get_args

import msgspec
import msgspec.inspect
import pytest

from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.server.complaints import NAMES, in_words
from natural9.server.people import wire as people
from natural9.table.commands.orders import WRITTEN, WrittenOrder, write
from natural9.table.commands.staff import BY_TAG
from natural9.table.commands.terminal import TerminalCommand
from tests.server.live_server import Server, Visit, new_venue, running, table
from tests.table.samples import sample

TAPS: Final = get_args(TerminalCommand)
WRONG: Final[tuple[Any, ...]] = (
    10**30,
    10**15,
    -1,
    0,
    1.5,
    "",
    "x" * 2000,
    "\u0000",
    True,
    None,
    [],
    [1] * 500,
    ["x"],
    {},
    {"a": 1},
)
MACHINE: Final = re.compile(
    r"[`$_\[\]{}|\\^]|\b(?:Expected|Object|int|str|array|null|object|length|enum|regex|cents)\b"
)


GARBAGE: Final = (b"", b"{", b"[]", b"nonsense", b"\xff", b'{"type":"bet"', b'"bet"')


def decode(body: object) -> object:
    return protocol.decode_from_terminal(msgspec.json.encode(body))


def order(body: object) -> object:
    return msgspec.convert(body, WrittenOrder)


def complaint_of(read: Callable[[Any], object], body: object) -> str:
    """What msgspec says of it; "" where it is good."""
    try:
        read(body)
    except msgspec.DecodeError as error:
        return str(error)
    return ""


def is_plain(said: str) -> bool:
    return not MACHINE.search(said) and said.strip() != ""


def spoilt(good: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same with each field wrong in every way, left out, and one too many."""
    for name in good:
        yield name, {key: value for key, value in good.items() if key != name}
        for wrong in WRONG:
            yield name, good | {name: wrong}
    yield "", good | {"no_such_field": 1}


def orders() -> Iterator[tuple[str, dict[str, Any]]]:
    for shape in BY_TAG.values():
        command = msgspec.to_builtins(write(sample(shape)))
        good = {"request": "1", "command": command, "why": "so it was"}
        yield from spoilt(good)
        for name, body in spoilt(command):
            yield name, good | {"command": body}


def tap(shape: type[msgspec.Struct]) -> dict[str, Any]:
    """With something in each field: a tap that is added is tried without being named."""
    fields = msgspec.inspect.type_info(shape).fields  # type: ignore[attr-defined]
    return {field.name: _some(field.type) for field in fields} | {"type": shape.__struct_config__.tag}


def _some(kind: Any) -> Any:
    if isinstance(kind, msgspec.inspect.Metadata):
        return _some(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        return _some(next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType)))
    if isinstance(kind, msgspec.inspect.EnumType):
        return next(iter(kind.cls)).value
    if isinstance(kind, msgspec.inspect.DictType):
        return {_some(kind.key_type): _some(kind.value_type)}
    if isinstance(kind, msgspec.inspect.StrType):
        return "0" * (kind.min_length or 1)
    samples: dict[Any, Any] = {msgspec.inspect.IntType: 1, msgspec.inspect.BoolType: True}
    return samples[type(kind)]


def test_every_order_with_each_field_wrong_is_refused_in_words() -> None:
    told = [why for _, body in orders() if (why := complaint_of(order, body))]
    assert len(told) > 1000
    assert [why for why in told if not is_plain(in_words(why))] == []


def test_every_tap_with_each_field_wrong_is_refused_in_words() -> None:
    told = []
    for shape in TAPS:
        assert complaint_of(decode, tap(shape)) == ""
        told += [complaint_of(decode, body) for _, body in spoilt(tap(shape))]
    told += [complaint_of(protocol.decode_from_terminal, raw) for raw in GARBAGE]
    assert len(list(filter(None, told))) > 200
    assert [why for why in told if why and not is_plain(in_words(why))] == []


def test_every_field_that_a_person_may_fill_in_has_a_name() -> None:
    asked = [*WRITTEN.values(), *TAPS, WrittenOrder]
    asked += [one for one in vars(people).values() if isinstance(one, type) and issubclass(one, people.Request)]
    fields = {field.name for shape in asked for field in msgspec.structs.fields(shape)}
    assert fields - set(NAMES) == set()


@pytest.mark.parametrize(
    ("complaint", "where", "said"),
    [
        ("Expected `int` <= 1000000000000", "command.cents", "the amount is at most 10,000,000,000.00"),
        ("Expected `int` >= 1 - at `$.command.seat`", "", "the seat number is at least 1"),
        ("Expected `str` of length <= 500", "why", "the reason has at most 500 characters"),
        ("Expected `str` of length >= 1", "request", "the request id is missing"),
        ("Expected `array` of length <= 60", "command.cards", "the cards: no more than 60 at a time"),
        ("Expected `int | null`, got `str`", "command.cents", "the amount must be a whole number"),
        ("Invalid value 'no-such'", "command.type", "the command is none that there is"),
        ("Integer value out of range", "command.seat", "the seat number is out of range"),
        ("JSON is malformed: invalid character (byte 3)", "", "the request cannot be read"),
        ("Expected `int` <= 7", "unheard_of", "the value is at most 7"),
    ],
)
def test_a_complaint_names_the_limit(complaint: str, where: str, said: str) -> None:
    assert in_words(complaint, where) == said


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("complaints"), table("a", "rws-nc"))) as one:
        yield one


async def test_what_the_server_answers_is_in_words_and_tells_programs_the_place(visit: Visit) -> None:
    cashier = await visit.person("cashier")
    order = {"request": "1", "command": {"type": "credit-terminal", "seat": 1, "cents": 10**13}}
    with pytest.raises(ServerSaidNo, match=r"400 bad-request: The amount is at most 10,000,000,000\.00"):
        await cashier.post("/api/tables/a/commands", order)
    for _, body in spoilt({"type": "credit-terminal", "seat": 1, "cents": 100}):
        with pytest.raises(ServerSaidNo) as refused:
            await cashier.post("/api/tables/a/commands", {"request": "2", "command": body | {"more": 1}})
        assert is_plain(refused.value.message)
    for path, query in (("/api/odds", {"decks": "x"}), ("/api/odds", {"decks": "1000"}), ("/api/no-such", {})):
        with pytest.raises(ServerSaidNo) as refused:
            await cashier.get(path, game="mbs-nc", **query)
        assert is_plain(refused.value.message), refused.value
