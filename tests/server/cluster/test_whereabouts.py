"""Who has what, as a node knows it: of its own tables it knows first."""

from natural9.server.cluster.whereabouts import Whereabouts


def test_what_the_database_says_of_this_node_comes_later_than_what_it_has_done() -> None:
    known = Whereabouts("here")
    known.took("table/1", "here")
    known.took("table/2", "here")
    known.left("table/2", "here")
    # Read before both: another had table/1, and this node still table/2.
    known.learn({"table/1": "there", "table/2": "here", "table/3": "there"})
    assert known.owners == {"table/1": "here", "table/3": "there"}


def test_what_another_node_has_let_go_of_nobody_has() -> None:
    known = Whereabouts("here")
    known.learn({"table/1": "there"})
    known.left("table/1", "elsewhere")
    assert known.owner_of("table/1") == "there"
    known.learn({})
    assert known.owner_of("table/1") is None
