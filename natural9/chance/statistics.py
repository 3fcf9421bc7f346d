"""What is counted in shoes as they are dealt, and how likely that is if every order is as likely as any other.

A shoe is given as the numbers of its cards before they were shuffled (0 to 415 with eight decks), in the order in which
they come: card number n is `ALL_CARDS[n % 52]`. So it is known of every single card where it went.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from natural9.chance.rounds import RANK, deal_rounds
from natural9.chance.tails import chi_square_p, normal_p
from natural9.core.outcome import Outcome, Winner
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights

Shoes = NDArray[Any]
_RED: Final = np.array([card // 13 in (1, 2) for card in range(CARDS_IN_A_DECK)])  # C D H S, 13 of each


class ChanceFinding(Struct, frozen=True, kw_only=True):
    """One test: what was counted, how far from what is due, and how likely it is to be at least so far."""

    name: str
    words: str
    found: str
    p: float


def positions(shoes: Shoes) -> ChanceFinding:
    """Of all shoes together, how often each of the 52 cards came in each place."""
    many, size = shoes.shape
    places = np.broadcast_to(np.arange(size), shoes.shape)
    cells = np.bincount((places * CARDS_IN_A_DECK + shoes % CARDS_IN_A_DECK).ravel(), minlength=size * CARDS_IN_A_DECK)
    due = many / CARDS_IN_A_DECK
    # Every shoe has each card as often as it should: so cells vary by size / (size - 1) more than a plain table's.
    statistic = float(((cells - due) ** 2).sum() / due) * (size - 1) / size
    return _chi_square(
        "positions", "each of the 52 cards comes in each place as often", statistic, (size - 1) * (CARDS_IN_A_DECK - 1)
    )


def neighbours(shoes: Shoes) -> ChanceFinding:
    """Which single card follows which, the first one after the last: a shoe is then one cycle through all cards.

    Of cycles that are all as likely, counts that go both ways alike vary by 1 / (n - 1) a shoe, and those that differ
    between the two ways by n / (n - 2) times as much; both parts are chi-squares.
    """
    many, size = shoes.shape
    after = np.roll(shoes, -1, axis=1)
    counts = np.bincount((shoes.astype(np.int64) * size + after).ravel(), minlength=size * size).reshape(size, size)
    away = counts - many / (size - 1)
    np.fill_diagonal(away, 0)
    alike, apart = (away + away.T) / 2, (away - away.T) / 2
    scale = (size - 1) / many
    statistic = float((alike**2).sum() * scale + (apart**2).sum() * scale * (size - 2) / size)
    degrees = size * (size - 3) // 2 + (size - 1) * (size - 2) // 2
    return _chi_square("neighbours", "each card follows each other one as often", statistic, degrees)


def ranks_side_by_side(shoes: Shoes) -> ChanceFinding:
    """How often two cards of a rank lie side by side."""
    ranks = RANK[shoes % CARDS_IN_A_DECK]
    found = (ranks[:, 1:] == ranks[:, :-1]).sum(axis=1)
    size = shoes.shape[1]
    of_a_rank = size // 13
    pair = (of_a_rank - 1) / (size - 1)
    three = pair * (of_a_rank - 2) / (size - 2)
    other_pair = (of_a_rank - 2) * (of_a_rank - 3) + 12 * of_a_rank * (of_a_rank - 1)
    apart = pair * other_pair / ((size - 2) * (size - 3))
    mean = (size - 1) * pair
    variance = mean + 2 * (size - 2) * three + (size - 2) * (size - 3) * apart - mean**2
    return _mean(
        "ranks side by side", "two cards of a rank lie side by side as often as they should", found, mean, variance
    )


def rises(shoes: Shoes) -> ChanceFinding:
    """How often a card lay further back in the unshuffled shoe than the one before it."""
    size = shoes.shape[1]
    found = (shoes[:, 1:] > shoes[:, :-1]).sum(axis=1)
    words = "a card comes from further back than the one before it half of the time"
    return _mean("rises", words, found, (size - 1) / 2, (size + 1) / 12)


def place_before_and_after(shoes: Shoes) -> ChanceFinding:
    """Whether cards from the front of the unshuffled shoe tend to any end of the shuffled one."""
    size = shoes.shape[1]
    centred = np.arange(size) - (size - 1) / 2
    found = (shoes - (size - 1) / 2) @ centred / (centred**2).sum()
    words = "the place before the shuffle says nothing of the place after it"
    return _mean("place before and after", words, found, 0.0, 1 / (size - 1))


def runs_up_and_down(shoes: Shoes) -> ChanceFinding:
    """Runs of cards from ever further back, or ever further front."""
    size = shoes.shape[1]
    up = shoes[:, 1:] > shoes[:, :-1]
    found = 1 + (up[:, 1:] != up[:, :-1]).sum(axis=1)
    words = "runs up and down through the unshuffled shoe are as many as they should"
    return _mean("runs up and down", words, found, (2 * size - 1) / 3, (16 * size - 29) / 90)


def runs_of_a_colour(shoes: Shoes) -> ChanceFinding:
    """Runs of red and of black cards."""
    size = shoes.shape[1]
    red = _RED[shoes % CARDS_IN_A_DECK]
    found = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
    words = "runs of red and of black cards are as many as they should"
    return _mean("runs of a colour", words, found, *_runs_due(size // 2, size // 2))


def _runs_due(first: Any, second: Any) -> tuple[Any, Any]:
    """Mean and variance of the number of runs in so many of two kinds, in any order (Wald and Wolfowitz)."""
    both, total = 2 * first * second, first + second
    return 1 + both / total, both * (both - total) / (total**2 * (total - 1))


def shoe_after_shoe(shoes: Shoes) -> ChanceFinding:
    """In how many places a shoe has the very card that the shoe before had there: one, on average."""
    found = (shoes[1:] == shoes[:-1]).sum(axis=1)
    return _mean("shoe after shoe", "a shoe says nothing of the next one", found, 1.0, 1.0)


def outcomes(shoes: Shoes) -> ChanceFinding:
    """How rounds end: who wins with how many cards, and pairs, against the exact chances.

    Rounds of one shoe depend on each other a little; shoes do not. So each shoe counts as one observation, and their
    own scatter says how far the means may be from what is due (Hotelling's test).
    """
    dealt = deal_rounds(shoes % CARDS_IN_A_DECK)
    side = np.sign(dealt.player_total - dealt.banker_total)
    kinds = [(winner, cards) for winner in (1, -1, 0) for cards in (4, 5, 6)][:-1]  # the last follows from the others
    columns = [((side == winner) & (dealt.cards == cards)).sum(axis=1) for winner, cards in kinds]
    columns += [dealt.player_pair.sum(axis=1), dealt.banker_pair.sum(axis=1)]
    counted = np.stack(columns, axis=1).astype(float)
    due = np.array(_chances(shoes.shape[1] // CARDS_IN_A_DECK)) * dealt.cards.shape[1]
    away = counted.mean(axis=0) - due
    many, width = counted.shape
    squared = many * float(away @ np.linalg.solve(np.cov(counted, rowvar=False), away))
    words = "rounds end as the exact chances say: the winner by the number of cards, and pairs"
    return _chi_square("outcomes", words, squared * (many - width) / (many - 1), width)


@cache
def _chances(decks: int) -> tuple[float, ...]:
    weights = outcome_weights(Composition.of(decks=decks))
    whole = sum(weights.values())

    def chance(holds: Callable[[Outcome], bool]) -> float:
        return sum(weight for outcome, weight in weights.items() if holds(outcome)) / whole

    kinds = [(winner, cards) for winner in (Winner.PLAYER, Winner.BANKER, Winner.TIE) for cards in (4, 5, 6)][:-1]
    ends = [
        chance(lambda one, w=winner, n=cards: one.winner is w and one.player_cards + one.banker_cards == n)  # type: ignore[misc]
        for winner, cards in kinds
    ]
    return (*ends, chance(lambda one: one.player_pair), chance(lambda one: one.banker_pair))


def streaks(shoes: Shoes) -> ChanceFinding:
    """Runs of the Player's and of the Banker's wins, ties left out: how many a shoe has, given how often each won."""
    dealt = deal_rounds(shoes % CARDS_IN_A_DECK)
    found = mean = variance = 0.0
    for side in np.sign(dealt.player_total - dealt.banker_total):
        won = side[side != 0]
        first, second = int((won > 0).sum()), int((won < 0).sum())
        if first and second and first + second > 2:
            due, spread = _runs_due(first, second)
            found += 1 + int((won[1:] != won[:-1]).sum())
            mean, variance = mean + due, variance + spread
    away = (found - mean) / sqrt(variance)
    words = "winning streaks are as many as they should be, given how often each side won"
    return ChanceFinding(name="streaks", words=words, found=f"{away:+.2f} deviations", p=normal_p(away))


def drawn_bytes(drawn: bytes) -> ChanceFinding:
    """The bytes themselves."""
    counts = np.bincount(np.frombuffer(drawn, np.uint8), minlength=256)
    due = len(drawn) / 256
    statistic = float(((counts - due) ** 2).sum() / due)
    return _chi_square("bytes", "each of the 256 bytes is drawn as often", statistic, 255)


def even_counts(name: str, words: str, counts: list[int]) -> ChanceFinding:
    """Things that should all have come as often."""
    due = sum(counts) / len(counts)
    return _chi_square(name, words, sum((count - due) ** 2 for count in counts) / due, len(counts) - 1)


def _chi_square(name: str, words: str, statistic: float, degrees: int) -> ChanceFinding:
    found = f"chi-square {statistic:,.0f}, {degrees:,} due"
    return ChanceFinding(name=name, words=words, found=found, p=chi_square_p(statistic, degrees))


def _mean(name: str, words: str, found: Shoes, mean: float, variance: float) -> ChanceFinding:
    """A number of every shoe, of which mean and variance are known."""
    away = (float(found.mean()) - mean) / sqrt(variance / len(found))
    return ChanceFinding(name=name, words=words, found=f"{away:+.2f} deviations", p=normal_p(away))


OF_SHOES: Final[tuple[Callable[[Shoes], ChanceFinding], ...]] = (
    *(positions, neighbours, ranks_side_by_side, rises, place_before_and_after),
    *(runs_up_and_down, runs_of_a_colour, shoe_after_shoe, outcomes, streaks),
)
