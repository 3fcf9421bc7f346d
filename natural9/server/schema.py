"""The messages of the interface as JSON Schema.

msgspec writes the schema of each type, and checks by the same types what comes in: the documents cannot say otherwise.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from natural9.server import protocol
from natural9.server.people.sessions import cookie_name
from natural9.server.program import version
from natural9.table.commands.orders import StaffCommand

Schema = dict[str, Any]
SCHEMAS: Final = "#/components/schemas/"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


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
