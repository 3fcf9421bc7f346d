"""Every event: what is declared of it, and what docs/journal.md says that it means."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from docs_site.markdown import cell, page
from natural9.core.events import Event, SeenBy
from natural9.journal.catalogue import BY_TAG

JOURNAL: Final = Path(__file__).parents[2] / "docs" / "journal.md"
_ENTRY: Final = re.compile(r"^\*\*(?P<tag>[a-z-]+)\*\* (?P<version>\d+)[;:] *(?P<fields>.*)$")
_SEEN_BY: Final = {
    SeenBy.ALL: "everybody at the table sees it",
    SeenBy.SEAT: "the seat that it is about sees it, and staff",
    SeenBy.STAFF: "staff see it",
}


def meanings() -> Mapping[str, tuple[str, str, str]]:
    """By tag: the heading it stands under in the journal's page, its fields and its meaning."""
    found: dict[str, tuple[str, str, str]] = {}
    heading = tag = ""
    for line in JOURNAL.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading, tag = line.lstrip("# "), ""
        elif said := _ENTRY.match(line):
            tag = said["tag"]
            found[tag] = (heading, said["fields"], "")
        elif tag:
            where, fields, meaning = found[tag]
            found[tag] = (where, fields, f"{meaning}\n{line}")
    return found


def event_pages() -> dict[str, str]:
    known = meanings()
    parts: list[str] = []
    heading = ""
    for tag, (where, fields, meaning) in known.items():
        if tag not in BY_TAG:
            continue
        if where != heading:
            heading = where
            parts.append(f"## {heading}")
        parts += [f"### {tag}", *_entry(BY_TAG[tag], fields, meaning)]
    return {
        "events.md": page(
            "Events",
            "What a journal consists of. A tag and its version are permanent, and every old version is read for ever. "
            "[The journal, byte by byte](../journal.md) says how an entry is written, hashed and checked.",
            *parts,
            about="Every event of the journal: its fields, its meaning, and who sees it.",
        )
    }


def _entry(shape: type[Event], fields: str, meaning: str) -> Iterator[str]:
    label, _, listed = fields.partition(": ")
    traits = [f"version {shape.VERSION}", _SEEN_BY[shape.SEEN_BY]]
    traits += ["a significant event"] * shape.IS_SIGNIFICANT + ["it moves money"] * shape.MOVES_MONEY
    traits += ["the round left its ordinary way"] * shape.IS_IRREGULAR + [
        "a person overrides the table"
    ] * shape.IS_OVERRIDE
    yield f"*{'; '.join(traits).capitalize()}.*\n"
    if listed or "`" in label:
        yield f"Fields: {cell(listed or label)}.\n"
    yield re.sub(r"\]\(#", "](../journal.md#", meaning)
