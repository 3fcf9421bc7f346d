"""The journal, read with nothing but JSON and SHA-256, as `store/chain.py` says, from wherever its rows are kept.

Every entry is chained by its hash to the one before it in its stream: SHA-256 of that hash, the length of the envelope
in eight bytes, the envelope and the body. The envelope is a JSON list: the format's number, then the columns of the
entry but its place over all streams, its body and hash, with the transfers themselves in place of their number, and
the documents, each with its hash, before the sum over all of them. What it says about money is read twice: from the
transfers, and from the events' own words.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

FORMAT = 2
MAY_BE_SHORT = ("house/", "desk/", "owed/")
# What an event does to the credit of its seat, by its own words.
TO_CREDIT = {
    "credit-bought": +1,
    "hand-paid": -1,
    "voucher-issued": -1,
    "voucher-inserted": +1,
    "bet-placed": -1,
    "bet-taken-back": +1,
    "bets-cleared": +1,
    "bets-returned": +1,
    "seat-settled": +1,
}
LAYS = frozenset({"bet-placed"})
TAKES_UP = frozenset({"bet-taken-back", "bets-cleared", "bets-returned", "seat-settled"})
AT_THE_DESK = frozenset({"voucher-paid"})
SPENDS = frozenset({"voucher-paid", "voucher-inserted"})

Row = dict[str, Any]
Wrong = Callable[[str, str], None]


class Shown(NamedTuple):
    """What a terminal is shown of itself."""

    credit_cents: int
    vouchers: int


@dataclass
class Done:
    """What became of one request: the entries that moved money for it, each as (number in its stream, kind, cents)."""

    moved: list[tuple[int, str, int]] = field(default_factory=list)
    commands: list[Any] = field(default_factory=list)  # as the journal keeps what was asked
    vouchers: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    @property
    def numbers(self) -> list[int]:
        return [number for number, _, _ in self.moved]


class Journal:
    """Is given every entry once, in order. `wrong` is told what does not hold."""

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong
        self.entries = self.transfers = 0
        self.last = bytes(32)  # the hash of the last entry of all
        self.heads: dict[str, tuple[int, bytes, int]] = {}  # by stream: how many entries, the last hash, transfers
        self.balances: Counter[str] = Counter()
        self.done: defaultdict[tuple[str, str], Done] = defaultdict(Done)
        self.new: set[tuple[str, str]] = set()  # requests that money moved for since this was last emptied
        self.seats: defaultdict[str, list[Shown]] = defaultdict(
            lambda: [Shown(0, 0)]
        )  # after each entry, from the last
        self.at_stake: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()  # of entries
        self.longest_away_ms = 0  # of a table, by its own word
        self._spent: set[str] = set()  # vouchers that were paid or put in

    def take(self, row: Row, transfers: list[Row]) -> None:
        """The next entry: its columns in the order of the envelope, its body as `raw`, and what it moves."""
        self._chained(row, transfers)
        self._move(row, transfers)
        line = json.loads(row["raw"])
        self.kinds[row["kind"]] += 1
        if row["kind"] == "round-interrupted":
            self.longest_away_ms = max(self.longest_away_ms, line["record"]["away_ms"])
        self._credit(row, line, transfers)
        if line.get("request") and transfers:
            self._asked(row, line, transfers)

    def _chained(self, row: Row, transfers: list[Row]) -> None:
        seq, raw, hashed = row["seq"], row.pop("raw"), row.pop("hash")
        if seq != self.entries + 1:
            self.wrong("an entry is missing", f"entry {seq} comes after entry {self.entries}")
        numbers = [one["number"] for one in transfers]
        entries, head, moved = self.heads.get(row["stream"], (0, bytes(32), 0))
        if row["number"] != entries + 1:
            self.wrong("an entry is missing", f"{row['stream']} {row['number']} comes after {entries}")
        firsts = (row["first_transfer"], row.pop("first_in_ledger"))
        if firsts != (moved + 1, self.transfers + 1) or numbers != list(
            range(self.transfers + 1, self.transfers + 1 + row["transfers"])
        ):
            self.wrong("transfers are missing", f"entry {seq}: {row['transfers']} transfers, found {numbers}")
        parts = [[one[name] for name in ("kind", "source", "target", "cents")] for one in transfers]
        row_documents = json.loads(row["documents"]) if row["documents"] else ["", []]
        instead = {"seq": [], "transfers": [parts], "documents": row_documents[::-1], "body": []}
        columns = [part for name, value in row.items() for part in instead.get(name, [value])]
        envelope = json.dumps([FORMAT, *columns], ensure_ascii=False, separators=(",", ":")).encode()
        if sha256(head + len(envelope).to_bytes(8, "big") + envelope + raw).digest() != hashed:
            self.wrong("the chain is broken", f"entry {seq} does not follow from the one before")
        self.entries, self.last, self.transfers = seq, hashed, self.transfers + len(transfers)
        self.heads[row["stream"]] = (row["number"], hashed, moved + len(transfers))
        row["raw"] = raw

    def _move(self, row: Row, transfers: list[Row]) -> None:
        for one in transfers:
            self.balances[one["source"]] -= one["cents"]
            self.balances[one["target"]] += one["cents"]
            if self.balances[one["source"]] < 0 and not one["source"].startswith(MAY_BE_SHORT):
                self.wrong("below zero", f"entry {row['seq']}: {one['source']} holds {self.balances[one['source']]}")

    def _credit(self, row: Row, line: Row, transfers: list[Row]) -> None:
        """What the event itself says about its seat's money."""
        kind, record = row["kind"], line["record"]
        if not transfers:
            return
        if kind in SPENDS:
            self._spend(row, record["number"])
        if kind not in TO_CREDIT:
            if kind not in AT_THE_DESK:
                self.wrong("money nobody expected", f"entry {row['seq']}: {kind} moves {transfers}")
            return
        seat = f"{row['stream'].removeprefix('table/')}-{record['seat']}"
        if kind == "seat-settled":
            self._settled(row["seq"], seat, record)
        cents = record["returned_cents"] if kind == "seat-settled" else record["cents"]
        if kind in LAYS:
            self.at_stake[seat] += cents
        elif kind in TAKES_UP:
            self.at_stake[seat] -= record["staked_cents"] if kind == "seat-settled" else cents
        before = self.seats[seat][-1]
        now = Shown(before.credit_cents + TO_CREDIT[kind] * cents, before.vouchers + (kind == "voucher-issued"))
        self.seats[seat].append(now)
        if now.credit_cents != self.balances[f"credit/{seat}"]:
            held = self.balances[f"credit/{seat}"]
            self.wrong("event and transfer disagree", f"entry {row['seq']}: {now.credit_cents} by events, {held} held")
        if now.credit_cents < 0 or self.at_stake[seat] < 0:
            self.wrong("below zero", f"entry {row['seq']}: {seat} has {now}, {self.at_stake[seat]} at stake")

    def _spend(self, row: Row, number: str) -> None:
        if number in self._spent:
            self.wrong("a voucher was paid twice", f"entry {row['seq']}: {row['kind']} {number}")
        self._spent.add(number)

    def _settled(self, seq: int, seat: str, record: Row) -> None:
        """Its lines are what lay on the table, and add up."""
        staked = sum(line["stake_cents"] for line in record["lines"])
        returned = sum(line["returned_cents"] for line in record["lines"])
        if staked and not self.at_stake[seat]:
            self.wrong("settled twice", f"entry {seq}: {seat} has nothing at stake, settled {record}")
        elif (staked, returned) != (record["staked_cents"], record["returned_cents"]) or staked != self.at_stake[seat]:
            self.wrong("settled wrong", f"entry {seq}: {seat} has {self.at_stake[seat]} at stake, settled {record}")

    def _asked(self, row: Row, line: Row, transfers: list[Row]) -> None:
        key = (sender_of(line), line["request"])
        done = self.done[key]
        done.moved.append((row["number"], row["kind"], sum(one["cents"] for one in transfers)))
        done.places.add(row["stream"].removeprefix("table/"))
        if "command" in line:
            done.commands.append(line["command"])
        if row["kind"].startswith("voucher-"):
            done.vouchers.append(line["record"]["number"])
        self.new.add(key)

    def agrees_with(self, balances: Mapping[str, int]) -> None:
        """The balances that are kept are those that the transfers make, and all of them sum to nothing."""
        kept = {account: cents for account, cents in balances.items() if cents}
        made = {account: cents for account, cents in self.balances.items() if cents}
        for account in kept.keys() ^ made.keys() | {one for one in kept.keys() & made.keys() if kept[one] != made[one]}:
            self.wrong(
                "a balance is wrong", f"{account}: {kept.get(account)} kept, {made.get(account)} by its transfers"
            )
        if sum(kept.values()):
            self.wrong("money came from nowhere", f"all balances sum to {sum(kept.values())}")
        for table in {one.removeprefix("stake/") for one in self.balances if one.startswith("stake/")}:
            lies = sum(cents for seat, cents in self.at_stake.items() if seat.rpartition("-")[0] == table)
            if lies != self.balances[f"stake/{table}"]:
                self.wrong(
                    "stakes are wrong", f"table {table}: {lies} by events, {self.balances[f'stake/{table}']} held"
                )


def sender_of(line: Row) -> str:
    """Who asked, as "terminal/a-1" or "staff/cass"."""
    if "from" in line:
        return f"{line['from']}/{line.get('by', '')}"
    by = str(line["by"])
    return by if by.startswith("terminal/") else f"staff/{by}"


def adjacent(numbers: Iterable[int]) -> bool:
    """Whether these come one after the other: what one request led to is written together."""
    found = list(numbers)
    return found == list(range(found[0], found[0] + len(found)))
