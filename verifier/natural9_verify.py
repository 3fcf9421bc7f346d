#!/usr/bin/env python3
"""Checks an exported natural9 journal, and trusts nothing in it.

Python 3.11 or later, standard library only (`cryptography` checks signatures where it is installed: quicker). Written
from docs/journal.md and the approved rules, not from the program that wrote the journal: Table of Play, pay tables,
ledger and tree are its own, so that no mistake hides in both. "Reading 8" is one of our readings of the rules.

    natural9 export VENUE | python3 natural9_verify.py
    python3 natural9_verify.py journal.jsonl.gz --key KEPT-KEY --checkpoint kept-note.txt --receipt receipt.json

Exit 0: all is as it must be. Exit 1: the first line that is wrong. Exit 2: this is no journal, key or receipt. It looks
at chains, times, tree, checkpoints, keys, cosignatures, receipts, time stamps; every transfer, balance, meter, voucher;
shoes, cards, every settlement, insurance, void, correction and ruling, and the rank of who decided. It does not look at
labels, requests and commands, who asked in an ordinary round and in which phase, limits, when insurance is due, faults,
players' sessions, drawers beyond their money, what the house lets whom do beyond the rules, how documents change, words
for people, or roads. Of an export of one stream it checks the chain.
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
from collections import Counter, defaultdict, namedtuple
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    library: Any = Ed25519PublicKey.from_public_bytes
except ImportError:  # then `ed25519` reckons by itself
    library = None

sha256, sha512 = hashlib.sha256, hashlib.sha512
Record = dict[str, Any]
NO_SENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)  # of no such kind


class Wrong(Exception):
    """The journal, or a receipt, says what cannot be so."""


def must(holds: object, sentence: str) -> None:
    if not holds:
        raise Wrong(sentence)


def same(what: str, said: Any, should: Any) -> None:
    if said != should:
        for key in said.keys() | should.keys() if isinstance(said, dict) and isinstance(should, dict) else ():
            same(f"{what}, {key}", said.get(key), should.get(key))
        raise Wrong(f"{what}: it says {said!r}, it should say {should!r}")


def says(r: Record, **should: object) -> None:  # these fields of a record say what they should
    for name, value in should.items():
        same(name, r.get(name), value)


# --- Signatures: Ed25519 (RFC 8032), signed notes and cosignatures (C2SP) ---
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def plus(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    t = D * p[0] * q[0] * p[1] * q[1]
    x, y = p[0] * q[1] + q[0] * p[1], p[1] * q[1] + p[0] * q[0]
    return x * pow(1 + t, -1, P) % P, y * pow(1 - t, -1, P) % P


def times(k: int, p: tuple[int, int]) -> tuple[int, int]:
    half = times(k >> 1, plus(p, p)) if k else (0, 1)
    return plus(half, p) if k & 1 else half


def point(data: bytes) -> tuple[int, int]:
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    must((x * x - square) % P == 0 and y < P and (x or not sign), "no point of the curve")
    return (x if x & 1 == sign else P - x), y


def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:  # S·B = R + k·A
    try:
        if library:
            return library(public).verify(signature, message) is None
        a, r, base = point(public), point(signature[:32]), point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    except Exception:  # the library says no, or it is no point of the curve
        return False
    s, k = (int.from_bytes(x, "little") for x in (signature[32:], sha512(signature[:32] + public + message).digest()))
    return len(signature) == 64 and s < ORDER and times(s, base) == plus(r, times(k % ORDER, a))


VKey = namedtuple("VKey", "name id algorithm public")  # NAME+ID+BASE64; algorithm 1 signs notes, 4 cosigns them
Note = namedtuple("Note", "text origin size root signatures brief")  # a checkpoint: what is signed, by whom; SIZE ROOT


def parse_vkey(text: str) -> VKey:
    found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})", text.strip())
    raw = base64.b64decode(found[3]) if found else b"\0"
    if not found or raw[0] not in (1, 4) or sha256(f"{found[1]}\n".encode() + raw).hexdigest()[:8] != found[2]:
        raise ValueError(f"{text.strip()!r} is no key (NAME+ID+BASE64)")
    return VKey(found[1], bytes.fromhex(found[2]), raw[0], raw[1:])


def parse_note(text: str) -> Note:
    head, signature = r"((\S+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*)", r"— \S+ [A-Za-z0-9+/]+=*\n"
    found = re.fullmatch(rf"{head}\n((?:{signature})+)", text)
    if not found:
        raise ValueError("this is no checkpoint (origin, size, root, an empty line, signatures)")
    signatures = [(line.split(" ")[1], base64.b64decode(line.split(" ")[2])) for line in found[5].splitlines()]
    return Note(found[1], found[2], int(found[3]), base64.b64decode(found[4]), signatures, f"{found[3]} {found[4]}")


def signed_by(note: Note, key: VKey) -> bool:  # a line of this key that does not hold spoils the whole note
    mine = [blob[4:] for name, blob in note.signatures if (name, blob[:4]) == (key.name, key.id)]
    for blob in mine:
        start = 8 if key.algorithm == 4 else 0  # the time is part of what a witness signs
        head = f"cosignature/v1\ntime {int.from_bytes(blob[:8], 'big')}\n" if start else ""
        holds = ed25519(key.public, (head + note.text).encode(), blob[start:])
        must(holds, f"the signature of {key.name} under checkpoint {note.size} does not hold")
    return bool(mine)


def node(left: bytes, right: bytes) -> bytes:  # of the tree of RFC 6962
    return sha256(b"\1" + left + right).digest()


class Tree(list[bytes]):  # the roots of the complete subtrees so far, largest first: all it needs
    size = 0

    def add(self, data: bytes) -> None:
        made, size = sha256(b"\0" + data).digest(), self.size
        while size & 1:  # a complete subtree of the same height stands on the left: the two become one
            made, size = node(self.pop(), made), size >> 1
        self.append(made)
        self.size += 1

    def root(self) -> bytes:
        return reduce(lambda right, left: node(left, right), reversed(self or [sha256(b"").digest()]))


def root_by_proof(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:  # 2.1.1 of the RFC, backwards
    must(0 <= index < size and bool(path) == (size > 1), f"of leaf {index} of {size} the proof is too long, or short")
    if size == 1:
        return sha256(b"\0" + leaf).digest()
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
def next_hand(ranks: str) -> str | None:  # whose card comes next; None once the round is complete
    if len(ranks) < 4:
        return "banker" if len(ranks) % 2 else "player"
    points = [POINTS[rank] for rank in ranks]
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    if player >= 8 or banker >= 8 or len(ranks) > 5:
        return None  # a Natural, or all six cards
    if len(ranks) == 4:  # who has 6 or 7 stands; the Banker waits for the Player's card
        return "player" if player <= 5 else "banker" if banker <= 5 else None
    return "banker" if player <= 5 and (banker <= 2 or points[4] in BANKER_DRAWS.get(banker, ())) else None


@lru_cache(maxsize=1 << 12)
def outcome(ranks: str) -> tuple[str, int, int, frozenset[str]]:  # winner, totals, and what the pay tables ask
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


def words(text: str) -> dict[str, str]:  # a table as text: rows, each a word and what is true of it
    return dict(row.strip().split(" ", 1) for row in text.split(","))


# --- Pay tables: what must be so, and the odds. The first that is so decides; where none is, the wager loses ---
# A Dragon Bonus is paid on a Natural whatever the margin, and goes back on a Natural tie (reading 3); a Tiger Pair by
# its best class only (reading 2). Insurance (rws-nc-insurance 4.1.2): Player's points, Banker's points, odds.
_MARGINS = "{0}-by-9 30:1, {0}-by-8 10:1, {0}-by-7 6:1, {0}-by-6 4:1, {0}-by-5 2:1, {0}-by-4 1:1"
_DRAGON = "{0}-natural 1:1, tie-natural push, " + _MARGINS
_SIX, _BY_CARDS = "banker-on-6 15:1", "banker-on-6-of-2 12:1, banker-on-6-of-3 20:1"
_ODDS = f"""player = player 1:1, tie push; banker = banker-on-6 1:2, banker 1:1, tie push; tie = tie 8:1;
    mbs-tiger banker = banker 0.95:1, tie push; player-pair = player-pair 11:1; banker-pair = banker-pair 11:1;
    super-six = {_SIX}; super-6 = {_SIX}; super-six-plus = {_BY_CARDS}; fortune-six = {_BY_CARDS}; tiger = {_BY_CARDS};
    player-dragon-bonus = {_DRAGON.format("player")}; banker-dragon-bonus = {_DRAGON.format("banker")};
    small-tiger = banker-on-6-of-2 22:1; big-tiger = banker-on-6-of-3 50:1; tiger-tie = tie-on-6 35:1;
    tiger-pair = twin-pairs 100:1, 2-pairs 20:1, 1-pairs 4:1;
    four-cards banker-insurance = 0-4 5 2:1, 0-5 6 3:1, 0-5 7 4:1;
    four-cards player-insurance = 5 4 2:1, 6 0-5 3:1, 7 0-5 4:1;
    third-card banker-insurance = 1 1 6:1, 1 2-6 7:1, 2 3-6 4:1, 3 4 1.5:1;
    third-card player-insurance = 5 0-4 2:1, 6 0-5 3:1, 7 0-6 4:1, 8 0-6 7:1, 9 0-6 8:1"""
_PAYS = [line.strip().split(" = ") for line in _ODDS.split(";")]
ODDS = {name: [row.split(" ") for row in rows.split(", ")] for name, rows in _PAYS}
_MAIN, _DRAGONS = "player banker tie player-pair banker-pair", "player-dragon-bonus banker-dragon-bonus"
_TIGERS = "tiger small-tiger big-tiger tiger-tie tiger-pair"
OPTIONAL = {*_DRAGONS.split(), *_TIGERS.split()}  # "may be available" (reading 14)
# rws-nc 4.1, rws-nc-insurance 4.1.1, rws-nc-super-six-plus 4.1.1, mbs 4.1 to 4.10
_GAMES = words(f"""rws-nc {_MAIN}, rws-nc-insurance {_MAIN}, rws-nc-super-six-plus {_MAIN} super-six-plus,
    mbs-nc {_MAIN}, mbs-super-six-nc {_MAIN} super-six, mbs-fortune-six-nc {_MAIN} fortune-six {_DRAGONS},
    mbs-super-6-nc {_MAIN} super-6 {_DRAGONS}, mbs-tiger player banker tie {_TIGERS}""")
GAMES = {game: wagers.split() for game, wagers in (_GAMES | {"mbs-tiger-nc": _GAMES["mbs-tiger"]}).items()}


@lru_cache(maxsize=1 << 12)
def insurance_odds(window: str, wager: str, ranks: str) -> str | None:  # only while a draw is to come (reading 5)
    cards = 4 if window == "four-cards" else 5
    if len(ranks) < cards or next_hand(ranks[:cards]) is None:
        return None
    points = [POINTS[rank] for rank in ranks[:cards]]  # a fifth is the Player's: after a Banker's none is to come
    player, banker = str((points[0] + points[2] + sum(points[4:])) % 10), str((points[1] + points[3]) % 10)
    fits = (odds for p, b, odds in ODDS[f"{window} {wager}"] if p[0] <= player <= p[-1] and b[0] <= banker <= b[-1])
    return next(fits, None)


@lru_cache(maxsize=1 << 12)
def pays(game: str, wager: str, window: str, ranks: str) -> str | None:  # as printed; "push": it goes back; None: lost
    winner, _, _, facts = outcome(ranks)
    if window:  # insurance wins when its hand loses, and goes back on a tie, but for the starred row (reading 4)
        odds = insurance_odds(window, wager, ranks)
        return None if wager == f"{winner}-insurance" else "push" if winner == "tie" and odds != "8:1" else odds
    name = f"{game} {wager}" if f"{game} {wager}" in ODDS else wager
    return next((odds for fact, odds in ODDS[name] if fact in facts), None)


@lru_cache(maxsize=1 << 10)
def part(odds: str | None) -> Fraction:  # what comes back, in parts of the stake
    to, per = {None: "-1:1", "push": "0:1"}.get(odds, str(odds)).split(":")
    return 1 + Fraction(to) / Fraction(per)


@lru_cache(maxsize=1 << 12)
def fate(game: str, wager: str, ranks: str) -> str:  # win or lose, however the round ends (reading 8); or nothing
    if next_hand(ranks) is None:
        return {None: "lose", "push": ""}.get(pays(game, wager, "", ranks), "win")
    first = fate(game, wager, ranks + "A")
    return first if first and all(fate(game, wager, ranks + rank) == first for rank in POINTS) else ""


# --- What each document lets be done about an irregularity (docs/journal.md, Clauses): who decides, and what ---
# A pit supervisor, unless a rank is named; /d while a card is due, /p in play, /u while no wager is sure, /e after.
RANKS = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
_SOME = words("""not-covered shift-manager continue reconstruct settle-by-cards no-effect discard void/p,
    late-bet dealer refuse-bet, withdrawn-bet dealer bet-stands, foreign-card void, insufficient-cards void,
    wrong-number-of-cards reconstruct void""")
_MORE = _SOME | words("""shortage-or-excess void, unshuffled-cards void, wrong-area dealer reconstruct,
    terminal-interruption dealer continue, wrong-result settle-by-cards, table-interruption void/u continue/e""")
_MBS = """order-altered reconstruct void, excess-or-exposed reconstruct void/d discard, face-up-in-shoe dealer continue,
    drawn-together-order-known dealer reconstruct, drawn-together-order-unknown void/d discard"""
_RWS = """drawn-together-order-known reconstruct discard, drawn-together-order-unknown decide-order discard,
    excess-or-exposed reconstruct void/d use-in-next-round discard, face-up-in-shoe continue, found-later no-effect"""
CLAUSES = {"mbs": _MORE | words(_MBS), "rws-nc": _MORE | words(_RWS), "rws-nc-insurance": _SOME}
CLAUSES["rws-nc-super-six-plus"] = _SOME | words("shortage-or-excess void")
RULING = {"mbs": "mbs 6.1", "rws-nc": "rws-nc 5.12"}  # a void by authority; where a document has none, our reading
COUNTED = words("""betting-opened rounds, bet-placed bets, card-dealt cards, seat-settled settlements,
    round-voided voids, cards-corrected corrections, earlier-cards-corrected corrections, bet-ruled rulings,
    irregularity-decided decisions, shoe-revealed shoes, checkpoint-key-set keys, insurance-placed insurance""")
# --- Money (docs/journal.md, What moves which money): C credit, S stakes, H house, O owed, V voucher, D desk ... ---
Step = tuple[str, int]  # kind of transfer and from which account to which, "bet CS"; cents
ACCOUNTS = words("""C credit/{table}-{seat}, S stake/{table}, H house/{table}, O owed/{table}-{seat}, D desk/{desk},
    V voucher/{number}, X short/{desk}, M vault/main, T transit/{table}-{seat}, A transit/{to_table}-{to_seat},
    B transit/{from_table}-{from_seat}""")
MOVES = words("""bet-placed bet CS, insurance-placed bet CS, bet-taken-back bet-taken-back SC,
    bets-cleared bet-taken-back SC, bets-returned bet-returned SC, bet-voided bet-returned SC,
    insurance-returned bet-returned SC, bet-restored bet-restored CS, credit-bought buy-in DC, hand-paid hand-pay CD,
    voucher-issued voucher-out CV, voucher-inserted voucher-in VC, voucher-voided voucher-voided VC,
    voucher-paid voucher-paid VD, credit-taken-along credit-sent CA, credit-brought credit-received TC,
    credit-sent-home credit-sent CT, credit-came-home credit-received BC, drawer-opened drawer-float DM,
    drawer-filled drawer-fill DM, drawer-returned drawer-return MD""")
OUT, BACK = "CV CA CT", "VC VD TC BC"  # vouchers, and credit on its way to another table: out once, back once
# What these take from a credit that lacks it is owed, and what they bring pays debts first.
OWING = "seat-settled bets-returned bet-voided bet-restored bet-ruled settlement-reversed earlier-seat-settled".split()
BELOW_ZERO = ("house/", "desk/", "owed/", "vault/", "short/")
# --- A table: its shoe, its round, and what its events mean for cards and money ---
OVER = ("settled", "void")
Bet = namedtuple("Bet", "wager window odds place", defaults=("", "", 0))  # each insurance is a line of its own


def sized(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big") + data


class Shoe:
    def __init__(self, r: Record, sealed: Record) -> None:
        self.number, self.decks, self.rules, self.offered = r["shoe"], r["decks"], r["rules_sha256"], r["offered"]
        self.commitment, self.mix = sealed.get("commitment", ""), sealed.get("mix", {})
        self.left, self.cut = Counter(DECK * self.decks), False  # cut: no other round begins on it
        self.out = list[str]()  # in the order they came out; "-" for one that nobody saw

    def change(self, was: list[str], cards: list[str]) -> None:  # these came out, and not those
        self.left.update(was)
        self.left.subtract(cards)
        must(all(self.left[card] >= 0 for card in cards), f"{' '.join(cards)} cannot come from this shoe")
        self.out[len(self.out) - len(was) :] = cards
        self.cut |= len(self.out) >= 52 * self.decks

    def reveal(self, r: Record) -> None:
        says(r, shoe=self.number, decks=self.decks, commitment=self.commitment, dealt=len(self.out))
        text = f"natural9 shoe 1\ndecks {r['decks']}\nsalt {r['salt']}\norder {r['order']}\n"
        same("commitment", r["commitment"], sha256(text.encode()).hexdigest())
        order = r["order"].split(" ")
        must(Counter(order) == Counter(DECK * self.decks), "the order is not one of whole decks")
        for place, (card, came) in enumerate(zip(self.mixed(order) if self.mix else order, self.out, strict=False), 1):
            must(came in (card, "-"), f"card {place} of the shoe was {came}, and {card} was committed to")
        self.commitment = "revealed"  # never twice

    def mixed(self, cards: list[str]) -> list[str]:  # the house's order, changed by what the seats brought (SHAKE-256)
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


class Round:  # what is known of it; earlier ones wait on disk, for a round can be corrected at any time
    def __init__(self, r: Record, state: str = "open") -> None:
        self.number, self.game, self.shoe, self.offered = r["round"], r["game"], r["shoe"], r["offered"]
        self.document = "mbs" if self.game.startswith("mbs") else self.game
        self.state, self.declared = state, False  # open, closed, settled, void
        self.cards, self.old = list[str](), r["from_old_set"]  # old: so many, dealt or held, came from another set
        self.bets: defaultdict[int, Counter[Bet]] = defaultdict(Counter)  # by seat, in the order laid
        self.withdrawn, self.returned = Counter[tuple[int, str]](), dict[int, int]()
        self.rulings: dict[tuple[int, str], tuple[int, int, bool]] = {}  # stake, what it returns, whether that is paid
        self.reports, self.decided, self.window = dict[int, Record](), Record(remedy=""), Record()
        self.sums, self.todo = Counter[str](), set[int]()  # of this settlement or void; seats to be settled again

    def ranks(self) -> str:
        return "".join(card[0] for card in self.cards)

    def clause(self, kind: str) -> list[str]:  # rank and remedies; mbs speaks of a card face up after the first alone
        early = kind == "face-up-in-shoe" and self.document == "mbs" and not self.cards
        found = CLAUSES[self.document].get("" if early else kind, _SOME["not-covered"]).split()
        return found if found[0] in RANKS else ["pit-supervisor", *found]

    def lies(self, seat: int, wager: str = "") -> int:  # what the seat has at stake, in all or on one wager
        return sum(cents for bet, cents in self.bets[seat].items() if wager in ("", bet.wager))

    def staked(self) -> dict[int, int]:
        return {seat: self.lies(seat) for seat in self.bets if self.bets[seat]}

    def covered(self, seat: int) -> bool:  # insurance would pay no more than the bet that it insures (reading 6)
        insured = defaultdict[str, Any](int)
        for bet, cents in self.bets[seat].items():
            insured[bet.wager] += cents * (part(bet.odds) - 1) if bet.window else 0
        return all(insured[f"{hand}-insurance"] <= self.lies(seat, hand) for hand in ("player", "banker"))

    def never(self, seat: int) -> Counter[Bet]:  # insurance on what these cards did not offer
        odds = {bet: insurance_odds(bet.window, bet.wager, self.ranks()) for bet in self.bets[seat] if bet.window}
        return Counter({bet: self.bets[seat][bet] for bet in odds if odds[bet] != bet.odds})

    def ought(self, seat: int) -> tuple[Record, Counter[str]]:  # its lines by the cards that lie now, and sums
        never, ranks = self.never(seat), self.ranks()
        lines, sums = Record(lines=[], insurance=[]), Counter(back=never.total())
        for bet, stake in (self.bets[seat] - never if never else self.bets[seat]).items():
            odds = pays(self.game, bet.wager, bet.window, ranks)
            result, returned = {None: "lose", "push": "push"}.get(odds, "win"), stake * part(odds)
            must(returned.denominator == 1, f"{bet.wager} of seat {seat} cannot be paid in whole cents")
            paid = int(returned)
            line = {"wager": bet.wager, "stake_cents": stake, "result": result, "odds": odds}
            line |= {"returned_cents": paid, "net_cents": paid - stake} | ({"window": bet.window} if bet.window else {})
            lines["insurance" if bet.window else "lines"].append(line)
            for name, cents in (result, stake), (f"on {bet.wager}", stake), ("paid", paid), (f"paid {bet.wager}", paid):
                sums[name] += cents
        for (of, wager), (stake, to, _) in self.rulings.items():
            if of == seat and stake == sums[f"on {wager}"]:
                sums.update({"ruled": to - sums[f"paid {wager}"], f"ruled {wager}": to - sums[f"paid {wager}"]})
        sums["all"] = sums["paid"] + sums["back"] + sums["ruled"]
        return lines, sums

    def won(self) -> list[str]:
        return [wager for wager in self.offered if pays(self.game, wager, "", self.ranks()) not in (None, "push")]


class Table:
    def __init__(self, journal: "Journal") -> None:
        self.id, self.journal, self.electronic, self.joint = "", journal, False, False
        self.shoe = Shoe({"shoe": 0, "decks": 0, "rules_sha256": "", "offered": []}, {})  # until there is one
        self.round = Round({"round": 0, "game": "", "shoe": 0, "offered": [], "from_old_set": 0}, "void")
        self.new_shoe: Any = None
        self.earlier: Any = None  # the round before this one that entries are about
        self.steps, self.held, self.sealed = list[Step](), list[str](), Record()  # moves; cards that wait; next shoe
        self.nonces: dict[int, tuple[int, str]] = {}  # what each seat has committed to, for which shoe

    def rank(self, b: Record, lowest: str = "shift-manager", *, unless: object = False) -> None:
        """Whoever ranks higher may do it, too (reading 16); what a dealer does the program and a reading shoe may."""
        if not unless and not (lowest == "dealer" and b["from"] in ("program", "reader")):
            rank, roles = b.get("rank"), self.journal.roles.get(b.get("by", ""))
            may = b["from"] == "staff" and rank in RANKS[RANKS.index(lowest) :] and (not roles or rank in roles)
            must(may, f"it takes a {lowest}, and it was {b['from']} {b.get('by')} as {rank}, who has been {roles}")
            self.journal.count["ranks"] += 1

    def play(self, kind: str, r: Record, b: Record) -> list[Step]:  # a round that goes as it should
        get, g, self.steps, self.id = r.get, self.round, [], r["table"]
        seat, cents, wager, window = get("seat", 0), get("cents", 0), get("wager", ""), get("window", "")
        if kind == "betting-opened":
            self.put_away()
            must(g.state in OVER, f"round {g.number} is neither settled nor void")
            self.held = self.held if g.game == r["game"] else []
            old = max(0, g.old - len(g.cards)) if self.held else 0
            if self.new_shoe:
                must(not self.new_shoe.mix or self.new_shoe.mix["done"], "the seats have not mixed the shoe yet")
                self.shoe, self.new_shoe, old = self.new_shoe, None, len(self.held)
            offered = [wager for wager in GAMES[r["game"]] if wager not in OPTIONAL or wager in self.shoe.offered]
            says(r, round=g.number + 1, shoe=self.shoe.number, held=self.held, from_old_set=old, offered=offered)
            says(r, rules_sha256=self.shoe.rules)
            must(not self.shoe.cut and self.shoe.commitment != "revealed", "the shoe is spent, or its order is public")
            self.round = Round(r)
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
            self.shoe.change([], [] if self.held else [r["card"]])
            says(r, hand=next_hand(g.ranks()), card=self.held.pop(0) if self.held else r["card"])
            g.cards.append(r["card"])
        elif kind == "result-declared":
            winner, player, banker, _ = outcome(g.ranks())
            says(r, winner=winner, player_total=player, banker_total=banker, won=g.won())
            g.declared = True
        elif kind == "seat-settled":
            (lines, sums), staked = g.ought(seat), g.lies(seat)
            says(r, **lines, staked_cents=staked, returned_cents=sums["paid"])
            good = g.declared and seat not in g.returned and g.decided["remedy"] != "void" and not g.sums["void"]
            must(good, "settled twice, without a declared result, or in a round that was to be void")
            must(staked and not sums["back"] and g.covered(seat), "no bet, or insurance that no bet covers")
            for key, (stake, to, paid) in g.rulings.items():  # they outlive it: to be paid again, or the cards agree
                g.rulings[key] = (stake, to, paid if key[0] != seat else not sums[f"ruled {key[1]}"])
            g.returned[seat], kept, lost = sums["paid"], staked - sums["lose"], sums["lose"]
            g.sums += Counter(lose=lost, paid=sums["paid"])
            self.steps = [("stake-lost SH", lost), ("stake-returned SC", kept), ("winnings HC", sums["paid"] - kept)]
        elif kind == "round-settled":
            same("which seats are settled", g.returned.keys(), g.staked().keys())
            due = [key for key, ruling in g.rulings.items() if not ruling[2]]
            must(g.declared and not due, f"nothing was declared, or these rulings are forgotten: {due}")
            staked, lost = sum(g.staked().values()), g.sums["lose"]
            kept, won = staked - lost, g.sums["paid"] - staked + lost
            says(r, staked_cents=staked, collected_cents=lost, stakes_returned_cents=kept, winnings_cents=won)
            g.state, g.sums = "settled", Counter()
        elif kind == "insurance-opened":
            must(g.game == "rws-nc-insurance" and not self.held, "no insurance now (readings 5, 7, 28)")
            odds = {hand: insurance_odds(window, f"{hand}-insurance", g.ranks()) for hand in ("player", "banker")}
            says(r, offers={hand: text for hand, text in odds.items() if text})
            g.window = {**r["offers"], "window": window}
        elif kind == "insurance-placed":
            says(r, window=g.window.get("window"), odds=g.window.get(r["hand"]))
            g.bets[seat][Bet(f"{r['hand']}-insurance", window, r["odds"], len(g.bets[seat]) + 1)] += cents
            must(g.covered(seat), f"insurance of {r['hand']} would pay more than the bet")
        elif kind in ("insurance-closed", "insurance-skipped"):
            g.window = {}
        else:
            self.shoes(kind, r, b)
            self.mend(kind, r, b)
        return self.steps

    def take(self, r: Record) -> Counter[tuple[int, str]]:  # goes back, what was laid last first
        mine, left, gone = self.round.bets[r["seat"]], r["cents"], Counter[tuple[int, str]]()
        wager = f"{r['hand']}-insurance" if "hand" in r else r.get("wager", "")
        for bet in [bet for bet in reversed(mine) if wager in ("", bet.wager)]:
            taken = min(left, mine[bet]) if bet.window == r.get("window", bet.window) else 0
            left, mine[bet], gone[r["seat"], bet.wager] = left - taken, mine[bet] - taken, taken
        self.round.bets[r["seat"]] = +mine
        must(r["cents"] > 0 and not left and (wager or not +mine), "as much does not lie there, or more")
        return gone

    def put_away(self) -> None:  # this round, and the earlier one that entries were about, where they can be found
        for g in filter(None, (self.earlier, self.round)):
            must(not g.todo, f"seats {g.todo} of round {g.number} are not settled again")
            self.journal.rounds.execute("replace into old values (?, ?)", (f"{self.id} {g.number}", pickle.dumps(g)))
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
            made = (self.sealed.get("shoe"), self.sealed.get("decks")) == (r["shoe"], r["decks"])
            must(g.state in OVER and (made or not self.electronic), "it comes within a round, or was not committed to")
            must(self.sealed.get("mix") or not self.joint, "the seats mix this table's shoes, and did not mix this one")
            both = [one for one in (shoe, new) if one]
            must({one.commitment for one in both} <= {"", "revealed"}, "the shoe before it is not revealed")
            like = {(one.rules, bool(one.commitment)) for one in both} == {(r["rules_sha256"], made)}
            self.rank(b, "pit-supervisor", unless=not like or shoe.cut)  # reading 23
            self.new_shoe, self.sealed = Shoe(r, self.sealed), {}
        elif kind in ("cut-card-appeared", "new-shoe-required"):
            shoe.cut = True
        elif kind == "nonce-committed":
            self.nonces[r["seat"]] = (r["shoe"], r["commitment"])
        elif kind == "shoe-mix-opened":
            listed = [[seat, mine] for seat, (number, mine) in sorted(self.nonces.items()) if number == r["shoe"]]
            says(r, commitment=self.sealed["commitment"], seats=listed, rule="natural9 mix 1")
            same("checkpoint", r["checkpoint"], self.journal.roots.get(r["checkpoint"].split(" ")[0], r["checkpoint"]))
            self.sealed["mix"] = {**r, "seats": dict(r["seats"]), "nonces": {}, "done": False}
        elif kind == "nonce-revealed":
            text = f"natural9 nonce 1\ntable {self.id}\nshoe {r['shoe']}\nseat {r['seat']}\nnonce {r['nonce']}\n"
            must(not mix["done"] and r["seat"] not in mix["nonces"], "revealed twice, or too late")
            same("what the seat committed to", mix["seats"].get(r["seat"]), sha256(text.encode()).hexdigest())
            mix["nonces"][r["seat"]] = r["nonce"]
        elif kind == "shoe-mixed":
            must(not mix["done"], "a shoe is mixed once")
            out = sorted(mix["seats"].keys() - mix["nonces"].keys())
            says(r, shoe=new.number, commitment=new.commitment, seats=sorted(mix["nonces"]), left_out=out)
            mix["done"] = True
        elif kind == "cards-burnt":
            says(r, shoe=new.number, face_down=POINTS[r["card"][0]] or 10)
            new.left, new.out = Counter(DECK * new.decks), []  # a second one corrects the first
            new.change([], [r["card"]])
            new.out += ["-"] * r["face_down"]
        elif kind == "shoe-revealed":
            (new if shoe.commitment in ("", "revealed") else shoe).reveal(r)  # new: it is never played
        elif kind == "shoe-replaced":
            why = (g.game, g.decided["kind"])
            must(why == ("rws-nc", "drawn-together-order-unknown"), "no clause lets the shoe be replaced")
            self.shoe = Shoe({**r, "offered": shoe.offered, "rules_sha256": shoe.rules}, {})
            g.old = len(g.cards) + len(self.held)

    def mend(self, kind: str, r: Record, b: Record) -> None:  # decisions, voids, corrections, rulings
        seat, wager, cents = r.get("seat", 0), r.get("wager", ""), r.get("cents") or 0
        about_earlier = self.earlier and r.get("round") == self.earlier.number
        g = self.earlier if about_earlier or kind.startswith("earlier-") else self.round
        if kind == "irregularity-reported":
            self.shoe.change([], r["cards"])
            g.reports[r["report"]] = r
        elif kind == "irregularity-decided":
            report, ranks = g.reports.pop(r["report"]), g.ranks()
            rank, *remedies = ["pit-supervisor", "confirm-cards"] if report["confirm"] else g.clause(report["kind"])
            for card in self.held:
                ranks += card[0] if next_hand(ranks) else ""
            sure = r["kind"] == "table-interruption" and any(fate(g.game, one, ranks) for one in g.offered)
            playing, due = g.state not in OVER, next_hand(g.ranks()) is not None
            holds = {"": True, "p": playing, "d": playing and due, "u": not sure, "e": sure}
            may = [remedy for remedy, _, when in (word.partition("/") for word in remedies) if holds[when]]
            says(r, kind=report["kind"], rank=b.get("rank", "dealer") if r["by"] else "dealer")
            says(r, paragraph=dict(report["remedies"]).get(r["remedy"], r["paragraph"]))
            must(r["remedy"] in may, f"{r['remedy']} cannot be decided: {' or '.join(may) or 'nothing'} can")
            later = r["kind"] == "wrong-result" and report["about_round"] is not None
            self.rank(b, "shift-manager" if later else rank, unless=not r["by"] and r["kind"] == "table-interruption")
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
        elif kind == "debt-left":
            says(r, cents=-self.journal.money.get(f"owed/{self.id}-{seat}", 0))
        elif kind == "round-taken-up":
            self.put_away()
            must(r["about_round"] < self.round.number, "it is not over")
            found = self.journal.rounds.execute("select body from old where at = ?", (f"{self.id} {r['about_round']}",))
            self.earlier = pickle.loads(found.fetchone()[0])
        elif kind in ("bets-returned", "bet-voided", "insurance-returned"):
            late, wager = g.decided["remedy"] == "refuse-bet", wager or f"{r.get('hand')}-insurance"
            late &= (g.decided.get("bet_seat"), g.decided.get("wager")) == (seat, wager) and cents <= g.decided["cents"]
            never = kind == "insurance-returned" and (not g.covered(seat) or g.never(seat))
            self.rank(b, unless=late or never or g.decided["remedy"] == "void")
            must(seat not in g.returned and r.get("why", "-"), "the settlement is not reversed, or there is no reason")
            self.take(r)
            g.sums["void"] += cents if kind == "bets-returned" else 0
        elif kind == "round-voided":
            must(not g.staked() and g.state != "void", f"bets of seats {[*g.staked()]} are not returned")
            clause = (g.decided.get("kind"), g.decided.get("clause"))
            if g.decided["remedy"] != "void" or not r.get("kind"):
                self.rank(b)  # by authority
                must(g.state != "settled" and r["why"], "a settled round, or no reason")
                clause = (None, RULING.get(g.document, "interpretation shift-manager-where-silent"))
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
            self.steps = [("stake-returned-reversed CS", kept), ("winnings-reversed CH", cents - kept)]
            self.steps.append(("stake-lost-reversed HS", g.lies(seat) - kept))
        elif kind == "bet-ruled":  # reading 26
            lies, (of, to, paid) = g.lies(seat, wager), g.rulings.get((seat, wager), (0, 0, False))
            stake = lies or g.withdrawn[seat, wager]
            was = to if paid and of == stake else g.ought(seat)[1][f"paid {wager}"] if lies else stake
            says(r, round=g.number, stake_cents=stake, was_cents=was)
            more, again = r["returned_cents"] - was, (stake, r["returned_cents"]) in ((of, to), (of, of))
            self.rank(b, unless=again)  # repeated, or undone by a void
            must(r["why"] and stake and more, "no such bet, no reason, or nothing changes")
            g.rulings[seat, wager] = (stake, r["returned_cents"], True)
            g.returned |= {seat: g.returned[seat] + more} if lies else {}
            self.steps = [("ruling CH", -more), ("ruling HC", more)]
        elif kind == "cards-corrected":
            before, after = g.ranks(), "".join(card[0] for card in r["cards"])
            must(not self.electronic or r["cards"] == g.cards, "nobody corrects what an electronic shoe has dealt")
            self.shoe.change((g.cards + self.held)[g.old :], (r["cards"] + r["held"])[g.old :])
            g.cards, self.held = r["cards"], r["held"]
            says(r, put_at=[next_hand(after[:place]) for place in range(len(after))])
            if before != after and g.state != "void":
                must(not g.returned and (r["why"] or not g.declared), "the settlement is not reversed, or no reason")
                results = [outcome(one) if next_hand(one) is None else None for one in (before, after)]
                lowest = g.clause("wrong-result")[0] if results[0] != results[1] else "pit-supervisor"
                self.rank(b, lowest, unless=not g.declared or g.decided["remedy"].endswith("-cards"))  # that is decided
                g.declared, g.window, g.state = False, {}, "closed" if g.state == "settled" else g.state
        elif kind == "earlier-cards-corrected":
            says(r, round=g.number, shoe=g.shoe, was=g.cards, from_old_set=min(g.old, len(g.cards)))
            before, g.cards, settled = g.ranks(), r["cards"], g.state == "settled"
            comes = {seat: g.ought(seat)[1] for seat in g.staked()} if settled else {}
            changes = settled and (outcome(before) != outcome(g.ranks()) or any(one["back"] for one in comes.values()))
            self.rank(b, "dealer" if before == g.ranks() else "shift-manager" if changes else "pit-supervisor")
            g.todo = {seat for seat, one in comes.items() if one["back"] or one["all"] != g.returned[seat]}
            says(r, won=g.won() if settled else [])
            if self.shoe.number == g.shoe:
                self.shoe.change(r["was"][g.old :], r["cards"][g.old :])
        elif kind == "earlier-seat-settled":
            g.todo.remove(seat)
            (lines, sums), staked, was = g.ought(seat), g.lies(seat), g.returned[seat]
            says(r, **lines, round=g.number, staked_cents=staked, was_cents=was, insurance_back_cents=sums["back"])
            says(r, ruled_cents=sums["ruled"], returned_cents=sums["all"])
            g.bets[seat] -= g.never(seat)
            g.returned[seat] = sums["all"] - sums["back"]
            kept = min(sums["all"], staked) - min(was, staked)  # so much more than before
            won = sums["all"] - was - kept
            self.steps = [("stake-lost-reversed HS", kept), ("stake-returned SC", kept), ("winnings HC", won)]
            self.steps += [("stake-returned-reversed CS", -kept), ("stake-lost SH", -kept)]
            self.steps.append(("winnings-reversed CH", -won))


def _once(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    must(len(found) == len(pairs), "a name comes twice in an object")
    return found


decode = json.JSONDecoder(object_pairs_hook=_once, parse_float=int, parse_constant=int).decode  # which refuse
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
NAMES = "stream number kind at_ms day label request first_transfer transfers documents documents_sum".split()
ENTRY, END = {"seq", "body", "hash", *NAMES}, set("entries transfers streams balances meters documents".split())
BODY = set("event v record from by request command type rank".split())
OLD_NAMES = {"bet-placed": "stake", "bet-increased": "more"}  # of cents, in version 1


def entry_hash(before: bytes, e: Record) -> bytes:
    return sha256(before + sized(encode([2, *map(e.__getitem__, NAMES)]).encode()) + e["body"].encode()).digest()


class Journal:
    def __init__(self, keys: list[VKey], kept: list[Note], witnesses: list[VKey]) -> None:
        self.trusted, self.kept, self.witnesses = keys, kept, witnesses
        self.count, self.money = Counter[str](), dict[str, int]()
        self.tables = defaultdict[str, Table](lambda: Table(self))
        self.streams, self.meters = dict[str, tuple[int, bytes, int, int]](), dict[str, list[int]]()
        self.out: dict[str, tuple[int, int, str]] = {}  # vouchers and transits that are out: cents, until when, of whom
        self.documents, self.sent, self.roles = dict[str, str](), Counter[str](), defaultdict[str, set[str]](set)
        self.keys, self.roots = list[VKey](), dict[str, str]()  # roots of the last checkpoints, by size
        self.tree, self.head, self.signed, self.ended, self.alone = Tree(), Record(), 0, False, False
        self.rounds = sqlite3.connect("")  # rounds that are over, in a file that goes away by itself: memory stays flat
        self.rounds.execute("create table old (at text primary key, body blob)")

    def entry(self, e: Record) -> None:
        must(e.keys() == ENTRY, "a field that no entry has, or one is missing")
        stream, kind, moved, table = e["stream"], e["kind"], e["transfers"], e["stream"].removeprefix("table/")
        number, before, at_ms, transfer = self.streams.get(stream, (0, bytes(32), 0, 1))
        digest, seq = entry_hash(before, e), e["seq"] if self.alone else self.tree.size + 1
        says(e, seq=seq, number=number + 1, first_transfer=transfer, hash=digest.hex())
        must(e["at_ms"] >= at_ms, f"its time is before that of the entry before it, {at_ms}")
        self.tree.add(digest)
        self.streams[stream] = (number + 1, digest, e["at_ms"], transfer + len(moved))
        self.count["transfers"] += len(moved)
        if self.alone:
            return
        b = decode(e["body"])
        r = b["record"] | {"table": table}
        must(b["event"] == kind and b.keys() <= BODY and b["v"] in (1, 2), "another event, field or version")
        if b["v"] == 1 and OLD_NAMES.get(kind) in r:  # former versions are read as today's
            kind, r["cents"] = "bet-placed", r.pop(OLD_NAMES[kind])
        for line in (*r["lines"], *r["insurance"]) if "lines" in r else ():
            del line["paragraph"]
        self.count[COUNTED.get(kind, "other events")] += 1
        steps = self.office(kind, r) if table == stream else self.tables[table].play(kind, r, b)
        if kind in MOVES:
            steps = [(MOVES[kind], r["cents"])]
            self.once(MOVES[kind][-2:], kind, r, e["at_ms"])
        same("transfers", moved, self.transfers(kind, r, steps) if steps else [])
        for name, source, target, cents in moved:
            must(0 < cents <= 10**15 and source != target, f"a transfer of {cents} cents from {source} to {target}")
            for account, more, place in ((source, -cents, 2), (target, cents, 0)):
                balance = self.money[account] = self.money.get(account, 0) + more
                must(balance >= 0 or account.startswith(BELOW_ZERO), f"{account} would be at {balance} cents")
                if not balance:
                    del self.money[account]
                meter = self.meters.setdefault(f"{account} {e['day']} {name}", [0, 0, 0, 0])
                meter[place] += cents
                meter[place + 1] += 1
        self.documents |= e["documents"]

    def transfers(self, kind: str, r: Record, steps: list[Step]) -> list[list[Any]]:
        if kind in OWING:
            has, owes = (self.money.get(ACCOUNTS[letter].format(**r), 0) for letter in "CO")
            gain = sum(((name[-1] == "C") - (name[-2] == "C")) * max(0, cents) for name, cents in steps)
            if gain < 0:
                place = [name[-2] == "C" for name, _ in steps].index(True)
                steps = [*steps[:place], ("owed OC", -gain - has), *steps[place:]]
            elif kind != "settlement-reversed":
                steps = [*steps, ("owed-repaid CO", min(-owes, has + gain))]
        return [[name[:-3], *(ACCOUNTS[end].format(**r) for end in name[-2:]), n] for name, n in steps if n > 0]

    def once(self, way: str, kind: str, r: Record, at_ms: int) -> None:  # what is out comes back once, and whole
        name, place = "number" if "number" in r else "transit", f"{r['table']}-{r.get('seat')}"
        if way in OUT:
            self.sent[name + place] += 1
            says(r, **{name: f"{place}-{self.sent[name + place]}"})
            self.out[name + r[name]] = (r["cents"], r.get("expires_at_ms", 0), place)
        elif way in BACK:
            must(name + r[name] in self.out, f"{r[name]} is not out: never issued, or redeemed before")
            cents, expires, issued = self.out.pop(name + r[name])
            says(r, cents=cents)
            good = place == issued if kind == "voucher-voided" else way[0] != "V" or at_ms < expires
            must(good, f"the voucher was issued at {issued}, and expires at {expires}")

    def office(self, kind: str, r: Record) -> list[Step]:  # the venue's own: people, keys, the cash desk
        if kind in ("staff-added", "role-changed", "administrator-claimed"):
            self.roles[r["id"]].add(r.get("role") or r.get("after") or "administrator")
        elif kind == "checkpoint-key-set":
            key, text = parse_vkey(r["key"]), f"natural9 checkpoint key\n{r['origin']}\n{r['key']}\n".encode()
            if not r["signature_before"]:  # the first; or after a loss: trust in the former ones does not carry over
                self.keys.clear()
            by = [(key, r["signature"]), *((old, r["signature_before"]) for old in self.keys[-1:])]
            good = all(ed25519(signer.public, text, base64.b64decode(signature)) for signer, signature in by)
            must(good, "a key that itself or the one before did not sign")
            same("origin", {one.name for one in (key, *self.keys)}, {r["origin"]})
            self.keys.append(key)
        elif kind == "time-stamp-kept":  # its signature is for `openssl ts -verify`
            note, answer = parse_note(r["checkpoint"]), base64.b64decode(r["answer"])
            at = f"{datetime.fromtimestamp(r['stamped_at_ms'] // 1000, UTC):%Y%m%d%H%M%S}".encode()
            must(at in answer and sha256(r["checkpoint"].encode()).digest() in answer, "a stamp of something else")
            ours = r["size"] == note.size <= self.tree.size and self.roots.get(str(note.size), note.brief) == note.brief
            must(ours and signed_by(note, self.keys[-1]), "what was stamped is no checkpoint of this journal")
        elif kind == "drawer-closed":
            lies = -self.money.get(f"desk/{r['desk']}", 0)
            over = r["counted_cents"] - lies
            steps = [("drawer-closed MD", lies), ("drawer-closed DM", -lies), ("drawer-short XM", -over)]
            return [*steps, ("drawer-over MX", over)]
        return []

    def checkpoint(self, text: str) -> None:
        note = parse_note(text)
        must(self.keys, "no key was set in the journal before this checkpoint")
        said = (note.size, note.root.hex(), note.origin)
        same("size, root, origin", said, (self.tree.size, self.tree.root().hex(), self.keys[-1].name))
        must(signed_by(note, self.keys[-1]), f"it is not signed with the key {self.keys[-1].id.hex()}")
        self.signed = note.size if not self.trusted or any(key in self.trusted for key in self.keys) else 0
        self.roots = {**dict([*self.roots.items()][-999:]), str(note.size): note.brief}
        self.count.update(checkpoints=1, cosignatures=sum(signed_by(note, witness) for witness in self.witnesses))

    def end(self, end: Record) -> None:
        must(not self.ended and end.keys() == END, "a second end, or a field that no end has")
        for table in self.tables.values():
            table.put_away()
            must(table.round.state in OVER or not table.round.returned, f"it stops within a settlement at {table.id}")
        streams = {name: [number, head.hex()] for name, (number, head, *_) in self.streams.items()}
        says(end, entries=self.tree.size, transfers=self.count["transfers"], streams=streams, balances=self.money)
        says(end, documents={name: digest for name, digest in self.documents.items() if digest})
        same("meters", {" ".join(meter[:3]): meter[3:] for meter in end["meters"]}, self.meters)
        self.count.update(entries=self.tree.size, balances=len(self.money), meters=len(self.meters))
        self.ended = True

    def line(self, item: Record) -> None:
        if not self.head:
            says(item, natural9="journal", format=1)
            self.head, self.alone = item, item.get("stream") is not None
        elif item.keys() == {"checkpoint"}:
            self.checkpoint(item["checkpoint"])
        elif item.keys() == {"end"}:
            self.end(item["end"])
        else:
            must(not self.ended, "an entry after the end")
            self.entry(item)
            for note in [note for note in self.kept if note.size == self.tree.size]:  # the journal must go through it
                same(f"the root at {note.size} entries, by what was kept", self.tree.root().hex(), note.root.hex())
                self.kept.remove(note)


def check_receipt(receipt: Record, keys: list[VKey], witnesses: list[VKey]) -> Note:
    e, (proof, _, note_text) = receipt["entry"], receipt["proof"].partition("\n\n")
    same("hash of the entry", e["hash"], entry_hash(bytes.fromhex(e["previous_hash"]), e).hex())
    (first, index, *path), note = proof.split("\n"), parse_note(note_text)
    same("proof", (first, index), ("c2sp.org/tlog-proof@v1", f"index {e['seq'] - 1}"))
    root = root_by_proof(bytes.fromhex(e["hash"]), e["seq"] - 1, note.size, [base64.b64decode(line) for line in path])
    same("root", note.root.hex(), root.hex())
    must(any(signed_by(note, key) for key in keys or [parse_vkey(receipt["key"])]), "no key that is trusted signed it")
    must(all(signed_by(note, witness) for witness in witnesses), "a witness did not cosign its checkpoint")
    return note


def verify(lines: Iterable[bytes], journal: Journal) -> str:  # nothing, or the first line that is wrong
    with closing(journal.rounds):
        for number, line in enumerate(lines, 1):
            item = Record()
            try:
                item = Record(decode(line.decode()))
                journal.line(item)
            except (Wrong, *NO_SENSE) as why:
                if number == 1:
                    raise ValueError(f"this is no exported journal (natural9 export writes one): {why}") from None
                said = str(why) if isinstance(why, Wrong) else f"it makes no sense here ({type(why).__name__}: {why})"
                names = [str(item[name]) for name in ("stream", "number", "kind") if name in item]
                return f"line {number} ({' '.join(names) or next(iter(item), '')}): {said}"
    if not journal.ended:
        return f"after {journal.tree.size} entries the journal stops without an end"
    for note in journal.kept:
        return f"the checkpoint that was kept is of entry {note.size}, and the journal has {journal.tree.size}"
    return "" if journal.signed or not journal.trusted else "the newest checkpoint does not go back to the key given"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks an exported natural9 journal, or a receipt.")
    parser.add_argument("journal", nargs="?", help="from natural9 export; .gz too; standard input if none")
    for name, what in words("""key VKEY of the house from elsewhere, witness VKEY of a witness that you trust,
            checkpoint FILE of a note that you kept, receipt FILE of a receipt that you kept""").items():
        parser.add_argument(f"--{name}", action="append", default=[], metavar=what[:4], help=what[5:])
    parser.add_argument("--json", action="store_true", help="say it as JSON")
    options, count, wrong = parser.parse_args(arguments), Counter[str](), ""
    try:
        keys, witnesses = [parse_vkey(text) for text in options.key], [parse_vkey(text) for text in options.witness]
        kept = [parse_note(Path(path).read_text(encoding="utf-8")) for path in options.checkpoint]
        receipts = [decode(Path(path).read_text(encoding="utf-8")) for path in options.receipt]
        kept += [check_receipt(receipt, keys, witnesses) for receipt in receipts]
        count["receipts"] = len(receipts)
        if options.journal or not receipts:
            path = options.journal or "-"
            with sys.stdin.buffer if path == "-" else (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
                wrong = verify(file, journal := Journal(keys, kept, witnesses))
            count.update(journal.count)
            count["entries that no signed checkpoint covers"] = journal.tree.size - journal.signed
    except Wrong as why:
        wrong = str(why)
    except (OSError, *NO_SENSE) as why:
        print(f"natural9_verify: {why}", file=sys.stderr)
        return 2
    trust = "key given" if options.key else "keys as the journal names them: compare them with one from elsewhere"
    counts = ", ".join(f"{n} {what}" for what, n in sorted(count.items()))
    if options.json:
        print(json.dumps({"ok": not wrong, "wrong": wrong, "trust": trust, "checked": dict(sorted(count.items()))}))
    else:
        print(f"WRONG {wrong}" if wrong else f"OK {counts} ({trust})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
