"""What is told outside of a table, from the AsyncAPI document that the server shows."""

from docs_site.markdown import cell, code, page, table
from docs_site.reference.http_api import documents
from docs_site.reference.shapes import entry
from natural9.server.announce.announcement import TOLD
from natural9.server.schema import SCHEMAS, reached

FIRST = "Announcement"


def announcement_pages() -> dict[str, str]:
    document = documents().asyncapi
    schemas, channels = document["components"]["schemas"], document["channels"]
    told = {name: one for name, one in channels.items() if FIRST in one["messages"]}
    [(header, signature)] = document["components"]["messages"][FIRST]["bindings"]["http"]["headers"][
        "properties"
    ].items()
    inner = sorted(reached([{"$ref": SCHEMAS + FIRST}], schemas) - {FIRST})
    return {
        "announcements.md": page(
            "Announcements",
            "What everybody at a table may see, told to a webhook or NATS. How to have it told, and what is promised: "
            "[signage and surveillance](../howto/announcements.md).",
            "For programs: [asyncapi.json](asyncapi.json), which a running server shows at `/api/protocol`.",
            "## Where",
            table(
                ["", "address", ""],
                (
                    [code(name), code(one["address"]) if one["address"] else "the webhook's", cell(one["summary"])]
                    for name, one in told.items()
                ),
            ),
            f"`{header}` on each POST: {cell(signature['description'])}",
            *(part for name in (FIRST, *inner) for part in entry(name, schemas[name])),
            "## What `happened` may name",
            ", ".join(f"[`{tag}`](events.md#{tag})" for tag in sorted(TOLD)) + "\n",
            about="The messages that signage and surveillance get, field by field.",
        )
    }
