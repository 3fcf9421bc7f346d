#!/usr/bin/env python3
"""Checks an exported natural9 journal, and trusts nothing in it.

One file, Python 3.11 or later, standard library only (`cryptography` checks signatures where it is installed: quicker).
It is written from docs/journal.md and the approved rules, not from the program that wrote the journal: Table of Play, pay
tables, ledger and tree are its own, so that no mistake hides in both.

    natural9 export VENUE | python3 natural9_verify.py
    python3 natural9_verify.py journal.jsonl.gz --key KEPT-KEY --checkpoint kept-note.txt
    python3 natural9_verify.py --receipt receipt.json --key KEPT-KEY

Exit 0: all is as it must be, and a line of counts says what was checked. Exit 1: the first line that is wrong, what it
says and what it should say. Exit 2: this is no journal, key or receipt. Not checked: how long players' sessions last, what
their cards count, sentences for people, paragraphs cited, and documents, of which a journal has the hashes alone.
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
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
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
    if not holds:
        raise Wrong(sentence)


def same(what: str, said: object, should: object) -> None:
    if said != should:
        raise Wrong(f"{what}: it says {said!r}, it should say {should!r}")


# --- Signatures: Ed25519 (RFC 8032), signed notes and cosignatures (C2SP) ----------------------------------------------

Q, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, Q) % Q
Point = tuple[int, int, int, int]


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % Q, (p[1] + p[0]) * (q[1] + q[0]) % Q
    c, d = 2 * p[3] * q[3] * CURVE_D % Q, 2 * p[2] * q[2] % Q
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % Q, g * h % Q, f * g % Q, e * h % Q


def _times(k: int, p: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while k:
        total = _add(total, p) if k & 1 else total
        p, k = _add(p, p), k >> 1
    return total


def _point(data: bytes) -> Point:
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x2 = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, Q) % Q
    x = pow(x2, (Q + 3) // 8, Q)
    x = x if (x * x - x2) % Q == 0 else x * pow(2, (Q - 1) // 4, Q) % Q
    if (x * x - x2) % Q or y >= Q or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = x if x & 1 == sign else Q - x
    return x, y, 1, x * y % Q


def slow_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """S·B = R + k·A, in a few milliseconds."""
    try:
        base, s = _point((4 * pow(5, -1, Q) % Q).to_bytes(32, "little")), int.from_bytes(signature[32:], "little")
        a, r = _point(public), _point(signature[:32])
    except ValueError:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = _times(s, base), _add(r, _times(k, a))
    equal = (left[0] * right[2] - right[0] * left[2]) % Q == (left[1] * right[2] - right[1] * left[2]) % Q == 0
    return equal and s < ORDER and len(signature) == 64


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
        key = VKey(name, bytes.fromhex(key_id), raw[0], raw[1:])
        if key.id != sha256(name.encode() + b"\n" + raw).digest()[:4] or len(raw) != 33 or raw[0] not in (1, 4):
            raise ValueError
    except (ValueError, IndexError):
        raise BadInput(f"{text.strip()!r} is no key (NAME+ID+BASE64)") from None
    return key


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
                if key.algorithm == 4:  # its time is part of what a witness signs
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


# --- The tree (RFC 6962) ----------------------------------------------------------------------------------------------


class Tree:
    """The roots of the complete subtrees so far, largest first: all that it needs, however long the journal is."""

    def __init__(self) -> None:
        self.size = 0
        self.peaks: list[bytes] = []

    def append(self, data: bytes) -> None:
        node, size = sha256(b"\0" + data).digest(), self.size
        while size & 1:  # a complete subtree of the same height stands on the left: the two become one
            node = sha256(b"\1" + self.peaks.pop() + node).digest()
            size >>= 1
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


# --- Cards and the Table of Play (rws-nc 3.8-3.11, mbs 3.3-3.9, insurance 3.4-3.8, super-six-plus 3.4-3.9) --------------

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
    player_cards: int
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
    return Outcome(winner, player, banker, len(p), len(b), *pairs, all(pairs) and p[0] == b[0], natural)


# --- Pay tables -------------------------------------------------------------------------------------------------------
# A wager's rows: the first that holds decides; where none holds the wager loses. "push" returns the stake.

Row = tuple[Callable[[Outcome], bool], str]


def _wins(hand: str, points: int | None = None, cards: int | None = None) -> Callable[[Outcome], bool]:
    def test(o: Outcome) -> bool:
        total, held = (o.banker, o.banker_cards) if hand == "banker" else (o.player, o.player_cards)
        return o.winner == hand and points in (None, total) and cards in (None, held)

    return test


def _tie(o: Outcome) -> bool:
    return o.winner == "tie"


def _dragon(hand: str) -> list[Row]:
    """mbs 4.5 and 4.6, by reading 3: a Natural pays 1 to 1 whatever the margin, and a Natural tie is returned."""

    def by(margin: int) -> Callable[[Outcome], bool]:
        return lambda o: o.winner == hand and not o.natural and abs(o.player - o.banker) == margin

    pays_by = {9: "30:1", 8: "10:1", 7: "6:1", 6: "4:1", 5: "2:1", 4: "1:1"}
    natural: list[Row] = [(lambda o: o.natural and o.winner == hand, "1:1"), (lambda o: o.natural and _tie(o), "push")]
    return [*natural, *((by(margin), odds) for margin, odds in pays_by.items())]


PLAYER: list[Row] = [(_wins("player"), "1:1"), (_tie, "push")]
BANKER: list[Row] = [(_wins("banker", 6), "1:2"), (_wins("banker"), "1:1"), (_tie, "push")]
TIE: list[Row] = [(_tie, "8:1")]
SIX_BY_CARDS: list[Row] = [(_wins("banker", 6, 2), "12:1"), (_wins("banker", 6, 3), "20:1")]
SUPER_SIX: list[Row] = [(_wins("banker", 6), "15:1")]
NO_COMMISSION: dict[str, list[Row]] = {
    "player": PLAYER, "banker": BANKER, "tie": TIE,
    "player-pair": [(lambda o: o.player_pair, "11:1")], "banker-pair": [(lambda o: o.banker_pair, "11:1")],
}  # fmt: skip
DRAGONS = {"player-dragon-bonus": _dragon("player"), "banker-dragon-bonus": _dragon("banker")}
TIGERS: dict[str, list[Row]] = {
    "tiger": SIX_BY_CARDS,
    "small-tiger": [(_wins("banker", 6, 2), "22:1")],
    "big-tiger": [(_wins("banker", 6, 3), "50:1")],
    "tiger-tie": [(lambda o: _tie(o) and o.player == 6, "35:1")],
    "tiger-pair": [  # its best class only (reading 2)
        (lambda o: o.twin, "100:1"),
        (lambda o: o.player_pair and o.banker_pair, "20:1"),
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
# The rulebook's insurance pay table, 4.1.2: window and insured hand; then Player's points, Banker's points, odds.
INSURANCE = {
    ("four-cards", "banker"): [(range(5), (5,), "2:1"), (range(6), (6,), "3:1"), (range(6), (7,), "4:1")],
    ("four-cards", "player"): [((5,), (4,), "2:1"), ((6,), range(6), "3:1"), ((7,), range(6), "4:1")],
    ("third-card", "banker"): [
        ((1,), (1,), "6:1"), ((1,), range(2, 7), "7:1"), ((2,), range(3, 7), "4:1"), ((3,), (4,), "1.5:1"),
    ],
    ("third-card", "player"): [
        ((5,), range(5), "2:1"), ((6,), range(6), "3:1"), ((7,), range(7), "4:1"), ((8,), range(7), "7:1"),
        ((9,), range(7), "8:1"),
    ],
}  # fmt: skip
WINDOW_CARDS = {"four-cards": 4, "third-card": 5}


@lru_cache(maxsize=1 << 10)
def ratio(odds: str) -> Fraction:
    to, per = odds.split(":")
    return Fraction(to) / Fraction(per)


@lru_cache(maxsize=1 << 16)
def pays(game: str, wager: str, result: Outcome) -> tuple[str, str | None, int, int]:
    """win, lose or push; the odds as printed; and the part of the stake that is returned, as a ratio."""
    for holds, odds in GAMES[game][wager]:
        if holds(result):
            back = 1 + (0 if odds == "push" else ratio(odds))
            return "push" if odds == "push" else "win", odds, *Fraction(back).as_integer_ratio()
    return "lose", None, 0, 1


@lru_cache(maxsize=1 << 14)
def insurance_odds(window: str, hand: str, ranks: str) -> str | None:
    """The odds at which a hand can be insured with these cards on the table; None where nothing is offered.

    Only while a draw is still to come (reading 5): after four cards any draw, after the Player's third the Banker's.
    """
    ranks = ranks[: WINDOW_CARDS[window]]
    if len(ranks) < WINDOW_CARDS[window] or next_hand(ranks) is None:
        return None
    points = [POINTS[rank] for rank in ranks]  # a fifth card is the Player's: after a Banker's none is to come
    player, banker = (points[0] + points[2] + sum(points[4:])) % 10, (points[1] + points[3]) % 10
    return next((odds for p, b, odds in INSURANCE[window, hand] if player in p and banker in b), None)


@lru_cache(maxsize=1 << 14)
def insurance_pays(window: str, hand: str, ranks: str) -> tuple[str, str | None, int, int]:
    """As `pays`. It wins when the insured hand loses and goes back on a tie, but for the starred row (reading 4)."""
    winner, odds = outcome(ranks).winner, str(insurance_odds(window, hand, ranks))
    starred = odds == "8:1"
    if winner == "tie" and not starred:
        return "push", "push", 1, 1
    if (winner == "tie") if starred else (winner != hand):
        return "win", odds, *(1 + ratio(odds)).as_integer_ratio()
    return "lose", None, 0, 1


@lru_cache(maxsize=1 << 12)
def established(game: str, offered: tuple[str, ...], ranks: str) -> bool:
    """Whether some wager on offer is won, or lost, in every way the round can still end (reading 8)."""
    open_still: dict[str, set[str]] = {wager: set() for wager in offered}

    def play(so_far: str) -> None:
        if next_hand(so_far) is None:
            result = outcome(so_far)
            for wager in list(open_still):
                open_still[wager].add(pays(game, wager, result)[0])
                if len(open_still[wager]) > 1:
                    del open_still[wager]
            return
        for rank in POINTS:
            if open_still:
                play(so_far + rank)

    play(ranks)
    return any(results != {"push"} for results in open_still.values())


# --- What each document lets be done about an irregularity (docs/journal.md, Clauses) -----------------------------------
# kinds | remedies (/d a card is due, /n none; /e an outcome is established, /u not; /p the round is in play) | who decides
# | who about an earlier round; next: also until the next round; void: also after a void; first: after the first card

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
    if _line.startswith("["):
        _document = CLAUSES.setdefault(_line[1:-1], {})
    else:
        _kinds, _remedies, _rank, _marks = (part.split() for part in _line.split("|"))
        _document.update(dict.fromkeys(_kinds, (_remedies, _rank[0], _marks)))
NEW_SHOE_AFTER = ("foreign-card", "shortage-or-excess", "unshuffled-cards", "insufficient-cards")

# --- The events (docs/journal.md, Events), by stream and by the method below that knows what they mean ------------------
# tag/version (1 unless it says so), label (. none, * significant), fields (= may be left out); then marks: <what may have
# been asked for, with the rank that suffices (dealer; /s /m /h pit supervisor, pit manager, shift manager; /- none); @phase
# of the round; ! not while the table has a fault or a report waits; ~ may stand within a decision; +document that it writes
# or -takes away; $kind of transfer,from,to (C credit, S stakes, D desk, V voucher, T transit) of its cents.

EVENTS_TEXT = """
[table office]
table-opened * game rules_sha256 decks mode shoe optional by <open-table/m; table-paused * by why <pause-table/s;
table-resumed * by <resume-table/s; table-closed * by why <close-table/m @between; dealer-signed-on * dealer relieves
<sign-on; dealer-signed-off * dealer by <sign-off <close-table; limits-changed * betting_unit_cents limits
seat_min_cents seat_max_cents table_max_cents by why from_file <change-limits/m <new-shoe @between; terminal-locked *
seat by why <lock-terminal; terminal-unlocked * seat by why <unlock-terminal/s; fault-raised * fault detail;
fault-cleared * fault by why <clear-fault/s;
[table shoes]
shoe-committed shoe/{TABLE}/{shoe} shoe decks commitment <new-shoe +shoe/{TABLE}/{commitment}; shoe-loaded . shoe
rules_sha256 decks offered burns= counts_burnt= <new-shoe @between; shoe-revealed shoe/{TABLE}/{shoe} shoe decks
commitment salt order dealt <new-shoe -shoe/{TABLE}/{commitment}; cards-burnt . shoe card face_down to_come why
paragraph <burn; face-down-burnt . shoe cards left <burn-face-down; new-shoe-required * kind paragraph;
cut-card-appeared . paragraph <cut-card; shoe-replaced * shoe decks by paragraph <decide;
[table betting]
betting-opened round/{TABLE}/{round} round shoe game rules_sha256 held from_old_set offered betting_unit_cents limits
boxes paragraph dealer= <open-betting +table/{TABLE} @between !; bet-placed/2 . seat wager cents <bet/- <lay-bets/-
<double/- <re-bet/- <undo/- @betting-open ! $bet,C,S; bet-taken-back . seat wager cents <take-back/- <undo/-
@betting-open $bet-taken-back,S,C; bets-cleared . seat cents <clear/- @betting-open $bet-taken-back,S,C;
betting-closed . staked_cents paragraph <close-betting @betting-open !;
[table playing]
card-dealt . card hand put_at phase paragraph <deal @bets-closed @initial-deal @players-third @bankers-third !;
result-declared . winner player_total banker_total won paragraph <declare <correction @complete !; seat-settled . seat
lines insurance staked_cents returned_cents <settle <correction @complete !; round-settled . staked_cents
stakes_returned_cents collected_cents winnings_cents paragraph <settle <correction @complete !;
[table insuring]
insurance-opened . window offers paragraph <open-insurance @four-cards-insurance @third-card-insurance !;
insurance-placed . seat window hand cents odds paragraph <insure/- @four-cards-insurance @third-card-insurance !
$bet,C,S; insurance-closed . window phase <close-insurance <open-insurance !; insurance-skipped . window phase
paragraph <decide; insurance-waived * seat by phase paragraph <waive-insurance/s; waiver-taken-back * by why phase
paragraph <take-back-waiver/s; insurance-returned . seat window hand cents paragraph <rule-on-bet/h <correction
$bet-returned,S,C;
[table reports]
irregularity-reported * report kind remedies rank by by_rank detail cards seats about_round bet_seat wager cents
confirm brief; irregularity-decided * report kind remedy by rank why paragraph previous_stand <decide;
report-withdrawn * report kind by rank why paragraph <withdraw-report; cards-reconstructed . put_at paragraph <decide;
cards-put-in-order . cards paragraph <decide; cards-discarded * cards waited by why paragraph <decide <discard-held
<new-shoe;
[table changes]
bet-voided . seat wager cents why paragraph <decide <rule-on-bet/h; bet-restored . seat wager cents why paragraph
<decide; bets-returned . seat cents <void-round <decide; round-voided * returned_cents by why clause paragraph kind=
<void-round <decide; settlement-reversed . seat cents paragraph <correction; cards-corrected * cards put_at held phase
by why paragraph <correction; round-taken-up later/{TABLE}/{about_round} about_round; bet-ruled * round seat wager
stake_cents was_cents returned_cents by why paragraph <rule-on-bet/h <void-round <correction; earlier-cards-corrected
* round shoe was cards from_old_set won by why paragraph <correction; earlier-seat-settled . round seat staked_cents
was_cents lines insurance insurance_back_cents ruled_cents returned_cents <correction;
[table credit]
credit-bought/2 * seat cents desk signed_by <credit-terminal/- $buy-in,D,C; hand-paid/2 * seat cents desk signed_by
why <hand-pay/- $hand-pay,C,D; voucher-issued voucher/{number} number seat cents expires_at_ms <cash-out/-
+voucher/{number} $voucher-out,C,V; voucher-inserted voucher/{number} number seat cents <insert-voucher/-
-voucher/{number} $voucher-in,V,C; voucher-voided * number seat cents by why <void-voucher/m -voucher/{number}
$voucher-voided,V,C; debt-left * seat cents ~; visitor-seated visitor/{TABLE}/{home_table}-{home_seat} seat home_table
home_seat ~; credit-taken-along transit/{transit} transit seat cents to_table to_seat +transit/{transit} ~
$credit-sent,C,transit/{to_table}-{to_seat}; credit-brought transit/{transit} transit seat cents -transit/{transit} ~
$credit-received,T,C; credit-sent-home transit/{transit} transit seat cents decided_cents staked_cents rounds
+transit/{transit} ~ $credit-sent,C,T; credit-came-home transit/{transit} transit seat cents from_table from_seat
decided_cents staked_cents rounds -transit/{transit} ~ $credit-received,transit/{from_table}-{from_seat},C;
[table told]
wrong-voucher-codes * seat times; request-refused . seat code message paragraph; late-bet-refused . seat wager cents
for_round; bets-not-doubled . seat stays reasons; round-interrupted * away_ms brief real_cards; table-held * round;
table-continued * round; alarm-taken . alarm by <take-alarm/s; round-frozen * round by why <freeze-round/s;
attendant-called . seat called_at_ms; call-withdrawn . seat; call-taken . seat by <take-call; call-cleared . seat by
<clear-call; session-started session session seat owner table_ms in_cents owed_cents check_ms idle_ms time_ms
loss_cents stake_cents ~; session-ended session session seat table_ms played_ms rounds staked_cents in_cents
out_cents; seat-released * seat by why <release-seat/s; play-limits-set session session seat table_ms time_ms
loss_cents stake_cents waiting; reality-check-due session session seat table_ms played_ms net_cents; play-paused
session session seat table_ms; play-continued session session seat table_ms after; break-taken session session seat
table_ms until_ms; play-time-noted . table_ms; player-carded-in player/{player} seat player table_ms play
points_per_100; player-carded-out player/{player} seat player table_ms how play +play/{player}; player-barred * seat
player; play-counted player/{player} seat player of_round rounds staked_cents returned_cents decided_cents points
points_per_100 ~;
[venue office]
program-started * version program_sha256 venue_sha256 rules changed stopped_cleanly; program-stopped * why;
key-changed * shoes vouchers lost; checkpoint-key-set * key origin signature signature_before; loss-accepted * person
why last known known_hash; venue-restored * last; clock-jumped * before_ms after_ms; clock-behind * says_ms
last_entry_ms; wrong-codes-at-desk * desk times; voucher-paid/2 voucher/{number} number cents desk signed_by
-voucher/{number} $voucher-paid,V,D; request-refused . seat code message paragraph; drawer-opened * desk cents
carried_cents signed_by +drawer/{desk} $drawer-float,D,vault/main; drawer-filled * desk cents signed_by +drawer/{desk}
$drawer-fill,D,vault/main; drawer-returned * desk cents signed_by +drawer/{desk} $drawer-return,vault/main,D;
drawer-closed * desk opened_at_ms carried_cents float_cents filled_cents returned_cents taken_in_cents hand_paid_cents
vouchers_paid_cents expected_cents counted_cents signed_by -drawer/{desk};
[people staff]
staff-added/2 * id name role signed_by; administrator-claimed * id name peer; role-changed/2 * id before after
signed_by; staff-disabled * id; staff-enabled * id; code-issued/2 * id signed_by; password-changed * id peer; sign-in
* id peer purpose; sign-in-failed * id peer purpose why failures times; locked-out * id peer device until_ms; unlocked
* id; signed-out * id everywhere; peer-refused * peer; device-added * id kind table seat signed_by; device-enrolled *
id peer; occupied-seat-enrolled * id former table seat asked_by signed_by; device-revoked * id why; player-added *
player; player-renamed * player; player-card-issued * player; player-pin-issued * player; player-pin-changed . player;
player-pin-failed . player device failures; player-locked-out * player device; player-closed * player; player-reopened
* player; player-excluded * player until_day own why; exclusion-lifted * player why; excluded-player-refused * player
table seat;
"""


class Event(NamedTuple):
    version: int
    label: str
    needed: frozenset[str]
    fields: frozenset[str]
    marks: dict[str, list[str]]  # by their first character
    method: str


EVENTS: dict[tuple[str, str], Event] = {}
LOWEST = {"report": "dealer"}  # the rank that suffices for what staff ask (reading 16)
for _item in EVENTS_TEXT.strip(";\n").replace("]", "];").replace("<correction", "<correct-card <correct-result <decide").split(";"):
    if _item.strip().startswith("["):
        _stream, _method = _item.strip()[1:-1].split()
        continue
    (_tag, _, _version), _label, *_words = _item.split()[0].partition("/"), *_item.split()[1:]
    _marks: dict[str, list[str]] = {_mark: [] for _mark in "<@!~+-$"}
    for _word in (_word for _word in _words if _word[0] in _marks):
        _marks[_word[0]] += ["no-round", "settled", "void"] if _word == "@between" else [_word[1:]]
    for _command, _, _rank in (_word.partition("/") for _word in _marks["<"]):
        if _rank != "-" and LOWEST.get(_command, "dealer") == "dealer":
            LOWEST[_command] = RANKS["dsmh".index(_rank or "d")]
    _marks["<"] = [_word.partition("/")[0] for _word in _marks["<"]]
    _fields = [_word for _word in _words if _word[0] not in _marks]
    _needed, _all = frozenset(_f for _f in _fields if _f[-1] != "="), frozenset(_f.rstrip("=") for _f in _fields)
    _label = {".": "", "*": "significant"}.get(_label, _label)
    EVENTS[_stream, _tag] = Event(int(_version or 1), _label, _needed, _all, _marks, _method)

# --- A table ------------------------------------------------------------------------------------------------------------

Moves = list[list[Any]]
LINE = ("wager", "stake_cents", "result", "odds", "returned_cents", "net_cents")


def moves(*steps: tuple[str, str, str, int]) -> Moves:
    return [list(step) for step in steps if step[3] > 0]


def ranks_of(cards: Iterable[str]) -> str:
    return "".join(card[0] for card in cards)


class Shoe:
    def __init__(self, r: Record) -> None:
        self.number, self.decks, self.rules, self.offered = r["shoe"], r["decks"], r["rules_sha256"], r["offered"]
        self.burns, self.counts, self.to_come = r.get("burns"), r.get("counts_burnt"), -1
        self.left = Counter(dict.fromkeys(DECK, self.decks))
        self.out: list[str] = []  # in the order they came out; "-" for one that nobody saw
        self.cut, self.commitment = False, ""

    def take(self, card: str) -> None:
        must(self.left[card] > 0, f"the card {card} comes out of shoe {self.number} more often than it is in it")
        self.left[card] -= 1
        self.out.append(card)

    def change(self, was: list[str], cards: list[str]) -> None:
        """The record is put right: these came out, and not those."""
        self.left.update(was)
        self.left.subtract(cards)
        must(len(self.left) == 52 and min(self.left.values()) >= 0, f"{' '.join(cards)} cannot all be of this shoe")
        self.out += ["?"] * (len(cards) - len(was))

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
        self.withdrawn: Counter[tuple[int, str]] = Counter()
        self.returned: dict[int, int] = {}
        self.rulings: dict[tuple[int, str], tuple[int, int, bool]] = {}  # stake, what it returns, paid now
        self.reports: dict[int, Record] = {}
        self.reported = self.staked = self.lost = self.paid = 0
        self.declared = self.settled = False
        self.waived, self.window, self.windows = -1, "", dict[str, Any]()  # window that is open; held, with their offers

    def stake(self, seat: int) -> int:
        return sum(self.bets.get(seat, {}).values()) + sum(item[2] for item in self.insurance.get(seat, ()))

    def seats(self) -> list[int]:
        return sorted(seat for seat in self.bets if self.stake(seat))

    def bet(self, seat: int, wager: str) -> int:
        insured = sum(item[2] for item in self.insurance.get(seat, ()) if f"{item[1]}-insurance" == wager)
        return insured or self.bets.get(seat, {}).get(wager, 0)

    def room(self, seat: int, hand: str) -> Fraction:
        """What insurance may still pay: with all there is no more than the bet that it insures (reading 6)."""
        would = sum((item[2] * ratio(item[3]) for item in self.insurance.get(seat, ()) if item[1] == hand), Fraction(0))
        return self.bet(seat, hand) - would

    def offers(self, window: str) -> dict[str, str]:
        found = {hand: insurance_odds(window, hand, ranks_of(self.cards)) for hand in ("player", "banker")}
        return {hand: odds for hand, odds in found.items() if odds} if self.game == "rws-nc-insurance" else {}

    def won(self) -> list[str]:
        result = outcome(ranks_of(self.cards))
        return [wager for wager in self.offered if pays(self.game, wager, result)[0] == "win"]

    def settle(self, seat: int) -> tuple[list[tuple[Any, ...]], int]:
        """Each line as it must be, and what goes back of insurance on what these cards never offered."""
        ranks, back = ranks_of(self.cards), 0
        result, ends = outcome(ranks), list[Any]()
        for wager, stake in self.bets.get(seat, {}).items():
            ends.append(("", wager, stake, *pays(self.game, wager, result)))
        for window, hand, stake, odds in self.insurance.get(seat, ()):
            if insurance_odds(window, hand, ranks) == odds:
                ends.append((window, f"{hand}-insurance", stake, *insurance_pays(window, hand, ranks)))
            else:
                back += stake
        must(all(end[2] * end[5] % end[6] == 0 for end in ends), f"a bet of seat {seat} cannot be paid in whole cents")
        return [(*end[:5], end[2] * end[5] // end[6], end[2] * end[5] // end[6] - end[2]) for end in ends], back

    def check(self, r: Record, count: Counter[str]) -> tuple[int, int, int]:
        """A seat's lines against the cards: what they return, what of the stakes is lost, what insurance goes back."""
        lines, back = self.settle(r["seat"])
        said = [("", *(line[name] for name in LINE)) for line in r["lines"]]
        said += [(line["window"], *(line[name] for name in LINE)) for line in r["insurance"]]
        for line, should in zip(said, lines, strict=False):
            same(f"seat {r['seat']} (window, {', '.join(LINE)})", line, should)
        same(f"how many bets of seat {r['seat']} are settled", len(said), len(lines))
        count["settlements"] += len(r["lines"])
        count["insurance"] += len(r["insurance"])
        return sum(line[5] for line in lines), sum(line[2] for line in lines if line[3] == "lose"), back


