"""What can be asked of any event, whether it has an answer or not."""

import pytest

from natural9.core.events import Event, paragraph_of, reason_of, seat_of
from natural9.core.round import events

VOIDED = events.RoundVoided(returned_cents=500, by="ada", why="smoke", clause="rws-nc 5.9", paragraph="rws-nc 5.10")
CUT_CARD = events.CutCardAppeared(paragraph="mbs 4.4")
CLEARED = events.BetsCleared(seat=7, cents=500)


def test_the_seat_that_it_is_about() -> None:
    assert (seat_of(CLEARED), seat_of(CUT_CARD)) == (7, None)


def test_the_reason_that_somebody_gave() -> None:
    assert (reason_of(VOIDED), reason_of(CUT_CARD)) == ("smoke", "")


def test_the_paragraph_it_follows_from() -> None:
    assert paragraph_of(VOIDED) == "rws-nc 5.9", "the one that voids, not the one that returns the bets"
    assert (paragraph_of(CUT_CARD), paragraph_of(CLEARED)) == ("mbs 4.4", "")


def test_only_a_declared_one_can_be_told() -> None:
    with pytest.raises(NotImplementedError):
        Event().describe()
