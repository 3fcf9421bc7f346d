"""What is told when tables move between nodes."""

from natural9.server.demo.moves import Moves
from natural9.store.postgres.leases import NodeCard, SeenNode, SeenNodes, SeenStream

NOW_MS = 1_000_000


def seen(owners: dict[str, str], *, dead: dict[str, int] | None = None, left: tuple[str, ...] = ()) -> SeenNodes:
    """Who has what; the dead with how many milliseconds ago they were heard."""
    dead = dead or {}
    names = [name for name in ("node-1", "node-2", "node-3") if name not in left]
    return SeenNodes(
        NOW_MS,
        [
            SeenNode(NodeCard(name, "", "", "", ""), 0, name not in dead, dead.get(name, 100)) for name in names
        ],
        [SeenStream(stream, owner, 1, NOW_MS - 500, 1, 1000) for stream, owner in owners.items()],
    )  # fmt: skip


def test_what_moved_the_same_way_is_one_line() -> None:
    moves = Moves("", lambda _: None)
    before = {"venue": "node-1", "table/a": "node-1", "table/b": "node-2"}
    assert moves.lines(seen(before)) == []
    assert moves.lines(seen(before, dead={"node-1": 900})) == []  # nobody has them yet
    after = {"venue": "node-2", "table/a": "node-3", "table/b": "node-2", "table/c": "node-3"}
    assert moves.lines(seen(after, dead={"node-1": 2600})) == [
        "the office: from node-1, which is dead, to node-2, after 2.1 s",
        "a: from node-1, which is dead, to node-3, after 2.1 s",
    ]
    back = dict.fromkeys(after, "node-1")
    assert moves.lines(seen(back, left=("node-2",))) == [
        "the office, b: from node-2, which has left, to node-1",
        "a, c: from node-3 to node-1, between rounds",
    ]
