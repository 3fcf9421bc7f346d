"""Every ordered deal of six cards from a fresh shoe of eight decks, counted exactly through the Table of Play.

The Table of Play and the winner look only at points, so deals are counted by points and weighted with how many cards
have them; that this changes nothing is shown first. A round that ends early weighs all the cards that could follow.
"""

from collections import Counter
from itertools import product
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, RANKS, Rank
from natural9.core.outcome import Outcome, Winner
from natural9.core.shoe import Shoe
from natural9.core.table_of_play import POINTS, next_hand
from tests.core.test_deals import RANK_OF_POINTS, any_rank, first_round

rule = pytest.mark.rule
pytestmark = pytest.mark.no_cover  # so many deals would take long to trace

CARDS_IN_SHOE = 8 * 52
CARDS_OF_POINTS = (128, 32, 32, 32, 32, 32, 32, 32, 32, 32)

# Known for as long as the game has been analysed: of all ordered six-card deals from eight decks.
BANKER = 2_292_252_566_437_888
PLAYER = 2_230_518_282_592_256
TIE = 475_627_426_473_216
ALL_DEALS = 4_998_398_275_503_360


def by_points(ranks: tuple[Rank, ...]) -> str:
    """The same deal with one rank standing for all that have its points."""
    return "".join(RANK_OF_POINTS[POINTS[rank]] for rank in ranks)


def test_after_any_four_cards_only_points_matter() -> None:
    """All 28,561 of them: the same hand is due, or the same hand has won."""
    for ranks in product(RANKS, repeat=4):
        reduced = by_points(ranks)
        assert next_hand(ranks) == next_hand(reduced)
        if next_hand(ranks) is None:
            assert Outcome.of(ranks).winner is Outcome.of(reduced).winner


def test_after_any_third_card_only_points_matter() -> None:
    """Every two totals that draw, every Player's third card, every Banker's."""
    for player, banker in product(range(8), repeat=2):
        four = (RANK_OF_POINTS[player], RANK_OF_POINTS[banker], "T", "T")
        for drawn in product(RANKS, repeat=2):
            deal = first_round((*four, *drawn))
            assert len(deal) == len(first_round(by_points((*four, *drawn))))
            assert Outcome.of(deal).winner is Outcome.of(by_points(deal)).winner


@given(st.tuples(*[any_rank] * 6).map(first_round))
def test_a_whole_deal_by_points_has_the_same_winner(ranks: tuple[Rank, ...]) -> None:
    assert Outcome.of(ranks).winner is Outcome.of(by_points(ranks)).winner


def test_the_weights_are_those_of_eight_decks() -> None:
    shoe = Shoe.of(decks=8)
    counted = Counter[int]()
    for card in ALL_CARDS:
        counted[POINTS[card.rank]] += shoe.left(card)
    assert tuple(counted[points] for points in range(10)) == CARDS_OF_POINTS
    assert sum(CARDS_OF_POINTS) == shoe.cards_left == CARDS_IN_SHOE
    assert perm(CARDS_IN_SHOE, 6) == ALL_DEALS == BANKER + PLAYER + TIE


def count(ranks: str, left: list[int], weight: int, counted: Counter[Winner]) -> None:
    if next_hand(ranks) is None:
        counted[Outcome.of(ranks).winner] += weight * perm(CARDS_IN_SHOE - len(ranks), 6 - len(ranks))
        return
    for points, rank in enumerate(RANK_OF_POINTS):
        ways = left[points]
        left[points] -= 1
        count(ranks + rank, left, weight * ways, counted)
        left[points] += 1


@rule("mbs 3.8", "rws-nc 3.10", "rws-nc-insurance 3.7", "rws-nc-super-six-plus 3.6")
def test_a_fresh_shoe_of_eight_decks() -> None:
    counted = Counter[Winner]()
    count("", list(CARDS_OF_POINTS), 1, counted)
    assert counted == {Winner.BANKER: BANKER, Winner.PLAYER: PLAYER, Winner.TIE: TIE}
    assert counted.total() == ALL_DEALS
