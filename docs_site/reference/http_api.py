"""The HTTP interface, from the OpenAPI document that the server shows; the document itself lies beside."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from docs_site.markdown import cell, code, page, table
from docs_site.reference.shapes import entry, words
from natural9.server.app import documents as make_documents
from natural9.server.documents import Documents

SHAPES = "shapes.md"


@cache
def documents() -> Documents:
    return make_documents()


def http_pages() -> dict[str, str]:
    document = documents().openapi
    shapes = {**documents().asyncapi["components"]["schemas"], **document["components"]["schemas"]}
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    operations = list(_operations(document))
    made = {
        "http/index.md": page(
            "HTTP",
            cell(document["info"].get("description", "")),
            "For programs: [openapi.json](openapi.json), which a running server shows at `/api/openapi.json`.",
            table(
                ["", "", "routes"],
                (
                    [f"[{tag}]({tag}.md)", cell(about), str(sum(tag in one["tags"] for *_, one in operations))]
                    for tag, about in tags.items()
                ),
            ),
            about="Every route of the server: what it takes, what it answers, who may.",
        ),
        "http/openapi.json": json.dumps(document, indent=1),
        f"http/{SHAPES}": page(
            "Shapes",
            "All that goes over HTTP and WebSockets, by name. Amounts are whole cents, times milliseconds since 1970.",
            *(part for name in sorted(shapes) for part in entry(name, shapes[name])),
            about="The fields of every request, answer and message.",
        ),
    }
    for tag, about in tags.items():
        routes = (part for path, method, one in operations if tag in one["tags"] for part in _route(path, method, one))
        made[f"http/{tag}.md"] = page(f"HTTP: {tag}", cell(about), *routes, about=about)
    return made


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, {"tags": ["health"], **operation}


def _route(path: str, method: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {method.upper()} {path}"
    yield cell(one.get("description", "") or one.get("summary", ""))
    yield table(
        ["parameter", "is", ""],
        (
            [code(each["name"]), words(each.get("schema", {}), SHAPES), cell(each.get("description", ""))]
            for each in one.get("parameters", ())
        ),
    )
    if "requestBody" in one:
        yield f"Takes {_content(one['requestBody'])}.\n"
    yield table(
        ["answers", "with", ""],
        (
            [status, _content(answer), cell(answer.get("description", ""))]
            for status, answer in one["responses"].items()
        ),
    )


def _content(part: Mapping[str, Any]) -> str:
    kinds = part.get("content", {})
    return " or ".join(
        words(shape.get("schema", {}), SHAPES) if kind == "application/json" else code(kind)
        for kind, shape in kinds.items()
    )
