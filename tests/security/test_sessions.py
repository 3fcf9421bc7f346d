"""A session begins with a sign-in and with nothing else, ends when it should, and is nobody else's."""

import base64

import pytest
from msgspec.structs import replace

from natural9.server.people.sessions import ABSOLUTE_MS, IDLE_MS
from tests.security.floor import Answer, Floor, together
from tests.server.people.house import PASSWORD


def cookie_of(answer: Answer) -> str:
    return answer.header("set-cookie").partition(";")[0]


async def sign_in(floor: Floor, caller: str, id: str) -> str:
    """The cookie that this caller's browser has from then on."""
    answer = await floor.ask(caller, "POST", "/api/sign-in", {"id": id, "password": PASSWORD})
    assert answer.words == "200"
    return cookie_of(answer)


async def is_good(floor: Floor, cookie: str) -> bool:
    answer = await floor.ask("nobody", "GET", "/api/staff/permissions", headers={"cookie": cookie})
    assert answer.words in ("200", "401 sign-in-first", "403 not-allowed")
    return answer.status != 401


@pytest.mark.parametrize("next_one", ["shift-manager", "auditor"], ids=["the same person", "another"])
@together
async def test_signing_in_where_somebody_is_ends_the_session_before_it(floor: Floor, next_one: str) -> None:
    browser = floor.second_browser("shift-manager")
    before = floor.cookies[browser]
    after = await sign_in(floor, browser, next_one)
    assert (await is_good(floor, before), await is_good(floor, after)) == (False, True)
    for elsewhere in ("shift-manager", "auditor"):
        assert await is_good(floor, floor.cookies[elsewhere]), "a session in another browser goes on"


@together
async def test_signing_in_again_and_again_leaves_one_who_is_signed_in(floor: Floor) -> None:
    floor.knows("often", await floor.hire("often", "dealer"))
    for _ in range(40):
        floor.cookies["often"] = await sign_in(floor, "often", "often")
    assert await is_good(floor, floor.cookies["often"])


@together
async def test_no_session_is_made_of_a_token_that_the_browser_brings(floor: Floor) -> None:
    """Fixation: what an attacker put there beforehand is worth nothing after the sign-in, either."""
    planted = floor.cookies["victim"] = floor.cookies["signed-out"]
    fresh = await sign_in(floor, "victim", "dealer")
    assert fresh != planted
    assert not await is_good(floor, planted)


@together
async def test_a_session_ends_unheard_and_after_a_shift(floor: Floor) -> None:
    made, now_ms = floor.house.accounts.sessions, floor.house.clock.play_ms()
    session = replace(floor.sessions["shift-manager"], seen_ms=now_ms)
    for change, good in (
        ({"seen_ms": now_ms - IDLE_MS + 20_000}, True),
        ({"seen_ms": now_ms - IDLE_MS}, False),
        ({"issued_ms": now_ms - ABSOLUTE_MS + 20_000}, True),
        ({"issued_ms": now_ms - ABSOLUTE_MS}, False),
    ):
        cookie = f"natural9-staff={made.token(replace(session, **change))}"
        assert await is_good(floor, cookie) is good, change


@together
async def test_tokens_have_128_bits_that_nobody_can_guess(floor: Floor) -> None:
    nonces = [one.nonce for one in floor.sessions.values()]
    assert all(len(base64.urlsafe_b64decode(one + "==")) >= 16 for one in nonces)
    assert len(set(nonces)) == len(nonces)


@together
async def test_a_device_that_is_revoked_is_out_at_once_wherever_it_asks(floor: Floor) -> None:
    floor.knows("lost", await floor.enrol("terminal", "a", 9))
    line = await floor.enter("lost", "/ws/table/a")
    await floor.house.accounts.devices.revoke("terminal-a-9", by="ada")
    assert line.closed == 4401
    assert (await floor.ask("lost", "GET", "/api/me")).words == "401 sign-in-first"


@together
async def test_a_devices_name_without_its_secret_is_worth_nothing(floor: Floor) -> None:
    own = floor.sessions["terminal"]
    for forged in (
        replace(own, nonce=""),
        replace(own, nonce=floor.sessions["visitor"].nonce),
        replace(own, id=""),
    ):
        floor.knows("forger", forged)
        assert (await floor.ask("forger", "GET", "/api/me")).words == "401 sign-in-first"
    as_staff = replace(own, kind="staff", id="ada", nonce=floor.sessions["administrator"].nonce)
    token = floor.house.accounts.sessions.token(as_staff).partition(".")[0]
    for signature in ("", "AAAA"):
        assert not await is_good(floor, f"natural9-staff={token}.{signature}")
