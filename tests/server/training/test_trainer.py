"""A training table of a real venue: the real writer, the real signatures, and a journal that verifies."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from natural9.core.irregularities import Kind
from natural9.games import game_ids, load_game
from natural9.server.app import make_app
from natural9.server.demo.floor import venue_head
from natural9.server.house import House
from natural9.server.training.drill import SEATS, Wanted
from natural9.server.training.floor import TRAINING, training_table
from natural9.server.training.trainer import Trainer
from natural9.table.audit.verify import verify
from natural9.table.venue.venue import VENUE_FILE, load_venue
from tests.server.people.browser import Browser

HERE = "http://127.0.0.1:8909"
LESSONS = (Kind.LATE_BET, Kind.EXCESS_OR_EXPOSED, Kind.WRONG_AREA)
requests = count(1)
View = dict[str, Any]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    venue = venue_head("A floor for training", port=8909) + training_table("rws-nc")
    (tmp_path / "venue.toml").write_text(venue, encoding="utf-8")
    one = await House.open(tmp_path)
    await one.start()
    try:
        yield one
    finally:
        await one.stop("over")


@asynccontextmanager
async def trained(house: House, wanted: Wanted) -> AsyncIterator[tuple[Browser, Trainer]]:
    """A dealer's browser, and the trainer of the table."""
    trainer = Trainer(house, TRAINING, wanted)
    await trainer.begin()
    app: Any = make_app(house, demo=True, trainings={TRAINING: trainer})
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=HERE, headers={"origin": HERE}) as client:
        dealer = Browser(client)
        await dealer.post("/api/demo/enter", {"role": "dealer"})
        yield dealer, trainer


async def see(dealer: Browser) -> View:
    return cast(View, (await dealer.get(f"/api/training/{TRAINING}")).json())


async def ask(dealer: Browser, what: str, **more: object) -> View:
    answer = await dealer.post(f"/api/training/{TRAINING}/{what}", more)
    assert answer.status_code == 200, answer.text
    return cast(View, answer.json())


async def order(dealer: Browser, command: str, signer: View | None = None, **more: object) -> httpx.Response:
    body: dict[str, object] = {
        "request": f"t-{next(requests)}",
        "command": {"type": command, **more},
        "why": "so it was",
    }
    if signer:
        body["sign_in"] = {"id": signer["id"], "password": signer["password"]}
    return await dealer.post(f"/api/tables/{TRAINING}/commands", body)


async def step(dealer: Browser, trainer: Trainer) -> View:
    """Whatever comes next, done right."""
    view, state, watch = await see(dealer), trainer.drill.state, trainer.drill.watch
    situation = watch.situation if watch else None
    if view["question"]:
        question = trainer.drill.question
        assert question is not None
        return await ask(dealer, "answer", question=view["question"]["number"], choice=question.right)
    table = (await dealer.get(f"/api/tables/{TRAINING}")).json()
    if view["waits"]:
        waiting = table["table"]["waiting"][0]
        signer = None if waiting["rank"] == "dealer" else (await ask(dealer, "call", rank=waiting["rank"]))["signer"]
        done = await order(dealer, "decide", signer, remedy=waiting["remedies"][0]["remedy"])
    elif situation and situation.kind is Kind.LATE_BET and state.phase == "betting-open":
        done = await order(dealer, "close-betting")
    elif situation and situation.put_at:
        done = await order(dealer, "deal", card=str(situation.cards[0]), put_at=situation.put_at)
    elif situation and situation.tap:
        tap = situation.tap
        done = await order(
            dealer, "report", kind=situation.kind, seat=tap.seat, wager=tap.wager, cents=tap.cents
        )  # fmt: skip
    elif situation:
        done = await order(dealer, "report", kind=situation.kind, cards=[*map(str, situation.cards)])
    elif view["card"]:
        done = await order(dealer, "deal", card=view["card"])
    else:
        may = table["console"]["commands"]
        words = ("deal", "declare", "settle", "close-betting", "open-betting")
        card = {"card": table["console"]["held"][0]} if table["console"]["held"] and "deal" in may else {}
        done = await order(dealer, next(word for word in words if word in may), **card)
    assert done.status_code == 200, (view, done.text)
    return await see(dealer)


