"""Nobody is shown what they must not see: each message has the fields that its reader may know, and no secret in it.

What a message may have is listed here: a field that is new to the protocol is named until somebody has thought about
who may see it. The public are terminals, displays and the lobby; staff sees the console and the pit's list besides.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from natural9.torture.seen import Violation

TABLE: Final = frozenset(
    [
        "table",
        "title",
        "game",
        "status",
        "why",
        "faults",
        "phase",
        "in_play",
        "takes_bets",
        "round",
        "shoe",
        "cards",
        "squeeze",
        "player_total",
        "banker_total",
        "naturals",
        "due",
        "draws",
        "closes_at_ms",
        "window",
        "window_open",
        "waived",
        "interrupted_ms",
        "offers",
        "result",
        "voided",
        "waiting",
        "laid",
        "boxes",
        "results",
        "tallies",
        "betting_unit_cents",
        "limits",
        "seat_min_cents",
        "seat_max_cents",
        "table_max_cents",
    ]
)
YOU: Final = frozenset(
    [
        "seat",
        "credit_cents",
        "round",
        "bets",
        "insurance",
        "staked_cents",
        "may_insure",
        "net",
        "lines",
        "insurance_lines",
        "returned_cents",
        "can_undo",
        "last_bets",
        "locked",
        "owed_cents",
        "vouchers",
        "card",
        "session",
        "nonce",
        "to_reveal",
        "calls",
        "call_taken",
    ]
)
FIELDS: Final = {
    "welcome": frozenset(
        [
            "type",
            "version",
            "epoch",
            "n",
            "now_ms",
            "venue",
            "currency",
            "table",
            "outstanding",
            "lobby",
            "you",
            "console",
        ]
    ),
    "table": frozenset(["type", "n", "now_ms", "happened", "table"]),
    "console": frozenset(["type", "n", "console"]),
    "seat": frozenset(["type", "you"]),
    "registered": frozenset(["type", "requests", "entries", "you", "voucher", "note"]),
    "refused": frozenset(["type", "code", "message", "said", "request", "paragraph", "again", "you"]),
    "unknown": frozenset(["type", "requests", "why"]),
    "pong": frozenset(["type", "sent", "now_ms", "time_ms"]),
    "halted": frozenset(["type", "why"]),
    "floor": frozenset(["type", "n", "now_ms", "tables"]),
    "lobby": frozenset(["type", "now_ms", "tables"]),
}
LOBBY_ROW: Final = frozenset(
    [
        "table",
        "title",
        "game",
        "takes_visitors",
        "status",
        "phase",
        "takes_bets",
        "closes_at_ms",
        "round",
        "winner",
        "results",
        "least_cents",
        "most_cents",
        "is_out_of_service",
    ]
)
PARTS: Final = {  # of a table, one level down
    "shoe": frozenset(
        ["number", "cards_left", "cut_card", "commitment", "next_commitment", "burnt", "next_burnt", "mix"]
    ),
    "squeeze": frozenset(["opened", "ends_at_ms"]),
    "result": frozenset(
        ["round", "winner", "player_total", "banker_total", "natural", "player_pair", "banker_pair", "won", "rows"]
    ),
    "voided": frozenset(["kind", "why", "clause", "paragraph"]),
    "cards": frozenset(["card", "hand", "total"]),
    "waiting": frozenset(["report", "kind", "rank", "remedies", "may_replace_shoe"]),
    "offers": frozenset(["hand", "odds", "wins_if", "paragraph", "net_cents"]),
}
CARD: Final = re.compile(rb"\b([2-9TJQKA][CDHS])\b")
RUN: Final = re.compile(rb"(?:[2-9TJQKA][CDHS][ ,]+){3}[2-9TJQKA][CDHS]")
STAFF: Final = ("console", "floor", "staff")
OFTEN: Final = ("table", "seat", "registered", "console")
SCANNED: Final = 16  # of those, one in so many is searched letter by letter; all others are, and these value by value


class SecretJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self.wrong = wrong
        self._secrets: dict[bytes, tuple[str, frozenset[str]]] = {}  # text: what it is, who may
        self._codes: dict[bytes, str] = {}  # of vouchers, and who was told
        self.people: set[bytes] = set()  # ids of staff, and players' numbers: as whole values
        self._checked = (set[bytes](), set[bytes]())  # messages of tables, looked at once: for the public, for staff
        self._often = 0

    def secret(self, words: str, text: str, may: Iterable[str] = ()) -> None:
        self._secrets[text.encode()] = (words, frozenset(may))

    def told_code(self, code: str, who: str) -> None:
        """A voucher's code, to the terminal that printed it: nobody else is ever told."""
        self._codes.setdefault(code.encode(), who.partition(" at ")[0])

    # A message over a WebSocket.

    def look(self, raw: bytes, message: dict[str, Any], who: str, at_ms: int) -> None:
        kind = message["type"]
        is_staff = who.startswith(STAFF)
        if kind == "table":
            checked = self._checked[is_staff]
            if raw in checked:
                return
            checked.add(raw)
        self._fields(message, who, at_ms, is_staff)
        if not is_staff:
            self._values(raw, who, at_ms)
            self._cards(raw, message.get("table"), who, at_ms)
        self._often += kind in OFTEN
        if kind not in OFTEN or self._often % SCANNED == 0:
            self._texts(raw, who, at_ms)

    def answer(self, raw: bytes, who: str, at_ms: int) -> None:
        """Over HTTP."""
        self._texts(raw, who, at_ms)

    def _fields(self, message: dict[str, Any], who: str, at_ms: int, is_staff: bool) -> None:
        kind = message["type"]
        self._known(message, FIELDS.get(kind, frozenset()), kind, who, at_ms)
        you, console, view = message.get("you"), message.get("console"), message.get("table")
        if you is not None:
            self._known(you, YOU, "you", who, at_ms)
            if not who.startswith("terminal"):
                self._wrong("another seat's money shown", f"the view of seat {you['seat']}", who, at_ms)
        if console is not None and not is_staff:
            self._wrong("unknown field shown", "a console's view", who, at_ms)
        if view is not None:
            self._known(view, TABLE, "table", who, at_ms)
            for name, may in PARTS.items():
                part = view.get(name)
                for one in part if isinstance(part, list) else [part] if part else ():
                    self._known(one, may, name, who, at_ms)
        for row in message.get("tables", ()):
            if kind == "lobby":
                self._known(row, LOBBY_ROW, "a table in the lobby", who, at_ms)
        if kind == "floor" and not is_staff:
            self._wrong("unknown field shown", "the pit's list", who, at_ms)

    def _known(self, part: dict[str, Any], may: frozenset[str], name: str, who: str, at_ms: int) -> None:
        if not part.keys() <= may:
            more = ", ".join(sorted(part.keys() - may))
            kind = "another seat's money shown" if "credit" in more else "unknown field shown"
            self._wrong(kind, f"{more} in {name}", who, at_ms)

    def _values(self, raw: bytes, who: str, at_ms: int) -> None:
        """Whole values that no player may see."""
        values = set(raw.split(b'"'))
        if not self.people.isdisjoint(values):
            mine = {one for one in self.people & values if not self._is_mine(one, raw)}
            for one in mine:
                self._wrong("person shown to players", repr(one.decode()), who, at_ms)
        for text in values & self._secrets.keys():
            self._told(text, who, at_ms)
        for code in values & self._codes.keys():
            self._told_code(code, who, at_ms)

    @staticmethod
    def _is_mine(person: bytes, raw: bytes) -> bool:
        """A player's own number, in the view of the seat where the card is in."""
        return b'"card":{"number":"' + person + b'"' in raw

    def _texts(self, raw: bytes, who: str, at_ms: int) -> None:
        """Anywhere in a message."""
        for text in self._secrets:
            if text in raw:
                self._told(text, who, at_ms)
        for code in self._codes:
            if code in raw:
                self._told_code(code, who, at_ms)
        if RUN.search(raw) and not who.startswith("staff"):
            self._wrong("order shown", str(RUN.search(raw)), who, at_ms)

    def _told(self, text: bytes, who: str, at_ms: int) -> None:
        words, may = self._secrets[text]
        if who not in may:
            self._wrong("secret shown", words, who, at_ms)

    def _told_code(self, code: bytes, who: str, at_ms: int) -> None:
        if who.partition(" at ")[0] != self._codes[code]:
            self._wrong("voucher code shown", f"printed for {self._codes[code]}", who, at_ms)

    def _cards(self, raw: bytes, view: dict[str, Any] | None, who: str, at_ms: int) -> None:
        """Every card in a public message is one of those that lie, or was burnt face up: as the journal says."""
        found = set(CARD.findall(raw))
        if not found:
            return
        shown = set[bytes]()
        if view:
            burnt = [view["shoe"][name] or {} for name in ("burnt", "next_burnt")]
            shown = {one["card"].encode() for one in (*view["cards"], *burnt) if one}
        if not found <= shown:
            more = b" ".join(sorted(found - shown)).decode()
            self._wrong("undealt card shown", f"{more} beside the cards that lie", who, at_ms)

    def _wrong(self, kind: str, words: str, who: str, at_ms: int) -> None:
        self.wrong(Violation(kind, words, at_ms, who))
