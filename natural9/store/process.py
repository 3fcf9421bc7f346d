"""A committer in a process of its own: hashing and writing then take no time from the event loop of a busy table.

The two speak over a socket pair: one message with a group of appends, one answer with what became of each. The process
ends when that line does, however its owner ended: what it was sent it makes durable, and then it lets go of the lock.
"""

import gc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from typing import TypeVar

import msgspec

from natural9.store.contract import Corrupt, LostCommits, NoLongerOwner, NotTheHead, Overdrawn, StoreFailed, StreamHead
from natural9.store.group import Commits, Committed, Outcome, Writing

LENGTH_BYTES = 8
GOODBYE_S = 30

Item = TypeVar("Item")
Made = TypeVar("Made")


class SentError(msgspec.Struct, array_like=True):
    """An exception on its way: the class by its name, and what it was made of."""

    kind: str
    said: tuple[str | int, ...]


_KINDS: dict[str, type[Exception]] = {
    kind.__name__: kind for kind in (Overdrawn, NotTheHead, NoLongerOwner, LostCommits, StoreFailed, Corrupt)
}
_encode = msgspec.msgpack.Encoder().encode
_owner = msgspec.msgpack.Decoder(int).decode
_group = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode
_append = msgspec.msgpack.Decoder(Writing).decode
_appends = msgspec.msgpack.Decoder(list[Writing]).decode
_answers = msgspec.msgpack.Decoder(tuple[list[int | SentError], dict[str, StreamHead]]).decode


def _packed(outcome: Outcome) -> int | SentError:
    match outcome:
        case int():
            return outcome
        case Overdrawn():
            return SentError("Overdrawn", (outcome.account, outcome.cents))
        case _:
            kind = next((kind.__name__ for kind in type(outcome).__mro__ if kind.__name__ in _KINDS), "")
            return SentError(kind, (str(outcome),))


def _sent(committed: Committed) -> tuple[list[int | SentError], dict[str, StreamHead]]:
    return [_packed(outcome) for outcome in committed.outcomes], committed.streams


def _unpacked(answer: int | SentError) -> Outcome:
    """Whatever is no error of ours is a value that cannot be kept."""
    return answer if isinstance(answer, int) else _KINDS.get(answer.kind, ValueError)(*answer.said)


def _handle(message: bytearray, commit: Callable[[Sequence[Writing]], Committed]) -> bytes:
    """What a group leads to. It is read at once, and one by one only where there is a value that cannot be read."""
    try:
        group = _appends(message)
    except (msgspec.DecodeError, UnicodeDecodeError):
        committed = _outcomes(_group(message), _append, commit)
    else:
        committed = commit(group)
    return _encode(_sent(committed))


def _outcomes(
    items: Iterable[Item], make: Callable[[Item], Made], commit: Callable[[list[Made]], Committed]
) -> Committed:
    """What becomes of each. A value that cannot travel is its own append's affair, and the others are committed."""
    made: list[Made] = []
    wrong: list[Exception | None] = []
    for item in items:
        try:
            made.append(make(item))
            wrong.append(None)
        except Exception as error:
            wrong.append(error.with_traceback(None))
    outcomes, streams = commit(made) if made else Committed([], {})
    committed = iter(outcomes)
    return Committed([error or next(committed) for error in wrong], streams)


def _send(line: socket.socket, message: bytes) -> None:
    line.sendall(len(message).to_bytes(LENGTH_BYTES, "big") + message)


def _receive(line: socket.socket) -> bytearray:
    """A ConnectionError when the other side has gone."""
    return _exactly(line, int.from_bytes(_exactly(line, LENGTH_BYTES), "big"))


def _exactly(line: socket.socket, many: int) -> bytearray:
    message = bytearray(many)
    left = memoryview(message)
    while left:
        got = line.recv_into(left)
        if not got:
            raise ConnectionResetError
        left = left[got:]
    return message


class CommitterProcess:
    """As a Committer, elsewhere. Raises what opening the records there raised."""

    def __init__(self, program: str, name: str, *arguments: str) -> None:
        """`program` is the module that calls `commit_here`; `name` is what it writes, in words."""
        self._name = name
        self._has_ended = False  # as its line says, a moment before the system does
        self._line, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", program, *arguments],
                stdin=theirs.fileno(),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # it finds what we have found
                start_new_session=True,  # a Ctrl-C is for its owner
            )
        [opened] = self._ask(_encode(os.getpid())).outcomes
        if isinstance(opened, Exception):
            self.close()
            raise opened

    @property
    def is_able(self) -> bool:
        """Its process lives. What fails there says so with the next commit."""
        return not self._has_ended and self._process.poll() is None

    def commit(self, group: Sequence[Writing]) -> Committed:
        try:
            packed = _encode(group)
        except Exception:  # a value that cannot travel: which one?
            return _outcomes(group, lambda writing: msgspec.Raw(_encode(writing)), self._ask_all)
        return self._ask(packed, len(group))

    def _ask_all(self, packed: list[msgspec.Raw]) -> Committed:
        return self._ask(_encode(packed), len(packed))

    def _ask(self, message: bytes, many: int = 1) -> Committed:
        try:
            _send(self._line, message)
            answer = _receive(self._line)
        except OSError:
            self._has_ended = True
            gone = f"the journal could not be written: the process that writes {self._name} has ended"
            return Committed([StoreFailed(gone) for _ in range(many)], {})
        outcomes, streams = _answers(answer)
        return Committed([_unpacked(one) for one in outcomes], streams)

    def close(self) -> None:
        """When this returns, the file is closed and its lock is free."""
        self._line.close()
        try:
            self._process.wait(GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def commit_here(open_committer: Callable[[int], Commits]) -> None:
    """What the process does; opening is told its owner's id."""
    for ignored in (signal.SIGINT, signal.SIGTERM):  # it ends when its owner has nothing more to write
        signal.signal(ignored, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as line, suppress(ConnectionError):  # its owner is done, or gone
        owner = _owner(_receive(line))
        gc.freeze()
        gc.set_threshold(50_000)  # a group leaves no circles behind, and looking for them took a tenth of its time
        try:
            committer = open_committer(owner)
        except (StoreFailed, Corrupt) as error:
            _send(line, _encode(_sent(Committed([error], {}))))
            return
        with closing(committer):
            _send(line, _encode(_sent(Committed([0], {}))))
            while True:
                _send(line, _handle(_receive(line), committer.commit))
