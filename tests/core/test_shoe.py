"""What a shoe of so many decks holds, and which card is one too many for it."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.errors import BadInput
from natural9.core.shoe import Shoe
from tests.core.test_deals import any_card

rule = pytest.mark.rule

NINE = Card.parse("9H")


@rule("rws-nc 2.2.1", "rws-nc-insurance 2.2.1", "rws-nc-super-six-plus 2.2.1", "mbs 2.1")
@pytest.mark.parametrize("decks", range(1, 11))
def test_a_deck_has_52_cards_one_of_each(decks: int) -> None:
    shoe = Shoe.of(decks=decks)
    assert shoe.cards_left == 52 * decks
    assert all(shoe.left(card) == decks for card in ALL_CARDS)


@pytest.mark.parametrize("decks", [0, -1])
def test_a_shoe_needs_a_deck(decks: int) -> None:
    with pytest.raises(BadInput) as refused:
        Shoe.of(decks=decks)
    assert refused.value.code == "bad-decks"
    assert str(decks) in str(refused.value)


def test_a_drawn_card_is_gone_and_the_shoe_before_it_is_not_touched() -> None:
    full = Shoe.of(decks=4)
    drawn = full.without([NINE])
    assert (drawn.left(NINE), drawn.cards_left) == (3, 207)
    assert (full.left(NINE), full.cards_left) == (4, 208)
    assert drawn != full
    assert drawn.without([]) == drawn


@pytest.mark.parametrize("decks", [1, 4, 8, 10])
def test_one_too_many_is_named(decks: int) -> None:
    empty_of_nines = Shoe.of(decks=decks).without([NINE] * decks)
    assert empty_of_nines.left(NINE) == 0
    for shoe, cards in ((empty_of_nines, [NINE]), (Shoe.of(decks=decks), [NINE] * (decks + 1))):
        with pytest.raises(BadInput) as refused:
            shoe.without(cards)
        assert refused.value.code == "card-too-many"
        assert "9H" in str(refused.value)
        assert str(decks) in str(refused.value)


def test_only_a_card_that_was_drawn_is_counted_again() -> None:
    full = Shoe.of(decks=4)
    assert full.without([NINE]).with_back([NINE]) == full
    with pytest.raises(AssertionError):
        full.with_back([NINE])
    assert full.without([NINE] * 3).with_back([NINE]).left(NINE) == 2


def test_every_card_can_be_drawn_and_nothing_more() -> None:
    spent = Shoe.of(decks=2).without(ALL_CARDS * 2)
    assert spent.cards_left == 0
    for card in ALL_CARDS:
        with pytest.raises(BadInput, match="one too many"):
            spent.without([card])


@given(decks=st.integers(4, 10), cards=st.lists(any_card, max_size=60))
def test_drawing_counts_down_and_counting_back_restores(decks: int, cards: list[Card]) -> None:
    full = Shoe.of(decks=decks)
    if max(Counter(cards).values(), default=0) > decks:
        with pytest.raises(BadInput, match="one too many"):
            full.without(cards)
        return
    drawn = full.without(cards)
    assert drawn.cards_left == full.cards_left - len(cards)
    assert all(drawn.left(card) == decks - cards.count(card) for card in ALL_CARDS)
    assert drawn.with_back(cards) == full
    one_by_one = full
    for card in cards:
        one_by_one = one_by_one.without([card])
    assert one_by_one == drawn
