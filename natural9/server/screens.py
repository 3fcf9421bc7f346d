"""The screens, as `web/` builds them: one page for every address that a person may open, and its assets."""

import gzip
import os
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get
from litestar.params import PathParameter

from natural9.core.saying import say
from natural9.server.people.answers import ApiError, ApiRefused

# While working on the screens, another build can be looked at.
BUILT: Final = Path(os.environ.get("NATURAL9_WEB") or Path(__file__).parent / "web")
TEXTS: Final = ("text/", "application/javascript", "image/svg")
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
    "/players",
    "/display",
    "/display/{rest:path}",
    "/audit",
    "/audit/{rest:path}",
    "/receipt",
    "/odds",
    "/odds/{rest:path}",
    "/admin",
    "/admin/{rest:path}",
]


AnyRequest = Request[Any, Any, Any]


@get(PAGES, include_in_schema=False, sync_to_thread=False)
def page(request: AnyRequest) -> Response[bytes]:
    return _file(request, "index.html", "no-cache")


@get("/icon.svg", include_in_schema=False, sync_to_thread=False)
def icon(request: AnyRequest) -> Response[bytes]:
    return _file(request, "icon.svg", "no-cache")


@get("/assets/{name:str}", include_in_schema=False, sync_to_thread=False)
def asset(request: AnyRequest, name: Annotated[str, PathParameter(max_length=200)]) -> Response[bytes]:
    return _file(request, f"assets/{name}", FOR_EVER)


def _file(request: AnyRequest, name: str, cached: str) -> Response[bytes]:
    kind = guess_type(name)[0] or "application/octet-stream"
    headers = {"cache-control": cached}
    body = _read(name)
    if kind.startswith(TEXTS):
        headers["vary"] = "accept-encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["content-encoding"] = _compressed(name), "gzip"
    return Response(body, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _compressed(name: str) -> bytes:
    return gzip.compress(_read(name), mtime=0)


def _read(name: str) -> bytes:
    if not (BUILT / "index.html").is_file():
        raise ApiRefused(
            404, ApiError.of("not-built", say("The screens are not built: run `make web`, then start again."))
        )
    none = ApiRefused(404, ApiError.of("not-found", say("There is no {name} here.", name=repr(name[:80]))))
    try:
        path = (BUILT / name).resolve()
        if BUILT.resolve() in path.parents and path.is_file():
            return path.read_bytes()
    except (ValueError, OSError):  # a name that no file can have: a zero byte, more letters than a disk takes
        raise none from None
    raise none


def screens_router() -> Router:
    return Router(path="/", route_handlers=[page, icon, asset])
