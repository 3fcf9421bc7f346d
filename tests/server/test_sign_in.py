"""Who may do what over HTTP: every command of staff by every role, exactly as the table of permissions says."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.server.people.permissions import Action, Role, action_of, may, permissions
from natural9.table.commands import staff
from natural9.table.commands.staff import BY_TAG
from tests.server.live_server import PEOPLE, PLAIN, Server, Visit, new_venue, password, running, table
from tests.table.samples import sample


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("people"), table("a", "rws-nc"))) as one:
        yield one


@pytest.mark.parametrize("role", list(Role))
async def test_every_command_by_every_role(visit: Visit, role: Role) -> None:
    """Done, or refused by the rules as things stand (409): the gate let it through. 403 not-allowed: it did not."""
    client = await visit.person(role)
    for tag, shape in BY_TAG.items():
        action = action_of(tag)
        try:
            await client.order("a", sample(shape), request=f"{role}-{tag}", why="asked for")
            status, code, paragraph = 200, "", ""
        except ServerSaidNo as no:
            status, code, paragraph = no.status, no.code, no.paragraph
        if may(role, action):
            assert status in (200, 409), (role, shape, status, code)
        else:
            assert (status, code) == (403, "not-allowed"), (role, shape)
            assert paragraph == permissions()[action].paragraph


def test_no_command_is_free_for_all() -> None:
    """What only some may is not left to the action for everything else."""
    assert set(map(action_of, BY_TAG)) == {
        Action.DEAL,
        Action.SIGN_ON,
        Action.REPORT_IRREGULARITY,
        Action.DECIDE_IRREGULARITY,
        Action.VOID_ROUND,
        Action.RULE_ON_BET,
        Action.RELEASE_SEAT,
        Action.ANSWER_CALL,
        Action.TAKE_ALARM,
        Action.OPEN_TABLE,
        Action.PAUSE_TABLE,
        Action.RESUME_TABLE,
        Action.CLOSE_TABLE,
        Action.CHANGE_LIMITS,
        Action.LOCK_TERMINAL,
        Action.UNLOCK_TERMINAL,
        Action.CLEAR_FAULT,
        Action.FREEZE_ROUND,
        Action.CREDIT_TERMINAL,
        Action.HAND_PAY,
        Action.VOID_VOUCHER,
    }


@pytest.mark.parametrize(
    ("path", "actions"),
    [
        ("/api/tables/a", [Action.SEE_TABLE]),
        ("/api/tables/a/terminals", [Action.CREDIT_TERMINAL, Action.SEE_MONEY]),
        ("/api/staff/", [Action.SEE_PEOPLE]),
        ("/api/staff/permissions", [Action.SEE_PEOPLE]),
        ("/api/devices/", [Action.SEE_PEOPLE]),
    ],
)
async def test_what_each_role_may_look_at(visit: Visit, path: str, actions: list[Action]) -> None:
    for role in Role:
        client = await visit.person(role)
        if any(may(role, action) for action in actions):
            assert await client.get(path) is not None
        else:
            with pytest.raises(ServerSaidNo, match="403 not-allowed"):
                await client.get(path)
    with pytest.raises(ServerSaidNo, match="401 sign-in-first"):
        await (await visit.stranger()).get(path)


async def test_a_voucher_is_paid_by_who_may(visit: Visit) -> None:
    for role in Role:
        status = 409 if may(role, Action.REDEEM_VOUCHER) else 403
        with pytest.raises(ServerSaidNo, match=str(status)):
            await (await visit.person(role)).post("/api/vouchers/pay", {"request": "r", "number": "a-1-1", "code": "x"})


async def test_a_page_of_somebody_else_changes_nothing(server: Server, visit: Visit) -> None:
    """Another origin, a strange host, no CSRF token, another's token: 403 each, with a code."""
    dealer, cashier = await visit.person("dealer"), await visit.person("cashier")
    body = '{"request":"csrf","command":{"type":"lock-terminal","seat":1},"why":"x"}'
    ours: dict[str, Any] = {
        "content-type": "application/json",
        "cookie": dealer.cookies,
        "x-csrf-token": dealer._csrf,
    }
    async with httpx.AsyncClient(base_url=server.address, verify=PLAIN) as browser:
        for changed, code in (
            ({"origin": "http://elsewhere.example"}, "wrong-origin"),
            ({"host": "evil.example", "origin": "http://evil.example"}, "wrong-origin"),
            ({"x-csrf-token": ""}, "csrf"),
            ({"x-csrf-token": cashier._csrf}, "csrf"),
            ({"x-csrf-token": "ü".encode("latin-1")}, "csrf"),
        ):
            answer = await browser.post("/api/tables/a/commands", content=body, headers={**ours, **changed})
            assert answer.status_code == 403, (changed, answer.text)
            assert (answer.status_code, answer.json()["code"]) == (403, code), changed
        answer = await browser.post("/api/tables/a/commands", content=body, headers=ours)
        assert answer.status_code == 200


