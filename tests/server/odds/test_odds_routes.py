"""The odds over HTTP: the same numbers as the command's, for everyone, and never more than the server can bear."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.di import Provide

from natural9.cli.odds import odds as odds_command
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.games import game_ids, load_game
from natural9.odds.composition import Composition
from natural9.odds.pricing import odds
from natural9.server.odds import pricer as pricing
from natural9.server.odds.pricer import OddsPricer, what_is_asked
from natural9.server.odds.routes import odds_router
from natural9.server.odds.wire import GamePriced
from natural9.server.people.answers import exception_handlers
from natural9.server.people.limits import TooOften
from tests.table.live import venue_of


@asynccontextmanager
async def browser(*, public: bool = True) -> AsyncIterator[httpx.AsyncClient]:
    venue = replace(venue_of(), public_insurance_odds=public)
    app = Litestar(
        [odds_router()],
        exception_handlers=exception_handlers(),
        logging_config=None,
        dependencies={"venue": Provide(lambda: venue, sync_to_thread=False)},
    )
    transport = httpx.ASGITransport(app, client=("198.51.100.7", 5000))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def ask(**query: Any) -> httpx.Response:
    async with browser() as page:
        return await page.get("/api/odds", params=query)


@pytest.mark.parametrize("game_id", game_ids())
async def test_it_says_what_the_command_says(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    decks = load_game(game_id).decks.max
    answer = await ask(game=game_id, decks=decks, without="9 9 KD")
    assert answer.status_code == 200
    odds_command(game_id, decks=str(decks), without="9 9 KD", json=True)
    assert answer.json() == json.loads(capsys.readouterr().out)
    priced = odds(load_game(game_id), Composition.of(decks=decks).without("99K"))
    assert answer.json()["cards_left"] == priced.shoe.cards == 52 * decks - 3
    assert [wager["expected_float"] for wager in answer.json()["wagers"]] == [
        float(wager.expected) for wager in priced.wagers
    ]


async def test_what_insurance_is_worth_is_the_venues_to_show() -> None:
    async with browser(public=False) as page:
        answer = (await page.get("/api/odds", params={"game": "rws-nc-insurance"})).json()
        assert answer["insurance"] == []
        assert answer["wagers"]
    shown = (await ask(game="rws-nc-insurance")).json()
    assert shown["insurance"]
    assert shown["wagers"] == answer["wagers"]


async def test_the_games_and_their_decks() -> None:
    async with browser() as page:
        games = (await page.get("/api/odds/games")).json()
        assert [game["id"] for game in games] == list(game_ids())
        tiger = next(game for game in games if game["id"] == "mbs-tiger")
        assert tiger["least_decks"] < tiger["most_decks"]
        assert {"id": "tiger", "title": "Tiger", "names": {"en": "Tiger", "zh": "老虎"}} in tiger["wagers"]
        assert [game["id"] for game in games if game["has_insurance"]] == ["rws-nc-insurance"]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"game": "mbs-tigr"}, "did you mean mbs-tiger"),
        ({"game": "../venue.toml"}, "There is no game"),
        ({"game": "mbs-tiger", "decks": 99}, "decks"),
        ({"game": "mbs-tiger", "decks": "many"}, "decks"),
        ({"game": "mbs-tiger", "without": "9 1"}, "'1' is not a card"),
        ({"game": "mbs-tiger", "without": "9H " * 9}, "9H"),
        ({"game": "mbs-tiger", "without": "9 " * 33}, "No 9 is left"),
        ({"game": "mbs-tiger", "without": " ".join(32 * "A23456789TJQ") + " K" * 27}, "5 cards are left"),
        ({"game": "mbs-tiger", "without": "9 " * 2000}, "The list of cards has at most 3,000 characters"),
        ({}, "The game is missing"),
    ],
)
async def test_what_makes_no_sense_is_refused_in_a_sentence(query: dict[str, Any], says: str) -> None:
    answer = await ask(**query)
    assert answer.status_code == 400
    assert says in answer.json()["message"]


async def test_the_same_shoe_is_priced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[tuple[int, ...]] = []
    price = pricing._price

    def counting(game: Game, decks: int, counts: tuple[int, ...]) -> GamePriced:
        worked.append(counts)
        return price(game, decks, counts)

    monkeypatch.setattr(pricing, "_price", counting)
    pricer = OddsPricer(clock_ms=lambda: 0)
    at_once = [pricer.priced("mbs-nc", 8, without, peer="a") for without in ("9 K", "K 9", "KD 9H")]
    answers = await asyncio.gather(*at_once)
    assert answers[0] == answers[1] == answers[2]
    assert await pricer.priced("mbs-nc", 8, "9S K", peer="a") is answers[0]
    assert len(worked) == 1


async def test_one_address_cannot_ask_without_end_and_nobody_else_is_slowed() -> None:
    now = 0
    pricer = OddsPricer(clock_ms=lambda: now)
    await pricer.priced("mbs-nc", 8, "", peer="a")
    for count in range(1, pricing.TOKENS):
        await pricer.priced("mbs-nc", 8, " ".join("A23456789TJQK"[count % 13] * (1 + count // 13)), peer="a")
    with pytest.raises(TooOften):
        await pricer.priced("mbs-nc", 8, "A 2 3", peer="a")
    await pricer.priced("mbs-nc", 8, "", peer="a")  # known already: costs nothing
    await pricer.priced("mbs-nc", 7, "", peer="b")
    now += 1_000
    await pricer.priced("mbs-nc", 6, "", peer="a")


async def test_only_so_many_shoes_wait_at_once() -> None:
    pricer = OddsPricer(clock_ms=lambda: 0)
    ranks = "A23456789TJQK"
    asked = [pricer.priced("mbs-nc", 8, f"{first} {second}", peer="a") for first in ranks[:2] for second in ranks]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, TooOften)]
    assert refused
    assert len(answers) - len(refused) >= pricing.MOST_WAITING


def test_a_shoe_that_cannot_be_is_refused_before_any_work() -> None:
    with pytest.raises(BadInput, match="mbs-tiger is played with"):
        what_is_asked("mbs-tiger", 1, "")
    assert what_is_asked("mbs-tiger", 8, "10 TD")[2][9] == 30


def test_no_server_waits_for_the_mathematics_to_load() -> None:
    """Nobody has asked for a price yet: numba, which takes as long to load as the tables do, is not there."""
    code = (
        "import sys, natural9.server.serve; print('natural9.server.odds.pricer' in sys.modules, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
