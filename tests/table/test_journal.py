"""The journal's lines: every event of a table goes out and comes back, and the old ones load for ever."""

import json
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.core.round.events import EVENTS, Event
from natural9.journal import table_events as events
from natural9.journal.line import Origin, encode_kept, read, read_body
from natural9.journal.records import from_record, to_record
from natural9.store.contract import Written

GOLDEN = Path(__file__).parents[1] / "golden" / "table-events-v1.jsonl"
LINES = GOLDEN.read_text().splitlines()
ORIGIN = Origin("pat", "tap-1", "void-round", "pit-supervisor")


def test_the_golden_file_holds_every_event_of_a_table() -> None:
    of_the_table = {key for key, shape in EVENTS.items() if shape.__module__ == events.__name__}
    records = [json.loads(line) for line in LINES]
    assert {(record["event"], record["v"]) for record in records} == of_the_table


@pytest.mark.parametrize("line", LINES, ids=lambda line: json.loads(line)["event"])
def test_an_old_record_loads_and_writes_back_the_same(line: str) -> None:
    event = from_record(json.loads(line))
    assert json.dumps(to_record(event)) == line


@pytest.mark.parametrize("line", LINES, ids=lambda line: json.loads(line)["event"])
def test_a_line_keeps_who_asked_for_what(line: str) -> None:
    event: Event = from_record(json.loads(line))
    for command in (b'{"type":"bet","request":"tap-1"}', None):
        kept = read_body(encode_kept(event, ORIGIN, command))
        assert (kept.event, kept.origin, kept.command) == (event, ORIGIN, command)
    assert read_body(encode_kept(event, Origin("system"), None)).origin == Origin("system")


STRANGE = '{"event":"x","v":1,"record":{},"by":"x"}'
NO_LINES = ("", "[]", '{"by":"x"}', STRANGE, STRANGE.replace("{}", "5"))


@pytest.mark.parametrize("body", NO_LINES)
def test_what_is_no_line_is_named_with_its_number(body: str) -> None:
    written = Written(7, "table/1", "x", body.encode(), 0, "2026-11-16", "", 1, (), b"")
    with pytest.raises(BadInput, match="entry 7: "):
        read(written)
