"""Random single-bit flips over the files of a venue that was killed at play: none may change anything in silence.

Each flip is harmless (every record reads as it did, and play can go on), or it is named, by `verify` and by the start.
What the start does is done here in one process, without the port. `python -m bench.bit_flips [FLIPS] [SEED]`: 10,000
flips unless told, on all cores. Prints what became of them, file by file; exit 1 if one changed something in silence.
"""

import asyncio
import logging
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

import structlog
from argon2 import PasswordHasher

from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.saying import say
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.journal.venue_events import ProgramStopped
from natural9.server.clock import Clock
from natural9.server.house import House
from natural9.server.keyring import change_key, open_keyring
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import Place
from natural9.server.reports.examination import verify_folder
from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt, Entry, Store, StoreFailed, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import SharedStream
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import SealBroken
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue

FLIPS = 10_000
AT_A_TIME = 100  # flips a worker is given
# How many of a hundred flips each file gets, where it is there. The key and the head are small: few bits are enough.
SHARES = {"journal.db": 55, "journal.db-wal": 30, "journal.head": 5, "venue.key": 5, "journal.db-shm": 5}
PIT, CASHIER = Who("max", rank=Rank.PIT_MANAGER), Who("cass")
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # no password is tried here
VENUE = """
[venue]
name = "Flips"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"
[server]
port = 0
[[table]]
id = "1"
game = "mbs-nc"
decks = 8
seats = 9
mode = "dealer"
shoe = "shuffler"
maximum = 1000
timers = { betting = 20, reveal = 1, result = 5 }
"""

HARMLESS = "harmless"
NAMED = "named by both"
NAMED_AT_START = "harmless, named by the start"
NAMED_BY_VERIFY = "harmless, named by verify"
SILENT = "SILENT"
VERDICTS = (HARMLESS, NAMED, NAMED_AT_START, NAMED_BY_VERIFY, SILENT)

Files = dict[str, bytes]
load = cache(load_game)


class Flip(NamedTuple):
    file: str
    bit: int


class Result(NamedTuple):
    flip: Flip
    verdict: str
    said: str


# A venue that was killed at play.


async def two_venues(folder: Path, *, rounds: int = 10) -> dict[str, Files]:
    """One killed at play, with the last of its history in the log, and the same one stopped a little later."""
    (folder / VENUE_FILE).write_text(VENUE)
    venue = load_venue(folder / VENUE_FILE)
    request = count(1)
    house = await House.open(folder)
    await house.start()
    await play(house, request, rounds)
    await house.stop("to go on later")
    store = open_store(folder, Access.WRITE)
    # A former key, which vouchers need.
    await change_key(folder, store, venue, by=BY_PROGRAM, at_ms=(await Clock.open(store)).record_ms(), lost=False)
    await store.close()
    house = await House.open(folder)
    await house.start()
    await play(house, request, 1)
    opened = await house.room("1").writer.answer(Order("last", staff.StartRound()), PIT)
    assert not isinstance(opened, Refusal), opened
    killed = _files(folder)  # as they are while nobody writes
    await house.stop("copied")
    return {"killed at play": killed, "stopped": _files(folder)}


def _files(folder: Path) -> Files:
    return {name: (folder / name).read_bytes() for name in (*SHARES, VENUE_FILE) if (folder / name).exists()}


async def play(house: House, request: "count[int]", rounds: int) -> None:
    writer = house.room("1").writer

    async def do(asked: Order | taps.Tap, who: Who = PIT) -> bool:
        return not isinstance(await writer.answer(asked, who), Refusal)

    def order(command: round_commands.Command) -> Order:
        return Order(f"r{next(request)}", command)

    first = next(request)
    for role in ("dealer", "cashier", "shift-manager"):
        await house.accounts.add(f"{role}.{first}", name=role, role=role, by=BY_PROGRAM)
    await house.accounts.devices.add([Place("terminal", "1", first % 7 + 1), Place("display", "1")], by=BY_PROGRAM)
    await do(order(staff.OpenTable()))
    for seat in (8, 9):
        [code] = await house.accounts.devices.add([Place("terminal", "1", seat)], by=BY_PROGRAM, signed_by="max")
        await house.accounts.devices.enrol(code.code, peer="")
        assert await do(order(staff.CreditTerminal(seat=seat, cents=100_000)), CASHIER)
    await do(order(staff.LoadNewShoe()))
    for _ in range(rounds):
        assert await do(order(staff.StartRound()))
        number = writer.state.round.number
        for seat in (8, 9):
            for wager in ("player", "banker"):
                bet = taps.Bet(request=f"r{next(request)}", round=number, wager=wager, cents=5_000)
                assert await do(bet, Who.terminal("1", seat))
        await do(order(round_commands.CloseBetting()))
        while await do(order(round_commands.DealCard())):
            pass
        await do(order(round_commands.DeclareResult()))
        assert await do(order(round_commands.Settle()))
    for seat in (8, 9):
        assert await do(taps.CashOut(request=f"r{next(request)}", cents=1_000), Who.terminal("1", seat))


# What a flip does.


async def everything(store: Store) -> object:
    """Every record by every way in which records are read."""
    entries = await store.entries(limit=10**6)
    accounts = dict.fromkeys(name for entry in entries for one in entry.transfers for name in (one.source, one.target))
    return (
        await store.head(),
        entries,
        [
            await store.entries(stream=stream, limit=10**6)
            for stream in dict.fromkeys(entry.stream for entry in entries)
        ],
        [await store.labelled(label, limit=10**6) for label in dict.fromkeys(entry.label for entry in entries)],
        await store.asked([entry.request for entry in entries]),
        await store.transfers(limit=10**6),
        [await store.transfers(account=account, limit=10**6) for account in accounts],
        await store.documents(""),
        await store.balances(),
        await store.meters(),
    )


