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
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from fractions import Fraction
from functools import lru_cache, reduce
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    library: Any = Ed25519PublicKey.from_public_bytes
except ImportError:  # then `ed25519` reckons by itself
    library, InvalidSignature = None, ValueError  # type: ignore[assignment,misc]

sha256, sha512 = hashlib.sha256, hashlib.sha512
Record = dict[str, Any]


class Wrong(Exception):
    """The journal, or a receipt, says what cannot be so."""


def must(holds: object, sentence: str) -> None:
    if not holds:
        raise Wrong(sentence)


def same(what: str, said: object, should: object) -> None:
    if said != should:
        for key in said.keys() | should.keys() if isinstance(said, dict) and isinstance(should, dict) else ():
            same(f"{what}, {key}", said.get(key), should.get(key))  # type: ignore[attr-defined]
        raise Wrong(f"{what}: it says {said!r}, it should say {should!r}")


def says(r: Record, **should: object) -> None:
    """These fields of a record say what they should."""
    for name, value in should.items():
        if r.get(name) != value:
            same(name, r.get(name), value)


# --- Signatures: Ed25519 (RFC 8032), signed notes and cosignatures (C2SP) ---

Point = tuple[int, int]
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def plus(p: Point, q: Point) -> Point:
    t = D * p[0] * q[0] * p[1] * q[1]
    x, y = p[0] * q[1] + q[0] * p[1], p[1] * q[1] + p[0] * q[0]
    return x * pow(1 + t, -1, P) % P, y * pow(1 - t, -1, P) % P


def times(k: int, p: Point) -> Point:
    half = times(k >> 1, plus(p, p)) if k else (0, 1)
    return plus(half, p) if k & 1 else half


def point(data: bytes) -> Point:
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or y >= P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    return (x if x & 1 == sign else P - x), y


def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """S·B = R + k·A: without `cryptography` in some milliseconds."""
    try:
        if library:
            library(public).verify(signature, message)
            return True
        a, r, base = point(public), point(signature[:32]), point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    except (InvalidSignature, ValueError):
        return False
    s, k = (int.from_bytes(x, "little") for x in (signature[32:], sha512(signature[:32] + public + message).digest()))
    return len(signature) == 64 and s < ORDER and times(s, base) == plus(r, times(k % ORDER, a))


class VKey(NamedTuple):
    """NAME+ID+BASE64(algorithm, public key). Algorithm 1 signs notes, 4 cosigns them."""

    name: str
    id: bytes
    algorithm: int
    public: bytes


def parse_vkey(text: str) -> VKey:
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})", text.strip())
    raw = base64.b64decode(found[3]) if found else b"\0"
    if not found or raw[0] not in (1, 4) or sha256(f"{found[1]}\n".encode() + raw).hexdigest()[:8] != found[2]:
        raise ValueError(f"{text.strip()!r} is no key (NAME+ID+BASE64)")
    return VKey(found[1], bytes.fromhex(found[2]), raw[0], raw[1:])


class Note(NamedTuple):
    """A checkpoint: a piece of paper that anybody can keep."""

    text: str  # what is signed
    origin: str
    size: int
    root: bytes
    signatures: list[tuple[str, bytes]]

    def signed_by(self, key: VKey) -> bool:
        """Whether it is; a line under this key that does not hold makes the whole note bad."""
        mine = [blob[4:] for name, blob in self.signatures if (name, blob[:4]) == (key.name, key.id)]
        for blob in mine:
            head, signature = "", blob
            if key.algorithm == 4:  # the time is part of what a witness signs
                head, signature = f"cosignature/v1\ntime {int.from_bytes(blob[:8], 'big')}\n", blob[8:]
            holds = ed25519(key.public, (head + self.text).encode(), signature)
            must(holds, f"the signature of {key.name} under checkpoint {self.size} does not hold")
        return bool(mine)


def parse_note(text: str) -> Note:
    found = re.fullmatch(
        r"((\S+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*)\n((?:— \S+ [A-Za-z0-9+/]+=*\n)+)", text
    )
    if not found:
        raise ValueError("this is no checkpoint (origin, size, root, an empty line, signatures)")
    signatures = [(line.split(" ")[1], base64.b64decode(line.split(" ")[2])) for line in found[5].splitlines()]
    return Note(found[1], found[2], int(found[3]), base64.b64decode(found[4]), signatures)


# --- The tree (RFC 6962) ---


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Tree:
    """The roots of the complete subtrees so far, largest first: all that it needs, however long the journal is."""

    def __init__(self) -> None:
        self.size, self.peaks = 0, list[bytes]()

    def append(self, data: bytes) -> None:
        made, size = sha256(b"\0" + data).digest(), self.size
        while size & 1:  # a complete subtree of the same height stands on the left: the two become one
            made, size = node(self.peaks.pop(), made), size >> 1
        self.peaks.append(made)
        self.size += 1

    def root(self) -> bytes:
        peaks = self.peaks or [sha256(b"").digest()]
        return reduce(lambda right, left: node(left, right), reversed(peaks))


