#!/usr/bin/env python3
# fmt: off
# (Set by hand: all of it is to be read in an evening.)
"""Checks an exported natural9 journal, and trusts nothing in it.

Python 3.11 or later, standard library only (where `cryptography` is installed it checks signatures: quicker). Written
from docs/journal.md and the approved rules, not from the program that wrote the journal: Table of Play, pay tables,
ledger and tree are its own, so that no mistake hides in both. "Reading 8" is one of our readings of the rules.

    natural9 export VENUE | python3 natural9_verify.py
    python3 natural9_verify.py journal.jsonl.gz --key KEPT-KEY --checkpoint kept-note.txt --receipt receipt.json

Exit 0: all is as it must be, and a line of counts says what was checked. Exit 1: the first line that is wrong, what it
says and what it should say. Exit 2: this is no journal, key or receipt. Not checked: players' sessions and cards,
words for people, paragraphs cited, what was asked (`command`) beside what was done, what the house lets whom do beyond
the rules, and documents: of those only the sum over their hashes. An export of one stream shows its chain alone.
"""
from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import pickle
import sys
import tempfile
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
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

class Wrong(Exception):
    """The journal, or a receipt, says what cannot be so."""

class BadInput(Exception):
    """What was handed over cannot be read as what it should be."""

def must(holds: object, sentence: str) -> None:
    if not holds: raise Wrong(sentence)

def same(what: str, said: object, should: object) -> None:
    if said != should: raise Wrong(f"{what}: it says {said!r}, it should say {should!r}")

def says(r: Record, **should: object) -> None:
    """These fields of a record say what they should."""
    for name, value in should.items(): same(name, r.get(name), value)

# --- Signatures: Ed25519 (RFC 8032), signed notes and cosignatures (C2SP) --------------------------------------------

Q, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, Q) % Q
Point = tuple[int, int, int, int]

def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % Q, (p[1] + p[0]) * (q[1] + q[0]) % Q
    c, d = 2 * p[3] * q[3] * CURVE_D % Q, 2 * p[2] * q[2] % Q
    return (b - a) * (d - c) % Q, (d + c) * (b + a) % Q, (d - c) * (d + c) % Q, (b - a) * (b + a) % Q

