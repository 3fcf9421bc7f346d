"""Whose page may act: none of another origin, none without the session's own token, none under a strange name."""

import pytest

from tests.security.answers import rows
from tests.security.floor import HOST, PEOPLE, Floor, together
from tests.security.test_lines import role

EVIL = "http://evil.example"
CHANGES = {route: row for route, row in rows().items() if row.method == "POST"}
# These act on what stands in the request, not on whose cookie comes with it; their origin counts all the same.
WITHOUT_TOKEN = {"POST /api/sign-in", "POST /api/claim-administrator", "POST /api/set-password", "POST /api/enrol"}


@together
async def test_nothing_changes_without_the_token_of_the_session(floor: Floor) -> None:
    others = floor.csrf["auditor"]
    for route, row in CHANGES.items():
        for caller in ("administrator", "shift-manager", "terminal", "dealer-at-terminal"):
            right = row.answers[caller] if route in WITHOUT_TOKEN else "403 csrf"
            for token in ("", "x", others, "\u00e9"):
                headers = {"x-csrf-token": token}
                words = (await floor.ask(caller, row.method, row.path, row.body, headers=headers)).words
                assert words == right, (route, caller, token)


@together
async def test_the_token_of_a_terminal_is_not_the_persons_who_signs_in_there(floor: Floor) -> None:
    headers = {"x-csrf-token": floor.csrf["terminal"]}
    answer = await floor.ask("dealer-at-terminal", "POST", "/api/tables/a/commands", {}, headers=headers)
    assert answer.words == "403 csrf"


@together
async def test_no_page_of_another_origin_acts(floor: Floor) -> None:
    for route, row in CHANGES.items():
        for caller in ("nobody", "administrator", "terminal"):
            for origin in (EVIL, "null", f"https://{HOST}.evil.example", f"http://evil.example/{HOST}", "file://"):
                answer = await floor.ask(caller, row.method, row.path, row.body, headers={"origin": origin})
                assert answer.words == "403 wrong-origin", (route, caller, origin)


@together
async def test_a_stranger_who_lets_his_name_point_at_us_gets_nothing(floor: Floor) -> None:
    """DNS rebinding: his page and our answer have one origin then, as far as a browser can tell."""
    for path in ("/api/sign-in", "/api/enrol"):
        rebound = {"host": "evil.example:8909", "origin": "http://evil.example:8909"}
        assert (await floor.ask("nobody", "POST", path, {}, headers=rebound)).words == "403 wrong-origin"
    assert (await floor.ask("nobody", "GET", "/metrics", peer="127.0.0.1")).words == "200"
    answer = await floor.ask("nobody", "GET", "/metrics", headers={"host": "evil.example:8909"}, peer="127.0.0.1")
    assert answer.words == "403 not-allowed"


@pytest.mark.parametrize("headers", [{"origin": EVIL}, {"origin": "null"}, {"host": "evil.example"}, {"host": ""}])
@together
async def test_no_page_of_another_origin_opens_a_line(floor: Floor, headers: dict[str, str]) -> None:
    for path in ("/ws/table/a", "/ws/floor", "/ws/lobby"):
        for caller in ("nobody", "terminal", *sorted(PEOPLE)):
            assert role(floor.connect(caller, path, headers)) == "403 wrong-origin", (path, caller)
    assert role(floor.connect("terminal", "/ws/table/a", {"origin": f"http://{HOST}"})) == "seat"


@together
async def test_a_get_changes_nothing(floor: Floor) -> None:
    """A link, a picture or a page that is loaded ahead can send one: so none of them writes an entry."""
    before = (await floor.house.store.head()).seq
    for row in rows().values():
        if row.method == "GET":
            for caller in ("terminal", "shift-manager"):
                await floor.ask(caller, row.method, row.path)
    kinds = [one.kind for one in await floor.house.store.entries(after=before)]
    assert kinds == []
