"""How the HTTP interface says no: always JSON, with a code for programs and a sentence for people."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from natural9.core.errors import BadInput, sentence
from natural9.core.saying import Said, say, verbatim
from natural9.extras import extra_with, install_line
from natural9.journal.sentence import Sentence
from natural9.server.complaints import in_words
from natural9.server.people.limits import TooOften
from natural9.store.contract import StoreFailed
from natural9.table.live.answers import NOT_KNOWN

# What bad input answers with, where it is not simply 400.
STATUS: Final[Mapping[str, int]] = {
    "sign-in-first": 401,
    "bad-code": 403,
    "wrong-password": 403,
    "locked-out": 403,
    "unknown-staff": 404,
    "unknown-device": 404,
    "staff-exists": 409,
    "staff-disabled": 409,
    "no-password": 409,
    "last-administrator": 409,
    "seat-holds-money": 409,
    "appointment-unsigned": 409,
    "same-person": 403,
    "no-players": 409,
    "unknown-player": 404,
    "player-open": 409,
    "player-closed": 409,
    "player-excluded": 409,
    "not-excluded": 409,
    "self-excluded": 409,
    "card-refused": 403,
    "card-closed": 403,
    "card-excluded": 403,
}
_CODES: Final = {
    400: "bad-request",
    401: "sign-in-first",
    403: "not-allowed",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    429: "too-often",
}
_WHY: Final = {
    400: say("the request cannot be read"),
    404: say("there is nothing at this address"),
    405: say("this is not done in this way"),
}
_DESCRIPTIONS: Final = {
    400: "The request makes no sense: the message names the value and the way out.",
    401: "Nobody is signed in here, or the session has ended.",
    403: "Not by this person, this page or this code.",
    404: "There is no such thing.",
    405: "Not by this method.",
    409: "Not as things stand.",
    413: "The request is too large.",
    415: "The body is not application/json.",
    429: "Too often: Retry-After says when to come back.",
    501: "Not on this machine: the message says what is to be installed.",
    503: "Not now: too much is being read, or play has stopped. With the code `unknown` nobody can say yet whether it "
    "was done: ask again with the same request.",
}


class ApiError(Struct, frozen=True):
    """Why not; `paragraph` where a rule or requirement says so. `said` is the message as values, where it is ours.
    `field` is the place of a mistake in the request, for programs."""

    code: str
    message: str
    paragraph: str = ""
    said: Sentence | None = None
    field: str = ""

    @staticmethod
    def of(code: str, why: Said, paragraph: str = "", field: str = "") -> "ApiError":
        said = sentence(why)
        return ApiError(code, str(said), paragraph, Sentence.of(said), field)


class ApiRefused(HTTPException):
    """A refusal on its way to becoming a response."""

    def __init__(self, status: int, error: ApiError, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail=error.message, status_code=status, headers=headers)
        self.error = error


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, for the OpenAPI document."""
    return {
        status: ResponseSpec(ApiError, generate_examples=False, description=_DESCRIPTIONS[status])
        for status in statuses
    }


def exception_handlers(statuses: Mapping[str, int] = STATUS) -> ExceptionHandlersMap:
    """For the whole application: whatever is raised, the answer has the same shape."""

    def bad_input(_: Request[Any, Any, Any], error: BadInput) -> Response[ApiError]:
        return _response(statuses.get(error.code, 400), ApiError.of(error.code, error.message, error.paragraph))

    return {
        BadInput: bad_input,
        TooOften: _too_often,
        StoreFailed: _store_failed,
        ModuleNotFoundError: _not_installed,
        HTTPException: _http,
        500: _unexpected,
    }


def _http(_: Request[Any, Any, Any], error: HTTPException) -> Response[ApiError]:
    if isinstance(error, ApiRefused):
        return _response(error.status_code, error.error, error.headers)
    if error.status_code >= 500:
        return _response(error.status_code, _INTERNAL)
    code = _CODES.get(error.status_code, HTTPStatus(error.status_code).phrase.lower().replace(" ", "-"))
    if isinstance(error.extra, list) and error.extra:  # msgspec's complaints, each with the field's name
        first = error.extra[0]
        field = str(first.get("key", ""))
        return _response(400, ApiError.of(code, in_words(str(first["message"]), field), field=field))
    if missing := re.match(r"Missing required \w+ parameter '(\w+)'", error.detail):
        why = in_words(f"Object missing required field `{missing[1]}`")
        return _response(400, ApiError.of(code, why, field=missing[1]))
    why = _WHY.get(error.status_code) or verbatim(error.detail)
    return _response(error.status_code, ApiError.of(code, why), error.headers)


def _too_often(_: Request[Any, Any, Any], error: TooOften) -> Response[ApiError]:
    return _response(429, ApiError.of("too-often", error.why), {"retry-after": str(error.retry_s)})


def not_known() -> ApiRefused:
    """It may have been done, and may not."""
    return ApiRefused(503, ApiError.of("unknown", NOT_KNOWN.why), _AGAIN)


def _store_failed(request: Request[Any, Any, Any], error: StoreFailed) -> Response[ApiError]:
    """What was to be written may be durable all the same; what was only to be read has changed nothing."""
    if request.method != "GET":
        unknown = not_known()
        return _response(503, unknown.error, unknown.headers)
    return _response(503, ApiError.of("store-failed", say("The journal cannot be written: play has stopped.")))


def _not_installed(_: Request[Any, Any, Any], error: ModuleNotFoundError) -> Response[ApiError]:
    """An extra that this machine was set up without; any other module that is not there is a defect."""
    if (found := extra_with(error.name)) is None:
        return _response(500, _INTERNAL)
    package, extra = found
    why = say("This needs {package}, which is not installed: {line}", package=package, line=install_line(extra))
    return _response(501, ApiError.of("not-installed", why))


_AGAIN: Final = {"retry-after": "1"}
_INTERNAL: Final = ApiError.of("internal", say("The server failed: its log says why."))


def _unexpected(_: Request[Any, Any, Any], error: Exception) -> Response[ApiError]:
    return _response(500, _INTERNAL)


def _response(status: int, error: ApiError, headers: dict[str, str] | None = None) -> Response[ApiError]:
    return Response(error, status_code=status, headers=headers)
