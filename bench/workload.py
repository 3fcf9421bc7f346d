"""Which events the simulated floor brings about, of all that the journal knows, and which pay rows decide a bet: seed
after seed, until none is missing that it should show. What never comes is a part of the house that no story tests.

    python -m bench.workload --seeds 40 --rounds 30
"""

import argparse
import sys
import time
from collections import Counter
from typing import Final

from natural9.journal.catalogue import BY_TAG
from natural9.torture.mix import GAMES
from natural9.torture.pay_rows import pay_rows
from natural9.torture.story import tell

# What is no part of these stories, and why. Each has tests of its own.
_BY_HAND: Final = "a person at the machine does it while the program is down"
_OFFICE: Final = "the administrator's office, away from the tables"
ELSEWHERE: Final = {
    "loss-accepted": _BY_HAND,
    "venue-restored": _BY_HAND,
    "key-changed": _BY_HAND,
    "settings-changed": "the venue file of a story stays as it is",
    "time-stamp-kept": "it takes an authority outside the house",
    "voucher-reprinted": "it takes a printer",
    "peer-refused": "all clients of a story come from one address that the house knows",
    **dict.fromkeys(
        [
            "code-issued",
            "device-revoked",
            "locked-out",
            "occupied-seat-enrolled",
            "role-changed",
            "sign-in-failed",
            "signed-out",
            "staff-disabled",
            "staff-enabled",
            "unlocked",
            "exclusion-lifted",
            "player-card-issued",
            "player-closed",
            "player-pin-changed",
            "player-pin-issued",
            "player-renamed",
            "player-reopened",
        ],
        _OFFICE,
    ),
}


def wanted() -> list[str]:
    """The kinds that the floor should show."""
    assert ELSEWHERE.keys() <= BY_TAG.keys(), sorted(ELSEWHERE.keys() - BY_TAG.keys())
    return sorted(BY_TAG.keys() - ELSEWHERE.keys())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=40, help="so many at most")
    parser.add_argument("--rounds", type=int, default=30, help="of each seed, at least")
    parser.add_argument("--all", action="store_true", help="all seeds, also once nothing is missing")
    asked = parser.parse_args()
    kinds, stories, rounds, began = Counter[str](), Counter[str](), 0, time.process_time()
    rows, all_rows = Counter[str](), [row for game in sorted({*GAMES}) for row in pay_rows(game)]
    missing, seed = [*wanted(), *all_rows], asked.first
    for seed in range(asked.first, asked.first + asked.seeds):
        told = tell(seed, asked.rounds, judged=False)
        kinds.update(told.kinds)
        stories.update(told.kinds.keys())
        rounds += told.rounds
        rows.update(told.pay_rows)
        missing = [kind for kind in wanted() if not kinds[kind]] + [row for row in all_rows if not rows[row]]
        print(f"seed {seed}: {told.rounds} rounds, {len(missing)} missing", file=sys.stderr, flush=True)
        if not missing and not asked.all:
            break
    print("| event | entries | stories |\n|---|---|---|")
    for kind in wanted():
        print(f"| {kind} | {kinds[kind]} | {stories[kind]} |")
    for kind, why in sorted(ELSEWHERE.items()):
        print(f"| {kind} | {kinds[kind] or why} | {stories[kind] or ''} |")
    print("\n| pay row | bets |\n|---|---|")
    for row in all_rows:
        print(f"| {row} | {rows[row]} |")
    seconds = time.process_time() - began
    print(
        f"\nSeeds {asked.first} to {seed}: {rounds} rounds, {seconds:.0f} s. Missing: {', '.join(missing) or 'none'}."
    )
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
