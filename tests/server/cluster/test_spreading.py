"""Streams over nodes: everything has an owner soon, nobody has much more than another, and it comes to rest."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from natural9.server.cluster.spreading import share, to_claim, to_hand_over

NODES = ("a", "b", "c", "d")


def look(node: str, owners: dict[str, str], free: dict[str, int], streams: list[str], alive: list[str]) -> None:
    """One look of one node, carried out at once."""
    waiting = {one: free.get(one, 0) + 1 for one in streams if one not in owners}
    free.clear()
    free.update(waiting)
    mine = [one for one, owner in owners.items() if owner == node]
    claimed = to_claim(waiting, len(mine), streams=len(streams), nodes=len(alive))
    for stream in claimed:
        owners[stream] = node
    if not claimed:
        for stream in mine[: to_hand_over(owners, node, alive)]:
            del owners[stream]


@given(
    tables=st.integers(0, 12),
    had=st.lists(st.sampled_from(NODES), max_size=13),
    alive=st.lists(st.sampled_from(NODES), min_size=1, max_size=4, unique=True),
    order=st.randoms(use_true_random=False),
)
def test_whoever_dies_or_comes_the_streams_are_spread_and_stay(
    tables: int, had: list[str], alive: list[str], order: object
) -> None:
    streams = ["venue", *(f"table/{number}" for number in range(1, tables + 1))]
    owners = {stream: node for stream, node in zip(streams, had, strict=False) if node in alive}  # the dead have none
    waits: dict[str, dict[str, int]] = {node: {} for node in alive}
    for _ in range(40):
        for node in order.sample(alive, len(alive)):  # type: ignore[attr-defined]
            look(node, owners, waits[node], streams, alive)
    has = Counter(owners.values())
    assert set(owners) == set(streams)
    assert max(has[node] for node in alive) - min(has[node] for node in alive) <= 1
    before = dict(owners)
    for node in alive:
        look(node, owners, waits[node], streams, alive)
    assert owners == before


def test_a_node_alone_takes_all_at_its_first_look() -> None:
    free = {"venue": 1, "table/1": 1, "table/2": 1}
    assert to_claim(free, 0, streams=3, nodes=1) == ["venue", "table/1", "table/2"]


def test_what_a_dead_node_had_is_taken_at_the_first_look_of_the_others() -> None:
    """Nine streams, three nodes, one dies: each of the two others has room for its part of them at once."""
    free = {f"table/{number}": 1 for number in range(1, 4)}
    assert share(9, nodes=2) == 5
    assert len(to_claim(free, 3, streams=9, nodes=2)) == 2


def test_a_stream_is_not_left_alone_because_everybody_has_enough() -> None:
    assert to_claim({"table/9": 1}, 3, streams=6, nodes=2) == []
    assert to_claim({"table/9": 2}, 3, streams=6, nodes=2) == ["table/9"]
