"""Whoever signs in and fails learns nothing: not who is there, not what was wrong, not by how long it took."""

from pathlib import Path

import pytest
from argon2 import PasswordHasher

from tests.security.floor import Answer, Floor, empty_floor, together
from tests.server.people.house import PASSWORD
from tests.table.stores import SlowStore

WRONG = "a wrong guess"
FAILURES = {
    "unknown": ("nobody-of-this-name", WRONG),
    "no id at all": ("", WRONG),
    "an id that none can be": ("';--<script>", WRONG),
    "wrong": ("wrong", WRONG),
    "empty": ("wrong", ""),
    "locked": ("lock", PASSWORD),
    "disabled": ("left", PASSWORD),
    "no password yet": ("new", PASSWORD),
}


async def fail(floor: Floor, id: str, password: str) -> Answer:
    return await floor.ask("nobody", "POST", "/api/sign-in", {"id": id, "password": password})


def without_its_id(answer: Answer) -> tuple[tuple[str, str], ...]:
    """Every answer has an id of its own, which follows from nothing."""
    return tuple([(name, value) for name, value in answer.headers if name.lower() != "x-request-id"])


@together
async def test_every_failure_is_one_and_the_same_answer(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    verify = PasswordHasher.verify

    def seen(hasher: PasswordHasher, stored: str, password: str) -> bool:
        checked.append(stored.rpartition("$")[0].rpartition("$")[0])  # what it costs, without salt and hash
        return verify(hasher, stored, password)

    await floor.house.accounts.add("new", name="New", role="dealer", by="ada")
    await floor.hire("wrong", "dealer")
    monkeypatch.setattr(PasswordHasher, "verify", seen)
    answers = {why: await fail(floor, *given) for why, given in FAILURES.items()}
    assert len(set(checked)) == 1, "each costs the same"
    assert len(checked) == len(FAILURES), "and each is checked once"
    [(status, headers, body)] = {(one.status, without_its_id(one), one.body) for one in answers.values()}
    assert status == 401
    assert b"sign-in-refused" in body
    assert "set-cookie" not in dict(headers)


async def test_no_failure_waits_for_the_disk(tmp_path: Path) -> None:
    """What is written of a failure is written behind the answer: an account that is there would take longer else."""
    store = SlowStore()
    async with empty_floor(tmp_path, store) as floor:
        claim = floor.house.accounts.first_code() or ""
        await floor.house.accounts.claim_administrator(claim, id="ada", name="Ada", password=PASSWORD, peer="")
        store.slow = True
        assert (await fail(floor, "ada", WRONG)).status == 401
        assert (await fail(floor, "nobody-of-this-name", WRONG)).status == 401
        assert store.queued, "and all the same it is written"
        store.slow = False
        while store.queued:
            await store.let_one_be_durable()


@together
async def test_a_wrong_code_is_one_answer_whatever_was_wrong_with_it(floor: Floor) -> None:
    accounts = floor.house.accounts
    used = await accounts.add("newest", name="New", role="dealer", by="ada")
    await accounts.set_password(used.code, PASSWORD, peer="")
    replaced = await accounts.add("newer", name="Newer", role="dealer", by="ada")
    await accounts.new_code("newer", by="ada")
    bodies = [{"code": code, "password": "six wet stones"} for code in (used.code, replaced.code, "", "AAAAA", "';--")]
    answers = [await floor.ask("nobody", "POST", "/api/set-password", body) for body in bodies]
    assert len({(one.status, one.body) for one in answers}) == 1
    assert answers[0].words == "403 bad-code"