def _times(k: int, p: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while k: total, p, k = _add(total, p) if k & 1 else total, _add(p, p), k >> 1
    return total

def _point(data: bytes) -> Point:
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    x2 = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, Q) % Q
    x = pow(x2, (Q + 3) // 8, Q)
    x = x if (x * x - x2) % Q == 0 else x * pow(2, (Q - 1) // 4, Q) % Q
    if (x * x - x2) % Q or y >= Q or (x == 0 and sign): raise ValueError("no point of the curve")
    x = x if x & 1 == sign else Q - x
    return x, y, 1, x * y % Q

def slow_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """S·B = R + k·A, in a few milliseconds."""
    try:
        base, a, r = (_point(p) for p in ((4 * pow(5, -1, Q) % Q).to_bytes(32, "little"), public, signature[:32]))
    except ValueError:
        return False
    hashed = hashlib.sha512(signature[:32] + public + message).digest()
    s, k = int.from_bytes(signature[32:], "little"), int.from_bytes(hashed, "little")
    left, right = _times(s, base), _add(r, _times(k % ORDER, a))
    equal = (left[0] * right[2] - right[0] * left[2]) % Q == (left[1] * right[2] - right[1] * left[2]) % Q == 0
    return equal and s < ORDER and len(signature) == 64

def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    if Ed25519PublicKey is None: return slow_ed25519(public, message, signature)
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
        if not right or len(raw) != 33 or raw[0] not in (1, 4): raise ValueError
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
                head = b""
                if key.algorithm == 4:  # the time is part of what a witness signs
                    head, blob = f"cosignature/v1\ntime {int.from_bytes(blob[4:12], 'big')}\n".encode(), blob[8:]
                found = ed25519(key.public, head + self.text.encode(), blob[4:])
                must(found, f"the signature of {name} under checkpoint {self.size} does not hold")
        return found

def parse_note(text: str) -> Note:
    try:
        body, _, tail = text.rpartition("\n\n")
        origin, size, root, *_ = body.split("\n")
        lines = [line.split(" ") for line in tail.splitlines()]
        signatures = [(name, base64.b64decode(blob, validate=True)) for dash, name, blob in lines if dash == "—"]
        note = Note(body + "\n", origin, int(size), base64.b64decode(root, validate=True), signatures)
        if str(note.size) != size or len(note.root) != 32 or not origin or not 0 < len(signatures) == len(lines):
            raise ValueError
    except ValueError:
        raise BadInput("this is no checkpoint (origin, size, root, an empty line, signatures)") from None
    return note

# --- The tree (RFC 6962) ---------------------------------------------------------------------------------------------

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
        for peak in reversed(self.peaks[:-1]): root = sha256(b"\1" + peak + root).digest()
        return root

def root_by_proof(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    must(0 <= index < size, f"the proof names leaf {index} of a tree of {size}")
    node, last = sha256(b"\0" + leaf).digest(), size - 1
    for sibling in path:
        must(last > 0, "the proof is too long")
        if index & 1 or index == last:
            node = sha256(b"\1" + sibling + node).digest()
            while index & 1 == 0 and index: index, last = index >> 1, last >> 1
        else: node = sha256(b"\1" + node + sibling).digest()
        index, last = index >> 1, last >> 1
    must(last == 0, "the proof is too short")
    return node

# --- Cards and the Table of Play (rws-nc 3.8-3.11, mbs 3.3-3.9, insurance 3.4-3.8, super-six-plus 3.4-3.9) -----------

POINTS = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 0, "J": 0, "Q": 0, "K": 0}
DECK = frozenset(rank + suit for rank in POINTS for suit in "CDHS")
# Banker's two-card total: on which third card of the Player's it draws. (0 to 2 always do, 7 never.)
BANKER_DRAWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}

@lru_cache(maxsize=1 << 16)
def next_hand(ranks: str) -> str | None:
    """Whose card comes next, when these have been dealt; None once the round is complete."""
    if len(ranks) < 4: return "banker" if len(ranks) % 2 else "player"
    points = [POINTS[rank] for rank in ranks]
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    if player >= 8 or banker >= 8: return None  # a Natural
    if player >= 6:  # the Player stands
        return "banker" if banker <= 5 and len(ranks) == 4 else None
    if len(ranks) == 4: return "player"
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
        hand = next_hand(ranks[:dealt])
        must(hand, f"of the cards {ranks} the last is one too many by the Table of Play")
        hands[str(hand)] += rank
    must(next_hand(ranks) is None, f"the cards {ranks} are no complete round by the Table of Play")
    p, b = hands["player"], hands["banker"]
    player, banker = (sum(POINTS[rank] for rank in hand) % 10 for hand in (p, b))
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    pairs = p[0] == p[1], b[0] == b[1]  # two cards of one rank (reading 1)
    natural = len(ranks) == 4 and max(player, banker) >= 8
    return Outcome(winner, player, banker, len(b), *pairs, all(pairs) and p[0] == b[0], natural)

# --- Pay tables ------------------------------------------------------------------------------------------------------
# A wager's rows: the first that holds decides; where none holds the wager loses. "push" returns the stake.

Row = tuple[Callable[[Outcome], bool], str]

def _tie(o: Outcome) -> bool:
    return o.winner == "tie"

def _wins(hand: str) -> Callable[[Outcome], bool]:
    return lambda o: o.winner == hand

def _six(*cards: int) -> Callable[[Outcome], bool]:
    return lambda o: o.winner == "banker" and o.banker == 6 and o.banker_cards in cards

def _dragon(hand: str) -> list[Row]:
    """mbs 4.5 and 4.6, by reading 3: a Natural pays 1 to 1 whatever the margin, and a Natural tie is returned."""
    def by(margin: int) -> Callable[[Outcome], bool]:
        return lambda o: o.winner == hand and not o.natural and abs(o.player - o.banker) == margin
    margins = {9: "30:1", 8: "10:1", 7: "6:1", 6: "4:1", 5: "2:1", 4: "1:1"}
    natural: list[Row] = [(lambda o: o.natural and o.winner == hand, "1:1"), (lambda o: o.natural and _tie(o), "push")]
    return [*natural, *((by(margin), odds) for margin, odds in margins.items())]

PLAYER: list[Row] = [(_wins("player"), "1:1"), (_tie, "push")]
BANKER: list[Row] = [(_six(2, 3), "1:2"), (_wins("banker"), "1:1"), (_tie, "push")]
TIE: list[Row] = [(_tie, "8:1")]
SIX_BY_CARDS: list[Row] = [(_six(2), "12:1"), (_six(3), "20:1")]
SUPER_SIX: list[Row] = [(_six(2, 3), "15:1")]
NO_COMMISSION: dict[str, list[Row]] = {
    "player": PLAYER, "banker": BANKER, "tie": TIE,
    "player-pair": [(lambda o: o.player_pair, "11:1")], "banker-pair": [(lambda o: o.banker_pair, "11:1")],
}
DRAGONS = {"player-dragon-bonus": _dragon("player"), "banker-dragon-bonus": _dragon("banker")}
TIGERS: dict[str, list[Row]] = {
    "tiger": SIX_BY_CARDS, "small-tiger": [(_six(2), "22:1")], "big-tiger": [(_six(3), "50:1")],
    "tiger-tie": [(lambda o: _tie(o) and o.player == 6, "35:1")],
    "tiger-pair": [  # its best class only (reading 2)
        (lambda o: o.twin, "100:1"), (lambda o: o.player_pair and o.banker_pair, "20:1"),
        (lambda o: o.player_pair or o.banker_pair, "4:1"),
    ],
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
    "mbs-tiger": {"player": PLAYER, "banker": [(_wins("banker"), "0.95:1"), (_tie, "push")], "tie": TIE, **TIGERS},
    "mbs-tiger-nc": {"player": PLAYER, "banker": BANKER, "tie": TIE, **TIGERS},
}
OPTIONAL = frozenset({*DRAGONS, *TIGERS})  # "may be available" (reading 14)
# The insurance pay table, rws-nc-insurance 4.1.2. Window and insured hand: Player's points, Banker's points, odds.
INSURANCE: dict[tuple[str, str], list[tuple[Sequence[int], Sequence[int], str]]] = {
    ("four-cards", "banker"): [(range(5), (5,), "2:1"), (range(6), (6,), "3:1"), (range(6), (7,), "4:1")],
    ("four-cards", "player"): [((5,), (4,), "2:1"), ((6,), range(6), "3:1"), ((7,), range(6), "4:1")],
    ("third-card", "banker"): [
        ((1,), (1,), "6:1"), ((1,), range(2, 7), "7:1"), ((2,), range(3, 7), "4:1"), ((3,), (4,), "1.5:1"),
    ],
    ("third-card", "player"): [
        ((5,), range(5), "2:1"), ((6,), range(6), "3:1"), ((7,), range(7), "4:1"), ((8,), range(7), "7:1"),
        ((9,), range(7), "8:1"),
    ],
}

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
    if len(ranks) < cards or next_hand(ranks[:cards]) is None: return None
    points = [POINTS[rank] for rank in ranks[:cards]]  # a fifth is the Player's: after a Banker's none is to come
    player, banker = (points[0] + points[2] + sum(points[4:])) % 10, (points[1] + points[3]) % 10
    return next((odds for p, b, odds in INSURANCE[window, hand] if player in p and banker in b), None)

def insurance_pays(window: str, hand: str, ranks: str) -> tuple[str, str | None, int, int]:
    """As `pays`. It wins when the insured hand loses and goes back on a tie, but for the starred row (reading 4)."""
    winner, odds = outcome(ranks).winner, str(insurance_odds(window, hand, ranks))
    if winner == "tie" and odds != "8:1": return "push", "push", 1, 1
    wins = winner == "tie" if odds == "8:1" else winner != hand
    return ("win", odds, *(1 + ratio(odds)).as_integer_ratio()) if wins else ("lose", None, 0, 1)

@lru_cache(maxsize=1 << 12)
def established(game: str, offered: tuple[str, ...], ranks: str) -> bool:
    """Whether some wager on offer is won, or lost, in every way the round can still end (reading 8)."""
    undecided: dict[str, set[str]] = {wager: set() for wager in offered}
    def play(so_far: str) -> None:
        if next_hand(so_far):
            for rank in POINTS if undecided else (): play(so_far + rank)
            return
        for wager in list(undecided):
            undecided[wager].add(pays(game, wager, outcome(so_far))[0])
            if len(undecided[wager]) > 1: del undecided[wager]
    play(ranks)
    return any(results != {"push"} for results in undecided.values())

# --- What each document lets be done about an irregularity (docs/journal.md, Clauses) --------------------------------
# kinds | remedies (/d a card is due, /n none; /e an outcome is established, /u not; /p the round is in play) | who
# decides | who about an earlier round; next: until the next round, too; void: after a void, too; first: after a card

CLAUSES_TEXT = """
[mbs]
foreign-card shortage-or-excess unshuffled-cards insufficient-cards | void | pit-supervisor |
wrong-number-of-cards order-altered | reconstruct void | pit-supervisor |
excess-or-exposed | reconstruct void/d discard/n | pit-supervisor | next void
wrong-area | reconstruct | dealer |
wrong-result | settle-by-cards | pit-supervisor | shift-manager next
drawn-together-order-known | reconstruct | dealer | next void
drawn-together-order-unknown | void/d discard/n | pit-supervisor | next void
face-up-in-shoe | continue | dealer | first
table-interruption | void/u continue/e | pit-supervisor |
terminal-interruption | continue | dealer |
[rws-nc]
foreign-card shortage-or-excess insufficient-cards unshuffled-cards | void | pit-supervisor |
wrong-number-of-cards | reconstruct void | pit-supervisor | next
excess-or-exposed | reconstruct/d void/d use-in-next-round/n discard/n | pit-supervisor | next void
wrong-area | reconstruct | dealer |
wrong-result | settle-by-cards | pit-supervisor | shift-manager next
drawn-together-order-known | reconstruct discard/n | pit-supervisor | next void
drawn-together-order-unknown | decide-order discard/n | pit-supervisor | next void
face-up-in-shoe | continue | pit-supervisor |
table-interruption | continue/e void/u | pit-supervisor |
terminal-interruption | continue | dealer |
found-later | no-effect | pit-supervisor | pit-supervisor next void
[rws-nc-insurance]
foreign-card insufficient-cards | void | pit-supervisor |
wrong-number-of-cards | reconstruct void | pit-supervisor | next
[rws-nc-super-six-plus]
foreign-card shortage-or-excess insufficient-cards | void | pit-supervisor |
wrong-number-of-cards | reconstruct void | pit-supervisor | next
[everywhere]
late-bet | refuse-bet | dealer |
withdrawn-bet | bet-stands | dealer |
not-covered | continue reconstruct settle-by-cards no-effect discard void/p | shift-manager | shift-manager next void
"""
RANKS = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
Clause = tuple[list[str], str, list[str]]  # remedies, rank, marks
CLAUSES: dict[str, dict[str, Clause]] = {}
for _line in CLAUSES_TEXT.strip().splitlines():
    if _line.startswith("["): CLAUSES[_line[1:-1]] = {}
    else:
        _kinds, _remedies, _rank, _else = (_part.split() for _part in _line.split("|"))
        CLAUSES[[*CLAUSES][-1]].update(dict.fromkeys(_kinds, (_remedies, _rank[0], _else)))
AUTHORITY = {"rws-nc": "rws-nc 5.12", **dict.fromkeys(("rws-nc-insurance", "rws-nc-super-six-plus"),
             "interpretation shift-manager-where-silent")}  # by which a round is void without a clause of its own
NEW_SHOE_AFTER = ("foreign-card", "shortage-or-excess", "unshuffled-cards", "insufficient-cards")

# --- The events (docs/journal.md, Events), by stream and by the method below that knows what they mean ---------------
# tag/version (1 unless it says so), =label (significant unless it says so), @phase of the round, ! not while there is a
# fault or a report waits, ~ may stand within a decision, $kind of transfer,from,to of its cents (C credit, S stakes,
# D desk, V voucher, T transit).

EVENTS_TEXT = """
[table office]
table-opened; table-paused; table-resumed; table-closed @between; dealer-signed-on; dealer-signed-off; limits-changed
@between; terminal-locked; terminal-unlocked; fault-raised; fault-cleared;
[table shoes]
shoe-committed =shoe/{TABLE}/{shoe}; shoe-loaded = @between; shoe-revealed =shoe/{TABLE}/{shoe}; nonce-committed =;
shoe-mix-opened =shoe/{TABLE}/{shoe}; nonce-revealed =shoe/{TABLE}/{shoe}; shoe-mixed =shoe/{TABLE}/{shoe};
cards-burnt =; face-down-burnt =; new-shoe-required; cut-card-appeared =; shoe-replaced;
[table betting]
betting-opened =round/{TABLE}/{round} @between !; bet-placed/2 = @betting-open ! $bet,C,S; bet-taken-back =
@betting-open $bet-taken-back,S,C; bets-cleared = @betting-open $bet-taken-back,S,C; betting-closed = @betting-open !;
[table playing]
card-dealt = @bets-closed @initial-deal @players-third @bankers-third !; result-declared = @complete !; seat-settled =
@complete !; round-settled = @complete !;
[table insuring]
insurance-opened = @window !; insurance-placed = @window ! $bet,C,S; insurance-closed = !; insurance-skipped =;
insurance-waived; waiver-taken-back; insurance-returned = $bet-returned,S,C;
[table reports]
irregularity-reported; irregularity-decided; report-withdrawn; cards-reconstructed =; cards-put-in-order =;
cards-discarded;
[table changes]
bet-voided =; bet-restored =; bets-returned =; round-voided; settlement-reversed =; cards-corrected; round-taken-up
=later/{TABLE}/{about_round}; bet-ruled; earlier-cards-corrected; earlier-seat-settled =;
[table credit]
credit-bought/2 $buy-in,D,C; hand-paid/2 $hand-pay,C,D; voucher-issued =voucher/{number} $voucher-out,C,V;
voucher-inserted =voucher/{number} $voucher-in,V,C; voucher-voided $voucher-voided,V,C; debt-left ~; visitor-seated
=visitor/{TABLE}/{home_table}-{home_seat} ~; credit-taken-along =transit/{transit} ~
$credit-sent,C,transit/{to_table}-{to_seat}; credit-brought =transit/{transit} ~ $credit-received,T,C;
credit-sent-home =transit/{transit} ~ $credit-sent,C,T; credit-came-home =transit/{transit} ~
$credit-received,transit/{from_table}-{from_seat},C;
[table told]
wrong-voucher-codes; request-refused =; late-bet-refused =; bets-not-doubled =; round-interrupted; table-held;
table-continued; alarm-taken =; round-frozen; attendant-called =; call-withdrawn =; call-taken =; call-cleared =;
session-started =session ~; session-ended =session; seat-released; play-limits-set =session; reality-check-due
=session; play-paused =session; play-continued =session; break-taken =session; play-time-noted =; player-carded-in
=player/{player}; player-carded-out =player/{player}; player-barred; play-counted =player/{player} ~;
[venue office]
program-started; program-stopped; key-changed; checkpoint-key-set; loss-accepted; venue-restored; clock-jumped;
clock-behind; wrong-codes-at-desk; voucher-paid/2 =voucher/{number} $voucher-paid,V,D; request-refused =;
drawer-opened $drawer-float,D,vault/main; drawer-filled $drawer-fill,D,vault/main; drawer-returned
$drawer-return,vault/main,D; drawer-closed;
[venue staff]
staff-added/2; administrator-claimed; role-changed/2; staff-disabled; staff-enabled; code-issued/2; password-changed;
sign-in; sign-in-failed; locked-out; unlocked; signed-out; peer-refused; device-added; device-enrolled;
occupied-seat-enrolled; device-revoked; player-added; player-renamed; player-card-issued; player-pin-issued;
player-pin-changed =; player-pin-failed =; player-locked-out; player-closed; player-reopened; player-excluded;
exclusion-lifted; excluded-player-refused;
"""
class Event(NamedTuple):
    version: int
    method: str
    marks: dict[str, list[str]]  # by their first character

EVENTS: dict[tuple[str, str], Event] = {}
_stream = _method = ""
for _words in (_item.split() for _item in EVENTS_TEXT.replace("]", "];").split(";") if _item.strip()):
    if _words[0].startswith("["):
        _stream, _method = _words[0][1:], _words[1][:-1]
        continue
    _tag, _, _version = _words[0].partition("/")
    _marks: dict[str, list[str]] = {_mark: [] for _mark in "=@!~$"}
    for _word in _words[1:]:
        _marks[_word[0]] += {
            "@between": ["no-round", "settled", "void"], "@window": ["four-cards-insurance", "third-card-insurance"],
        }.get(_word, [_word[1:]])
    EVENTS[_stream, _tag] = Event(int(_version or 1), _method, _marks)

# --- A table ---------------------------------------------------------------------------------------------------------

Moves = list[list[Any]]
BY_TERMINAL = {"bet-placed", "bet-taken-back", "bets-cleared", "insurance-placed", "voucher-issued", "voucher-inserted"}
LINE = ("wager", "stake_cents", "result", "odds", "returned_cents", "net_cents")

def moves(*steps: tuple[str, str, str, int]) -> Moves:
    return [list(step) for step in steps if step[3] > 0]

def ranks_of(cards: Iterable[str]) -> str:
    return "".join(card[0] for card in cards)

def hands_of(ranks: str) -> list[str | None]:
    return [next_hand(ranks[:place]) for place in range(len(ranks))]

MIX = "natural9 mix 1"

def mixed(order: list[str], house: str, mix: Record) -> list[str]:
    """A shoe that nobody chose alone: the house's order, changed by what the seats brought (SHAKE-256, no bias)."""
    parts, cards = [MIX, house, mix["checkpoint"]], list(order)
    message = b"".join(len(part.encode()).to_bytes(8, "big") + part.encode() for part in parts)
    message += len(mix["nonces"]).to_bytes(8, "big")
    for seat, nonce in sorted(mix["nonces"].items()):
        message += seat.to_bytes(8, "big") + len(nonce.encode()).to_bytes(8, "big") + nonce.encode()
    data = hashlib.shake_256(message).digest(16 * len(order))
    words = (int.from_bytes(data[place : place + 2], "big") for place in range(0, len(data), 2))
    for n in range(len(cards), 1, -1):
        index = next(word for word in words if word < 65536 - 65536 % n) % n
        cards[n - 1], cards[index] = cards[index], cards[n - 1]
    return cards

class Shoe:
    def __init__(self, r: Record) -> None:
        self.number, self.decks, self.rules, self.offered = r["shoe"], r["decks"], r["rules_sha256"], r["offered"]
        self.burns, self.counts, self.to_come = r.get("burns"), r.get("counts_burnt"), -1
        self.left, self.cut, self.commitment, self.mix = Counter(dict.fromkeys(DECK, self.decks)), False, "", Record()
        self.out: list[str] = []  # in the order they came out; "-" for one that nobody saw

    def take(self, card: str) -> None:
        must(self.left[card] > 0, f"the card {card} comes out of shoe {self.number} more often than it is in it")
        self.left[card] -= 1
        self.out.append(card)

    def change(self, was: list[str], cards: list[str]) -> None:
        """The record is put right: these came out, and not those."""
        self.left.update(was)
        self.left.subtract(cards)
        must(len(self.left) == 52 and min(self.left.values()) >= 0, f"{' '.join(cards)} cannot all be of this shoe")
        self.out = self.out[: len(self.out) + len(cards) - len(was)] + ["?"] * (len(cards) - len(was))

    def spent(self) -> bool:
        return self.cut or len(self.out) >= 52 * self.decks

class Round:
    """What is known of a round. Earlier ones wait on disk, for a round can be corrected at any time."""
    def __init__(self, r: Record) -> None:
        self.number, self.game, self.shoe, self.offered = r["round"], r["game"], r["shoe"], r["offered"]
        self.unit, self.limits, self.phase = r["betting_unit_cents"], r["limits"], "betting-open"
        self.cards: list[str] = []
        self.old = r["from_old_set"]  # so many of the first cards, dealt or held, came from another set
        self.bets: dict[int, dict[str, int]] = {}  # by seat and wager, in the order laid
        self.insurance: dict[int, list[Any]] = {}  # (window, hand, cents, odds) by seat, in the order placed
        self.withdrawn, self.returned = Counter[tuple[int, str]](), dict[int, int]()
        self.rulings: dict[tuple[int, str], tuple[int, int, bool]] = {}  # stake, what it returns, whether that is paid
        self.reports: dict[int, Record] = {}
        self.reported = self.staked = self.lost = self.paid = 0
        self.declared = self.settled = False
        self.waived, self.window, self.windows = -1, "", dict[str, Any]()  # the open one; those held, with their offers

    def stake(self, seat: int) -> int:
        insured: int = sum(item[2] for item in self.insurance.get(seat, ()))
        return sum(self.bets.get(seat, {}).values()) + insured

    def seats(self) -> list[int]:
        return sorted(seat for seat in self.bets if self.stake(seat))

    def bet(self, seat: int, wager: str) -> int:
        insured: int = sum(item[2] for item in self.insurance.get(seat, ()) if f"{item[1]}-insurance" == wager)
        return insured or self.bets.get(seat, {}).get(wager, 0)

    def room(self, seat: int, hand: str) -> Fraction:
        """What insurance may still pay: with all there is no more than the bet that it insures (reading 6)."""
        would = (item[2] * ratio(item[3]) for item in self.insurance.get(seat, ()) if item[1] == hand)
        return Fraction(self.bet(seat, hand)) - sum(would, Fraction(0))

    def offers(self, window: str) -> dict[str, str]:
        found = {hand: insurance_odds(window, hand, ranks_of(self.cards)) for hand in ("player", "banker")}
        return {hand: odds for hand, odds in found.items() if odds} if self.game == "rws-nc-insurance" else {}

    def won(self) -> list[str]:
        result = outcome(ranks_of(self.cards))
        return [wager for wager in self.offered if pays(self.game, wager, result)[0] == "win"]

    def settle(self, seat: int) -> tuple[list[tuple[Any, ...]], int]:
        """Each line as it must be, and what goes back of insurance on what these cards never offered."""
        ranks = ranks_of(self.cards)
        result, insurance = outcome(ranks), self.insurance.get(seat, ())
        bets = self.bets.get(seat, {}).items()
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
        lines, back = self.settle(seat)
        mine = [(wager, *ruling) for (of, wager), ruling in self.rulings.items() if of == seat]
        ruled = sum(to - self.by_table(seat, wager) for wager, stake, to, _ in mine if stake == self.bet(seat, wager))
        return back, ruled, sum(line[5] for line in lines) + back + ruled

    def check(self, r: Record, count: Counter[str]) -> tuple[int, int, int]:
        """A seat's lines against the cards: what they return, what of the stakes is lost, what insurance goes back."""
        lines, back = self.settle(r["seat"])
        said = [("", *(line[name] for name in LINE)) for line in r["lines"]]
        said += [(line["window"], *(line[name] for name in LINE)) for line in r["insurance"]]
        for line, should in zip(said, lines, strict=False):
            same(f"seat {r['seat']} (window, {', '.join(LINE)})", line, should)
        same(f"how many bets of seat {r['seat']} are settled", len(said), len(lines))
        count.update(settlements=len(r["lines"]), insurance=len(r["insurance"]))
        return sum(line[5] for line in lines), sum(line[2] for line in lines if line[3] == "lose"), back

class Table:
    def __init__(self, name: str, journal: Journal) -> None:
        self.id, self.journal, self.count = name, journal, journal.count
        self.status, self.dealer, self.begun, self.new_required, self.committed = "closed", "", False, False, (0, 0, "")
        self.settings: Record = {"betting_unit_cents": 0, "limits": {}, "mode": ""}  # as it was opened, and its limits
        self.shoe = self.new_shoe = self.round = None  # type: Any
        self.earlier: Any = None  # the round before this one that entries are about
        self.held: list[str] = []  # cards drawn already, to be played before any other
        self.faults, self.locked, self.visitors = set[str](), set[int](), dict[int, str]()
        self.nonces, self.mix = dict[int, tuple[int, str]](), Record()  # what each seat has committed to for which shoe
        self.numbers: Counter[Any] = Counter()  # vouchers and transits of each seat, visitors
        self.due: deque[tuple[str, Record]] = deque()  # what must follow: a decision that was begun is complete
        self.decided: Record = {}

    def apply(self, kind: str, event: Event, r: Record, b: Record) -> Moves | None:
        marks, source, staff = event.marks, b["from"], b["from"] == "staff"
        self.begun = bool(self.due) and not marks["~"]
        if self.begun: self.expect(kind, r)
        else:
            phase = self.round.phase if self.round else "no-round"
            must(not marks["@"] or phase in marks["@"], f"{kind} cannot come while the round's phase is {phase}")
            if marks["!"]:
                waits = self.faults or (self.round and self.round.reports)
                must(not waits, f"{kind} while there is a fault, or a report waits")
                itself = self.settings["mode"] == "automatic" or (source == "reader" and kind == "card-dealt")
                must(staff or source == "terminal" or itself, f"{kind} by itself at a dealer's table")
        if staff and marks["!"]: self.ranks(b, "dealer", kind)
        must(source == "terminal" or kind not in BY_TERMINAL, f"{kind} comes from the seat's terminal, not {source}")
        if source == "terminal" and r.get("seat"): same("by", b.get("by"), f"{self.id}-{r['seat']}")
        if "by" in r and not (self.begun and kind == "bet-ruled"):
            itself = not staff or r.get("from_file") or r.get("kind") in ("table-interruption", "wrong-area")
            same("by", r["by"], "" if itself and not r["by"] else b.get("by", ""))
        about = kind[:8] == "earlier-" or (kind == "bet-ruled" and self.earlier and r["round"] == self.earlier.number)
        if self.earlier and not about and not marks["~"]:
            self.journal.rounds.keep(self.id, self.earlier)
            self.earlier = None
        found: Moves | None = getattr(self, event.method)(kind, r, b)
        return found

    def ranks(self, b: Record, lowest: str, what: str) -> None:
        """Whoever ranks higher may do it too (reading 16); what the program does by itself has no rank."""
        if b["from"] == "staff":
            rank, roles = b.get("rank", ""), self.journal.roles.get(b.get("by", ""))
            must(rank in RANKS[RANKS.index(lowest) :], f"{what} needs a {lowest}, it was a {rank!r}")
            must(not roles or rank in roles, f"{b.get('by')} was never a {rank}")
            self.count["ranks"] += 1

    def purse(self, seat: int) -> tuple[str, str, str, str, int, int]:
        """The accounts credit, stakes, house and owed; how much credit the seat has, and what it owes."""
        money, credit, owed = self.journal.money, f"credit/{self.id}-{seat}", f"owed/{self.id}-{seat}"
        return credit, f"stake/{self.id}", f"house/{self.id}", owed, money.get(credit, 0), -money.get(owed, 0)

    def told(self, kind: str, r: Record, b: Record) -> None:
        """What moves no money and changes no round."""

    def office(self, kind: str, r: Record, b: Record) -> None:
        if kind == "table-opened":
            must(self.status == "closed" and r["game"] in GAMES, "the table was open already, or its game is none")
            must(4 <= r["decks"] <= (10 if r["game"][:3] == "mbs" else 8), f"{r['decks']} decks are not allowed")
            self.status, self.settings = "open", {**self.settings, **r}
        elif kind in ("table-paused", "table-resumed", "table-closed"):
            before, after = self.status, {"table-paused": "paused", "table-resumed": "open", "table-closed": "closed"}
            self.status = after[kind]
            must(before == "paused" if kind == "table-resumed" else before != "closed", f"{kind} when it was {before}")
            must(kind != "table-closed" or not self.dealer, f"{self.dealer} is still signed on")
        elif kind in ("dealer-signed-on", "dealer-signed-off"):
            on = kind == "dealer-signed-on"
            same("the dealer before", r["relieves"] if on else r["dealer"], self.dealer)
            self.ranks(b, "dealer" if on or b.get("by") == self.dealer else "pit-supervisor", "signing somebody off")
            self.dealer = r["dealer"] if on else ""
        elif kind == "limits-changed": self.settings = {**self.settings, **r}
        elif kind in ("terminal-locked", "terminal-unlocked"):
            (self.locked.add if kind == "terminal-locked" else self.locked.discard)(r["seat"])
        elif kind in ("fault-raised", "fault-cleared"):
            (self.faults.add if kind == "fault-raised" else self.faults.discard)(r["fault"])

    def shoes(self, kind: str, r: Record, b: Record) -> None:
        shoe, new = self.shoe, self.new_shoe
        if kind == "shoe-committed": self.committed = (r["shoe"], r["decks"], r["commitment"])
        elif kind == "shoe-loaded":
            after = [old.number + 1 for old in (shoe, new) if old] or [1]  # after a new one: that could not be read
            must(r["shoe"] in after, f"shoe {r['shoe']} comes after {after[0] - 1}")
            rules = {old.rules for old in (shoe, new) if old} | {r["rules_sha256"]}
            if shoe and not shoe.spent() and not self.new_required and len(rules) == 1:
                self.ranks(b, "pit-supervisor", "other cards before the cut card")
            if self.settings["shoe"] == "shuffler":
                same("the commitment's shoe and decks", self.committed[:2], (r["shoe"], r["decks"]))
            self.new_shoe = Shoe(r)
            self.new_shoe.commitment, self.new_shoe.mix = self.committed[2], self.mix
            self.committed, self.mix = (0, 0, ""), {}
        elif kind == "nonce-committed": self.nonces[r["seat"]] = (r["shoe"], r["commitment"])
        elif kind == "shoe-mix-opened":
            listed = [[seat, mine] for seat, (number, mine) in sorted(self.nonces.items()) if number == r["shoe"]]
            says(r, shoe=self.committed[0], commitment=self.committed[2], seats=listed, rule=MIX)
            self.nonces = {seat: made for seat, made in self.nonces.items() if made[0] > r["shoe"]}
            self.mix = {"seats": dict(r["seats"]), "checkpoint": r["checkpoint"], "nonces": {}, "done": False}
            size, _, root = r["checkpoint"].partition(" ")
            same("checkpoint", root, self.journal.roots.get(size, root))
        elif kind == "nonce-revealed":
            text = f"natural9 nonce 1\ntable {self.id}\nshoe {r['shoe']}\nseat {r['seat']}\nnonce {r['nonce']}\n"
            must(not new.mix["done"] and r["seat"] not in new.mix["nonces"], "revealed twice, or too late")
            same("what the seat committed to", new.mix["seats"].get(r["seat"]), sha256(text.encode()).hexdigest())
            new.mix["nonces"][r["seat"]] = r["nonce"]
        elif kind == "shoe-mixed":
            came = sorted(new.mix["nonces"])
            must(not new.mix["done"], "a shoe is mixed once")
            left_out = sorted(new.mix["seats"].keys() - set(came))
            says(r, shoe=new.number, commitment=new.commitment, seats=came, left_out=left_out)
            new.mix["done"] = True
            self.count["mixed shoes"] += 1
        elif kind == "shoe-revealed":
            says(r, shoe=shoe.number, decks=shoe.decks, commitment=shoe.commitment, dealt=len(shoe.out))
            text = f"natural9 shoe 1\ndecks {r['decks']}\nsalt {r['salt']}\norder {r['order']}\n"
            same("commitment", r["commitment"], sha256(text.encode()).hexdigest())
            order = r["order"].split(" ")
            must(Counter(order) == Counter(dict.fromkeys(DECK, shoe.decks)), "the order is not one of whole decks")
            comes = mixed(order, shoe.commitment, shoe.mix) if shoe.mix else order
            for place, (card, came) in enumerate(zip(comes, shoe.out, strict=False), 1):
                must(came in (card, "-"), f"card {place} of the shoe was {came}, and {card} was committed to")
            shoe.commitment = "revealed"
            self.count["shoes"] += 1
        elif kind == "cards-burnt":
            must(new.burns and (r["why"] or not new.out), "nothing to burn, or a correction of it without a reason")
            read = max(0, len(new.out) - 1) if new.counts else 0
            new.left, new.out, new.to_come = Counter(dict.fromkeys(DECK, new.decks)), [], 0
            new.take(r["card"])
            new.to_come = (POINTS[r["card"][0]] or 10) - read if new.counts else 0
            says(r, shoe=new.number, face_down=POINTS[r["card"][0]] or 10, to_come=new.to_come)
            new.out += ["-"] * (r["face_down"] - r["to_come"])
        elif kind == "face-down-burnt":
            new.to_come -= r["cards"]
            must(r["left"] == new.to_come >= 0, f"{new.to_come} burnt cards are to come, it says {r['left']}")
            new.out += ["-"] * r["cards"]
        elif kind == "new-shoe-required": self.new_required = True
        elif kind == "cut-card-appeared":
            must(not shoe.cut and not new, "the cut card comes once in a shoe")
            shoe.cut = True
        elif kind == "shoe-replaced":
            may = self.round.game == "rws-nc" and self.decided["kind"] == "drawn-together-order-unknown"
            must(may, "no clause lets the shoe be replaced")
            says(r, shoe=shoe.number + 1, decks=shoe.decks)
            self.shoe = Shoe({**r, "offered": shoe.offered, "rules_sha256": shoe.rules})
            self.round.old = len(self.round.cards) + len(self.held)

    def betting(self, kind: str, r: Record, b: Record) -> None:
        g, seat, wager = self.round, r.get("seat", 0), r.get("wager", "")
        if kind == "bet-placed":
            must(wager in g.offered, f"{wager} is not on offer")
            self.lay(seat, r["cents"])
            bets = g.bets.setdefault(seat, {})
            bets[wager] = lies = bets.get(wager, 0) + r["cents"]
            low, high = g.limits.get(wager, (0, lies))
            must(low <= lies <= high, f"{lies} cents on {wager}: the limits are {low} and {high}")
            if g.withdrawn: g.withdrawn[seat, wager] = max(0, g.withdrawn[seat, wager] - r["cents"])
            self.count["bets"] += 1
        elif kind == "bet-taken-back":
            self.take(seat, wager, r["cents"])
            must(g.bet(seat, wager) == 0 or g.bet(seat, wager) >= g.limits.get(wager, (0, 0))[0], "too little stays")
            g.withdrawn[seat, wager] += r["cents"]
        elif kind == "bets-cleared":
            same("cents", r["cents"], g.stake(seat))
            for wager, cents in list(g.bets[seat].items()):
                self.take(seat, wager, cents)
                g.withdrawn[seat, wager] += cents
        elif kind == "betting-closed":
            same("staked_cents", r["staked_cents"], sum(map(g.stake, g.seats())))
            least = self.settings.get("seat_min_cents", 0)
            must(all(g.stake(seat) >= least for seat in g.seats()), f"a seat has bet less than {least} cents")
            g.phase = "bets-closed"
        elif kind == "betting-opened":
            old = max(0, g.old - len(g.cards)) if g else 0
            if g:
                self.journal.rounds.keep(self.id, g)
                self.held, old = (self.held, old) if g.game == r["game"] else ([], 0)
            if self.new_shoe:
                new = self.new_shoe
                must(not new.burns or new.to_come == 0, "the shoe's first cards are not burnt yet")
                must(not new.mix or new.mix["done"], "the seats have not mixed the shoe yet")
                self.shoe, self.new_shoe, self.new_required, old = self.new_shoe, None, False, len(self.held)
            shoe, settings = self.shoe, self.settings
            must(self.status == "open" and not shoe.spent() and not self.new_required, "no open table, or no good shoe")
            says(r, round=g.number + 1 if g else 1, shoe=shoe.number, held=self.held, from_old_set=old,
                 rules_sha256=shoe.rules, betting_unit_cents=settings["betting_unit_cents"], limits=settings["limits"],
                 offered=shoe.offered)
            same("dealer", r.get("dealer", ""), self.dealer)
            on = [wager for wager in GAMES[r["game"]] if wager not in OPTIONAL or wager in shoe.offered]
            same("offered", r["offered"], on)
            must(not r["limits"] or set(r["offered"]) <= set(r["limits"]), "a wager is on offer without limits")
            self.round = Round(r)
            self.count["rounds"] += 1

    def lay(self, seat: int, cents: int) -> None:
        g, most = self.round, (self.settings.get("seat_max_cents"), self.settings.get("table_max_cents"))
        must(0 < cents <= 10**12 and cents % (g.unit or 1) == 0, f"{cents} cents is no multiple of the betting unit")
        must(seat not in self.locked, f"terminal {seat} is locked")
        g.staked += cents
        must(most[0] is None or g.stake(seat) + cents <= most[0], f"a seat bets {most[0]} cents at most")
        must(most[1] is None or g.staked <= most[1], f"the table takes {most[1]} cents at most")

    def take(self, seat: int, wager: str, cents: int) -> None:
        g, bets = self.round, self.round.bets.get(seat, {})
        must(0 < cents <= bets.get(wager, 0), f"{cents} cents of {wager} do not lie at seat {seat}")
        g.staked -= cents
        bets[wager] -= cents
        if not bets[wager]: del bets[wager]

    def stands(self) -> str:
        """The phase of the round by its cards; before a card that is known there is no insurance (reading 28)."""
        g, dealt, hand = self.round, len(self.round.cards), next_hand(ranks_of(self.round.cards))
        if dealt < 4 or hand is None: return "complete" if hand is None else "initial-deal" if dealt else "bets-closed"
        window = "four-cards" if dealt == 4 else "third-card"
        offers = {} if self.held or (dealt == 5 and g.waived >= 0) else g.offers(window)
        return f"{window}-insurance" if offers and g.windows.get(window) != offers else f"{hand}s-third"

    def playing(self, kind: str, r: Record, b: Record) -> Moves | None:
        g = self.round
        if kind == "card-dealt":
            same("hand", r["hand"], next_hand(ranks_of(g.cards)))
            if self.held: same("card", r["card"], self.held.pop(0))
            else: self.shoe.take(r["card"])
            g.cards.append(r["card"])
            g.phase = self.stands()
            same("phase", r["phase"], g.phase)
            if r["put_at"] != r["hand"]: self.due.append(("irregularity-reported", {"kind": "wrong-area"}))
            self.count["cards"] += 1
        elif kind == "result-declared":
            must(not g.declared, "the result was declared already")
            result = outcome(ranks_of(g.cards))
            says(r, winner=result.winner, player_total=result.player, banker_total=result.banker, won=g.won())
            g.declared = True
            self.count["results"] += 1
        elif kind == "seat-settled": return self.settle(r)
        elif kind == "round-settled":
            must(g.declared and (self.begun or not g.seats()), "the round is settled before its bets are")
            staked = sum(g.stake(seat) for seat in g.seats())
            says(r, staked_cents=staked, stakes_returned_cents=staked - g.lost, collected_cents=g.lost,
                 winnings_cents=g.paid - (staked - g.lost))
            g.phase, g.settled, g.lost, g.paid = "settled", True, 0, 0
        return None

    def settle(self, r: Record) -> Moves:
        g, seat = self.round, r["seat"]
        must(g.declared, "a settlement without a declared result")
        if not self.begun:
            same("seat", seat, next(iter(g.seats()), None))
            self.due.extend([*(("seat-settled", {"seat": other}) for other in g.seats()[1:]), ("round-settled", {})])
        (returned, lost, back), staked = g.check(r, self.count), g.stake(seat)
        says(r, staked_cents=staked, returned_cents=returned)
        covered = not back and min(g.room(seat, "player"), g.room(seat, "banker")) >= 0
        must(covered, f"insurance of seat {seat} is not covered by its bets")
        for (of, wager), (stake, ruled, _) in g.rulings.items():  # a ruling outlives the settlement
            if of == seat and stake == g.bet(seat, wager):
                g.rulings[of, wager] = (stake, ruled, False)
                if ruled != g.by_table(seat, wager):
                    self.due.appendleft(("bet-ruled", {"seat": seat, "wager": wager, "returned_cents": ruled}))
        g.returned[seat], g.lost, g.paid = returned, g.lost + lost, g.paid + returned
        credit, stakes, house, owed, has, owes = self.purse(seat)
        return moves(
            ("stake-lost", stakes, house, lost), ("stake-returned", stakes, credit, staked - lost),
            ("winnings", house, credit, returned - staked + lost),
            ("owed-repaid", credit, owed, min(owes, has + returned)),
        )

    def insuring(self, kind: str, r: Record, b: Record) -> None:
        g, waives = self.round, kind == "insurance-waived"
        if kind == "insurance-opened":
            window, offers = r["window"], g.offers(r["window"])
            must(f"{window}-insurance" == g.phase and not g.window, f"the window {window} cannot open now")
            same("offers", r["offers"], offers)
            g.window, g.windows[window] = window, offers
            pairs = ((seat, hand) for seat in g.seats() for hand in offers if g.bet(seat, hand))
            if not any(g.room(seat, hand) >= g.unit * ratio(offers[hand]) for seat, hand in pairs):
                self.due.append(("insurance-closed", {"window": window}))
        elif kind == "insurance-placed":
            says(r, window=g.window, odds=g.windows[g.window].get(r["hand"]))
            self.lay(r["seat"], r["cents"])
            g.insurance.setdefault(r["seat"], []).append((r["window"], r["hand"], r["cents"], r["odds"]))
            must(g.room(r["seat"], r["hand"]) >= 0, f"insurance of {r['hand']} would pay more than the bet")
        elif kind in ("insurance-closed", "insurance-skipped"):
            must(kind == "insurance-skipped" or r["window"] == g.window, f"the window {r['window']} is not open")
            g.window, g.phase = "", f"{next_hand(ranks_of(g.cards))}s-third"
            same("phase", r["phase"], g.phase)
        elif kind in ("insurance-waived", "waiver-taken-back"):
            self.ranks(b, "pit-supervisor", kind)
            due = len(g.cards) == 4 and next_hand(ranks_of(g.cards)) == "player"
            may = g.waived < 0 and ((g.phase == "third-card-insurance" and not g.window) or due)
            must(may if waives else g.waived == len(g.cards) and r["why"], f"{kind} cannot come, or has no reason")
            g.waived = len(g.cards) if waives else -1
            g.phase = self.stands() if len(g.cards) == 5 else g.phase
            same("phase", r["phase"], g.phase)
        elif kind == "insurance-returned":
            left, items = r["cents"], g.insurance.get(r["seat"], [])
            for place in range(len(items) - 1, -1, -1):  # what was taken last goes back first
                window, hand, cents, odds = items[place]
                gone = min(left, cents) if (window, hand) == (r["window"], r["hand"]) else 0
                left -= gone
                items[place : place + 1] = [(window, hand, cents - gone, odds)] if cents > gone else []
            must(left == 0, f"{r['cents']} cents of insurance do not lie there")
            g.staked -= r["cents"]

    def remedies(self, r: Record) -> tuple[list[str], str]:
        """What may be decided about a report as things stand, and the rank that decides."""
        g, over, about = self.round, self.round.phase in ("settled", "void"), r["about_round"] is not None
        if r["confirm"]: return ["confirm-cards"], "pit-supervisor"
        clauses = {**CLAUSES["mbs" if g.game[:3] == "mbs" else g.game], **CLAUSES["everywhere"]}
        silent = clauses["not-covered"]
        clause = clauses.get(r["kind"], silent)
        clause = silent if "first" in clause[2] and not g.cards else clause
        ranks = ranks_of(g.cards)
        for card in self.held: ranks += card[0] if next_hand(ranks) else ""
        due = not over and next_hand(ranks_of(g.cards)) is not None
        sure = any(word[-2:] in ("/e", "/u") for word in clause[0]) and established(g.game, tuple(g.offered), ranks)
        holds = {"": True, "d": due, "n": not due, "p": not over, "e": sure, "u": not sure}
        out = set()  # of reach
        if about:
            out = {"void", "reconstruct", "discard", "decide-order", "use-in-next-round", "refuse-bet", "bet-stands"}
        elif not r["cards"]: out = {"discard", "decide-order", "use-in-next-round", *(("reconstruct",) if over else ())}
        elif clause is silent: out = {"no-effect", "settle-by-cards"}
        if g.phase == "void" and not about: out |= {"void", "settle-by-cards", "refuse-bet", "bet-stands"}
        words = (word.partition("/") for word in clause[0])
        later = next((mark for mark in clause[2] if mark in RANKS), clause[1])
        return [remedy for remedy, _, when in words if holds[when] and remedy not in out], later if about else clause[1]

    def reports(self, kind: str, r: Record, b: Record) -> None:
        g, n, report = self.round, r.get("report"), Record()
        if kind in ("irregularity-decided", "report-withdrawn"):
            report = g.reports.pop(n, {"kind": "none"})
            says(r, kind=report["kind"], rank=b.get("rank", "dealer") if r["by"] else "dealer")
        if kind == "irregularity-reported":
            g.reported += 1
            remedies, rank = self.remedies(r)
            same("remedies", [remedy for remedy, _ in r["remedies"]], remedies)
            says(r, report=g.reported, rank=rank, by_rank=b.get("rank", "dealer") if r["by"] else "dealer")
            late, bet = r["kind"] == "late-bet", (r["bet_seat"], r["wager"])
            if late or r["kind"] == "withdrawn-bet":
                must(0 < r["cents"] <= (g.bet(*bet) if late else g.withdrawn[bet]), "no such bet lies, or is withdrawn")
            for card in r["cards"]: self.shoe.take(card)
            g.reports[n] = r
        elif kind == "irregularity-decided":
            self.decided, (remedies, rank) = report, self.remedies(report)
            same("paragraph", r["paragraph"], dict(report["remedies"]).get(r["remedy"], r["paragraph"]))
            must(r["remedy"] in remedies, f"{r['remedy']} cannot be decided: {' or '.join(remedies) or 'nothing'} can")
            must(r["by"] or (r["kind"] == "table-interruption" and len(remedies) == 1), "nobody decided it")
            if r["by"]: self.ranks(b, rank, f"deciding about {r['kind']}")
            self.due.extend(self.follow(r["remedy"], report, r["paragraph"]))
            self.count["decisions"] += 1
        elif kind == "report-withdrawn":
            lowest = max(min(RANKS.index(report["rank"]), 1), RANKS.index(report["by_rank"]))
            self.ranks(b, RANKS[lowest], "withdrawing this report")
            must(r["why"], "withdrawn without a reason")
            self.shoe.change(report["cards"], [])
        elif kind == "cards-put-in-order":
            same("cards", sorted(r["cards"]), sorted(self.decided["cards"]))
            self.held += r["cards"]
        elif kind == "cards-reconstructed": same("put_at", r["put_at"], hands_of(ranks_of(g.cards)))
        elif kind == "cards-discarded":
            must(r["why"], "discarded without a reason")
            for card in r["cards"] if r["waited"] else ():
                report = {"kind": "excess-or-exposed", "confirm": False, "cards": [card], "about_round": None}
                self.ranks(b, self.remedies(report)[1], "discarding cards")
                g.old -= len(g.cards) + self.held.index(card) < g.old
                self.held.remove(card)

    def follow(self, remedy: str, report: Record, clause: str) -> Iterator[tuple[str, Record]]:
        """What else belongs to a decision, where that is known beforehand."""
        g, cards, seat, wager = self.round, report["cards"], report["bet_seat"], report["wager"]
        if remedy == "void": yield from self.void(report["kind"], clause)
        elif remedy == "discard": yield "cards-discarded", {"cards": cards, "waited": False}
        elif cards and remedy in ("reconstruct", "use-in-next-round", "decide-order", "continue"):
            yield "cards-put-in-order", {}
            if g.phase.endswith("-insurance"): yield "insurance-skipped", {}
        elif remedy == "reconstruct": yield "cards-reconstructed", {}
        elif remedy == "bet-stands": yield "bet-restored", {"seat": seat, "wager": wager, "cents": report["cents"]}
        elif remedy == "refuse-bet" and g.bet(seat, wager):
            cents = min(report["cents"], g.bet(seat, wager))
            insured = wager.endswith("-insurance")
            yield ("insurance-returned", {"seat": seat, "cents": cents}) if insured else (
                "bet-voided", {"seat": seat, "wager": wager, "cents": cents})

    def void(self, kind: str | None, clause: str) -> Iterator[tuple[str, Record]]:
        g = self.round
        if g.settled:
            yield from (("settlement-reversed", {"seat": seat, "cents": g.returned[seat]}) for seat in g.seats())
        for (seat, wager), (stake, ruled, _) in g.rulings.items():
            if not g.bet(seat, wager) and ruled != stake:
                yield "bet-ruled", {"seat": seat, "wager": wager, "returned_cents": stake}
        yield from (("bets-returned", {"seat": seat, "cents": g.stake(seat)}) for seat in g.seats())
        yield "round-voided", {"returned_cents": sum(map(g.stake, g.seats())), "kind": kind, "clause": clause}
        if kind in NEW_SHOE_AFTER: yield "new-shoe-required", {"kind": kind}

    def start(self, kind: str, r: Record, events: Iterable[tuple[str, Record]]) -> None:
        """The first event of a decision that nothing announced: it must be the first of these; the others follow."""
        self.due.extend(events)
        self.expect(kind, r)

    def expect(self, kind: str, r: Record) -> None:
        tag, fields = self.due.popleft()
        same("the event that is due", kind, tag)
        says(r, **fields)

    def changes(self, kind: str, r: Record, b: Record) -> Moves | None:
        g, seat, cents = self.earlier or self.round, r.get("seat", 0), r.get("cents", 0)
        credit, stakes, house, owed, has, owes = self.purse(seat)
        back = [("bet-returned", stakes, credit, cents), ("owed-repaid", credit, owed, min(owes, has + cents))]
        if kind == "round-taken-up": self.earlier = self.journal.rounds.load(self.id, r["about_round"])
        elif kind in ("bets-returned", "round-voided"):
            if not self.begun:
                self.ranks(b, "shift-manager", "voiding a round by authority")
                must(g.phase not in ("settled", "void"), "a round that is settled or void is voided by authority")
                self.start(kind, r, self.void(None, AUTHORITY.get(g.game, "mbs 6.1")))
            if kind == "bets-returned":
                g.bets.pop(seat), g.insurance.pop(seat, None)
                g.withdrawn = Counter({key: lay for key, lay in g.withdrawn.items() if key[0] != seat})
                return moves(*back)
            must(r["why"] or not r["by"], "a void without a reason")
            g.phase, g.settled, g.staked, g.window = "void", False, 0, ""
            g.reports = {n: x for n, x in g.reports.items() if x["cards"] or x["about_round"] is not None}
            self.count["voids"] += 1
        elif kind == "bet-voided":
            must(r["why"] and not g.settled, "a bet is voided with a reason, before the round is settled")
            if not self.begun: self.ranks(b, "shift-manager", "a ruling")
            self.take(seat, r["wager"], cents)
            kept = list(g.insurance.get(seat, []))
            for item in reversed(kept[:]):  # from the last on: what is above the cap goes back whole
                if sum(x[2] * ratio(x[3]) for x in kept if x[1] == item[1]) > g.bet(seat, item[1]):
                    kept.remove(item)
                    named = dict(zip(("window", "hand", "cents"), item, strict=False))
                    self.due.append(("insurance-returned", {"seat": seat, **named}))
            return moves(*back)
        elif kind == "bet-restored":
            must(self.begun and r["why"], "a bet is restored by a decision, with a reason")
            g.bets.setdefault(seat, {})[r["wager"]] = g.bet(seat, r["wager"]) + cents
            g.withdrawn[seat, r["wager"]] -= cents
            g.staked += cents
            return moves(("owed", owed, credit, max(0, cents - has)), ("bet-restored", credit, stakes, cents))
        elif kind == "settlement-reversed":
            if not self.begun:
                must(g.settled, "the round is not settled")
                each = [(kind, {"seat": other, "cents": g.returned[other]}) for other in g.seats()]
                self.start(kind, r, [*each, ("cards-corrected", {})])
            staked, kept_back = g.stake(seat), min(cents, g.stake(seat))
            return moves(
                ("owed", owed, credit, max(0, cents - has)), ("stake-returned-reversed", credit, stakes, kept_back),
                ("winnings-reversed", credit, house, cents - kept_back),
                ("stake-lost-reversed", house, stakes, staked - kept_back),
            )
        elif kind == "cards-corrected": self.correct(r, b)
        elif kind == "bet-ruled": return self.rule(g, r, b)
        elif kind == "earlier-cards-corrected":
            says(r, round=g.number, shoe=g.shoe, was=g.cards, from_old_set=min(g.old, len(g.cards)))
            won, suits = g.won() if g.settled else [], ranks_of(g.cards) == ranks_of(r["cards"])
            g.cards = r["cards"]
            seats = g.seats() if g.settled else []
            changed = [other for other in seats if g.again(other)[2] != g.returned[other] or g.again(other)[0]]
            lowest = "dealer" if suits else "shift-manager" if changed or won != r["won"] else "pit-supervisor"
            self.ranks(b, lowest, "this correction")
            if self.shoe.number == g.shoe: self.shoe.change(r["was"][g.old :], r["cards"][g.old :])
            same("won", r["won"], g.won() if g.settled else [])
            must(r["why"], "corrected without a reason")
            self.due.extend(("earlier-seat-settled", {"seat": other}) for other in changed)
            self.count["corrections"] += 1
        elif kind == "earlier-seat-settled": return self.settle_earlier(g, r)
        return None

    def correct(self, r: Record, b: Record) -> None:
        g, again, before, after = self.round, self.round.settled, ranks_of(self.round.cards), ranks_of(r["cards"])
        changed = before != after and g.phase != "void"
        must(not (changed and again and g.seats() and not self.begun), "the settlement was not reversed")
        same("put_at", r["put_at"], hands_of(after))
        self.shoe.change((g.cards + self.held)[g.old :], (r["cards"] + r["held"])[g.old :])
        results = [outcome(ranks) if next_hand(ranks) is None else None for ranks in (before, after)]
        placed = [(seat, *item) for seat in sorted(g.insurance) for item in g.insurance[seat]]
        lost = [item for item in placed if insurance_odds(item[1], item[2], after) != item[4]]
        if b.get("type") != "decide" and before != after and g.declared:
            clauses = CLAUSES["mbs" if g.game[:3] == "mbs" else g.game]
            wrong = clauses.get("wrong-result", CLAUSES["everywhere"]["not-covered"])[1]
            self.ranks(b, wrong if results[0] != results[1] or lost else "pit-supervisor", "this correction")
        must(r["why"] or not g.declared, "corrected without a reason")
        g.cards, self.held = r["cards"], r["held"]
        if changed:
            g.declared, g.settled, g.window, g.phase = False, False, "", self.stands()
            for seat, window, hand, cents, _ in lost:
                self.due.append(("insurance-returned", {"seat": seat, "window": window, "hand": hand, "cents": cents}))
            if again and g.phase == "complete":
                seats = (("seat-settled", {"seat": seat}) for seat in g.seats())
                self.due.extend([("result-declared", {}), *seats, ("round-settled", {})])
        same("phase", r["phase"], g.phase)
        self.count["corrections"] += 1

    def rule(self, g: Round, r: Record, b: Record) -> Moves:
        """The manager's ruling on one bet of a settled round (reading 26)."""
        seat, wager, lies = r["seat"], r["wager"], g.bet(r["seat"], r["wager"])
        stake, ruled = lies or g.withdrawn[seat, wager], g.rulings.get((seat, wager), (0, 0, False))
        was = ruled[1] if ruled[2] and ruled[0] == stake else g.by_table(seat, wager) if lies else stake
        says(r, round=g.number, stake_cents=stake, was_cents=was)
        if not self.begun: self.ranks(b, "shift-manager", "a ruling")
        more = r["returned_cents"] - was
        must(r["why"] and stake and more and (g.settled or self.begun), "no settled bet, no reason, or nothing changes")
        g.rulings[seat, wager] = (stake, r["returned_cents"], True)
        g.returned[seat] = g.returned.get(seat, 0) + (more if lies else 0)
        self.count["rulings"] += 1
        credit, _, house, owed, has, owes = self.purse(seat)
        if more < 0: return moves(("owed", owed, credit, max(0, -more - has)), ("ruling", credit, house, -more))
        return moves(("ruling", house, credit, more), ("owed-repaid", credit, owed, min(owes, has + more)))

    def settle_earlier(self, g: Round, r: Record) -> Moves:
        seat, staked, was = r["seat"], g.stake(r["seat"]), g.returned[r["seat"]]
        must(self.begun, "nothing changes for this seat")
        g.check(r, self.count)
        back, ruled, now = g.again(seat)
        says(r, round=g.number, staked_cents=staked, was_cents=was, insurance_back_cents=back, ruled_cents=ruled,
             returned_cents=now)
        g.returned[seat] = now
        stake_more = min(now, staked) - min(was, staked)
        win_more = now - was - stake_more
        credit, stakes, house, owed, has, owes = self.purse(seat)
        short = max(0, -(stake_more + win_more) - has)
        return moves(
            ("stake-lost-reversed", house, stakes, stake_more), ("stake-returned", stakes, credit, stake_more),
            ("winnings", house, credit, win_more), ("owed", owed, credit, short),
            ("stake-returned-reversed", credit, stakes, -stake_more), ("stake-lost", stakes, house, -stake_more),
            ("winnings-reversed", credit, house, -win_more),
            ("owed-repaid", credit, owed, 0 if short else min(owes, has + max(0, stake_more + win_more))),
        )

    def credit(self, kind: str, r: Record, b: Record) -> None:
        journal, seat, place = self.journal, r.get("seat", 0), f"{self.id}-{r.get('seat')}"
        rest = tuple(r.get(name) for name in ("cents", "decided_cents", "staked_cents", "rounds"))
        if kind in ("credit-bought", "hand-paid"):
            must(r["desk"] == b.get("by") != r.get("signed_by") and 0 < r["cents"] <= 10**12, "wrong desk or sum")
        elif kind == "voucher-issued":
            self.numbers["voucher", seat] += 1
            same("number", r["number"], f"{place}-{self.numbers['voucher', seat]}")
            journal.out[f"voucher/{r['number']}"] = (r["cents"], r["expires_at_ms"], place)
        elif kind == "voucher-inserted":
            cents, expires, _ = journal.redeem(f"voucher/{r['number']}")
            must(r["cents"] == cents and journal.at_ms < expires, f"the voucher is of {cents} cents, until {expires}")
        elif kind == "voucher-voided":
            cents, _, issued = journal.redeem(f"voucher/{r['number']}")
            same("cents, seat", (r["cents"], place), (cents, issued))
        elif kind == "debt-left": same("cents", r["cents"], self.purse(seat)[5])
        elif kind == "visitor-seated":
            self.numbers["visitors"] += 1
            same("seat", seat, 10_000 + self.numbers["visitors"])
            self.visitors[seat] = f"{r['home_table']}-{r['home_seat']}"
        elif kind in ("credit-taken-along", "credit-sent-home"):
            self.numbers["transit", seat] += 1
            same("transit", r["transit"], f"{place}-{self.numbers['transit', seat]}")
            to = f"{r['to_table']}-{r['to_seat']}" if "to_table" in r else self.visitors[seat]
            journal.out[f"transit/{r['transit']}"] = (place, to, *rest)
        elif kind in ("credit-brought", "credit-came-home"):
            sender = f"{r['from_table']}-{r['from_seat']}" if "from_table" in r else self.visitors[seat]
            sent = journal.redeem(f"transit/{r['transit']}")
            same("from, to, cents, decided, staked, rounds", (sender, place, *rest), sent)

# --- The journal -----------------------------------------------------------------------------------------------------

class Rounds:
    """Rounds that are over, in a file of their own: memory stays flat, and each can still be taken up again."""
    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115  (`verify` closes it)
        self.places: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))

    def keep(self, table: str, g: Round) -> None:
        places = self.places[table]
        places.extend([0] * (g.number - len(places)))
        places[g.number - 1] = self.file.seek(0, 2)
        pickle.dump(g.__dict__, self.file)

    def load(self, table: str, number: int) -> Round:
        must(0 < number <= len(self.places[table]), f"there is no earlier round {number}")
        self.file.seek(self.places[table][number - 1])
        g = Round.__new__(Round)
        g.__dict__.update(pickle.load(self.file))
        return g

