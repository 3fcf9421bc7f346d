"""`natural9 bench`: what this machine can do, in four figures that an operator would ask for."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import Struct

from natural9.cli.shared import JsonOption, can_simulate, console, print_json, say_if_slower
from natural9.cli.tables import table
from natural9.core.errors import BadInput
from natural9.games import load_game

GAME: Final = "mbs-tiger"
ROUND: Final = tuple("42K953")
BETS: Final = {"banker": 10_000, "tie": 500, "tiger": 500}
IN_FLIGHT: Final = 500
TURNS: Final = 3  # the best counts: a busy machine only ever makes it slower


class Measurement(Struct, frozen=True):
    what: str
    a_second: float


def bench(
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write the journal here, on the disk of a venue.  [default: a temporary folder]"
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure what this machine does in a second.

    It counts rounds settled, odds computed, rounds simulated and bets made durable. It writes a scratch journal and
    deletes it. The project's own benchmarks, each with a comparison, are in its source: make bench.

    Example: natural9 bench --folder /var/lib/my-venue
    """
    if folder is not None and not folder.is_dir():
        raise BadInput("bad-folder", f"{folder} is not a folder: name one on the disk that a venue would use")
    say_if_slower()
    figures = [
        Measurement("rounds settled, three bets each, one core", _settled()),
        Measurement("whole tables of exact odds for a depleted shoe, one core", _odds()),
        *([Measurement("rounds simulated, all cores", _simulated())] if can_simulate() else []),
        Measurement(f"bets made durable, {IN_FLIGHT} in flight", _durable(folder)),
    ]
    if json:
        print_json(figures)
        return
    shown = table("measured", "a second", right=("a second",))
    for figure in figures:
        shown.add_row(figure.what, f"{figure.a_second:,.0f}")
    console().print(shown)


def _settled() -> float:
    from natural9.core.settlement import settle_round

    game = load_game(GAME)
    return _best(lambda: settle_round(game, ROUND, BETS), times=20_000)


def _odds() -> float:
    from natural9.odds.composition import Composition
    from natural9.odds.pricing import odds

    game = load_game(GAME)
    shoe = Composition.of(decks=8).without("9" * 8)
    odds(game, shoe)  # compiled and cached the first time
    return _best(lambda: odds(game, shoe), times=200)


def _simulated() -> float:
    from natural9.odds.simulation import simulate

    game, rounds = load_game(GAME), 20_000_000
    simulate(game, rounds=1000, seed=1)
    return rounds * _best(lambda: simulate(game, rounds=rounds, seed=9), times=1)


def _best(work: Callable[[], object], *, times: int) -> float:
    """How often a second, at best."""
    taken = []
    for _ in range(TURNS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        taken.append(time.perf_counter() - start)
    return times / min(taken)


def _durable(folder: Path | None) -> float:
    try:
        with tempfile.TemporaryDirectory(prefix=".natural9-bench-", dir=folder) as scratch:
            return asyncio.run(_appended(Path(scratch)))
    except OSError as error:
        raise BadInput("bad-folder", f"{folder} cannot be written to: {error.strerror}") from None


async def _appended(folder: Path) -> float:
    from natural9.journal.accounts import TransferKind
    from natural9.store.contract import Access, Entry, Transfer
    from natural9.store.opening import open_store
    from natural9.store.streams import Stream

    store = open_store(folder, Access.SERVE)
    stream = Stream(store, "table/1")

    async def terminal(number: int, bets: int) -> None:
        moved = (Transfer(TransferKind.BET, f"house/{number}", "stake/1", 100),)  # an account that may go below zero
        entry = Entry("table/1", "bet-placed", b'{"seat":1,"wager":"banker","cents":10000}', 0, "2026-01-01", "", moved)
        for _ in range(bets):
            await stream.append([entry])

    try:
        taken = []
        for _ in range(TURNS):
            start = time.perf_counter()
            await asyncio.gather(*(terminal(number, 20) for number in range(IN_FLIGHT)))
            taken.append(time.perf_counter() - start)
        return IN_FLIGHT * 20 / min(taken)
    finally:
        await store.close()
