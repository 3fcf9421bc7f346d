"""Letters between the nodes of one venue over NATS: asked and answered, told to one, told to all.

NATS carries and keeps nothing: a letter arrives once or not at all. Of one node's letters to another none overtakes
another, and where one was lost both are told (`when_lost`). Away from NATS nobody is asked and nothing is told; the
connection comes back by itself.
"""

import asyncio
import hashlib
import random
import re
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec
import structlog

from natural9.core.errors import BadInput
from natural9.server.cluster.nats_connection import NatsConnection, NatsRefused
from natural9.server.cluster.peers import Claims, Peers
from natural9.table.venue.cluster import NatsIdentity

ALIVE_S: Final = 0.5
SILENT_S: Final = 2.0  # who has not been heard for so long is gone
CONNECT_S: Final = 2.0
PONG_S: Final = 2.0  # a server that does not answer for so long is gone
AGAIN_S: Final = 0.2  # between two tries to reach NATS
TOLD_AGAIN_S: Final = 10.0  # how often the log says that it cannot be reached
ROOM_BYTES: Final = 4096  # of the largest payload, for what goes around a body
LARGEST_BYTES: Final = 64 * 1024 * 1024  # of a letter in pieces
MOST_WAITING_BYTES: Final = 64 * 1024 * 1024  # that NATS has not taken
ALL: Final = "all"
ANSWER: Final = "answer"
NOBODY: Final = "nobody"
ALIVE: Final = "alive"
BYE: Final = "bye"
NODE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")

log = structlog.get_logger()

Heard = Callable[[str, bytes], None]  # by which node, what
Answering = Callable[[str, bytes], Awaitable[bytes]]


class NodeAway(Exception):
    """Nobody of that name listens: what was asked has not been done."""


class NoAnswer(NodeAway):
    """It may have been done, or be done yet: the answer was lost, or did not come in time."""


class AnswerFailed(Exception):
    """The other node failed at it; its own log says how."""


@dataclass(frozen=True)
class LineSettings:
    """Where NATS is, and who we are there. Without a file or a word for it, nothing is asked of that kind."""

    servers: tuple[str, ...]
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    login: NatsIdentity = field(default_factory=NatsIdentity)
    alive_s: float = ALIVE_S
    silent_s: float = SILENT_S

    def tls(self) -> ssl.SSLContext | None:
        if not (self.tls_ca or self.tls_cert or any(one.startswith("tls://") for one in self.servers)):
            return None
        context = ssl.create_default_context(cafile=self.tls_ca)
        if self.tls_cert:
            context.load_cert_chain(self.tls_cert, self.tls_key)
        return context


class Letter(NamedTuple):
    """What goes over NATS; a body that is too large for it in several."""

    sender: str
    run: int
    to_run: int
    number: int
    piece: int  # 0 is the first
    more: bool
    body: bytes


class Reply(NamedTuple):
    """What becomes of a question: done, failed at, or not answered by this node now."""

    ending: Literal["done", "failed", "not-here"]
    body: bytes


_encode = msgspec.msgpack.Encoder().encode
_letter = msgspec.msgpack.Decoder(Letter).decode
_claims = msgspec.msgpack.Decoder(Claims).decode
_reply = msgspec.msgpack.Decoder(Reply).decode


