"""Whatever is true of an event is said where it is declared: none is forgotten, none stands in a list elsewhere."""

import ast
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import natural9
from natural9.core import events as declaring
from natural9.core.events import ALL, NOTHING, ORDINARY, SEAT, STAFF, Event, SeenBy, event
from natural9.core.money import show_cents
from natural9.core.round.events import OfRound, RoundEvent
from natural9.core.saying import Said, because, say, verbatim
from natural9.journal import people_events
from natural9.journal.card_events import CardEvent, OfCard
from natural9.journal.catalogue import ALL_EVENTS, BY_TAG, shape_of
from natural9.journal.labels import SIGNIFICANT, label_of
from natural9.journal.line import read_body
from natural9.journal.mix_events import MixEvent, OfMix
from natural9.journal.people_events import PeopleEvent
from natural9.journal.player_events import PlayerAccountEvent
from natural9.journal.session_events import OfSession, SessionEvent
from natural9.journal.table_events import OfTable, TableEvent
from natural9.journal.venue_events import VenueEvent
from natural9.journal.visit_events import OfVisit, VisitEvent
from tests.journal.test_line import ONE_OF_EACH

PACKAGE = Path(natural9.__file__).parent
EXAMPLES = {(one := read_body(line.encode()).event).TAG: one for line in ONE_OF_EACH.values()}


def declared_in_the_source() -> set[str]:
    """The first argument of every @event(...) in the package, whoever imports it."""
    return {
        str(decorator.args[0].value)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "event"
        if isinstance(decorator.args[0], ast.Constant)
    }


def test_every_declared_event_is_in_the_catalogue() -> None:
    assert set(BY_TAG) == declared_in_the_source()


def test_the_unions_name_every_event_of_their_subject() -> None:
    """A `match` over one of them is held complete by mypy."""
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfRound)} == set(get_args(RoundEvent))
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfTable)} == set(get_args(TableEvent))
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfMix)} == set(get_args(MixEvent))
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfSession)} == set(get_args(SessionEvent))
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfVisit)} == set(get_args(VisitEvent))
    assert {shape for shape in ALL_EVENTS if issubclass(shape, OfCard)} == set(get_args(CardEvent))
    around = (TableEvent, MixEvent, SessionEvent, CardEvent, VisitEvent)
    unions = (RoundEvent, *around, VenueEvent, PeopleEvent, PlayerAccountEvent)
    assert {shape for union in unions for shape in get_args(union)} == set(ALL_EVENTS)


@pytest.mark.parametrize("tag", BY_TAG)
def test_each_has_a_sentence_of_its_own(tag: str) -> None:
    example = EXAMPLES[tag]
    assert example.describe().strip()
    assert example.describe_publicly().strip()
    assert "None" not in example.describe()


@pytest.mark.parametrize("tag", BY_TAG)
def test_nobody_reads_sums_over_all_seats_or_what_staff_wrote(tag: str) -> None:
    """What everybody is told of an event holds no money of others, and no name."""
    example = EXAMPLES[tag]
    if example.SEEN_BY is SeenBy.ALL:
        told = example.describe_publicly()
        values = msgspec.to_builtins(example)
        assert not any(show_cents(cents) in told for name, cents in values.items() if name.endswith("cents"))
        assert values.get("by", " ") not in told.split()
        if tag != "round-voided":  # why a round is void is told to everybody
            assert not any(values.get(name) and values[name] in told for name in ("why", "detail"))


def test_what_is_seen_by_a_seat_is_about_one() -> None:
    assert all(hasattr(EXAMPLES[tag], "seat") for tag, shape in BY_TAG.items() if shape.SEEN_BY is SeenBy.SEAT)


def test_labels_follow_from_the_declaration() -> None:
    labels = {tag: label_of("3", example) for tag, example in EXAMPLES.items()}
    assert all((labels[tag] == SIGNIFICANT) is shape.IS_SIGNIFICANT for tag, shape in BY_TAG.items())
    found = {tag: label.partition("/")[0] for tag, label in labels.items() if label not in ("", SIGNIFICANT)}
    assert found == {
        "betting-opened": "round",
        "round-taken-up": "later",
        "shoe-committed": "shoe",
        "shoe-mix-opened": "shoe",
        "nonce-revealed": "shoe",
        "shoe-mixed": "shoe",
        "shoe-revealed": "shoe",
        "voucher-issued": "voucher",
        "voucher-inserted": "voucher",
        "voucher-paid": "voucher",
        "time-stamp-kept": "time-stamp",
        "session-started": "session",
        "session-ended": "session",
        "play-limits-set": "session",
        "reality-check-due": "session",
        "play-paused": "session",
        "play-continued": "session",
        "break-taken": "session",
        "player-carded-in": "player",
        "player-carded-out": "player",
        "play-counted": "player",
        "visitor-seated": "visitor",
        "credit-taken-along": "transit",
        "credit-brought": "transit",
        "credit-sent-home": "transit",
        "credit-came-home": "transit",
    }


