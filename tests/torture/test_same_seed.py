"""The same seed is the same story, to the last hash: in this process and in another."""

import os
import subprocess
import sys

from natural9.torture.story import tell

SEED = 17  # a keyed and an electronic table, mistakes of staff, cashiers and managers, a kill every few seconds
TELL = f"from natural9.torture.story import tell; print(tell({SEED}, 12).head)"


def test_a_seed_has_one_chain_head_in_every_process() -> None:
    told = tell(SEED, 12)
    assert told.violations == []
    assert told.crashes >= 10
    env = {**os.environ, "PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", TELL], env=env, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == told.head


def test_another_seed_is_another_story() -> None:
    assert tell(1, 3).head != tell(2, 3).head
