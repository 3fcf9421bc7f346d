"""Point values, totals, the order of dealing, naturals, and the whole draw table, in literal figures."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import RANKS, Rank
from natural9.core.table_of_play import (
    POINTS,
    Hand,
    banker_draws,
    hand_of,
    is_complete,
    is_natural,
    next_hand,
    played_count,
    player_draws,
    total,
)
from tests.core.test_deals import RANK_OF_POINTS, any_rank, every_completion, rank_deals
from tests.transcription import table_of_play as transcription

rule = pytest.mark.rule

# The Banker's two-card total, and the points of the Player's third card on which it draws; "-" is a Player who stands.
BANKER_DRAWS_ON = {
    0: "-0123456789",
    1: "-0123456789",
    2: "-0123456789",
    3: "-01234567 9",
    4: "-  234567  ",
    5: "-    4567  ",
    6: "       67  ",
    7: "",
}


def four_cards(player: int, banker: int) -> tuple[Rank, ...]:
    """Four cards that give the hands these totals."""
    return RANK_OF_POINTS[player], RANK_OF_POINTS[banker], "T", "K"


@rule("rws-nc 3.2.1", "mbs 3.3.1", "rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.8")
def test_an_ace_counts_one() -> None:
    assert POINTS["A"] == 1


@rule("rws-nc 3.2.2", "mbs 3.3.1", "rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.8")
@pytest.mark.parametrize("face", range(2, 10))
def test_two_to_nine_count_their_face(face: int) -> None:
    assert POINTS[str(face)] == face


@rule("rws-nc 3.2.2", "mbs 3.3.2", "rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.8")
def test_a_ten_counts_nothing_in_a_total() -> None:
    """By rws-nc 3.2.2 it counts its face, ten; only the last digit of a total ever shows, so that is the same."""
    assert POINTS["T"] % 10 == 0
    for hand in product(RANKS, repeat=2):
        assert total((*hand, "T")) == total(hand)


@rule("rws-nc 3.2.3", "mbs 3.3.2", "rws-nc-insurance 3.8", "rws-nc-super-six-plus 3.8")
@pytest.mark.parametrize("picture", "JQK")
def test_a_picture_card_counts_nothing(picture: str) -> None:
    assert POINTS[picture] == 0


def test_every_rank_has_points_and_nothing_else_does() -> None:
    assert set(POINTS) == set(RANKS)
    assert sorted(POINTS.values()) == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]


@rule("mbs 3.4.1", "rws-nc 1.16", "rws-nc-super-six-plus 1:point-total", "rws-nc-insurance 3.8")
@pytest.mark.parametrize(
    ("hand", "points"), [("TK", 0), ("A", 1), ("AA", 2), ("42", 6), ("TA2", 3), ("K9", 9), ("333", 9)]
)
def test_a_sum_up_to_nine_is_the_total(hand: str, points: int) -> None:
    assert total(hand) == points


@rule("mbs 3.4.2", "rws-nc 1.16", "rws-nc-super-six-plus 1:point-total", "rws-nc-insurance 3.8")
@pytest.mark.parametrize(
    ("hand", "points"), [("55", 0), ("96", 5), ("99", 8), ("64", 0), ("TT7", 7), ("999", 7), ("998", 6)]
)
def test_of_a_sum_of_ten_or_more_the_last_digit_is_the_total(hand: str, points: int) -> None:
    assert total(hand) == points


@given(st.lists(any_rank, max_size=3))
def test_a_total_is_one_digit_whatever_the_order(hand: list[Rank]) -> None:
    assert total(hand) in range(10)
    assert total(hand) == total(hand[::-1]) == sum(POINTS[rank] for rank in hand) % 10


@rule("rws-nc 3.8", "rws-nc-insurance 3.4", "rws-nc-super-six-plus 3.4", "mbs 3.6.1", "mbs 3.6.2")
@given(st.tuples(any_rank, any_rank, any_rank, any_rank))
def test_first_and_third_cards_are_the_players_second_and_fourth_the_bankers(ranks: tuple[Rank, ...]) -> None:
    order = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert [next_hand(ranks[:place]) for place in range(4)] == order
    assert [hand_of(ranks, place) for place in range(4)] == order


@rule("rws-nc 1.9", "mbs 1.1.7", "mbs 1.1.6", "rws-nc-insurance 1:natural", "rws-nc-super-six-plus 1:natural")
def test_eight_or_nine_on_two_cards_in_either_hand_or_both_ends_the_round() -> None:
    assert [points for points in range(10) if is_natural(points)] == [8, 9]
    for player, banker in product(range(10), repeat=2):
        if player >= 8 or banker >= 8:
            ranks = four_cards(player, banker)
            assert next_hand(ranks) is None
            assert is_complete(ranks)
            assert not player_draws(player, banker)
            assert not any(banker_draws(player, banker, third) for third in (None, *range(10)))


@rule("mbs 1.1.7", "mbs 1.1.6", "rws-nc 1.9")
def test_eight_or_nine_on_three_cards_is_no_natural() -> None:
    """The Player reaches 9 with a third card, and the Banker still draws."""
    assert next_hand("TTTT9") is Hand.BANKER
    assert next_hand("TTTT8") is Hand.BANKER


@rule("rws-nc 3.9", "rws-nc 3.10", "rws-nc-insurance 3.6", "rws-nc-insurance 3.7")
@rule("rws-nc-super-six-plus 3.5", "rws-nc-super-six-plus 3.6", "mbs 3.8")
@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("player", range(8))
def test_the_whole_draw_table(player: int, banker: int) -> None:
    """Every two totals without a natural, and every third card that can follow."""
    ranks = four_cards(player, banker)
    if player <= 5:
        assert next_hand(ranks) is Hand.PLAYER
        for third in range(10):
            due = next_hand((*ranks, RANK_OF_POINTS[third]))
            assert due is (Hand.BANKER if str(third) in BANKER_DRAWS_ON[banker] else None), (player, banker, third)
    else:
        assert next_hand(ranks) is (Hand.BANKER if banker <= 5 else None)
        assert next_hand((*ranks, "A")) is None, "the Player stood, so the one third card was the Banker's"


@rule("rws-nc 3.9", "rws-nc-insurance 3.6", "rws-nc-super-six-plus 3.5")
def test_when_the_player_stands_the_banker_draws_to_five() -> None:
    for player, banker in product((6, 7), range(8)):
        assert banker_draws(player, banker, None) is (banker <= 5)
        assert (BANKER_DRAWS_ON[banker][:1] == "-") is (banker <= 5)


def test_each_answer_follows_from_points_alone() -> None:
    """T, J, Q and K are the same card to the Table of Play."""
    for ranks in product("TJQK5", repeat=5):
        assert next_hand(ranks) == next_hand(["T" if rank in "JQK" else rank for rank in ranks])


@given(st.lists(any_rank, max_size=9))
def test_played_count_is_where_the_first_round_ends(ranks: list[Rank]) -> None:
    played = played_count(ranks)
    assert played <= min(len(ranks), 6)
    assert all(next_hand(ranks[:count]) is not None for count in range(played))
    if played < len(ranks):
        assert next_hand(ranks[:played]) is None
        assert is_complete(ranks[:played])
        assert not is_complete(ranks), "there are cards in excess"
    else:
        assert is_complete(ranks) is (next_hand(ranks) is None)


@given(rank_deals())
def test_a_round_is_complete_exactly_at_its_end(ranks: tuple[Rank, ...]) -> None:
    assert [is_complete(ranks[:count]) for count in range(len(ranks) + 1)] == [False] * len(ranks) + [True]
    assert played_count(ranks) == len(ranks)
    for excess in "A9K":
        assert next_hand((*ranks, excess)) is None
        assert not is_complete((*ranks, excess))
        assert played_count((*ranks, excess)) == len(ranks)


@given(rank_deals())
def test_every_card_belongs_to_a_hand(ranks: tuple[Rank, ...]) -> None:
    hands = [hand_of(ranks, place) for place in range(len(ranks))]
    for hand in Hand:
        assert hands.count(hand) in (2, 3)
        played = transcription.play(ranks)
        own = tuple(rank for rank, belongs in zip(ranks, hands, strict=True) if belongs is hand)
        assert own == (played.player if hand is Hand.PLAYER else played.banker)
    with pytest.raises(AssertionError, match="beyond the end"):
        hand_of((*ranks, "A"), len(ranks))


def test_a_fifth_card_is_the_players_unless_the_player_stood() -> None:
    for player, banker in product(range(8), repeat=2):
        ranks = four_cards(player, banker)
        for deal in every_completion(ranks, RANK_OF_POINTS):
            if len(deal) > 4:
                assert hand_of(deal, 4) is (Hand.PLAYER if player <= 5 else Hand.BANKER)
            if len(deal) > 5:
                assert hand_of(deal, 5) is Hand.BANKER


def test_the_other_hand() -> None:
    assert Hand.PLAYER.other is Hand.BANKER
    assert Hand.BANKER.other is Hand.PLAYER
