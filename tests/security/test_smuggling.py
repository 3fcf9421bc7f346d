"""A request that two servers could read in two ways is read by ours in none: nothing hides behind it from a proxy."""

import pytest

from tests.server.test_connections import serving

pytestmark = pytest.mark.asyncio(loop_factories=["asyncio", "uvloop"])  # a plain install's, and with the extra `fast`
HEAD = b"POST / HTTP/1.1\r\nHost: table\r\n"
HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: table\r\n\r\n"
AMBIGUOUS = {
    "both lengths": HEAD + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "both, turned": HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n" + HIDDEN,
    "two lengths": HEAD + b"Content-Length: 0\r\nContent-Length: 38\r\n\r\n" + HIDDEN,
    "a signed length": HEAD + b"Content-Length: +0\r\n\r\n" + HIDDEN,
    "a length in words": HEAD + b"Content-Length: 0x26\r\n\r\n" + HIDDEN,
    "chunked, nearly": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunked, then not": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,
    "a blank before the colon": HEAD + b"Content-Length : 0\r\n\r\n" + HIDDEN,
    "a folded line": HEAD + b"X: y\r\n Content-Length: 38\r\n\r\n" + HIDDEN,
    "a size with a sign": HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n" + HIDDEN,
    "a bare line end": b"POST / HTTP/1.1\nHost: table\r\nContent-Length: 0\r\rX: y\r\n\r\n" + HIDDEN,
    "a zero byte": HEAD + b"X: \x00y\r\n\r\n" + HIDDEN,
}


@pytest.mark.parametrize("said", AMBIGUOUS.values(), ids=AMBIGUOUS)
async def test_a_request_of_two_minds_is_no_request(said: bytes) -> None:
    async with serving() as house:
        reader, writer = await house.connect(said)
        answer = await reader.read(100_000)
        writer.close()
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1, "and nothing behind it is answered"