async def verified(folder: Path) -> tuple[object, str]:
    """Every record as it reads, and what verify says is wrong."""
    try:
        store = open_store(folder, Access.READ)
    except (Corrupt, StoreFailed) as error:
        return None, str(error)
    try:
        found = await verify_folder(folder, store, load_game=load)
        said = found.fault.words if found.fault else ""
        try:
            return await everything(store), said
        except (Corrupt, StoreFailed):
            return None, said  # it cannot be read: verify must have said so
    finally:
        await store.close()


async def started(folder: Path, venue: Venue) -> str:
    """What the start says is wrong; else it goes on as the start does, with an entry, and all must still hold."""
    try:
        store = open_store(folder, Access.WRITE)
    except (Corrupt, StoreFailed) as error:
        return str(error)
    try:
        keyring = await open_keyring(folder, store)
        clock = await Clock.open(store)
        accounts = await Accounts.open(
            store,
            key=keyring.in_use,
            clock_ms=clock.play_ms,
            record_ms=clock.record_ms,
            gaming_day=venue.gaming_day,
            hasher=CHEAP,
        )
        accounts.close()
        vouchers = await open_vouchers(store, keyring.vouchers)
        for config in venue.tables.values():
            state, _ = await recover(store, config, vouchers)
            await Shoebox(table=config.id, decks=config.decks, key=keyring.shoes).open(store, state)
        body = encode_line(ProgramStopped(why=say("asked to stop")), BY_PROGRAM)
        moved = (Transfer("bet", "credit/1-8", "stake/1", 5),)
        documents = (("program", os.urandom(5000)), ("new", os.urandom(100)))
        for _ in range(5):
            entry = Entry("venue", ProgramStopped.TAG, body, clock.record_ms(), "2026-11-16", "more", moved, documents)
            await SharedStream(store, entry.stream).append([entry])
        await audit(store)
    except (BadInput, Corrupt, StoreFailed, SealBroken) as error:
        return str(error) or repr(error)
    finally:
        await store.close()
    return ""


class Flipper:
    """Flips bits in copies of one venue."""

    def __init__(self, files: Files, folder: Path) -> None:
        self._files, self._folder = files, folder
        self._venue = load_venue(self._place() / VENUE_FILE)
        self._sound, wrong = asyncio.run(verified(self._folder))
        wrong = wrong or asyncio.run(started(self._folder, self._venue))
        assert not wrong, wrong

    def _place(self, flip: Flip | None = None) -> Path:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(mode=0o700)
        for name, content in self._files.items():
            if flip and name == flip.file:
                changed = bytearray(content)
                changed[flip.bit // 8] ^= 1 << flip.bit % 8
                content = bytes(changed)
            path = self._folder / name
            path.touch(0o600)
            path.write_bytes(content)
        return self._folder

    def __call__(self, flip: Flip) -> Result:
        return asyncio.run(self._judge(flip))

    async def _judge(self, flip: Flip) -> Result:
        folder = self._place(flip)
        records, said = await verified(folder)
        at_start = await started(folder, self._venue)
        same = records == self._sound
        verdict = {
            (True, True): NAMED,
            (True, False): NAMED_BY_VERIFY if same else SILENT,
            (False, True): NAMED_AT_START if same else SILENT,
            (False, False): HARMLESS if same else SILENT,
        }[bool(said), bool(at_start)]
        return Result(flip, verdict, said or at_start)


def chosen(files: Files, flips: int, chance: random.Random) -> list[Flip]:
    names = [name for name in SHARES if name in files]
    chosen = chance.choices(names, [SHARES[name] for name in names], k=flips)
    return [Flip(name, chance.randrange(len(files[name]) * 8)) for name in chosen]


def flipped(files: Files, flips: Iterable[Flip]) -> list[Result]:
    """In a folder of this process's own."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(prefix="natural9-flips-") as folder:
        return list(map(Flipper(files, Path(folder) / "venue"), flips))


def report(results: Iterable[Result], files: Files) -> int:
    """Prints a line for each file; the number of those that changed something in silence."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in SHARES if name in files}
    silent = []
    for result in results:
        counts[result.flip.file][result.verdict] += 1
        if result.verdict == SILENT:
            silent.append(result)
    print(f"{'':16} {'bytes':>9} {'flips':>7}" + "".join(f" {verdict:>{len(verdict) + 1}}" for verdict in VERDICTS))
    for name, verdicts in counts.items():
        numbers = "".join(f" {verdicts[verdict]:{len(verdict) + 1},}" for verdict in VERDICTS)
        print(f"{name:16} {len(files[name]):9,} {verdicts.total():7,}{numbers}")
    for result in silent[:20]:
        print(f"SILENT: bit {result.flip.bit} of {result.flip.file}: {result.said or 'nothing is said'}")
    return len(silent)


def main() -> None:
    flips = int(sys.argv[1]) if len(sys.argv) > 1 else FLIPS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(prefix="natural9-flips-") as folder:
        venues = asyncio.run(two_venues(Path(folder)))
    silent, chance = 0, random.Random(seed)
    with ProcessPoolExecutor() as workers:
        for name, files in venues.items():
            every = chosen(files, flips // len(venues), chance)
            parts = [every[start : start + AT_A_TIME] for start in range(0, len(every), AT_A_TIME)]
            print(f"{name}, {len(every):,} flips")
            done = workers.map(partial(flipped, files), parts)
            silent += report((result for results in done for result in results), files)
    print(f"{flips:,} flips with seed {seed}: {silent} changed something in silence (aim: 0)")
    sys.exit(1 if silent else 0)


if __name__ == "__main__":
    main()
