"""A house as it is seen from outside, over HTTP. Whatever it answers is bounded in length and time, and believed by
nobody before it is checked."""

import asyncio
from typing import Final, Self

import httpx
import msgspec

from natural9.proof.key_succession import HouseKey
from natural9.proof.signed_note import LONGEST_NOTE, BadNote, NoteSignature, SignedNote, VerifierKey
from natural9.witness.trouble import HouseTrouble

PATIENCE_S: Final = 20.0  # for a whole answer: one that comes a byte at a time is cut off, too
LONGEST_ANSWER: Final = LONGEST_NOTE


class KeyAnswer(msgspec.Struct, frozen=True):
    key: str
    signature: str
    signature_before: str


class KeysAnswer(msgspec.Struct, frozen=True):
    origin: str
    keys: list[KeyAnswer]


class ConsistencyAnswer(msgspec.Struct, frozen=True):
    first: int
    second: int
    hashes: list[str]


class ComplaintAnswer(msgspec.Struct, frozen=True):
    message: str = ""


class NotThere(HouseTrouble):
    """The house says that it has no such thing."""


class HouseSeen:
    """One address. A connection is kept from one look to the next."""

    def __init__(self, url: str, *, patience_s: float = PATIENCE_S) -> None:
        self.url = url
        self._patience_s = patience_s
        self._http = httpx.AsyncClient(
            timeout=patience_s,
            headers={"accept-encoding": "identity"},  # so that a small answer cannot unfold into a large one
            limits=httpx.Limits(max_connections=2),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def checkpoint(self) -> SignedNote:
        """The newest that it shows."""
        try:
            return SignedNote.parse(await self._ask("GET", "/api/checkpoint"))
        except BadNote as error:
            raise HouseTrouble(f"shows a checkpoint that is none: {error}") from None

    async def keys(self) -> tuple[str, list[HouseKey]]:
        """Its origin and its keys, oldest first."""
        answer = await self._ask("GET", "/api/checkpoint/keys")
        try:
            shown = msgspec.json.decode(answer, type=KeysAnswer)
            keys = [HouseKey(VerifierKey.parse(one.key), one.signature, one.signature_before) for one in shown.keys]
        except (msgspec.MsgspecError, UnicodeDecodeError, BadNote) as error:
            raise HouseTrouble(f"shows keys that are none: {_plain(str(error))}") from None
        return shown.origin, keys

    async def consistency(self, first: int, second: int) -> list[bytes]:
        """Its proof, unchecked."""
        answer = await self._ask("GET", f"/api/proof/consistency?first={first}&second={second}")
        try:
            shown = msgspec.json.decode(answer, type=ConsistencyAnswer)
            return [bytes.fromhex(one) for one in shown.hashes]
        except (msgspec.MsgspecError, ValueError):
            raise HouseTrouble("answers with something else when it is asked for a proof") from None

    async def take(self, size: int, line: NoteSignature) -> None:
        """Hand it a cosignature."""
        await self._ask("POST", f"/api/checkpoint/{size}/cosignatures", f"{line}\n".encode())

    async def _ask(self, method: str, path: str, content: bytes | None = None) -> bytes:
        headers = {} if content is None else {"content-type": "text/plain; charset=utf-8"}
        try:
            async with asyncio.timeout(self._patience_s):
                async with self._http.stream(method, self.url + path, content=content, headers=headers) as answer:
                    return await _read(answer)
        except (TimeoutError, httpx.TimeoutException):
            raise HouseTrouble(f"does not answer within {self._patience_s:g} seconds") from None
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
            raise HouseTrouble(f"cannot be reached: {_plain(str(error)) or type(error).__name__}") from None


async def _read(answer: httpx.Response) -> bytes:
    if answer.headers.get("content-encoding", "identity") != "identity":
        raise HouseTrouble("answers in an encoding that was not asked for")
    whole = bytearray()
    async for part in answer.aiter_raw():
        whole += part
        if len(whole) > LONGEST_ANSWER:
            raise HouseTrouble(f"answers with more than {LONGEST_ANSWER} bytes, where a few hundred are due")
    if answer.is_success:
        return bytes(whole)
    try:
        why = _plain(msgspec.json.decode(whole, type=ComplaintAnswer).message)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        why = ""
    words = f"answers {answer.status_code}{': ' * bool(why)}{why}"
    raise NotThere(words) if answer.status_code in (400, 404) else HouseTrouble(words)


def _plain(words: str) -> str:
    """What a stranger sent, fit for a terminal."""
    return "".join(one for one in words if one.isprintable())[:200]
