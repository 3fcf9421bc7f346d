"""What a chain for each stream, the tree and its checkpoints cost: durable bets a second against an earlier checkout.

Both are measured in turn in one run, each in a process of its own: 100 and 1,000 appenders at 1 and at 8 tables, by the
store's own process; the newer one also makes a root, signs it and keeps it every second, as a server does.
`git worktree add ../before COMMIT` makes the other checkout; then `python -m bench.chains ../before`.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

TURNS = 5
HERE = Path(__file__).parent.parent
# Runs in either checkout: before, an append named no head, and an entry had no number in its stream.
PACE = """
import asyncio, json, sys, tempfile, time
from pathlib import Path
import uvloop
from natural9.store.contract import Access, Entry, Transfer
from natural9.store.opening import open_store
try:
    from natural9.store.streams import Stream
except ImportError:
    Stream = None

BODY = b'{"seat":"%06d","wager":"banker","stake":10000,"request":"9f1c2a3b4d5e6f708192a3b4c5d6e7f8","round":123456}'

def appending(store, name):
    return Stream(store, name).append if Stream else store.append

async def sign(store):
    if Stream is None:
        return
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from natural9.store.contract import Checkpoint
    key = Ed25519PrivateKey.generate()
    while True:
        await asyncio.sleep(1)
        size, root = await store.tree()
        await store.keep_checkpoint(Checkpoint(size, root.hex() + key.sign(root).hex()))

async def pace(store, tables, appenders, seconds):
    appends = {table: appending(store, f"table/{table}") for table in range(tables)}
    bets, until = 0, time.perf_counter() + seconds
    async def one(place):
        nonlocal bets
        table = place % tables
        moved = (Transfer("bet", f"house/{place}", f"stake/{table}", 100),)
        entry = Entry(f"table/{table}", "bet-placed", BODY % place, 1_795_000_000_000, "2026-11-16", transfers=moved)
        while time.perf_counter() < until:
            await appends[table]([entry])
            bets += 1
    start = time.perf_counter()
    await asyncio.gather(*map(one, range(appenders)))
    return bets / (time.perf_counter() - start)

async def main():
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder), Access.SERVE)
        signing = asyncio.create_task(sign(store))
        print(json.dumps({f"{t} x {a}": await pace(store, t, a, 1.5) for t in (1, 8) for a in (100, 1000)}))
        signing.cancel()
        await store.close()

uvloop.run(main())
"""


def paces(checkout: Path) -> dict[str, float]:
    ran = subprocess.run([sys.executable, "-c", PACE], cwd=checkout, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def main(before: Path) -> None:
    sides: dict[Path, list[dict[str, float]]] = {before: [], HERE: []}
    for _ in range(TURNS):
        for checkout, found in sides.items():
            found.append(paces(checkout))
    print(f"durable bets a second, median of {TURNS} turns each")
    print("tables x appenders      before         now  ratio")
    for case in sides[HERE][0]:
        then, now = (median(one[case] for one in found) for found in sides.values())
        print(f"{case:>18}  {then:10,.0f}  {now:10,.0f}  {now / then:5.2f}  (aim: at least 0.90)")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]).resolve())
    else:
        print("nothing to compare with: python -m bench.chains CHECKOUT_BEFORE")
