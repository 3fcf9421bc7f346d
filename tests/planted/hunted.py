"""Which seed of the simulated floor sees that the program in this tree is wrong: the first that does.

    python -m tests.planted.hunted

Exit 1: one has, or the floor cannot be played to its end. What a bug changes may be rare in a story: a bug
that survives here survives these seeds.
"""

import sys
from typing import Final

from natural9.torture.story import tell

SEEDS: Final = 10
ROUNDS: Final = 40


def hunt() -> int:
    for seed in range(1, SEEDS + 1):
        try:
            wrong = tell(seed, ROUNDS).violations
        except Exception as error:
            wrong = [f"it breaks off: {error!r}"]
        if wrong:
            print(f"--seed {seed} --rounds {ROUNDS}: {wrong[0]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(hunt())