class Table:
    def __init__(self, name: str, journal: Journal) -> None:
        self.id, self.journal, self.count = name, journal, journal.count
        self.status, self.dealer, self.game = "closed", "", ""
        self.settings: Record = {}  # as the table was opened, and its limits
        self.shoe: Any = None
        self.new_shoe: Any = None
        self.round: Any = None
        self.earlier: Any = None  # the round before this one that entries are about
        self.committed = (0, 0, "")
        self.held: list[str] = []  # cards drawn already, to be played before any other
        self.faults: set[str] = set()
        self.locked: set[int] = set()
        self.numbers: Counter[Any] = Counter()  # vouchers and transits of each seat, visitors
        self.visitors: dict[int, str] = {}
        self.due: deque[tuple[str, Record]] = deque()  # what must follow: a decision that was begun is complete
        self.begun = self.new_required = False
        self.decided: Record = {}

    def apply(self, kind: str, event: Event, r: Record, b: Record) -> Moves | None:
        marks, command, source = event.marks, b.get("type", ""), b["from"]
        self.begun = bool(self.due) and not marks["~"]
        if self.begun:
            tag, fields = self.due.popleft()
            must(tag == kind, f"a {tag} must come here, to complete what was begun")
            for name, value in fields.items():
                same(name, r[name], value)
        else:
            phase = self.round.phase if self.round else "no-round"
            must(not marks["@"] or phase in marks["@"], f"{kind} cannot come while the round's phase is {phase}")
            waits = self.faults or (self.round and self.round.reports)
            must(not marks["!"] or not waits, f"{kind} while the table has a fault or a report waits")
            by_itself = self.settings.get("mode") == "automatic" or (source == "reader" and kind == "card-dealt")
            must(not marks["!"] or source in ("staff", "terminal") or by_itself, f"{kind} by {source} at a dealer's table")
        if source in ("staff", "terminal") and marks["<"]:
            must(command in marks["<"], f"{kind} cannot come of {command!r}")
        if source == "staff" and command in LOWEST and marks["<"]:
            self.ranks(b, LOWEST[command], command)
        if source == "terminal" and r.get("seat"):
            same("by", b.get("by"), self.visitors.get(r["seat"], f"{self.id}-{r['seat']}"))
        if "by" in r and not (self.begun and kind == "bet-ruled"):
            itself = source != "staff" or r.get("from_file") or r.get("kind") in ("table-interruption", "wrong-area")
            same("by", r["by"], "" if itself and kind != "report-withdrawn" and r["by"] == "" else b.get("by", ""))
        if self.earlier and kind not in ("earlier-cards-corrected", "earlier-seat-settled", "bet-ruled") and not marks["~"]:
            self.earlier = self.journal.rounds.keep(self.id, self.earlier)
        found: Moves | None = getattr(self, event.method)(kind, r, b)
        return found

    def ranks(self, b: Record, lowest: str, what: str) -> None:
        """Whoever ranks higher may do it too (reading 16); what the program does by itself has no rank."""
        if b["from"] == "staff":
            rank, roles = b.get("rank", ""), self.journal.roles.get(b.get("by", ""))
            must(rank in RANKS and RANKS.index(rank) >= RANKS.index(lowest), f"{what} needs a {lowest}, it was a {rank!r}")
            must(not roles or rank in roles, f"{b.get('by')} was never a {rank}")
            self.count["ranks"] += 1

    def purse(self, seat: int) -> tuple[str, str, str, str, int, int]:
        """The accounts credit, stakes, house and owed; how much credit the seat has, and what it owes."""
        money, credit, owed = self.journal.money, f"credit/{self.id}-{seat}", f"owed/{self.id}-{seat}"
        return credit, f"stake/{self.id}", f"house/{self.id}", owed, money.get(credit, 0), -money.get(owed, 0)

    def told(self, kind: str, r: Record, b: Record) -> None:
        """What moves no money and changes no round."""

    def office(self, kind: str, r: Record, b: Record) -> None:
        match kind:
            case "table-opened":
                must(self.status == "closed" and r["game"] in GAMES, "the table was open already, or its game is none")
                must(4 <= r["decks"] <= (10 if r["game"].startswith("mbs") else 8), f"{r['decks']} decks are not allowed")
                self.status, self.game, self.settings = "open", r["game"], {**self.settings, **r}
            case "table-paused" | "table-resumed":
                before, after = ("open", "paused") if kind == "table-paused" else ("paused", "open")
                same("the table was", self.status, before)
                self.status = after
            case "table-closed":
                must(not self.dealer and self.status != "closed", "the table was closed, or a dealer is signed on")
                self.status = "closed"
            case "dealer-signed-on":
                same("relieves, dealer", (r["relieves"], r["dealer"]), (self.dealer, b.get("by", "")))
                self.dealer = r["dealer"]
            case "dealer-signed-off":
                same("dealer", r["dealer"], self.dealer)
                self.ranks(b, "dealer" if b.get("by") == self.dealer else "pit-supervisor", "signing off somebody else")
                self.dealer = ""
            case "limits-changed":
                self.settings = {**self.settings, **r}
            case "terminal-locked" | "terminal-unlocked":
                (self.locked.add if kind == "terminal-locked" else self.locked.discard)(r["seat"])
            case "fault-raised" | "fault-cleared":
                (self.faults.add if kind == "fault-raised" else self.faults.discard)(r["fault"])

    def shoes(self, kind: str, r: Record, b: Record) -> None:
        shoe, new = self.shoe, self.new_shoe
        match kind:
            case "shoe-committed":
                self.committed = (r["shoe"], r["decks"], r["commitment"])
                self.count["commitments"] += 1
            case "shoe-loaded":
                same("shoe", r["shoe"], shoe.number + 1 if shoe else 1)
                if shoe and not shoe.spent() and not self.new_required and shoe.rules == r["rules_sha256"]:
                    self.ranks(b, "pit-supervisor", "other cards before the cut card")
                on = self.settings["optional"]
                same("offered", r["offered"], [wager for wager in GAMES[self.game] if wager not in OPTIONAL or wager in on])
                self.new_shoe = Shoe(r)
                if self.settings["shoe"] == "shuffler":
                    same("the commitment's shoe and decks", self.committed[:2], (r["shoe"], r["decks"]))
                self.new_shoe.commitment, self.committed = self.committed[2], (0, 0, "")
            case "shoe-revealed":
                same("shoe, decks, commitment", (r["shoe"], r["decks"], r["commitment"]), (shoe.number, shoe.decks, shoe.commitment))
                text = f"natural9 shoe 1\ndecks {r['decks']}\nsalt {r['salt']}\norder {r['order']}\n"
                same("commitment", r["commitment"], sha256(text.encode()).hexdigest())
                order = r["order"].split(" ")
                must(Counter(order) == Counter(dict.fromkeys(DECK, shoe.decks)), "the order is not one of whole decks")
                for place, (card, came) in enumerate(zip(order, shoe.out, strict=False), 1):
                    must(came in (card, "-"), f"card {place} of the shoe was {came}, and {card} was committed to")
                same("dealt", r["dealt"], len(shoe.out))
                shoe.commitment = ""  # never twice
                self.count["shoes"] += 1
            case "cards-burnt":
                must(new.burns and (r["why"] or not new.out), "nothing to burn, or a correction of it without a reason")
                read = max(0, len(new.out) - 1) if new.counts else 0
                new.left, new.out = Counter(dict.fromkeys(DECK, new.decks)), []
                new.take(r["card"])
                same("face_down", r["face_down"], POINTS[r["card"][0]] or 10)
                new.to_come = r["face_down"] - read if new.counts else 0
                same("to_come", r["to_come"], new.to_come)
                new.out += ["-"] * (r["face_down"] - r["to_come"])
            case "face-down-burnt":
                new.to_come -= r["cards"]
                must(r["left"] == new.to_come >= 0, f"{new.to_come} burnt cards are to come, it says {r['left']}")
                new.out += ["-"] * r["cards"]
            case "new-shoe-required":
                self.new_required = True
            case "cut-card-appeared":
                must(not shoe.cut and not new, "the cut card comes once in a shoe")
                shoe.cut = True
            case "shoe-replaced":
                may = self.game == "rws-nc" and self.decided["kind"] == "drawn-together-order-unknown"
                must(may, "no clause lets the shoe be replaced")
                same("shoe, decks", (r["shoe"], r["decks"]), (shoe.number + 1, shoe.decks))
                self.shoe = Shoe({**r, "offered": shoe.offered, "rules_sha256": shoe.rules})
                self.round.old = len(self.round.cards) + len(self.held)

    def betting(self, kind: str, r: Record, b: Record) -> None:
        g = self.round
        match kind:
            case "bet-placed":
                seat, wager = r["seat"], r["wager"]
                must(wager in g.offered, f"{wager} is not on offer")
                self.lay(seat, r["cents"])
                bets = g.bets.setdefault(seat, {})
                bets[wager] = lies = bets.get(wager, 0) + r["cents"]
                low, high = g.limits.get(wager, (0, lies))
                must(low <= lies <= high, f"{lies} cents on {wager}: the limits are {low} and {high}")
                if g.withdrawn:
                    g.withdrawn[seat, wager] = max(0, g.withdrawn[seat, wager] - r["cents"])
                self.count["bets"] += 1
            case "bet-taken-back":
                self.take(r["seat"], r["wager"], r["cents"])
                lies, low = g.bet(r["seat"], r["wager"]), g.limits.get(r["wager"], (0, 0))[0]
                must(lies == 0 or lies >= low, f"{lies} cents stay on {r['wager']}: the least is {low}")
                g.withdrawn[r["seat"], r["wager"]] += r["cents"]
            case "bets-cleared":
                same("cents", r["cents"], g.stake(r["seat"]))
                for wager, cents in list(g.bets[r["seat"]].items()):
                    self.take(r["seat"], wager, cents)
                    g.withdrawn[r["seat"], wager] += cents
            case "betting-closed":
                same("staked_cents", r["staked_cents"], sum(map(g.stake, g.seats())))
                least = self.settings.get("seat_min_cents", 0)
                must(all(g.stake(seat) >= least for seat in g.seats()), f"a seat has bet less than {least} cents")
                g.phase = "bets-closed"
            case "betting-opened":
                self.open(r)

    def open(self, r: Record) -> None:
        before, old = self.round, 0
        if before:
            self.journal.rounds.keep(self.id, before)
            old = max(0, before.old - len(before.cards))
            self.held, old = (self.held, old) if before.game == r["game"] else ([], 0)
        if self.new_shoe:
            must(not self.new_shoe.burns or self.new_shoe.to_come == 0, "the first cards of the shoe are not burnt yet")
            self.shoe, self.new_shoe, self.new_required, old = self.new_shoe, None, False, len(self.held)
        shoe = self.shoe
        must(self.status == "open" and shoe and not shoe.spent() and not self.new_required, "no open table, or no good shoe")
        should = {
            "round": before.number + 1 if before else 1, "shoe": shoe.number, "held": self.held, "from_old_set": old,
            "offered": shoe.offered, "betting_unit_cents": self.settings.get("betting_unit_cents"), "game": self.game,
            "limits": self.settings.get("limits"), "rules_sha256": shoe.rules, "dealer": self.dealer,
        }  # fmt: skip
        for name, value in should.items():
            same(name, r.get(name, ""), value)
        must(not r["limits"] or set(r["offered"]) <= set(r["limits"]), "a wager is on offer without limits")
        self.round = Round(r)
        self.count["rounds"] += 1

    def lay(self, seat: int, cents: int) -> None:
        g, settings = self.round, self.settings
        must(0 < cents <= 10**12 and cents % (g.unit or 1) == 0, f"{cents} cents is no multiple of the betting unit")
        must(seat not in self.locked, f"terminal {seat} is locked")
        g.staked += cents
        for most, total in ((settings.get("seat_max_cents"), g.stake(seat) + cents), (settings.get("table_max_cents"), g.staked)):
            must(most is None or total <= most, f"{total} cents in all: the most is {most}")

    def take(self, seat: int, wager: str, cents: int) -> None:
        g, bets = self.round, self.round.bets.get(seat, {})
        must(0 < cents <= bets.get(wager, 0), f"{cents} cents of {wager} at seat {seat}: {bets.get(wager, 0)} lie there")
        g.staked -= cents
        bets[wager] -= cents
        if not bets[wager]:
            del bets[wager]

    def stands(self) -> str:
        """The phase of the round by its cards; before a card that is known already there is no insurance (reading 28)."""
        g, dealt = self.round, len(self.round.cards)
        hand = next_hand(ranks_of(g.cards))
        if dealt < 4 or hand is None:
            return "complete" if hand is None else "initial-deal" if dealt else "bets-closed"
        window = "four-cards" if dealt == 4 else "third-card"
        offers = {} if self.held or (dealt == 5 and g.waived >= 0) else g.offers(window)
        return f"{window}-insurance" if offers and g.windows.get(window) != offers else f"{hand}s-third"

    def playing(self, kind: str, r: Record, b: Record) -> Moves | None:
        g = self.round
        match kind:
            case "card-dealt":
                same("hand", r["hand"], next_hand(ranks_of(g.cards)))
                if self.held:
                    same("card", r["card"], self.held.pop(0))
                else:
                    self.shoe.take(r["card"])
                g.cards.append(r["card"])
                g.phase = self.stands()
                same("phase", r["phase"], g.phase)
                if r["put_at"] != r["hand"]:
                    self.due.append(("irregularity-reported", {"kind": "wrong-area"}))
                self.count["cards"] += 1
            case "result-declared":
                result, says = outcome(ranks_of(g.cards)), (r["winner"], r["player_total"], r["banker_total"])
                must(not g.declared, "the result was declared already")
                same("winner, player_total, banker_total", says, result[:3])
                same("won", r["won"], g.won())
                g.declared = True
                self.count["results"] += 1
            case "seat-settled":
                return self.settle(r)
            case "round-settled":
                must(g.declared and (self.begun or not g.seats()), "the round is settled before its bets are")
                staked = sum(g.stake(seat) for seat in g.seats())
                names = ("staked_cents", "stakes_returned_cents", "collected_cents", "winnings_cents")
                sums = (staked, staked - g.lost, g.lost, g.paid - (staked - g.lost))
                same(", ".join(names), tuple(r[name] for name in names), sums)
                g.phase, g.settled, g.lost, g.paid = "settled", True, 0, 0
        return None

    def settle(self, r: Record) -> Moves:
        g, seat = self.round, r["seat"]
        must(g.declared, "a settlement without a declared result")
        if not self.begun:
            same("seat", seat, next(iter(g.seats()), None))
            self.due.extend([*(("seat-settled", {"seat": other}) for other in g.seats()[1:]), ("round-settled", {})])
        returned, lost, back = g.check(r, self.count)
        staked = g.stake(seat)
        same("staked_cents, returned_cents", (r["staked_cents"], r["returned_cents"]), (staked, returned))
        must(not back and min(g.room(seat, "player"), g.room(seat, "banker")) >= 0, f"insurance of seat {seat} is not covered")
        for (of, wager), (stake, ruled, _) in g.rulings.items():  # a ruling outlives the settlement
            if of == seat and stake == g.bet(seat, wager):
                g.rulings[of, wager] = (stake, ruled, False)
                if ruled != self.by_table(g, seat, wager):
                    self.due.appendleft(("bet-ruled", {"seat": seat, "wager": wager, "returned_cents": ruled}))
        g.returned[seat], g.lost, g.paid = returned, g.lost + lost, g.paid + returned
        credit, stakes, house, owed, has, owes = self.purse(seat)
        return moves(
            ("stake-lost", stakes, house, lost), ("stake-returned", stakes, credit, staked - lost),
            ("winnings", house, credit, returned - (staked - lost)), ("owed-repaid", credit, owed, min(owes, has + returned)),
        )  # fmt: skip

    def by_table(self, g: Round, seat: int, wager: str) -> int:
        return sum(line[5] for line in g.settle(seat)[0] if line[1] == wager)

    def insuring(self, kind: str, r: Record, b: Record) -> None:
        g = self.round
        match kind:
            case "insurance-opened":
                window, offers = r["window"], g.offers(r["window"])
                must(f"{window}-insurance" == g.phase and not g.window, f"the window {window} cannot open now")
                same("offers", r["offers"], offers)
                g.window, g.windows[window] = window, offers
                pairs = ((seat, hand) for seat in g.seats() for hand in offers if g.bet(seat, hand))
                if not any(g.room(seat, hand) >= g.unit * ratio(offers[hand]) for seat, hand in pairs):
                    self.due.append(("insurance-closed", {"window": window}))
            case "insurance-placed":
                same("window", r["window"], g.window)
                same("odds", r["odds"], g.windows[g.window].get(r["hand"]))
                self.lay(r["seat"], r["cents"])
                g.insurance.setdefault(r["seat"], []).append((r["window"], r["hand"], r["cents"], r["odds"]))
                must(g.room(r["seat"], r["hand"]) >= 0, f"insurance of {r['hand']} would pay more than the bet")
                self.count["insurance bets"] += 1
            case "insurance-closed" | "insurance-skipped":
                must(kind == "insurance-skipped" or r["window"] == g.window, f"the window {r['window']} is not open")
                g.window, g.phase = "", f"{next_hand(ranks_of(g.cards))}s-third"
                same("phase", r["phase"], g.phase)
            case "insurance-waived" | "waiver-taken-back":
                if kind == "insurance-waived":
                    due = len(g.cards) == 4 and next_hand(ranks_of(g.cards)) == "player"
                    may = g.waived < 0 and ((g.phase == "third-card-insurance" and not g.window) or due)
                else:
                    may = g.waived == len(g.cards) and r["why"]
                must(may, f"{kind} cannot come now, or not without a reason")
                g.waived = len(g.cards) if kind == "insurance-waived" else -1
                g.phase = self.stands() if len(g.cards) == 5 else g.phase
                same("phase", r["phase"], g.phase)
            case "insurance-returned":
                left, items = r["cents"], g.insurance.get(r["seat"], [])
                for place in range(len(items) - 1, -1, -1):  # what was taken last goes back first
                    window, hand, cents, odds = items[place]
                    if left and (window, hand) == (r["window"], r["hand"]):
                        gone = min(left, cents)
                        left -= gone
                        items[place : place + 1] = [(window, hand, cents - gone, odds)] if cents > gone else []
                must(left == 0, f"{r['cents']} cents of insurance do not lie there")
                g.staked -= r["cents"]

    def remedies(self, r: Record) -> tuple[list[str], str]:
        """What may be decided about a report as things stand, and the rank that decides."""
        g, document = self.round, "mbs" if self.round.game.startswith("mbs") else self.round.game
        if r["confirm"]:
            return ["confirm-cards"], "pit-supervisor"
        clauses = {**CLAUSES[document], **CLAUSES["everywhere"]}
        clause = clauses.get(r["kind"], clauses["not-covered"])
        clause = clauses["not-covered"] if "first" in clause[2] and not g.cards else clause
        ranks, over, about = ranks_of(g.cards), g.phase in ("settled", "void"), r["about_round"] is not None
        for card in self.held:
            ranks += card[0] if next_hand(ranks) else ""
        due = not over and next_hand(ranks_of(g.cards)) is not None
        sure = any(word[-2:] in ("/e", "/u") for word in clause[0]) and established(g.game, tuple(g.offered), ranks)
        holds = {"": True, "d": due, "n": not due, "p": not over, "e": sure, "u": not sure}
        if about:
            reach = {"continue", "no-effect", "settle-by-cards"}
        else:
            reach = set("continue no-effect settle-by-cards void reconstruct refuse-bet bet-stands".split())
            reach -= {"reconstruct"} if over and not r["cards"] else set()
            if r["cards"]:
                reach |= {"discard", "decide-order", "use-in-next-round"}
                reach -= {"no-effect", "settle-by-cards"} if clause is clauses["not-covered"] else set()
            if g.phase == "void":
                reach -= {"settle-by-cards", "void", "refuse-bet", "bet-stands"}
        later = next((mark for mark in clause[2] if mark in RANKS), clause[1])
        words = (word.partition("/") for word in clause[0])
        return [remedy for remedy, _, when in words if holds[when] and remedy in reach], later if about else clause[1]

    def reports(self, kind: str, r: Record, b: Record) -> None:
        g, n = self.round, r.get("report")
        if kind in ("irregularity-decided", "report-withdrawn"):
            must(n in g.reports and g.reports[n]["kind"] == r["kind"], f"no report {n} of {r['kind']} waits")
            same("rank", r["rank"], b.get("rank", "dealer") if r["by"] else "dealer")
        match kind:
            case "irregularity-reported":
                g.reported += 1
                remedies, rank = self.remedies(r)
                said = (n, [remedy for remedy, _ in r["remedies"]], r["rank"], r["by_rank"])
                same("report, remedies, rank, by_rank", said, (g.reported, remedies, rank, b.get("rank", "dealer") if r["by"] else "dealer"))
                lies = g.bet(r["bet_seat"], r["wager"]) if r["kind"] == "late-bet" else g.withdrawn[r["bet_seat"], r["wager"]]
                must(r["kind"] not in ("late-bet", "withdrawn-bet") or 0 < r["cents"] <= lies, "no such bet lies, or was withdrawn")
                for card in r["cards"]:
                    self.shoe.take(card)
                g.reports[n] = r
                self.count["reports"] += 1
            case "irregularity-decided":
                report = self.decided = g.reports.pop(n)
                remedies, rank = self.remedies(report)
                must(r["remedy"] in remedies, f"{r['remedy']} cannot be decided: {' or '.join(remedies) or 'nothing'} can")
                if r["by"]:
                    self.ranks(b, rank, f"deciding about {r['kind']}")
                else:
                    must(r["kind"] == "table-interruption" and len(remedies) == 1, "nobody decided it")
                self.follow(r["remedy"], report)
                self.count["decisions"] += 1
            case "report-withdrawn":
                report = g.reports.pop(n)
                lowest = min(RANKS.index(report["rank"]), 1), RANKS.index(report["by_rank"])
                self.ranks(b, RANKS[max(lowest)], "withdrawing this report")
                must(r["why"], "withdrawn without a reason")
                self.shoe.change(report["cards"], [])
                del self.shoe.out[len(self.shoe.out) - len(report["cards"]) :]
            case "cards-put-in-order":
                same("cards", sorted(r["cards"]), sorted(self.decided["cards"]))
                self.held += r["cards"]
            case "cards-reconstructed":
                same("put_at", r["put_at"], [next_hand(ranks_of(g.cards)[:place]) for place in range(len(g.cards))])
            case "cards-discarded":
                if r["waited"]:
                    self.ranks(b, self.remedies({**NO_REPORT, "kind": "excess-or-exposed"})[1], "discarding cards")
                    for card in r["cards"]:
                        g.old -= len(g.cards) + self.held.index(card) < g.old
                        self.held.remove(card)
                must(r["why"], "discarded without a reason")

    def follow(self, remedy: str, report: Record) -> None:
        """What else belongs to a decision, where that is known beforehand."""
        g, cards = self.round, report["cards"]
        seat, wager, cents = report["bet_seat"], report["wager"], report["cents"]
        if remedy == "void":
            self.due.extend(self.void(report["kind"]))
        elif remedy == "discard":
            self.due.append(("cards-discarded", {"cards": cards, "waited": False}))
        elif cards and remedy in ("reconstruct", "use-in-next-round", "decide-order", "continue"):
            self.due.append(("cards-put-in-order", {}))
            if g.phase.endswith("-insurance"):
                self.due.append(("insurance-skipped", {}))
        elif remedy == "reconstruct":
            self.due.append(("cards-reconstructed", {}))
        elif remedy == "bet-stands":
            self.due.append(("bet-restored", {"seat": seat, "wager": wager, "cents": cents}))
        elif remedy == "refuse-bet" and wager.endswith("-insurance") and g.bet(seat, wager):
            self.due.append(("insurance-returned", {"seat": seat, "cents": min(cents, g.bet(seat, wager))}))
        elif remedy == "refuse-bet" and g.bet(seat, wager):
            self.due.append(("bet-voided", {"seat": seat, "wager": wager, "cents": min(cents, g.bet(seat, wager))}))

    def void(self, kind: str | None) -> Iterator[tuple[str, Record]]:
        g = self.round
        if g.settled:
            yield from (("settlement-reversed", {"seat": seat, "cents": g.returned[seat]}) for seat in g.seats())
        for (seat, wager), (stake, ruled, _) in g.rulings.items():
            if not g.bet(seat, wager) and ruled != stake:
                yield "bet-ruled", {"seat": seat, "wager": wager, "returned_cents": stake}
        yield from (("bets-returned", {"seat": seat, "cents": g.stake(seat)}) for seat in g.seats())
        yield "round-voided", {"returned_cents": sum(map(g.stake, g.seats())), **({"kind": kind} if kind else {})}
        if kind in NEW_SHOE_AFTER:
            yield "new-shoe-required", {"kind": kind}

    def start(self, kind: str, r: Record, events: Iterable[tuple[str, Record]]) -> None:
        """The first event of a decision that nothing announced: it must be the first of these, and the others follow."""
        self.due.extend(events)
        tag, fields = self.due.popleft()
        same(kind, {"event": kind, **{name: r[name] for name in fields}}, {"event": tag, **fields})

    def changes(self, kind: str, r: Record, b: Record) -> Moves | None:
        g, seat, cents = self.earlier or self.round, r.get("seat", 0), r.get("cents", 0)
        credit, stakes, house, owed, has, owes = self.purse(seat)
        repaid = ("owed-repaid", credit, owed, min(owes, has + cents))
        match kind:
            case "round-taken-up":
                self.earlier = self.journal.rounds.load(self.id, r["about_round"])
            case "bets-returned" | "round-voided":
                if not self.begun:
                    self.ranks(b, "shift-manager", "voiding a round by authority")
                    must(g.phase not in ("settled", "void"), "a round that is settled or void is voided by authority")
                    self.start(kind, r, self.void(None))
                if kind == "bets-returned":
                    g.bets.pop(seat, None), g.insurance.pop(seat, None)
                    for key in [key for key in g.withdrawn if key[0] == seat]:
                        del g.withdrawn[key]
                    return moves(("bet-returned", stakes, credit, cents), repaid)
                must(r["why"] or b["from"] == "program", "a void without a reason")
                g.phase, g.settled, g.staked, g.window = "void", False, 0, ""
                g.reports = {n: x for n, x in g.reports.items() if x["cards"] or x["about_round"] is not None}
                self.count["voids"] += 1
            case "bet-voided":
                must(r["why"] and (self.begun or not g.settled), "a bet is voided with a reason, before the round is settled")
                self.take(seat, r["wager"], cents)
                kept = list(g.insurance.get(seat, []))
                for item in reversed(kept[:]):  # from the last on: what is above the cap goes back whole
                    would = sum(x[2] * ratio(x[3]) for x in kept if x[1] == item[1])
                    if would > g.bet(seat, item[1]):
                        kept.remove(item)
                        self.due.append(("insurance-returned", {"seat": seat, "window": item[0], "hand": item[1], "cents": item[2]}))
                return moves(("bet-returned", stakes, credit, cents), repaid)
            case "bet-restored":
                must(self.begun and r["why"], "a bet is restored by a decision, with a reason")
                g.bets.setdefault(seat, {})[r["wager"]] = g.bet(seat, r["wager"]) + cents
                g.withdrawn[seat, r["wager"]] -= cents
                g.staked += cents
                return moves(("owed", owed, credit, max(0, cents - has)), ("bet-restored", credit, stakes, cents))
            case "settlement-reversed":
                if not self.begun:
                    must(g.settled, "the round is not settled")
                    each = [("settlement-reversed", {"seat": s, "cents": g.returned[s]}) for s in g.seats()]
                    self.start(kind, r, [*each, ("cards-corrected", {})])
                same("cents", cents, g.returned[seat])
                staked = g.stake(seat)
                back = min(cents, staked)
                return moves(
                    ("owed", owed, credit, max(0, cents - has)), ("stake-returned-reversed", credit, stakes, back),
                    ("winnings-reversed", credit, house, cents - back), ("stake-lost-reversed", house, stakes, staked - back),
                )  # fmt: skip
            case "cards-corrected":
                self.correct(r, b)
            case "bet-ruled":
                return self.rule(g, r)
            case "earlier-cards-corrected":
                was = {"round": g.number, "shoe": g.shoe, "was": g.cards, "from_old_set": min(g.old, len(g.cards))}
                same(", ".join(was), {name: r[name] for name in was}, was)
                before, won = ({s: g.settle(s) for s in g.seats()}, g.won()) if g.settled else ({}, [])
                suits = ranks_of(g.cards) == ranks_of(r["cards"])
                g.cards = r["cards"]
                changed = [s for s in before if self.earlier_return(g, s)[2] != g.returned[s]]
                lowest = "dealer" if suits else "shift-manager" if changed or won != r["won"] else "pit-supervisor"
                self.ranks(b, lowest, "this correction")
                if self.shoe.number == g.shoe:
                    self.shoe.change(r["was"][g.old :], r["cards"][g.old :])
                same("won", r["won"], g.won() if g.settled else [])
                must(r["why"], "corrected without a reason")
                self.due.extend(("earlier-seat-settled", {"seat": s}) for s in changed)
                self.count["corrections"] += 1
            case "earlier-seat-settled":
                return self.settle_earlier(g, r)
        return None

    def correct(self, r: Record, b: Record) -> None:
        g, again = self.round, self.round.settled
        before, after = ranks_of(g.cards), ranks_of(r["cards"])
        changed = before != after and g.phase != "void"
        must(not (changed and again and g.seats() and not self.begun), "the settlement was not reversed")
        same("put_at", r["put_at"], [next_hand(after[:place]) for place in range(len(after))])
        self.shoe.change((g.cards + self.held)[g.old :], (r["cards"] + r["held"])[g.old :])
        results = [outcome(x) if next_hand(x) is None else None for x in (before, after)]
        lost = [(seat, *item) for seat in sorted(g.insurance) for item in g.insurance[seat] if insurance_odds(*item[:2], after) != item[3]]
        if b.get("type") != "decide" and before != after and g.declared:
            wrong = CLAUSES.get(g.game, CLAUSES["mbs"]).get("wrong-result", CLAUSES["everywhere"]["not-covered"])
            self.ranks(b, "pit-supervisor" if results[0] == results[1] and not lost else wrong[1], "this correction")
        must(r["why"] or not g.declared, "corrected without a reason")
        g.cards, self.held = r["cards"], r["held"]
        if changed:
            g.declared, g.settled, g.window, g.phase = False, False, "", self.stands()
            for seat, window, hand, cents, _ in lost:
                self.due.append(("insurance-returned", {"seat": seat, "window": window, "hand": hand, "cents": cents}))
            if again and g.phase == "complete":
                self.due.append(("result-declared", {}))
                self.due.extend([*(("seat-settled", {"seat": seat}) for seat in g.seats()), ("round-settled", {})])
        same("phase", r["phase"], g.phase)
        self.count["corrections"] += 1

    def rule(self, g: Round, r: Record) -> Moves:
        """The manager's ruling on one bet of a settled round (reading 26)."""
        seat, wager = r["seat"], r["wager"]
        lies = g.bet(seat, wager)
        stake = lies or g.withdrawn[seat, wager]
        ruled = g.rulings.get((seat, wager), (0, 0, False))
        was = ruled[1] if ruled[2] and ruled[0] == stake else self.by_table(g, seat, wager) if lies else stake
        same("round, stake_cents, was_cents", (r["round"], r["stake_cents"], r["was_cents"]), (g.number, stake, was))
        must(r["why"] and stake and (g.settled or self.begun), "a ruling is on a bet of a settled round, with a reason")
        more = r["returned_cents"] - was
        must(more, "a ruling that changes nothing")
        g.rulings[seat, wager] = (stake, r["returned_cents"], True)
        g.returned[seat] = g.returned.get(seat, 0) + (more if lies else 0)
        self.count["rulings"] += 1
        credit, _, house, owed, has, owes = self.purse(seat)
        if more < 0:
            return moves(("owed", owed, credit, max(0, -more - has)), ("ruling", credit, house, -more))
        return moves(("ruling", house, credit, more), ("owed-repaid", credit, owed, min(owes, has + more)))

    def earlier_return(self, g: Round, seat: int) -> tuple[int, int, int]:
        """Of a corrected round: insurance that goes back, what rulings add, and what the seat gets in all."""
        lines, back = g.settle(seat)
        ruled = sum(
            to - self.by_table(g, seat, wager)
            for (of, wager), (stake, to, _) in g.rulings.items() if of == seat and stake == g.bet(seat, wager)
        )  # fmt: skip
        return back, ruled, sum(line[5] for line in lines) + back + ruled

    def settle_earlier(self, g: Round, r: Record) -> Moves:
        seat, staked = r["seat"], g.stake(r["seat"])
        must(self.begun, "nothing changes for this seat")
        g.check(r, self.count)
        should = (g.number, staked, g.returned[seat], *self.earlier_return(g, seat))
        names = ("round", "staked_cents", "was_cents", "insurance_back_cents", "ruled_cents", "returned_cents")
        same(", ".join(names), tuple(r[name] for name in names), should)
        was, g.returned[seat] = g.returned[seat], should[5]
        stake_more = min(should[5], staked) - min(was, staked)
        win_more = should[5] - was - stake_more
        credit, stakes, house, owed, has, owes = self.purse(seat)
        short = max(0, -(stake_more + win_more) - has)
        return moves(
            ("stake-lost-reversed", house, stakes, stake_more), ("stake-returned", stakes, credit, stake_more),
            ("winnings", house, credit, win_more), ("owed", owed, credit, short),
            ("stake-returned-reversed", credit, stakes, -stake_more), ("stake-lost", stakes, house, -stake_more),
            ("winnings-reversed", credit, house, -win_more),
            ("owed-repaid", credit, owed, 0 if short else min(owes, has + max(0, stake_more + win_more))),
        )  # fmt: skip

    def credit(self, kind: str, r: Record, b: Record) -> None:
        out, seat = self.journal.out, r.get("seat", 0)
        match kind:
            case "credit-bought" | "hand-paid":
                must(r["desk"] == b.get("by") and 0 < r["cents"] <= 10**12 and r["signed_by"] != r["desk"], "wrong desk or sum")
            case "voucher-issued":
                self.numbers["voucher", seat] += 1
                same("number", r["number"], f"{self.id}-{seat}-{self.numbers['voucher', seat]}")
                out[f"voucher/{r['number']}"] = (r["cents"], r["expires_at_ms"], self.id, seat)
                self.count["vouchers"] += 1
            case "voucher-inserted":
                cents, expires, _, _ = self.journal.redeem(f"voucher/{r['number']}")
                must(r["cents"] == cents and self.journal.at_ms < expires, f"the voucher is of {cents} cents, until {expires}")
            case "voucher-voided":
                same("cents, table, seat", (r["cents"], self.id, seat), self.journal.redeem(f"voucher/{r['number']}", (0, 2, 3)))
            case "debt-left":
                same("cents", r["cents"], self.purse(seat)[5])
            case "visitor-seated":
                self.numbers["visitors"] += 1
                same("seat", seat, 10_000 + self.numbers["visitors"])
                self.visitors[seat] = f"{r['home_table']}-{r['home_seat']}"
            case "credit-taken-along" | "credit-sent-home":
                self.numbers["transit", seat] += 1
                same("transit", r["transit"], f"{self.id}-{seat}-{self.numbers['transit', seat]}")
                rest = tuple(r.get(name) for name in ("cents", "decided_cents", "staked_cents", "rounds"))
                to = f"{r['to_table']}-{r['to_seat']}" if kind == "credit-taken-along" else self.visitors[seat]
                out[f"transit/{r['transit']}"] = (to, f"{self.id}-{seat}", *rest)
                self.count["visits"] += 1
            case "credit-brought" | "credit-came-home":
                rest = tuple(r.get(name) for name in ("cents", "decided_cents", "staked_cents", "rounds"))
                sender = f"{r['from_table']}-{r['from_seat']}" if kind == "credit-came-home" else self.visitors[seat]
                same("to, from, cents, decided, staked, rounds", (f"{self.id}-{seat}", sender, *rest), self.journal.redeem(f"transit/{r['transit']}"))