async def test_a_dealer_is_trained_at_a_real_table_and_the_journal_proves_every_round(house: House) -> None:
    async with trained(house, Wanted(rounds=3, lessons=LESSONS, seed=4)) as (dealer, trainer):
        [line] = (await dealer.get("/api/venue")).json()["tables"]
        assert line["training"] is True
        view = await see(dealer)
        while not view["ended"]:
            view = await step(dealer, trainer)
        assert {mark["lesson"] for mark in view["marks"]} >= {*LESSONS}
        assert {mark["grade"] for mark in view["marks"]} == {"right"}
        assert view["clauses"][0]["paragraph"].startswith(("rws-nc ", "interpretation "))
        [result] = trainer.results()
        assert (result.game, result.grades["right"], result.read_again) == ("rws-nc", len(view["marks"]), ())
    verified = await verify(house.store, load_game=load_game)
    assert verified.fault is None
    assert verified.bets >= SEATS


async def test_who_is_called_signs_for_their_own_rank_and_no_more(house: House) -> None:
    async with trained(house, Wanted(rounds=1, lessons=(Kind.NOT_COVERED,))) as (dealer, trainer):
        view = await see(dealer)
        while not view["waits"]:
            assert (await dealer.post(f"/api/training/{TRAINING}/call", {"rank": "pit-supervisor"})).status_code == 400
            view = await step(dealer, trainer)
        supervisor = (await ask(dealer, "call", rank="pit-supervisor"))["signer"]
        assert (await order(dealer, "decide", supervisor, remedy="void")).json()["code"] == "rank-too-low"
        manager = (await ask(dealer, "call", rank="shift-manager"))["signer"]
        assert (await order(dealer, "decide", manager, remedy="void")).status_code == 200
        view = await see(dealer)
        assert (view["signer"], view["marks"][-1]["grade"]) == (None, "late")


async def test_what_is_let_pass_is_missed_and_what_went_wrong_can_be_drilled_again(house: House) -> None:
    async with trained(house, Wanted(rounds=2, lessons=(Kind.FOREIGN_CARD,))) as (dealer, trainer):
        view = await see(dealer)
        while not view["happens"]:
            view = await step(dealer, trainer)
        assert view["card"] == ""
        view = await ask(dealer, "pass")
        assert (view["marks"][-1]["grade"], view["happens"]) == ("missed", False)
        assert view["card"] != "", "the table goes on"
        view = await ask(dealer, "finish")
        assert view["ended"] is True
        view = await ask(dealer, "again", lessons=[Kind.FOREIGN_CARD, "table-of-play"])
        assert (view["marks"], view["ended"], view["number"]) == ([], False, 0)
        assert (trainer.drill.wanted.lessons, trainer.drill.rounds) == ((Kind.FOREIGN_CARD,), 1)
        assert (await ask(dealer, "again"))["rounds"] == 2, "all of it, as at first"
        assert [result.grades["missed"] for result in trainer.results()] == [1]


@pytest.mark.parametrize("game", game_ids())
def test_a_training_table_takes_no_visitors(tmp_path: Path, game: str) -> None:
    file = tmp_path / VENUE_FILE
    file.write_text(venue_head("A floor for training", port=8909) + training_table(game), encoding="utf-8")
    venue = load_venue(file)
    assert venue.lobby_tables > 1
    assert not venue.tables[TRAINING].takes_visitors


async def test_only_a_training_table_trains_and_only_whoever_may_deal(house: House) -> None:
    async with trained(house, Wanted()) as (dealer, _):
        assert (await dealer.get("/api/training/nowhere")).status_code == 404
        assert (await dealer.post(f"/api/training/{TRAINING}/call", {"rank": "king"})).status_code == 400
        await dealer.post("/api/demo/enter", {"role": "cashier"})
        assert (await dealer.get(f"/api/training/{TRAINING}")).status_code == 403
        roles = (await dealer.get("/api/demo/roles")).json()
        assert ([one["table"] for one in roles["tables"]], [one["table"] for one in roles["training"]]) == (
            [],
            [TRAINING],
        )
