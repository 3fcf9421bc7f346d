"""Events of people and devices: what was written once is read for ever."""

import pytest

from natural9.core.errors import BadInput
from natural9.server.people.events import EVENTS, from_body, to_body

# One of each, exactly as version 1 wrote it. Lines are added here, never changed.
WRITTEN = [
    b'{"event":"staff-added","v":1,"by":"ada","id":"mei","name":"Mei","role":"dealer"}',
    b'{"event":"administrator-claimed","v":1,"by":"ada","id":"ada","name":"Ada","peer":"10.0.0.7"}',
    b'{"event":"code-issued","v":1,"by":"ada","id":"mei"}',
    b'{"event":"staff-disabled","v":1,"by":"ada","id":"mei"}',
    b'{"event":"staff-enabled","v":1,"by":"cli:root","id":"mei"}',
    b'{"event":"role-changed","v":1,"by":"ada","id":"mei","before":"dealer","after":"pit-manager"}',
    b'{"event":"password-changed","v":1,"by":"mei","id":"mei","peer":"10.0.0.7"}',
    b'{"event":"sign-in","v":1,"by":"mei","id":"mei","peer":"10.0.0.7","purpose":"session"}',
    b'{"event":"sign-in-failed","v":1,"by":"venue","id":"mei","peer":"10.0.0.7","purpose":"authorise","why":"password",'
    b'"failures":2}',
    b'{"event":"locked-out","v":1,"by":"venue","id":"mei","until_ms":1790000900000}',
    b'{"event":"locked-out","v":1,"by":"venue","id":"mei","until_ms":null}',
    b'{"event":"unlocked","v":1,"by":"ada","id":"mei"}',
    b'{"event":"signed-out","v":1,"by":"mei","id":"mei","everywhere":false}',
    b'{"event":"peer-refused","v":1,"by":"venue","peer":"10.0.0.7"}',
    b'{"event":"device-added","v":1,"by":"ada","id":"terminal-3-1","kind":"terminal","table":"3","seat":1}',
    b'{"event":"device-enrolled","v":1,"by":"terminal-3-1","id":"terminal-3-1","peer":"10.0.0.7"}',
    b'{"event":"device-revoked","v":1,"by":"ada","id":"terminal-3-1","why":"replaced by terminal-3-1.2"}',
]


@pytest.mark.parametrize("body", WRITTEN)
def test_an_event_reads_back_and_writes_the_same(body: bytes) -> None:
    assert to_body(from_body(body)) == body


def test_there_is_one_of_each() -> None:
    assert {(from_body(body).TAG, from_body(body).VERSION) for body in WRITTEN} == set(EVENTS)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b'{"event":"staff-added","v":2}', b'{"event":"fired","v":1}', b'{"event":["x"],"v":1}',
     b'{"event":"unlocked","v":1,"by":"ada","id":"mei","password":"x"}', b'{"event":"unlocked","v":1,"by":"ada"}'],
)  # fmt: skip
def test_what_was_never_defined_is_refused(body: bytes) -> None:
    with pytest.raises(BadInput):
        from_body(body)
