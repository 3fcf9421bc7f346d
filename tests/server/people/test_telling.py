"""What happened to people and devices, in words."""

import pytest

from natural9.server.people import events as people_events
from natural9.server.people.telling import tell

SENTENCES = {
    people_events.StaffAdded(by="sam", id="dora", name="Dora", role="dealer"): "dora (Dora) added as dealer",
    people_events.AdministratorClaimed(
        by="sam", id="sam", name="Sam", peer="::1"
    ): "sam (Sam) became the first administrator",
    people_events.CodeIssued(by="sam", id="dora"): "A new code was issued for dora",
    people_events.StaffDisabled(by="sam", id="dora"): "dora was disabled",
    people_events.StaffEnabled(by="sam", id="dora"): "dora was enabled again",
    people_events.RoleChanged(
        by="sam", id="dora", before="dealer", after="auditor"
    ): "dora was dealer and is auditor now",
    people_events.PasswordChanged(by="dora", id="dora", peer="::1"): "dora has a new password, set from ::1",
    people_events.SignedIn(by="dora", id="dora", peer="::1", purpose="session"): "dora signed in from ::1",
    people_events.SignedIn(by="pat", id="pat", peer="::1", purpose="authorise"): "pat signed in from ::1 (authorise)",
    people_events.SignInFailed(
        by="venue", id="", peer="::1", purpose="session", why="unknown", failures=0
    ): "Somebody could not sign in from ::1: there is no such account",
    people_events.SignInFailed(
        by="venue", id="dora", peer="::1", purpose="session", why="password", failures=2
    ): "dora could not sign in from ::1: wrong password, 2 in a row",
    people_events.LockedOut(by="venue", id="dora", until_ms=None): "dora is locked out",
    people_events.Unlocked(by="sam", id="dora"): "dora was unlocked",
    people_events.SignedOut(by="dora", id="dora", everywhere=True): "dora signed out everywhere",
    people_events.PeerRefused(by="venue", peer="::1"): "::1 failed too often",
    people_events.DeviceAdded(
        by="sam", id="t-1", kind="terminal", table="1", seat=1
    ): "Device t-1 added: terminal at table 1, seat 1",
    people_events.DeviceAdded(
        by="sam", id="d", kind="display", table="", seat=None
    ): "Device d added: display of all tables",
    people_events.DeviceEnrolled(by="t-1", id="t-1", peer="::1"): "Device t-1 enrolled from ::1",
    people_events.DeviceRevoked(by="sam", id="t-1", why="stolen"): "Device t-1 revoked: stolen",
}


@pytest.mark.parametrize("event", SENTENCES, ids=lambda event: event.TAG)
def test_each_has_its_sentence(event: people_events.Event) -> None:
    assert tell(event).startswith(SENTENCES[event])


def test_none_was_forgotten() -> None:
    assert {type(event) for event in SENTENCES} == set(people_events.EVENTS.values())
