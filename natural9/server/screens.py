"""The screens, as `web/` builds them: one page for every address that a person may open, and its assets."""

import os
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, Final

from litestar import Response, Router, get
from litestar.params import PathParameter

from natural9.server.people.answers import ApiError, ApiRefused

# While working on the screens, another build can be looked at.
BUILT: Final = Path(os.environ.get("NATURAL9_WEB") or Path(__file__).parent / "web")
FOR_EVER: Final = "public, max-age=31536000, immutable"  # an asset's name changes with its content
PAGES: Final = [
    "/",
    "/terminal",
    "/terminal/{rest:path}",
    "/console",
    "/console/{rest:path}",
    "/pit",
    "/pit/{rest:path}",
    "/cashier",
    "/display",
    "/display/{rest:path}",
    "/audit",
    "/audit/{rest:path}",
    "/odds",
    "/odds/{rest:path}",
    "/admin",
    "/admin/{rest:path}",
]


@get(PAGES, include_in_schema=False, sync_to_thread=False)
def page() -> Response[bytes]:
    return Response(_read("index.html"), media_type="text/html; charset=utf-8", headers={"cache-control": "no-cache"})


@get("/icon.svg", include_in_schema=False, sync_to_thread=False)
def icon() -> Response[bytes]:
    return Response(_read("icon.svg"), media_type="image/svg+xml")


@get("/assets/{name:str}", include_in_schema=False, sync_to_thread=False)
def asset(name: Annotated[str, PathParameter(max_length=200)]) -> Response[bytes]:
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(_read(f"assets/{name}"), media_type=kind, headers={"cache-control": FOR_EVER})


def _read(name: str) -> bytes:
    path = (BUILT / name).resolve()
    if not (BUILT / "index.html").is_file():
        raise ApiRefused(404, ApiError("not-built", "The screens are not built: run `make web`, then start again."))
    if BUILT.resolve() not in path.parents or not path.is_file():
        raise ApiRefused(404, ApiError("not-found", f"There is no {name[:80]} here."))
    return path.read_bytes()


def screens_router() -> Router:
    return Router(path="/", route_handlers=[page, icon, asset])
