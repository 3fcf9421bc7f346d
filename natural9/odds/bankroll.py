"""What a way of betting does to a bankroll: the distribution of a session's result, ruin and drawdown.

No way of betting changes a wager's expectation; it only moves the risk about. Amounts are whole cents, payments exact.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm, sqrt
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.money import MAX_CENTS, check_stake, show_cents
from natural9.core.wagers import Wager
from natural9.odds import bankroll_kernel
from natural9.odds.composition import Composition
from natural9.odds.distribution import OUTCOMES, PLACES, outcome_weights
from natural9.odds.insuring import NOT_INSURED, InsuranceTable, insurance_table
from natural9.odds.pricing import wager_odds
from natural9.odds.simulation import (
    PIECES_A_WORKER,
    USUAL_CUT,
    Progress,
    check_count,
    check_seed,
    check_shoe,
    crew_or_all,
)
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM
from natural9.odds.workers import Crew, work_through

BLOCK_SESSIONS: Final = 256
MOST_SESSIONS: Final = 10**10
MOST_ROUNDS_IN_A_SESSION: Final = 10**7
MOST_STEPS: Final = 1000
MOST_UNITS_IN_A_STEP: Final = 10**9
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_LARGEST_64_BIT: Final = 2**63 - 1
_WORTH_HANDING_OUT: Final = 2_000_000  # rounds in a piece, at the most, or one block


@dataclass(frozen=True, slots=True)
class Strategy:
    """Units to stake after so many losses in a row; a win goes back to the first, a push changes nothing.

    When the last step has lost too it is staked again (`hold`), or the progression starts over.
    """

    name: str
    steps: tuple[int, ...]
    hold: bool


FLAT: Final = Strategy("flat", (1,), hold=True)
MARTINGALE: Final = Strategy("martingale", tuple(2**losses for losses in range(30)), hold=True)


def progression(text: str) -> Strategy:
    """A progression of one's own.

    >>> progression("1,1,2,3,5").steps
    (1, 1, 2, 3, 5)
    """
    words = text.replace(",", " ").split()
    if not words or len(words) > MOST_STEPS or not all(word.isascii() and word.isdigit() for word in words):
        shown = text if len(text) < 60 else text[:60] + "..."
        raise BadInput("bad-progression", f"{shown!r} is not a progression: write units to stake, as in 1,1,2,3,5")
    steps = tuple(int(word[:12]) for word in words)
    for word, units in zip(words, steps, strict=True):
        if not 1 <= units <= MOST_UNITS_IN_A_STEP:
            most = f"{MOST_UNITS_IN_A_STEP:,}"
            raise BadInput("bad-progression", f"a step of {word[:20]} units is out of range: give 1 to {most}")
    return Strategy("progression", steps, hold=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """A player's intention: what to bet on, how, with how much, and for how long."""

    wager: str
    strategy: Strategy
    unit_cents: int
    bankroll_cents: int
    rounds: int
    table_max_cents: int | None = None
    insure: Fraction | None = None
    """Take every offer of insurance for this share of the cap."""


class Stakes(NamedTuple):
    """A plan in the cents of a game: stakes by losses in a row, and what `per` cents earn on each outcome."""

    stakes: NDArray[np.int64]
    per: int
    nets: NDArray[np.int64]
    insurance: InsuranceTable