def _once(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) != len(pairs): raise ValueError("a name comes twice in an object")
    return found

def _no_fraction(text: str) -> int:
    raise ValueError(f"{text} is no whole number")

decode = json.JSONDecoder(object_pairs_hook=_once, parse_float=_no_fraction, parse_constant=_no_fraction).decode
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
BELOW_ZERO = ("house/", "desk/", "owed/", "vault/", "short/")
ENVELOPE = itemgetter("stream", "number", "kind", "at_ms", "day", "label", "request", "first_transfer", "transfers",
                      "documents", "documents_sum")
PLACE = itemgetter("seq", "number", "first_transfer")
BODY = {"event", "v", "record", "from", "by", "request", "command", "type", "rank"}
BETS = {"bet", "take-back", "clear", "undo", "double", "re-bet", "lay-bets", "insure"}
OLD_NAMES = {"bet-placed": "stake", "bet-increased": "more"}  # of cents, in version 1

def entry_hash(before: bytes, e: Record) -> bytes:
    envelope = encode([2, *ENVELOPE(e)]).encode()
    return sha256(before + len(envelope).to_bytes(8, "big") + envelope + e["body"].encode()).digest()

def number_of(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest(), "big")

class Stream:
    number, hash, at_ms, day, transfer, sum = 0, bytes(32), 0, "", 1, 0

