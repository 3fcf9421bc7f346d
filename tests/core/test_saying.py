"""Sentences that remember what they were made from."""

import pickle

from natural9.core.errors import BadInput
from natural9.core.saying import Said, capitalised, say, verbatim, what_it_says


def test_a_sentence_survives_the_way_to_another_process() -> None:
    said = say("Seat {seat} bets on {wager}", seat=3, wager=say("Big Tiger"))
    again = pickle.loads(pickle.dumps(said))
    assert (again, again.template, again.values) == (said, said.template, said.values)
    assert isinstance(again.values["wager"], Said)


def test_an_exception_says_its_own_sentence_and_anybody_elses_as_it_stands() -> None:
    assert what_it_says(ValueError(say("no {what}", what="paper"))).template == "no {what}"
    assert what_it_says(ValueError("out of paper")).template == "{words}"
    assert what_it_says(BadInput("bad", "nothing")) == "nothing"


def test_it_begins_with_a_capital_whoever_said_it() -> None:
    assert capitalised(verbatim("smoke")) == "Smoke"
    assert capitalised(say("{what}: {why}", what=say("void"), why="smoke")) == "Void: smoke"
    assert capitalised(say("{who} is disabled", who="mei")) == "mei is disabled"  # an id keeps its letter
