"""How a shoe is mixed: any nonces give a permutation, each seat changes it, and no order is favoured."""

from collections import Counter
from hashlib import shake_256
from itertools import islice, product
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, Card
from natural9.table.shoes.mixing import (
    LONGEST_NONCE,
    Indexes,
    index_of,
    is_nonce,
    mix_message,
    mixed_order,
    nonce_commitment,
)
from natural9.table.shoes.shuffler import permuted, shuffle

HOUSE = "ab" * 32
DECK = tuple(shuffle(1, Random(9).randrange))
DIGITS = st.binary(min_size=32, max_size=32).map(bytes.hex)
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=64)
NONCES = DIGITS | st.tuples(DIGITS, WORDS).map(" ".join)
SEATS = st.dictionaries(st.integers(1, 1_000_000), NONCES, max_size=8)
CHECKPOINTS = st.sampled_from(["", "1234 5QO3Ss6qGyxYTBTGcmP8bnWJVYUFlG7EwUhjTBWQMkA="])


@given(seats=SEATS, checkpoint=CHECKPOINTS)
def test_any_nonces_give_a_permutation_and_always_the_same(seats: dict[int, str], checkpoint: str) -> None:
    assert all(is_nonce(nonce) and len(nonce) <= LONGEST_NONCE for nonce in seats.values())
    message = mix_message(HOUSE, checkpoint, seats)
    order = mixed_order(DECK, message)
    assert Counter(order) == Counter(DECK)
    assert order == mixed_order(DECK, message)


@given(seats=SEATS, checkpoint=CHECKPOINTS, data=st.data())
def test_whatever_one_seat_changes_changes_the_order(
    seats: dict[int, str], checkpoint: str, data: st.DataObject
) -> None:
    """However many others work together, one nonce that they do not know leads to another order."""
    order = mixed_order(DECK, mix_message(HOUSE, checkpoint, seats))
    seat = data.draw(st.sampled_from(sorted(seats)) if seats else st.integers(1, 9))
    other = data.draw(NONCES.filter(lambda nonce: nonce != seats.get(seat)))
    assert mixed_order(DECK, mix_message(HOUSE, checkpoint, {**seats, seat: other})) != order
    if seats:
        left_out = {one: nonce for one, nonce in seats.items() if one != seat}
        assert mixed_order(DECK, mix_message(HOUSE, checkpoint, left_out)) != order
    assert mixed_order(DECK, mix_message("cd" * 32, checkpoint, seats)) != order
    assert mixed_order(DECK, mix_message(HOUSE, checkpoint + "x", seats)) != order


@given(one=SEATS, other=SEATS, checkpoints=st.tuples(CHECKPOINTS, CHECKPOINTS))
def test_no_two_lists_have_the_same_message(
    one: dict[int, str], other: dict[int, str], checkpoints: tuple[str, str]
) -> None:
    same = (one, checkpoints[0]) == (other, checkpoints[1])
    assert (mix_message(HOUSE, checkpoints[0], one) == mix_message(HOUSE, checkpoints[1], other)) == same


def test_the_message_is_what_the_specification_says_byte_by_byte() -> None:
    nonce = "0f" * 32 + " 八"
    message = mix_message(HOUSE, "7 rOOt", {300: nonce, 2: "1e" * 32})
    assert message == b"".join(
        [
            (14).to_bytes(8, "big") + b"natural9 mix 1",
            (64).to_bytes(8, "big") + HOUSE.encode("ascii"),
            (6).to_bytes(8, "big") + b"7 rOOt",
            (2).to_bytes(8, "big"),
            (2).to_bytes(8, "big") + (64).to_bytes(8, "big") + b"1e" * 32,
            (300).to_bytes(8, "big") + (68).to_bytes(8, "big") + b"0f" * 32 + b" \xe5\x85\xab",
        ]
    )


def test_the_order_is_that_of_an_implementation_of_its_own() -> None:
    """The rule once more, from its words alone."""
    message = mix_message(HOUSE, "", {7: "5a" * 32})
    stream = iter(shake_256(message).digest(100_000))
    cards = list(DECK * 8)
    for place in range(len(cards) - 1, 0, -1):
        while True:
            high, low = islice(stream, 2)
            word = high * 256 + low
            if word < 65536 - 65536 % (place + 1):
                break
        other = word % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    assert mixed_order(DECK * 8, message) == tuple(cards)


def test_a_known_mix_stays_what_it_is() -> None:
    """The vector that stands in the documentation: any verifier can be held against it."""
    nonce = "00" * 31 + "01 lucky"
    commitment = nonce_commitment(table="nc-1", shoe=2, seat=7, nonce=nonce)
    assert commitment == "4c24458ac0585a55338b00bbe700d821c91dec7340d35de2a3d2ef02794b5d29"
    order = mixed_order(ALL_CARDS, mix_message("00" * 32, "", {7: nonce}))
    assert " ".join(map(str, order[:8])) == "QS TD TS 8S 3D AD 7H 2H"


@pytest.mark.parametrize("below", [1, 2, 3, 6, 7, 52, 255, 256, 257, 415, 416, 65_535, 65_536])
def test_rejection_leaves_every_index_as_likely(below: int) -> None:
    """All that two bytes can be, each once."""
    drawn = Counter(index_of(word, below) for word in range(65_536))
    dropped = drawn.pop(None, 0)
    assert set(drawn) == set(range(below))
    assert set(drawn.values()) == {65_536 // below}
    assert dropped == 65_536 % below < below


def test_every_order_of_a_small_shoe_comes_equally_often() -> None:
    """Every way the indexes can fall, once each, gives every order of five cards once."""
    cards = DECK[:5]
    ways = list(product(*(range(below) for below in range(len(cards), 1, -1))))
    orders = Counter[tuple[Card, ...]]()
    for way in ways:
        indexes = iter(way)
        orders[tuple(permuted(cards, lambda below, indexes=indexes: next(indexes)))] += 1  # type: ignore[misc]
    assert len(ways) == prod(range(2, 6)) == len(orders) == factorial(5)
    assert set(orders.values()) == {1}


def test_the_stream_goes_on_as_long_as_it_is_asked() -> None:
    one, other = Indexes(b"x"), shake_256(b"x").digest(20_000)
    drawn = [one(65_536) for _ in range(10_000)]
    assert drawn == [int.from_bytes(other[at : at + 2], "big") for at in range(0, 20_000, 2)]


@pytest.mark.parametrize(
    "text",
    [
        *("", "f" * 63, "F" * 64, "g" * 64, "f" * 65, "f" * 64 + " ", "f" * 64 + " " + "x" * 65, "my own words"),
        *("f" * 64 + "\n", "f" * 64 + " a\nb", "f" * 64 + " a\x85"),
    ],
)
def test_what_is_no_nonce(text: str) -> None:
    assert not is_nonce(text)


def test_a_commitment_is_good_for_one_seat_of_one_shoe_of_one_table() -> None:
    nonce = "0f" * 32
    made = {
        nonce_commitment(table=table, shoe=shoe, seat=seat, nonce=nonce)
        for table, shoe, seat in product(("1", "2"), (1, 11), (1, 2))
    }
    assert len(made) == 8
