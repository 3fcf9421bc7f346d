"""Sessions at the table: a way of betting, from a bankroll, on real shoes; all money in whole cents."""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from natural9.odds.compiled import compiled
from natural9.odds.simulation_kernel import NO_THIRD, TIED, deal, generator, new_shoe, path_of, winner_of_place


@register_jitable
def _insured(row: Any, rows: Any, share: Any, bet: Any, room: Any, money: Any) -> Any:
    """What is staked on a row of insurance: what pays a share of the bet, or less where room or money are less."""
    above, below = rows[row, 0], rows[row, 1]
    pays = min(bet * share[0] // share[1], room)
    return min(pays * below // above, money) // below * below


@register_jitable
def _insurance(
    shoe: Any, at: Any, taken: Any, place: Any, bet: Any, money: Any, offers: Any, rows: Any, share: Any
) -> Any:
    """What is staked on insurance in the round dealt at this place, in both windows, and what it nets."""
    player, banker, third = path_of(shoe, at, taken)
    winner, staked, net, room = winner_of_place(place), 0, 0, bet
    for window in range(2):
        if window == 1:
            if third == NO_THIRD or taken < np.uint64(6):
                break
            player = (player + third) % 10
        row = offers[window, player, banker]
        if row >= 0:
            stake = _insured(row, rows, share, bet, room, money - staked)
            pays = stake // rows[row, 1] * rows[row, 0]
            room, staked = room - pays, staked + stake
            if winner == rows[row, 2]:
                net += pays
            elif winner != TIED:
                net -= stake
    return staked, net


@compiled
def play_sessions(
    seed: Any, block: Any, decks: int, cut: int, rounds: int, bankroll: int, unit: int, stakes: Any,
    hold: bool, per: int, nets: Any, offers: Any, rows: Any, share: Any,
    won: Any, drawdowns: Any, bets: Any, staked: Any, insured: Any, insurance_won: Any,
) -> None:  # fmt: skip
    """Play a session for each place of `won` and the arrays after it, and fill them in.

    `nets` is what `per` cents staked earn on each outcome, and every stake is a multiple of `per`. `stakes` are those
    after so many losses in a row; after the last the same is staked again (`hold`), or the first. Where less money is
    left than that, it is all staked. Each session has a new shoe, so that sessions are independent; it ends early when
    the money no longer covers a unit.

    `offers` is the row of insurance in a window (the second after the Player's third card) at the points of Player and
    Banker, -1 where there is none; each of `rows` has the odds, above and below, and who must win for it to win.
    `share` of the cap, above and below, is insured at every offer, as far as the money goes; 0 above: never.
    """
    shoe = new_shoe(decks)
    cut_card = np.uint64(shoe.size - cut)
    s0, s1, s2, s3 = generator(seed, block)
    for session in range(won.size):
        at, losses = np.uint64(0), 0
        money, most, worst, bet, total, premiums, claims = bankroll, bankroll, 0, 0, 0, 0, 0
        while bet < rounds and money >= unit:
            stake = min(stakes[losses], money // per * per)
            if at >= cut_card:
                at = np.uint64(0)
            place, taken, s0, s1, s2, s3 = deal(shoe, at, s0, s1, s2, s3)
            net = stake // per * nets[place]
            if share[0] and taken > np.uint64(4):
                premium, claim = _insurance(shoe, at, taken, place, stake, money - stake, offers, rows, share)
                premiums, claims, money = premiums + premium, claims + claim, money + claim
            at += taken
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
        insured[session], insurance_won[session] = premiums, claims
