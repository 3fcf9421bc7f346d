"""What the exact odds of a fresh shoe expect of a stake, and how far chance may carry it."""

from collections.abc import Collection

from msgspec import Struct

from natural9.core.game import Game
from natural9.core.insurance import InsuranceRow, Window
from natural9.core.outcome import Outcome
from natural9.core.wagers import Result

Situation = tuple[str, Window, int, int]  # the line of insurance, and the points of Player and Banker then
Bet = str | Situation  # a wager by its id, or insurance by where it was taken


class Expected(Struct, frozen=True):
    """For each unit staked: the house edge of each bet, and the covariance of each two in one round.

    Insurance is taken when cards lie: its chances, and what it has in common with another bet of the round, are those
    of the rounds that come to the same points, at the later of two windows. A bet owes its edge from when it is made,
    so that over the rounds these covariances sum to the variance of the whole. Which cards made the points is not
    asked: that is exact for what is insured by the points, and an approximation for whoever insures by the cards.
    """

    edge: dict[Bet, float]
    covariance: dict[tuple[Bet, Bet], float]


def expected_of(game: Game, decks: int, insured: Collection[Situation] = ()) -> Expected:
    """Every wager of the game, and insurance taken in these situations; one that these rules lack is left out."""
    from natural9.odds.composition import Composition
    from natural9.odds.distribution import OUTCOMES, outcome_weights
    from natural9.odds.insurance import situation_weights
    from natural9.odds.pricing import nets_by_outcome

    def chances_of(weights: dict[Outcome, int]) -> list[tuple[int, float]]:
        """Of the outcomes that can come, by their places."""
        everything = sum(weights.values())
        return [(place, weights[one] / everything) for place, one in enumerate(OUTCOMES) if weights.get(one)]

    shoe = Composition.of(decks=decks)
    reached = {situation: situation_weights(shoe, *situation[1:]) for situation in insured}
    rows = {situation: row for situation in insured if reached[situation] and (row := _row(game, situation))}
    bets: list[Bet] = [*(wager.id for wager in game.wagers), *rows]
    insurance = [[_net(row, outcome) for outcome in OUTCOMES] for row in rows.values()]
    nets = dict(zip(bets, [*nets_by_outcome(game), *insurance], strict=True))
    edge: dict[Bet, float] = {}
    covariance: dict[tuple[Bet, Bet], float] = {}

    def price(bet: Bet, chances: list[tuple[int, float]]) -> None:
        """One bet with all that came before it in the round."""
        own = [(place, chance * nets[bet][place]) for place, chance in chances]
        mean = sum(value for _, value in own)
        edge[bet] = -mean
        for other, net in nets.items():
            if not _is_later(other, bet):
                means = mean * sum(chance * net[place] for place, chance in chances)
                value = sum(net[place] * value for place, value in own) - means
                covariance[bet, other] = covariance[other, bet] = value

    fresh = chances_of(outcome_weights(shoe))
    for bet in bets:
        if isinstance(bet, str):
            price(bet, fresh)
    for situation in rows:
        price(situation, chances_of(reached[situation]))
    return Expected(edge, covariance)


def _is_later(bet: Bet, other: Bet) -> bool:
    return _taken_at(bet) > _taken_at(other)


def _taken_at(bet: Bet) -> int:
    """After so many cards."""
    return 0 if isinstance(bet, str) else bet[1].cards


def _row(game: Game, situation: Situation) -> InsuranceRow | None:
    """The line of the game's insurance table that is on offer there."""
    wager, window, player, banker = situation
    rows = game.insurance.rows if game.insurance else ()
    for row in rows:
        fits = player in row.player_totals and banker in row.banker_totals
        if (row.wager, row.window) == (wager, window) and fits:
            return row
    return None


def _net(row: InsuranceRow, outcome: Outcome) -> float:
    result = row.result(outcome)
    return float(row.odds.ratio) if result is Result.WIN else 0.0 if result is Result.PUSH else -1.0
