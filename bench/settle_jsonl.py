"""`settle --jsonl` on 200,000 mixed rounds, against `json.loads` + `json.dumps` of the same lines.

Both run three times, in turn, in one process, since machines are noisy; the best of each counts. Aim: at most 4.
"""

import json
import subprocess
import sys
import time
from io import BytesIO

from bench.deals import mixed_rounds
from natural9.cli.settle_lines import settle_jsonl

ROUNDS = 200_000


def main() -> None:
    lines = [json.dumps(line).encode() + b"\n" for line in mixed_rounds(ROUNDS)]
    plain, ours = [], []
    for _ in range(3):
        start = time.perf_counter()
        for line in lines:
            json.dumps(json.loads(line))
        plain.append(time.perf_counter() - start)
        start = time.perf_counter()
        failed = settle_jsonl(lines, BytesIO())
        ours.append(time.perf_counter() - start)
        assert not failed, "every line of the benchmark settles"
    best = min(ours) / min(plain)
    print(f"json.loads + json.dumps   {min(plain) / ROUNDS * 1e6:6.2f} us a round")
    print(f"settle --jsonl            {min(ours) / ROUNDS * 1e6:6.2f} us a round, {best:.2f} of it (aim: at most 4)")
    start = time.perf_counter()
    command = [sys.executable, "-m", "natural9", "settle", "--jsonl"]
    subprocess.run(command, input=b"".join(lines), stdout=subprocess.DEVNULL, check=True)
    whole = time.perf_counter() - start
    print(f"the whole command         {whole / ROUNDS * 1e6:6.2f} us a round, {whole / min(plain):.2f} of it")


if __name__ == "__main__":
    main()
