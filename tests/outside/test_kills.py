"""A few kills at moments of the protocol, told by an outside client's own books; `bench.kills` has hundreds."""

import random
from pathlib import Path

from tests.outside.moments import JOURNAL, MOMENTS, SERVER, plans
from tests.outside.story import Story

KILLS, SEED = 5, 18


async def test_nothing_is_lost_nothing_is_done_twice_and_no_refusal_is_untrue(tmp_path: Path) -> None:
    story = Story(tmp_path / "venue", SEED)
    books = await story.tell(KILLS)
    assert not books.violations, "\n".join(books.told())
    assert {victim for _, victim in story.kills} == {SERVER, JOURNAL}
    assert story.decided()["done"] > 100
    assert story.decided()["refused"] > 10
    assert not story.decided()["never"]
    assert books.counts["sent again"] > 50


def test_every_moment_comes_with_both_victims_before_any_comes_twice() -> None:
    found = plans(random.Random(SEED), 2 * len(MOMENTS))
    assert {(plan.name, plan.victim) for plan in found} == {
        (name, who) for name in MOMENTS for who in (SERVER, JOURNAL)
    }
    assert all(1 <= plan.nth <= plan.moment.most for plan in found)
    assert found == plans(random.Random(SEED), 2 * len(MOMENTS))