class Journal:
    def __init__(self, keys: list[VKey], kept: list[Note], receipts: list[Record], witnesses: list[VKey]) -> None:
        self.trusted, self.kept, self.witnesses = keys, kept, witnesses
        self.receipts = {receipt["entry"]["seq"]: receipt["entry"]["hash"] for receipt in receipts}
        self.count, self.tables, self.money = Counter[str](), dict[str, Table](), dict[str, int]()
        self.streams: defaultdict[str, Stream] = defaultdict(Stream)
        self.meters: defaultdict[str, dict[tuple[str, str], list[int]]] = defaultdict(dict)
        self.redeemed = 0  # the sum over the meters of vouchers that are redeemed
        self.documents, self.drawers = dict[str, str](), dict[str, Counter[str]]()
        self.out: dict[str, tuple[Any, ...]] = {}  # vouchers and transits that are out
        self.roles: defaultdict[str, set[str]] = defaultdict(set)
        self.asked: list[set[str]] = [set(), set()]  # the last requests, a quarter of a million at least
        self.keys, self.roots = list[VKey](), dict[str, str]()  # roots of the last checkpoints, by size
        self.tree, self.rounds, self.at_ms, self.head, self.signed = Tree(), Rounds(), 0, Record(), 0
        self.ended = self.alone = False

    def redeem(self, what: str) -> tuple[Any, ...]:
        must(what in self.out, f"{what} is not out: never issued, or redeemed before")
        return self.out.pop(what)

    def entry(self, e: Record) -> None:
        stream, s = e["stream"], self.streams[e["stream"]]
        seq = e["seq"] if self.alone else self.tree.size + 1
        same("seq, number, first_transfer", PLACE(e), (seq, s.number + 1, s.transfer))
        must(e["at_ms"] >= s.at_ms and e["day"] >= s.day, "its time or day is before that of the entry before it")
        digest = entry_hash(s.hash, e)
        same("hash", e["hash"], digest.hex())
        self.tree.append(digest)
        self.at_ms = s.at_ms = e["at_ms"]
        s.number, s.hash, s.day, s.transfer = e["number"], digest, e["day"], s.transfer + len(e["transfers"])
        if self.receipts: same("hash, by the receipt", e["hash"], self.receipts.pop(e["seq"], e["hash"]))
        self.count["transfers"] += len(e["transfers"])
        if self.alone: return
        b = decode(e["body"])
        if b.keys() - BODY: raise Wrong(f"the body has more than it may: {sorted(b.keys() - BODY)}")
        same("event", b["event"], e["kind"])
        tag, version, r, table = b["event"], b["v"], b["record"], stream[6:] if stream.startswith("table/") else ""
        if version == 1 and OLD_NAMES.get(tag) in r:  # former versions are read as today's
            r["cents"], tag, version = r.pop(OLD_NAMES[tag]), "bet-placed", 2
        event = EVENTS.get(("table" if table else "venue", tag))
        if event is None: raise Wrong(f"there is no event {tag} in stream {stream}")
        if version == 1 and event.version == 2: r, version = {**r, "signed_by": ""}, 2
        same("v", version, event.version)
        label = event.marks["="][0] if event.marks["="] else "significant"
        same("label", e["label"], label.format(TABLE=table, **r) if "{" in label else label)
        self.request(e, b)
        if table:
            if table not in self.tables: self.tables[table] = Table(table, self)
            moved = self.tables[table].apply(tag, event, r, b)
        else: moved = getattr(self, event.method)(tag, r, b)
        if event.marks["$"]: moved = self.move(event.marks["$"][0], table, r)
        same("transfers", e["transfers"], moved or [])
        for transfer in e["transfers"]: self.post(e["day"], *transfer)
        self.write(e, s)
        self.count[f"{'table' if table else stream} entries"] += 1

    def request(self, e: Record, b: Record) -> None:
        key = ""
        if "command" in b and b.get("request") and b.get("type") not in BETS:
            key = f"{e['stream']} {b['from']}{'/' + b['by'] if b.get('by') else ''} {b['request']}"
            must(key not in self.asked[0] and key not in self.asked[1], f"the request {key} was answered before")
            self.asked[0].add(key)
            if len(self.asked[0]) > 1 << 18: self.asked = [set(), self.asked[0]]
        same("request", e["request"], key)

    def move(self, words: str, table: str, r: Record) -> Moves:
        kind, *ends = words.split(",")
        short = {"C": f"credit/{table}-{r.get('seat')}", "S": f"stake/{table}", "T": f"transit/{table}-{r.get('seat')}",
                 "D": f"desk/{r.get('desk')}", "V": f"voucher/{r.get('number')}"}
        source, target = (short.get(end) or end.format(**r) for end in ends)
        return moves((kind, source, target, r["cents"]))

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
                if account.startswith("voucher/"):  # redeemed, and forgotten: nothing comes of it any more
                    meters = self.meters.pop(account).items()
                    self.redeemed += sum(number_of(encode([account, *key, *sums])) for key, sums in meters)
        for account in (source, target):
            if account[5:] in self.drawers and account.startswith("desk/"): self.drawers[account[5:]][kind] += cents

    def write(self, e: Record, s: Stream) -> None:
        """Documents: the sum over all there are follows from what each was."""
        for name, digest in e["documents"]:
            for sign, value in ((-1, self.documents.pop(name, None)), (1, digest)):
                s.sum = (s.sum + (sign * number_of(f"{value} {name}") if value else 0)) % 2**256
            if digest is not None: self.documents[name] = digest
        same("documents_sum", e["documents_sum"], f"{s.sum:064x}" if e["documents"] else "")

    def office(self, kind: str, r: Record, b: Record) -> Moves | None:
        """The venue's own: keys, and the cash desk."""
        desk, account = r.get("desk", ""), f"desk/{r.get('desk')}"
        lies, drawer = -self.money.get(account, 0), self.drawers.get(desk)
        if "signed_by" in r: must(desk == b.get("by") != r["signed_by"], f"the desk is {desk}, and {b.get('by')} asked")
        if kind == "checkpoint-key-set": self.set_key(r)
        elif kind == "voucher-paid": same("cents", r["cents"], self.redeem(f"voucher/{r['number']}")[0])
        elif kind == "drawer-opened":
            must(drawer is None and r["carried_cents"] == lies, f"the drawer was open, or {lies} cents lay in it")
            self.drawers[desk] = Counter({"opened": self.at_ms, "carried": lies})
        elif kind in ("drawer-filled", "drawer-returned"):
            must(drawer is not None and (kind[7] == "f" or lies >= r["cents"]), "not open, or not so much in it")
        elif kind == "drawer-closed":
            sums, over = self.drawers.pop(desk), r["counted_cents"] - lies
            says(r, opened_at_ms=sums["opened"], carried_cents=sums["carried"], float_cents=sums["drawer-float"],
                 filled_cents=sums["drawer-fill"], returned_cents=sums["drawer-return"], taken_in_cents=sums["buy-in"],
                 hand_paid_cents=sums["hand-pay"], vouchers_paid_cents=sums["voucher-paid"], expected_cents=lies)
            return moves(
                ("drawer-closed", "vault/main", account, lies), ("drawer-closed", account, "vault/main", -lies),
                ("drawer-short", f"short/{desk}", "vault/main", -over),
                ("drawer-over", "vault/main", f"short/{desk}", over),
            )
        return None

    def staff(self, kind: str, r: Record, b: Record) -> None:
        if kind in ("staff-added", "role-changed", "administrator-claimed"):
            self.roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")

    def set_key(self, r: Record) -> None:
        key, text = parse_vkey(r["key"]), f"natural9 checkpoint key\n{r['origin']}\n{r['key']}\n".encode()
        by = [(key, r["signature"]), *((old, r["signature_before"]) for old in self.keys[-1:] if r["signature_before"])]
        good = all(ed25519(signer.public, text, base64.b64decode(signature)) for signer, signature in by)
        names = {one.name for one in (key, *self.keys)}
        must(good and names == {r["origin"]}, "a key that itself or the one before did not sign, or of another origin")
        if self.keys and not r["signature_before"]:  # after a loss: trust in the former one does not carry over
            self.count["keys that the former one did not sign"] += 1
            self.keys.clear()
        self.keys.append(key)
        self.count["keys"] += 1

    def checkpoint(self, text: str) -> None:
        note = parse_note(text)
        said = (note.size, note.root.hex(), note.origin)
        must(self.keys, "no key was set in the journal before this checkpoint")
        same("size, root, origin", said, (self.tree.size, self.tree.root().hex(), self.keys[-1].name))
        must(note.signed_by(self.keys[-1]), f"it is not signed with the key {self.keys[-1].id.hex()}")
        if not self.trusted or any(key in self.trusted for key in self.keys): self.signed = note.size
        self.roots = {**dict([*self.roots.items()][-999:]), str(note.size): base64.b64encode(note.root).decode()}
        self.count.update(checkpoints=1, cosignatures=sum(note.signed_by(witness) for witness in self.witnesses))

    def end(self, end: Record) -> None:
        for table in self.tables.values():
            must(not table.due, f"table {table.id} stops within a decision: {list(table.due)[:1]} should come")
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
        elif "checkpoint" in item: self.checkpoint(item["checkpoint"])
        elif "end" in item: self.end(item["end"])
        else:
            must(not self.ended, "an entry after the end")
            self.entry(item)
            for note in [note for note in self.kept if note.size == self.tree.size]:  # the journal must go through it
                same(f"the root at {note.size} entries, by what was kept", self.tree.root().hex(), note.root.hex())
                self.kept.remove(note)

