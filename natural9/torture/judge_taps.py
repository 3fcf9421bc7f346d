"""What was done is what was asked: the events of a request, held against its command.

Several events of one request at a seat are looked at together, once another request comes or betting closes.
"""

from collections.abc import Callable
from typing import Any, Final

from natural9.torture.replica import Record, Replica

# Of commands that lead to one event: its kind, and the fields that both name.
ONE: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "bet": ("bet-placed", ("wager", "cents")),
    "insure": ("insurance-placed", ("hand", "cents")),
    "take-back": ("bet-taken-back", ("wager", "cents")),
    "cash-out": ("voucher-issued", ("cents",)),
    "insert-voucher": ("voucher-inserted", ("number",)),
    "credit-terminal": ("credit-bought", ("seat", "cents")),
    "hand-pay": ("hand-paid", ("seat", "cents")),
    "void-voucher": ("voucher-voided", ("number",)),
    "lock-terminal": ("terminal-locked", ("seat",)),
    "unlock-terminal": ("terminal-unlocked", ("seat",)),
    "deal": ("card-dealt", ("card",)),
    "report": ("irregularity-reported", ("kind", "cards", "wager")),
    "decide": ("irregularity-decided", ("report", "remedy")),
    "commit-nonce": ("nonce-committed", ("shoe", "commitment")),
    "reveal-nonce": ("nonce-revealed", ("shoe", "nonce")),
}
MANY: Final = frozenset({"bet", "take-back", "clear", "lay-bets", "double", "re-bet", "undo"})
CHANGES: Final = frozenset({"bet-placed", "bet-taken-back", "bets-cleared", "bets-not-doubled"})
Change = dict[str, int]  # by wager, more or less


class TapGroup:
    """What one request changed at a seat."""

    __slots__ = ("asked", "before", "changed", "request", "stays", "type")

    def __init__(self, request: str, type_: str, before: Change) -> None:
        self.request, self.type, self.before = request, type_, before
        self.changed: Change = {}
        self.stays: Change = {}
        self.asked: Record = {}


class TapJudge:
    """Of one table; `wrong(kind, words)` as the table's own judge has it."""

    def __init__(self, replica: Replica, wrong: Callable[[str, str], None]) -> None:
        self._replica, self._wrong = replica, wrong
        self._now: dict[int, TapGroup] = {}
        self._done: dict[int, list[Change]] = {}  # of this round, what can be undone

    def check(self, kind: str, r: Record, body: Record) -> None:
        """Before the entry is folded."""
        type_ = body.get("type", "")
        if (command := body.get("command")) is not None and kind != "request-refused":
            self._one(kind, r, command.get("command", command))
        if kind in ("betting-opened", "betting-closed", "round-voided"):
            for seat in list(self._now):
                self._finish(seat)
            self._done.clear()
        elif type_ in MANY and body["from"] == "terminal" and kind in CHANGES:
            self._many(kind, r, body, type_)
        elif kind == "request-refused" and r["code"] == "nothing-to-undo":
            self._not_undone(int(body["by"].rpartition("-")[2]), body["request"])

    def _one(self, kind: str, r: Record, command: Record) -> None:
        now = self._replica.now.round
        if command.get("type") in MANY | {"insure"} and command.get("round") != now:
            self._wrong("done otherwise than asked", f"{command} is about another round than {now}")
        leads_to = ONE.get(command.get("type", ""))
        if leads_to is None or kind in ("session-ended", "late-bet-refused"):
            return
        should, names = leads_to
        if kind != should:
            self._wrong("done otherwise than asked", f"{command} led to {kind}")
            return
        for name in names:
            asked = command.get(name, self._usual(name, kind, r))
            if asked not in (None, "", [], r[name]):
                self._wrong("done otherwise than asked", f"{command} led to {kind} with {name} {r[name]!r}")

    def _usual(self, name: str, kind: str, r: Record) -> Any:
        """What a command that does not say it means: all of it."""
        if name != "cents":
            return None
        at = self._replica.seat_at(r["seat"], len(self._replica.tables) - 1)
        return {
            "bet-taken-back": at.bets.get(r.get("wager", "")),
            "voucher-issued": at.credit,
            "hand-paid": at.credit,
        }.get(kind)

    def _many(self, kind: str, r: Record, body: Record, type_: str) -> None:
        seat, request = r["seat"], body["request"]
        group = self._now.get(seat)
        if group is None or group.request != request:
            self._finish(seat)
            before = self._replica.seat_at(seat, len(self._replica.tables) - 1).bets
            group = self._now[seat] = TapGroup(request, type_, before)
        if "command" in body:
            group.asked = body["command"]
        if kind == "bets-not-doubled":
            group.stays = r["stays"]
        elif kind == "bets-cleared":
            group.changed = {wager: -cents for wager, cents in group.before.items()}
        elif kind in ("bet-placed", "bet-taken-back"):
            cents = r["cents"] if kind == "bet-placed" else -r["cents"]
            group.changed[r["wager"]] = group.changed.get(r["wager"], 0) + cents

    def _not_undone(self, seat: int, request: str) -> None:
        self._finish(seat)
        if done := self._done.get(seat):
            words = f"seat {seat}, undo {request!r}: there is nothing to undo, and {done[-1]} was laid"
            self._wrong("refused without need", words)

    def _finish(self, seat: int) -> None:
        group = self._now.pop(seat, None)
        if group is None:
            return
        done, changed = self._done.setdefault(seat, []), {w: cents for w, cents in group.changed.items() if cents}
        should: Change | None = None
        if group.type == "undo":
            should = {wager: -cents for wager, cents in done.pop().items()} if done else {}
        elif changed:
            done.append(changed)
        if group.type == "re-bet":
            should = {} if group.before else self._replica.seat_at(seat, len(self._replica.tables) - 1).last_bets
        elif group.type == "lay-bets":
            should = group.asked.get("bets", changed)
        elif group.type == "double":
            should = {wager: cents for wager, cents in group.before.items() if wager not in group.stays}
        elif group.type == "clear":
            should = {wager: -cents for wager, cents in group.before.items()}
        if should is not None and changed != should:
            words = f"seat {seat}, {group.type} {group.request!r}: changed {changed}, and it should be {should}"
            self._wrong("done otherwise than asked", words)
