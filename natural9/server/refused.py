"""A refusal of a table or a desk as an answer over HTTP."""

from collections.abc import Mapping
from typing import Final

from natural9.core.round import Refusal
from natural9.server.people.answers import ApiError, ApiRefused
from natural9.table.commands.refusals import UNDECIDED, TableCode

_STATUS: Final[Mapping[str, int]] = {
    TableCode.BAD_REQUEST: 400,
    TableCode.TOO_MANY_OUTSTANDING: 429,
    TableCode.TOO_BUSY: 503,
}


def refused(refusal: Refusal) -> ApiRefused:
    """409 is a decision, and stays one; by 429 and 503 nothing was decided."""
    status = _STATUS.get(refusal.code, 409)
    again = {"retry-after": "1"} if refusal.code in UNDECIDED else None
    return ApiRefused(status, ApiError.of(refusal.code, refusal.message, refusal.paragraph), again)
