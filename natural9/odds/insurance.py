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
Path = tuple[int, int, int | None]  # both two-card totals, and the points of the Player's third card if it has one


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
    found = _winners_by_situation(points_of(shoe))
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


def points_of(shoe: Composition) -> list[int]:
    """Cards left by point value."""
    return [sum(shoe.counts[9:]), *shoe.counts[:9]]


def _winners_by_situation(left: list[int]) -> defaultdict[Situation, dict[Winner, int]]:
    """For each situation, the ordered six-card deals through it that each winner takes."""
    found: defaultdict[Situation, dict[Winner, int]] = defaultdict(lambda: dict.fromkeys(Winner, 0))
    for (player, banker, third), winners in winners_by_path(left).items():
        for winner, weight in winners.items():
            found[Window.FOUR_CARDS, player, banker][winner] += weight
            if third is not None and banker_draws(player, banker, third):
                found[Window.THIRD_CARD, (player + third) % 10, banker][winner] += weight
    return found


def winners_by_path(left: list[int]) -> defaultdict[Path, dict[Winner, int]]:
    """For each path of a round in which a draw is to come after four cards, the deals that each winner takes."""
    found: defaultdict[Path, dict[Winner, int]] = defaultdict(lambda: dict.fromkeys(Winner, 0))
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
    found: defaultdict[Path, dict[Winner, int]], player: int, banker: int, left: list[int], ways: int, cards: int
) -> None:
    if not player_draws(player, banker):
        if banker_draws(player, banker, None):
            stood = found[player, banker, None]
            for last in range(10):
                stood[_winner(player, banker + last)] += ways * left[last] * (cards - 1)
        return
    for third in range(10):
        drawn, final, drew = ways * left[third], (player + third) % 10, found[player, banker, third]
        if not banker_draws(player, banker, third):
            drew[_winner(final, banker)] += drawn * (cards - 1)
            continue
        for last in range(10):
            drew[_winner(final, banker + last)] += drawn * (left[last] - (last == third))


def _winner(player: int, banker: int) -> Winner:
    if player == banker % 10:
        return Winner.TIE
    return Winner.PLAYER if player > banker % 10 else Winner.BANKER
