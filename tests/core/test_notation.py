"""A round on one line, there and back."""

import pytest
from hypothesis import given

from natural9.core.cards import Card, parse_cards
from natural9.core.errors import BadInput
from natural9.core.notation import parse_round, show_round, split_hands
from tests.core.test_deals import card_prefixes


@given(card_prefixes())
def test_every_prefix_of_every_legal_deal_round_trips(cards: tuple[Card, ...]) -> None:
    text = show_round(cards)
    assert parse_round(text) == cards
    assert show_round(parse_round(text)) == text


@given(card_prefixes())
def test_the_two_hands_are_the_whole_deal(cards: tuple[Card, ...]) -> None:
    player, banker = split_hands(cards)
    assert sorted((*player, *banker)) == sorted(cards)
    assert player[:2] == cards[0:3:2]
    assert banker[:2] == cards[1:4:2]


@pytest.mark.parametrize(
    ("dealt", "text"),
    [
        ("4C KH 9D 6D 2S", "P 4C 9D 2S  B KH 6D"),
        ("6C 5H KD TD 2S", "P 6C KD  B 5H TD 2S"),
        ("9S 2H KD 5C", "P 9S KD  B 2H 5C"),
        ("4S 2H KD 9C 5H 5D", "P 4S KD 5H  B 2H 9C 5D"),
        ("4S 2H KD", "P 4S KD  B 2H"),
    ],
)
def test_rounds_by_hand(dealt: str, text: str) -> None:
    assert show_round(parse_cards(dealt)) == text
    assert parse_round(text) == parse_cards(dealt)


@pytest.mark.parametrize("text", ["P 4C 9D B KH 6D", "  P  4C  9D   B  KH  6D ", "P 4c,9d B kh,6♦", "P4C 9DBKH 6D"])
def test_spaces_commas_and_cases_do_not_matter(text: str) -> None:
    assert parse_round(text) == parse_cards("4C KH 9D 6D")


@pytest.mark.parametrize("text", ["", "P 4C 9D", "B KH 6D", "B KH P 4C", "4C 9D B KH 6D", "hello"])
def test_what_is_not_a_round_is_named(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_round(text)
    assert refused.value.code == "bad-notation"
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "left_over"),
    [
        ("P 9C 9D 2S  B KH 6D", "player's 2S"),  # a natural 8 stands
        ("P 4C  B KH 6D", "banker's 6D"),  # the Player's second card comes before it
        ("P 6C KD 2S  B 7H TD", "player's 2S"),  # a Player of 6 stands
        ("P 4C KD  B 3H TD 2S", "banker's 2S"),  # the Player's third card comes before it
        ("P 4C KD 8S  B 3H TD 2S", "banker's 2S"),  # a Banker of 3 stands on an 8
        ("P 4C KD 5S 2S  B 7H TD", "player's 2S"),
        ("P 9C 9D AC  B KH 6D AD", "player's AC and banker's AD"),
    ],
)
def test_a_round_that_the_table_of_play_forbids_is_refused(text: str, left_over: str) -> None:
    with pytest.raises(BadInput, match=left_over) as refused:
        parse_round(text)
    assert refused.value.code == "bad-notation"


def test_a_bad_card_in_a_round_is_named() -> None:
    with pytest.raises(BadInput, match="'1C' is not a card"):
        parse_round("P 1C 9D  B KH 6D")
    with pytest.raises(BadInput, match="has no suit"):
        parse_round("P 4 9D  B KH 6D")
