"""The journal as exported, read once: by the outside verifier, by our own judges, and into replicas of its tables."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any, Final

import msgspec

from natural9.torture.judge_bills import Credited
from natural9.torture.judge_cash import CashEntry, cash_entry
from natural9.torture.judge_mends import MendJudge
from natural9.torture.judge_play import PlayJudge
from natural9.torture.judge_requests import REFUSED, Key, WhatWasDone
from natural9.torture.outside import load_verifier
from natural9.torture.replica import Record, Replica
from natural9.torture.seen import Violation

verifier: Final = load_verifier()
GONE: Final = ("voucher-inserted", "voucher-paid", "voucher-voided")
SECRETS: Final = ("password", "pin", "sign_in", "signature", "token")
BROKEN: Final = (verifier.Wrong, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


class JournalJudge:
    def __init__(
        self, wrong: Callable[[Violation], None], short_ms: int | None, squeezed: frozenset[str] = frozenset()
    ) -> None:
        self.wrong, self._short_ms, self._squeezed = wrong, short_ms, squeezed
        self.replicas: dict[str, Replica] = {}
        self.done: dict[Key, WhatWasDone] = {}
        self.heads: dict[str, int] = {}
        self.money: dict[str, int] = {}
        self.people: set[str] = set()
        self.players: set[str] = set()
        self.issued: dict[str, int] = {}  # vouchers
        self.back: set[str] = set()
        self.bills: dict[str, list[Credited]] = {}  # what acceptors brought, by the device's id
        self.cash: list[CashEntry] = []  # of the desks, in the order of the whole journal
        self._plays: dict[str, PlayJudge] = {}
        self._mends: dict[str, MendJudge] = {}
        self._roles: defaultdict[str, set[str]] = defaultdict(set)
        self._keys: set[str] = set()
        self._times: dict[str, int] = {}
        self._cards_in: dict[str, str] = {}  # players' cards, and where

    def read(self, export: Iterable[bytes]) -> None:
        outside = verifier.Journal([], [], [])
        with closing(outside.rounds):  # a database of its own, of rounds that are over
            self._read(export, outside)
        for play in self._plays.values():
            play.end()
        for mend in self._mends.values():
            mend.end()

    def _read(self, export: Iterable[bytes], outside: Any) -> None:
        holds = True
        for number, line in enumerate(export, 1):
            item = msgspec.json.decode(line)
            if "body" in item:
                try:
                    self._entry(item, msgspec.json.decode(item["body"]))
                except BROKEN as why:
                    words = f"{item['stream']} {item['number']} {item['kind']} makes no sense: {why!r}"
                    self.wrong(Violation("journal does not verify", words, 0, "journal"))
            elif "end" in item:
                self.money = item["end"]["balances"]
            if holds:
                holds = self._verify(outside, number, item)
        if holds and not outside.ended:
            self.wrong(Violation("journal does not verify", "it stops without an end", 0, "journal"))

    def _verify(self, outside: Any, number: int, item: Record) -> bool:
        try:
            outside.line(item)
        except BROKEN as why:
            names = " ".join(str(item[name]) for name in ("stream", "number", "kind") if name in item)
            words = f"line {number} ({names}): {why if isinstance(why, verifier.Wrong) else repr(why)}"
            self.wrong(Violation("journal does not verify", words, 0, "journal"))
            return False
        return True

    def _entry(self, e: Record, body: Record) -> None:
        stream, kind, r = e["stream"], e["kind"], body["record"]
        number = self.heads[stream] = e["number"]
        if e["at_ms"] < self._times.get(stream, 0):
            self.wrong(Violation("time went back", f"{stream} {number}: {e['at_ms']}", 0, "journal"))
        self._times[stream] = e["at_ms"]
        if key := e["request"]:
            if key in self._keys:
                self.wrong(Violation("a key used twice", f"{stream} {number}: {key!r}", 0, "journal"))
            self._keys.add(key)
        if request := body.get("request"):
            self._asked(stream, number, kind, request, body)
        if body["from"] == "acceptor" and kind in ("credit-bought", "voucher-inserted"):
            credited = Credited(stream, number, kind, r["cents"], body.get("by", ""))
            self.bills.setdefault(body["request"], []).append(credited)
        if "desk" in r:
            key_ = (stream, f"{body['from']}/{body.get('by', '')}", request or "")
            if entry := cash_entry(key_, kind, r, e["transfers"]):
                self.cash.append(entry)
        if stream.startswith("table/"):
            table = stream[6:]
            if table not in self.replicas:
                replica = self.replicas[table] = Replica(table, is_squeezed=table in self._squeezed)
                self._mends[table] = MendJudge(replica, self.wrong)
                self._plays[table] = PlayJudge(replica, self.wrong, self._roles, self._short_ms)
            self._plays[table].check(kind, r, body)
            self._mends[table].check(kind, r, body, e["transfers"])
            self.replicas[table].take(kind, r, e["transfers"])
        if watch := _WATCHED.get(kind):
            watch(self, stream, number, r)

    def _asked(self, stream: str, number: int, kind: str, request: str, body: Record) -> None:
        sender = body["from"]
        if sender not in ("terminal", "staff"):
            return
        key = (stream, f"{sender}/{body.get('by', '')}", request)
        done = self.done.get(key)
        if done is None:
            done = self.done[key] = WhatWasDone()
        done.numbers.append(number)
        done.kinds.append(kind)
        if "command" in body:
            done.command = body["command"]
            if secret := _secret_in(body["command"]):
                words = f"{stream} {number} {kind}: {secret}"
                self.wrong(Violation("secret in the journal", words, 0, "journal"))
            done.commands += kind not in REFUSED  # an id that is used again for something else is refused besides

    # Of all streams.

    def _role(self, stream: str, number: int, r: Record) -> None:
        self.people.add(r["id"])
        self._roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")

    def _player(self, stream: str, number: int, r: Record) -> None:
        self.players.add(r["player"])

    def _issued(self, stream: str, number: int, r: Record) -> None:
        self.issued[r["number"]] = r["cents"]

    def _redeemed(self, stream: str, number: int, r: Record) -> None:
        self.back.add(r["number"])

    def _card_in(self, stream: str, number: int, r: Record) -> None:
        where = f"{stream} {r['seat']}"
        if r["player"] in self._cards_in:
            words = f"{stream} {number}: {r['player']} is in at {where} and at {self._cards_in[r['player']]}"
            self.wrong(Violation("a card in two places", words, 0, "journal"))
        self._cards_in[r["player"]] = where
        self.players.add(r["player"])

    def _card_out(self, stream: str, number: int, r: Record) -> None:
        self._cards_in.pop(r["player"], None)


def _secret_in(command: Any) -> str:
    """The name of a field that the journal must never keep; a voucher's code stands there as "-"."""
    if not isinstance(command, dict):
        return ""
    if command.get("code", "-") not in ("-", ""):
        return "code"
    found = next((name for name in SECRETS if command.get(name)), "")
    return found or _secret_in(command.get("command"))


_WATCHED: Final[dict[str, Any]] = {
    "staff-added": JournalJudge._role,
    "role-changed": JournalJudge._role,
    "administrator-claimed": JournalJudge._role,
    "player-added": JournalJudge._player,
    "voucher-issued": JournalJudge._issued,
    **dict.fromkeys(GONE, JournalJudge._redeemed),
    "player-carded-in": JournalJudge._card_in,
    "player-carded-out": JournalJudge._card_out,
}
