"""One line of the journal: every event goes out and comes back, and whatever was ever written is read for ever."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from natural9.core.errors import BadInput
from natural9.core.round import RoundState, fold
from natural9.core.round.events import BetPlaced, RoundEvent
from natural9.core.round.state import Phase
from natural9.journal.catalogue import ALL_EVENTS
from natural9.journal.line import (
    BY_PROGRAM,
    Origin,
    OriginKind,
    bet_line,
    encode_line,
    event_of,
    read_body,
    read_line,
    text_of,
    values_of,
)
from natural9.journal.versions import UPCASTS
from natural9.store.contract import Written
from tests.core.round.table import Table

GOLDEN = Path(__file__).parents[1] / "golden"
# One table's history in rws-nc-insurance, with bets as version 1 wrote them; then a line of every other version.
ROUND = (GOLDEN / "round.jsonl").read_text(encoding="utf-8").splitlines()
LINES = [*ROUND, *(GOLDEN / "events.jsonl").read_text(encoding="utf-8").splitlines()]
TODAY = {(shape.TAG, shape.VERSION) for shape in ALL_EVENTS}
ORIGIN = Origin(OriginKind.STAFF, "pat", "tap-1", "void-round", "pit-supervisor")


def version(line: str) -> tuple[str, int]:
    told = json.loads(line)
    return told["event"], told["v"]


# The first line of each version; a line once written is never changed or taken away.
ONE_OF_EACH = {version(line): line for line in reversed(LINES)}


def test_there_is_a_golden_line_of_every_version_of_every_event() -> None:
    older = {(shape.TAG, old) for shape in ALL_EVENTS for old in range(1, shape.VERSION)}
    assert set(UPCASTS) >= older, "an old version has no step towards today's"
    assert set(ONE_OF_EACH) == TODAY | set(UPCASTS)


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(map(str, version(line))))
def test_every_golden_line_is_read_and_todays_are_written_back_the_same(line: str) -> None:
    read = read_body(line.encode())
    assert (read.tag, read.command) == (version(line)[0], None)
    if version(line) in TODAY:
        assert encode_line(read.event, read.origin).decode() == line


def test_a_history_with_old_versions_folds_to_where_it_stood_and_needs_no_rules() -> None:
    happened = [cast(RoundEvent, read_body(line.encode()).event) for line in ROUND]
    state = fold(RoundState(), happened)
    assert (state.rules, state.number, state.phase, state.staked_cents) == (None, 4, Phase.VOID, 0)


def test_old_bets_are_todays_bets() -> None:
    placed = event_of("bet-placed", 1, {"seat": 2, "wager": "tie", "stake": 500})
    added = event_of("bet-increased", 1, {"seat": 2, "wager": "tie", "more": 300})
    assert [values_of(one) for one in (placed, added)] == [
        {"event": "bet-placed", "v": 2, "seat": 2, "wager": "tie", "cents": cents} for cents in (500, 300)
    ]


@pytest.mark.parametrize("line", ONE_OF_EACH.values(), ids=lambda line: "-".join(map(str, version(line))))
def test_a_line_keeps_who_asked_for_what(line: str) -> None:
    event = read_body(line.encode()).event
    for command in (b'{"type":"bet","request":"tap-1"}', None):
        kept = read_body(encode_line(event, ORIGIN, command))
        assert (kept.event, kept.origin, kept.command) == (event, ORIGIN, command)
    assert read_body(encode_line(event, BY_PROGRAM)).origin == BY_PROGRAM


LINE = {
    "wager": "tie",
    "stake_cents": 1,
    "result": "lose",
    "odds": None,
    "returned_cents": 0,
    "net_cents": -1,
    "paragraph": "",
}
SETTLED: dict[str, Any] = {"seat": 1, "lines": [], "insurance": [], "staked_cents": 1, "returned_cents": 0}


@pytest.mark.parametrize(
    ("tag", "version", "values", "code"),
    [
        ("betting-closed", 99, {"staked_cents": 0, "paragraph": ""}, "unknown-event"),
        ("betting-closed", 0, {"staked_cents": 0, "paragraph": ""}, "unknown-event"),
        ("no-such", 1, {}, "unknown-event"),
        ("", 1, {}, "unknown-event"),
        ("bet-placed", 2, {"seat": 1, "wager": "tie"}, "bad-event"),
        ("bet-placed", 2, {"seat": 1, "wager": "tie", "cents": "5"}, "bad-event"),
        ("bet-placed", 2, {"seat": 1, "wager": "tie", "cents": 5, "password": "x"}, "bad-event"),
        ("bet-placed", 1, {"seat": 1, "wager": "tie"}, "bad-event"),
        ("bet-placed", 1, {"seat": 1, "wager": "tie", "stake": 5, "cents": 5}, "bad-event"),
        ("bet-increased", 1, {"seat": 1, "wager": "tie", "more": 5, "cents": 5}, "bad-event"),
        ("seat-settled", 1, SETTLED | {"lines": [{**LINE, "tip": 1}]}, "bad-event"),
        ("seat-settled", 1, SETTLED | {"insurance": [{**LINE, "window": "four-cards", "tip": 1}]}, "bad-event"),
        ("card-dealt", 1, {"card": "9H", "hand": "dealer"}, "bad-event"),
        ("unlocked", 1, {}, "bad-event"),
    ],
)
def test_what_was_never_defined_is_refused(tag: str, version: int, values: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        event_of(tag, version, values)
    assert refused.value.code == code


STRANGE = '{"event":"x","v":1,"record":{},"by":"x"}'
NO_LINES = (
    "",
    "[]",
    "[" * 100_000,
    '{"event":"\udcff"}',
    '{"by":"x"}',
    STRANGE,
    STRANGE.replace("{}", "5"),
    STRANGE.replace("}", ',"more":1}'),
)


@pytest.mark.parametrize("body", NO_LINES)
def test_what_is_no_line_is_named_with_its_number(body: str) -> None:
    written = Written(
        7, "table/1", 7, "x", body.encode(errors="surrogateescape"), 0, "2026-11-16", "", "", 1, (), (), "", b""
    )
    with pytest.raises(BadInput, match="entry 7: "):
        read_line(written)


def test_a_live_round_round_trips() -> None:
    table = Table("mbs-tiger-nc")
    table.play("4S 2H KD 9C 5H 5D", {seat: {"banker": 2_500, "tiger": 500} for seat in range(1, 40)})
    bodies = [encode_line(event, ORIGIN) for event in table.happened]
    assert [read_body(msgspec.json.format(body)).event for body in bodies] == table.happened


STRANGE_VALUES: tuple[Any, ...] = (None, True, 0, -1, 1.0, 1.5, 10**30, "", "x", [], ["x"], [[1, 2]], {}, {"x": 1})


def _changed(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield record
    yield record | {"strange": 1}
    for name, value in record.items():
        yield {other: record[other] for other in record if other != name}
        yield from (record | {name: strange} for strange in STRANGE_VALUES)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for changed in _changed(value[0]):
                yield record | {name: [changed, *value[1:]]}


def _outcome(read: Callable[..., object], *told: object) -> object:
    try:
        return read(*told)
    except BadInput as refused:
        return refused.code, refused.message


def _event_in(body: bytes) -> object:
    return read_body(body).event


@pytest.mark.parametrize("line", ONE_OF_EACH.values(), ids=lambda line: "-".join(map(str, version(line))))
def test_the_quick_way_reads_and_refuses_what_the_thorough_one_does(line: str) -> None:
    told = json.loads(line)
    for record in _changed(told["record"]):
        body = json.dumps(told | {"record": record}).encode()
        thorough = _outcome(event_of, told["event"], told["v"], record)
        for _ in range(2):  # the second time it may be known already
            quick = _outcome(_event_in, body)
            assert (type(quick), quick) == (type(thorough), thorough), record


@pytest.mark.parametrize("request_id", ["a", 'a "quoted" one', "\u5e84 %d \\"])
def test_the_line_of_a_bet_by_itself_is_that_of_any_event(request_id: str) -> None:
    command = b'{"type":"bet","request":"a","round":1,"wager":"tie","cents":100}'
    origin = Origin(OriginKind.TERMINAL, "3-7", request_id, "bet")
    line = encode_line(BetPlaced(seat=7, wager="tie", cents=100), origin, command)
    assert bet_line(7, text_of("tie"), 100, text_of("3-7"), request_id, command) == line
