"""An order over HTTP: its envelope, its answer, and the number of the view that shows what was done."""

from collections.abc import Iterator
from typing import Any

import pytest

from natural9.core.round import commands as round_commands
from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.table.commands import staff
from natural9.table.state.view import BurntView
from tests.server.live_server import Server, Visit, new_venue, running, table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tables = (table("a", "rws-nc"), table("burns", "mbs-nc", burn="first-card"), table("shift", "rws-nc"))
    with running(new_venue(tmp_path_factory.mktemp("orders"), *tables)) as one:
        yield one


async def test_the_first_cards_are_burnt_before_the_first_round_and_everybody_sees_it(visit: Visit) -> None:
    await visit.open("burns")
    await visit.do("dealer", "burns", staff.LoadNewShoe)
    with pytest.raises(ServerSaidNo, match="409 burn-first: Shoe 1 burns"):
        await visit.do("dealer", "burns", staff.StartRound)
    await visit.do("dealer", "burns", round_commands.BurnCards, card="7H")
    seen = await visit.see("burns")
    assert (seen.table.shoe.next_burnt, seen.table.shoe.burnt) == (BurntView(card="7H", face_down=7, to_come=0), None)
    assert {"burn", "open-betting"} <= set(seen.console.commands)
    await visit.do("dealer", "burns", staff.StartRound)
    shoe = (await visit.see("burns")).table.shoe
    assert (shoe.burnt, shoe.cards_left) == (BurntView(card="7H", face_down=7, to_come=0), 8 * 52 - 8)


async def test_done_names_the_view_that_first_shows_it(visit: Visit) -> None:
    number = await visit.begin_round("a")
    terminal = await visit.sit("a", 1, 100_000)
    dealer = await visit.person("dealer")
    console = await dealer.connect("/ws/table/a")
    welcome = await console.wait_for(protocol.Welcome)
    await terminal.betting_open(after=number - 1)
    shown = {welcome.n: welcome.table}

    async def view(n: int) -> None:
        while n not in shown:
            one = await console.wait_for(protocol.TableMessage)
            shown[one.n] = one.table

    await terminal.bet("player", 500)
    for shape, effect in ((round_commands.CloseBetting, "bets-closed"), (staff.PauseTable, "paused")):
        done = await visit.do("pit-supervisor", "a", shape)
        await view(done["n"])
        seen = [(n, effect in (one.phase, one.status)) for n, one in sorted(shown.items())]
        assert min(n for n, does in seen if does) == done["n"], seen
    console.close()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 1}}, "400 bad-request: Say why"),
        ({"request": "2", "command": {"type": "lock-terminal", "seat": 1}, "why": " "}, "400 bad-request: Say why"),
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 1}, "why": "x" * 501}, "400 bad-request"),
        (
            {"request": "1", "command": {"type": "lock-terminal", "seat": 1, "why": "x"}},
            "400 bad-request: .*does not belong there",
        ),
        ({"request": "1", "command": {"type": "lock-terminal", "seat": 0}, "why": "x"}, "400 bad-request"),
        ({"request": "", "command": {"type": "settle"}}, "400 bad-request"),
        ({"command": {"type": "settle"}}, "400 bad-request: .*request"),
        ({"request": "1", "command": {"type": "bet"}}, "400 bad-request"),
        ({"request": "1", "command": {"type": "deal", "card": "1X"}}, "409 bad-card: .*1X"),
        ({"request": "1", "command": {"type": "void-round"}}, "403 not-allowed"),
    ],
)
async def test_what_is_not_an_order_is_refused(visit: Visit, body: dict[str, Any], said: str) -> None:
    with pytest.raises(ServerSaidNo, match=said):
        await (await visit.person("dealer")).post("/api/tables/a/commands", body)


async def test_a_dealer_signs_on_as_the_person_of_their_session(visit: Visit) -> None:
    """The pit's row and the console say who it is; nobody can sign another on, and who may not sign on is told."""
    await visit.do("pit-manager", "shift", staff.OpenTable)
    pit = await visit.person("pit-supervisor")
    floor = await pit.connect("/ws/floor")

    async def in_the_pit() -> str:
        rows = [one.dealer for one in (await floor.wait_for(protocol.Floor)).tables if one.table == "shift"]
        return rows[0] if rows else await in_the_pit()

    assert await in_the_pit() == ""
    with pytest.raises(ServerSaidNo, match="403 not-allowed: A Cashier may not sign on or off at a table"):
        await visit.do("cashier", "shift", staff.SignOn)
    body = {"request": "1", "command": {"type": "sign-on", "dealer": "vera"}}
    with pytest.raises(ServerSaidNo, match="400 bad-request"):
        await (await visit.person("dealer")).post("/api/tables/shift/commands", body)
    assert (await visit.do("dealer", "shift", staff.SignOn))["by"] == "dora"
    assert await in_the_pit() == "dora"
    with pytest.raises(ServerSaidNo, match="409 dealer-signed-on: dora is already signed on at table shift"):
        await visit.do("dealer", "shift", staff.SignOn)
    await visit.do("pit-supervisor", "shift", staff.SignOn)
    assert (await pit.get("/api/tables/shift"))["console"]["dealer"] == "vera"
    assert await in_the_pit() == "vera"
    with pytest.raises(ServerSaidNo, match="409 rank-too-low"):
        await visit.do("dealer", "shift", staff.SignOff, dealer="vera")
    await visit.do("pit-manager", "shift", staff.SignOff, dealer="vera")
    assert await in_the_pit() == ""
    floor.close()
