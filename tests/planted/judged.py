"""An evening as the program in this tree plays it, judged by a verifier that shares nothing with it.

    python -m tests.planted.judged evening

Exit 1: the verifier has found what is wrong. Exit 3: the evening itself could not be played to its end.
"""

import asyncio
import sys
import tempfile
import traceback
from pathlib import Path

from tests.lies.catchers import outside
from tests.lies.evening import evening


def judge() -> int:
    with tempfile.TemporaryDirectory() as folder:
        try:
            played = asyncio.run(evening(Path(folder) / "witness.jsonl"))
        except Exception:
            traceback.print_exc()
            return 3
    wrong = outside(played.shown)
    print(wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(judge())
