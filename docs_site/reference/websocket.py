"""The live interface, from the AsyncAPI document that the server shows; the document itself lies beside."""

import json

from docs_site.markdown import cell, code, page, slug, table
from docs_site.reference.http_api import documents


def websocket_pages() -> dict[str, str]:
    document = documents().asyncapi
    messages = document["components"]["messages"]
    parts = []
    for name, channel in document["channels"].items():
        if "x-close-codes" not in channel:  # no WebSocket: announcements.py has those
            continue
        parts += [f"## {channel['address']}", cell(channel["summary"])]
        for key, heading in (("to", "A client sends"), ("from", "The server sends")):
            listed = document["operations"][f"{key}{name.capitalize()}"]["messages"]
            names = [one["$ref"].rpartition("/")[2] for one in listed]
            rows = (
                [
                    code(messages[each]["name"]),
                    f"[{each}](http/shapes.md#{slug(each)})",
                    cell(messages[each].get("summary", "")),
                ]
                for each in names
            )
            parts += [f"### {heading} at {channel['address']}", table(["`type`", "fields", ""], rows)]
        closes = channel["x-close-codes"].items()
        if name == "table":
            parts += ["### Why it is closed", table(["code", ""], ([status, cell(why)] for status, why in closes))]
    return {
        "websocket.md": page(
            "WebSocket",
            document["info"]["description"],
            "For programs: [asyncapi.json](asyncapi.json), which a running server shows at `/api/protocol`.",
            *parts,
            about="The messages of a live table, and how to come back after a lost line.",
        ),
        "asyncapi.json": json.dumps(document, indent=1),
    }