class Lines:
    """This node's connection to the others. Everything here belongs to one event loop."""

    def __init__(self, settings: LineSettings, venue_id: str, node: str) -> None:
        if not NODE_NAME.fullmatch(node) or node == ALL:
            why = f"a node is called by letters, digits, - and _, and not {ALL!r}: {node!r} is no name for one"
            raise BadInput("bad-node", why)
        self.node = node
        self._settings = settings
        self._prefix = f"n9.{hashlib.sha256(venue_id.encode()).hexdigest()[:16]}"
        self._mine = f"{self._prefix}.{node}."
        self._run = 0
        self._nats: NatsConnection | None = None
        self._peers = Peers(settings.silent_s, self._lose)
        self._serving: dict[str, Answering] = {}
        self._hearing: dict[str, Heard] = {}
        self._when_lost: list[Callable[[str], None]] = []
        # What this process asks has names of its own: an answer to the one before it, of the same node, may still come.
        self._questions = map(f"{secrets.token_hex(8)}-{{}}".format, count(1))
        self._asked: dict[str, tuple[str, asyncio.Future[bytes]]] = {}
        self._parts: dict[tuple[str, str], list[bytes]] = {}  # of letters in pieces, by sender and subject
        self._came_up = asyncio.Event()
        self._answers: set[asyncio.Task[None]] = set()
        self._keeping: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, settings: LineSettings, venue_id: str, node: str, *, wait_s: float = 5.0) -> "Lines":
        """Also where NATS cannot be reached within `wait_s`: then it is tried on, and `is_up` says so."""
        lines = cls(settings, venue_id, node)
        lines._keeping = asyncio.create_task(lines._keep_up())
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await lines._came_up.wait()
        return lines

    @property
    def is_up(self) -> bool:
        return self._nats is not None

    @property
    def others(self) -> list[str]:
        """The nodes that are heard."""
        return self._peers.names()

    def hears(self, node: str) -> bool:
        return node in self._peers

    def serve(self, kind: str, answer: Answering) -> None:
        """Each question is answered on its own: a later one may be answered before it."""
        assert kind not in self._serving, "one answers"
        self._serving[kind] = answer

    def hear(self, kind: str, heard: Heard) -> None:
        """Called in the order in which a node told it."""
        assert kind not in self._hearing, "one listens"
        self._hearing[kind] = heard

    def when_lost(self, lost: Callable[[str], None]) -> None:
        """Called with a node that is gone, has begun anew, or of which something told may be missing."""
        self._when_lost.append(lost)

    async def ask(self, node: str, kind: str, body: bytes, timeout_s: float = 5.0) -> bytes:
        """Raise NodeAway at once where nobody listens, NoAnswer where it is not known what became of it."""
        if not self.is_up:
            raise NodeAway(f"NATS cannot be reached from {self.node}")
        if not self.hears(node):  # nobody would notice that it has gone meanwhile
            timeout_s = min(timeout_s, self._settings.silent_s)
        question = next(self._questions)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked[question] = node, answer
        try:
            self._post(node, kind, body, f"{self._mine}{ANSWER}.{question}")
            async with asyncio.timeout(timeout_s):
                return await answer
        except TimeoutError as late:
            raise NoAnswer(f"{node} did not answer within {timeout_s:g} s") from late
        finally:
            del self._asked[question]

    def tell(self, node: str, kind: str, body: bytes) -> None:
        """Whoever is not there any more is then lost, and known to be."""
        self._post(node, kind, body, f"{self._mine}{NOBODY}.{node}")

    def tell_all(self, kind: str, body: bytes) -> None:
        """To every other node that listens. Nobody counts these: one may get lost."""
        self._post(ALL, kind, body, "")

    async def close(self) -> None:
        if self._nats:
            self._nats.unsubscribe_all()  # first: whoever hears that we go, and asks all the same, is told
            self.tell_all(BYE, b"")
            with suppress(NatsRefused, TimeoutError):
                async with asyncio.timeout(CONNECT_S):
                    await self._nats.flush()
        if self._keeping:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        for task in [*self._answers]:
            task.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)

    # The connection

    async def _keep_up(self) -> None:
        told_at = -TOLD_AGAIN_S
        servers = list(self._settings.servers)
        random.shuffle(servers)
        while True:
            servers.append(servers.pop(0))
            try:
                nats = await self._connect(servers[-1])
            except Exception as error:  # whatever it is: NATS is tried on
                if time.monotonic() - told_at >= TOLD_AGAIN_S:
                    told_at = time.monotonic()
                    log.warning("NATS cannot be reached", node=self.node, why=_words(error))
                await asyncio.sleep(AGAIN_S)
                continue
            try:
                await self._while_up(nats)
            except Exception:
                log.exception("a mistake of ours", node=self.node)
            finally:
                nats.abort()
                self._down()

    async def _connect(self, address: str) -> NatsConnection:
        settings = self._settings
        async with asyncio.timeout(CONNECT_S):
            nats = await NatsConnection.open(
                address,
                name=f"natural9 {self.node}",
                login=settings.login,
                tls=settings.tls(),
                heard=self._arrived,
                nobody=self._nobody_there,
            )
        if nats.max_payload < 2 * ROOM_BYTES:
            nats.abort()
            raise NatsRefused(f"its max_payload is {nats.max_payload} bytes, and {2 * ROOM_BYTES} at least are needed")
        return nats

    async def _while_up(self, nats: NatsConnection) -> None:
        """Until it is not."""
        self._run = secrets.randbits(53) | 1
        nats.subscribe(f"{self._mine}>")
        nats.subscribe(f"{self._prefix}.{ALL}.>")
        self._nats = nats
        self._came_up.set()
        log.info("connected to NATS", node=self.node)
        while not nats.lost.is_set():
            nats.beat(PONG_S)
            self._say_alive()
            self._peers.look(time.monotonic())
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.alive_s):
                    await nats.lost.wait()
        log.warning("the connection to NATS is lost", node=self.node)

    def _say_alive(self) -> None:
        self.tell_all(ALIVE, _encode(self._peers.claims()))

    def _down(self) -> None:
        self._nats = None
        self._parts.clear()
        self._peers.all_gone()
        for node, answer in [*self._asked.values()]:
            _fail(answer, NoAnswer(f"the way to {node} was lost"))

    def _lose(self, node: str) -> None:
        for begun in [key for key in self._parts if key[0] == node]:  # the rest of it does not come any more
            del self._parts[begun]
        for asked, answer in [*self._asked.values()]:
            if asked == node:
                _fail(answer, NoAnswer(f"the way to {node} was lost"))
        for lost in self._when_lost:
            try:
                lost(node)
            except Exception:  # whatever it is, the others are told, and the lines are kept up
                log.exception("a mistake of ours", node=self.node)

    # Out

    def _post(self, node: str, kind: str, body: bytes, reply: str) -> None:
        nats = self._nats
        if nats is None:
            return
        subject = f"{self._prefix}.{node}.{kind}"
        largest = nats.max_payload - ROOM_BYTES
        for piece, at in enumerate(range(0, len(body) or 1, largest)):
            to_run, number = (0, 0) if node == ALL else self._peers.next_letter(node)
            more = at + largest < len(body)
            letter = Letter(self.node, self._run, to_run, number, piece, more, body[at : at + largest])
            nats.publish(subject, _encode(letter), "" if more else reply)
        if nats.unsent_bytes > MOST_WAITING_BYTES:  # NATS takes nothing: as good as away
            nats.abort()

    # In

    def _arrived(self, subject: str, reply: str, data: bytes) -> None:
        try:
            self._read(subject, reply, data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            log.warning("what came is no letter of ours", node=self.node, why=str(error))
        except Exception:  # whatever it is, the next is read
            log.exception("a letter could not be read", node=self.node)

    def _read(self, subject: str, reply: str, data: bytes) -> None:
        target, _, kind = subject.removeprefix(self._prefix + ".").partition(".")
        letter = _letter(data)
        is_ours = letter.sender != self.node and letter.to_run in (0, self._run)
        if not is_ours or not self._peers.letter(letter.sender, letter.run, letter.number, time.monotonic()):
            return
        body = self._whole(f"{target}.{kind}", letter)
        if body is None:
            return
        if kind == ALIVE:
            run, told = _claims(body).get(self.node, (0, 0))
            claimed = told if run == self._run else 0
            if self._peers.alive(letter.sender, letter.run, claimed, time.monotonic()):
                self._say_alive()  # it has just come, and knows nobody
        elif kind == BYE:
            self._peers.gone(letter.sender)
        elif kind.startswith(ANSWER):
            self._was_answered(kind.partition(".")[2], _reply(body))
        elif reply.startswith(f"{self._prefix}.{letter.sender}.{ANSWER}."):
            self._answer(letter.sender, kind, body, reply)
        elif heard := self._hearing.get(kind):
            heard(letter.sender, body)

    def _whole(self, subject: str, letter: Letter) -> bytes | None:
        """The body, once its last piece is here; never one with a piece left out."""
        if letter.piece == 0 and not letter.more:
            return letter.body
        key = letter.sender, subject
        parts = self._parts.pop(key, []) if letter.piece else []
        if len(parts) != letter.piece or sum(map(len, parts)) > LARGEST_BYTES:
            return None
        parts.append(letter.body)
        if letter.more:
            self._parts[key] = parts
            return None
        return b"".join(parts)

    def _nobody_there(self, subject: str) -> None:
        """By the subject of the answer that somebody would have given."""
        kind, _, name = subject.removeprefix(self._mine).partition(".")
        if kind == NOBODY:
            self._peers.gone(name)
        elif kind == ANSWER and name in self._asked:
            node, answer = self._asked[name]
            _fail(answer, NodeAway(f"{node} is not there"))
            self._peers.gone(node)

    def _was_answered(self, question: str, reply: Reply) -> None:
        _, answer = self._asked.get(question, ("", None))
        if answer is None or answer.done():
            return
        if reply.ending == "done":
            answer.set_result(reply.body)
        else:
            wrong = AnswerFailed if reply.ending == "failed" else NodeAway
            answer.set_exception(wrong(reply.body.decode()))

    def _answer(self, sender: str, kind: str, body: bytes, to: str) -> None:
        task = asyncio.create_task(self._answer_with(self._serving.get(kind), sender, kind, body, to))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _answer_with(self, answer: Answering | None, sender: str, kind: str, body: bytes, to: str) -> None:
        try:
            if answer is None:
                reply = Reply("not-here", f"{self.node} does not answer {kind!r} now".encode())
            else:
                reply = Reply("done", await answer(sender, body))
        except Exception as error:  # whatever it is, whoever asked must not wait for it
            log.error("a question of another node failed", kind=kind, sender=sender, exc_info=error)
            reply = Reply("failed", f"{self.node} failed at {kind!r}".encode())
        self._post(sender, to.removeprefix(f"{self._prefix}.{sender}."), _encode(reply), "")


def _fail(answer: "asyncio.Future[bytes]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)


def _words(error: Exception) -> str:
    """Without the address, which may hold a password."""
    if isinstance(error, NatsRefused | ValueError):
        return str(error)
    return f"{type(error).__name__}: {error.strerror}" if isinstance(error, OSError) else type(error).__name__
