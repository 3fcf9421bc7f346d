"""When the server is killed: at every moment of the protocol, in an order of the seed's."""

import random

from tests.outside.moments import JOURNAL, MOMENTS, SERVER, plans

SEED = 18


def test_every_moment_comes_with_both_victims_before_any_comes_twice() -> None:
    found = plans(random.Random(SEED), 2 * len(MOMENTS))
    assert {(plan.name, plan.victim) for plan in found} == {
        (name, who) for name in MOMENTS for who in (SERVER, JOURNAL)
    }
    assert all(1 <= plan.nth <= plan.moment.most for plan in found)
    assert found == plans(random.Random(SEED), 2 * len(MOMENTS))
