"""The deals that the other tests draw from, and that they are what they say they are."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, RANKS, Card, Rank
from natural9.core.outcome import Outcome
from natural9.core.table_of_play import is_complete, next_hand
from tests.transcription import table_of_play as transcription

# One rank for each number of points, in the order of the points: the Ten stands for all that count nothing.
RANK_OF_POINTS = "TA23456789"
# Every two-card hand that differs in its total or in the rank of its pair.
TWO_CARD_HANDS = ("TJ", *(f"T{rank}" for rank in "A23456789"), *(rank * 2 for rank in RANKS))

any_rank = st.sampled_from(RANKS)
any_card = st.sampled_from(ALL_CARDS)


def first_round(ranks: Sequence[Rank]) -> tuple[Rank, ...]:
    """As many of at least six ranks as one round takes: by the transcription, not by the code under test."""
    return next(tuple(ranks[:count]) for count in (4, 5, 6) if transcription.is_complete(ranks[:count]))


def rank_deals() -> st.SearchStrategy[tuple[Rank, ...]]:
    """Whole rounds, by ranks."""
    return st.tuples(*[any_rank] * 6).map(first_round)


@st.composite
def rank_prefixes(draw: st.DrawFn, *, least: int = 0, most: int = 6) -> tuple[Rank, ...]:
    """The first cards of a round, by ranks; the whole of it where the round has no more."""
    return draw(rank_deals())[: draw(st.integers(least, most))]


@st.composite
def card_prefixes(draw: st.DrawFn) -> tuple[Card, ...]:
    """The first cards of a round, with their suits."""
    six = draw(st.tuples(*[any_card] * 6))
    whole = len(first_round([card.rank for card in six]))
    return six[: draw(st.integers(0, whole))]


def every_completion(ranks: tuple[Rank, ...], drawn_from: str = RANKS) -> Iterator[tuple[Rank, ...]]:
    """Brute force: every whole round that begins with these ranks."""
    if next_hand(ranks) is None:
        yield ranks
        return
    for rank in drawn_from:
        yield from every_completion((*ranks, rank), drawn_from)


def dealt(player: str, banker: str) -> tuple[Rank, ...]:
    """Two two-card hands in the order in which they are dealt."""
    return player[0], banker[0], player[1], banker[1]


@cache
def a_deal_for_each_outcome() -> dict[Outcome, tuple[Rank, ...]]:
    """Every outcome that a deal can have, with one deal that has it."""
    found: dict[Outcome, tuple[Rank, ...]] = {}
    for player, banker in product(TWO_CARD_HANDS, repeat=2):
        for deal in every_completion(dealt(player, banker), RANK_OF_POINTS):
            found.setdefault(Outcome.of(deal), deal)
    return found


@given(rank_deals())
def test_a_drawn_deal_is_one_whole_round(ranks: tuple[Rank, ...]) -> None:
    assert is_complete(ranks)
    assert 4 <= len(ranks) <= 6


@given(rank_prefixes(least=2))
def test_a_drawn_prefix_can_be_completed(ranks: tuple[Rank, ...]) -> None:
    whole = next(every_completion(ranks))
    assert whole[: len(ranks)] == ranks
    assert is_complete(whole)


def test_the_two_card_hands_are_all_that_there_are() -> None:
    """Every total without a pair, and every pair: nothing else of two cards ever matters."""
    classes = {(transcription.total(hand), hand[0] if hand[0] == hand[1] else "") for hand in product(RANKS, repeat=2)}
    assert {(transcription.total(hand), hand[0] if hand[0] == hand[1] else "") for hand in TWO_CARD_HANDS} == classes
    assert len(TWO_CARD_HANDS) == len(classes) == 23