def root_by_proof(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to: 2.1.1 of the RFC, backwards."""
    must(0 <= index < size, f"the proof names leaf {index} of a tree of {size}")
    if size == 1:
        must(not path, "the proof is too long")
        return sha256(b"\0" + leaf).digest()
    must(path, "the proof is too short")
    left = 1 << (size - 1).bit_length() - 1  # the largest power of two below the size
    if index < left:
        return node(root_by_proof(leaf, index, left, path[:-1]), path[-1])
    return node(path[-1], root_by_proof(leaf, index - left, size - left, path[:-1]))


# --- Cards and the Table of Play (rws-nc 3.8-3.11, mbs 3.3-3.9, insurance 3.4-3.8, super-six-plus 3.4-3.9) ---

POINTS = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 0, "J": 0, "Q": 0, "K": 0}
DECK = [rank + suit for rank in POINTS for suit in "CDHS"]
# Banker's two-card total: on which third card of the Player's it draws. (0 to 2 always do, 7 never.)
BANKER_DRAWS = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}


@lru_cache(maxsize=1 << 12)
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


@lru_cache(maxsize=1 << 12)
def outcome(ranks: str) -> tuple[str, int, int, frozenset[str]]:
    """Of a complete round: player, banker or tie; both totals; and what is so, in the words of the pay tables."""
    must(next_hand(ranks) is None, f"the cards {ranks} are no complete round by the Table of Play")
    hands = {"player": "", "banker": ""}
    for dealt, rank in enumerate(ranks):
        hands[str(next_hand(ranks[:dealt]))] += rank
    p, b = hands.values()
    player, banker = (sum(POINTS[rank] for rank in hand) % 10 for hand in (p, b))
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    on, natural = f"{winner}-on-{max(player, banker)}", len(ranks) == 4 and max(player, banker) >= 8
    pairs = [hand for hand, cards in hands.items() if cards[0] == cards[1]]  # two cards of one rank (reading 1)
    facts = [winner, on, f"{on}-of-{len(b)}", f"{len(pairs)}-pairs", *(f"{hand}-pair" for hand in pairs)]
    facts.append(f"{winner}-natural" if natural else f"{winner}-by-{abs(player - banker)}")
    facts += ["twin-pairs"] if len(pairs) == 2 and p[0] == b[0] else []
    return winner, player, banker, frozenset(facts)


# --- Pay tables: what must be so, and the odds. The first that is so decides; where none is, the wager loses ---

# fmt: off
_BY_MARGIN = "{0}-by-9 30:1, {0}-by-8 10:1, {0}-by-7 6:1, {0}-by-6 4:1, {0}-by-5 2:1, {0}-by-4 1:1"
_DRAGON = "{0}-natural 1:1, tie-natural push, " + _BY_MARGIN  # a Natural whatever the margin; a Natural tie (reading 3)
_SIX, _BY_CARDS = "banker-on-6 15:1", "banker-on-6-of-2 12:1, banker-on-6-of-3 20:1"
_ODDS = {
    "player": "player 1:1, tie push", "banker": "banker-on-6 1:2, banker 1:1, tie push", "tie": "tie 8:1",
    "mbs-tiger banker": "banker 0.95:1, tie push",  # a commission of 5%, where the others halve a win on 6
    "player-pair": "player-pair 11:1", "banker-pair": "banker-pair 11:1", "super-six": _SIX, "super-6": _SIX,
    "super-six-plus": _BY_CARDS, "fortune-six": _BY_CARDS, "tiger": _BY_CARDS,
    "player-dragon-bonus": _DRAGON.format("player"), "banker-dragon-bonus": _DRAGON.format("banker"),
    "small-tiger": "banker-on-6-of-2 22:1", "big-tiger": "banker-on-6-of-3 50:1", "tiger-tie": "tie-on-6 35:1",
    "tiger-pair": "twin-pairs 100:1, 2-pairs 20:1, 1-pairs 4:1",  # its best class only (reading 2)
    # Insurance, rws-nc-insurance 4.1.2. Window and insured hand: Player's points, Banker's points, odds.
    "four-cards banker-insurance": "0-4 5 2:1, 0-5 6 3:1, 0-5 7 4:1",
    "four-cards player-insurance": "5 4 2:1, 6 0-5 3:1, 7 0-5 4:1",
    "third-card banker-insurance": "1 1 6:1, 1 2-6 7:1, 2 3-6 4:1, 3 4 1.5:1",
    "third-card player-insurance": "5 0-4 2:1, 6 0-5 3:1, 7 0-6 4:1, 8 0-6 7:1, 9 0-6 8:1",
}
ODDS = {name: [row.split(" ") for row in rows.split(", ")] for name, rows in _ODDS.items()}
_MAIN, _DRAGONS = "player banker tie player-pair banker-pair", "player-dragon-bonus banker-dragon-bonus"
_TIGERS = "tiger small-tiger big-tiger tiger-tie tiger-pair"
OPTIONAL = {*_DRAGONS.split(), *_TIGERS.split()}  # "may be available" (reading 14)
GAMES = {
    "rws-nc": _MAIN.split(),  # rws-nc 4.1
    "rws-nc-insurance": _MAIN.split(),  # rws-nc-insurance 4.1.1
    "rws-nc-super-six-plus": [*_MAIN.split(), "super-six-plus"],  # rws-nc-super-six-plus 4.1.1
    "mbs-super-six-nc": [*_MAIN.split(), "super-six"],  # mbs 4.1
    "mbs-fortune-six-nc": [*_MAIN.split(), "fortune-six", *_DRAGONS.split()],  # mbs 4.2, 4.5, 4.6
    "mbs-super-6-nc": [*_MAIN.split(), "super-6", *_DRAGONS.split()],  # mbs 4.3, 4.5, 4.6
    "mbs-nc": _MAIN.split(),  # mbs 4.4
    "mbs-tiger": ["player", "banker", "tie", *_TIGERS.split()],  # mbs 4.7 to 4.10
    "mbs-tiger-nc": ["player", "banker", "tie", *_TIGERS.split()],
}
# fmt: on


@lru_cache(maxsize=1 << 12)
def insurance_odds(window: str, wager: str, ranks: str) -> str | None:
    """At which odds a hand can be insured with these cards on the table; only while a draw is to come (reading 5)."""
    cards = 4 if window == "four-cards" else 5
    if len(ranks) < cards or next_hand(ranks[:cards]) is None:
        return None
    points = [POINTS[rank] for rank in ranks[:cards]]  # a fifth is the Player's: after a Banker's none is to come
    player, banker = str((points[0] + points[2] + sum(points[4:])) % 10), str((points[1] + points[3]) % 10)
    fits = (odds for p, b, odds in ODDS[f"{window} {wager}"] if p[0] <= player <= p[-1] and b[0] <= banker <= b[-1])
    return next(fits, None)


@lru_cache(maxsize=1 << 12)
def pays(game: str, wager: str, window: str, ranks: str) -> str | None:
    """The odds as printed; "push" for a stake that goes back, None for a loss."""
    winner, _, _, facts = outcome(ranks)
    if window:  # insurance wins when its hand loses, and goes back on a tie, but for the starred row (reading 4)
        odds = insurance_odds(window, wager, ranks)
        return None if wager == f"{winner}-insurance" else "push" if winner == "tie" and odds != "8:1" else odds
    name = f"{game} {wager}" if f"{game} {wager}" in ODDS else wager
    return next((odds for fact, odds in ODDS[name] if fact in facts), None)


@lru_cache(maxsize=1 << 10)
def part(odds: str | None) -> Fraction:
    """What comes back, in parts of the stake."""
    to, per = {None: "-1:1", "push": "0:1"}.get(odds, str(odds)).split(":")
    return 1 + Fraction(to) / Fraction(per)


@lru_cache(maxsize=1 << 12)
def established(game: str, offered: tuple[str, ...], ranks: str) -> bool:
    """Whether some wager on offer is won, or lost, in every way the round can still end (reading 8)."""
    found: dict[str, set[bool | None]] = {wager: set() for wager in offered}  # won, lost, or None

    def play(so_far: str) -> None:
        for rank in POINTS if next_hand(so_far) and any(len(ends) < 2 for ends in found.values()) else ():
            play(so_far + rank)
        for wager in offered if next_hand(so_far) is None else ():
            odds = pays(game, wager, "", so_far)
            found[wager].add(None if odds == "push" else odds is not None)

    play(ranks)
    return any(ends in ({True}, {False}) for ends in found.values())


# --- What each document lets be done about an irregularity (docs/journal.md, Clauses): rank that decides, remedies. ---
# /d a card is due, /n none is; /e an outcome is established, /u not; /p the round is in play. The rest is not-covered.

# fmt: off
RANKS = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
_VOID, _MEND, _GO_ON = "pit-supervisor void", "pit-supervisor reconstruct void", "dealer continue"
_SOME = {
    "not-covered": "shift-manager continue reconstruct settle-by-cards no-effect discard void/p",
    "late-bet": "dealer refuse-bet", "withdrawn-bet": "dealer bet-stands", "foreign-card": _VOID,
    "insufficient-cards": _VOID, "wrong-number-of-cards": _MEND,
}
_MORE = {
    **_SOME, "shortage-or-excess": _VOID, "unshuffled-cards": _VOID, "terminal-interruption": _GO_ON,
    "wrong-area": "dealer reconstruct", "wrong-result": "pit-supervisor settle-by-cards",
}
CLAUSES: dict[str, dict[str, str]] = {
    "mbs": {
        **_MORE, "order-altered": _MEND, "excess-or-exposed": "pit-supervisor reconstruct void/d discard/n",
        "drawn-together-order-known": "dealer reconstruct", "face-up-in-shoe": _GO_ON,
        "drawn-together-order-unknown": "pit-supervisor void/d discard/n",
        "table-interruption": "pit-supervisor void/u continue/e",
    },
    "rws-nc": {
        **_MORE, "excess-or-exposed": "pit-supervisor reconstruct/d void/d use-in-next-round/n discard/n",
        "drawn-together-order-known": "pit-supervisor reconstruct discard/n",
        "drawn-together-order-unknown": "pit-supervisor decide-order discard/n",
        "face-up-in-shoe": "pit-supervisor continue", "table-interruption": "pit-supervisor continue/e void/u",
        "found-later": "pit-supervisor no-effect",
    },
    "rws-nc-insurance": _SOME,
    "rws-nc-super-six-plus": {**_SOME, "shortage-or-excess": _VOID},
}
# The paragraph of a void by authority; where a document has none, our reading.
RULING = {"mbs": "mbs 6.1", "rws-nc": "rws-nc 5.12"}
SILENT = "interpretation shift-manager-where-silent"
# Who must have asked: the terminal at that seat, or this rank at least (the program and the reading shoe deal, too).
WHO = {
    **dict.fromkeys("bet-placed bet-taken-back bets-cleared insurance-placed nonce-committed nonce-revealed "
                    "voucher-issued voucher-inserted".split(), "terminal"),
    **dict.fromkeys("betting-opened betting-closed card-dealt result-declared seat-settled round-settled cards-burnt "
                    "insurance-opened insurance-closed".split(), "dealer"),
    "insurance-waived": "pit-supervisor", "waiver-taken-back": "pit-supervisor",
}
COUNTED = {
    "betting-opened": "rounds", "bet-placed": "bets", "card-dealt": "cards", "seat-settled": "settlements",
    "round-voided": "voids", "cards-corrected": "corrections", "earlier-cards-corrected": "corrections",
    "bet-ruled": "rulings", "irregularity-decided": "decisions", "shoe-revealed": "shoes", "checkpoint-key-set": "keys",
    "insurance-placed": "insurance",
}

# --- Money (docs/journal.md, What moves which money): C credit, S stakes, H house, O owed, V voucher, D desk ... ---

Step = tuple[str, str, int]  # kind of transfer, from which account to which, cents
ACCOUNTS = {
    "C": "credit/{table}-{seat}", "S": "stake/{table}", "H": "house/{table}", "O": "owed/{table}-{seat}",
    "V": "voucher/{number}", "D": "desk/{desk}", "X": "short/{desk}", "M": "vault/main",
    "T": "transit/{table}-{seat}", "A": "transit/{to_table}-{to_seat}", "B": "transit/{from_table}-{from_seat}",
}
MOVES = {  # an event's cents, as which kind of transfer, from which account to which; other events say it below
    "bet-placed": "bet CS", "insurance-placed": "bet CS", "bet-taken-back": "bet-taken-back SC",
    "bets-cleared": "bet-taken-back SC", "bets-returned": "bet-returned SC", "bet-voided": "bet-returned SC",
    "insurance-returned": "bet-returned SC", "bet-restored": "bet-restored CS", "credit-bought": "buy-in DC",
    "hand-paid": "hand-pay CD", "voucher-issued": "voucher-out CV", "voucher-inserted": "voucher-in VC",
    "voucher-voided": "voucher-voided VC", "voucher-paid": "voucher-paid VD", "credit-taken-along": "credit-sent CA",
    "credit-brought": "credit-received TC", "credit-sent-home": "credit-sent CT",
    "credit-came-home": "credit-received BC", "drawer-opened": "drawer-float DM", "drawer-filled": "drawer-fill DM",
    "drawer-returned": "drawer-return MD",
}
# What these take from a credit that lacks it is owed, and what they bring pays debts first.
OWING = {"seat-settled", "bets-returned", "bet-voided", "bet-restored", "bet-ruled", "settlement-reversed",
         "earlier-seat-settled"}
BELOW_ZERO = ("house/", "desk/", "owed/", "vault/", "short/")
# What is out once and comes back once: vouchers, and credit on its way to another table.
OUT = {"voucher-issued", "credit-taken-along", "credit-sent-home"}
BACK = {"voucher-inserted", "voucher-voided", "voucher-paid", "credit-brought", "credit-came-home"}
# fmt: on


# --- A table: its shoe, its round, and what its events mean for cards and money ---

OVER = ("settled", "void")


def sized(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big") + data


class Shoe:
    def __init__(self, r: Record, sealed: Record) -> None:
        self.number, self.decks, self.rules, self.offered = r["shoe"], r["decks"], r["rules_sha256"], r["offered"]
        self.commitment, self.mix = sealed.get("commitment", ""), sealed.get("mix", {})
        self.left, self.cut = Counter(DECK * self.decks), False  # cut: no other round on it
        self.out: list[str] = []  # in the order they came out; "-" for one that nobody saw

    def change(self, was: list[str], cards: list[str]) -> None:
        """These came out, and not those: one that is drawn, or a record that is put right."""
        for card in was:
            self.left[card] += 1
        for card in cards:
            self.left[card] -= 1
        must(all(self.left[card] >= 0 for card in cards), f"{' '.join(cards)} cannot come from this shoe")
        self.out[len(self.out) - len(was) :] = cards

    def spent(self) -> bool:
        return self.cut or len(self.out) >= 52 * self.decks

    def reveal(self, r: Record) -> None:
        says(r, shoe=self.number, decks=self.decks, commitment=self.commitment, dealt=len(self.out))
        text = f"natural9 shoe 1\ndecks {r['decks']}\nsalt {r['salt']}\norder {r['order']}\n"
        same("commitment", r["commitment"], sha256(text.encode()).hexdigest())
        order = r["order"].split(" ")
        must(Counter(order) == Counter(DECK * self.decks), "the order is not one of whole decks")
        for place, (card, came) in enumerate(zip(self.mixed(order), self.out, strict=False), 1):
            must(came in (card, "-"), f"card {place} of the shoe was {came}, and {card} was committed to")
        self.commitment = "revealed"  # never twice

    def mixed(self, cards: list[str]) -> list[str]:
        """A shoe that nobody chose alone: the house's order, changed by what the seats brought (SHAKE-256, no bias)."""
        if not self.mix:
            return cards
        nonces = sorted(self.mix["nonces"].items())
        message = b"".join(sized(text.encode()) for text in (self.mix["rule"], self.commitment, self.mix["checkpoint"]))
        message += len(nonces).to_bytes(8, "big")
        message += b"".join(seat.to_bytes(8, "big") + sized(nonce.encode()) for seat, nonce in nonces)
        data = hashlib.shake_256(message).digest(16 * len(cards))
        words = (int.from_bytes(data[place : place + 2], "big") for place in range(0, len(data), 2))
        for n in range(len(cards), 1, -1):
            index = next(word for word in words if word < 65536 - 65536 % n) % n
            cards[n - 1], cards[index] = cards[index], cards[n - 1]
        return cards


class Bet(NamedTuple):
    wager: str  # "banker", or "banker-insurance"
    window: str = ""  # of insurance, of which each placed is a line of its own
    odds: str = ""
    place: int = 0


class Round:
    """What is known of a round. Earlier ones wait on disk, for a round can be corrected at any time."""

    def __init__(self, r: Record) -> None:
        self.number, self.game, self.shoe, self.offered = r["round"], r["game"], r["shoe"], r["offered"]
        self.document = "mbs" if self.game.startswith("mbs") else self.game
        self.state, self.declared, self.waived = "open", False, False  # open, closed, settled, void
        self.cards: list[str] = []
        self.old = r["from_old_set"]  # so many of the first cards, dealt or held, came from another set
        self.bets: defaultdict[int, Counter[Bet]] = defaultdict(Counter)  # by seat, in the order laid
        self.withdrawn, self.returned = Counter[tuple[int, str]](), dict[int, int]()
        self.rulings: dict[tuple[int, str], tuple[int, int, bool]] = {}  # stake, what it returns, whether that is paid
        self.reports, self.decided, self.window = dict[int, Record](), Record(remedy=""), Record()
        self.sums = Counter[str]()  # what this settlement, or void, has come to so far
        self.todo: set[int] = set()  # seats of an earlier round that are to be settled again

    def ranks(self) -> str:
        return "".join(card[0] for card in self.cards)

    def clause(self, kind: str) -> list[str]:
        """Rank and remedies."""
        return CLAUSES[self.document].get(kind, _SOME["not-covered"]).split()

    def lies(self, seat: int, wager: str = "") -> int:
        """What the seat has at stake, in all or on one wager."""
        return sum(cents for bet, cents in self.bets[seat].items() if wager in ("", bet.wager))

    def staked(self) -> dict[int, int]:
        return {seat: self.lies(seat) for seat in self.bets if self.bets[seat]}

    def covered(self, seat: int) -> bool:
        """What insurance would pay is no more than the bet that it insures (reading 6)."""
        insured = Counter[str]()
        for bet, cents in self.bets[seat].items():
            insured[bet.wager] += cents * (part(bet.odds) - 1) if bet.window else 0  # type: ignore[assignment]
        return all(insured[f"{hand}-insurance"] <= self.lies(seat, hand) for hand in ("player", "banker"))

    def never(self, seat: int) -> Counter[Bet]:
        """Insurance on what these cards did not offer."""
        odds = {bet: insurance_odds(bet.window, bet.wager, self.ranks()) for bet in self.bets[seat] if bet.window}
        return Counter({bet: self.bets[seat][bet] for bet in odds if odds[bet] != bet.odds})

    def ought(self, seat: int) -> tuple[Record, Counter[str]]:
        """What the pay tables make of a seat's bets by the cards that lie now: the lines, and what they come to."""
        never, ranks = self.never(seat), self.ranks()
        lines, sums = Record(lines=[], insurance=[]), Counter(back=never.total())
        for bet, stake in (self.bets[seat] - never if never else self.bets[seat]).items():
            odds = pays(self.game, bet.wager, bet.window, ranks)
            result, returned = {None: "lose", "push": "push"}.get(odds, "win"), stake * part(odds)
            must(returned.denominator == 1, f"{bet.wager} of seat {seat} cannot be paid in whole cents")
            line = {"wager": bet.wager, "stake_cents": stake, "result": result, "odds": odds}
            paid = int(returned)
            line |= {"returned_cents": paid, "net_cents": paid - stake}
            lines["insurance" if bet.window else "lines"].append(line | ({"window": bet.window} if bet.window else {}))
            for name, cents in (result, stake), (f"on {bet.wager}", stake), ("paid", paid), (f"paid {bet.wager}", paid):
                sums[name] += cents
        for (of, wager), (stake, to, _) in self.rulings.items():
            if of == seat and stake == sums[f"on {wager}"]:
                sums.update({"ruled": to - sums[f"paid {wager}"], f"ruled {wager}": to - sums[f"paid {wager}"]})
        sums["all"] = sums["paid"] + sums["back"] + sums["ruled"]
        return lines, sums

    def won(self) -> list[str]:
        ranks = self.ranks()
        return [wager for wager in self.offered if pays(self.game, wager, "", ranks) not in (None, "push")]


class Table:
    def __init__(self, name: str, journal: "Journal") -> None:
        self.id, self.journal = name, journal
        self.shoe: Any = None
        self.new_shoe: Any = None
        self.round: Any = None
        self.earlier: Any = None  # the round before this one that entries are about
        self.held: list[str] = []  # cards drawn already, to be played before any other
        self.limits, self.sealed = Record(), Record()  # sealed: what was committed to, for the next shoe
        self.electronic = self.joint = False
        self.nonces: dict[int, tuple[int, str]] = {}  # what each seat has committed to, for which shoe
        self.steps: list[Step] = []  # money that the event moves

    def apply(self, kind: str, r: Record, b: Record) -> list[Step]:
        self.steps, who = [], WHO.get(kind)
        if who == "terminal":
            same("who asked", (b["from"], b.get("by")), ("terminal", f"{self.id}-{r['seat']}"))
        elif who:
            self.rank(b, who)
        if not self.play(kind, r, b):
            for section in (self.shoes, self.decide, self.mend):
                section(kind, r, b)
        return self.steps

    def rank(self, b: Record, lowest: str = "shift-manager", *, unless: object = False) -> None:
        """Whoever ranks higher may do it, too (reading 16); what a dealer does the program and a reading shoe may."""
        if not unless and not (lowest == "dealer" and b["from"] in ("program", "reader")):
            rank, roles = b.get("rank"), self.journal.roles.get(b.get("by", ""))
            may = b["from"] == "staff" and rank in RANKS[RANKS.index(lowest) :] and (not roles or rank in roles)
            must(may, f"it takes a {lowest}, and it was {b['from']} {b.get('by')} as {rank}, who has been {roles}")
            self.journal.count["ranks"] += 1

    def play(self, kind: str, r: Record, b: Record) -> bool:
        """A round that goes as it should: bets, cards, result, settlement, insurance."""
        g, seat, cents, window = self.round, r.get("seat", 0), r.get("cents", 0), r.get("window", "")
        wager = r.get("wager", "")
        if kind == "betting-opened":
            self.open(r)
        elif kind == "bet-placed":
            must(g.state == "open" and wager in g.offered, f"a bet on {wager} while betting is {g.state}")
            g.bets[seat][Bet(wager)] += cents
            g.withdrawn[seat, wager] = max(0, g.withdrawn[seat, wager] - cents)
        elif kind in ("bet-taken-back", "bets-cleared"):
            must(g.state == "open", "a bet is taken back after the close")
            g.withdrawn.update(self.take(r))
        elif kind == "betting-closed":
            says(r, staked_cents=sum(g.staked().values()))
            g.state = "closed"
        elif kind == "card-dealt":
            must(g.state == "closed" and not g.window and not g.reports, f"a card: {g.state}, or something waits")
            same("hand", r["hand"], next_hand(g.ranks()))
            if self.held:
                same("card", r["card"], self.held.pop(0))
            else:
                self.shoe.change([], [r["card"]])
            g.cards.append(r["card"])
        elif kind == "result-declared":
            winner, player, banker, _ = outcome(g.ranks())
            says(r, winner=winner, player_total=player, banker_total=banker, won=g.won())
            g.declared = True
        elif kind == "seat-settled":
            must(g.declared and seat not in g.returned, "settled twice, or without a declared result")
            must(g.decided["remedy"] != "void" and not g.sums["void"], "a round that was to be void is settled")
            (lines, sums), staked = g.ought(seat), g.lies(seat)
            says(r, **lines, staked_cents=staked, returned_cents=sums["paid"])
            must(staked and not sums["back"] and g.covered(seat), "no bet, or insurance that no bet covers")
            for key, (stake, to, _) in g.rulings.items():  # they outlive a settlement: to be paid again
                g.rulings[key] = (stake, to, key[0] != seat or not g.lies(*key))
            g.returned[seat], kept = sums["paid"], staked - sums["lose"]
            g.sums += Counter(lose=sums["lose"], paid=sums["paid"])
            self.steps = [("stake-lost", "SH", sums["lose"]), ("stake-returned", "SC", kept)]
            self.steps.append(("winnings", "HC", sums["paid"] - kept))
        elif kind == "round-settled":
            same("which seats are settled", set(g.returned), set(g.staked()))
            due = [key for key, ruling in g.rulings.items() if not ruling[2] and g.ought(key[0])[1][f"ruled {key[1]}"]]
            must(g.declared and not due, f"nothing was declared, or these rulings are forgotten: {due}")
            staked, lost = sum(g.staked().values()), g.sums["lose"]
            says(r, staked_cents=staked, collected_cents=lost, stakes_returned_cents=staked - lost)
            says(r, winnings_cents=g.sums["paid"] - staked + lost)
            g.state, g.sums = "settled", Counter()
        elif kind == "insurance-opened":
            odds = {hand: insurance_odds(window, f"{hand}-insurance", g.ranks()) for hand in ("player", "banker")}
            now = len(g.cards) == 4 if window == "four-cards" else len(g.cards) == 5 and not g.waived
            must(now and g.game == "rws-nc-insurance" and not self.held, "no insurance now (readings 5, 7, 28)")
            says(r, offers={hand: text for hand, text in odds.items() if text})
            g.window = {**r["offers"], "window": window}
        elif kind == "insurance-placed":
            says(r, window=g.window.get("window"), odds=g.window.get(r["hand"]))
            g.bets[seat][Bet(f"{r['hand']}-insurance", window, r["odds"], len(g.bets[seat]) + 1)] += cents
            must(g.covered(seat), f"insurance of {r['hand']} would pay more than the bet")
        elif kind in ("insurance-closed", "insurance-skipped"):
            g.window = {}
        elif kind in ("insurance-waived", "waiver-taken-back"):
            g.waived = kind == "insurance-waived"
        else:
            return False
        return True

    def open(self, r: Record) -> None:
        before, old = self.round, 0
        self.put_away()
        if before:
            must(before.state in OVER, f"round {before.number} is neither settled nor void")
            self.journal.keep(self.id, before)
            self.held = self.held if before.game == r["game"] else []
            old = max(0, before.old - len(before.cards)) if self.held else 0
        if self.new_shoe:
            must(not self.new_shoe.mix or self.new_shoe.mix["done"], "the seats have not mixed the shoe yet")
            self.shoe, self.new_shoe, old = self.new_shoe, None, len(self.held)
        offered = [wager for wager in GAMES[r["game"]] if wager not in OPTIONAL or wager in self.shoe.offered]
        says(r, round=before.number + 1 if before else 1, shoe=self.shoe.number, held=self.held, from_old_set=old)
        says(r, rules_sha256=self.shoe.rules, offered=offered, **self.limits)
        good = not self.shoe.spent() and self.shoe.commitment != "revealed"
        must(good, "the shoe is spent, has to be changed, or its order is public")
        self.round = Round(r)

    def take(self, r: Record) -> Counter[tuple[int, str]]:
        """What a seat has on one wager, or all of it, goes back: what was laid last comes first."""
        mine, left, gone = self.round.bets[r["seat"]], r["cents"], Counter[tuple[int, str]]()
        wager = f"{r['hand']}-insurance" if "hand" in r else r.get("wager", "")
        for bet in [
            bet for bet in reversed(mine) if wager in ("", bet.wager) and bet.window == r.get("window", bet.window)
        ]:
            taken = min(left, mine[bet])
            left, mine[bet], gone[r["seat"], bet.wager] = left - taken, mine[bet] - taken, taken
        self.round.bets[r["seat"]] = +mine
        must(r["cents"] > 0 and not left and (wager or not +mine), "as much does not lie there, or more")
        return gone

    def put_away(self) -> None:
        """The earlier round that entries were about."""
        if self.earlier:
            must(not self.earlier.todo, f"seats {self.earlier.todo} of {self.earlier.number} are not settled again")
            self.journal.keep(self.id, self.earlier)
            self.earlier = None

    def shoes(self, kind: str, r: Record, b: Record) -> None:
        g, shoe, new, mix = self.round, self.shoe, self.new_shoe, self.new_shoe.mix if self.new_shoe else {}
        if kind in ("table-opened", "settings-changed"):
            self.electronic, self.joint = r["shoe"] == "shuffler", r.get("joint_shoe", False)
        elif kind == "fault-raised":
            for one in filter(None, (shoe, new) if r["fault"] == "shoe-seal" else ()):
                one.commitment = ""  # nobody can show its order any more
        elif kind == "shoe-committed":
            self.sealed = {**r, "mix": {}}
        elif kind == "shoe-loaded":
            must(not g or g.state in OVER, "a new shoe comes between rounds")
            made = (self.sealed.get("shoe"), self.sealed.get("decks")) == (r["shoe"], r["decks"])
            must(made or not self.electronic, "an electronic shoe that nothing was committed to")
            must(
                self.sealed.get("mix") or not self.joint, "the seats mix this table's shoes, and this one is not mixed"
            )
            like = {(one.rules, bool(one.commitment)) for one in (shoe, new) if one} == {(r["rules_sha256"], made)}
            self.rank(b, "pit-supervisor", unless=not shoe or not like or shoe.spent())  # reading 23
            shown = all(one.commitment in ("", "revealed") for one in (shoe, new) if one)
            must(shown, "the shoe before it is not revealed")
            self.new_shoe, self.sealed = Shoe(r, self.sealed), {}
        elif kind in ("cut-card-appeared", "new-shoe-required"):
            shoe.cut = True
        elif kind == "limits-changed":
            must(not g or g.state in OVER, "limits change between rounds")
            self.limits = {"limits": r["limits"], "betting_unit_cents": r["betting_unit_cents"]}
        elif kind == "nonce-committed":
            self.nonces[r["seat"]] = (r["shoe"], r["commitment"])
        elif kind == "shoe-mix-opened":
            listed = [[seat, mine] for seat, (number, mine) in sorted(self.nonces.items()) if number == r["shoe"]]
            says(r, commitment=self.sealed["commitment"], seats=listed, rule="natural9 mix 1")
            size, _, root = r["checkpoint"].partition(" ")
            same("the root of its checkpoint", root, self.journal.roots.get(size, root))
            self.sealed["mix"] = {**r, "seats": dict(r["seats"]), "nonces": {}, "done": False}
        elif kind == "nonce-revealed":
            text = f"natural9 nonce 1\ntable {self.id}\nshoe {r['shoe']}\nseat {r['seat']}\nnonce {r['nonce']}\n"
            must(not mix["done"] and r["seat"] not in mix["nonces"], "revealed twice, or too late")
            same("what the seat committed to", mix["seats"].get(r["seat"]), sha256(text.encode()).hexdigest())
            mix["nonces"][r["seat"]] = r["nonce"]
        elif kind == "shoe-mixed":
            must(not mix["done"], "a shoe is mixed once")
            says(r, shoe=new.number, commitment=new.commitment, seats=sorted(mix["nonces"]))
            says(r, left_out=sorted(mix["seats"].keys() - mix["nonces"].keys()))
            mix["done"] = True
        elif kind == "cards-burnt":
            says(r, shoe=new.number, face_down=POINTS[r["card"][0]] or 10)
            new.left, new.out = Counter(DECK * new.decks), []  # a second one corrects the first
            new.change([], [r["card"]])
            new.out += ["-"] * r["face_down"]
        elif kind == "shoe-revealed":
            (new if not shoe or shoe.commitment in ("", "revealed") else shoe).reveal(r)  # new: it is never played
        elif kind == "shoe-replaced":
            may = g.game == "rws-nc" and g.decided["kind"] == "drawn-together-order-unknown"
            must(may, "no clause lets the shoe be replaced")
            self.shoe = Shoe({**r, "offered": shoe.offered, "rules_sha256": shoe.rules}, {})
            g.old = len(g.cards) + len(self.held)

    def remedies(self, report: Record) -> tuple[str, list[str]]:
        """The rank that decides about a report as things stand, and what it may decide."""
        g, kind = self.round, report["kind"]
        if report["confirm"]:
            return "pit-supervisor", ["confirm-cards"]
        rank, *words = g.clause("" if kind == "face-up-in-shoe" and g.document == "mbs" and not g.cards else kind)
        if kind == "wrong-result" and report["about_round"] is not None:
            rank = "shift-manager"
        ranks, playing = g.ranks(), g.state not in OVER
        due = playing and next_hand(ranks) is not None
        for card in self.held:
            ranks += card[0] if next_hand(ranks) else ""
        sure = kind == "table-interruption" and established(g.game, tuple(g.offered), ranks)
        holds = {"": True, "d": due, "n": not due, "p": playing, "e": sure, "u": not sure}
        return rank, [remedy for remedy, _, when in (word.partition("/") for word in words) if holds[when]]

    def decide(self, kind: str, r: Record, b: Record) -> None:
        g = self.round
        if kind == "irregularity-reported":
            self.shoe.change([], r["cards"])
            g.reports[r["report"]] = r
        elif kind == "irregularity-decided":
            report = g.reports.pop(r["report"])
            rank, remedies = self.remedies(report)
            says(r, kind=report["kind"], rank=b.get("rank", "dealer") if r["by"] else "dealer")
            says(r, paragraph=dict(report["remedies"]).get(r["remedy"], r["paragraph"]))
            must(r["remedy"] in remedies, f"{r['remedy']} cannot be decided: {' or '.join(remedies) or 'nothing'} can")
            by_itself = not r["by"] and r["kind"] == "table-interruption" and len(remedies) == 1
            self.rank(b, rank, unless=by_itself)
            g.decided = {**report, "remedy": r["remedy"], "clause": r["paragraph"]}
        elif kind == "report-withdrawn":
            report = g.reports.pop(r["report"])
            self.rank(b, RANKS[max(min(RANKS.index(report["rank"]), 1), RANKS.index(report["by_rank"]))])
            self.shoe.change(report["cards"], [])
        elif kind == "cards-put-in-order":
            same("cards", sorted(r["cards"]), sorted(g.decided["cards"]))
            self.held += r["cards"]
        elif kind == "cards-discarded":
            for card in r["cards"] if r["waited"] else ():
                self.rank(b, g.clause("excess-or-exposed")[0])
                g.old -= len(g.cards) + self.held.index(card) < g.old
                self.held.remove(card)

    def mend(self, kind: str, r: Record, b: Record) -> None:
        """Voids, corrections, rulings: of the round at the table, or of an earlier one."""
        seat, wager, cents = r.get("seat", 0), r.get("wager", ""), r.get("cents") or 0
        about_earlier = self.earlier and r.get("round") == self.earlier.number
        g = self.earlier if about_earlier or kind.startswith("earlier-") else self.round
        if kind == "debt-left":
            says(r, cents=-self.journal.money.get(f"owed/{self.id}-{seat}", 0))
        elif kind == "round-taken-up":
            self.put_away()
            self.earlier = self.journal.load(self.id, r["about_round"])
        elif kind in ("bets-returned", "bet-voided", "insurance-returned"):
            late, wager = g.decided["remedy"] == "refuse-bet", wager or f"{r.get('hand')}-insurance"
            late &= (g.decided.get("bet_seat"), g.decided.get("wager")) == (seat, wager) and cents <= g.decided["cents"]
            never = kind == "insurance-returned" and (not g.covered(seat) or g.never(seat))
            self.rank(b, unless=late or never or g.decided["remedy"] == "void")
            must(seat not in g.returned, "the settlement is not reversed")
            must(r.get("why", "-"), "a bet is voided without a reason")
            self.take(r)
            g.sums["void"] += cents if kind == "bets-returned" else 0
        elif kind == "round-voided":
            must(not g.staked() and g.state != "void", f"bets of seats {[*g.staked()]} are not returned")
            clause = (g.decided.get("kind"), g.decided.get("clause"))
            if g.decided["remedy"] != "void" or not r.get("kind"):
                self.rank(b)  # by authority
                must(g.state != "settled" and r["why"], "a settled round, or no reason")
                clause = (None, RULING.get(g.document, SILENT))
            says(r, returned_cents=g.sums["void"], kind=clause[0], clause=clause[1])
            g.state, g.window, g.withdrawn = "void", {}, Counter()
            g.reports = {n: x for n, x in g.reports.items() if x["cards"] or x["about_round"] is not None}
        elif kind == "bet-restored":
            stands = (g.decided["bet_seat"], g.decided["wager"], g.decided["cents"], g.decided["remedy"])
            same("what was decided", (seat, wager, cents, "bet-stands"), stands)
            g.bets[seat][Bet(wager)] += cents
            g.withdrawn[seat, wager] -= cents
        elif kind == "settlement-reversed":
            says(r, cents=g.returned.pop(seat))
            g.state, kept = "closed", min(cents, g.lies(seat))
            self.steps = [("stake-returned-reversed", "CS", kept), ("winnings-reversed", "CH", cents - kept)]
            self.steps.append(("stake-lost-reversed", "HS", g.lies(seat) - kept))
        elif kind == "cards-corrected":
            self.correct(r, b)
        elif kind == "bet-ruled":  # reading 26
            lies, (of, to, paid) = g.lies(seat, wager), g.rulings.get((seat, wager), (0, 0, False))
            stake = lies or g.withdrawn[seat, wager]
            was = to if paid and of == stake else g.ought(seat)[1][f"paid {wager}"] if lies else stake
            says(r, round=g.number, stake_cents=stake, was_cents=was)
            more, again = r["returned_cents"] - was, (stake, r["returned_cents"]) in ((of, to), (of, of))
            self.rank(b, unless=again)  # repeated, or undone by a void
            must(r["why"] and stake and more, "no such bet, no reason, or nothing changes")
            g.rulings[seat, wager] = (stake, r["returned_cents"], True)
            if lies:
                g.returned[seat] += more
            self.steps = [("ruling", "CH", -more), ("ruling", "HC", more)]
        elif kind == "earlier-cards-corrected":
            says(r, round=g.number, shoe=g.shoe, was=g.cards, from_old_set=min(g.old, len(g.cards)))
            before, g.cards, settled = g.ranks(), r["cards"], g.state == "settled"
            sums = {seat: g.ought(seat)[1] for seat in g.staked()} if settled else {}
            changes = settled and (outcome(before) != outcome(g.ranks()) or any(one["back"] for one in sums.values()))
            self.rank(b, "dealer" if before == g.ranks() else "shift-manager" if changes else "pit-supervisor")
            g.todo = {seat for seat, one in sums.items() if one["back"] or one["all"] != g.returned[seat]}
            says(r, won=g.won() if settled else [])
            if self.shoe.number == g.shoe:
                self.shoe.change(r["was"][g.old :], r["cards"][g.old :])
        elif kind == "earlier-seat-settled":
            must(seat in g.todo, "nothing changes for this seat")
            g.todo.remove(seat)
            (lines, sums), staked, was = g.ought(seat), g.lies(seat), g.returned[seat]
            says(r, **lines, round=g.number, staked_cents=staked, was_cents=was, insurance_back_cents=sums["back"])
            says(r, ruled_cents=sums["ruled"], returned_cents=sums["all"])
            g.bets[seat] -= g.never(seat)
            g.returned[seat] = sums["all"] - sums["back"]
            stake_more = min(sums["all"], staked) - min(was, staked)
            win_more = sums["all"] - was - stake_more
            self.steps = [("stake-lost-reversed", "HS", stake_more), ("stake-returned", "SC", stake_more)]
            self.steps += [("winnings", "HC", win_more), ("stake-returned-reversed", "CS", -stake_more)]
            self.steps += [("stake-lost", "SH", -stake_more), ("winnings-reversed", "CH", -win_more)]

    def correct(self, r: Record, b: Record) -> None:
        g, before = self.round, self.round.ranks()
        must(not self.electronic or r["cards"] == g.cards, "nobody corrects what an electronic shoe has dealt")
        self.shoe.change((g.cards + self.held)[g.old :], (r["cards"] + r["held"])[g.old :])
        g.cards, self.held = r["cards"], r["held"]
        ranks = g.ranks()
        says(r, put_at=[next_hand(ranks[:place]) for place in range(len(ranks))])
        if before != ranks and g.state != "void":
            must(not g.returned, "the settlement was not reversed")
            must(r["why"] or not g.declared, "corrected without a reason")
            results = [outcome(one) if next_hand(one) is None else None for one in (before, ranks)]
            lowest = g.clause("wrong-result")[0] if results[0] != results[1] else "pit-supervisor"
            decided = g.decided["remedy"] in ("settle-by-cards", "confirm-cards")
            self.rank(b, lowest, unless=decided or not g.declared)
            g.declared, g.window, g.state = False, {}, "closed" if g.state == "settled" else g.state


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
SECOND = set("bet-placed credit-bought hand-paid voucher-paid staff-added code-issued role-changed".split())
OLD_NAMES = {"bet-placed": "stake", "bet-increased": "more"}  # of cents, in version 1


def entry_hash(before: bytes, e: Record) -> bytes:
    return sha256(before + sized(encode([2, *ENVELOPE(e)]).encode()) + e["body"].encode()).digest()


class Stream:
    number, hash, at_ms, transfer, sum = 0, bytes(32), 0, 1, 0


class Journal:
    def __init__(self, keys: list[VKey], kept: list[Note], receipts: list[Record], witnesses: list[VKey]) -> None:
        self.trusted, self.kept, self.witnesses = keys, kept, witnesses
        self.receipts = {receipt["entry"]["seq"]: receipt["entry"]["hash"] for receipt in receipts}
        self.count, self.tables, self.money = Counter[str](), dict[str, Table](), dict[str, int]()
        self.streams: defaultdict[str, Stream] = defaultdict(Stream)
        self.meters: dict[tuple[str, str, str], list[int]] = {}
        self.documents, self.sent = dict[str, str](), Counter[str]()
        self.out: dict[tuple[str, str], tuple[int, int, str]] = {}  # vouchers and transits that are out
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
        s, kind, table, moved = self.streams[e["stream"]], e["kind"], e["stream"].removeprefix("table/"), e["transfers"]
        digest = entry_hash(s.hash, e)
        says(e, seq=e["seq"] if self.alone else self.tree.size + 1, number=s.number + 1, first_transfer=s.transfer)
        says(e, hash=digest.hex())
        must(e["at_ms"] >= s.at_ms, f"its time is before that of the entry before it, {s.at_ms}")
        self.tree.append(digest)
        s.number, s.hash, s.at_ms, s.transfer = e["number"], digest, e["at_ms"], s.transfer + len(moved)
        if self.receipts:
            same("hash, by the receipt", e["hash"], self.receipts.pop(e["seq"], e["hash"]))
        self.count["entries"] += 1
        self.count["transfers"] += len(moved)
        if self.alone:
            return
        b = decode(e["body"])
        r = b["record"]
        says(b, event=kind)
        must(b.keys() <= BODY and (b["v"] == 1 or (b["v"] == 2 and kind in SECOND)), "no such field, or version")
        if b["v"] == 1 and OLD_NAMES.get(kind) in r:  # former versions are read as today's
            kind, r["cents"] = "bet-placed", r.pop(OLD_NAMES[kind])
        for line in (*r["lines"], *r["insurance"]) if "lines" in r else ():
            del line["paragraph"]
        self.count[COUNTED.get(kind, "other events")] += 1
        if table != e["stream"] and table not in self.tables:
            self.tables[table] = Table(table, self)
        steps = self.tables[table].apply(kind, r, b) if table != e["stream"] else self.office(kind, r)
        if kind in MOVES:
            steps = [(MOVES[kind][:-3], MOVES[kind][-2:], r["cents"])]
        same("transfers", moved, self.transfers(kind, {**r, "table": table}, steps) if steps else [])
        if kind in OUT or kind in BACK:
            self.once(kind, table, r, e["at_ms"])
        for transfer in moved:
            self.post(e["day"], *transfer)
        for name, document in e["documents"]:  # the sum over all there are follows from what each was
            for sign, value in ((-1, self.documents.pop(name, None)), (1, document)):
                s.sum += sign * int.from_bytes(sha256(f"{value} {name}".encode()).digest(), "big") if value else 0
            if document is not None:
                self.documents[name] = document
        says(e, documents_sum=f"{s.sum % 2**256:064x}" if e["documents"] else "")

    def transfers(self, kind: str, r: Record, steps: list[Step]) -> list[list[Any]]:
        if kind in OWING:
            has, owes = (self.money.get(ACCOUNTS[letter].format(**r), 0) for letter in "CO")
            gain = sum(((way[1] == "C") - (way[0] == "C")) * max(0, cents) for _, way, cents in steps)
            if gain < 0:
                place = [way[0] == "C" for _, way, _ in steps].index(True)
                steps = [*steps[:place], ("owed", "OC", -gain - has), *steps[place:]]
            elif kind != "settlement-reversed":
                steps = [*steps, ("owed-repaid", "CO", min(-owes, has + gain))]
        return [[name, *(ACCOUNTS[end].format(**r) for end in way), cents] for name, way, cents in steps if cents > 0]

    def once(self, kind: str, table: str, r: Record, at_ms: int) -> None:
        """Vouchers, and credit on its way: each comes back once, and whole."""
        name, place = "number" if "number" in r else "transit", f"{table}-{r.get('seat')}"
        if kind in OUT:
            self.sent[name + place] += 1
            says(r, **{name: f"{place}-{self.sent[name + place]}"})
            self.out[name, r[name]] = (r["cents"], r.get("expires_at_ms", 0), place)
            return
        must((name, r[name]) in self.out, f"{r[name]} is not out: never issued, or redeemed before")
        cents, expires, issued = self.out.pop((name, r[name]))
        says(r, cents=cents)
        must(
            kind not in ("voucher-inserted", "voucher-paid") or at_ms < expires, f"the voucher has expired at {expires}"
        )
        must(kind != "voucher-voided" or place == issued, f"the voucher was issued at {issued}")

    def post(self, day: str, kind: str, source: str, target: str, cents: int) -> None:
        must(0 < cents <= 10**15 and source != target, f"a transfer of {cents} cents from {source} to {target}")
        for account, more, place in ((source, -cents, 2), (target, cents, 0)):
            balance = self.money[account] = self.money.get(account, 0) + more
            must(balance >= 0 or account.startswith(BELOW_ZERO), f"{account} would be at {balance} cents")
            if not balance:
                del self.money[account]
            meter = self.meters.setdefault((account, day, kind), [0, 0, 0, 0])
            meter[place] += cents
            meter[place + 1] += 1

    def office(self, kind: str, r: Record) -> list[Step]:
        """The venue's own: people, keys, the cash desk."""
        if kind in ("staff-added", "role-changed", "administrator-claimed"):
            self.roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")
        elif kind == "checkpoint-key-set":
            key, text = parse_vkey(r["key"]), f"natural9 checkpoint key\n{r['origin']}\n{r['key']}\n".encode()
            if not r[
                "signature_before"
            ]:  # the first; or after a loss, and trust in the former ones does not carry over
                self.keys.clear()
            by = [(key, r["signature"]), *((old, r["signature_before"]) for old in self.keys[-1:])]
            good = all(ed25519(signer.public, text, base64.b64decode(signature)) for signer, signature in by)
            must(good, "a key that itself or the one before did not sign")
            same("origin", {one.name for one in (key, *self.keys)}, {r["origin"]})
            self.keys.append(key)
        elif kind == "time-stamp-kept":  # its signature is for `openssl ts -verify`
            note, imprint = parse_note(r["checkpoint"]), sha256(r["checkpoint"].encode()).digest()
            must(note.size <= self.tree.size and imprint in base64.b64decode(r["answer"]), "a stamp of something else")
            root = base64.b64encode(note.root).decode()
            says(r, size=note.size, checkpoint=r["checkpoint"] if self.roots.get(str(note.size), root) == root else "")
        elif kind == "drawer-closed":
            lies = -self.money.get(f"desk/{r['desk']}", 0)
            over = r["counted_cents"] - lies
            says(r, expected_cents=lies)
            steps = [("drawer-closed", "MD", lies), ("drawer-closed", "DM", -lies), ("drawer-short", "XM", -over)]
            return [*steps, ("drawer-over", "MX", over)]
        return []

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
        for table in self.tables.values():
            table.put_away()
            g = table.round
            must(not g or g.state in OVER or not g.returned, f"it stops within a settlement at table {table.id}")
        streams = {name: [s.number, s.hash.hex()] for name, s in self.streams.items()}
        says(end, entries=self.tree.size, transfers=self.count["transfers"], streams=streams, balances=self.money)
        says(end, documents=self.documents)
        meters = {" ".join(key): sums for key, sums in self.meters.items()}
        same("meters", {" ".join(meter[:3]): meter[3:] for meter in end["meters"]}, meters)
        same("how many meters", len(end["meters"]), len(meters))
        self.count.update(balances=len(self.money), meters=len(meters), documents=len(self.documents))
        self.ended = True

    def line(self, item: Record) -> None:
        if not self.head:
            says(item, natural9="journal", format=1)
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
                    raise ValueError(f"this is no exported journal (natural9 export writes one): {why}") from None
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
    for name, kind, what in (
        ("key", "VKEY", "of the house, from elsewhere"),
        ("witness", "VKEY", "of a witness that you trust"),
        ("checkpoint", "FILE", "a note that you kept"),
        ("receipt", "FILE", "a receipt"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], metavar=kind, help=what)
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
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as why:
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
