"""The documents of the WebSockets: every message is in them, and they agree with what is decoded and what is said."""

import json
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.cli.protocol import protocol as protocol_command
from natural9.core.errors import BadInput
from natural9.core.table_of_play import Hand
from natural9.server import guests, protocol, room, schema
from natural9.server.announce.announcement import Announcement, public_table, public_tags
from natural9.server.announce.destinations import SIGNATURE
from natural9.server.app import documents
from natural9.server.program import version
from natural9.store.memory import MemoryStore
from natural9.table.commands import terminal as taps
from tests.table.stories import an_evening, an_irregular_round

REQUEST = "a-1"
FROM_TERMINALS: list[taps.Tap | protocol.Ping] = [
    taps.Bet(request=REQUEST, round=7, wager="tie", cents=500),
    taps.TakeBack(request=REQUEST, round=7, wager="tie", cents=500),
    taps.Clear(request=REQUEST, round=7),
    taps.Insure(request=REQUEST, round=7, hand=Hand.BANKER, cents=500),
    taps.CashOut(request=REQUEST),
    taps.InsertVoucher(request=REQUEST, number="nc-1-7-3", code="K7QM2"),
    protocol.Ping(sent=1.5),
]


def validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({**schema.json_schema(), "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def plain(message: object) -> Any:
    return json.loads(msgspec.json.encode(message))


async def said_in_an_evening() -> list[protocol.FromServer]:
    """Every message that a table led to, as the hub makes them."""
    table = await an_evening(MemoryStore())
    await an_irregular_round(table)
    said: list[protocol.FromServer] = [protocol.SeatMessage(you=view) for view in table.ears.seats]
    for n, news in enumerate(table.ears.told):
        said.append(protocol.TableMessage(n=n, now_ms=table.now_ms, happened=news.happened, table=news.table))
        if news.console:
            said.append(protocol.Console(n=n, console=news.console))
    return said


async def test_all_that_is_said_in_an_evening_is_valid() -> None:
    valid = validator("FromServer")
    said = await said_in_an_evening()
    assert len(said) > 50
    for message in said:
        valid.validate(plain(message))


def test_a_field_left_out_of_what_is_said_would_be_noticed() -> None:
    valid = validator("FromServer")
    message = plain(protocol.Registered(requests=[REQUEST], entries=[7]))
    assert valid.is_valid(message)
    assert not valid.is_valid({key: value for key, value in message.items() if key != "voucher"})


json_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    # To JSON Schema 1.0 is a whole number; on the wire it is none.
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer()),
    st.text(max_size=70),
    st.sampled_from(["banker", "player", "dealer", 0, 1, 2**53, 2**53 + 1, 10**12, 10**12 + 1]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(deadline=None, max_examples=400)
@given(data=st.data(), message=st.sampled_from(FROM_TERMINALS))
def test_a_message_is_valid_if_and_only_if_it_is_understood(data: st.DataObject, message: taps.Tap) -> None:
    valid = VALID_FROM_TERMINAL
    body = plain(message)
    for _ in range(data.draw(st.integers(0, 2))):
        field = data.draw(st.sampled_from([*body, "surplus"]))
        if field in body and data.draw(st.booleans()):
            del body[field]
        else:
            body[field] = data.draw(json_values)
    try:
        protocol.decode_from_terminal(json.dumps(body).encode())
        understood = True
    except msgspec.ValidationError:
        understood = False
    assert valid.is_valid(body) == understood, body


VALID_FROM_TERMINAL = validator("FromTerminal")


def test_plain_schema_is_sound_and_stamped() -> None:
    document = schema.json_schema()
    jsonschema_rs.meta.validate(document)
    assert document["$id"] == f"urn:natural9:protocol:{protocol.VERSION}"
    assert version() in document["$comment"]
    assert not jsonschema_rs.is_valid(document, {"type": "deal", "request": REQUEST})  # staff act over HTTP
    assert "DealCard" not in document["$defs"]


def resolve(document: dict[str, Any], ref: str) -> Any:
    found: Any = document
    for part in ref.removeprefix("#/").split("/"):
        found = found[part]
    return found


def refs(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [ref for value in part.values() for ref in refs(value)]
    return [ref for value in part for ref in refs(value)] if isinstance(part, list) else []


@pytest.mark.parametrize("name", ["asyncapi", "openapi", "json_schema"])
def test_every_reference_leads_somewhere(name: str) -> None:
    document = getattr(documents(), name)
    found = refs(document)
    assert len(found) > 40
    for ref in found:
        assert resolve(document, ref)


def test_asyncapi_has_every_message_both_ways_on_its_channel() -> None:
    document = documents().asyncapi
    assert document["asyncapi"] == "3.0.0"
    assert document["info"]["version"] == version()
    assert document["info"]["x-protocol-version"] == protocol.VERSION

    def names(operation: str) -> set[str]:
        messages = document["operations"][operation]["messages"]
        return {resolve(document, resolve(document, one["$ref"])["$ref"])["name"] for one in messages}

    inward = {tag(one) for one in get_args(protocol.FromTerminal)}
    outward = {tag(one) for one in get_args(protocol.FromServer)}
    assert names("toTable") == inward
    assert names("fromTable") == outward - {"floor", "lobby"}
    assert names("toFloor") == names("toLobby") == {"ping"}
    assert names("fromFloor") == {"floor", "pong", "refused"}
    assert names("fromLobby") == {"lobby", "pong", "refused"}
    assert document["channels"]["table"]["address"] == "/ws/table/{table}"
    assert document["channels"]["floor"]["address"] == guests.FLOOR
    assert document["channels"]["lobby"]["address"] == guests.LOBBY
    assert names("toWebhook") == names("toSubject") == {"announcement"}


async def test_asyncapi_describes_what_is_told_outside() -> None:
    document = documents().asyncapi
    payload = document["components"]["messages"]["Announcement"]["payload"]
    valid = jsonschema_rs.validator_for({**payload, "components": document["components"]})
    table = await an_evening(MemoryStore())
    await an_irregular_round(table)
    for n, news in enumerate(table.ears.told, 1):
        told = Announcement(
            venue="v", table=news.table.table, run="r", n=n, at_ms=1, happened=public_tags(news.happened), halted=False,
            closes_at_ms=news.table.closes_at_ms, now=public_table(news.table),
        )  # fmt: skip
        valid.validate(plain(told))
        for field in Announcement.__struct_fields__:
            assert not valid.is_valid({key: value for key, value in plain(told).items() if key != field}), field
    assert table.ears.told
    assert document["channels"]["webhook"]["address"] is None
    assert document["channels"]["subject"]["address"] == "{subject}.{table}"
    signed = document["components"]["messages"]["Announcement"]["bindings"]["http"]["headers"]["properties"]
    assert list(signed) == [SIGNATURE]


def tag(one: Any) -> str:
    return str(one.__struct_config__.tag)


def test_asyncapi_says_how_connections_end_and_begin_again() -> None:
    document = documents().asyncapi
    codes = document["channels"]["table"]["x-close-codes"]
    assert {"1001", "1002", "1003", "1007", "1009", "1012", "1013", "4001", "4401", "4429"} <= set(codes)
    about = document["info"]["description"]
    assert all(word in about for word in ("?after=EPOCH:N", "Heartbeats", str(room.KEPT), "refused"))
    assert "after" in document["channels"]["table"]["bindings"]["ws"]["query"]["properties"]
    assert {one["in"] for one in document["components"]["securitySchemes"].values()} == {"cookie"}


def test_two_types_of_one_name_would_be_noticed() -> None:
    """msgspec would call both by their long names, and nobody could read the types."""
    assert all(name.isidentifier() for name in documents().openapi["components"]["schemas"])


@pytest.mark.parametrize(("option", "begins"), [("typescript", "// "), ("openapi", "{"), ("schema", "{"), ("", "{")])
def test_the_command_prints_each_document(option: str, begins: str, capsys: pytest.CaptureFixture[str]) -> None:
    protocol_command(**{option: True} if option else {})
    printed = capsys.readouterr().out
    assert printed.startswith(begins)
    expected = {"openapi": "openapi", "schema": "json_schema", "": "asyncapi"}
    if option in expected:
        assert json.loads(printed) == json.loads(json.dumps(getattr(documents(), expected[option])))


def test_the_command_prints_one_document_at_a_time() -> None:
    with pytest.raises(BadInput, match="choose one"):
        protocol_command(openapi=True, typescript=True)
