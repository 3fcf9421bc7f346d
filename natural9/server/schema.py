"""The messages of the interface as JSON Schema, and those of the WebSockets as an AsyncAPI document.

msgspec writes the schema of each type, and checks by the same types what comes in: the documents cannot say otherwise.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from natural9.server import protocol
from natural9.server.guests import FLOOR, TABLE
from natural9.server.people.sessions import cookie_name
from natural9.server.program import version
from natural9.server.room import KEPT
from natural9.server.upgrade import BYTES_A_TOKEN
from natural9.server.websocket import RATE
from natural9.table.commands.orders import StaffCommand

Schema = dict[str, Any]
SCHEMAS: Final = "#/components/schemas/"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ON_THE_FLOOR: Final = (protocol.Ping, protocol.Pong, protocol.Refused, protocol.Floor)


def shapes(
    *, asked: Iterable[object] = (), answered: Iterable[object] = (), prefix: str = SCHEMAS
) -> dict[str, Schema]:
    """By name: the WebSockets' messages and the commands of staff, as unions and each; what HTTP requests hold and what
    they are answered with; and all that occurs in these.
    """
    asked = [protocol.FromTerminal, StaffCommand, *asked]
    roots, schemas = msgspec.json.schema_components(
        [*asked, protocol.FromServer, *answered], ref_template=prefix + "{name}"
    )
    requests = reached(roots[: len(asked)], schemas)
    for name in reached(roots[len(asked) :], schemas) - requests:
        # We leave nothing out of what we say: a field with a default is there all the same.
        if "properties" in schemas[name]:
            schemas[name]["required"] = list(schemas[name]["properties"])
    unions = {"FromTerminal": roots[0], "StaffCommand": roots[1], "FromServer": roots[len(asked)]}
    named = {name: _with_names(schema, unions, prefix) for name, schema in schemas.items()}
    return {**unions, **named}


def _with_names(part: Any, unions: Mapping[str, Schema], prefix: str) -> Any:
    """The unions that have a name are called by it."""
    for name, union in unions.items():
        if part == union:
            return {"$ref": prefix + name}
    if isinstance(part, dict):
        return {key: _with_names(value, unions, prefix) for key, value in part.items()}
    return part


def reached(roots: Iterable[Schema], schemas: Mapping[str, Schema]) -> set[str]:
    """The names of all schemas that these use, and that those use in turn."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        names = set(_names(waiting.pop())) - found
        found |= names
        waiting += [schemas[name] for name in names]
    return found


def _names(part: object) -> Iterator[str]:
    """Which schemas this one refers to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"].rpartition("/")[2]
        for value in part.values():
            yield from _names(value)
    elif isinstance(part, list):
        for value in part:
            yield from _names(value)


def json_schema() -> Schema:
    """Plain JSON Schema: `$defs` has every message and, by their names, the two unions."""
    both = [{"$ref": f"#/$defs/{name}"} for name in ("FromTerminal", "FromServer")]
    schemas = shapes(prefix="#/$defs/")
    return {
        "$schema": DIALECT,
        "$id": f"urn:natural9:protocol:{protocol.VERSION}",
        "$comment": f"natural9 {version()}, protocol {protocol.VERSION}",
        "title": "A message of a natural9 WebSocket",
        "anyOf": both,
        "$defs": only(reached(both, schemas), schemas),
    }


def only(names: Collection[str], schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: schema for name, schema in schemas.items() if name in names}


# AsyncAPI


_ABOUT: Final = f"""\
Terminals, displays, consoles and the pit follow the tables over WebSockets; terminals bet over them. Every message is
one JSON object in a text frame, told apart by `type`. Whoever connects has been enrolled or signed in over HTTP before,
and sends that cookie. Amounts are whole cents; times are milliseconds since 1970. `now_ms` and
`closes_at_ms` are for counting down: they go on evenly when the machine's clock is set, and are no time of day.

**Numbers.** A `welcome` says everything as it is, with the `epoch` (one run of the table) and `n`, the number of the
last `table` message. Each further `table` message has the next `n`. Whoever comes back with `?after=EPOCH:N` gets
what was missed, and then its own `seat` or `console`; if more than {KEPT} messages were missed, or the server was
started since, a new `welcome` comes instead.

