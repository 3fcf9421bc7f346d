"""Session cookies: of people nothing but what this venue's key has signed, and only for its time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.server.people.sessions import (
    ABSOLUTE_MS,
    IDLE_MS,
    Kind,
    Session,
    Sessions,
    cookie_name,
    read_cookie,
    set_cookie,
)
from tests.server.people.house import HOUR_MS, KEY, MINUTE_MS, Clock

COOKIE_TEXT = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)


def sessions(clock: Clock | None = None, key: bytes = KEY) -> Sessions:
    return Sessions(key, clock_ms=clock or Clock())


def begun(kind: Kind = "staff") -> tuple[Sessions, Session, str]:
    venue = sessions()
    session = venue.begin(kind, "mei.tan", 3)
    return venue, session, venue.token(session)


def test_a_token_reads_back_as_it_was_made() -> None:
    venue, session, token = begun()
    assert venue.read(token) == session


@given(st.data())
def test_a_token_with_any_character_changed_is_refused(data: st.DataObject) -> None:
    venue, _, token = begun()
    place = data.draw(st.integers(0, len(token) - 1))
    other = data.draw(st.characters(max_codepoint=0x2FF).filter(lambda one: one != token[place]))
    assert venue.read(token[:place] + other + token[place + 1 :]) is None


def test_every_spelling_of_the_last_character_but_one_is_refused() -> None:
    """The last base64 character carries spare bits: several spellings mean the same bytes, one is right."""
    venue, _, token = begun()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    assert [letter for letter in letters if venue.read(token[:-1] + letter)] == [token[-1]]


@given(COOKIE_TEXT)
def test_a_token_cut_or_lengthened_is_refused(more: str) -> None:
    """Wherever it is cut: before its signature, too."""
    venue, _, token = begun()
    assert [length for length in range(len(token)) if venue.read(token[:length])] == []
    assert venue.read(token + more) is None


@given(st.text())
def test_garbage_is_nobody(text: str) -> None:
    assert sessions().read(text) is None


def test_another_venues_token_is_refused() -> None:
    _, _, token = begun()
    assert sessions(key=bytes(32)).read(token) is None


def test_a_devices_token_needs_no_key() -> None:
    """Whether it is one of ours is for its secret to say."""
    _, session, token = begun("device")
    assert sessions(key=bytes(32)).read(token) == session
    assert sessions().read(token + "x") is None


def test_a_staff_session_ends_when_nothing_is_heard() -> None:
    clock = Clock()
    venue = sessions(clock)
    token = venue.token(venue.begin("staff", "mei.tan", 1))
    clock.pass_ms(IDLE_MS - 1)
    assert venue.read(token)
    clock.pass_ms(1)
    assert venue.read(token) is None


def test_renewing_keeps_it_alive_but_not_beyond_a_shift() -> None:
    clock = Clock()
    venue = sessions(clock)
    session, begun_ms = venue.begin("staff", "mei.tan", 1), clock.now_ms
    while clock.now_ms < begun_ms + ABSOLUTE_MS - IDLE_MS // 2:
        clock.pass_ms(IDLE_MS // 2)
        renewed = venue.renewed(session)
        assert renewed
        assert (renewed.nonce, renewed.issued_ms) == (session.nonce, begun_ms)
        session = renewed
        assert (venue.read(venue.token(session)) is None) == (clock.now_ms >= begun_ms + ABSOLUTE_MS)
    clock.now_ms = begun_ms + ABSOLUTE_MS - 1
    assert venue.read(venue.token(session))
    clock.pass_ms(1)
    assert venue.read(venue.token(session)) is None
    assert venue.max_age_s(session) == 0


def test_a_session_just_heard_of_needs_no_new_cookie() -> None:
    clock = Clock()
    venue = sessions(clock)
    session = venue.begin("staff", "mei.tan", 1)
    clock.pass_ms(MINUTE_MS - 1)
    assert venue.renewed(session) is None


def test_a_devices_token_lasts_until_it_is_revoked() -> None:
    clock = Clock()
    venue = sessions(clock)
    token = venue.token(venue.begin("device", "terminal-1-1", 1))
    clock.pass_ms(10 * 365 * 24 * HOUR_MS)
    assert venue.read(token)


def test_the_csrf_token_belongs_to_one_session() -> None:
    venue = sessions()
    mine, other = venue.begin("staff", "mei.tan", 1), venue.begin("staff", "mei.tan", 1)
    assert venue.csrf_matches(mine, venue.csrf(mine))
    assert not venue.csrf_matches(mine, venue.csrf(other))
    assert not venue.csrf_matches(mine, "")
    assert not venue.csrf_matches(mine, "\udcff")
    assert venue.csrf(mine) not in venue.token(mine)


@pytest.mark.parametrize("secure", [True, False])
def test_a_cookie_is_out_of_reach_of_scripts_and_other_sites(secure: bool) -> None:
    header = set_cookie("staff", "abc", max_age_s=60, secure=secure)
    value, *attributes = header.split("; ")
    assert value == ("__Host-natural9-staff=abc" if secure else "natural9-staff=abc")
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=60"} <= set(attributes)
    assert ("Secure" in attributes) == secure
    assert not any(attribute.startswith("Domain") for attribute in attributes)


def test_a_cookie_is_found_among_others() -> None:
    header = "theme=dark; natural9-staff=abc.def; natural9-device=xyz"
    assert read_cookie(header, cookie_name("staff", secure=False)) == "abc.def"
    assert read_cookie(header, cookie_name("device", secure=False)) == "xyz"
    assert read_cookie(header, cookie_name("staff", secure=True)) == ""
    assert read_cookie("", "natural9-staff") == ""
    assert read_cookie("a;" * 198 + header, cookie_name("staff", secure=False)) == "abc.def"
    assert read_cookie("a;" * 15_000 + header, cookie_name("staff", secure=False)) == "", "nobody is searched for long"


def test_an_open_connection_lasts_as_long_as_requests_are_heard_and_never_beyond_the_shift() -> None:
    clock = Clock()
    venue = sessions(clock)
    session = venue.begin("staff", "mei.tan", 3)
    assert venue.left_ms(session) == IDLE_MS
    clock.pass_ms(IDLE_MS - 1)
    assert venue.left_ms(session) == 1
    venue.heard(session)
    assert venue.left_ms(session) == IDLE_MS
    for _ in range(30):
        clock.pass_ms(IDLE_MS - 1)
        venue.heard(session)
    left_ms = venue.left_ms(session)
    assert left_ms is not None
    assert left_ms <= 0, "its absolute end"
    assert venue.left_ms(venue.begin("device", "terminal-1-1")) is None


def test_what_is_remembered_of_sessions_is_bounded() -> None:
    clock = Clock()
    venue = sessions(clock)
    first = venue.begin("staff", "mei.tan", 3)
    clock.pass_ms(MINUTE_MS)
    venue.heard(first)
    for _ in range(20_000):
        venue.heard(venue.begin("staff", "mei.tan", 3))
    assert len(venue._heard) == 10_000
    assert venue.left_ms(first) == IDLE_MS - MINUTE_MS, "one that is forgotten has what its cookie says"
