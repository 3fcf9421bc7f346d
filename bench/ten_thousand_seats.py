"""One round, 10,000 seats with five bets each: a bet at the end against a bet at the start, then deal and settle.

Both are laid in turn in one run. Time per bet at the end must be within 1.5 of that at the start.
"""

import time

from natural9.core.cards import parse_cards
from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import next_hand
from natural9.games import load_game

SEATS = 10_000
WAGERS = ("player", "banker", "tie", "tiger", "tiger-pair")
BATCH = 500
TURNS = 40


def do(state: RoundState, command: round_commands.Command) -> RoundState:
    decision = decide(state, command)
    assert not isinstance(decision, Refusal), decision
    return fold(state, decision)


def side_by_side(
    early: RoundState,
    first_bets: list[round_commands.PlaceBet],
    late: RoundState,
    last_bets: list[round_commands.PlaceBet],
) -> tuple[float, float]:
    """Microseconds a bet on both states, best of many turns: a state is a value, so the same bets can be laid again."""
    best = [float("inf")] * 2
    for _ in range(TURNS):
        for which, (state, bets) in enumerate(((early, first_bets), (late, last_bets))):
            start = time.perf_counter()
            for bet in bets:
                state = do(state, bet)
            best[which] = min(best[which], (time.perf_counter() - start) / len(bets) * 1e6)
    return best[0], best[1]


def main() -> None:
    state = do(RoundState(load_game("mbs-tiger-nc")), round_commands.LoadShoe(shoe=1, decks=8))
    state = do(state, round_commands.OpenBetting(round=1, betting_unit_cents=100))
    bets = [
        round_commands.PlaceBet(seat=seat, wager=wager, cents=100 * (1 + seat % 20))
        for seat in range(1, SEATS + 1)
        for wager in WAGERS
    ]
    start = time.perf_counter()
    early = late = state
    for place, bet in enumerate(bets):
        if place == BATCH:
            early = state
        if place == len(bets) - BATCH:
            late = state
        state = do(state, bet)
    whole = time.perf_counter() - start
    first, last = side_by_side(early, bets[BATCH : 2 * BATCH], late, bets[-BATCH:])
    print(f"{len(bets):,} bets of {SEATS:,} seats, {whole / len(bets) * 1e6:.2f} us a bet on the whole")
    print(f"a bet with {BATCH:6,} on the table  {first:6.2f} us")
    print(f"a bet with {len(bets) - BATCH:6,} on the table  {last:6.2f} us, {last / first:.2f} of it (aim: within 1.5)")
    start = time.perf_counter()
    state = do(state, round_commands.CloseBetting())
    for card in parse_cards("4S 2H KD 9C 5H 5D"):
        due = next_hand(state.ranks)
        assert due is not None
        state = do(state, round_commands.DealCard(card=card, put_at=due))
    dealt = time.perf_counter()
    outcome = state.outcome
    assert outcome is not None
    totals = {"player_total": outcome.player_total, "banker_total": outcome.banker_total}
    state = do(state, round_commands.DeclareResult(winner=outcome.winner, **totals))
    state = do(state, round_commands.Settle())
    settled = time.perf_counter()
    print(f"close and deal      {(dealt - start) * 1e3:6.2f} ms")
    print(f"declare and settle  {(settled - dealt) * 1e3:6.2f} ms, {(settled - dealt) / len(bets) * 1e6:.2f} us a bet")


if __name__ == "__main__":
    main()
