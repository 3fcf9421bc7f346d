"""What insuring at every offer comes to: each row of the insurance table, as played and exactly.

Somebody who has backed a hand insures it in both windows, each time for a stake that pays a flat share of the original
bet, or what is left under the cap (rws-nc-insurance 3.5.2). Stakes and results are for each unit of that bet.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import Insurance, InsuranceRow, Window
from natural9.core.outcome import Winner
from natural9.core.table_of_play import Hand, banker_draws
from natural9.core.wagers import Result
from natural9.odds.composition import Composition
from natural9.odds.insurance import Path, points_of, winners_by_path
from natural9.odds.simulation_kernel import BANKER_WON, NO_THIRD, PLAYER_WON, TIED

FINEST_SHARE: Final = 10**6  # so that cents times a share stay whole numbers of 64 bits
SUSPICIOUS_Z: Final = 4.0
PathCounts = Mapping[Path, Mapping[Winner, int]]
_PLACE_OF = {Winner.PLAYER: PLAYER_WON, Winner.BANKER: BANKER_WON, Winner.TIE: TIED}


@dataclass(frozen=True, slots=True)
class InsuranceResult:
    """What a row came to for each unit staked on it, beside its exact worth for a round from a fresh shoe."""

    row: InsuranceRow
    offers: int
    staked: float
    """For each unit of the original bets, in all rounds."""
    mean: float
    stderr: float
    exact: Fraction

    @property
    def z(self) -> float:
        return (self.mean - float(self.exact)) / self.stderr if self.stderr else 0.0

    @property
    def suspicious(self) -> bool:
        return abs(self.z) > SUSPICIOUS_Z


def check_share(game: Game, share: Fraction) -> Insurance:
    """Refuses a share that is none, and a game without insurance."""
    if game.insurance is None:
        raise BadInput("no-insurance", f"{game.id} has no insurance")
    if not 0 < share <= 1 or share.denominator > FINEST_SHARE:
        raise BadInput(
            "bad-share",
            f"{float(share):g} is no share of the cap: give more than 0, 1 at the most, in millionths at the finest",
        )
    return game.insurance


def parse_share(text: str) -> Fraction:
    """A share of the cap.

    >>> parse_share("0.25"), parse_share("1/3")
    (Fraction(1, 4), Fraction(1, 3))
    """
    try:
        if len(text) <= 20:
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise BadInput("bad-share", f"{text[:20]!r} is no share of the cap: write 1, 0.5 or 1/3")


def insurance_results(
    game: Game, share: Fraction, paths: NDArray[np.int64], rounds: int, decks: int
) -> tuple[InsuranceResult, ...]:
    """Every row of the game's table, from the paths of so many rounds (by `simulation_kernel.PATHS`)."""
    insurance = check_share(game, share)
    counted = _by_row(insurance, share, _as_mapping(paths))
    exactly = _by_row(insurance, share, winners_by_path(points_of(Composition.of(decks=decks))))
    return tuple(_result(row, counted[place], exactly[place], rounds) for place, row in enumerate(insurance.rows))


def _as_mapping(paths: NDArray[np.int64]) -> PathCounts:
    """The paths that came, as the exact ones are kept."""
    found: dict[Path, dict[Winner, int]] = {}
    for player, banker, third in np.argwhere(paths.sum(axis=3)).tolist():
        counts = paths[player, banker, third].tolist()
        key = (player, banker, None if third == NO_THIRD else third)
        found[key] = {winner: counts[place] for winner, place in _PLACE_OF.items()}
    return found


_Stakes = list[tuple[Fraction, Fraction, int]]  # a stake on a row, what each unit of it netted, and how often


def _by_row(insurance: Insurance, share: Fraction, counts: PathCounts) -> list[_Stakes]:
    found: list[_Stakes] = [[] for _ in insurance.rows]
    for path, winners in counts.items():
        for place, stake in stakes_on(insurance, share, path):
            row = insurance.rows[place]
            for winner, count in winners.items():
                if count:
                    net = {Result.WIN: row.odds.ratio, Result.PUSH: Fraction(), Result.LOSE: Fraction(-1)}
                    found[place].append((stake, net[row.result_for(winner)], count))
    return found


def stakes_on(insurance: Insurance, share: Fraction, path: Path) -> Iterator[tuple[int, Fraction]]:
    """What is staked on which row in a round of this path, by those who backed either hand."""
    player, banker, third = path
    left = dict.fromkeys((row.hand for row in insurance.rows), Fraction(1))
    windows = [(Window.FOUR_CARDS, player)]
    if third is not None and banker_draws(player, banker, third):
        windows.append((Window.THIRD_CARD, (player + third) % 10))
    for window, total in windows:
        for place, row in enumerate(insurance.rows):
            if row.window is window and total in row.player_totals and banker in row.banker_totals:
                pays = min(share, left[row.hand])
                left[row.hand] -= pays
                if pays:
                    yield place, pays / row.odds.ratio


def _result(row: InsuranceRow, counted: _Stakes, exactly: _Stakes, rounds: int) -> InsuranceResult:
    exact_stake = sum((stake * count for stake, _, count in exactly), Fraction())
    exact = sum((stake * net * count for stake, net, count in exactly), Fraction()) / exact_stake
    staked = float(sum((stake * count for stake, _, count in counted), Fraction()))
    offers = sum(count for _, _, count in counted)
    if not offers:
        return InsuranceResult(row, 0, 0.0, 0.0, 0.0, exact)
    mean = float(sum((stake * net * count for stake, net, count in counted), Fraction())) / staked
    squares = sum(float(stake) ** 2 * (float(net) - mean) ** 2 * count for stake, net, count in counted)
    return InsuranceResult(row, offers, staked / rounds, mean, sqrt(squares) / staked, exact)


class InsuranceTable(NamedTuple):
    """A hand's insurance, for compiled code: see `bankroll_kernel.play_sessions`."""

    offers: NDArray[np.int64]
    rows: NDArray[np.int64]
    share: NDArray[np.int64]


NOT_INSURED = InsuranceTable(np.full((2, 10, 10), -1), np.zeros((1, 3), np.int64), np.array([0, 1]))


def insurance_table(game: Game, wager: str, share: Fraction) -> InsuranceTable:
    """What can be insured by somebody who bets on this wager."""
    insurance = check_share(game, share)
    hand = next((hand for hand in Hand if wager == hand), None)
    if hand is None:
        raise BadInput("not-insurable", f"a bet on {wager} cannot be insured: only those on player and banker can")
    rows = [row for row in insurance.rows if row.hand is hand]
    offers = np.full((2, 10, 10), -1)
    for place, row in enumerate(rows):
        for player in row.player_totals:
            offers[int(row.window is Window.THIRD_CARD), player, list(row.banker_totals)] = place
    terms = [(row.odds.ratio.numerator, row.odds.ratio.denominator, _wins_for(row)) for row in rows]
    return InsuranceTable(offers, np.array(terms), np.array([share.numerator, share.denominator]))


def _wins_for(row: InsuranceRow) -> int:
    return next(place for winner, place in _PLACE_OF.items() if row.result_for(winner) is Result.WIN)
