"""The OpenAPI document: Litestar knows the routes, msgspec the types, and the gate what it refuses before either."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Tag
from litestar.routes import HTTPRoute
from litestar.types import Method
from litestar.types.internal_types import PathParameterDefinition

from natural9.core.saying import Said, say
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import CSRF_HEADER, SAFE_METHODS
from natural9.server.program import version
from natural9.server.schema import SCHEMAS, Schema, cookie_schemes, only, reached, shapes

ABOUT: Final = f"""\
The live table over HTTP: signing in, people and devices, tables, money and records. Bets and the live state go over
WebSockets, described at /api/protocol.

Whatever is refused is answered with an `ApiError`: a code for programs, a sentence for people, and the paragraph that
says so, if one does. A path that does not exist is answered with 404, a method that it does not know with 405.

Each person and each device may ask only so often, and so may an address where nobody has signed in: 429, with
`Retry-After`. What reads the journal may besides be answered with 503 `busy`.

Everything that changes something takes JSON, and the header `{CSRF_HEADER}` beside the cookie: /api/me tells it.
Amounts are whole cents; times are milliseconds since 1970.
"""
TAGS: Final = {
    "people": "Signing in, and staff accounts.",
    "devices": "Terminals, displays and readers.",
    "tables": "What is played, and the commands of staff.",
    "money": "The cash desk.",
    "integrity": "The program and its records.",
    "proof": "Signed checkpoints of the journal, and proofs against them.",
    "protocol": "This interface, in documents.",
    "health": "For whoever watches the server.",
}
_ERROR: Final = {MediaType.JSON.value: {"schema": {"$ref": f"{SCHEMAS}{ApiError.__name__}"}}}


async def only_json(request: Request[Any, Any, Any]) -> None:
    """Where a body is taken it is JSON, and said to be: so a form on somebody else's page cannot pass for one."""
    if request.route_handler.parsed_data_field is None:
        return
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MediaType.JSON:
        why = say("A body without a content-type is not taken here: send application/json.")
        if kind:
            why = say("{kind} is not taken here: send application/json.", kind=repr(kind[:60]))
        raise ApiRefused(415, ApiError.of("unsupported-media-type", why))
    try:
        msgspec.json.decode(await request.body())
    except UnicodeDecodeError:
        raise _not_json(say("it is not UTF-8")) from None
    except RecursionError:
        raise _not_json(say("it is nested too deeply")) from None
    except msgspec.DecodeError:
        raise _not_json(say("it is damaged")) from None


def _not_json(why: Said) -> ApiRefused:
    return ApiRefused(400, ApiError.of("bad-json", say("The body cannot be read as JSON: {why}.", why=why)))


def openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="natural9",
        version=version(),
        description=ABOUT,
        operation_id_creator=_operation_id,
        use_handler_docstrings=True,
        tags=[Tag(name=name, description=words) for name, words in TAGS.items()],
    )


def _operation_id(handler: HTTPRouteHandler, _: Method, __: list[str | PathParameterDefinition]) -> str:
    """staffDisable: the controller, then what is done; listStaff needs no more words."""
    *rooms, name = handler.fn.__qualname__.split(".")
    room = rooms[-1].removesuffix("Controller") if rooms else ""
    words = [*([] if room.lower() in name else [room]), *name.split("_")]
    return words[0].lower() + "".join(map(str.capitalize, words[1:]))


def openapi(app: Litestar, schemas: Mapping[str, Schema]) -> Schema:
    """The document of an application that was made with `openapi_config`; the schemas are those of `all_shapes`."""
    document: Schema = app.openapi_schema.to_schema()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            _add_refusals(method.upper(), operation)
            operation["security"] = _security(path, method.upper(), operation)
    document["components"] = {
        "schemas": only(reached([document["paths"]], schemas), schemas),
        "securitySchemes": {**cookie_schemes("apiKey"), "csrf": _csrf_scheme()},
    }
    document["x-protocol"] = "/api/protocol"
    return document


def all_shapes(app: Litestar) -> dict[str, Schema]:
    """Everything on the wire, of WebSockets and HTTP."""
    asked, answered = _types(app)
    return shapes(asked=asked, answered=answered)


def _csrf_scheme() -> Schema:
    why = "The token that /api/me and signing in tell, with everything that changes something."
    return {"type": "apiKey", "in": "header", "name": CSRF_HEADER, "description": why}


def _types(app: Litestar) -> tuple[list[object], list[object]]:
    """What requests hold and what they are answered with, as the handlers say."""
    asked: list[object] = []
    answered: list[object] = [ApiError]
    for handler in _handlers(app):
        if handler.parsed_data_field is not None:
            asked.append(handler.parsed_data_field.annotation)
        said = handler.parsed_fn_signature.return_type.annotation
        answered.append(get_args(said)[0] if get_origin(said) is Response else said)
        answered += [spec.data_container for spec in (handler.responses or {}).values()]
    return asked, answered


def _handlers(app: Litestar) -> Iterator[HTTPRouteHandler]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.resolve_include_in_schema():
                    yield handler


def _add_refusals(method: str, operation: Schema) -> None:
    """What the gate and the reading of a request may answer before a route sees it."""
    statuses = [413, 429]
    if method not in SAFE_METHODS:
        statuses.append(403)
    if "requestBody" in operation:
        statuses += [400, 415]
    if "parameters" in operation:
        statuses.append(400)
    for status in statuses:
        refusal = {"description": documented(status)[status].description, "content": _ERROR}
        operation["responses"].setdefault(str(status), refusal)
    if "429" in operation["responses"]:
        seconds = {"description": "Seconds to wait.", "schema": {"type": "integer"}, "required": True}
        operation["responses"]["429"]["headers"] = {"Retry-After": seconds}
    for empty in ("204", "304"):
        operation["responses"].get(empty, {}).pop("content", None)
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _security(path: str, method: str, operation: Schema) -> list[dict[str, list[str]]]:
    if path == "/api/me":
        return [{"person": []}, {"device": []}]
    if "401" not in operation["responses"] or path == "/api/sign-in":
        return []
    return [{"person": []} if method in SAFE_METHODS else {"person": [], "csrf": []}]
