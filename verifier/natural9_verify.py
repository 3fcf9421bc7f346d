#!/usr/bin/env python3
"""Checks an exported natural9 journal, and trusts nothing in it.

Python 3.11 or later, standard library only (`cryptography` checks signatures where it is installed: quicker). Written
from docs/journal.md and the approved rules, not from the program that wrote the journal: Table of Play, pay tables,
ledger and tree are its own, so that no mistake hides in both. "Reading 8" is one of our readings of the rules.

    natural9 export VENUE | python3 natural9_verify.py
    python3 natural9_verify.py journal.jsonl.gz --key KEPT-KEY --checkpoint kept-note.txt --receipt receipt.json

Exit 0: all is as it must be; a line of counts says what was checked. Exit 1: the first line that is wrong, what it says
and what it should say. Exit 2: this is no journal, key or receipt. It looks at chains, times, tree, checkpoints, keys,
cosignatures, receipts; every transfer, balance, meter, voucher and the documents' sums; shoes, cards, every settlement,
insurance, void, correction and ruling, and the rank of who decided. It does not look at labels, requests and commands,
the phase in which something was asked, limits, faults, players' sessions, drawers beyond their money, what the house
lets whom do beyond the rules, words for people, or roads. Of an export of one stream it checks the chain.
"""

import argparse
import base64
import gzip
import hashlib
import json
import pickle
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:  # then `slow_ed25519` does the same
    Ed25519PublicKey = None  # type: ignore[assignment,misc]

sha256 = hashlib.sha256
Record = dict[str, Any]
Moves = list[list[Any]]


class Wrong(Exception):
    """The journal, or a receipt, says what cannot be so."""


class BadInput(Exception):
    """What was handed over cannot be read as what it should be."""


def must(holds: object, sentence: str) -> None:
    if not holds:
        raise Wrong(sentence)


def same(what: str, said: object, should: object) -> None:
    if said != should:
        raise Wrong(f"{what}: it says {said!r}, it should say {should!r}")


def says(r: Record, **should: object) -> None:
    """These fields of a record say what they should."""
    for name, value in should.items():
        same(name, r.get(name), value)


# --- Signatures: Ed25519 (RFC 8032), signed notes and cosignatures (C2SP) ---

Q, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, Q) % Q


def _times(k: int, p: tuple[int, int]) -> tuple[int, int]:
    total = (0, 1)
    while k:
        total, p, k = _add(total, p) if k & 1 else total, _add(p, p), k >> 1
    return total


