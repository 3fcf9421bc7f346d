"""Floods of every kind, as guests make them who want to harm the others: over raw sockets, as fast as they can.

`bench.floods` runs these in a process of its own; a slice of each is a test.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

import msgspec
import uvloop

HALF_OPEN_EACH = 200


class Target(NamedTuple):
    """Whom to attack: `cookies` one for each guest, `staff` of somebody who may see reports."""

    host: str
    port: int
    table: str
    cookies: list[str]
    staff: str
    seconds: float


Refused = Counter[str]
Guest = Callable[["Target", str, Refused], Awaitable[None]]

# Masked with zeros, so that a frame is its header and its text.
TEXT = b'\x81\x8f\0\0\0\0{"type":"ping"}'
FRAMES = {
    "text": (b"", TEXT),
    "pings": (b"", b"\x89\x80\0\0\0\0"),
    "fragments": (b"\x01\x80\0\0\0\0", b"\0\x80\0\0\0\0"),
}
HALVES = {
    "silent": b"",
    "half-heads": b"GET /api/me HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "half-bodies": b"POST /api/sign-in HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\n"
    b"content-length: 999\r\n\r\n{",
}


@asynccontextmanager
async def line(target: Target) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that ends without a goodbye."""
    reader, writer = await asyncio.open_connection(target.host, target.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def upgraded(target: Target, cookie: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
    """Ask for a WebSocket: the status."""
    writer.write(
        f"GET /ws/table/{target.table} HTTP/1.1\r\nHost: {target.host}:{target.port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {cookie}\r\n\r\n".encode()
    )
    head = await reader.readuntil(b"\r\n\r\n")
    return head[9:12].decode()


async def closing_code(reader: asyncio.StreamReader) -> str:
    """Read on until the server closes: its code, or "cut off"."""
    with suppress(OSError, asyncio.IncompleteReadError):
        while True:
            first, length = await reader.readexactly(2)
            if length > 125:
                length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8))
            payload = await reader.readexactly(length)
            if first & 0xF == 8:
                return str(int.from_bytes(payload[:2]))
    return "cut off"


def frames(kind: str) -> Guest:
    """Frames without end; closed, it comes back at once."""
    first, each = FRAMES[kind]

    async def pour(writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        while True:
            writer.write(each * 500)
            await writer.drain()
            await asyncio.sleep(0)

    async def flood(target: Target, cookie: str, refused: Refused) -> None:
        async with line(target) as (reader, writer):
            status = await upgraded(target, cookie, reader, writer)
            if status == "101":
                pouring = asyncio.ensure_future(pour(writer))
                try:
                    status = await closing_code(reader)
                finally:
                    pouring.cancel()
                    await asyncio.gather(pouring, return_exceptions=True)
            refused[status] += 1

    return flood


async def reconnects(target: Target, cookie: str, refused: Refused) -> None:
    async with line(target) as (reader, writer):
        refused[await upgraded(target, cookie, reader, writer)] += 1


def half_open(kind: str) -> Guest:
    """Many at a time that never say the rest."""

    async def stay(target: Target, refused: Refused) -> None:
        async with line(target) as (reader, writer):
            writer.write(HALVES[kind])
            refused[(await reader.read(12))[9:].decode() or "cut off"] += 1

    async def flood(target: Target, cookie: str, refused: Refused) -> None:
        await asyncio.gather(*[stay(target, refused) for _ in range(HALF_OPEN_EACH)])

    return flood


async def asked(target: Target, request: str, cookie: str, refused: Refused, body: bytes = b"") -> None:
    """One request on a connection of its own; the answer is read to its end."""
    head = f"{request} HTTP/1.1\r\nHost: {target.host}:{target.port}\r\nCookie: {cookie}\r\nConnection: close\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    async with line(target) as (reader, writer):
        writer.write(head.encode() + body)
        refused[(await reader.read(12))[9:].decode() or "cut off"] += 1
        while await reader.read(100_000):
            pass


async def sign_ins(target: Target, cookie: str, refused: Refused) -> None:
    body = b'{"id":"pat","password":"not the password"}'
    await asked(target, "POST /api/sign-in", "", refused, body)


async def recalls(target: Target, cookie: str, refused: Refused) -> None:
    await asked(target, f"GET /api/rounds/{target.table}/1", cookie, refused)


async def reports(target: Target, cookie: str, refused: Refused) -> None:
    await asked(target, "GET /api/reports/win", target.staff, refused)


KINDS: dict[str, Guest] = {
    **{kind: frames(kind) for kind in FRAMES},
    "reconnects": reconnects,
    **{kind: half_open(kind) for kind in HALVES},
    "sign-ins": sign_ins,
    "recalls": recalls,
    "reports": reports,
}


async def attack(kind: str, target: Target) -> Refused:
    """Every guest at once, for so many seconds; what each attempt came to."""
    refused: Refused = Counter()
    end = time.monotonic() + target.seconds

    async def guest(cookie: str) -> None:
        while time.monotonic() < end:
            try:
                await KINDS[kind](target, cookie, refused)
            except (OSError, asyncio.IncompleteReadError):
                refused["cut off"] += 1

    guests = [asyncio.ensure_future(guest(cookie)) for cookie in target.cookies]
    await asyncio.wait(guests, timeout=target.seconds)
    for one in guests:
        one.cancel()
    await asyncio.gather(*guests, return_exceptions=True)
    return refused


if __name__ == "__main__":
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Target)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(attack(sys.argv[1], wanted))))