async def test_signing_in_elsewhere_leaves_open_screens_alone(visit: Visit) -> None:
    """Their own sign-in, a decision at another's console and a stranger's wrong guess end no session."""
    manager = await visit.person("pit-manager")
    floor = await manager.connect("/ws/floor")
    await floor.wait_for(protocol.Floor)
    elsewhere = await visit.stranger()
    await elsewhere.sign_in(PEOPLE["pit-manager"], password("pit-manager"))
    with pytest.raises(ServerSaidNo, match="401 sign-in-refused"):
        await (await visit.stranger()).sign_in(PEOPLE["pit-manager"], "a wrong guess")
    floor.send(protocol.Ping(sent=7.0))
    assert (await floor.wait_for(protocol.Pong)).sent == 7.0
    await elsewhere.post("/api/sign-out")
    floor.send(protocol.Ping(sent=8.0))
    assert (await floor.wait_for(protocol.Pong)).sent == 8.0
    floor.close()


async def test_three_wrong_passwords_lock_even_the_right_one_out(visit: Visit) -> None:
    olaf = PEOPLE["auditor"]
    for _ in range(3):
        with pytest.raises(ServerSaidNo, match="401 sign-in-refused"):
            await (await visit.stranger()).sign_in(olaf, "a wrong guess")
    with pytest.raises(ServerSaidNo, match="401 sign-in-refused"):
        await (await visit.stranger()).sign_in(olaf, password("auditor"))
    await (await visit.person("administrator")).post(f"/api/staff/{olaf}/unlock")
    await (await visit.stranger()).sign_in(olaf, password("auditor"))


async def test_at_a_device_of_the_house_nobody_is_locked_out_by_guesses_elsewhere(server: Server) -> None:
    """The terminal stands behind the same address as the guesser, and the console is at one of the house's own."""
    ada = PEOPLE["administrator"]
    async with Visit(server) as visit:
        terminal = await visit.enrolled("a", 3)
        guesser = await visit.stranger()
        for _ in range(3):
            with pytest.raises(ServerSaidNo, match="401 sign-in-refused"):
                await guesser.sign_in(ada, "a wrong guess")
        with pytest.raises(ServerSaidNo, match="401 sign-in-refused"):
            await guesser.sign_in(ada, password("administrator"))
        await terminal.sign_in(ada, password("administrator"))
        [lock] = [one["locked"] for one in await terminal.get("/api/staff/") if one["id"] == ada]
        assert [one["place"] for one in lock] == ["127.0.0.1"]
        await terminal.post(f"/api/staff/{ada}/unlock")
        await guesser.sign_in(ada, password("administrator"))


async def test_a_role_that_changes_holds_at_once(server: Server) -> None:
    async with Visit(server) as visit:
        admin, olaf = await visit.person("administrator"), PEOPLE["auditor"]
        await visit.enrolled("a", 1)
        await admin.post(f"/api/staff/{olaf}/role", {"role": "cashier"})
        try:
            await visit.do("auditor", "a", staff.CreditTerminal, seat=1, cents=100)
        finally:
            await admin.post(f"/api/staff/{olaf}/role", {"role": "auditor"})
        assert (await visit.refused("auditor", "a", staff.CreditTerminal, seat=1, cents=100)).status == 403
    await server.check_books()
