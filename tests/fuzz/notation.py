"""What people type and pass to the command line: cards, rounds, amounts, odds, roads, searches, shoes, addresses."""

import json
import re
from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from natural9.cli.settle_lines import settle_jsonl
from natural9.core.cards import ALL_CARDS, Card, parse_cards, parse_rank, show_cards
from natural9.core.errors import BadInput
from natural9.core.money import Odds, parse_cents
from natural9.core.notation import parse_round, show_round
from natural9.core.paper_codes import as_printed
from natural9.core.roads import roads
from natural9.games import game_ids, load_game
from natural9.server.search.query import search_query
from natural9.table.devices.line import parse_address
from natural9.table.shoes.shuffler import Shuffled, check_reveal, parse_dealt, shuffle
from tests.fuzz.mutation import spoilt_json, spoilt_text
from tests.fuzz.target import Target, Wrong, is_sentence

ZONE: Final = ZoneInfo("Asia/Singapore")
SHOE: Final = Shuffled(1, bytes(range(32)), tuple(shuffle(1, Random(1).randrange)))


def _card(text: str) -> None:
    card = Card.parse(text)
    _holds(card in ALL_CARDS and Card.parse(str(card)) == card, text)
    _holds(re.fullmatch(r"\s*(10|[a2-9tjqk])[cdhs♣♦♥♠]\s*", text, re.IGNORECASE), text)


def _rank(text: str) -> None:
    _holds(parse_rank(text) in "A23456789TJQK", text)


def _cards(text: str) -> None:
    cards = parse_cards(text)
    _holds(parse_cards(" ".join(map(str, cards))) == cards, text)


def _round(text: str) -> None:
    cards = parse_round(text)
    _holds(parse_round(show_round(cards)) == cards, text)


def _cents(text: str) -> None:
    cents = parse_cents(text)
    _holds(0 <= cents < 10**17 and text.strip()[:1].isdigit() and text.strip().isascii(), text)


def _odds(text: str) -> None:
    odds = Odds.parse(text)
    _holds(odds.numerator > 0 and odds.denominator > 0, text)


def _roads(text: str) -> None:
    drawn = roads(text)
    _holds(set(drawn.bead_plate) <= set("BPT"), text)


def _dealt(text: str) -> None:
    dealt = parse_dealt(text)
    check_reveal(1, SHOE.salt, SHOE.order, SHOE.commitment, dealt)


def _shoe(text: str) -> None:
    shoe = Shuffled.parse(text)
    holds = all(check.holds for check in check_reveal(shoe.decks, shoe.salt, shoe.order, SHOE.commitment, None))
    _holds(not holds or shoe.text == SHOE.text, text)


def _address(text: str) -> None:
    parse_address(text)


def _search(text: str) -> None:
    names = ("since", "until", "table", "seat", "device", "voucher", "least", "most", "result", "person")
    search_query(ZONE, **dict(zip(names, text.split("|"), strict=False)))


def _code(text: str) -> None:
    _holds(not set(as_printed(text)) & set("ILO- "), text)


READERS: Final[dict[str, tuple[Callable[[str], None], tuple[str, ...]]]] = {
    "card": (_card, ("9H", "10s", "kd", "A♠", " 2c ")),
    "rank": (_rank, ("9", "10", "K", "9H", "q")),
    "cards": (_cards, ("9H KD 4S", "10h,2c,3d", show_cards(SHOE.order))),
    "round": (_round, ("P 4C 9D 2S  B KH 6D", "P 9H KD B 2C 3D", "P  B")),
    "cents": (_cents, ("100", "1,250.50", "2.5", "0.05")),
    "odds": (_odds, ("12:1", "0.95:1", "1:2")),
    "roads": (_roads, ("BPPBTB", "B" * 80, "PTTTB")),
    "dealt": (_dealt, (show_cards(SHOE.order[:20]), "9H - - KD")),
    "shoe": (_shoe, (SHOE.text, SHOE.kept)),
    "address": (_address, ("tcp:127.0.0.1:9401", "serial:/dev/ttyUSB0", "tcp:[::1]:80")),
    "search": (_search, ("2026-11-16|2026-11-17 14:05|tiger-1|7|d-1|1-3-1|5|1,000.50|tie|pat", "9999-12-30|")),
    "code": (_code, ("DSGQ-8XBJ", "o1il-0")),
}


class Notation(Target):
    name = "notation"
    share = 130

    def make(self, chance: Random) -> tuple[str, str]:
        kind = chance.choice([*READERS])
        valid = READERS[kind][1]
        return kind, spoilt_text(chance, chance.choice(valid), valid)

    async def feed(self, given: tuple[str, str]) -> bool:
        kind, text = given
        try:
            READERS[kind][0](text)
        except BadInput as error:
            is_sentence(str(error))
            return False
        return True


def _holds(holds: object, text: str) -> None:
    if not holds:
        raise Wrong(f"taken, and it is not valid: {text!r}")


ROUNDS: Final[tuple[dict[str, Any], ...]] = (
    {"game": "mbs-tiger-nc", "cards": ["4S", "2H", "KD", "9C", "5H", "5D"], "bets": {"banker": 10000, "tie": 500}},
    {"game": "mbs-nc", "cards": ["9", "2", "K", "6"], "bets": {"player": 2500}},
    {
        "game": "rws-nc-insurance",
        "cards": ["9S", "2H", "KD", "6C"],
        "bets": {"banker": 10000},
        "insurance": [{"window": "four-cards", "hand": "banker", "stake": 1000}],
    },
)


class SettleLines(Target):
    """`natural9 settle --jsonl`, a line at a time."""

    name = "settle-jsonl"
    share = 60

    def make(self, chance: Random) -> bytes:
        valid = dict(chance.choice(ROUNDS))
        if chance.random() < 0.3:
            valid["game"] = chance.choice(game_ids())
        if chance.random() < 0.3:
            deck = [str(chance.choice(ALL_CARDS)) for _ in range(chance.randrange(3, 8))]
            valid["cards"] = deck
        return spoilt_json(chance, valid).replace(b"\n", b" ") + b"\n"

    async def feed(self, given: bytes) -> bool:
        out = BytesIO()
        failed = settle_jsonl([given], out)
        [line] = out.getvalue().splitlines()
        answer = json.loads(line)
        if failed:
            is_sentence(answer["error"]["message"])
            return False
        asked = json.loads(given)
        stakes = [*asked["bets"].values(), *(one["stake"] for one in asked.get("insurance", []))]
        game = load_game(asked["game"])
        known = {wager.id for wager in game.wagers}
        if answer["staked"] != sum(stakes) or not set(asked["bets"]) <= known or min(stakes, default=1) <= 0:
            raise Wrong(f"settled, and it is not valid: {answer}")
        return True
