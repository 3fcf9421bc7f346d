"""One round, 10,000 seats with five bets each: a bet at the end against a bet at the start, then deal and settle.

Time per bet at the end must be within 1.5 of that at the start. Garbage collection runs as it would on a table.
"""

import gc
import time
from statistics import median

from natural9.core.cards import parse_cards
from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.round import commands as c
from natural9.core.table_of_play import next_hand
from natural9.games import load_game

SEATS = 10_000
WAGERS = ("player", "banker", "tie", "tiger", "tiger-pair")
BATCH = 500


def do(state: RoundState, command: c.Command) -> RoundState:
    decision = decide(state, command)
    assert not isinstance(decision, Refusal), decision
    return fold(state, decision)


def main() -> None:
    state = do(RoundState(load_game("mbs-tiger-nc")), c.LoadShoe(shoe=1, decks=8))
    state = do(state, c.OpenBetting(round=1, betting_unit_cents=100))
    bets = [
        c.PlaceBet(seat=seat, wager=wager, stake=100 * (1 + seat % 20))
        for seat in range(1, SEATS + 1)
        for wager in WAGERS
    ]
    per_bet = []
    gc.collect()
    for first in range(0, len(bets), BATCH):
        start = time.perf_counter()
        for bet in bets[first : first + BATCH]:
            state = do(state, bet)
        per_bet.append((time.perf_counter() - start) / BATCH * 1e6)
    tenth = len(per_bet) // 10
    early, late = median(per_bet[:tenth]), median(per_bet[-tenth:])
    print(f"{len(bets):,} bets of {SEATS:,} seats")
    print(f"a bet, first tenth  {early:6.2f} us")
    print(f"a bet, last tenth   {late:6.2f} us, {late / early:.2f} of it (aim: within 1.5)")
    start = time.perf_counter()
    state = do(state, c.CloseBetting())
    for card in parse_cards("4S 2H KD 9C 5H 5D"):
        due = next_hand(state.ranks)
        assert due is not None
        state = do(state, c.DealCard(card=card, put_at=due))
    dealt = time.perf_counter()
    outcome = state.outcome
    assert outcome is not None
    totals = {"player_total": outcome.player_total, "banker_total": outcome.banker_total}
    state = do(state, c.DeclareResult(winner=outcome.winner, **totals))
    state = do(state, c.Settle())
    settled = time.perf_counter()
    print(f"close and deal      {(dealt - start) * 1e3:6.2f} ms")
    print(f"declare and settle  {(settled - dealt) * 1e3:6.2f} ms, {(settled - dealt) / len(bets) * 1e6:.2f} us a bet")


if __name__ == "__main__":
    main()
