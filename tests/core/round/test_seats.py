"""Seats are a value: changed into another, and equal by what lies there."""

from natural9.core.round import RoundState, fold
from natural9.core.round.events import BetPlaced
from natural9.core.round.evolve import bets_laid
from natural9.core.round.seats import MAX_SEAT, Seat, Seats


def test_a_change_makes_another_value() -> None:
    none = Seats()
    one = none.with_seat(7, Seat({"banker": 500}))
    two = one.with_seat(MAX_SEAT, Seat({"tie": 100}))
    assert (none[7], one[MAX_SEAT]) == (Seat(), Seat()), "what was there before stays as it was"
    assert dict(two.items()) == {7: Seat({"banker": 500}), MAX_SEAT: Seat({"tie": 100})}


def test_they_are_equal_if_the_same_lies_at_every_seat() -> None:
    one = Seats().with_seat(7, Seat({"banker": 500}))
    assert one == Seats().with_seat(9, Seat({"tie": 100})).with_seat(7, Seat({"banker": 500})).with_seat(9, Seat())
    assert one != Seats().with_seat(8, Seat({"banker": 500}))
    assert one != {7: Seat({"banker": 500})}


def test_many_seats_are_changed_at_once_as_one_by_one() -> None:
    start = Seats().with_seat(7, Seat({"banker": 500})).with_seat(40, Seat({"tie": 100}))
    changed = {number: Seat({"player": number}) for number in (7, 8, 31, 32, 1_023, 1_024, 40_000, MAX_SEAT, 9)}
    expected = start
    for number, seat in changed.items():
        expected = expected.with_seat(number, seat)
    assert start.with_seats(changed) == expected
    assert start[7] == Seat({"banker": 500})
    assert start.with_seats({}) == start


def test_bets_that_are_laid_at_once_are_those_placed_one_by_one() -> None:
    placed = [BetPlaced(seat=seat, wager=wager, cents=100 * seat) for seat in (1, 2, 70) for wager in ("tie", "player")]
    one_by_one = fold(RoundState(), placed)
    more = [BetPlaced(seat=seat, wager="tie", cents=50) for seat in (2, 3, 2)]
    bets = {2: {"tie": 300, "player": 200}, 3: {"tie": 50}}
    assert bets_laid(one_by_one, bets, 150) == fold(one_by_one, more)
