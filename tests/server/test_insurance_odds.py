"""What insurance is worth: for staff who see reports, and for everybody only where the venue says so."""

from collections.abc import Iterator

import pytest

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
