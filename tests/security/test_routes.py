"""Every route of the application, asked by everybody: the answer is the one that the table has for them."""

from pathlib import Path

from litestar.routes import HTTPRoute

from natural9.server import app
from tests.security.answers import rows
from tests.security.floor import CALLERS, PEOPLE, Floor, empty_floor, together

ONLY_TRAINING = ("/api/demo/", "/api/training/")


def all_routes() -> set[str]:
    """As the application itself has them, those of the demo too."""
    parts = dict.fromkeys(("house", "sign_ins", "store", "venue", "trainings", "documents"))
    routes = app._litestar({"demo": True, **parts}).routes
    return {
        f"{method} {route.path}"
        for route in routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
        if method != "OPTIONS"
    }


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    assert all_routes() == set(rows())


@together
async def test_everybody_is_answered_as_the_table_says(floor: Floor) -> None:
    wrong = []
    for route, row in sorted(rows().items(), key=lambda one: one[1].is_last):
        for caller in CALLERS:
            asking = floor.second_browser(caller) if row.is_last and caller in PEOPLE else caller
            answer = await floor.ask(asking, row.method, row.path, row.body)
            if answer.words != row.answers[caller]:
                wrong.append(f"{route}: {caller} gets {answer.words}, and {row.answers[caller]} is due")
    assert not wrong, "\n".join(wrong)


async def test_what_is_for_training_is_not_there_in_a_venue(tmp_path: Path) -> None:
    async with empty_floor(tmp_path, demo=False) as floor:
        for row in rows().values():
            if row.path.startswith(ONLY_TRAINING):
                assert (await floor.ask("nobody", row.method, row.path, row.body)).words == "404 not-found", row
