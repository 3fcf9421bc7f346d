"""Asking a time-stamp authority over HTTP (RFC 3161, 3.4). Its answer is bounded in length and time, and checked."""

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple

import httpx

from natural9.core.saying import Said, say
from natural9.proof.time_stamp import LONGEST_ANSWER, BadStamp, StampTrouble, check_stamp, stamp_query
from natural9.table.venue.proof import StampAuthority

PATIENCE_S: Final = 20.0  # for a whole answer: one that comes a byte at a time is cut off, too
QUERY: Final = "application/timestamp-query"
ANSWER: Final = "application/timestamp-reply"
_WHY: Final[Mapping[StampTrouble, Said]] = {
    StampTrouble.NO_ANSWER: say("What came is no answer of a time-stamp authority"),
    StampTrouble.REFUSED: say("The authority refused"),
    StampTrouble.OF_ANOTHER: say("The authority stamped something else"),
    StampTrouble.TO_ANOTHER: say("The authority answered another query"),
    StampTrouble.NOT_VOUCHED_FOR: say("None of the certificates in the file vouches for the stamp"),
}


class NoStamp(Exception):
    """Why the authority gave none; it may be asked again."""

    def __init__(self, why: Said) -> None:
        super().__init__(why)
        self.why = why


class Answered(NamedTuple):
    stamped_at_ms: int
    answer: bytes


async def ask(authority: StampAuthority, data: bytes, *, patience_s: float = PATIENCE_S) -> Answered:
    """A stamp of this, checked in every way; else NoStamp. No table waits for the arithmetic."""
    query = await asyncio.to_thread(stamp_query, data)
    try:
        async with asyncio.timeout(patience_s):
            answer = await _post(authority.url, query.encoded)
    except (TimeoutError, httpx.TimeoutException):
        late = say("The authority does not answer within {seconds} seconds", seconds=f"{patience_s:g}")
        raise NoStamp(late) from None
    except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
        raise NoStamp(_with(say("The authority cannot be reached"), str(error) or type(error).__name__)) from None
    certificates, nonce = authority.certificates, query.nonce
    try:
        stamped = await asyncio.to_thread(check_stamp, answer, data, certificates=certificates, nonce=nonce)
    except BadStamp as error:
        raise NoStamp(_with(_WHY[error.trouble], error.detail)) from None
    return Answered(stamped, answer)


async def _post(url: str, query: bytes) -> bytes:
    headers = {"content-type": QUERY, "accept": ANSWER, "accept-encoding": "identity"}
    whole = bytearray()
    async with httpx.AsyncClient() as client, client.stream("POST", url, content=query, headers=headers) as answer:
        if answer.status_code != 200:
            raise NoStamp(say("The authority answers with HTTP status {status}", status=answer.status_code))
        async for part in answer.aiter_raw():
            whole += part
            if len(whole) > LONGEST_ANSWER:
                raise NoStamp(_WHY[StampTrouble.NO_ANSWER])
    return bytes(whole)


def _with(why: Said, detail: str) -> Said:
    plain = "".join(one for one in detail if one.isprintable())[:200]
    return say("{what} ({why})", what=why, why=plain) if plain else why