def _add(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    t = CURVE_D * p[0] * q[0] * p[1] * q[1]
    x, y = p[0] * q[1] + q[0] * p[1], p[1] * q[1] + p[0] * q[0]
    return x * pow(1 + t, -1, Q) % Q, y * pow(1 - t, -1, Q) % Q


def _point(data: bytes) -> tuple[int, int]:
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    x = x if (x * x - square) % Q == 0 else x * pow(2, (Q - 1) // 4, Q) % Q
    if (x * x - square) % Q or y >= Q or (x == 0 and sign):
        raise ValueError("no point of the curve")
    return (x if x & 1 == sign else Q - x), y


def slow_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """S·B = R + k·A, in some milliseconds."""
    try:
        a, r, s = _point(public), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    except ValueError:
        return False
    base = _point((4 * pow(5, -1, Q) % Q).to_bytes(32, "little"))
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    return len(signature) == 64 and s < ORDER and _times(s, base) == _add(r, _times(k, a))


def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    if Ed25519PublicKey is None:
        return slow_ed25519(public, message, signature)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class VKey(NamedTuple):
    """NAME+ID+BASE64(algorithm, public key). Algorithm 1 signs notes, 4 cosigns them."""

    name: str
    id: bytes
    algorithm: int
    public: bytes


def parse_vkey(text: str) -> VKey:
    try:
        name, key_id, data = text.strip().split("+", 2)
        raw = base64.b64decode(data, validate=True)
        right = bytes.fromhex(key_id) == sha256(name.encode() + b"\n" + raw).digest()[:4]
        if not right or len(raw) != 33 or raw[0] not in (1, 4):
            raise ValueError
    except ValueError:
        raise BadInput(f"{text.strip()!r} is no key (NAME+ID+BASE64)") from None
    return VKey(name, bytes.fromhex(key_id), raw[0], raw[1:])


class Note(NamedTuple):
    """A checkpoint: a piece of paper that anybody can keep."""

    text: str  # what is signed
    origin: str
    size: int
    root: bytes
    signatures: list[tuple[str, bytes]]

    def signed_by(self, key: VKey) -> bool:
        """Whether it is; a line under this key that does not hold makes the whole note bad."""
        found = False
        for name, blob in self.signatures:
            if name == key.name and blob[:4] == key.id:
                head, signature = "", blob[4:]
                if key.algorithm == 4:  # the time is part of what a witness signs
                    head, signature = f"cosignature/v1\ntime {int.from_bytes(blob[4:12], 'big')}\n", blob[12:]
                found = ed25519(key.public, (head + self.text).encode(), signature)
                must(found, f"the signature of {name} under checkpoint {self.size} does not hold")
        return found


def parse_note(text: str) -> Note:
    try:
        body, _, tail = text.rpartition("\n\n")
        origin, size, root, *_ = body.split("\n")
        lines = [line.split(" ") for line in tail.splitlines()]
        signatures = [(name, base64.b64decode(blob, validate=True)) for dash, name, blob in lines if dash == "—"]
        note = Note(body + "\n", origin, int(size), base64.b64decode(root, validate=True), signatures)
        if str(note.size) != size or len(note.root) != 32 or not 0 < len(signatures) == len(lines):
            raise ValueError
    except ValueError:
        raise BadInput("this is no checkpoint (origin, size, root, an empty line, signatures)") from None
    return note


# --- The tree (RFC 6962) ---


class Tree:
    """The roots of the complete subtrees so far, largest first: all that it needs, however long the journal is."""

    def __init__(self) -> None:
        self.size, self.peaks = 0, list[bytes]()

    def append(self, data: bytes) -> None:
        node, size = sha256(b"\0" + data).digest(), self.size
        while size & 1:  # a complete subtree of the same height stands on the left: the two become one
            node, size = sha256(b"\1" + self.peaks.pop() + node).digest(), size >> 1
        self.peaks.append(node)
        self.size += 1

    def root(self) -> bytes:
        root = self.peaks[-1] if self.peaks else sha256(b"").digest()
        for peak in reversed(self.peaks[:-1]):
            root = sha256(b"\1" + peak + root).digest()
        return root


def root_by_proof(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    must(0 <= index < size, f"the proof names leaf {index} of a tree of {size}")
    node, last = sha256(b"\0" + leaf).digest(), size - 1
    for sibling in path:
        must(last > 0, "the proof is too long")
        if index & 1 or index == last:
            node = sha256(b"\1" + sibling + node).digest()
            while index & 1 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha256(b"\1" + node + sibling).digest()
        index, last = index >> 1, last >> 1
    must(last == 0, "the proof is too short")
    return node


# --- Cards and the Table of Play (rws-nc 3.8-3.11, mbs 3.3-3.9, insurance 3.4-3.8, super-six-plus 3.4-3.9) ---

POINTS = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 0, "J": 0, "Q": 0, "K": 0}
DECK = frozenset(rank + suit for rank in POINTS for suit in "CDHS")
# Banker's two-card total: on which third card of the Player's it draws. (0 to 2 always do, 7 never.)
BANKER_DRAWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}


@lru_cache(maxsize=1 << 16)
def next_hand(ranks: str) -> str | None:
    """Whose card comes next, when these have been dealt; None once the round is complete."""
    if len(ranks) < 4:
        return "banker" if len(ranks) % 2 else "player"
    points = [POINTS[rank] for rank in ranks]
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    if player >= 8 or banker >= 8:
        return None  # a Natural
    if player >= 6:  # the Player stands
        return "banker" if banker <= 5 and len(ranks) == 4 else None
    if len(ranks) == 4:
        return "player"
    draws = len(ranks) == 5 and (banker <= 2 or points[4] in BANKER_DRAWS.get(banker, ()))
    return "banker" if draws else None


class Outcome(NamedTuple):
    winner: str  # player, banker, tie
    player: int  # points
    banker: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    twin: bool  # both paired, with one rank
    natural: bool


@lru_cache(maxsize=1 << 16)
def outcome(ranks: str) -> Outcome:
    """The result of a complete round, its cards in the order dealt."""
    hands = {"player": "", "banker": ""}
    for dealt, rank in enumerate(ranks):
        hands[str(next_hand(ranks[:dealt]))] += rank
    must(next_hand(ranks) is None, f"the cards {ranks} are no complete round by the Table of Play")
    p, b = hands["player"], hands["banker"]
    player, banker = (sum(POINTS[rank] for rank in hand) % 10 for hand in (p, b))
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    pairs = p[0] == p[1], b[0] == b[1]  # two cards of one rank (reading 1)
    natural = len(ranks) == 4 and max(player, banker) >= 8
    return Outcome(winner, player, banker, len(b), *pairs, all(pairs) and p[0] == b[0], natural)


# --- Pay tables: a wager's rows. The first that holds decides; where none does, it loses. "push" returns the stake ---

Row = tuple[Callable[[Outcome], bool], str]


def _wins(hand: str) -> Callable[[Outcome], bool]:
    return lambda o: o.winner == hand


def _six(*cards: int) -> Callable[[Outcome], bool]:
    return lambda o: o.winner == "banker" and o.banker == 6 and o.banker_cards in cards


def _dragon(hand: str) -> list[Row]:
    """mbs 4.5 and 4.6, by reading 3: a Natural pays 1 to 1 whatever the margin, and a Natural tie is returned."""

    def by(margin: int) -> Callable[[Outcome], bool]:
        return lambda o: o.winner == hand and not o.natural and abs(o.player - o.banker) == margin

    natural: list[Row] = [(lambda o: o.natural and o.winner == hand, "1:1"), (lambda o: o.natural and TIED(o), "push")]
    margins = {9: "30:1", 8: "10:1", 7: "6:1", 6: "4:1", 5: "2:1", 4: "1:1"}
    return [*natural, *((by(margin), odds) for margin, odds in margins.items())]


# fmt: off
TIED = _wins("tie")
PLAYER: list[Row] = [(_wins("player"), "1:1"), (TIED, "push")]
BANKER: list[Row] = [(_six(2, 3), "1:2"), (_wins("banker"), "1:1"), (TIED, "push")]
TIE: list[Row] = [(TIED, "8:1")]
SIX_BY_CARDS: list[Row] = [(_six(2), "12:1"), (_six(3), "20:1")]
SUPER_SIX: list[Row] = [(_six(2, 3), "15:1")]
NO_COMMISSION: dict[str, list[Row]] = {
    "player": PLAYER, "banker": BANKER, "tie": TIE,
    "player-pair": [(lambda o: o.player_pair, "11:1")], "banker-pair": [(lambda o: o.banker_pair, "11:1")],
}
DRAGONS = {"player-dragon-bonus": _dragon("player"), "banker-dragon-bonus": _dragon("banker")}
TIGERS: dict[str, list[Row]] = {
    "tiger": SIX_BY_CARDS, "small-tiger": [(_six(2), "22:1")], "big-tiger": [(_six(3), "50:1")],
    "tiger-tie": [(lambda o: TIED(o) and o.player == 6, "35:1")],
    "tiger-pair": [(lambda o: o.twin, "100:1"), (lambda o: o.player_pair and o.banker_pair, "20:1"),
                   (lambda o: o.player_pair or o.banker_pair, "4:1")],  # its best class only (reading 2)
}
GAMES: dict[str, dict[str, list[Row]]] = {
    "rws-nc": NO_COMMISSION,  # rws-nc 4.1
    "rws-nc-insurance": NO_COMMISSION,  # rws-nc-insurance 4.1.1
    "rws-nc-super-six-plus": {**NO_COMMISSION, "super-six-plus": SIX_BY_CARDS},  # rws-nc-super-six-plus 4.1.1
    "mbs-super-six-nc": {**NO_COMMISSION, "super-six": SUPER_SIX},  # mbs 4.1
    "mbs-fortune-six-nc": {**NO_COMMISSION, "fortune-six": SIX_BY_CARDS, **DRAGONS},  # mbs 4.2, 4.5, 4.6
    "mbs-super-6-nc": {**NO_COMMISSION, "super-6": SUPER_SIX, **DRAGONS},  # mbs 4.3, 4.5, 4.6
    "mbs-nc": NO_COMMISSION,  # mbs 4.4
    # mbs 4.7 to 4.10; Tiger Baccarat takes a commission of 5% where the others halve a win on 6
    "mbs-tiger": {"player": PLAYER, "banker": [(_wins("banker"), "0.95:1"), (TIED, "push")], "tie": TIE, **TIGERS},
    "mbs-tiger-nc": {"player": PLAYER, "banker": BANKER, "tie": TIE, **TIGERS},
}
OPTIONAL = {*DRAGONS, *TIGERS}  # "may be available" (reading 14)
# The insurance pay table, rws-nc-insurance 4.1.2. Window and insured hand: Player's points, Banker's points, odds.
INSURANCE: dict[tuple[str, str], list[tuple[Sequence[int], Sequence[int], str]]] = {
    ("four-cards", "banker"): [(range(5), (5,), "2:1"), (range(6), (6,), "3:1"), (range(6), (7,), "4:1")],
    ("four-cards", "player"): [((5,), (4,), "2:1"), ((6,), range(6), "3:1"), ((7,), range(6), "4:1")],
    ("third-card", "banker"): [((1,), (1,), "6:1"), ((1,), range(2, 7), "7:1"), ((2,), range(3, 7), "4:1"),
                               ((3,), (4,), "1.5:1")],
    ("third-card", "player"): [((5,), range(5), "2:1"), ((6,), range(6), "3:1"), ((7,), range(7), "4:1"),
                               ((8,), range(7), "7:1"), ((9,), range(7), "8:1")],
}
# fmt: on


@lru_cache(maxsize=1 << 10)
def ratio(odds: str) -> Fraction:
    to, per = odds.split(":")
    return Fraction(to) / Fraction(per)


@lru_cache(maxsize=1 << 16)
def pays(game: str, wager: str, result: Outcome) -> tuple[str, str | None, int, int]:
    """win, lose or push; the odds as printed; and the part of the stake that is returned, as a ratio."""
    for holds, odds in GAMES[game][wager]:
        if holds(result):
            return ("push", odds, 1, 1) if odds == "push" else ("win", odds, *(1 + ratio(odds)).as_integer_ratio())
    return "lose", None, 0, 1


@lru_cache(maxsize=1 << 14)
def insurance_odds(window: str, hand: str, ranks: str) -> str | None:
    """At which odds a hand can be insured with these cards on the table; only while a draw is to come (reading 5)."""
    cards = 4 if window == "four-cards" else 5
    if len(ranks) < cards or next_hand(ranks[:cards]) is None:
        return None
    points = [POINTS[rank] for rank in ranks[:cards]]  # a fifth is the Player's: after a Banker's none is to come
    player, banker = (points[0] + points[2] + sum(points[4:])) % 10, (points[1] + points[3]) % 10
    return next((odds for p, b, odds in INSURANCE[window, hand] if player in p and banker in b), None)


def insurance_pays(window: str, hand: str, ranks: str) -> tuple[str, str | None, int, int]:
    """As `pays`. It wins when the insured hand loses and goes back on a tie, but for the starred row (reading 4)."""
    winner, odds = outcome(ranks).winner, str(insurance_odds(window, hand, ranks))
    if winner == "tie" and odds != "8:1":
        return "push", "push", 1, 1
    wins = winner == "tie" if odds == "8:1" else winner != hand
    return ("win", odds, *(1 + ratio(odds)).as_integer_ratio()) if wins else ("lose", None, 0, 1)


@lru_cache(maxsize=1 << 12)
def established(game: str, offered: tuple[str, ...], ranks: str) -> bool:
    """Whether some wager on offer is won, or lost, in every way the round can still end (reading 8)."""
    results: dict[str, set[str]] = {wager: set() for wager in offered}

    def play(so_far: str) -> None:
        for rank in POINTS if next_hand(so_far) and any(len(found) < 2 for found in results.values()) else ():
            play(so_far + rank)
        for wager in offered if next_hand(so_far) is None else ():
            results[wager].add(pays(game, wager, outcome(so_far))[0])

    play(ranks)
    return any(found in ({"win"}, {"lose"}) for found in results.values())


# --- What each document lets be done about an irregularity (docs/journal.md, Clauses): rank that decides, remedies. ---
# /d a card is due, /n none is; /e an outcome is established, /u not; /p the round is in play. The rest is not-covered.

# fmt: off
RANKS = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
_VOID, _MEND, _GO_ON = "pit-supervisor void", "pit-supervisor reconstruct void", "dealer continue"
_WRONG_CARDS = dict.fromkeys(("foreign-card", "shortage-or-excess", "insufficient-cards", "unshuffled-cards"), _VOID)
_BETS = {
    "late-bet": "dealer refuse-bet", "withdrawn-bet": "dealer bet-stands",
    "not-covered": "shift-manager continue reconstruct settle-by-cards no-effect discard void/p",
}
CLAUSES: dict[str, dict[str, str]] = {
    "mbs": {
        **_BETS, **_WRONG_CARDS, "wrong-number-of-cards": _MEND, "order-altered": _MEND,
        "wrong-area": "dealer reconstruct", "wrong-result": "pit-supervisor settle-by-cards",
        "excess-or-exposed": "pit-supervisor reconstruct void/d discard/n",
        "drawn-together-order-known": "dealer reconstruct", "terminal-interruption": _GO_ON, "face-up-in-shoe": _GO_ON,
        "drawn-together-order-unknown": "pit-supervisor void/d discard/n",
        "table-interruption": "pit-supervisor void/u continue/e",
    },
    "rws-nc": {
        **_BETS, **_WRONG_CARDS, "wrong-number-of-cards": _MEND, "wrong-area": "dealer reconstruct",
        "wrong-result": "pit-supervisor settle-by-cards",
        "excess-or-exposed": "pit-supervisor reconstruct/d void/d use-in-next-round/n discard/n",
        "drawn-together-order-known": "pit-supervisor reconstruct discard/n", "terminal-interruption": _GO_ON,
        "drawn-together-order-unknown": "pit-supervisor decide-order discard/n",
        "face-up-in-shoe": "pit-supervisor continue", "table-interruption": "pit-supervisor continue/e void/u",
        "found-later": "pit-supervisor no-effect",
    },
    "rws-nc-insurance": {**_BETS, "foreign-card": _VOID, "insufficient-cards": _VOID, "wrong-number-of-cards": _MEND},
    "rws-nc-super-six-plus": {**_BETS, "foreign-card": _VOID, "insufficient-cards": _VOID, "shortage-or-excess": _VOID,
                              "wrong-number-of-cards": _MEND},
}
# Money: kind of transfer, from, to, of the event's cents. C credit, S stakes, D desk, V voucher, T transit of the seat.
MOVES = {
    "bet-placed": "bet C S", "insurance-placed": "bet C S", "bet-taken-back": "bet-taken-back S C",
    "bets-cleared": "bet-taken-back S C", "insurance-returned": "bet-returned S C", "credit-bought": "buy-in D C",
    "hand-paid": "hand-pay C D", "voucher-issued": "voucher-out C V", "voucher-inserted": "voucher-in V C",
    "voucher-voided": "voucher-voided V C", "voucher-paid": "voucher-paid V D",
    "credit-taken-along": "credit-sent C transit/{to_table}-{to_seat}", "credit-brought": "credit-received T C",
    "credit-came-home": "credit-received transit/{from_table}-{from_seat} C", "credit-sent-home": "credit-sent C T",
    "drawer-opened": "drawer-float D vault/main", "drawer-filled": "drawer-fill D vault/main",
    "drawer-returned": "drawer-return vault/main D",
}
# fmt: on


# --- A table ---

LINE = itemgetter("wager", "stake_cents", "result", "odds", "returned_cents", "net_cents")
MIX, SILENT = "natural9 mix 1", "interpretation shift-manager-where-silent"
DEALT = {"betting-opened", "betting-closed", "card-dealt", "result-declared", "seat-settled", "round-settled"}


def moves(*steps: tuple[str, str, str, int]) -> Moves:
    return [list(step) for step in steps if step[3] > 0]


def ranks_of(cards: Iterable[str]) -> str:
    return "".join(card[0] for card in cards)


def mixed(order: list[str], house: str, mix: Record) -> list[str]:
    """A shoe that nobody chose alone: the house's order, changed by what the seats brought (SHAKE-256, no bias)."""
    parts = [part.encode() for part in (MIX, house, mix["checkpoint"])]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts) + len(mix["nonces"]).to_bytes(8, "big")
    for seat, nonce in sorted(mix["nonces"].items()):
        message += seat.to_bytes(8, "big") + len(nonce.encode()).to_bytes(8, "big") + nonce.encode()
    data, cards = hashlib.shake_256(message).digest(16 * len(order)), list(order)
    words = (int.from_bytes(data[place : place + 2], "big") for place in range(0, len(data), 2))
    for n in range(len(cards), 1, -1):
        index = next(word for word in words if word < 65536 - 65536 % n) % n
        cards[n - 1], cards[index] = cards[index], cards[n - 1]
    return cards


