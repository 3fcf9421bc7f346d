"""The judge of a simulated floor. It sees what clients sent and were shown, and the journal as `natural9 export` writes
it, and nothing else; Table of Play, pay tables and ledger are the outside verifier's. `properties.py` lists all that it
judges.

The floor tells it of everything as it happens (`see`, `durable`, `crashed`), which costs next to nothing; `judge` at
the end goes through all of it once.
"""

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from natural9.torture.judge_bills import BillJudge
from natural9.torture.judge_cash import CashJudge
from natural9.torture.judge_journal import BROKEN, JournalJudge
from natural9.torture.judge_requests import OFFICE, PAY, Key, RequestJudge, Verdict
from natural9.torture.judge_rest import Quiet, RestJudge
from natural9.torture.judge_secrets import FIELDS, SecretJudge
from natural9.torture.judge_views import ViewJudge
from natural9.torture.judge_vouchers import VoucherJudge
from natural9.torture.properties import PROPERTIES
from natural9.torture.seen import Message, Sighting, Violation

MOST_OF_A_KIND: Final = 20
EVERYTHING: Final = 2**62
COMMANDS: Final = "/commands"
CARD, PLAYERS = "/api/card", "/api/players"


class LineSeen:
    """Who speaks on a line, and about which table."""

    __slots__ = ("seat", "sender", "stream", "table", "visits")

    def __init__(self, who: str) -> None:
        role, _, rest = who.partition(" ")
        place, _, visited = rest.partition(" at ")
        self.table, self.seat, self.visits = "", 0, visited
        if role in ("terminal", "device") and "/" in place:
            table, _, seat = place.partition(" ")[0].partition("/")
            self.table, self.seat = visited or table, int(seat)
        elif role in ("display", "console"):
            self.table = rest.rpartition(" ")[2]
        self.stream = f"table/{self.table}"
        self.sender = f"terminal/{self.table}-{self.seat}" if self.seat else f"staff/{rest.partition(' ')[0]}"


