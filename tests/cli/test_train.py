"""`natural9 train` as a person starts it: a real process, and the score as it is printed."""

import json

import msgspec
import pytest

from natural9.cli.train import _print
from natural9.games import load_game
from natural9.server.training.drill import Wanted
from natural9.server.training.wire import result_of
from tests import json_page
from tests.cli.test_command import run
from tests.server.training.trainee import Training


def test_it_opens_one_table_and_leaves_nothing_behind() -> None:
    done = run("train", "mbs-tiger", "--for", "0", "--port", "0", "--json")
    assert done.returncode == 0, done.stderr
    [line] = done.stdout.splitlines()  # nothing was trained, so nothing is scored
    said = json.loads(line)
    json_page.hold("train", said)
    assert said["address"].startswith("http://127.0.0.1:")
    assert {link["table"] for link in said["doors"]} == {""}, "nobody plays at it but the program"


def test_the_score_names_what_was_right_and_the_rules_to_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    one = Training("rws-nc", Wanted(rounds=2, lessons=("foreign-card",)))
    one.until_it_happens()
    one.drill.let_pass(one.at_ms)
    one.run()
    result = result_of(one.drill, load_game("rws-nc"))
    json_page.hold("train score", msgspec.json.decode(msgspec.json.encode(result)))
    _print(result)
    said = capsys.readouterr().out
    assert said.startswith("rws-nc, seed 0: 2 right, 0 late, 0 wrong, 1 missed\n")
    assert 'Report "foreign card". A Pit Supervisor or above decides: void the round. (Rule 5.3.1)' in said
    assert said.endswith("Read again: Rule 5.3.1\n")
