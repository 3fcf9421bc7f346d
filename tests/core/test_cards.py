"""Cards: the notation round-trips, takes what people write, and names what it cannot take."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from natural9.core.cards import (
    ALL_CARDS,
    RANKS,
    SUITS,
    Card,
    parse_cards,
    parse_rank,
    parse_ranks,
    show_cards,
    split_cards,
)
from natural9.core.errors import BadInput
from tests.core.test_deals import any_card

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def test_there_are_52_cards_and_each_round_trips() -> None:
    assert len(ALL_CARDS) == len(set(ALL_CARDS)) == 52
    assert {(card.rank, card.suit) for card in ALL_CARDS} == {(rank, suit) for rank in RANKS for suit in SUITS}
    for card in ALL_CARDS:
        assert Card.parse(str(card)) == card
        assert len(str(card)) == 2


def test_every_card_in_every_spelling() -> None:
    """Lower case, a suit as its sign, spaces around it, and a ten as 10: all the same card."""
    for card in ALL_CARDS:
        ranks = [card.rank, "10"] if card.rank == "T" else [card.rank]
        for rank in ranks:
            for suit in (card.suit, SIGNS[card.suit]):
                for text in (rank + suit, (rank + suit).lower(), f" {rank}{suit} ", rank.lower() + suit):
                    assert Card.parse(text) == card, text
                    assert parse_rank(text) == card.rank, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1H",
        "0H",
        "11H",
        "100H",
        "9X",
        "XH",
        "9HH",
        "99H",
        "H9",
        "H",
        "♥",
        "9 H",
        "10 H",
        "-9H",
        "9h!",
        "joker",
    ],
)
def test_a_malformed_card_is_named(text: str) -> None:
    for parse in (Card.parse, parse_rank):
        with pytest.raises(BadInput) as refused:
            parse(text)
        assert refused.value.code == "unknown-card"
        assert repr(text) in str(refused.value)
        assert "9H" in str(refused.value), "the way out is shown"


@pytest.mark.parametrize(("text", "rank"), [*((rank, rank) for rank in RANKS), ("10", "T"), ("q", "Q"), (" a ", "A")])
def test_a_rank_alone_is_a_rank_but_not_a_card(text: str, rank: str) -> None:
    assert parse_rank(text) == rank
    with pytest.raises(BadInput) as refused:
        Card.parse(text)
    assert refused.value.code == "card-without-suit"
    assert repr(text) in str(refused.value)
    assert f"{rank}C" in str(refused.value), "the way out is shown"


def test_cards_are_divided_by_spaces_or_commas() -> None:
    four = (Card("4", "S"), Card("2", "H"), Card("K", "D"), Card("T", "C"))
    for text in ("4S 2H KD TC", "4S,2H,KD,TC", "4s, 2h, kd, 10c", "  4♠  2♥ , K♦ 10♣ "):
        assert parse_cards(text) == four
    assert parse_cards("") == parse_cards(" , ") == ()
    assert split_cards("4S, 2 10") == ["4S", "2", "10"]


def test_the_one_bad_card_among_good_ones_is_named() -> None:
    with pytest.raises(BadInput, match="'1S' is not a card"):
        parse_cards("4S 2H 1S KD")
    with pytest.raises(BadInput, match="'1S' is not a card"):
        parse_ranks(["4S", "2", "1S", "KD"])


def test_ranks_of_cards_with_and_without_suits() -> None:
    assert parse_ranks(["4S", "2", "10", "10♥", "kd", "Q"]) == ("4", "2", "T", "T", "K", "Q")
    assert parse_ranks(iter(["4S", "2"])) == ("4", "2")
    assert parse_ranks([]) == ()


@given(st.lists(any_card))
def test_a_list_of_cards_round_trips(cards: list[Card]) -> None:
    if cards:
        assert parse_cards(show_cards(cards)) == tuple(cards)
    else:
        assert show_cards(cards) == "no card"


@given(st.text("A123456789TJQKCDHS0♣♦♥♠ ahtx\n\x00\uff19\u017f", max_size=4))
@example("\x00")
@example("\uff19H")
def test_any_other_text_is_refused_and_never_breaks(text: str) -> None:
    refused = None
    try:
        card = Card.parse(text)
    except BadInput as error:
        refused = error
    else:
        assert card in ALL_CARDS
        assert parse_rank(text) == card.rank
    if refused:
        assert refused.code in {"unknown-card", "card-without-suit"}
        assert repr(text) in str(refused)


def test_cards_are_values() -> None:
    assert Card("9", "H") == Card.parse("9h")
    assert hash(Card("9", "H")) == hash(Card.parse("9h"))
    assert repr(Card.parse("9H")) == "Card(rank='9', suit='H')"
    with pytest.raises(AttributeError):
        Card("9", "H").rank = "8"  # type: ignore[misc]
