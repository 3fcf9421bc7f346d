"""Which node should have what: the streams of a venue spread evenly over the nodes that are alive.

Pure: a node asks at every look, from what it sees in the database. No node tells another what to do; each takes what is
free up to its share, and lets go of what is more than its share while another has less.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

FREE_FOR_ALL: Final = 2  # looks after which whatever is still free is anybody's, however much they have


def share(streams: int, nodes: int) -> int:
    """The most that one node takes of its own accord.

    >>> share(5, nodes=2), share(4, nodes=2), share(1, nodes=3)
    (3, 2, 1)
    """
    return -(-streams // max(nodes, 1))


def to_claim(free: Mapping[str, int], mine: int, *, streams: int, nodes: int) -> list[str]:
    """Of the streams that nobody has, and for how many looks they have been free: those to take now.

    The longest free first; whoever would have them, they are not left alone for long.

    >>> to_claim({"venue": 1, "table/1": 1, "table/2": 1}, mine=0, streams=3, nodes=2)
    ['venue', 'table/1']
    >>> to_claim({"table/2": 2}, mine=2, streams=3, nodes=2)
    ['table/2']
    """
    room = max(0, share(streams, nodes) - mine)
    ordered = sorted(free, key=lambda stream: (-free[stream], stream != "venue"))
    return ordered[:room] + [stream for stream in ordered[room:] if free[stream] >= FREE_FOR_ALL]


def to_hand_over(owners: Mapping[str, str], here: str, alive: Collection[str]) -> int:
    """How many of its own this node should let go of: until everybody has as many as the others, or one more.

    >>> to_hand_over(dict.fromkeys(["venue", "table/1", "table/2", "table/3"], "a"), "a", ["a", "b"])
    2
    >>> to_hand_over({"venue": "a", "table/1": "a", "table/2": "b"}, "a", ["a", "b"])
    0
    """
    has = Counter(owner for owner in owners.values() if owner in alive)
    least = len(owners) // len(alive)
    missing = sum(max(0, least - has[node]) for node in alive)
    giving = sorted(node for node in alive if has[node] > least)[:missing]  # as many as are needed, not all at once
    more = has[here] - least
    return max(0, more - 1, min(more, missing) if here in giving else 0)