NO_REPORT: Record = {"confirm": False, "cards": ["?"], "about_round": None}


# --- The journal --------------------------------------------------------------------------------------------------------


class Rounds:
    """Rounds that are over, in a file of their own: memory stays flat, and each can still be taken up again."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()
        self.places: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))

    def keep(self, table: str, g: Round) -> None:
        places, data = self.places[table], pickle.dumps(g.__dict__)
        places.extend([0] * (g.number - len(places)))
        places[g.number - 1] = self.file.seek(0, 2)
        self.file.write(len(data).to_bytes(4, "big") + data)

    def load(self, table: str, number: int) -> Round:
        must(0 < number <= len(self.places[table]), f"there is no earlier round {number}")
        self.file.seek(self.places[table][number - 1])
        g = Round.__new__(Round)
        g.__dict__.update(pickle.loads(self.file.read(int.from_bytes(self.file.read(4), "big"))))
        return g


def _once(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name comes twice in an object")
    return found


def _no_fraction(text: str) -> int:
    raise ValueError(f"{text} is no whole number")


decode = json.JSONDecoder(object_pairs_hook=_once, parse_float=_no_fraction, parse_constant=_no_fraction).decode
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
BELOW_ZERO = ("house/", "desk/", "owed/", "vault/", "short/")
ENVELOPE = ("stream", "number", "kind", "at_ms", "day", "label", "request", "first_transfer", "transfers", "documents", "documents_sum")
BODY = {"event", "v", "record", "from", "by", "request", "command", "type", "rank"}
BETS = {"bet", "take-back", "clear", "undo", "double", "re-bet", "lay-bets", "insure"}


def entry_hash(before: bytes, e: Record) -> bytes:
    envelope = encode([2, *(e[name] for name in ENVELOPE)]).encode()
    return sha256(before + len(envelope).to_bytes(8, "big") + envelope + e["body"].encode()).digest()


class Stream:
    def __init__(self) -> None:
        self.number, self.hash, self.at_ms, self.day, self.transfer, self.sum = 0, bytes(32), 0, "", 1, 0


class Journal:
    def __init__(self, keys: list[VKey], kept: list[Note], receipts: list[Record], witnesses: list[VKey]) -> None:
        self.trusted, self.kept, self.witnesses = keys, kept, witnesses
        self.receipts = {receipt["entry"]["seq"]: receipt["entry"]["hash"] for receipt in receipts}
        self.count: Counter[str] = Counter()
        self.streams: defaultdict[str, Stream] = defaultdict(Stream)
        self.tables: dict[str, Table] = {}
        self.money: dict[str, int] = {}
        self.meters: defaultdict[str, dict[tuple[str, str], list[int]]] = defaultdict(dict)
        self.forgotten = 0  # the sum over the meters of vouchers that are redeemed
        self.documents: dict[str, str] = {}
        self.out: dict[str, tuple[Any, ...]] = {}  # vouchers and transits that are out
        self.drawers: dict[str, Record] = {}
        self.roles: defaultdict[str, set[str]] = defaultdict(set)
        self.asked: list[set[str]] = [set(), set()]  # the last requests, a quarter of a million or more
        self.tree, self.rounds, self.at_ms = Tree(), Rounds(), 0
        self.keys: list[VKey] = []
        self.origin, self.head, self.signed, self.ended = "", Record(), 0, False

    def redeem(self, what: str, places: Iterable[int] = range(9)) -> tuple[Any, ...]:
        must(what in self.out, f"{what} is not out: never issued, or redeemed before")
        found = self.out.pop(what)
        return tuple(found[place] for place in places if place < len(found))

    def entry(self, e: Record) -> None:
        stream, kind, s = e["stream"], e["kind"], self.streams[e["stream"]]
        same("seq", e["seq"], self.tree.size + 1)
        same("number, first_transfer", (e["number"], e["first_transfer"]), (s.number + 1, s.transfer))
        must(e["at_ms"] >= s.at_ms and e["day"] >= s.day, "its time or day is before that of the entry before it")
        digest = entry_hash(s.hash, e)
        same("hash", e["hash"], digest.hex())
        self.tree.append(digest)
        s.number, s.hash, s.at_ms, s.day, s.transfer = e["number"], digest, e["at_ms"], e["day"], s.transfer + len(e["transfers"])
        if self.receipts:
            same("hash", self.receipts.pop(e["seq"], e["hash"]), e["hash"])
        b = decode(e["body"])
        must(BODY >= b.keys(), f"the body has more than it may: {sorted(b.keys() - BODY)}")
        same("kind", kind, b["event"])
        table = stream[6:] if stream.startswith("table/") else ""
        r, tag, version = b["record"], kind, b["v"]
        if version == 1 and tag in ("bet-placed", "bet-increased"):  # former versions are read as today's
            r["cents"], tag, version = r.pop("stake" if tag == "bet-placed" else "more"), "bet-placed", 2
        event = EVENTS.get(("table" if table else stream, tag))
        if event is None:
            raise Wrong(f"there is no event {tag} in stream {stream}")
        if version == 1 and event.version == 2:
            r, version = {**r, "signed_by": ""}, 2
        same("version", version, event.version)
        if r.keys() != event.fields:
            must(event.needed <= r.keys() <= event.fields, f"its fields are {sorted(r)}, they should be {sorted(event.fields)}")
        label = event.label
        same("label", e["label"], label.format(TABLE=table, **r) if "{" in label else label)
        self.request(e, b)
        self.at_ms = e["at_ms"]
        if table:
            if table not in self.tables:
                self.tables[table] = Table(table, self)
            moved = self.tables[table].apply(tag, event, r, b)
        else:
            moved = self.office(tag, r, b) if stream == "venue" else self.staff(tag, r)
        if event.marks["$"]:
            moved = self.move(event.marks["$"][0], table, r)
        same("transfers", e["transfers"], moved or [])
        for transfer in e["transfers"]:
            self.post(e["day"], *transfer)
        self.write(e, event, table, r, s)
        self.count[f"{'table' if table else stream} entries"] += 1

    def request(self, e: Record, b: Record) -> None:
        key = ""
        if "command" in b and b.get("request") and b.get("type") not in BETS:
            key = f"{e['stream']} {b['from']}{'/' + b['by'] if b.get('by') else ''} {b['request']}"
            must(key not in self.asked[0] and key not in self.asked[1], f"the request {key} was answered before")
            self.asked[0].add(key)
            if len(self.asked[0]) > 1 << 18:
                self.asked = [set(), self.asked[0]]
        same("request", e["request"], key)

    def move(self, words: str, table: str, r: Record) -> Moves:
        kind, *ends = words.split(",")
        place = f"{table}-{r.get('seat')}"
        short = {"C": f"credit/{place}", "S": f"stake/{table}", "T": f"transit/{place}"}
        names = [short.get(end) or {"D": "desk/{desk}", "V": "voucher/{number}"}.get(end, end).format(**r) for end in ends]
        return moves((kind, names[0], names[1], r["cents"]))

    def post(self, day: str, kind: str, source: str, target: str, cents: int) -> None:
        must(0 < cents <= 10**15 and source != target, f"a transfer of {cents} cents from {source} to {target}")
        money = self.money
        for account, more, place in ((source, -cents, 2), (target, cents, 0)):
            balance = money[account] = money.get(account, 0) + more
            must(balance >= 0 or account.startswith(BELOW_ZERO), f"{account} would be at {balance} cents")
            meter = self.meters[account].setdefault((day, kind), [0, 0, 0, 0])
            meter[place] += cents
            meter[place + 1] += 1
            if not balance:
                del money[account]
                if account.startswith("voucher/"):  # redeemed: nothing comes of it any more
                    self.forgotten += sum(_meter(account, *key, *m) for key, m in self.meters.pop(account).items())
        if kind in ("buy-in", "hand-pay", "voucher-paid"):
            drawer = self.drawers.get((source if kind == "buy-in" else target).removeprefix("desk/"))
            if drawer:
                drawer[kind] += cents
        self.count["transfers"] += 1

    def write(self, e: Record, event: Event, table: str, r: Record, s: Stream) -> None:
        """Documents: which are written follows from the event, and the sum over all there are from what each was."""
        wrote = [name for name, _ in e["documents"] if name.startswith(("voucher/", "shoe/", "transit/", "drawer/", "play/"))]
        marks = [word.format(TABLE=table, **r) for word in (*event.marks["+"], *event.marks["-"]) if not word.startswith("table/")]
        if e["kind"] != "key-changed":
            same("documents", wrote, marks)
        for name, digest in e["documents"]:
            must((digest is None) == bool(event.marks["-"]) or name not in marks, f"{name} is written, or not taken away")
            for sign, value in ((-1, self.documents.pop(name, None)), (1, digest)):
                if value is not None:
                    s.sum = (s.sum + sign * int.from_bytes(sha256(f"{value} {name}".encode()).digest(), "big")) % 2**256
            if digest is not None:
                self.documents[name] = digest
        same("documents_sum", e["documents_sum"], f"{s.sum:064x}" if e["documents"] else "")

    def office(self, kind: str, r: Record, b: Record) -> Moves | None:
        desk, drawer = r.get("desk", ""), self.drawers.get(r.get("desk", ""), {})
        if desk and kind != "wrong-codes-at-desk":
            must(desk == b.get("by") and r["signed_by"] != desk, f"the desk is {desk}, and {b.get('by')} asked")
            lies = -self.money.get(f"desk/{desk}", 0)
        match kind:
            case "checkpoint-key-set":
                self.set_key(r)
            case "voucher-paid":
                same("cents", (r["cents"],), self.redeem(f"voucher/{r['number']}", (0,)))
            case "drawer-opened":
                must(not drawer, "the drawer is open already")
                same("carried_cents", r["carried_cents"], lies)
                self.drawers[desk] = Counter({"opened": self.at_ms, "carried": lies, "float": r["cents"]})
            case "drawer-filled" | "drawer-returned":
                must(drawer and (kind == "drawer-filled" or lies >= r["cents"]), "the drawer is not open, or has not so much")
                drawer[kind] += r["cents"]
            case "drawer-closed":
                self.drawers.pop(desk)
                names = "opened carried float drawer-filled drawer-returned buy-in hand-pay voucher-paid".split()
                said = [r[name] for name in EVENTS_IN_DRAWER]
                same("the drawer's sums", said, [*(drawer[name] for name in names), lies])
                over = r["counted_cents"] - lies
                return moves(
                    ("drawer-closed", "vault/main", f"desk/{desk}", lies), ("drawer-closed", f"desk/{desk}", "vault/main", -lies),
                    ("drawer-short", f"short/{desk}", "vault/main", -over), ("drawer-over", "vault/main", f"short/{desk}", over),
                )  # fmt: skip
        return None

    def staff(self, kind: str, r: Record) -> None:
        if kind in ("staff-added", "role-changed", "administrator-claimed"):
            self.roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")

    def set_key(self, r: Record) -> None:
        key, text = parse_vkey(r["key"]), f"natural9 checkpoint key\n{r['origin']}\n{r['key']}\n".encode()
        same("origin", r["origin"], self.origin or r["origin"])
        must(key.name == r["origin"] and ed25519(key.public, text, base64.b64decode(r["signature"])), "the key did not sign itself")
        if self.keys:
            old = base64.b64decode(r["signature_before"])
            must(ed25519(self.keys[-1].public, text, old), "the key before it did not sign: ask before you trust it")
        self.origin = r["origin"]
        self.keys.append(key)
        self.count["keys"] += 1

    def checkpoint(self, text: str) -> None:
        note = parse_note(text)
        same("size", note.size, self.tree.size)
        same("root", note.root.hex(), self.tree.root().hex())
        must(self.keys and note.origin == self.origin, f"no key of {note.origin} was set in the journal")
        must(note.signed_by(self.keys[-1]), f"it is not signed by {self.keys[-1].name}, key {self.keys[-1].id.hex()}")
        if not self.trusted or any(key in self.trusted for key in self.keys):
            self.signed = note.size
        for witness in self.witnesses:
            if note.signed_by(witness):
                self.count["cosignatures"] += 1
        self.count["checkpoints"] += 1

    def roots(self) -> None:
        """A checkpoint that somebody kept: this journal must have gone through it."""
        for note in [note for note in self.kept if note.size == self.tree.size]:
            same(f"the root at {note.size} entries", self.tree.root().hex(), note.root.hex())
            self.kept.remove(note)
            self.count["kept checkpoints"] += 1

    def end(self, end: Record) -> None:
        for table in self.tables.values():
            must(not table.due, f"table {table.id} stops in the middle of a decision: {list(table.due)[:1]} should come")
        for name, should in (
            ("entries", self.tree.size), ("transfers", self.count["transfers"]), ("balances", self.money),
            ("streams", {name: [s.number, s.hash.hex()] for name, s in self.streams.items()}), ("documents", self.documents),
        ):  # fmt: skip
            if end[name] != should and isinstance(should, dict):
                for key in sorted(end[name].keys() | should.keys()):
                    same(f"{name}, {key}", end[name].get(key), should.get(key))
            same(name, end[name], should)
        left = sum(_meter(account, *key, *m) for account, meter in self.meters.items() for key, m in meter.items())
        for account, day, kind, *said in end["meters"]:
            if account in self.meters:
                same(f"meter {account} {day} {kind}", said, self.meters[account].get((day, kind)))
        must((left + self.forgotten - sum(_meter(*meter) for meter in end["meters"])) % 2**256 == 0, "the meters do not add up")
        self.count.update({"balances": len(self.money), "meters": len(end["meters"]), "documents": len(self.documents)})
        self.ended = True

    def line(self, item: Record) -> None:
        if not self.head:
            if (item.get("natural9"), item.get("format")) != ("journal", 1):
                raise BadInput("this is no exported journal (natural9 export writes one)")
            self.head = item
        elif "checkpoint" in item:
            self.checkpoint(item["checkpoint"])
        elif "end" in item:
            self.end(item["end"])
        else:
            must(not self.ended, "an entry after the end")
            self.entry(item)
            if self.kept:
                self.roots()


EVENTS_IN_DRAWER = [
    "opened_at_ms", "carried_cents", "float_cents", "filled_cents", "returned_cents", "taken_in_cents", "hand_paid_cents",
    "vouchers_paid_cents", "expected_cents",
]  # fmt: skip


def _meter(account: str, day: str, kind: str, *sums: int) -> int:
    return int.from_bytes(sha256(encode([account, day, kind, *sums]).encode()).digest(), "big")


# --- Receipts and the command line --------------------------------------------------------------------------------------


def check_receipt(receipt: Record, keys: list[VKey], witnesses: list[VKey]) -> Note:
    e = receipt["entry"]
    same("hash of the entry", e["hash"], entry_hash(bytes.fromhex(e["previous_hash"]), e).hex())
    proof, _, note_text = receipt["proof"].partition("\n\n")
    first, index, *path = proof.split("\n")
    note = parse_note(note_text)
    same("proof", (first, index), ("c2sp.org/tlog-proof@v1", f"index {e['seq'] - 1}"))
    root = root_by_proof(bytes.fromhex(e["hash"]), e["seq"] - 1, note.size, [base64.b64decode(line) for line in path])
    same("root", note.root.hex(), root.hex())
    must(any(note.signed_by(key) for key in keys or [parse_vkey(receipt["key"])]), "no key that is trusted signed its checkpoint")
    for witness in witnesses:
        must(note.signed_by(witness), f"{witness.name} did not cosign its checkpoint")
    return note


def verify(lines: Iterable[bytes], journal: Journal) -> str:
    """"" if all is well; else the first line that is wrong."""
    number, item = 0, Record()
    for number, line in enumerate(lines, 1):
        try:
            item = decode(line.decode())
        except ValueError as why:
            if number == 1:
                raise BadInput(f"line 1 is no JSON: this is no exported journal ({why})") from None
            return f"line {number}: no JSON ({why})"
        try:
            journal.line(item)
        except (Wrong, KeyError, TypeError, ValueError, AttributeError, IndexError) as why:
            said = str(why) if isinstance(why, Wrong) else f"it makes no sense here ({type(why).__name__}: {why})"
            where = f"{item.get('stream')} {item.get('number')}, {item.get('kind')}" if "seq" in item else "".join(list(item)[:1])
            return f"line {number} ({where}): {said}"
    if not journal.ended:
        return f"line {number}: the journal stops without an end"
    for note in journal.kept:
        return f"the checkpoint that was kept is of {note.size} entries, and the journal has {journal.tree.size}"
    for seq in journal.receipts:
        return f"the receipt is for entry {seq}, and the journal has {journal.tree.size}"
    if journal.trusted and not journal.signed:
        return "no checkpoint of this journal goes back to the key that is trusted"
    return ""


def read(path: str) -> Iterator[bytes]:
    with sys.stdin.buffer if path == "-" else gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as file:
        yield from file


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks an exported natural9 journal, or a receipt.")
    parser.add_argument("journal", nargs="?", help="JSON lines, as natural9 export writes them; .gz too; - for standard input")
    parser.add_argument("--key", action="append", default=[], metavar="VKEY", help="the house's key, from elsewhere")
    parser.add_argument("--witness", action="append", default=[], metavar="VKEY", help="a witness that you trust")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE", help="a note that you kept")
    parser.add_argument("--receipt", action="append", default=[], metavar="FILE", help="a receipt")
    parser.add_argument("--json", action="store_true", help="say it as JSON")
    options = parser.parse_args(arguments)
    count: Counter[str] = Counter()
    try:
        keys, witnesses = [parse_vkey(text) for text in options.key], [parse_vkey(text) for text in options.witness]
        kept = [parse_note(Path(path).read_text(encoding="utf-8")) for path in options.checkpoint]
        receipts = [decode(Path(path).read_text(encoding="utf-8")) for path in options.receipt]
        wrong = ""
        for receipt in receipts:
            kept.append(check_receipt(receipt, keys, witnesses))
            count["receipts"] += 1
        if options.journal or not receipts:
            journal = Journal(keys, kept, receipts, witnesses)
            wrong = verify(read(options.journal or "-"), journal)
            count.update(journal.count)
            count["entries after the last signed checkpoint"] = journal.tree.size - journal.signed
    except Wrong as why:
        wrong = str(why)
    except (BadInput, OSError, KeyError, TypeError, ValueError) as why:
        print(f"natural9_verify: {why}", file=sys.stderr)
        return 2
    trust = "keys given" if options.key else "keys as the journal names them: compare them with a key from elsewhere"
    counts = dict(sorted(count.items()))
    if options.json:
        print(json.dumps({"ok": not wrong, "wrong": wrong, "keys": trust, "checked": counts}))
    else:
        print(f"WRONG {wrong}" if wrong else "OK " + ", ".join(f"{n} {what}" for what, n in counts.items()) + f" ({trust})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