**Requests.** Every command carries an id of the sender's making. It is answered by `registered` when it is durable, or
by `refused`; the same command sent again with the same id gets the same answer and is not done twice. Send again
after connecting anew whatever was not answered.

**Heartbeats.** The server sends a WebSocket ping after 20 s of silence and closes after as much again without a pong.
`ping` and `pong` messages are for pages that want the server's `now_ms`, the time of day or that of the way.

**Limits.** {RATE.a_second} frames a second, {RATE.at_once} at once, for each device and each person, however often they
connect; pings, pongs and fragments count like messages, and every {BYTES_A_TOKEN} bytes count as one more. A message
has at most 16 KiB. Whoever exceeds is closed with 4429. Fields that are not known here are to be ignored by the reader;
those that the server does not know are refused.

An upgrade that is not granted is answered over HTTP: 400, 401, 403, 404, 429 or 503 with `code` and `message` as JSON;
429 and 503 say in `Retry-After` when to come back.
"""


def asyncapi() -> Schema:
    schemas = shapes()
    inward, outward = get_args(protocol.FromTerminal), get_args(protocol.FromServer)
    named = reached([{"$ref": SCHEMAS + one.__name__} for one in (*inward, *outward)], schemas)
    at_tables = [one for one in outward if one is not protocol.Floor]
    floor_in, floor_out = ([one for one in side if one in ON_THE_FLOOR] for side in (inward, outward))
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "natural9: live tables over WebSockets",
            "version": version(),
            "description": _ABOUT,
            "x-protocol-version": protocol.VERSION,
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": _channel(TABLE + "{table}", "One table, for terminals, displays and staff.", inward, at_tables),
            "floor": _channel(FLOOR, "All tables in short, for staff.", floor_in, floor_out),
        },
        "operations": {
            "toTable": _operation("receive", "table", inward),
            "fromTable": _operation("send", "table", at_tables),
            "toFloor": _operation("receive", "floor", floor_in),
            "fromFloor": _operation("send", "floor", floor_out),
        },
        "components": {
            "messages": {one.__name__: _message(one, schemas) for one in (*inward, *outward)},
            "schemas": only(named, schemas),
            "securitySchemes": cookie_schemes(),
        },
    }


def _channel(address: str, summary: str, inward: Sequence[type], outward: Sequence[type]) -> Schema:
    channel: Schema = {
        "address": address,
        "summary": summary,
        "messages": {one.__name__: {"$ref": f"#/components/messages/{one.__name__}"} for one in (*inward, *outward)},
        "x-close-codes": {str(code): why for code, why in protocol.CLOSE_CODES.items()},
    }
    if "{table}" in address:
        channel["parameters"] = {"table": {"description": "The id of a table, as /api/venue lists it."}}
        after = {"type": "string", "pattern": "^[0-9a-f]+:[0-9]+$", "description": "EPOCH:N of what was last seen."}
        query = {"type": "object", "properties": {"after": after}}
        channel["bindings"] = {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}}
    return channel


def _operation(action: str, channel: str, messages: Iterable[type]) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{one.__name__}"} for one in messages],
        "security": [{"$ref": f"#/components/securitySchemes/{name}"} for name in cookie_schemes()],
    }


def _message(one: type, schemas: Mapping[str, Schema]) -> Schema:
    schema = schemas[one.__name__]
    message = {"name": schema["properties"]["type"]["enum"][0], "title": one.__name__}
    if "description" in schema:
        message["summary"] = schema["description"]
    return {**message, "payload": {"$ref": SCHEMAS + one.__name__}}


def cookie_schemes(kind: str = "httpApiKey") -> dict[str, Schema]:
    """The two cookies by which we know people and devices; AsyncAPI and OpenAPI name their kind differently."""
    return {
        "person": {
            "type": kind,
            "in": "cookie",
            "name": cookie_name("staff", secure=True),
            "description": f"Someone signed in; without TLS it is called {cookie_name('staff', secure=False)}.",
        },
        "device": {
            "type": kind,
            "in": "cookie",
            "name": cookie_name("device", secure=True),
            "description": f"A device enrolled; without TLS it is called {cookie_name('device', secure=False)}.",
        },
    }
