"""Devices that speak in lines of text, on a socket or a serial port: found, opened, and looked for again when lost."""

import asyncio
import os
import re
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from natural9.core.errors import BadInput
from natural9.core.host import is_host
from natural9.core.saying import Said, say, verbatim

FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 10.0


class Tcp(NamedTuple):
    host: str
    port: int


class Serial(NamedTuple):
    path: Path


def parse_address(text: str, code: str = "bad-reader", what: str = "where cards are read") -> Tcp | Serial:
    """
    >>> parse_address("tcp:127.0.0.1:9401")
    Tcp(host='127.0.0.1', port=9401)
    """
    kind, _, rest = text.partition(":")
    if kind == "serial" and Path(rest).is_absolute() and rest.isprintable():
        return Serial(Path(rest))
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})", rest, re.ASCII)
    if kind == "tcp" and match and is_host(match[1].strip("[]")) and 1 <= int(match[2]) <= 65535:
        return Tcp(match[1].strip("[]"), int(match[2]))
    raise BadInput(code, f"{text!r} is not {what}: write tcp:HOST:PORT or serial:/dev/ttyUSB0")


@dataclass(frozen=True, slots=True)
class LineToDevice:
    """To a device, as long as it lasts. Whoever only listens never writes."""

    stream: asyncio.StreamReader
    write: Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LineLost:
    """Nothing can be read until the next `LineToDevice`."""

    why: Said


OpenDevice = Callable[[Tcp | Serial], AbstractAsyncContextManager[LineToDevice]]


@asynccontextmanager
async def opened(where: Tcp | Serial, *, writes: bool = False) -> AsyncIterator[LineToDevice]:
    """The device's line. A serial port is opened for writing only by whoever writes."""
    if isinstance(where, Serial):
        stream = asyncio.StreamReader()
        with os.fdopen(_open_serial(where.path, writes=writes), "rb", buffering=0) as device:
            port = device.fileno()
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(stream), device
            )
            try:
                yield LineToDevice(stream, lambda data: write_all(port, data))
            finally:
                transport.close()
    else:
        async with asyncio.timeout(LONGEST_WAIT_S):
            stream, writer = await asyncio.open_connection(where.host, where.port)
        _keep_alive(writer.get_extra_info("socket"))

        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            yield LineToDevice(stream, write)
        finally:
            writer.close()


async def device_lines(
    where: Tcp | Serial, *, longest: int, first_wait_s: float = FIRST_WAIT_S, opened: OpenDevice = opened
) -> AsyncGenerator[LineToDevice | bytes | LineLost, None]:
    """Whatever the device writes, for ever: when it is lost it is looked for again, ever more patiently."""
    wait_s, is_lost = first_wait_s, False
    while True:
        try:
            async with opened(where) as line:
                yield line
                is_lost = False
                async for text in whole_lines(line.stream, longest):
                    wait_s = first_wait_s  # only a device that speaks is worth coming back to at once
                    yield text
            why = say("the device closed the connection")
        except OSError as error:
            why = verbatim(error.strerror or str(error)) if str(error) else say("no answer")
        if not is_lost:  # one outage is one report, however often it is tried
            is_lost = True
            yield LineLost(why)
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


async def whole_lines(stream: asyncio.StreamReader, longest: int) -> AsyncGenerator[bytes, None]:
    """Each line that says anything. What a device had not finished writing when it was lost is none; of one that is too
    long the beginning comes once."""
    unfinished, is_skipping = b"", False
    while chunk := await stream.read(4096):
        *lines, unfinished = re.split(rb"[\r\n]", unfinished + chunk)
        for line in lines:
            if line.strip(b" \t\0") and not is_skipping:
                yield line
            is_skipping = False
        if len(unfinished) > longest:
            if not is_skipping:
                yield unfinished
            unfinished, is_skipping = b"", True


async def write_all(device: int, data: bytes) -> None:
    """Without ever waiting in the system: a device that is switched off takes nothing, and says nothing."""
    while data:
        try:
            data = data[os.write(device, data) :]
        except BlockingIOError:
            await asyncio.sleep(0.05)


def shown(text: str, longest: int) -> str:
    """What a device wrote, made fit to be shown."""
    clean = "".join(sign if sign.isprintable() else "?" for sign in text[: longest + 1])
    return clean if len(clean) <= longest else clean[: longest - 3] + "..."


def _keep_alive(connection: socket.socket) -> None:
    """A device that lost its power says nothing: ask it now and then, or its silence would look like a slow dealer."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _open_serial(path: Path, *, writes: bool) -> int:
    """The device at 9600 baud, eight bits, no parity, one stop bit, and nothing interpreted on the way."""
    import termios  # not on every system, and only a serial port needs it
    import tty

    device = os.open(path, (os.O_RDWR if writes else os.O_RDONLY) | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        tty.setraw(device)
        settings = termios.tcgetattr(device)
        settings[2] &= ~(termios.CSIZE | termios.PARENB | termios.CSTOPB)
        settings[2] |= termios.CS8 | termios.CREAD | termios.CLOCAL
        settings[4] = settings[5] = termios.B9600
        termios.tcsetattr(device, termios.TCSANOW, settings)
    except termios.error as error:
        os.close(device)
        raise OSError(f"{path} is not a serial port: {error.args[-1]}") from None
    return device
