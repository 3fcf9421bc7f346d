"""Events as records: every one goes out and comes back, and the old ones load for ever."""

import json
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.core.round import RoundState, events, fold
from natural9.core.round.events import EVENTS, Event
from natural9.core.round.state import Phase
from natural9.games import load_game
from natural9.journal.records import from_record, to_record
from tests.core.round.table import Table

GOLDEN = Path(__file__).parents[1] / "golden" / "events-v1.jsonl"


def golden() -> list[Event]:
    return [from_record(json.loads(line)) for line in GOLDEN.read_text().splitlines()]


def test_the_golden_file_holds_every_event() -> None:
    of_the_round = {key for key, shape in EVENTS.items() if shape.__module__ == events.__name__}
    assert {(event.TAG, event.VERSION) for event in golden()} == of_the_round


def test_golden_events_load_and_write_back_the_same() -> None:
    assert [json.dumps(to_record(event)) for event in golden()] == GOLDEN.read_text().splitlines()


def test_golden_rounds_replay_to_where_they_stood() -> None:
    """The file is one table's history in rws-nc-insurance: it ends with a voided round and nothing at stake."""
    state = fold(RoundState(load_game("rws-nc-insurance")), golden())
    assert (state.number, state.phase, state.staked_cents) == (4, Phase.VOID, 0)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"event": "betting-closed", "v": 99, "staked_cents": 0, "paragraph": ""}, "unknown-event"),
        ({"event": "no-such", "v": 1}, "unknown-event"),
        ({}, "unknown-event"),
        ({"event": ["no-such"], "v": 1}, "unknown-event"),
        ({"event": "bet-placed", "v": 1, "seat": 1, "wager": "tie"}, "bad-event"),
        ({"event": "bet-placed", "v": 1, "seat": 1, "wager": "tie", "cents": "5"}, "bad-event"),
        ({"event": "card-dealt", "v": 1, "card": "9H", "hand": "dealer"}, "bad-event"),
    ],
)
def test_a_record_that_is_none_is_named(record: dict[str, object], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        from_record(record)
    assert refused.value.code == code


def test_a_live_round_round_trips() -> None:
    table = Table("mbs-tiger-nc")
    table.play("4S 2H KD 9C 5H 5D", {seat: {"banker": 2_500, "tiger": 500} for seat in range(1, 40)})
    assert [from_record(json.loads(json.dumps(to_record(event)))) for event in table.happened] == table.happened
