"""The shuffler: every order as likely, promised before the first card, and nobody the wiser before the last."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, Card, show_cards
from natural9.core.errors import BadInput
from natural9.core.shoe import Shoe
from natural9.table.shoes.shuffler import (
    RandomnessFailed,
    SealBroken,
    Shuffled,
    check_reveal,
    sealed,
    shuffle,
    shuffled_shoe,
    unsealed,
)

NINETY_NINE_PERCENT = 2.576
ONE_IN_A_MILLION = 5.5  # in deviations; beyond it also with the skewness of the chi-square here
SHUFFLES = 1500
KEY = bytes(range(32))

# Statistics of permutations.


def of_one_deck(shuffled: Callable[[], list[Card]]) -> list[list[int]]:
    place = {card: number for number, card in enumerate(ALL_CARDS)}
    return [[place[card] for card in shuffled()] for _ in range(SHUFFLES)]


def deviation(values: list[float], mean: float, variance: float) -> float:
    """How many deviations the mean of these lies from where it should."""
    return (sum(values) / len(values) - mean) / sqrt(variance / len(values))


def by_place_and_card(orders: list[list[int]]) -> float:
    """Every card in every place as often: chi-square with 51 x 51 degrees of freedom, as deviations."""
    size = 52
    counts = [[0] * size for _ in range(size)]
    for order in orders:
        for place, card in enumerate(order):
            counts[place][card] += 1
    due, degrees = len(orders) / size, (size - 1) ** 2
    # A permutation fills every row and every column once, which makes cells vary by 52/51 more than a plain table's.
    chi_square = sum((count - due) ** 2 / due for row in counts for count in row) * (size - 1) / size
    return (chi_square - degrees) / sqrt(2 * degrees)


def by_rises(orders: list[list[int]]) -> float:
    rises = [float(sum(a < b for a, b in pairwise(order))) for order in orders]
    return deviation(rises, 51 / 2, 53 / 12)


def by_inversions(orders: list[list[int]]) -> float:
    found = [float(sum(a > b for at, a in enumerate(order) for b in order[at + 1 :])) for order in orders]
    return deviation(found, 52 * 51 / 4, 52 * 51 * (2 * 52 + 5) / 72)


def by_cycles(orders: list[list[int]]) -> float:
    found = []
    for order in orders:
        seen, cycles = [False] * 52, 0
        for start in range(52):
            cycles += not seen[start]
            while not seen[start]:
                seen[start] = True
                start = order[start]
        found.append(float(cycles))
    mean = sum(1 / k for k in range(1, 53))
    return deviation(found, mean, mean - sum(1 / k**2 for k in range(1, 53)))


STATISTICS = (by_place_and_card, by_rises, by_inversions, by_cycles)


@pytest.fixture(scope="module")
def from_a_seed() -> list[list[int]]:
    chance = Random(9)
    return of_one_deck(lambda: shuffle(1, chance.randrange))


@pytest.fixture(scope="module")
def from_the_system() -> list[list[int]]:
    return of_one_deck(lambda: shuffle(1))


@pytest.mark.parametrize("statistic", STATISTICS)
def test_permutations_at_99_percent(
    statistic: Callable[[list[list[int]]], float], from_a_seed: list[list[int]]
) -> None:
    assert abs(statistic(from_a_seed)) < NINETY_NINE_PERCENT


@pytest.mark.parametrize("statistic", STATISTICS)
def test_permutations_of_the_operating_system(
    statistic: Callable[[list[list[int]]], float], from_the_system: list[list[int]]
) -> None:
    assert abs(statistic(from_the_system)) < ONE_IN_A_MILLION


def test_the_statistics_notice_a_biased_shuffle() -> None:
    """The usual slip, a swap with any place at all, favours some orders; so does a remainder without rejection."""
    chance = Random(9)

    def naive() -> list[Card]:
        cards = [*ALL_CARDS]
        for place in range(52):
            other = chance.randrange(52)
            cards[place], cards[other] = cards[other], cards[place]
        return cards

    assert by_place_and_card(of_one_deck(naive)) > ONE_IN_A_MILLION
    remainder = of_one_deck(lambda: shuffle(1, lambda below: chance.randrange(64) % below))
    assert by_place_and_card(remainder) > ONE_IN_A_MILLION


def test_eight_decks_place_by_rank() -> None:
    """Whole shoes: the first thirteen places of 200 of them, by rank, 12 degrees of freedom a place."""
    chance = Random(9)
    shoes = [shuffle(8, chance.randrange) for _ in range(200)]
    for place in range(13):
        ranks = [shoe[place].rank for shoe in shoes]
        due = len(shoes) / 13
        chi_square = sum((ranks.count(rank) - due) ** 2 / due for rank in "A23456789TJQK")
        assert chi_square < 32.91  # one in a thousand


# What the shuffle is.


@given(st.permutations(ALL_CARDS))
def test_every_order_can_come_and_by_one_way_only(target: list[Card]) -> None:
    """52! sequences of draws and 52! orders, and each order has its sequence: so fair draws make a fair shuffle."""
    cards, draws = [*ALL_CARDS], []
    for place in range(51, 0, -1):
        other = cards.index(target[place])
        draws.append((place + 1, other))
        cards[place], cards[other] = cards[other], cards[place]
    asked = iter(draws)

    def scripted(below: int) -> int:
        expected, number = next(asked)
        assert (below, number < below) == (expected, True)
        return number

    assert shuffle(1, scripted) == target
    assert next(asked, None) is None


@pytest.mark.parametrize("decks", [1, 4, 8, 10])
def test_a_shoe_holds_its_decks(decks: int) -> None:
    assert Shoe.of(decks=decks).without(shuffle(decks)).cards_left == 0


def test_no_two_shoes_are_alike() -> None:
    shoes = [shuffled_shoe(8) for _ in range(20)]
    assert len({shoe.order for shoe in shoes}) == len({shoe.salt for shoe in shoes}) == 20
    assert len({shoe.commitment for shoe in shoes}) == 20


def broken(_: int) -> int:
    raise OSError("no entropy")


def test_a_source_that_fails_is_named() -> None:
    with pytest.raises(RandomnessFailed, match="no entropy"):
        shuffled_shoe(8, random=broken)
    with pytest.raises(RandomnessFailed, match="gave 416 where a number below 416"):
        shuffled_shoe(8, random=lambda below: below)
    with pytest.raises(RandomnessFailed, match="gave -1"):
        shuffled_shoe(8, random=lambda _: -1)


@pytest.mark.parametrize("stuck", [lambda count: b"\0" * count, lambda count: b"\xaa\x55" * (count // 2), os.urandom])
def test_a_source_that_is_stuck_is_named(stuck: Callable[[int], bytes]) -> None:
    if stuck is os.urandom:
        shuffled_shoe(8, random_bytes=stuck)
        with pytest.raises(RandomnessFailed, match="is stuck"):
            shuffled_shoe(8, random_bytes=lambda count: stuck(count - 1))
    else:
        with pytest.raises(RandomnessFailed, match="is stuck"):
            shuffled_shoe(8, random_bytes=stuck)


# The promise.

ONE_DECK = Shuffled(1, bytes(range(32)), ALL_CARDS)


def test_the_commitment_is_the_hash_of_four_lines() -> None:
    salt = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    order = " ".join(rank + suit for suit in "CDHS" for rank in "A23456789TJQK")
    text = f"natural9 shoe 1\ndecks 1\nsalt {salt}\norder {order}\n"
    assert ONE_DECK.text == text
    assert ONE_DECK.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert ONE_DECK.commitment == "f8904dddb33cd536481cd1e28cc1161f87ddabbed04f0bdd136b4e62a091bcbc"


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="no sha256sum on this system")
def test_anyone_can_check_it_with_sha256sum() -> None:
    shoe = shuffled_shoe(8)
    lines = ["natural9 shoe 1", f"decks {shoe.decks}", f"salt {shoe.salt.hex()}", f"order {show_cards(shoe.order)}"]
    command = ["sh", "-c", "printf '%s\\n' \"$@\" | sha256sum", "sh", *lines]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
    assert printed.split()[0] == shoe.commitment


def test_decks_salt_and_order_are_all_promised() -> None:
    others = [
        Shuffled(2, ONE_DECK.salt, ONE_DECK.order),
        Shuffled(1, bytes(32), ONE_DECK.order),
        Shuffled(1, ONE_DECK.salt, (*ALL_CARDS[1:], ALL_CARDS[0])),
    ]
    assert len({shoe.commitment for shoe in [ONE_DECK, *others]}) == 4


def test_the_text_round_trips() -> None:
    shoe = shuffled_shoe(6)
    assert Shuffled.parse(shoe.text) == shoe


@pytest.mark.parametrize("text", ["", ONE_DECK.text[:-1], ONE_DECK.text.replace("shoe 1", "shoe 2"), "\n\n\n\n"])
def test_what_is_no_shoe(text: str) -> None:
    with pytest.raises(BadInput, match="this is not a shoe"):
        Shuffled.parse(text)


# The seal.


def test_a_sealed_shoe_opens_only_where_it_belongs() -> None:
    shoe, context = shuffled_shoe(8), "shoe/nc-1/7"
    stored = sealed(KEY, shoe, context)
    assert unsealed(KEY, stored, context) == shoe
    assert sealed(KEY, shoe, context) != stored
    for other in ("shoe/nc-1/8", "shoe/nc-2/7", ""):
        with pytest.raises(SealBroken, match="was changed, or is another's"):
            unsealed(KEY, stored, other)
    with pytest.raises(SealBroken):
        unsealed(bytes(32), stored, context)


def test_a_sealed_shoe_shows_nothing_and_can_not_be_changed() -> None:
    context = "shoe/nc-1/1"
    stored = sealed(KEY, ONE_DECK, context)
    assert b"order" not in stored
    assert ONE_DECK.salt not in stored
    for place in range(len(stored)):
        changed = stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :]
        with pytest.raises(SealBroken):
            unsealed(KEY, changed, context)
    for length in (0, 5, 12, 27, len(stored) - 1):
        with pytest.raises(SealBroken):
            unsealed(KEY, stored[:length], context)


# The reveal.

SHOE = Shuffled(2, bytes(range(32)), tuple(shuffle(2, Random(4).randrange)))


def failing(
    *,
    decks: int = 2,
    salt: bytes = SHOE.salt,
    order: tuple[Card, ...] = SHOE.order,
    commitment: str = SHOE.commitment,
    dealt: tuple[Card, ...] | None = None,
) -> dict[str, str]:
    checks = check_reveal(decks, salt, order, commitment, dealt)
    assert [check.what for check in checks] == ["cards", "commitment", "dealt"][: 2 + (dealt is not None)]
    return {check.what: check.words for check in checks if not check.holds}


@pytest.mark.parametrize("dealt", [None, (), SHOE.order[:1], SHOE.order[:50], SHOE.order])
def test_an_honest_shoe_holds(dealt: tuple[Card, ...] | None) -> None:
    assert failing(dealt=dealt) == {}
    assert failing(dealt=dealt, commitment=SHOE.commitment.upper()) == {}


def test_another_order_is_not_the_one_promised() -> None:
    first, second, *rest = SHOE.order
    assert first != second
    assert list(failing(order=(second, first, *rest))) == ["commitment"]
    assert list(failing(salt=bytes(32))) == ["commitment"]


def test_the_first_card_that_differs_is_named() -> None:
    dealt = [*SHOE.order[:30]]
    dealt[16], dealt[20] = dealt[20], dealt[16]
    assert dealt[16] != SHOE.order[16]
    words = failing(dealt=tuple(dealt))["dealt"]
    assert words == f"card 17 was dealt as {dealt[16]}, and the order has {SHOE.order[16]} there"


def test_more_cards_than_the_shoe_had() -> None:
    assert "card 105 was dealt as 9H" in failing(dealt=(*SHOE.order, Card("9", "H")))["dealt"]


def test_a_shoe_that_is_not_so_many_decks() -> None:
    card, *rest = SHOE.order
    swapped = (next(other for other in ALL_CARDS if other != card), *rest)
    fake = Shuffled(2, SHOE.salt, swapped)
    assert "and the order has it" in failing(order=swapped, commitment=fake.commitment)["cards"]
    short = Shuffled(2, SHOE.salt, tuple(rest))
    words = failing(order=short.order, commitment=short.commitment)["cards"]
    assert f"2 decks hold {card} 2 times, and the order has it 1 times (103 cards, not 104)" == words
