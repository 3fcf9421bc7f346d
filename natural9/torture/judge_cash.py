"""Cash at the desks: what each cashier was told of every movement, held against the drawer's account at its count, and
the numbers of the receipts."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from natural9.torture.judge_requests import PAY, Key
from natural9.torture.seen import Message, Violation

DESK: Final = "desk/"
# What each kind of entry is called in the account of a shift, and whether it brings cash to the drawer.
MOVES: Final = {
    "drawer-opened": ("float_cents", 1),
    "drawer-filled": ("filled_cents", 1),
    "drawer-returned": ("returned_cents", -1),
    "credit-bought": ("taken_in_cents", 1),
    "hand-paid": ("hand_paid_cents", -1),
    "voucher-paid": ("vouchers_paid_cents", -1),
}
DRAWER_KINDS: Final = frozenset({"drawer-opened", "drawer-filled", "drawer-returned", "drawer-closed"})


class CashEntry(NamedTuple):
    """An entry that moved a desk's cash, or is about a drawer; in the order of the whole journal."""

    key: Key
    kind: str
    record: Mapping[str, Any]
    receipts: int  # movements of cash in it


class CashierTold(NamedTuple):
    """What a cashier was told of one request: how much moved, which receipt, and the account of the shift."""

    cents: int | None  # None: as the journal has it, for whoever asked for all of it
    receipt: int | None
    close_out: Mapping[str, int] | None
    who: str
    at_ms: int


class CashJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self._wrong = wrong
        self._told: dict[Key, CashierTold] = {}

    def answered(self, key: Key, sent: Message, body: Any, who: str, at_ms: int) -> None:
        """A request that was done."""
        asked = sent["body"]
        if not isinstance(body, dict) or not isinstance(asked, dict) or "receipt" not in body:
            return
        cents = body["cents"] if sent["path"] == PAY else (asked.get("command") or asked).get("cents")
        receipt = body["receipt"]["number"] if body["receipt"] else None
        told = CashierTold(cents, receipt, body.get("close_out"), who, at_ms)
        first = self._told.setdefault(key, told)
        if (first.receipt, first.close_out) != (told.receipt, told.close_out):
            words = f"{key[2]!r}: first receipt {first.receipt} and {first.close_out}, then {told.receipt}"
            self._wrong(Violation("receipt told wrong", words, at_ms, who))

    # At the end.

    def judge(self, entries: list[CashEntry]) -> None:
        lies, shifts, receipts = Counter[str](), dict[str, Counter[str]](), 0
        for entry in entries:
            told = self._told.get(entry.key)
            receipts += entry.receipts
            if told and told.receipt != (receipts if entry.receipts else None):
                words = f"{entry.key[2]!r} has receipt {told.receipt}, and is movement {receipts} of the venue"
                self._wrong(Violation("receipt told wrong", words, told.at_ms, told.who))
            desk = entry.record["desk"]
            if entry.kind == "drawer-closed":
                self._counted(entry, lies[desk], shifts.pop(desk, Counter()), told)
                lies[desk] = 0
                continue
            if entry.kind == "drawer-opened":
                shifts[desk] = Counter(carried_cents=lies[desk])
            name, sign = MOVES[entry.kind]
            cents = told.cents if told and told.cents is not None else entry.record["cents"]
            lies[desk] += sign * cents
            if desk in shifts:
                shifts[desk][name] += cents

    def _counted(self, entry: CashEntry, lies: int, shift: Counter[str], told: CashierTold | None) -> None:
        """What the cashier was told of the whole shift is what they were told of each movement of it."""
        r = entry.record
        names = ("carried_cents", *[name for name, _ in MOVES.values()])
        should = {name: shift[name] for name in names} | {"expected_cents": lies}
        counted = told.cents if told and told.cents is not None else r["counted_cents"]
        should |= {"counted_cents": counted}
        wrong = {name: (r[name], cents) for name, cents in should.items() if r[name] != cents}
        if told:
            should |= {"over_cents": counted - lies}
            close_out = told.close_out or {}
            wrong |= {
                name: (close_out.get(name), cents) for name, cents in should.items() if close_out.get(name) != cents
            }
        if wrong:
            words = f"{r['desk']} counts: {', '.join(f'{name} {a}, and it is {b}' for name, (a, b) in wrong.items())}"
            at_ms, who = (told.at_ms, told.who) if told else (0, "journal")
            self._wrong(Violation("drawer told wrong", words, at_ms, who))


def cash_entry(key: Key, kind: str, record: Mapping[str, Any], transfers: list[list[Any]]) -> CashEntry | None:
    """Of an entry that has to do with a desk."""
    receipts = sum(source.startswith(DESK) or target.startswith(DESK) for _, source, target, _ in transfers)
    if not receipts and kind not in DRAWER_KINDS:
        return None
    return CashEntry(key, kind, record, receipts)
