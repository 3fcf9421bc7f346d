"""Running the demo: its folder, its port, the server with everybody in it, and an end that leaves nothing behind."""

import asyncio
import logging
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Final

from msgspec import Struct, field

from natural9.core.errors import BadInput
from natural9.core.round.commands import CloseBetting
from natural9.core.round.state import Phase
from natural9.server.demo.crew import CrewWishes, begin_work, crew_codes, played
from natural9.server.demo.floor import FAST, HOST, HUMAN, Pace, venue_file, venue_head
from natural9.server.demo.sign_in_links import (
    YOUR_SEAT,
    SignInLink,
    sign_in_links,
)
from natural9.server.house import House
from natural9.server.serve import serve
from natural9.server.training.drill import Wanted
from natural9.server.training.floor import TRAINING, training_table
from natural9.server.training.trainer import CASHIER, MANAGER, Trainer, Trainings, hold_seat
from natural9.server.training.wire import DrillResult
from natural9.table.commands import staff
from natural9.table.commands.orders import Order
from natural9.table.state.state import Status
from natural9.table.venue.file import Mode
from natural9.table.venue.venue import VENUE_FILE

MARK: Final = "this-is-a-demo"  # only a folder that has it is ever taken for a demo's
ENGINES: Final = "engines"  # where the database of a demo on several nodes lies
YOUR_CREDIT_CENTS: Final = 100_000
MOST_BOTS: Final = 200


class Wishes(Struct, frozen=True, kw_only=True):
    """What was asked for on the command line."""

    port: int
    bots: int = 18
    fast: bool = False
    dealer_bot: bool = True
    seed: int = 0
    stop_after_s: float | None = None
    training: Wanted = Wanted()
    training_game: str = "rws-nc"
    only_training: bool = False  # no other table

    @property
    def pace(self) -> Pace:
        return FAST if self.fast else HUMAN

    @property
    def crew(self) -> CrewWishes:
        return CrewWishes(pace=self.pace, dealer_bot=self.dealer_bot, seed=self.seed)

    @property
    def venue_file(self) -> str:
        head = venue_head("Natural Nine, dealer training", port=self.port)
        tables = head if self.only_training else venue_file(port=self.port, pace=self.pace)
        return tables + training_table(self.training_game)


class DemoNode(Struct, frozen=True, kw_only=True):
    """One process of several."""

    name: str
    url: str
    pid: int
    log: str


class Running(Struct, frozen=True, kw_only=True):
    address: str
    folder: str
    links: list[SignInLink] = field(name="doors")  # as scripts know it
    nodes: list[DemoNode] = []  # none where one process does it all
    postgres: str = ""  # what the nodes share, by address
    nats: str = ""


Announce = Callable[[Running], None]


@contextmanager
def demo_folder(path: Path | None) -> Iterator[Path]:
    """The folder that was named, made or continued; or a scratch folder, gone afterwards."""
    if path is None:
        scratch = Path(tempfile.mkdtemp(prefix="natural9-demo-"))
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()) and not (path / MARK).exists():
            why = f"{path} is no demo's folder, and is left alone: name a new one, or an empty one"
            raise BadInput("not-a-demo", why)
        (path / MARK).touch()
    except OSError as error:
        raise BadInput("bad-folder", f"{path} cannot be used: {error.strerror}") from None
    yield path


def check_bots(bots: int) -> None:
    if not 0 <= bots <= MOST_BOTS:
        raise BadInput("bad-bots", f"{bots} bots cannot be seated: take 0 to {MOST_BOTS}")


def usable_port(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


async def run_demo(
    folder: Path, wishes: Wishes, *, announce: Announce, stopping: Callable[[], None]
) -> list[DrillResult]:
    """Until Ctrl-C, or for so many seconds. `announce` gets the links as soon as they work. What was trained is
    answered."""
    check_bots(wishes.bots)
    if (folder / ENGINES).exists():
        raise BadInput("other-demo", f"{folder} is the folder of a demo with --nodes: give that, or name another one")
    (folder / VENUE_FILE).write_text(wishes.venue_file, encoding="utf-8")
    at_work: list[asyncio.Task[None]] = []
    trainings: Trainings = {}
    async with AsyncExitStack() as clients:

        async def started(house: House, address: str) -> None:
            stop = _stop_on_signal(house, stopping)
            await open_tables(house)
            trainings[TRAINING] = Trainer(house, TRAINING, wishes.training)
            await trainings[TRAINING].begin()
            at_work.append(asyncio.create_task(trainings[TRAINING].follow(), name="training"))
            # Their seats are taken before anybody is let in, or a visitor would sit down on one and be put off it.
            codes = await crew_codes(house, wishes.bots)
            links = await sign_in_links(house, address, tables=played(house.venue))
            announce(Running(address=address, folder=str(folder), links=links))
            await begin_work(address, played(house.venue), codes, clients, wishes.crew, at_work)
            if wishes.stop_after_s is not None:
                asyncio.get_running_loop().call_later(wishes.stop_after_s, stop)

        try:
            await serve(folder, started=started, demo=True, trainings=trainings)
        finally:
            for task in at_work:
                task.cancel()
            await asyncio.gather(*at_work, return_exceptions=True)
    return [result for trainer in trainings.values() for result in trainer.results()]


def _stop_on_signal(house: House, stopping: Callable[[], None]) -> Callable[[], None]:
    """Ctrl-C closes the betting and lets the rounds end; a second one does not wait for them."""
    loop, main = asyncio.get_running_loop(), asyncio.current_task()
    assert main is not None
    pressed = False

    def stop() -> None:
        nonlocal pressed
        if pressed:
            logging.disable(logging.ERROR)  # what is cut off now is no news
            main.cancel()
            return
        pressed = True
        stopping()
        for room in house.rooms.values():
            if room.writer.state.round.phase is Phase.BETTING_OPEN and room.config.mode is Mode.AUTOMATIC:
                room.writer.ask(Order(f"demo-ends-{token_hex(4)}", CloseBetting()), MANAGER, lambda *_: None)
        signal.raise_signal(signal.SIGTERM)  # the server's own way to stop

    loop.add_signal_handler(signal.SIGINT, stop)
    return stop


async def open_tables(house: House) -> None:
    for table in played(house.venue):
        room = house.room(table)
        if room.writer.state.status is Status.CLOSED:
            await room.writer.answer(Order(f"demo-opens-{token_hex(4)}", staff.OpenTable()), MANAGER)
        if room.writer.state.credit_cents(YOUR_SEAT) == 0:
            await hold_seat(house, table, YOUR_SEAT)  # until your own browser takes its place
            credit = staff.CreditTerminal(seat=YOUR_SEAT, cents=YOUR_CREDIT_CENTS)
            await room.writer.answer(Order(f"demo-credit-{token_hex(4)}", credit), CASHIER)
