"""Connections are accepted a few at each turn of the event loop.

uvloop accepts all that wait in the backlog at one go, and then reads what each of them says: thousands of strangers at
once would hold everybody else up for half a second. Here whoever is connected already has a turn in between.
"""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Final

A_TURN: Final = 16
MOST_ARRIVING: Final = 512  # in the middle of a TLS handshake; beyond it the oldest goes
PAUSE_S: Final = 0.1  # while there are no handles, or no memory for one
_NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """As an asyncio server on a socket that listens."""

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        *,
        tls: ssl.SSLContext | None = None,
        handshake_s: float | None = None,
        most_arriving: int = MOST_ARRIVING,
    ) -> None:
        self._listening, self._protocol = listening, protocol
        self._tls, self._handshake_s, self._most = tls, handshake_s, most_arriving
        self._loop = asyncio.get_running_loop()
        self._again: asyncio.TimerHandle | None = None
        self._arriving: dict[asyncio.Task[None], None] = {}  # the oldest first
        listening.setblocking(False)
        self._listen()

    def close(self) -> None:
        if self._again:
            self._again.cancel()
        self._loop.remove_reader(self._listening)

    async def wait_closed(self) -> None:
        """Until nobody is on the way in any more."""
        if self._arriving:
            await asyncio.wait(self._arriving)

    def _listen(self) -> None:
        self._loop.add_reader(self._listening, self._accept_some)

    def _accept_some(self) -> None:
        for _ in range(A_TURN):
            try:
                accepted, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno in _NO_ROOM:
                    self._pause()
                    return
                continue  # that one has gone again
            arriving = self._loop.create_task(self._connect(accepted))
            self._arriving[arriving] = None
            arriving.add_done_callback(self._arriving.pop)
            if len(self._arriving) > self._most:
                next(iter(self._arriving)).cancel()

    def _pause(self) -> None:
        self._loop.remove_reader(self._listening)
        self._again = self._loop.call_later(PAUSE_S, self._listen)

    async def _connect(self, accepted: socket.socket) -> None:
        accepted.setblocking(False)
        with suppress(OSError, TimeoutError):  # gone before it was here, or no TLS is spoken
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(
                self._protocol,
                accepted,
                ssl=self._tls,
                ssl_handshake_timeout=self._handshake_s,
                ssl_shutdown_timeout=self._handshake_s,
            )