def test_an_event_without_an_answer_does_not_import() -> None:
    with pytest.raises(AssertionError, match="has no sentence"):

        @event("speechless", ALL, ORDINARY, NOTHING)
        class Speechless(Event):
            pass

    with pytest.raises(AssertionError, match="is about no seat"):

        @event("seatless", SEAT, ORDINARY, NOTHING)
        class Seatless(Event):
            def describe(self) -> Said:
                return say("somewhere")

    with pytest.raises(AssertionError, match="has no round to be found by"):

        @event("lost", STAFF, ORDINARY, NOTHING, found_by="round")
        class Lost(Event):
            def describe(self) -> Said:
                return say("lost")

    with pytest.raises(TypeError, match="missing"):
        event("halfway", STAFF, ORDINARY)  # type: ignore[call-arg]


def test_an_old_tag_is_known_for_what_it_is_today() -> None:
    assert shape_of("bet-increased") is BY_TAG["bet-placed"]
    assert shape_of("no-such") is None


def test_the_parts_of_a_sentence() -> None:
    assert because(say("Table closed"), "") == "Table closed"
    assert because(say("Table closed"), "a spill") == "Table closed: a spill"
    assert declaring.spoken("pit-manager") == "pit manager"


SENTENCES: dict[PeopleEvent, str] = {
    people_events.StaffAdded(id="dora", name="Dora", role="dealer", signed_by=""): "dora (Dora) added as Dealer",
    people_events.AdministratorClaimed(id="sam", name="Sam", peer="::1"): "sam (Sam) became the first administrator",
    people_events.CodeIssued(id="max", signed_by="sam"): "A new code was issued for max, signed by sam",
    people_events.StaffDisabled(id="dora"): "dora was disabled",
    people_events.StaffEnabled(id="dora"): "dora was enabled again",
    people_events.RoleChanged(
        id="dora", before="dealer", after="auditor", signed_by=""
    ): "dora changed from Dealer to Auditor",
    people_events.PasswordChanged(id="dora", peer="::1"): "dora has a new password, set from ::1",
    people_events.StaffSignedIn(id="dora", peer="::1", purpose="session"): "dora signed in from ::1",
    people_events.StaffSignedIn(id="mei", peer="::1", purpose="demo"): "mei signed in from ::1 by a link of the demo",
    people_events.StaffSignedIn(id="pat", peer="::1", purpose="authorise"): "pat signed in from ::1 to sign a decision",
    people_events.SignInFailed(
        id="", peer="::1", purpose="session", why="unknown", failures=0, times=1
    ): "Somebody could not sign in from ::1: there is no such account",
    people_events.SignInFailed(
        id="dora", peer="::1", purpose="session", why="password", failures=2, times=1
    ): "dora could not sign in from ::1: wrong password, 2 in a row",
    people_events.SignInFailed(
        id="", peer="", purpose="session", why="unknown", failures=0, times=400
    ): "Somebody could not sign in from many addresses: there is no such account, 400 times",
    people_events.LockedOut(id="dora", peer="::1", device="", until_ms=None): "dora is locked out from ::1",
    people_events.LockedOut(
        id="dora", peer="::1", device="terminal-1-3", until_ms=None
    ): "dora is locked out at device terminal-1-3",
    people_events.Unlocked(id="dora"): "dora was unlocked",
    people_events.SignedOut(id="dora", everywhere=True): "dora signed out everywhere",
    people_events.PeerRefused(peer="::1"): "::1 failed too often",
    people_events.DeviceAdded(
        id="t-1", kind="terminal", table="1", seat=1, signed_by=""
    ): "Device t-1 added: terminal at table 1, seat 1",
    people_events.DeviceAdded(
        id="t-2", kind="terminal", table="1", seat=2, signed_by="max"
    ): "Device t-2 added: terminal at table 1, seat 2, signed by max",
    people_events.DeviceAdded(
        id="d", kind="display", table="", seat=None, signed_by=""
    ): "Device d added: display of all tables",
    people_events.OccupiedSeatEnrolled(
        id="t-2", former="t-1", table="1", seat=2, asked_by="ada", signed_by="max"
    ): "Seat 2 at table 1 held money and was given to t-2: asked by ada, signed by max",
    people_events.OccupiedSeatEnrolled(
        id="t-3", former="", table="1", seat=3, asked_by="", signed_by="max"
    ): "Seat 3 at table 1 held money and was given to t-3: asked by the program",
    people_events.DeviceEnrolled(id="t-1", peer="::1"): "Device t-1 enrolled from ::1",
    people_events.DeviceRevoked(id="t-1", why=verbatim("stolen")): "Device t-1 revoked: stolen",
}


@pytest.mark.parametrize("event", SENTENCES, ids=lambda event: event.TAG)
def test_what_happens_to_people_and_devices_in_words(event: PeopleEvent) -> None:
    assert event.describe().startswith(SENTENCES[event])


def test_no_sentence_of_people_was_forgotten() -> None:
    assert {type(event) for event in SENTENCES} == set(get_args(PeopleEvent))