class Auditor:
    """`short_ms`: how long the venue calls an interruption brief; `squeezed`: tables whose cards players turn."""

    def __init__(self, *, short_ms: int | None = None, squeezed: Iterable[str] = ()) -> None:
        self.violations: list[Violation] = []
        self.counts: Counter[str] = Counter()
        self._told: Counter[str] = Counter()
        self._seen: list[Sighting] = []
        self._durable: dict[str, int] = {}
        self._knows_disk = False
        self._quiet: Quiet | None = None
        self._parsed: dict[bytes, Message] = {}
        self._journal = JournalJudge(self._wrong, short_ms, frozenset(squeezed))
        self._requests = RequestJudge(self._wrong)
        self._secrets = SecretJudge(self._wrong)
        self._vouchers, self._cash = VoucherJudge(self._wrong), CashJudge(self._wrong)
        self._bills = BillJudge(self._wrong)
        self._rest = RestJudge(self._wrong)
        self._views = ViewJudge(self._journal.replicas, self._wrong)
        self._lines: dict[str, LineSeen] = {}
        self._http: dict[tuple[str, Any], Message] = {}
        self._cards: dict[str, str] = {}  # of players: whose each is

    # While the floor plays.

    def see(self, at_ms: int, who: str, what: str, message: bytes | Message = b"") -> None:
        self._seen.append(Sighting(at_ms, who, what, message))

    def secret(self, words: str, text: str, may: Iterable[str] = ()) -> None:
        """Nobody but these is ever shown this text: a password, a cookie, a key."""
        self._secrets.secret(words, text, may)

    def durable(self, stream: str, number: int) -> None:
        """So many entries of a stream are on the disk from now on."""
        self._knows_disk = True
        self._seen.append(Sighting(number, stream, "durable", b""))

    def crashed(self, at_ms: int) -> None:
        self._seen.append(Sighting(at_ms, "", "crashed", b""))

    def may_halt(self, at_ms: int) -> None:
        """Its disk has failed, or it is told to end: until it is started anew."""
        self._seen.append(Sighting(at_ms, "", "may halt", b""))

    def rest(self, quiet: Quiet) -> None:
        """The faults have stopped, and everything has had its time."""
        self._quiet = quiet

    # At the end.

    def judge(self, export: Iterable[bytes]) -> list[Violation]:
        gc.disable()  # it makes many small values that all stay, and no circles: looking for some takes a third of it
        try:
            return self._judge(export)
        finally:
            gc.enable()

    def _judge(self, export: Iterable[bytes]) -> list[Violation]:
        journal = self._journal
        journal.read(export)
        self._vouchers.issued, self._vouchers.back = journal.issued, journal.back
        self._secrets.people = {one.encode() for one in journal.people | journal.players}
        for seen in self._seen:
            self.counts[seen.what] += 1
            try:
                _SEEN[seen.what](self, seen)
            except (LookupError, TypeError, ValueError, AttributeError) as error:  # it is no message of this protocol
                self._wrong(Violation("not understood", f"{error!r}: {seen.message!r:.300}", seen.at_ms, seen.who))
        quiet = self._quiet
        self._unless_broken(self._views.judge)
        self._unless_broken(self._requests.judge, journal.done, journal.heads, quiet.at_ms if quiet else 0)
        self._unless_broken(self._vouchers.judge)
        self._unless_broken(self._cash.judge, journal.cash)
        self._unless_broken(self._bills.judge, journal.bills)
        if quiet:
            self._unless_broken(self._rest.judge, quiet, journal.replicas, journal.money)
        return self.violations

    def _unless_broken(self, judge: Callable[..., None], *held_against: object) -> None:
        """A journal that makes no sense (a card beyond the Table of Play) is named, and what else is wrong as well."""
        try:
            judge(*held_against)
        except BROKEN as why:
            self._wrong(Violation("journal does not verify", f"nothing can be held against it: {why!r}", 0, "journal"))

    def _wrong(self, violation: Violation) -> None:
        assert violation.kind in PROPERTIES, violation.kind
        self._told[violation.kind] += 1
        if self._told[violation.kind] <= MOST_OF_A_KIND:
            self.violations.append(violation)

    def _on_disk(self, stream: str) -> int:
        return self._durable.get(stream, 0) if self._knows_disk else EVERYTHING

    def _line(self, who: str) -> LineSeen:
        line = self._lines.get(who)
        if line is None:
            line = self._lines[who] = LineSeen(who)
        if line.visits and line.sender.endswith(f"-{line.seat}") and line.seat < 10_000:
            home = who.partition(" ")[2].partition(" at ")[0].partition("/")
            replica = self._journal.replicas.get(line.table)
            line.seat = replica.visitors.get((home[0], int(home[2])), line.seat) if replica else line.seat
            line.sender = f"terminal/{line.table}-{line.seat}"
        return line

    # What was seen.

    def _was_durable(self, seen: Sighting) -> None:
        self._durable[seen.who] = seen.at_ms

    def _came(self, seen: Sighting) -> None:
        self._rest.unwelcome[seen.who] = seen.at_ms
        self._views.came(seen.who)

    def _cut(self, seen: Sighting) -> None:
        self._requests.cut(seen.who)
        self._rest.unwelcome.pop(seen.who, None)

    def _crashed(self, seen: Sighting) -> None:
        self._rest.halted.clear()
        self._views.crashed()

    def _may_halt(self, seen: Sighting) -> None:
        self._rest.may_halt_ms = seen.at_ms

    def _sent(self, seen: Sighting) -> None:
        message, line = seen.message, self._line(seen.who)
        if isinstance(message, bytes):
            self._requests.sent(line.stream, line.sender, message, seen.who, seen.at_ms)
            return
        self._http[seen.who, message["n"]] = message
        body, key = message["body"], self._key(message, seen.who)
        if message["path"] == CARD:
            body = {"type": "card-in", "request": body["request"], "player": self._cards.get(body["card"], "")}
        if key and isinstance(body, dict):
            self._requests.asked(key, body, seen.who, seen.at_ms)

    def _key(self, message: Message, who: str) -> Key | None:
        """Of a request over HTTP that is done once."""
        path, body = message["path"], message["body"]
        if not isinstance(body, dict) or not isinstance(body.get("request"), str):
            return None
        if path == CARD:
            line = self._line(who)
            return (line.stream, line.sender, body["request"])
        by = body["sign_in"]["id"] if body.get("sign_in") else who.partition(" ")[2]
        if path.startswith("/api/tables/") and path.endswith(COMMANDS):
            return (f"table/{path.split('/')[3]}", f"staff/{by}", body["request"])
        return (OFFICE, f"staff/{by}", body["request"])

    def _answered(self, seen: Sighting) -> None:
        answer = seen.message
        assert isinstance(answer, dict)
        sent = self._http.pop((seen.who, answer["n"]), None)
        if sent is None:
            return
        body, status = answer["body"], answer["status"]
        raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
        self._secrets.answer(raw, seen.who, seen.at_ms)
        if status == 200 and sent["method"] == "GET" and sent["path"].startswith("/api/tables/"):
            table, _, part = sent["path"].removeprefix("/api/tables/").partition("/")
            durable = self._on_disk(f"table/{table}")
            if part == "terminals":
                self._views.terminals(body, table, seen.who, seen.at_ms, durable)
            elif not part:
                self._views.glance(body, table, seen.who, seen.at_ms, durable)
        if sent["path"] == PLAYERS and status == 201:
            self._cards[body["card"]] = body["number"]
            self.secret(f"the card of player {body['number']}", body["card"], (seen.who,))
        if key := self._key(sent, seen.who):
            self._http_answer(key, sent, status, body, seen)

    def _http_answer(self, key: Key, sent: Message, status: int, body: Any, seen: Sighting) -> None:
        verdict: Verdict | None = None
        if 200 <= status < 300:
            verdict = Verdict(True, body.get("entry", 0) if isinstance(body, dict) else 0)
        elif status == 409:
            verdict = Verdict(False, code=body["code"])
        if sent["path"] == PAY and verdict:
            asked = sent["body"]
            if verdict.done:
                self._vouchers.paid(asked["number"], asked["code"], body["cents"], key[2], seen.who, seen.at_ms)
            else:
                self._vouchers.refused(asked["number"], asked["code"], verdict.code, seen.who, seen.at_ms)
        if verdict and verdict.done:
            self._cash.answered(key, sent, body, seen.who, seen.at_ms)
            if (command := sent["body"].get("command")) and command["type"] == "void-voucher":
                self._vouchers.voided(command["number"], seen.who, seen.at_ms)
        self._requests.answered(key, verdict, seen.who, seen.at_ms, self._on_disk(key[0]))

    def _inserted(self, seen: Sighting) -> None:
        assert isinstance(seen.message, bytes)
        self._bills.inserted(seen.message)

    def _device_told(self, seen: Sighting) -> None:
        """What is to become of what a bill acceptor holds."""
        assert isinstance(seen.message, bytes)
        table = seen.who.partition(" ")[2].partition("/")[0]
        id = self._bills.told(seen.message, seen.who, seen.at_ms, self._on_disk(f"table/{table}"))
        if ticket := self._bills.tickets.get(id):
            self._vouchers.paid(*ticket, 0, f"{seen.who} {id}", seen.who, seen.at_ms)

    def _shown(self, seen: Sighting) -> None:
        raw = seen.message
        assert isinstance(raw, bytes)
        message = self._parsed.get(raw)
        if message is None:
            message = self._parsed[raw] = msgspec.json.decode(raw)
        who, at_ms, kind = seen.who, seen.at_ms, message["type"]
        if kind not in FIELDS:
            self._wrong(Violation("not understood", f"a message {kind!r}", at_ms, who))
            return
        line = self._line(who)
        self._rest.unwelcome.pop(who, None)
        if voucher := message.get("voucher"):
            self._secrets.told_code(voucher["code"], who)
            self._vouchers.printed(voucher["number"], voucher["code"], voucher["cents"], who, at_ms)
        self._secrets.look(raw, message, who, at_ms)
        durable = self._on_disk(line.stream)
        if kind in ("welcome", "table"):
            self._rest.halted.pop(line.table, None)
            self._views.table(message, line.table, who, at_ms, durable)
        elif kind == "console":
            self._views.console(message, line.table, who, at_ms, durable)
        elif kind in ("floor", "lobby"):
            self._views.rows(message["tables"], who, at_ms)
        elif kind == "halted":
            self._rest.halts(line.table, who, at_ms)
        if kind in ("registered", "refused", "unknown"):
            self._answer(message, line, seen, durable)
        you = message.get("you")
        if you is not None and line.seat:
            if you["seat"] != line.seat:
                words = f"seat {you['seat']}, at seat {line.seat}"
                self._wrong(Violation("another seat's money shown", words, at_ms, who))
                return
            after = max(message["entries"], default=0) if kind == "registered" else 0
            self._views.seat(you, line.table, line.seat, who, at_ms, durable, after)

    def _answer(self, message: Message, line: LineSeen, seen: Sighting, durable: int) -> None:
        if message["type"] == "registered":
            slip = message.get("voucher")
            voucher = (slip["number"], slip["code"], slip["cents"]) if slip else None
            for request, entry in zip(message["requests"], message["entries"], strict=True):
                self._one_answer(line, request, Verdict(True, entry, "", voucher), seen, durable)
        elif message["type"] == "unknown":
            for request in message["requests"]:
                self._one_answer(line, request, None, seen, durable)
        elif not message["request"]:
            self._requests.not_understood(seen.who)
        else:
            verdict = None if message["again"] else Verdict(False, code=message["code"])
            self._one_answer(line, message["request"], verdict, seen, durable)

    def _one_answer(self, line: LineSeen, request: str, verdict: Verdict | None, seen: Sighting, durable: int) -> None:
        key = (line.stream, line.sender, request)
        if verdict and (ask := self._requests.asks.get(key)) and isinstance(ask.contents[0], bytes):
            sent = msgspec.json.decode(ask.contents[0]) if b"insert-voucher" in ask.contents[0] else {}
            if sent.get("type") == "insert-voucher":
                if verdict.done:
                    self._vouchers.paid(sent["number"], sent["code"], 0, f"{key[1]} {request}", seen.who, seen.at_ms)
                else:
                    self._vouchers.refused(sent["number"], sent["code"], verdict.code, seen.who, seen.at_ms)
        self._requests.answered(key, verdict, seen.who, seen.at_ms, durable)


_SEEN: Final[dict[str, Any]] = defaultdict(
    lambda: lambda auditor, seen: None,
    {
        "durable": Auditor._was_durable,
        "came": Auditor._came,
        "cut": Auditor._cut,
        "crashed": Auditor._crashed,
        "may halt": Auditor._may_halt,
        "sent": Auditor._sent,
        "answered": Auditor._answered,
        "shown": Auditor._shown,
        "inserted": Auditor._inserted,
        "told": Auditor._device_told,
    },
)
