"""Seats are a value: changed into another, and equal by what lies there."""

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
