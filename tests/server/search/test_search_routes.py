"""Search over HTTP: who may, what is answered, and what a mistake in a field is told."""

from pathlib import Path

import pytest

from natural9.server.people.permissions import Action, Role, may
from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.server.reports.test_routes import site


@pytest.mark.parametrize("role", list(Role))
async def test_it_is_for_those_who_may(role: Role) -> None:
    here = await site()
    async with here.signed_in(role) as browser, here.browser() as nobody:
        for path in ("/api/search/?seat=2", "/api/search/entries/1"):
            assert (await browser.get(path)).status_code == (200 if may(role, Action.SEARCH_RECORDS) else 403)
            assert (await nobody.get(path)).status_code == 401


async def test_another_process_answers_the_same(tmp_path: Path) -> None:
    store = open_store(tmp_path, Access.SERVE)
    aside, here = await site(store), await site()
    async with aside.signed_in("auditor") as one, here.signed_in("auditor") as other:
        answer = await one.get("/api/search/?table=1&seat=2&least=10&result=void&limit=2")
        assert answer.json() == (await other.get("/api/search/?table=1&seat=2&least=10&result=void&limit=2")).json()
        assert [row["kind"] for row in answer.json()["rows"]] == ["voucher-issued", "bets-returned"]
        assert answer.json()["count"] > 2
        entry = (await one.get(f"/api/search/entries/{answer.json()['rows'][0]['entry']}")).json()
        assert entry["found"] == answer.json()["rows"][0]
        before = (await one.get(f"/api/search/entries/{entry['entry']['seq'] - 1}")).json()
        assert before["entry"]["hash"] == entry["entry"]["previous_hash"]
    await store.close()


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("?since=soon", 400, "bad-time"),
        ("?least=much", 400, "bad-amount"),
        ("?seat=-1", 400, "bad-seat"),
        ("?result=dragon", 400, "bad-result"),
        ("entries/99999999", 404, "no-such-entry"),
    ],
)
async def test_a_mistake_is_told_in_words(query: str, status: int, code: str) -> None:
    here = await site()
    async with here.signed_in("auditor") as browser:
        answer = await browser.get(f"/api/search/{query}")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.json()["said"]
