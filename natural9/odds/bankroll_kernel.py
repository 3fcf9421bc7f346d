"""Sessions at the table: a way of betting, from a bankroll, on real shoes; all money in whole cents."""

from typing import Any

import numpy as np

from natural9.odds.compiled import compiled
from natural9.odds.simulation_kernel import deal, generator, new_shoe


@compiled
def play_sessions(
    seed: Any, block: Any, decks: int, cut: int, rounds: int, bankroll: int, unit: int, stakes: Any,
    hold: bool, per: int, nets: Any, won: Any, drawdowns: Any, bets: Any, staked: Any,
) -> None:  # fmt: skip
    """Play a session for each place of `won`, `drawdowns`, `bets` and `staked`, and fill them in.

    `nets` is what `per` cents staked earn on each outcome, and every stake is a multiple of `per`. `stakes` are those
    after so many losses in a row; after the last the same is staked again (`hold`), or the first. Where less money is
    left than that, it is all staked. Each session has a new shoe, so that sessions are independent; it ends early when
    the money no longer covers a unit.
    """
    shoe = new_shoe(decks)
    cut_card = np.uint64(shoe.size - cut)
    s0, s1, s2, s3 = generator(seed, block)
    for session in range(won.size):
        at, losses = np.uint64(0), 0
        money, most, worst, bet, total = bankroll, bankroll, 0, 0, 0
        while bet < rounds and money >= unit:
            stake = min(stakes[losses], money // per * per)
            if at >= cut_card:
                at = np.uint64(0)
            place, taken, s0, s1, s2, s3 = deal(shoe, at, s0, s1, s2, s3)
            at += taken
            net = stake // per * nets[place]
            money, bet, total = money + net, bet + 1, total + stake
            if net > 0:
                losses = 0
            elif net < 0:
                losses += 1
                if losses == stakes.size:
                    losses = stakes.size - 1 if hold else 0
            most = max(most, money)
            worst = max(worst, most - money)
        won[session], drawdowns[session], bets[session], staked[session] = money - bankroll, worst, bet, total
