"""What insurance is worth: each line of the pay table, at each pair of point totals at which it is offered."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

from natural9.core.insurance import Insurance, InsuranceRow, Window
from natural9.core.outcome import Outcome, Winner
from natural9.core.table_of_play import banker_draws, player_draws
from natural9.odds.composition import Composition, ordered_draws
from natural9.odds.distribution import weights_from_totals

Situation = tuple[Window, int, int]  # a window, with the points of Player and Banker when it opens


@dataclass(frozen=True, slots=True)
class InsuranceOdds:
    """A line of the insurance table at one pair of totals: how often it is offered there, and what it is worth."""

    row: InsuranceRow
    player_total: int
    banker_total: int
    arises: Fraction
    win: Fraction
    push: Fraction
    lose: Fraction

    @property
    def expected(self) -> Fraction:
        return self.win * self.row.odds.ratio - self.lose


def insurance_odds(insurance: Insurance, shoe: Composition) -> tuple[InsuranceOdds, ...]:
    """Every line at every pair of totals, for a round about to be dealt from this shoe."""
    found = _winners_by_situation(_points(shoe))
    everything = ordered_draws(shoe.cards, 6)
    return tuple(
        _priced(row, player, banker, found[row.window, player, banker], everything)
        for row in insurance.rows
        for player in row.player_totals
        for banker in row.banker_totals
        if sum(found[row.window, player, banker].values())
    )


def situation_weights(shoe: Composition, window: Window, player_total: int, banker_total: int) -> dict[Outcome, int]:
    """The ordered six-card deals of a round in which this window opens at these points, by the outcome they end in."""
    if window is Window.FOUR_CARDS:
        return weights_from_totals(shoe, player_total=player_total, banker_total=banker_total)
    weights: Counter[Outcome] = Counter()
    for two_cards in range(10):  # the Player's total before its third card
        dealt = weights_from_totals(shoe, player_total=two_cards, banker_total=banker_total)
        for outcome, weight in dealt.items():
            if (outcome.player_cards, outcome.banker_cards, outcome.player_total) == (3, 3, player_total):
                weights[outcome] += weight
    return weights


def _priced(row: InsuranceRow, player: int, banker: int, winners: dict[Winner, int], everything: int) -> InsuranceOdds:
    cases = sum(winners.values())
    tie = Fraction(winners[Winner.TIE], cases)
    hand_loses = Fraction(winners[Winner(row.hand.other)], cases)
    win, push = (tie, Fraction()) if row.wins_on_tie else (hand_loses, tie)
    return InsuranceOdds(row, player, banker, Fraction(cases, everything), win, push, 1 - win - push)


def _points(shoe: Composition) -> list[int]:
    """Cards left by point value."""
    return [sum(shoe.counts[9:]), *shoe.counts[:9]]


def _winners_by_situation(left: list[int]) -> defaultdict[Situation, dict[Winner, int]]:
    """For each situation, the ordered six-card deals through it that each winner takes."""
    found: defaultdict[Situation, dict[Winner, int]] = defaultdict(lambda: dict.fromkeys(Winner, 0))
    cards = sum(left)
    for first in range(10):
        for second in range(10):
            player = (first + second) % 10
            for third in range(10):
                for fourth in range(10):
                    banker = (third + fourth) % 10
                    ways = 1
                    counts = list(left)
                    for value in (first, second, third, fourth):
                        ways *= counts[value]
                        counts[value] -= 1
                    if ways:
                        _draw(found, player, banker, counts, ways, cards - 4)
    return found


def _draw(
    found: defaultdict[Situation, dict[Winner, int]], player: int, banker: int, left: list[int], ways: int, cards: int
) -> None:
    four = found[Window.FOUR_CARDS, player, banker]
    if not player_draws(player, banker):
        if banker_draws(player, banker, None):
            for last in range(10):
                four[_winner(player, banker + last)] += ways * left[last] * (cards - 1)
        return
    for third in range(10):
        drawn, final = ways * left[third], (player + third) % 10
        if not banker_draws(player, banker, third):
            four[_winner(final, banker)] += drawn * (cards - 1)
            continue
        five = found[Window.THIRD_CARD, final, banker]
        for last in range(10):
            weight = drawn * (left[last] - (last == third))
            winner = _winner(final, banker + last)
            four[winner] += weight
            five[winner] += weight


def _winner(player: int, banker: int) -> Winner:
    if player == banker % 10:
        return Winner.TIE
    return Winner.PLAYER if player > banker % 10 else Winner.BANKER
