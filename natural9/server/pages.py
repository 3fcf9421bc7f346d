"""The plain pages: a start page, a terminal and a console, to see that the whole loop works. No build, no framework."""

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router, get

PATH: Final = "/plain"
FOLDER: Final = Path(__file__).with_name("pages")
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Page:
    """A file as it was when the program started: what is served is what was verified."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.headers = {
            "content-type": _TYPES[path.suffix],
            "etag": f'"{sha256(self.body).hexdigest()[:32]}"',
            "cache-control": "no-cache",
        }


def pages_router() -> Router:
    """Every file of the folder by its name under /plain, with the start page at /plain/ itself."""
    pages = {f"/{path.name}": Page(path) for path in sorted(FOLDER.iterdir()) if path.suffix in _TYPES}
    pages["/"] = pages["/index.html"]

    @get(list(pages), include_in_schema=False)
    async def plain_page(request: Request[Any, Any, Any]) -> Response[bytes]:
        found = pages[request.scope["path"].removeprefix(PATH) or "/"]
        if request.headers.get("if-none-match") == found.headers["etag"]:
            return Response(b"", status_code=304, headers=found.headers)
        return Response(found.body, headers=found.headers)

    return Router(path=PATH, route_handlers=[plain_page])