class Shoe:
    def __init__(self, r: Record) -> None:
        self.number, self.decks, self.rules, self.offered = r["shoe"], r["decks"], r["rules_sha256"], r["offered"]
        self.commitment, self.mix, self.cut = "", Record(), False
        self.left = Counter(dict.fromkeys(DECK, self.decks))
        self.out: list[str] = []  # in the order they came out; "-" for one that nobody saw

    def change(self, was: list[str], cards: list[str]) -> None:
        """These came out, and not those: one that is drawn, or a record that is put right."""
        self.left.update(was)
        self.left.subtract(cards)
        must(len(self.left) == 52 and min(self.left.values()) >= 0, f"{' '.join(cards)} cannot come from this shoe")
        self.out = self.out[: len(self.out) - len(was)] + cards


class Round:
    """What is known of a round. Earlier ones wait on disk, for a round can be corrected at any time."""

    def __init__(self, r: Record) -> None:
        self.number, self.game, self.shoe, self.offered = r["round"], r["game"], r["shoe"], r["offered"]
        self.state, self.declared = "open", False  # open, closed, settled, void
        self.cards: list[str] = []
        self.old = r["from_old_set"]  # so many of the first cards, dealt or held, came from another set
        self.bets: dict[int, dict[str, int]] = {}  # by seat and wager, in the order laid
        self.insurance: dict[int, list[Any]] = {}  # (window, hand, cents, odds) by seat, in the order placed
        self.withdrawn, self.returned = Counter[tuple[int, str]](), dict[int, int]()
        self.rulings: dict[tuple[int, str], tuple[int, int, bool]] = {}  # stake, what it returns, whether that is paid
        self.reports: dict[int, Record] = {}
        self.decided: Record = {"remedy": ""}
        self.window: dict[str, str] = {}  # what the insurance window that is open offers
        self.lost = self.paid = self.back = 0
        self.waived = False
        self.todo: set[int] = set()  # seats of an earlier round that are to be settled again

    def stake(self, seat: int) -> int:
        insured: int = sum(item[2] for item in self.insurance.get(seat, ()))
        return sum(self.bets.get(seat, {}).values()) + insured

    def seats(self) -> set[int]:
        return {seat for seat in self.bets if self.stake(seat)}

    def bet(self, seat: int, wager: str) -> int:
        insured = sum(item[2] for item in self.insurance.get(seat, ()) if f"{item[1]}-insurance" == wager)
        return int(insured or self.bets.get(seat, {}).get(wager, 0))

    def covered(self, seat: int) -> bool:
        """What insurance would pay is no more than the bet that it insures (reading 6)."""
        items = self.insurance.get(seat, ())
        would = {hand: sum(i[2] * ratio(i[3]) for i in items if i[1] == hand) for hand in ("player", "banker")}
        return all(pays <= self.bets.get(seat, {}).get(hand, 0) for hand, pays in would.items())

    def settle(self, seat: int) -> tuple[list[tuple[Any, ...]], int]:
        """Each line as it must be, and what goes back of insurance on what these cards never offered."""
        ranks, insurance = ranks_of(self.cards), self.insurance.get(seat, ())
        bets, result = self.bets.get(seat, {}).items(), outcome(ranks)
        ends: list[Any] = [("", wager, stake, *pays(self.game, wager, result)) for wager, stake in bets]
        good = [item for item in insurance if insurance_odds(item[0], item[1], ranks) == item[3]]
        ends += [(w, f"{hand}-insurance", stake, *insurance_pays(w, hand, ranks)) for w, hand, stake, _ in good]
        must(all(end[2] * end[5] % end[6] == 0 for end in ends), f"a bet of seat {seat} cannot be paid in whole cents")
        lines = [(*end[:5], end[2] * end[5] // end[6], end[2] * end[5] // end[6] - end[2]) for end in ends]
        return lines, sum(item[2] for item in insurance) - sum(item[2] for item in good)

    def by_table(self, seat: int, wager: str) -> int:
        return sum(line[5] for line in self.settle(seat)[0] if line[1] == wager)

    def again(self, seat: int) -> tuple[int, int, int]:
        """Of a corrected round: insurance that goes back, what rulings add, what is returned in all."""
        (lines, back), rulings = self.settle(seat), self.rulings.items()
        mine = [
            (wager, *ruling) for (of, wager), ruling in rulings if of == seat and self.bet(seat, wager) == ruling[0]
        ]
        ruled = sum(to - self.by_table(seat, wager) for wager, _, to, _ in mine)
        return back, ruled, sum(line[5] for line in lines) + back + ruled

    def won(self) -> list[str]:
        result = outcome(ranks_of(self.cards))
        return [wager for wager in self.offered if pays(self.game, wager, result)[0] == "win"]

    def take(self, seat: int, wager: str, cents: int) -> None:
        must(0 < cents <= self.bets.get(seat, {}).get(wager, 0), f"{cents} cents do not lie on {wager} at seat {seat}")
        self.bets[seat][wager] -= cents
        if not self.bets[seat][wager]:
            del self.bets[seat][wager]

    def check(self, r: Record, count: Counter[str]) -> tuple[int, int, int]:
        """A seat's lines against the cards: what they return, what of the stakes is lost, what insurance goes back."""
        lines, back = self.settle(r["seat"])
        said = [("", *LINE(line)) for line in r["lines"]] + [(line["window"], *LINE(line)) for line in r["insurance"]]
        for line, should in zip(said, lines, strict=False):
            same(f"seat {r['seat']} (window, wager, stake, result, odds, returned, net)", line, should)
        same(f"how many bets of seat {r['seat']} are settled", len(said), len(lines))
        count.update(settlements=len(r["lines"]), insurance=len(r["insurance"]))
        return sum(line[5] for line in lines), sum(line[2] for line in lines if line[3] == "lose"), back


class Table:
    """What its events mean for cards and money; each method returns the transfers that do not follow from MOVES."""

    def __init__(self, name: str, journal: "Journal") -> None:
        self.id, self.journal, self.count = name, journal, journal.count
        self.shoe: Any = None
        self.new_shoe: Any = None
        self.round: Any = None
        self.earlier: Any = None  # the round before this one that entries are about
        self.held: list[str] = []  # cards drawn already, to be played before any other
        self.limits: Record = {}
        self.committed, self.mix, self.electronic, self.joint = "", Record(), False, False
        self.nonces: dict[int, tuple[int, str]] = {}  # what each seat has committed to, for which shoe

    def apply(self, kind: str, r: Record, b: Record) -> Moves | None:
        about = kind.startswith("earlier-") or (
            kind == "bet-ruled" and self.earlier and r["round"] == self.earlier.number
        )
        if self.earlier and not about and kind != "play-counted":
            must(not self.earlier.todo, f"seats {self.earlier.todo} of that round are not settled again")
            self.journal.keep(self.id, self.earlier)
            self.earlier = None
        for part in (self.play, self.shoes, self.insure, self.decide, self.change):
            moved = part(kind, r, b)
            if moved is not None:
                return moved
        return None

    def rank(self, b: Record, lowest: str, what: str) -> None:
        """Whoever ranks higher may do it too (reading 16); what the program does by itself has no rank."""
        rank, roles = b.get("rank", ""), self.journal.roles.get(b.get("by", ""))
        if b["from"] == "staff":
            must(rank in RANKS[RANKS.index(lowest) :], f"{what} needs a {lowest}, it was a {rank!r}")
            must(not roles or rank in roles, f"{b.get('by')} was never a {rank}")
            self.count["ranks"] += 1

    def purse(self, seat: int) -> tuple[str, str, str, str, int, int]:
        """The accounts credit, stakes, house and owed; how much credit the seat has, and what it owes."""
        money, credit, owed = self.journal.money, f"credit/{self.id}-{seat}", f"owed/{self.id}-{seat}"
        return credit, f"stake/{self.id}", f"house/{self.id}", owed, money.get(credit, 0), -money.get(owed, 0)

    def shoes(self, kind: str, r: Record, b: Record) -> None:
        shoe, new, mix = self.shoe, self.new_shoe, self.new_shoe.mix if self.new_shoe else {}
        if kind in ("table-opened", "settings-changed"):
            self.electronic, self.joint = r["shoe"] == "shuffler", r.get("joint_shoe", False)
        elif kind == "fault-raised" and r["fault"] == "shoe-seal":
            for one in filter(None, (shoe, new)):
                one.commitment = ""  # nobody can show its order any more
        elif kind == "shoe-committed":
            self.committed = f"{r['shoe']} {r['decks']} {r['commitment']}"
        elif kind == "shoe-loaded":
            must(self.round is None or self.round.state in ("settled", "void"), "a new shoe comes between rounds")
            made = self.committed.startswith(f"{r['shoe']} {r['decks']} ")
            must(made or not self.electronic, "an electronic shoe that nothing was committed to")
            must(self.mix or not self.joint, "the seats mix the shoes of this table, and this one is not mixed")
            old = {(one.rules, bool(one.commitment)) for one in (shoe, new) if one}
            if shoe and old == {(r["rules_sha256"], made)} and not (shoe.cut or len(shoe.out) >= 52 * shoe.decks):
                self.rank(b, "pit-supervisor", "other cards before the cut card")  # reading 23
            shown = all(one.commitment in ("", "revealed") for one in (shoe, new) if one)
            must(shown, "the shoe before it is not revealed")
            self.new_shoe = Shoe(r)
            self.new_shoe.commitment, self.new_shoe.mix = self.committed.rpartition(" ")[2], self.mix
            self.committed, self.mix = "", {}
        elif kind in ("cut-card-appeared", "new-shoe-required"):
            shoe.cut = True  # no other round on this shoe
        elif kind == "limits-changed":
            must(self.round is None or self.round.state in ("settled", "void"), "limits change between rounds")
            self.limits = {"limits": r["limits"], "betting_unit_cents": r["betting_unit_cents"]}
        elif kind == "nonce-committed":
            self.nonces[r["seat"]] = (r["shoe"], r["commitment"])
        elif kind == "shoe-mix-opened":
            listed = [[seat, mine] for seat, (number, mine) in sorted(self.nonces.items()) if number == r["shoe"]]
            says(r, commitment=self.committed.rpartition(" ")[2], seats=listed, rule=MIX)
            size, _, root = r["checkpoint"].partition(" ")
            same("the root of its checkpoint", root, self.journal.roots.get(size, root))
            self.mix = {"seats": dict(r["seats"]), "checkpoint": r["checkpoint"], "nonces": {}, "done": False}
        elif kind == "nonce-revealed":
            text = f"natural9 nonce 1\ntable {self.id}\nshoe {r['shoe']}\nseat {r['seat']}\nnonce {r['nonce']}\n"
            must(not mix["done"] and r["seat"] not in mix["nonces"], "revealed twice, or too late")
            same("what the seat committed to", mix["seats"].get(r["seat"]), sha256(text.encode()).hexdigest())
            mix["nonces"][r["seat"]] = r["nonce"]
        elif kind == "shoe-mixed":
            must(not mix["done"], "a shoe is mixed once")
            left_out = sorted(mix["seats"].keys() - mix["nonces"].keys())
            says(r, shoe=new.number, commitment=new.commitment, seats=sorted(mix["nonces"]), left_out=left_out)
            mix["done"] = True
        elif kind == "cards-burnt":
            says(r, shoe=new.number, face_down=POINTS[r["card"][0]] or 10)
            new.left, new.out = Counter(dict.fromkeys(DECK, new.decks)), []  # a second one corrects the first
            new.change([], [r["card"]])
            new.out += ["-"] * r["face_down"]
        elif kind == "shoe-revealed":
            if not shoe or shoe.commitment in ("", "revealed"):
                shoe = new  # it was loaded, and is never played
            says(r, shoe=shoe.number, decks=shoe.decks, commitment=shoe.commitment, dealt=len(shoe.out))
            text = f"natural9 shoe 1\ndecks {r['decks']}\nsalt {r['salt']}\norder {r['order']}\n"
            same("commitment", r["commitment"], sha256(text.encode()).hexdigest())
            order = r["order"].split(" ")
            must(Counter(order) == Counter(dict.fromkeys(DECK, shoe.decks)), "the order is not one of whole decks")
            comes = mixed(order, shoe.commitment, shoe.mix) if shoe.mix else order
            for place, (card, came) in enumerate(zip(comes, shoe.out, strict=False), 1):
                must(came in (card, "-"), f"card {place} of the shoe was {came}, and {card} was committed to")
            shoe.commitment = "revealed"  # never twice
            self.count["shoes"] += 1
        elif kind == "shoe-replaced":
            may = self.round.game == "rws-nc" and self.round.decided["kind"] == "drawn-together-order-unknown"
            must(may, "no clause lets the shoe be replaced")
            self.shoe = Shoe({**r, "offered": shoe.offered, "rules_sha256": shoe.rules})
            self.round.old = len(self.round.cards) + len(self.held)

    def open(self, r: Record) -> None:
        before, old = self.round, 0
        if before:
            must(before.state in ("settled", "void"), f"round {before.number} is neither settled nor void")
            self.journal.keep(self.id, before)
            self.held = self.held if before.game == r["game"] else []
            old = max(0, before.old - len(before.cards)) if self.held else 0
        if self.new_shoe:
            must(not self.new_shoe.mix or self.new_shoe.mix["done"], "the seats have not mixed the shoe yet")
            self.shoe, self.new_shoe, old = self.new_shoe, None, len(self.held)
        must(self.shoe.commitment != "revealed", "the order of this shoe is public")
        offered = [wager for wager in GAMES[r["game"]] if wager not in OPTIONAL or wager in self.shoe.offered]
        says(r, round=before.number + 1 if before else 1, shoe=self.shoe.number, held=self.held, from_old_set=old)
        says(r, rules_sha256=self.shoe.rules, offered=offered, **self.limits)
        must(not self.shoe.cut and len(self.shoe.out) < 52 * self.shoe.decks, "the shoe is spent, or has to be changed")
        self.round = Round(r)
        self.count["rounds"] += 1

    def play(self, kind: str, r: Record, b: Record) -> Moves | None:
        g, seat, wager = self.round, r.get("seat", 0), r.get("wager", "")
        if kind in DEALT:
            must(b["from"] != "terminal", f"{kind} by a terminal")
            self.rank(b, "dealer", kind)
        if kind == "betting-opened":
            self.open(r)
        elif kind == "bet-placed":
            must(g.state == "open" and wager in g.offered, f"a bet on {wager} while betting is {g.state}")
            same("who bets", (b["from"], b.get("by")), ("terminal", f"{self.id}-{seat}"))
            g.bets.setdefault(seat, {})[wager] = g.bet(seat, wager) + r["cents"]
            g.withdrawn[seat, wager] = max(0, g.withdrawn[seat, wager] - r["cents"])
            self.count["bets"] += 1
        elif kind in ("bet-taken-back", "bets-cleared"):
            must(g.state == "open", "a bet is taken back after the close")
            back = {wager: r["cents"]} if wager else dict(g.bets.get(seat, {}))
            same("cents", r["cents"], sum(back.values()))
            for one, cents in back.items():
                g.take(seat, one, cents)
                g.withdrawn[seat, one] += cents
        elif kind == "betting-closed":
            says(r, staked_cents=sum(map(g.stake, g.seats())))
            g.state = "closed"
        elif kind == "card-dealt":
            must(
                g.state == "closed" and not g.window and not g.reports,
                f"a card, and betting is {g.state}, or too early",
            )
            same("hand", r["hand"], next_hand(ranks_of(g.cards)))
            if self.held:
                same("card", r["card"], self.held.pop(0))
            else:
                self.shoe.change([], [r["card"]])
            g.cards.append(r["card"])
            self.count["cards"] += 1
        elif kind == "result-declared":
            result = outcome(ranks_of(g.cards))
            says(r, winner=result.winner, player_total=result.player, banker_total=result.banker, won=g.won())
            g.declared = True
        elif kind == "seat-settled":
            return self.settle(r)
        elif kind == "round-settled":
            must(g.declared and set(g.returned) == g.seats(), f"settled are {set(g.returned)}, bets have {g.seats()}")
            for (of, bet), (stake, to, paid) in g.rulings.items():  # a ruling outlives the settlement
                done = paid or stake != g.bet(of, bet) or to == g.by_table(of, bet)
                must(done, f"the ruling on {bet} of seat {of} is forgotten")
            staked = sum(map(g.stake, g.seats()))
            says(r, staked_cents=staked, collected_cents=g.lost, stakes_returned_cents=staked - g.lost)
            says(r, winnings_cents=g.paid - staked + g.lost)
            g.state, g.lost, g.paid = "settled", 0, 0
        return None

    def settle(self, r: Record) -> Moves:
        g, seat = self.round, r["seat"]
        must(g.declared and seat not in g.returned, "settled twice, or without a declared result")
        must(g.decided["remedy"] != "void" and not g.back, "a round that was to be void is settled")
        (returned, lost, back), staked = g.check(r, self.count), g.stake(seat)
        says(r, staked_cents=staked, returned_cents=returned)
        must(staked and not back and g.covered(seat), f"insurance of seat {seat} is not covered by its bets")
        g.rulings = {key: (*to[:2], to[2] and (key[0] != seat or not g.bet(*key))) for key, to in g.rulings.items()}
        g.returned[seat], g.lost, g.paid = returned, g.lost + lost, g.paid + returned
        credit, stakes, house, owed, has, owes = self.purse(seat)
        return moves(
            ("stake-lost", stakes, house, lost),
            ("stake-returned", stakes, credit, staked - lost),
            ("winnings", house, credit, returned - staked + lost),
            ("owed-repaid", credit, owed, min(owes, has + returned)),
        )

    def insure(self, kind: str, r: Record, b: Record) -> None:
        g = self.round
        if kind == "insurance-opened":
            ranks, cards = ranks_of(g.cards), 4 if r["window"] == "four-cards" else 5
            odds = {hand: insurance_odds(r["window"], hand, ranks) for hand in ("player", "banker")}
            now = g.game == "rws-nc-insurance" and len(ranks) == cards and not self.held
            must(now and not (g.waived and cards == 5), "no insurance is offered now (readings 5, 7, 28)")
            says(r, offers={hand: text for hand, text in odds.items() if text})
            g.window = {**r["offers"], "window": r["window"]}
        elif kind == "insurance-placed":
            says(r, window=g.window.get("window"), odds=g.window.get(r["hand"]))
            same("who insures", (b["from"], b.get("by")), ("terminal", f"{self.id}-{r['seat']}"))
            g.insurance.setdefault(r["seat"], []).append((r["window"], r["hand"], r["cents"], r["odds"]))
            must(g.covered(r["seat"]), f"insurance of {r['hand']} would pay more than the bet")
        elif kind in ("insurance-closed", "insurance-skipped"):
            g.window = {}
        elif kind in ("insurance-waived", "waiver-taken-back"):
            self.rank(b, "pit-supervisor", kind)
            g.waived = kind == "insurance-waived"
        elif kind == "insurance-returned":
            left, items, hand, ranks = r["cents"], g.insurance.get(r["seat"], []), r["hand"], ranks_of(g.cards)
            late = (g.decided["remedy"], g.decided.get("wager")) == ("refuse-bet", f"{hand}-insurance")
            never = any(insurance_odds(item[0], item[1], ranks) != item[3] for item in items)
            if g.covered(r["seat"]) and not late and not never:
                self.rank(b, "shift-manager", "returning insurance")
            for place in range(len(items) - 1, -1, -1):  # what was taken last goes back first
                window, hand, cents, odds = items[place]
                gone = min(left, cents) if (window, hand) == (r["window"], r["hand"]) else 0
                left -= gone
                items[place : place + 1] = [(window, hand, cents - gone, odds)] if cents > gone else []
            must(left == 0, f"{r['cents']} cents of insurance do not lie there")

    def remedies(self, r: Record) -> tuple[list[str], str]:
        """What may be decided about a report as things stand, and the rank that decides."""
        g, over, about = self.round, self.round.state in ("settled", "void"), r["about_round"] is not None
        clauses = CLAUSES["mbs" if g.game.startswith("mbs") else g.game]
        kind = "not-covered" if r["kind"] == "face-up-in-shoe" and "mbs" in g.game and not g.cards else r["kind"]
        rank, *words = clauses.get(kind, clauses["not-covered"]).split()
        ranks = ranks_of(g.cards)
        for card in self.held:
            ranks += card[0] if next_hand(ranks) else ""
        due = not over and next_hand(ranks_of(g.cards)) is not None
        sure = "/e" in " ".join(words) and established(g.game, tuple(g.offered), ranks)
        holds = {"": True, "d": due, "n": not due, "p": not over, "e": sure, "u": not sure}
        if about and rank == "pit-supervisor" and kind == "wrong-result":
            rank = "shift-manager"
        if r["confirm"]:
            return ["confirm-cards"], "pit-supervisor"
        return [remedy for remedy, _, when in (word.partition("/") for word in words) if holds[when]], rank

    def decide(self, kind: str, r: Record, b: Record) -> None:
        g = self.round
        if kind == "irregularity-reported":
            self.shoe.change([], r["cards"])
            g.reports[r["report"]] = r
        elif kind == "irregularity-decided":
            report = g.reports.pop(r["report"])
            remedies, rank = self.remedies(report)
            says(r, kind=report["kind"], rank=b.get("rank", "dealer") if r["by"] else "dealer")
            says(r, paragraph=dict(report["remedies"]).get(r["remedy"], r["paragraph"]))
            must(r["remedy"] in remedies, f"{r['remedy']} cannot be decided: {' or '.join(remedies) or 'nothing'} can")
            must(r["by"] or (r["kind"] == "table-interruption" and len(remedies) == 1), "nobody decided it")
            if r["by"]:
                self.rank(b, rank, f"deciding about {r['kind']}")
            g.decided = {**report, "remedy": r["remedy"], "clause": r["paragraph"]}
            self.count["decisions"] += 1
        elif kind == "report-withdrawn":
            report = g.reports.pop(r["report"])
            lowest = max(min(RANKS.index(report["rank"]), 1), RANKS.index(report["by_rank"]))
            self.rank(b, RANKS[lowest], "withdrawing this report")
            self.shoe.change(report["cards"], [])
        elif kind == "cards-put-in-order":
            same("cards", sorted(r["cards"]), sorted(g.decided["cards"]))
            self.held += r["cards"]
        elif kind == "cards-discarded" and r["waited"]:
            silent = g.game in ("rws-nc-insurance", "rws-nc-super-six-plus")
            self.rank(b, "shift-manager" if silent else "pit-supervisor", kind)
            for card in r["cards"]:
                g.old -= len(g.cards) + self.held.index(card) < g.old
                self.held.remove(card)

    def change(self, kind: str, r: Record, b: Record) -> Moves | None:
        g, seat, cents = self.earlier or self.round, r.get("seat", 0), r.get("cents") or 0
        credit, stakes, house, owed, has, owes = self.purse(seat)
        back = [("bet-returned", stakes, credit, cents), ("owed-repaid", credit, owed, min(owes, has + cents))]
        if kind == "debt-left":
            says(r, cents=owes)
        elif kind == "round-taken-up":
            self.earlier = self.journal.load(self.id, r["about_round"])
        elif kind == "bets-returned":
            must(seat not in g.returned, "the settlement is not reversed")
            if g.decided["remedy"] != "void":
                self.rank(b, "shift-manager", "voiding a round by authority")
            same("cents", cents, g.stake(seat))
            g.bets.pop(seat)
            g.insurance.pop(seat, None)
            g.back += cents
            return moves(*back)
        elif kind == "round-voided":
            must(not g.seats() and g.state != "void", f"bets of seats {g.seats()} are not returned")
            if g.decided["remedy"] == "void" and r.get("kind"):
                says(r, kind=g.decided["kind"], clause=g.decided["clause"], returned_cents=g.back)
            else:
                self.rank(b, "shift-manager", "voiding a round by authority")
                must(g.state != "settled" and b["from"] == "staff" and r["why"], "a void without a reason or authority")
                clause = "mbs 6.1" if g.game.startswith("mbs") else "rws-nc 5.12" if g.game == "rws-nc" else SILENT
                says(r, kind=None, returned_cents=g.back, clause=clause)
            g.state, g.window, g.withdrawn = "void", {}, Counter()
            g.reports = {n: x for n, x in g.reports.items() if x["cards"] or x["about_round"] is not None}
            self.count["voids"] += 1
        elif kind == "bet-voided":
            bet = (g.decided.get("bet_seat"), g.decided.get("wager"), g.decided["remedy"])
            if bet != (seat, r["wager"], "refuse-bet") or cents > g.decided["cents"]:
                self.rank(b, "shift-manager", "a ruling")
            must(r["why"] and g.state != "settled", "a bet is voided with a reason, before the round is settled")
            g.take(seat, r["wager"], cents)
            return moves(*back)
        elif kind == "bet-restored":
            stands = (g.decided["bet_seat"], g.decided["wager"], g.decided["cents"], g.decided["remedy"])
            same("what was decided", (seat, r["wager"], cents, "bet-stands"), stands)
            g.bets.setdefault(seat, {})[r["wager"]] = g.bet(seat, r["wager"]) + cents
            g.withdrawn[seat, r["wager"]] -= cents
            return moves(("owed", owed, credit, max(0, cents - has)), ("bet-restored", credit, stakes, cents))
        elif kind == "settlement-reversed":
            same("cents", cents, g.returned.pop(seat))
            staked, kept = g.stake(seat), min(cents, g.stake(seat))
            g.state = "closed"
            return moves(
                ("owed", owed, credit, max(0, cents - has)),
                ("stake-returned-reversed", credit, stakes, kept),
                ("winnings-reversed", credit, house, cents - kept),
                ("stake-lost-reversed", house, stakes, staked - kept),
            )
        elif kind == "cards-corrected":
            self.correct(r, b)
        elif kind == "bet-ruled":
            return self.rule(g, r, b)
        elif kind == "earlier-cards-corrected":
            says(r, round=g.number, shoe=g.shoe, was=g.cards, from_old_set=min(g.old, len(g.cards)))
            suits, g.cards, settled = ranks_of(g.cards) == ranks_of(r["cards"]), r["cards"], g.state == "settled"
            g.todo = {
                other
                for other in g.seats()
                if settled and (g.again(other)[2] != g.returned[other] or g.again(other)[0])
            }
            self.rank(b, "dealer" if suits else "shift-manager" if g.todo else "pit-supervisor", "this correction")
            says(r, won=g.won() if settled else [])
            if self.shoe.number == g.shoe:
                self.shoe.change(r["was"][g.old :], r["cards"][g.old :])
            self.count["corrections"] += 1
        elif kind == "earlier-seat-settled":
            return self.settle_earlier(g, r)
        return None

    def correct(self, r: Record, b: Record) -> None:
        g, before, after = self.round, ranks_of(self.round.cards), ranks_of(r["cards"])
        must(not self.electronic or r["cards"] == g.cards, "nobody corrects what an electronic shoe has dealt")
        says(r, put_at=[next_hand(after[:place]) for place in range(len(after))])
        self.shoe.change((g.cards + self.held)[g.old :], (r["cards"] + r["held"])[g.old :])
        g.cards, self.held = r["cards"], r["held"]
        self.count["corrections"] += 1
        if before != after and g.state != "void":
            must(not g.returned, "the settlement was not reversed")
            results = [outcome(ranks) if next_hand(ranks) is None else None for ranks in (before, after)]
            if g.declared and g.decided["remedy"] not in ("settle-by-cards", "confirm-cards"):
                wrong = CLAUSES["mbs" if g.game.startswith("mbs") else g.game].get("wrong-result", "shift-manager")
                self.rank(b, wrong.split()[0] if results[0] != results[1] else "pit-supervisor", "this correction")
            must(r["why"] or not g.declared, "corrected without a reason")
            g.declared, g.window, g.state = False, {}, "closed" if g.state == "settled" else g.state

    def rule(self, g: Round, r: Record, b: Record) -> Moves:
        """The manager's ruling on one bet of a settled round (reading 26), or one that outlives a correction."""
        seat, wager, lies = r["seat"], r["wager"], g.bet(r["seat"], r["wager"])
        stake, (of, to, paid) = lies or g.withdrawn[seat, wager], g.rulings.get((seat, wager), (0, 0, False))
        was = to if paid and of == stake else g.by_table(seat, wager) if lies else stake
        says(r, round=g.number, stake_cents=stake, was_cents=was)
        more, again = r["returned_cents"] - was, (stake, r["returned_cents"]) in ((of, to), (of, of))
        if not again:
            self.rank(b, "shift-manager", "a ruling")
        must(r["why"] and stake and more, "no such bet, no reason, or nothing changes")
        g.rulings[seat, wager] = (stake, r["returned_cents"], True)
        if lies:
            g.returned[seat] += more
        self.count["rulings"] += 1
        credit, _, house, owed, has, owes = self.purse(seat)
        if more < 0:
            return moves(("owed", owed, credit, max(0, -more - has)), ("ruling", credit, house, -more))
        return moves(("ruling", house, credit, more), ("owed-repaid", credit, owed, min(owes, has + more)))

    def settle_earlier(self, g: Round, r: Record) -> Moves:
        seat, staked, was = r["seat"], g.stake(r["seat"]), g.returned[r["seat"]]
        must(seat in g.todo, "nothing changes for this seat")
        g.todo.remove(seat)
        g.check(r, self.count)
        back, ruled, now = g.again(seat)
        says(r, round=g.number, staked_cents=staked, was_cents=was, insurance_back_cents=back, ruled_cents=ruled)
        says(r, returned_cents=now)
        g.returned[seat] = now
        stake_more = min(now, staked) - min(was, staked)
        win_more = now - was - stake_more
        credit, stakes, house, owed, has, owes = self.purse(seat)
        short = max(0, -(stake_more + win_more) - has)
        return moves(
            ("stake-lost-reversed", house, stakes, stake_more),
            ("stake-returned", stakes, credit, stake_more),
            ("winnings", house, credit, win_more),
            ("owed", owed, credit, short),
            ("stake-returned-reversed", credit, stakes, -stake_more),
            ("stake-lost", stakes, house, -stake_more),
            ("winnings-reversed", credit, house, -win_more),
            ("owed-repaid", credit, owed, 0 if short else min(owes, has + max(0, stake_more + win_more))),
        )


# --- The journal ---


def _once(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice in an object")
    return found


decode = json.JSONDecoder(object_pairs_hook=_once, parse_float=int, parse_constant=int).decode  # which refuse
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NAMES = "stream number kind at_ms day label request first_transfer transfers documents documents_sum"
ENVELOPE = itemgetter(*_NAMES.split())
BODY = {"event", "v", "record", "from", "by", "request", "command", "type", "rank"}
BELOW_ZERO = ("house/", "desk/", "owed/", "vault/", "short/")
SECOND = set("bet-placed credit-bought hand-paid voucher-paid staff-added code-issued role-changed".split())
OLD_NAMES = {"bet-placed": "stake", "bet-increased": "more"}  # of cents, in version 1
# What is out once and comes back once: vouchers, and credit on its way to another table.
OUT = {"voucher-issued", "credit-taken-along", "credit-sent-home"}
BACK = {"voucher-inserted", "voucher-voided", "voucher-paid", "credit-brought", "credit-came-home"}


def entry_hash(before: bytes, e: Record) -> bytes:
    envelope = encode([2, *ENVELOPE(e)]).encode()
    return sha256(before + len(envelope).to_bytes(8, "big") + envelope + e["body"].encode()).digest()


def number_of(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest(), "big")


class Stream:
    number, hash, at_ms, transfer, sum = 0, bytes(32), 0, 1, 0


class Journal:
    def __init__(self, keys: list[VKey], kept: list[Note], receipts: list[Record], witnesses: list[VKey]) -> None:
        self.trusted, self.kept, self.witnesses = keys, kept, witnesses
        self.receipts = {receipt["entry"]["seq"]: receipt["entry"]["hash"] for receipt in receipts}
        self.count, self.tables, self.money = Counter[str](), dict[str, Table](), dict[str, int]()
        self.streams: defaultdict[str, Stream] = defaultdict(Stream)
        self.meters: defaultdict[str, dict[tuple[str, str], list[int]]] = defaultdict(dict)
        self.redeemed = 0  # the sum over the meters of vouchers that are redeemed, and forgotten
        self.documents, self.numbers = dict[str, str](), Counter[str]()
        self.out: dict[str, tuple[Any, ...]] = {}  # vouchers and transits that are out
        self.roles: defaultdict[str, set[str]] = defaultdict(set)
        self.keys, self.roots = list[VKey](), dict[str, str]()  # roots of the last checkpoints, by size
        self.tree, self.head, self.signed, self.ended, self.alone = Tree(), Record(), 0, False, False
        self.rounds = sqlite3.connect("")  # rounds that are over, in a file that goes away by itself: memory stays flat
        self.rounds.execute("create table round (place text primary key, body blob)")

    def keep(self, table: str, g: Round) -> None:
        self.rounds.execute("replace into round values (?, ?)", (f"{table} {g.number}", pickle.dumps(g)))

    def load(self, table: str, number: int) -> Any:
        row = self.rounds.execute("select body from round where place = ?", (f"{table} {number}",)).fetchone()
        must(row, f"there is no earlier round {number}")
        return pickle.loads(row[0])

    def entry(self, e: Record) -> None:
        s, table = self.streams[e["stream"]], e["stream"].removeprefix("table/")
        says(e, seq=e["seq"] if self.alone else self.tree.size + 1, number=s.number + 1, first_transfer=s.transfer)
        must(e["at_ms"] >= s.at_ms, f"its time is before that of the entry before it, {s.at_ms}")
        digest = entry_hash(s.hash, e)
        says(e, hash=digest.hex())
        self.tree.append(digest)
        s.number, s.hash, s.at_ms, s.transfer = e["number"], digest, e["at_ms"], s.transfer + len(e["transfers"])
        if self.receipts:
            same("hash, by the receipt", e["hash"], self.receipts.pop(e["seq"], e["hash"]))
        self.count.update(entries=1, transfers=len(e["transfers"]))
        if self.alone:
            return
        b = decode(e["body"])
        says(b, event=e["kind"])
        must(b.keys() <= BODY, f"the body of an event has no {sorted(b.keys() - BODY)}")
        kind, r = e["kind"], b["record"]
        must(b["v"] == 1 or (b["v"] == 2 and kind in SECOND), f"there is no version {b['v']} of {kind}")
        if b["v"] == 1 and OLD_NAMES.get(kind) in r:  # former versions are read as today's
            kind, r["cents"] = "bet-placed", r.pop(OLD_NAMES[kind])
        if table != e["stream"]:
            if table not in self.tables:
                self.tables[table] = Table(table, self)
            moved = self.tables[table].apply(kind, r, b)
        else:
            moved = self.office(kind, r, b)
        if kind in MOVES:
            moved = self.move(MOVES[kind], table, r)
        same("transfers", e["transfers"], moved or [])
        if kind in OUT or kind in BACK:
            self.once(kind, table, r, e["at_ms"])
        for transfer in e["transfers"]:
            self.post(e["day"], *transfer)
        for name, document in e["documents"]:  # the sum over all there are follows from what each was
            for sign, value in ((-1, self.documents.pop(name, None)), (1, document)):
                s.sum = (s.sum + (sign * number_of(f"{value} {name}") if value else 0)) % 2**256
            if document is not None:
                self.documents[name] = document
        says(e, documents_sum=f"{s.sum:064x}" if e["documents"] else "")

    def move(self, words: str, table: str, r: Record) -> Moves:
        kind, *ends = words.split()
        place = f"{table}-{r.get('seat')}"
        short = {"C": f"credit/{place}", "S": f"stake/{table}", "T": f"transit/{place}"}
        names = [
            short.get(end) or {"D": "desk/{desk}", "V": "voucher/{number}"}.get(end, end).format(**r) for end in ends
        ]
        return moves((kind, names[0], names[1], r["cents"]))

    def once(self, kind: str, table: str, r: Record, at_ms: int) -> None:
        name, place = f"{kind[0]}/{r.get('number') or r['transit']}".replace("c/", "v/"), f"{table}-{r.get('seat')}"
        if kind in OUT:
            self.numbers[kind[0] + place] += 1
            same("number", name, f"v/{place}-{self.numbers[kind[0] + place]}")
            self.out[kind[0] + name] = (r["cents"], r.get("expires_at_ms", 0), place)
            return
        must(kind[0] + name in self.out, f"{name[2:]} is not out: never issued, or redeemed before")
        cents, expires, issued = self.out.pop(kind[0] + name)
        says(r, cents=cents)
        must(kind != "voucher-inserted" or at_ms < expires, f"the voucher has expired at {expires}")
        must(kind != "voucher-voided" or place == issued, f"the voucher was issued at {issued}")

    def post(self, day: str, kind: str, source: str, target: str, cents: int) -> None:
        must(0 < cents <= 10**15 and source != target, f"a transfer of {cents} cents from {source} to {target}")
        for account, more, place in ((source, -cents, 2), (target, cents, 0)):
            balance = self.money[account] = self.money.get(account, 0) + more
            must(balance >= 0 or account.startswith(BELOW_ZERO), f"{account} would be at {balance} cents")
            meter = self.meters[account].setdefault((day, kind), [0, 0, 0, 0])
            meter[place] += cents
            meter[place + 1] += 1
            if not balance:
                del self.money[account]
                if account.startswith("voucher/"):  # nothing comes of it any more
                    meters = self.meters.pop(account).items()
                    self.redeemed += sum(number_of(encode([account, *key, *sums])) for key, sums in meters)

    def office(self, kind: str, r: Record, b: Record) -> Moves | None:
        """The venue's own: people, keys, the cash desk."""
        if kind in ("staff-added", "role-changed", "administrator-claimed"):
            self.roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")
        elif kind == "checkpoint-key-set":
            key, text = parse_vkey(r["key"]), f"natural9 checkpoint key\n{r['origin']}\n{r['key']}\n".encode()
            by = [
                (key, r["signature"]),
                *((old, r["signature_before"]) for old in self.keys[-1:] if r["signature_before"]),
            ]
            good = all(ed25519(signer.public, text, base64.b64decode(signature)) for signer, signature in by)
            names = {one.name for one in (key, *self.keys)}
            must(
                good and names == {r["origin"]},
                "a key that itself or the one before did not sign, or of another origin",
            )
            if not r[
                "signature_before"
            ]:  # the first; or after a loss, and trust in the former ones does not carry over
                self.keys.clear()
            self.keys.append(key)
            self.count["keys"] += 1
        elif kind == "drawer-closed":
            desk, lies = f"desk/{r['desk']}", -self.money.get(f"desk/{r['desk']}", 0)
            over, short = r["counted_cents"] - lies, f"short/{r['desk']}"
            says(r, expected_cents=lies)
            return moves(
                ("drawer-closed", "vault/main", desk, lies),
                ("drawer-closed", desk, "vault/main", -lies),
                ("drawer-short", short, "vault/main", -over),
                ("drawer-over", "vault/main", short, over),
            )
        return None

    def checkpoint(self, text: str) -> None:
        note = parse_note(text)
        must(self.keys, "no key was set in the journal before this checkpoint")
        said = (note.size, note.root.hex(), note.origin)
        same("size, root, origin", said, (self.tree.size, self.tree.root().hex(), self.keys[-1].name))
        must(note.signed_by(self.keys[-1]), f"it is not signed with the key {self.keys[-1].id.hex()}")
        trusted = not self.trusted or any(key in self.trusted for key in self.keys)
        self.signed = note.size if trusted else 0
        self.roots = {**dict([*self.roots.items()][-999:]), str(note.size): base64.b64encode(note.root).decode()}
        self.count.update(checkpoints=1, cosignatures=sum(note.signed_by(witness) for witness in self.witnesses))

    def end(self, end: Record) -> None:
        for g in (table.round for table in self.tables.values() if table.round):
            must(
                g.state in ("settled", "void") or not g.returned, f"it stops within the settlement of round {g.number}"
            )
        streams = {name: [s.number, s.hash.hex()] for name, s in self.streams.items()}
        says(end, entries=self.tree.size, transfers=self.count["transfers"])
        for name, should in (("streams", streams), ("balances", self.money), ("documents", self.documents)):
            for key in sorted(end[name].keys() | should.keys()) if end[name] != should else ():
                same(f"{name}, {key}", end[name].get(key), should.get(key))
        for account, day, kind, *said in end["meters"]:
            if account in self.meters:
                same(f"meter {account} {day} {kind}", said, self.meters[account].get((day, kind)))
        left = ([account, *key, *sums] for account, meters in self.meters.items() for key, sums in meters.items())
        total = self.redeemed + sum(number_of(encode(meter)) for meter in left)
        must(total == sum(number_of(encode(meter)) for meter in end["meters"]), "the meters are not the transfers'")
        self.count.update(balances=len(self.money), meters=len(end["meters"]), documents=len(self.documents))
        self.ended = True

    def line(self, item: Record) -> None:
        if not self.head:
            if (item.get("natural9"), item.get("format")) != ("journal", 1):
                raise BadInput("this is no exported journal (natural9 export writes one)")
            self.head, self.alone = item, item.get("stream") is not None
        elif "checkpoint" in item:
            self.checkpoint(item["checkpoint"])
        elif "end" in item:
            self.end(item["end"])
        else:
            must(not self.ended, "an entry after the end")
            self.entry(item)
            for note in [note for note in self.kept if note.size == self.tree.size]:  # the journal must go through it
                same(f"the root at {note.size} entries, by what was kept", self.tree.root().hex(), note.root.hex())
                self.kept.remove(note)


# --- Receipts and the command line ---


def check_receipt(receipt: Record, keys: list[VKey], witnesses: list[VKey]) -> Note:
    e, (proof, _, note_text) = receipt["entry"], receipt["proof"].partition("\n\n")
    same("hash of the entry", e["hash"], entry_hash(bytes.fromhex(e["previous_hash"]), e).hex())
    (first, index, *path), note = proof.split("\n"), parse_note(note_text)
    same("proof", (first, index), ("c2sp.org/tlog-proof@v1", f"index {e['seq'] - 1}"))
    root = root_by_proof(bytes.fromhex(e["hash"]), e["seq"] - 1, note.size, [base64.b64decode(line) for line in path])
    same("root", note.root.hex(), root.hex())
    keys = keys or [parse_vkey(receipt["key"])]
    must(any(note.signed_by(key) for key in keys), "no key that is trusted signed its checkpoint")
    must(all(note.signed_by(witness) for witness in witnesses), "a witness did not cosign its checkpoint")
    return note


def verify(lines: Iterable[bytes], journal: Journal) -> str:
    """Nothing if all is well; else the first line that is wrong."""
    number, item = 0, Record()
    with closing(journal.rounds):
        for number, line in enumerate(lines, 1):
            try:
                item = {}
                item = decode(line.decode())
                journal.line(item)
            except (Wrong, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as why:
                if number == 1:
                    raise BadInput(f"line 1: this is no exported journal ({why})") from None
                said = str(why) if isinstance(why, Wrong) else f"it makes no sense here ({type(why).__name__}: {why})"
                names = [str(item[name]) for name in ("stream", "number", "kind") if name in item]
                return f"line {number} ({' '.join(names) or next(iter(item), '')}): {said}"
    if not journal.ended:
        return f"line {number}: the journal stops without an end"
    for what, seq in (*(("checkpoint", n.size) for n in journal.kept), *(("receipt", seq) for seq in journal.receipts)):
        return f"the {what} that was kept is of entry {seq}, and the journal has {journal.tree.size}"
    if journal.trusted and not journal.signed:
        return "the newest checkpoint does not go back to the key that is trusted, or there is none"
    return ""


def read(path: str) -> Iterator[bytes]:
    with sys.stdin.buffer if path == "-" else (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        yield from file


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks an exported natural9 journal, or a receipt.")
    parser.add_argument("journal", nargs="?", help="from natural9 export; .gz too; - or nothing: standard input")
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help="of the house, from elsewhere")
    parser.add_argument("--witness", action="append", default=[], metavar="VKEY", help="of a witness that you trust")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE", help="a note that you kept")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE", help="a receipt")
    parser.add_argument("--json", action="store_true", help="say it as JSON")
    options, count, wrong = parser.parse_args(arguments), Counter[str](), ""
    try:
        keys, witnesses = [parse_vkey(text) for text in options.key], [parse_vkey(text) for text in options.witness]
        kept = [parse_note(Path(path).read_text(encoding="utf-8")) for path in options.checkpoint]
        receipts = [decode(Path(path).read_text(encoding="utf-8")) for path in options.receipt]
        kept += [check_receipt(receipt, keys, witnesses) for receipt in receipts]
        count["receipts"] = len(receipts)
        if options.journal or not receipts:
            journal = Journal(keys, kept, receipts, witnesses)
            wrong = verify(read(options.journal or "-"), journal)
            count.update(
                {**journal.count, "entries that no signed checkpoint covers": journal.tree.size - journal.signed}
            )
    except Wrong as why:
        wrong = str(why)
    except (BadInput, OSError, LookupError, TypeError, ValueError, AttributeError) as why:
        print(f"natural9_verify: {why}", file=sys.stderr)
        return 2
    trust = "key given" if options.key else "keys as the journal names them: compare them with one from elsewhere"
    if options.json:
        print(json.dumps({"ok": not wrong, "wrong": wrong, "trust": trust, "checked": dict(sorted(count.items()))}))
    else:
        counts = ", ".join(f"{n} {what}" for what, n in sorted(count.items()))
        print(f"WRONG {wrong}" if wrong else f"OK {counts} ({trust})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
