"""What ways of betting do to a bankroll, against sessions played in Python and against exact arithmetic."""

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from natural9.core.errors import BadInput
from natural9.core.insurance import Window
from natural9.core.outcome import Outcome
from natural9.games import load_game
from natural9.odds.bankroll import (
    BLOCK_SESSIONS,
    FLAT,
    MARTINGALE,
    Distribution,
    Plan,
    SessionResults,
    Strategy,
    progression,
    simulate_sessions,
    stakes_of,
)
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights
from natural9.odds.workers import threads
from tests.odds.test_simulation import Dealer

GAME = load_game("mbs-nc")
EACH_ROUND_A_NEW_SHOE = 8 * 52 - 1  # cards behind the cut card, which then comes out in every first round


def stake_of(plan: Plan, losses: int, money: int, per: int = 2) -> int:
    steps = plan.strategy.steps
    step = min(losses, len(steps) - 1) if plan.strategy.hold else losses % len(steps)
    return min(plan.unit_cents * steps[step], plan.table_max_cents or money, money // per * per)


def net_of(wager: str, outcome: Outcome, stake: int) -> int:
    row = GAME.wager(wager).row_for(outcome)
    return -stake if row is None else row.odds.winnings(stake) if row.odds else 0


def session(dealer: Dealer, plan: Plan) -> tuple[int, int, int, int]:
    """A session by the words of the manual: result, drawdown, bets, staked."""
    history, staked, losses = [plan.bankroll_cents], 0, 0
    while len(history) <= plan.rounds and history[-1] >= plan.unit_cents:
        stake = stake_of(plan, losses, history[-1])
        net = net_of(plan.wager, Outcome.of(dealer.round()), stake)
        losses = 0 if net > 0 else losses + (net < 0)
        history.append(history[-1] + net)
        staked += stake
    drawdown = max(max(history[: place + 1]) - money for place, money in enumerate(history))
    return history[-1] - history[0], drawdown, len(history) - 1, staked


PLANS = [
    Plan("banker", FLAT, unit_cents=10_00, bankroll_cents=100_00, rounds=120),
    Plan("player", MARTINGALE, unit_cents=10_00, bankroll_cents=1000_00, rounds=100, table_max_cents=500_00),
    Plan("banker", progression("1,1,2,3,5"), unit_cents=5_00, bankroll_cents=99_00, rounds=150, table_max_cents=21_00),
    Plan("tie", progression("3 1"), unit_cents=2, bankroll_cents=76, rounds=90),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.strategy.name}-{plan.wager}")
def test_a_session_is_played_as_in_python(plan: Plan) -> None:
    dealer = Dealer(7, 0, decks=8, cut=14)
    slow = []
    for _ in range(40):
        dealer.at = 0
        slow.append(session(dealer, plan))
    fast = simulate_sessions(GAME, plan, sessions=40, seed=7)
    results, drawdowns, bets, staked = zip(*slow, strict=True)
    assert fast.result == Distribution.of(Counter(results))
    assert fast.drawdown == Distribution.of(Counter(drawdowns))
    assert fast.bets == Distribution.of(Counter(bets))
    assert fast.staked_cents == sum(staked)


INSURED = load_game("rws-nc-insurance")


def insurance_of(plan: Plan, ranks: list[str], bet: int, money: int) -> tuple[int, int]:
    """What a round's insurance costs and nets, by the core's offers and cap."""
    assert INSURED.insurance is not None
    assert plan.insure is not None
    staked, net, room = 0, 0, bet
    for window in Window:
        row = INSURED.insurance.offer(window, ranks, plan.wager)
        if row is None:
            continue
        whole = row.odds.ratio.denominator  # stakes that pay in whole cents
        most = min(int(min(int(bet * plan.insure), room) / row.odds.ratio), money - staked)
        stake = most // whole * whole
        staked, room = staked + stake, room - row.odds.winnings(stake)
        net += row.net_cents(Outcome.of(ranks).winner, stake)
    return staked, net


def insured_session(dealer: Dealer, plan: Plan) -> tuple[int, int, int]:
    """Result, what was insured, and what that won."""
    money, losses, insured, claims, bets = plan.bankroll_cents, 0, 0, 0, 0
    while bets < plan.rounds and money >= plan.unit_cents:
        stake, ranks = stake_of(plan, losses, money, per=2 if plan.wager == "banker" else 1), dealer.round()
        row = INSURED.wager(plan.wager).row_for(Outcome.of(ranks))
        net = -stake if row is None else row.odds.winnings(stake) if row.odds else 0
        premium, claim = insurance_of(plan, ranks, stake, money - stake)
        losses = 0 if net > 0 else losses + (net < 0)
        money, insured, claims, bets = money + net + claim, insured + premium, claims + claim, bets + 1
    return money - plan.bankroll_cents, insured, claims


@pytest.mark.parametrize(
    "plan",
    [
        Plan("banker", MARTINGALE, 10_00, 500_00, rounds=90, table_max_cents=300_00, insure=Fraction(1)),
        Plan("player", progression("1,2,3"), 7, 60, rounds=90, insure=Fraction(2, 3)),
    ],
    ids=lambda plan: f"{plan.strategy.name}-{plan.wager}",
)
def test_insured_sessions_are_played_as_in_python(plan: Plan) -> None:
    dealer, slow = Dealer(7, 0, decks=8, cut=14), []
    for _ in range(40):
        dealer.at = 0
        slow.append(insured_session(dealer, plan))
    fast = simulate_sessions(INSURED, plan, sessions=40, seed=7)
    results, insured, claims = zip(*slow, strict=True)
    assert fast.result == Distribution.of(Counter(results))
    assert (fast.insured_cents, fast.insurance_won_cents) == (sum(insured), sum(claims))
    assert fast.insured_cents > 0


def exact_results(plan: Plan) -> dict[int, Fraction]:
    """Every final amount of money with its exact chance, when each round is dealt from a new shoe."""
    weights = outcome_weights(Composition.of(decks=8))
    chance_of = Counter[int]()
    for outcome, weight in weights.items():
        chance_of[net_of(plan.wager, outcome, 2)] += weight
    chances = {net: Fraction(weight, sum(weights.values())) for net, weight in chance_of.items()}
    states: dict[tuple[int, int], Fraction] = {(plan.bankroll_cents, 0): Fraction(1)}
    for _ in range(plan.rounds):
        after: dict[tuple[int, int], Fraction] = {}
        for (money, losses), before in states.items():
            if money < plan.unit_cents:
                after[money, losses] = after.get((money, losses), Fraction()) + before
                continue
            stake = stake_of(plan, losses, money)
            for net, chance in chances.items():
                state = money + stake // 2 * net, 0 if net > 0 else losses + (net < 0)
                after[state] = after.get(state, Fraction()) + before * chance
        states = after
    ends: dict[int, Fraction] = {}
    for (money, _), chance in states.items():
        ends[money] = ends.get(money, Fraction()) + chance
    return ends


@pytest.mark.parametrize(
    "plan",
    [
        Plan("banker", MARTINGALE, unit_cents=2, bankroll_cents=14, rounds=8, table_max_cents=8),
        Plan("player", FLAT, unit_cents=2, bankroll_cents=6, rounds=9),
        Plan("banker", progression("1,2,2"), unit_cents=2, bankroll_cents=9, rounds=7),
    ],
    ids=lambda plan: f"{plan.strategy.name}-{plan.wager}",
)
def test_a_small_case_against_exact_arithmetic(plan: Plan) -> None:
    sessions = 200_000
    exact = exact_results(plan)
    played = simulate_sessions(GAME, plan, sessions=sessions, seed=11, cut=EACH_ROUND_A_NEW_SHOE)
    assert set(played.result.values) <= {money - plan.bankroll_cents for money in exact}
    seen = dict(zip(played.result.values, played.result.counts, strict=True))
    for money, chance in exact.items():
        spread = sqrt(sessions * chance * (1 - chance))
        assert abs(seen.get(money - plan.bankroll_cents, 0) - sessions * chance) < 4.5 * spread + 1
    ruin = float(sum(chance for money, chance in exact.items() if money < plan.unit_cents))
    assert 0.01 < ruin < 0.99
    assert abs(played.risk_of_ruin - ruin) < 4 * played.risk_of_ruin_stderr
    mean = float(sum(chance * money for money, chance in exact.items())) - plan.bankroll_cents
    assert abs(played.result.mean - mean) < 4 * played.result.standard_deviation / sqrt(sessions)


@pytest.mark.parametrize("strategy", [FLAT, MARTINGALE, progression("1,1,2,3,5")], ids=lambda one: one.name)
def test_no_way_of_betting_changes_the_expectation(strategy: Strategy) -> None:
    plan = Plan("banker", strategy, unit_cents=10_00, bankroll_cents=1000_00, rounds=200, table_max_cents=500_00)
    played = simulate_sessions(GAME, plan, sessions=20_000, seed=2)
    stderr = played.result.standard_deviation / sqrt(20_000) / (played.staked_cents / 20_000)
    assert abs(played.mean_for_each_unit_staked - float(played.exact)) < 4 * stderr


def martingale(workers: int) -> SessionResults:
    plan = Plan("banker", MARTINGALE, unit_cents=10_00, bankroll_cents=1000_00, rounds=50, table_max_cents=500_00)
    with threads(workers) as crew:
        return simulate_sessions(GAME, plan, sessions=40 * BLOCK_SESSIONS + 3, seed=5, crew=crew)


def test_the_crew_changes_nothing() -> None:
    one, four = martingale(1), martingale(4)
    assert (one.result, one.drawdown, one.bets) == (four.result, four.drawdown, four.bets)
    assert (one.sessions, one.staked_cents) == (four.sessions, four.staked_cents)
    assert one.sessions == one.result.total == 40 * BLOCK_SESSIONS + 3


def test_a_seed_means_these_sessions_for_ever() -> None:
    played = martingale(2)
    assert (played.result.sum, played.drawdown.sum, played.bets.sum, played.staked_cents) == GOLDEN


GOLDEN = (-24544750, 372385500, 480552, 1514785750)


def test_what_was_played_until_ctrl_c_is_kept() -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    plan = Plan("tie", FLAT, unit_cents=1_00, bankroll_cents=10_00, rounds=10)
    played = simulate_sessions(GAME, plan, sessions=10**9, seed=1, progress=interrupt)
    assert played.interrupted
    assert 0 < played.sessions == played.result.total


def test_distribution() -> None:
    seen = Distribution.of(Counter({-5: 2, 0: 1, 10: 1}))
    assert (seen.total, seen.sum, seen.mean) == (4, 0, 0)
    assert seen.standard_deviation == pytest.approx(sqrt(150 / 4))
    assert [seen.quantile(share) for share in (0, 0.5, 0.51, 0.75, 1)] == [-5, -5, 0, 0, 10]
    assert seen.share_below(0) == 0.5


def test_stakes_are_capped_by_the_table_and_payable() -> None:
    plan = Plan("banker", MARTINGALE, unit_cents=10_00, bankroll_cents=1000_00, rounds=1, table_max_cents=75_01)
    stakes = stakes_of(GAME, plan)
    assert stakes.stakes[:5].tolist() == [10_00, 20_00, 40_00, 75_00, 75_00]
    assert stakes.per == 2
    assert sorted(set(stakes.nets.tolist())) == [-2, 0, 1, 2]
    commission = stakes_of(load_game("mbs-tiger"), Plan("banker", FLAT, 20, 20, 1))
    assert commission.per == 20
    assert np.unique(commission.nets).tolist() == [-20, 0, 19]


@pytest.mark.parametrize("text", ["", "1,x", "1,-2", "0,1", "1,0", "1.5", "1e3", "9" * 30, "1," * 2000])
def test_nonsense_instead_of_a_progression(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        progression(text)
    assert refused.value.code == "bad-progression"


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (Plan("dragon", FLAT, 100, 1000, 10), "wager-not-offered"),
        (Plan("banker", FLAT, 0, 1000, 10), "bad-stake"),
        (Plan("banker", FLAT, 101, 1000, 10), "fraction-of-a-cent"),
        (Plan("banker", FLAT, 100, 99, 10), "bad-bankroll"),
        (Plan("banker", FLAT, 100, 10**13, 10), "bad-bankroll"),
        (Plan("banker", FLAT, 100, 1000, 0), "bad-rounds"),
        (Plan("banker", FLAT, 100, 1000, 10, table_max_cents=98), "bad-limit"),
        (Plan("banker", FLAT, 100, 1000, 10, table_max_cents=10**13), "bad-limit"),
        (Plan("tie", MARTINGALE, 10**12, 10**12, 10**7), "stake-too-large"),
    ],
)
def test_nonsense_is_refused(plan: Plan, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        simulate_sessions(GAME, plan, sessions=10, seed=1)
    assert refused.value.code == code


@pytest.mark.parametrize("sessions", [0, -1, 10**11])
def test_nonsense_instead_of_a_number_of_sessions(sessions: int) -> None:
    with pytest.raises(BadInput, match="sessions"):
        simulate_sessions(GAME, PLANS[0], sessions=sessions, seed=1)
