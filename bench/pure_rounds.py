"""Rounds without a server, by the hundred thousand: random commands, sensible or not, to `decide` and `evolve`, judged
after each by books of their own, which go by the transcribed pay tables and Table of Play (`tests/core/books.py`).

    python -m bench.pure_rounds --rounds 1000000 --seed 1 --cores 2

A *decision* is a command that `decide` answered, by events or by a refusal; a *round* is one that was settled or void.
Seed after seed, a game each in turn, until there are so many rounds.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice

from natural9.core.round import Refusal, RoundState, events, fold
from natural9.games import game_ids, load_game
from tests.core.books import Books
from tests.core.commands_at_random import sequence

COMMANDS = 400  # of a seed
SEEDS = 50  # of a piece of work
ENDED = {events.RoundSettled: "settled", events.RoundVoided: "void"}


def played(seed: int) -> Counter[str]:
    """What came of a seed; an AssertionError names what is wrong with it."""
    game = game_ids()[seed % len(game_ids())]
    state, books, seen = RoundState(load_game(game)), Books(game), Counter[str]()
    try:
        for step in sequence(game, seed, COMMANDS):
            seen["decisions"] += 1
            if isinstance(step.decision, Refusal):
                seen["refused"] += 1
                continue
            state = fold(state, step.decision)
            books.post(step.decision, state)
            seen.update(event.TAG for event in step.decision)
            for event in step.decision:
                if ended := ENDED.get(type(event)):
                    seen[ended] += 1
    except AssertionError as wrong:
        raise AssertionError(f"seed {seed}, {game}: {wrong}") from wrong
    return seen


def played_all(first: int) -> Counter[str]:
    seen = Counter[str]()
    for seed in range(first, first + SEEDS):
        seen += played(seed)
    return seen


def pieces(first: int, cores: int) -> Iterator[Counter[str]]:
    """Without end."""
    firsts = count(first, SEEDS)
    if cores == 1:
        yield from map(played_all, firsts)
    with ProcessPoolExecutor(cores) as pool:
        while True:
            yield from pool.map(played_all, islice(firsts, cores * 4))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100_000, help="so many at least")
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--cores", type=int, default=1)
    asked = parser.parse_args()
    began, seen, seeds = time.perf_counter(), Counter[str](), 0
    for piece in pieces(asked.seed, asked.cores):
        seen += piece
        seeds += SEEDS
        rounds = seen["settled"] + seen["void"]
        print(f"\r{rounds:,} rounds", end="", file=sys.stderr)
        if rounds >= asked.rounds:
            break
    ended = {name: seen.pop(name) for name in ("settled", "void", "decisions", "refused")}
    print(file=sys.stderr)
    print(", ".join(f"{many:,} {name}" for name, many in ended.items()))
    bets, decided = seen["bet-placed"], seen["irregularity-decided"]
    print(f"{bets:,} bets, {decided:,} irregularities decided, {len(seen)} kinds of event")
    print(f"seeds {asked.seed:,} to {asked.seed + seeds - 1:,}, {time.perf_counter() - began:,.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