# --- Receipts and the command line -----------------------------------------------------------------------------------

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
    with journal.rounds.file:
        return first_wrong(lines, journal)

def first_wrong(lines: Iterable[bytes], journal: Journal) -> str:
    number, item = 0, Record()
    for number, line in enumerate(lines, 1):
        try:
            item = {}
            item = decode(line.decode())
            journal.line(item)
        except (Wrong, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as why:
            if number == 1: raise BadInput(f"line 1: this is no exported journal ({why})") from None
            said = str(why) if isinstance(why, Wrong) else f"it makes no sense here ({type(why).__name__}: {why})"
            names = [name for name in ("stream", "number", "kind") if name in item]
            where = " ".join(str(item[name]) for name in names) or next(iter(item), "")
            return f"line {number} ({where}): {said}"
    if not journal.ended: return f"line {number}: the journal stops without an end"
    for what, seq in (*(("checkpoint", n.size) for n in journal.kept), *(("receipt", seq) for seq in journal.receipts)):
        return f"the {what} that was kept is of entry {seq}, and the journal has {journal.tree.size}"
    if journal.trusted and not journal.signed:
        return "no checkpoint of this journal goes back to the key that is trusted"
    return ""

def read(path: str) -> Iterator[bytes]:
    with sys.stdin.buffer if path == "-" else (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        yield from file

def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks an exported natural9 journal, or a receipt.")
    parser.add_argument("journal", nargs="?", help="from natural9 export; .gz too; - or nothing: standard input")
    for name, what in {"key": "VKEY of the house, from elsewhere", "witness": "VKEY of a witness that you trust",
                       "checkpoint": "FILE with a note that you kept", "receipt": "FILE with a receipt"}.items():
        parser.add_argument(f"--{name}", action="append", default=[], metavar=what.split()[0], help=what)
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
            count.update(journal.count)
            count["entries that no signed checkpoint covers"] = journal.tree.size - journal.signed
    except Wrong as why:
        wrong = str(why)
    except (BadInput, OSError, LookupError, TypeError, ValueError, AttributeError) as why:
        print(f"natural9_verify: {why}", file=sys.stderr)
        return 2
    trust = "key given" if options.key else "keys as the journal names them: compare them with one from elsewhere"
    counts = dict(sorted(count.items()))
    if options.json: print(json.dumps({"ok": not wrong, "wrong": wrong, "trust": trust, "checked": counts}))
    else: print(f"WRONG {wrong}" if wrong else f"OK {', '.join(f'{n} {what}' for what, n in counts.items())} ({trust})")
    return 1 if wrong else 0

if __name__ == "__main__": sys.exit(main())
