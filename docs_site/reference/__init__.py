"""Pages that follow from the code, and so are made and never written."""

from collections.abc import Callable, Mapping
from typing import Final

from docs_site.reference.announcements import announcement_pages
from docs_site.reference.commands import command_pages
from docs_site.reference.events import event_pages
from docs_site.reference.http_api import http_pages
from docs_site.reference.modules import module_pages
from docs_site.reference.permissions import permission_pages
from docs_site.reference.python_api import python_pages
from docs_site.reference.refusals import refusal_pages
from docs_site.reference.venue_file import venue_pages
from docs_site.reference.websocket import websocket_pages

Pages = Mapping[str, str]
"""Markdown, or another file's text, by its path below reference/."""

MAKERS: Final[tuple[Callable[[], Pages], ...]] = (
    command_pages,
    venue_pages,
    permission_pages,
    http_pages,
    websocket_pages,
    announcement_pages,
    event_pages,
    refusal_pages,
    python_pages,
    module_pages,
)


def reference_pages() -> dict[str, str]:
    """All of them, by their path below reference/."""
    made: dict[str, str] = {}
    for maker in MAKERS:
        made |= maker()
    return made
