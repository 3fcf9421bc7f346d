"""TypeScript types of everything on the wire, written from its JSON Schema."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from natural9.server.people.permissions import Role, permissions
from natural9.server.program import version
from natural9.server.protocol import CLOSE_CODES, VERSION

Schema = Mapping[str, Any]
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_WIDTH: Final = 120


def typescript(schemas: Mapping[str, Schema]) -> str:
    """A module: the versions, the closing codes, the roles and their ranks, then every type by its name."""
    parts = [
        f"// Everything on the wire of natural9 {version()}, protocol {VERSION}. Generated: `natural9 protocol "
        "--typescript`.",
        f"export const PROTOCOL_VERSION = {VERSION};\nexport const PROGRAM_VERSION = {json.dumps(version())};",
        _close_codes(),
        _roles(),
        _lowest_ranks(),
        *(_declaration(name, schema) for name, schema in sorted(schemas.items())),
    ]
    return "\n\n".join(parts) + "\n"


def _close_codes() -> str:
    lines = [f"  {code}: {json.dumps(why)}," for code, why in sorted(CLOSE_CODES.items())]
    return "\n".join(["/** Why a WebSocket was closed. */", "export const CLOSE_CODES = {", *lines, "} as const;"])


def _roles() -> str:
    """A list to choose from, which a type is not; in the order of the ranks."""
    return f"export const ROLES = [{', '.join(json.dumps(role) for role in Role)}] as const;"


def _lowest_ranks() -> str:
    """Whom a screen calls for before anybody presses a key that takes a higher rank."""
    ranked = {
        action: [role for role in Role if role.rank and role in one.roles] for action, one in permissions().items()
    }
    lines = [f"  {json.dumps(action)}: {json.dumps(roles[0])}," for action, roles in sorted(ranked.items()) if roles]
    head = "/** The lowest rank of the pit that may; whoever ranks higher may, too. */"
    return "\n".join([head, "export const LOWEST_RANK: Partial<Record<Action, Role>> = {", *lines, "};"])


def _declaration(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return _alias(name, schema)
    lines = [*_comment(schema), f"export interface {name} {{"]
    for field, part in schema["properties"].items():
        lines += [f"  {line}" for line in _comment(part)]
        mark = "" if field in schema.get("required", ()) else "?"
        lines.append(f"  {field}{mark}: {type_of(part)};")
    return "\n".join([*lines, "}"])


def _alias(name: str, schema: Schema) -> str:
    text = f"export type {name} = {type_of(schema)};"
    if len(text) > _WIDTH:
        text = f"export type {name} =\n  | " + "\n  | ".join(_choices(schema)) + ";"
    return "\n".join([*_comment(schema), text])


def _comment(schema: Schema) -> Iterator[str]:
    words = schema.get("description", "").replace("*/", "* /").split("\n")
    if words == [""]:
        return
    if len(words) == 1:
        yield f"/** {words[0]} */"
    else:
        yield "/**"
        yield from (f" * {line.strip()}".rstrip() for line in words)
        yield " */"


def _choices(schema: Schema) -> list[str]:
    if "enum" in schema:
        return [json.dumps(value, ensure_ascii=False) for value in schema["enum"]]
    return list(dict.fromkeys(type_of(part) for part in schema["anyOf"]))


def type_of(schema: Schema) -> str:
    """
    >>> type_of({"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Hand"}, {"type": "null"}]}})
    '(Hand | null)[]'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "anyOf" in schema:
        return " | ".join(_choices(schema))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
        case "array":
            one = type_of(schema.get("items", {}))
            return f"({one})[]" if " | " in one else f"{one}[]"
        case "object":
            return f"Record<string, {type_of(schema.get('additionalProperties', {}))}>"
        case str(kind):
            return _PLAIN[kind]
        case _:
            return "unknown"  # whatever JSON can say
