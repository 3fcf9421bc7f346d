"""What insurance is worth: for staff who see reports, and for everybody only where the venue says so."""

from collections.abc import Iterator

import pytest

from natural9.core.round import commands as round_commands
from natural9.server.client import ServerSaidNo
from tests.server.live_server import Server, Visit, new_venue, running, table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("odds"), table("a", "rws-nc-insurance"))) as one:
        yield one


async def test_a_new_venue_tells_players_nothing_of_it(visit: Visit) -> None:
    async def shown(client: object) -> bool:
        answer = await client.get("/api/odds", game="rws-nc-insurance")  # type: ignore[attr-defined]
        return bool(answer["insurance"])

    terminal = await visit.enrolled("a", 1)
    assert not await shown(await visit.stranger())
    assert not await shown(terminal)
    assert not await shown(await visit.person("dealer"))
    assert await shown(await visit.person("pit-manager"))
    assert await shown(await visit.person("auditor"))


async def test_what_is_left_in_a_shoe_is_for_those_who_may(visit: Visit) -> None:
    terminal = await visit.enrolled("a", 1)
    for client, status in (
        (await visit.stranger(), 401),
        (terminal, 401),
        (await visit.person("dealer"), 403),
        (await visit.person("cashier"), 403),
        (await visit.person("pit-supervisor"), 403),
    ):
        with pytest.raises(ServerSaidNo, match=str(status)):
            await client.get("/api/odds/tables/a")
    for role in ("pit-manager", "auditor"):
        answer = await (await visit.person(role)).get("/api/odds/tables/a")
        assert answer["game"]["id"] == "rws-nc-insurance"
    with pytest.raises(ServerSaidNo, match="404"):
        await (await visit.person("pit-manager")).get("/api/odds/tables/none")


async def test_the_odds_follow_the_shoe_round_by_round(visit: Visit) -> None:
    manager = await visit.person("shift-manager")
    assert (await manager.get("/api/odds/tables/a"))["seen"] is None
    await visit.begin_round("a")
    fresh = await manager.get("/api/odds/tables/a")
    assert fresh["priced"] == fresh["full"]
    assert fresh["priced"]["insurance"], "whoever may see the shoe sees insurance, too"
    await visit.do("dealer", "a", round_commands.CloseBetting)
    await visit.deal("a", "9S 2H KD 6C")
    assert (await manager.get("/api/odds/tables/a"))["priced"] == fresh["full"], "not while it is in play"
    await visit.play_out("a")
    after = await manager.get("/api/odds/tables/a")
    assert (after["seen"]["round"], after["priced"]["cards_left"]) == (1, fresh["full"]["cards_left"] - 4)
    asked = {"game": "rws-nc-insurance", "decks": str(after["seen"]["decks"]), "without": "9 2 K 6"}
    assert after["priced"] == await manager.get("/api/odds", **asked)
