"""JSON Schema as Markdown: what a value is, in words, and the fields of every shape with a name."""

from collections.abc import Mapping
from typing import Any

from docs_site.markdown import cell, code, slug, table

Schema = Mapping[str, Any]


def words(schema: Schema, shapes: str) -> str:
    """What a value is; a shape with a name is a link to its entry on the page `shapes`."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}]({shapes}#{slug(name)})"
    if "enum" in schema:
        return ", ".join(code(one) for one in schema["enum"])
    if "const" in schema:
        return code(schema["const"])
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return " or ".join(words(one, shapes) for one in schema[union])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return "[" + ", ".join(words(one, shapes) for one in schema["prefixItems"]) + "]"
        case "array":
            return f"list of {words(schema.get('items') or {}, shapes)}"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"{{text: {words(schema['additionalProperties'], shapes)}}}"
        case "object":
            return "object"
        case "string":
            return "text" + _bounds(schema, "Length", " characters")
        case "integer":
            return "whole number" + _bounds(schema, "imum", "")
        case "number":
            return "number" + _bounds(schema, "imum", "")
        case list() as several:
            return " or ".join(words({**schema, "type": one}, shapes) for one in several)
        case "boolean":
            return "true or false"
        case "null":
            return "null"
        case _:
            return "anything"


def _bounds(schema: Schema, ending: str, unit: str) -> str:
    least, most = schema.get(f"min{ending}"), schema.get(f"max{ending}")
    if least is None and most is None:
        return ""
    if most is None:
        return f", {least} or more{unit}"
    return (
        f", {least if least is not None else 0} to {most}{unit}"
        if ending == "imum" or least
        else f", up to {most}{unit}"
    )


def entry(name: str, schema: Schema, shapes: str = "", level: str = "##") -> list[str]:
    """A shape with all its fields."""
    needed = set(schema.get("required", ()))
    rows = (
        [code(field), words(one, shapes), "" if field in needed else _without(one), cell(one.get("description", ""))]
        for field, one in schema.get("properties", {}).items()
    )
    return [
        f"{level} {name}",
        cell(schema.get("description", "")),
        table(["field", "is", "without it", ""], rows) if "properties" in schema else words(schema, shapes) + "\n",
    ]


def _without(schema: Schema) -> str:
    return code(repr(schema["default"]) if schema["default"] != "" else '""') if "default" in schema else "not there"