def stakes_of(game: Game, plan: Plan) -> Stakes:
    """Refuses what cannot be played: unknown wagers, units that would pay fractions, limits below the unit."""
    wager = game.wager(plan.wager)
    check_stake(plan.unit_cents, plan.wager)
    check_count(plan.rounds, "rounds in a session", MOST_ROUNDS_IN_A_SESSION)
    for row in wager.rows:
        if row.odds:
            row.odds.winnings(plan.unit_cents)  # a fraction of a cent is refused there
    per = lcm(*(row.odds.denominator for row in wager.rows if row.odds))
    most = MAX_CENTS if plan.table_max_cents is None else plan.table_max_cents
    _check_limits(plan, most)
    capped = [min(plan.unit_cents * units, most // per * per) for units in plan.strategy.steps]
    nets = np.zeros(PLACES_IN_HISTOGRAM, np.int64)
    nets[PLACES] = [_net(wager, place, per) for place in range(len(OUTCOMES))]
    insured = NOT_INSURED if plan.insure is None else insurance_table(game, plan.wager, plan.insure)
    if plan.bankroll_cents + plan.rounds * max(capped) * (int(nets.max()) + per) // per > _LARGEST_64_BIT:
        raise BadInput("stake-too-large", "such stakes for so many rounds are more money than there is: make them less")
    return Stakes(np.array(capped, np.int64), per, nets, insured)


def _check_limits(plan: Plan, most: int) -> None:
    unit = plan.unit_cents
    if most > MAX_CENTS:
        raise BadInput("bad-limit", f"a table maximum of {show_cents(most)} is more than any table's")
    if most < unit:
        raise BadInput("bad-limit", f"a table maximum of {show_cents(most)} is less than the unit, {show_cents(unit)}")
    if not unit <= plan.bankroll_cents <= MAX_CENTS:
        raise BadInput(
            "bad-bankroll",
            f"a bankroll of {show_cents(plan.bankroll_cents)} is out of range: give {show_cents(unit)}, the unit, to "
            f"{show_cents(MAX_CENTS)}",
        )


def _net(wager: Wager, place: int, per: int) -> int:
    """What `per` cents earn on an outcome."""
    row = wager.row_for(OUTCOMES[place])
    return -per if row is None else row.odds.winnings(per) if row.odds else 0


@dataclass(frozen=True, slots=True)
class Distribution:
    """Whole numbers and how often each came, in order; as many as there are different ones, however many came."""

    values: tuple[int, ...]
    counts: tuple[int, ...]

    @staticmethod
    def of(counter: Counter[int]) -> "Distribution":
        values = sorted(counter)
        return Distribution(tuple(values), tuple(counter[value] for value in values))

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def sum(self) -> int:
        return sum(value * count for value, count in zip(self.values, self.counts, strict=True))

    @property
    def mean(self) -> float:
        return self.sum / self.total

    @property
    def standard_deviation(self) -> float:
        squares = sum(value * value * count for value, count in zip(self.values, self.counts, strict=True))
        return sqrt(Fraction(squares, self.total) - Fraction(self.sum, self.total) ** 2)

    def quantile(self, share: float) -> int:
        """The smallest value that at least this share of them does not exceed."""
        wanted = share * self.total
        reached = accumulate(self.counts)
        return next(
            (value for value, below in zip(self.values, reached, strict=True) if below >= wanted), self.values[-1]
        )

    def share_below(self, value: int) -> float:
        return sum(count for one, count in zip(self.values, self.counts, strict=True) if one < value) / self.total


@dataclass(frozen=True)
class SessionResults:
    """What became of all sessions."""

    game: Game
    plan: Plan
    decks: int
    cut: int
    seed: int
    asked_sessions: int
    sessions: int
    seconds: float
    result: Distribution
    drawdown: Distribution
    bets: Distribution
    staked_cents: int
    insured_cents: int
    insurance_won_cents: int
    exact: Fraction

    @property
    def interrupted(self) -> bool:
        return self.sessions < self.asked_sessions

    @property
    def result_stderr(self) -> float:
        return self.result.standard_deviation / sqrt(self.sessions)

    @property
    def risk_of_ruin(self) -> float:
        """How many sessions ended without the money for one more unit."""
        return self.result.share_below(self.plan.unit_cents - self.plan.bankroll_cents)

    @property
    def risk_of_ruin_stderr(self) -> float:
        return sqrt(self.risk_of_ruin * (1 - self.risk_of_ruin) / self.sessions)

    @property
    def mean_for_each_unit_staked(self) -> float:
        """Of the wager itself, insurance apart."""
        return (self.result.sum - self.insurance_won_cents) / self.staked_cents


class SessionsPiece(NamedTuple):
    seed: int
    decks: int
    cut: int
    plan: Plan
    stakes: Stakes
    first_block: int
    sessions: int


class SessionsPlayed(NamedTuple):
    sessions: int
    result: Counter[int]
    drawdown: Counter[int]
    bets: Counter[int]
    staked_cents: int
    insured_cents: int
    insurance_won_cents: int


def simulate_sessions(
    game: Game,
    plan: Plan,
    *,
    sessions: int,
    seed: int,
    decks: int = 8,
    cut: int = USUAL_CUT,
    crew: Crew | None = None,
    progress: Progress | None = None,
) -> SessionResults:
    """Play so many sessions; on Ctrl-C those played until then. The crew changes how long it takes, nothing else.

    >>> from natural9.games import load_game
    >>> plan = Plan("banker", MARTINGALE, unit_cents=10_00, bankroll_cents=1000_00, rounds=200, table_max_cents=500_00)
    >>> 0 < simulate_sessions(load_game("mbs-nc"), plan, sessions=1000, seed=9).risk_of_ruin < 1
    True
    """
    check_shoe(game, decks=decks, cut=cut)
    check_count(sessions, "sessions", MOST_SESSIONS)
    check_seed(seed)
    stakes = stakes_of(game, plan)
    result, drawdown, bets = Counter[int](), Counter[int](), Counter[int]()
    done = staked = insured = claims = 0
    whole = SessionsPiece(seed, decks, cut, plan, stakes, 0, sessions)
    play(whole._replace(sessions=0))  # loads the compiled code, which is none of the sessions' time
    start = perf_counter()
    with crew_or_all(crew) as working:
        try:
            for played in work_through(play, _pieces(whole, working.size), working):
                for total, counter in ((result, played.result), (drawdown, played.drawdown), (bets, played.bets)):
                    total.update(counter)
                done, staked = done + played.sessions, staked + played.staked_cents
                insured, claims = insured + played.insured_cents, claims + played.insurance_won_cents
                if progress is not None:
                    progress(done)
        except KeyboardInterrupt:
            if not done:
                raise
    seconds = perf_counter() - start
    found = Distribution.of(result), Distribution.of(drawdown), Distribution.of(bets)
    exact = wager_odds(game.wager(plan.wager), outcome_weights(Composition.of(decks=decks))).expected
    money = staked, insured, claims
    return SessionResults(game, plan, decks, cut, seed, sessions, done, seconds, *found, *money, exact)


def _pieces(whole: SessionsPiece, crew_size: int) -> Iterator[SessionsPiece]:
    blocks = -(-whole.sessions // BLOCK_SESSIONS)
    worth_it = _WORTH_HANDING_OUT // (BLOCK_SESSIONS * whole.plan.rounds)
    in_a_piece = max(1, min(worth_it, blocks // (PIECES_A_WORKER * crew_size)))
    for first in range(0, blocks, in_a_piece):
        left = whole.sessions - first * BLOCK_SESSIONS
        yield whole._replace(first_block=first, sessions=min(left, in_a_piece * BLOCK_SESSIONS))


def play(piece: SessionsPiece) -> SessionsPlayed:
    """What a worker does, here or on another machine."""
    won, drawdowns, bets, staked, insured, claims = (np.zeros(piece.sessions, np.int64) for _ in range(6))
    plan, stakes, seed = piece.plan, piece.stakes, np.uint64(piece.seed)
    for block, first in enumerate(range(0, piece.sessions, BLOCK_SESSIONS), piece.first_block):
        here = slice(first, first + BLOCK_SESSIONS)
        bankroll_kernel.play_sessions(
            seed, np.uint64(block), piece.decks, piece.cut, plan.rounds, plan.bankroll_cents, plan.unit_cents,
            stakes.stakes, plan.strategy.hold, stakes.per, stakes.nets, *stakes.insurance,
            won[here], drawdowns[here], bets[here], staked[here], insured[here], claims[here],
        )  # fmt: skip
    money = (sum(cents.tolist()) for cents in (staked, insured, claims))
    return SessionsPlayed(piece.sessions, _counted(won), _counted(drawdowns), _counted(bets), *money)


def _counted(values: NDArray[np.int64]) -> Counter[int]:
    different, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(different.tolist(), counts.tolist(), strict=True)))
