"""What was asked, what was answered, and what became of it: nothing lost, nothing twice, nothing that nobody asked."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from natural9.torture.seen import Message, Violation

Key = tuple[str, str, str]  # stream, sender as "terminal/t1-3" or "staff/dora", request
REFUSED: Final = frozenset({"request-refused", "late-bet-refused", "wrong-voucher-codes", "wrong-codes-at-desk"})
REUSED: Final = "request-reused"
PAY: Final = "/api/vouchers/pay"
# Of the desk's own routes: what stands in the journal's `command` beside the request.
OFFICE: Final = "venue"
NOT_WRITTEN: Final = frozenset({"other-round"})  # of a tap about a round long past, which stays refused by itself
PATIENCE_MS: Final = 10_000  # what was sent so shortly before the end may still be on its way
OMITTED: Final[tuple[object, ...]] = (None, "", [], {}, False)


class Tapped(msgspec.Struct):
    """As much of a terminal's message as says what it is."""

    type: str
    request: str


_read_tap: Final = msgspec.json.Decoder(Tapped).decode


class WhatWasDone:
    """What the journal has of one request."""

    __slots__ = ("command", "commands", "kinds", "numbers")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.kinds: list[str] = []
        self.command: Any = None
        self.commands = 0


class Verdict(NamedTuple):
    done: bool
    entry: int = 0
    code: str = ""
    voucher: tuple[str, str, int] | None = None  # number, code, cents


class AskedOnce:
    """One request of one sender, however often it was sent."""

    __slots__ = ("at_ms", "contents", "heard", "is_other", "sent", "verdict", "waits", "who")

    def __init__(self, who: str, at_ms: int) -> None:
        self.who, self.at_ms = who, at_ms
        self.contents: list[bytes | Message] = []
        self.sent = self.heard = 0
        self.is_other = False  # it was answered, and then its id came with other content
        self.verdict: Verdict | None = None
        self.waits = True  # sent on a line that is still open, and not answered


class RequestJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self.wrong = wrong
        self.asks: dict[Key, AskedOnce] = {}
        self._waiting: dict[str, dict[Key, AskedOnce]] = {}  # of each line, what was sent and not answered yet
        self._nameless: Counter[str] = Counter()  # answers on a line to what could not be understood

    # As it is seen, in order.

    def sent(self, stream: str, sender: str, message: bytes, who: str, at_ms: int) -> None:
        try:
            tap = _read_tap(message)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return  # a lie, or no request
        self.asked((stream, sender, tap.request), message, who, at_ms)

    def asked(self, key: Key, content: bytes | Message, who: str, at_ms: int) -> None:
        ask = self.asks.get(key)
        if ask is None:
            ask = self.asks[key] = AskedOnce(who, at_ms)
        if content not in ask.contents:
            # What is still to come may be about the first content, unless all of that was answered.
            ask.is_other = bool(ask.verdict and ask.verdict.done and ask.sent == ask.heard)
            ask.contents.append(content)
        elif content == ask.contents[0]:
            ask.is_other = False
        ask.sent += 1
        ask.at_ms, ask.waits = at_ms, True
        self._waiting.setdefault(who, {})[key] = ask

    def not_understood(self, who: str) -> None:
        """An answer without a request: to one of the messages of this line that make no sense."""
        self._nameless[who] += 1

    def cut(self, who: str) -> None:
        """What was on its way there may have come or not."""
        self._nameless[who] = 0
        for ask in self._waiting.pop(who, {}).values():
            ask.waits = False

    def answered(self, key: Key, verdict: Verdict | None, who: str, at_ms: int, durable: int) -> None:
        """None: nothing was decided."""
        ask = self.asks.get(key)
        if ask is None:
            words = f"told {verdict} about {key[2]!r}, which it never asked"
            self.wrong(Violation("answered to nothing", words, at_ms, who))
            return
        self._waiting.get(who, {}).pop(key, None)
        ask.waits = False
        ask.heard += 1
        if verdict is None:
            return
        if ask.is_other and verdict.done:
            words = f"{key[2]!r} was used again for {_told(ask.contents[-1])}, and answered as done"
            self.wrong(Violation("answered for another", words, at_ms, who))
            return
        if ask.is_other and verdict.code in NOT_WRITTEN:
            return
        if not verdict.done and verdict.code == REUSED:
            if len(ask.contents) < 2:
                words = f"{key[2]!r} was never sent with other content"
                self.wrong(Violation("refused as reused", words, at_ms, who))
            return
        if verdict.done and verdict.entry > durable:
            words = f"{key[2]!r} is entry {verdict.entry} of {key[0]}, and {durable} are on the disk"
            self.wrong(Violation("acknowledged before durable", words, at_ms, who))
        if ask.verdict is None:
            ask.verdict = verdict
        elif ask.verdict != verdict:
            self._otherwise(key, ask.verdict, verdict, who, at_ms)

    def _otherwise(self, key: Key, was: Verdict, now: Verdict, who: str, at_ms: int) -> None:
        if was.voucher and now.done and now.voucher is None and was.entry == now.entry:
            return  # another device at the same seat is not told the code
        kind = "another voucher than told" if was._replace(voucher=now.voucher) == now else "answered otherwise"
        self.wrong(Violation(kind, f"{key[2]!r} of {key[1]}: first {was}, then {now}", at_ms, who))

    # At the end.

    def judge(self, journal: dict[Key, WhatWasDone], heads: dict[str, int], rest_ms: int) -> None:
        """`rest_ms`: when everything was at rest; 0 if it never was."""
        for key, ask in self.asks.items():
            done = journal.get(key)
            if ask.verdict is not None:
                self._hold(key, ask, ask.verdict, done, heads)
            elif ask.waits and self._nameless[ask.who]:
                self._nameless[ask.who] -= 1
            elif ask.waits and ask.at_ms + PATIENCE_MS < rest_ms:
                words = f"{key[2]!r}, sent at {ask.at_ms} on a line that is open"
                self.wrong(Violation("never answered", words, ask.at_ms, ask.who))
        for key, done in journal.items():
            self._was_asked(key, done)

    def _hold(
        self, key: Key, ask: AskedOnce, verdict: Verdict, done: WhatWasDone | None, heads: dict[str, int]
    ) -> None:
        happened = [kind for kind in done.kinds if kind not in REFUSED] if done else []
        if not verdict.done:
            if done is None and verdict.code not in NOT_WRITTEN and key[1].startswith("terminal/"):
                words = f"{key[2]!r} was refused as {verdict.code} for good"
                self.wrong(Violation("refusal not written", words, ask.at_ms, ask.who))
            if happened:
                words = f"{key[2]!r} was refused as {verdict.code}, and {happened[0]} stands in the journal"
                self.wrong(Violation("refused and done", words, ask.at_ms, ask.who))
            return
        if done is None or verdict.entry > heads.get(key[0], 0):
            words = f"{key[2]!r} was acknowledged as entry {verdict.entry} of {key[0]}, and is not there"
            self.wrong(Violation("acknowledged and lost", words, ask.at_ms, ask.who))
        elif verdict.entry and verdict.entry != done.numbers[0]:
            words = f"{key[2]!r} was acknowledged as entry {verdict.entry}, and stands at {done.numbers[0]}"
            self.wrong(Violation("acknowledged another entry", words, ask.at_ms, ask.who))
        elif not happened:
            words = f"{key[2]!r} was acknowledged, and the journal has a refusal"
            self.wrong(Violation("acknowledged and lost", words, ask.at_ms, ask.who))

    def _was_asked(self, key: Key, done: WhatWasDone) -> None:
        stream, sender, request = key
        ask = self.asks.get(key)
        if ask is None:
            elsewhere = [other for other in self._streams(sender, request) if other != stream]
            kind = "done elsewhere" if elsewhere else "never asked"
            words = f"{request!r} of {sender} led to {done.kinds[0]}, entry {done.numbers[0]} of {stream}"
            self.wrong(Violation(kind, words, 0, sender))
            return
        numbers = [number for number, kind in zip(done.numbers, done.kinds, strict=True) if kind not in REFUSED]
        if done.commands > 1 or (len(numbers) > 1 and numbers[-1] - numbers[0] >= 2 * len(numbers) + 40):
            words = f"{request!r} stands at entries {numbers[:6]} of {stream}"
            self.wrong(Violation("done twice", words, ask.at_ms, ask.who))
        same = _same_at_the_desk if stream == OFFICE else _same
        if done.command is not None and not any(same(done.command, content) for content in ask.contents):
            words = f"{request!r}: sent {_told(ask.contents[0])}, done {done.command}"
            self.wrong(Violation("done otherwise than asked", words, ask.at_ms, ask.who))

    def _streams(self, sender: str, request: str) -> Iterator[str]:
        """Where the same sender has asked this; a terminal's name has its table in it."""
        return (key[0] for key in self.asks if key[2] == request and _seat_of(key[1]) == _seat_of(sender))


def _seat_of(sender: str) -> str:
    return sender.rpartition("-")[2] if sender.startswith("terminal/") else sender


def _told(content: bytes | Message) -> str:
    return content.decode(errors="replace") if isinstance(content, bytes) else str(content)


def _same(command: Any, content: bytes | Message) -> bool:
    """Whether the journal's copy is what was sent: it never keeps a voucher's code, and leaves out what is usual."""
    sent = msgspec.json.decode(content) if isinstance(content, bytes) else content
    return bool(_bare(command) == _bare(sent))


def _same_at_the_desk(command: Any, content: bytes | Message) -> bool:
    """There the journal has a shape of its own: what both name is the same."""
    assert isinstance(content, dict)
    return all(bool(command[name] == content[name]) for name in command.keys() & content.keys() - {"type", "code"})


def _bare(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    found = {name: _bare(one) for name, one in value.items() if name not in ("sign_in", "signature")}
    if "code" in found:
        found["code"] = "-"
    return {name: one for name, one in found.items() if one not in OMITTED and one != 0}
