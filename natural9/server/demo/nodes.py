"""The demo on several nodes: real processes, a real PostgreSQL and NATS, and one address before all of them.

The floor is set up before any node runs. Nothing is started again by itself, so that one sees what happens when a
process is killed; what moves is told in a line.
"""

import asyncio
import fcntl
import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

import httpx

from natural9.core.errors import BadInput
from natural9.core.round.commands import CloseBetting
from natural9.core.saying import Said
from natural9.server.client import ServerSaidNo
from natural9.server.cluster.engines import running_engines, scratch_folder
from natural9.server.demo.balancer import Balancer
from natural9.server.demo.crew import TLS, CrewCodes, begin_work, crew_codes, patiently, played
from natural9.server.demo.floor import HOST, venue_file
from natural9.server.demo.moves import Moves
from natural9.server.demo.node_processes import NodeProcess, drained, node_processes, until_ready
from natural9.server.demo.run import ENGINES, MARK, YOUR_CREDIT_CENTS, Announce, Running, Wishes, check_bots
from natural9.server.demo.sign_in_links import YOUR_SEAT, SignInLink, sign_in_links, staff_code
from natural9.server.demo.staff import StaffClient
from natural9.server.house import House
from natural9.server.people.permissions import Role
from natural9.server.training.trainer import hold_seat
from natural9.store.sqlite.schema import JOURNAL_FILE
from natural9.table.commands import staff
from natural9.table.venue.file import Mode
from natural9.table.venue.venue import VENUE_FILE, TableConfig, load_venue

MANAGER: Final = "bot.manager"
START_S: Final = 90.0  # for all nodes, on a machine that is busy
SPREAD_S: Final = 20.0
LOOK_S: Final = 0.25

Tell = Callable[[str], None]


class SetUp(NamedTuple):
    """What there was before any node ran."""

    tables: dict[str, TableConfig]
    links: list[SignInLink]
    crew: CrewCodes
    manager_code: str


async def run_nodes(
    folder: Path,
    wishes: Wishes,
    nodes: int,
    *,
    keep: bool,
    announce: Announce,
    stopping: Callable[[], None],
    tell: Tell,
) -> None:
    """Until Ctrl-C, or for so many seconds. With `keep` the database stays in the folder."""
    check_bots(wishes.bots)
    async with AsyncExitStack() as undo:
        undo.enter_context(_alone_in(folder))
        postgres, nats = undo.enter_context(running_engines(undo.enter_context(_engines_folder(folder, keep=keep))))
        database = postgres.make_database()
        cluster = f'\n[cluster]\ndatabase = "{database}"\nnats = ["{nats.address}"]\n'
        text = venue_file(port=wishes.port, pace=wishes.pace) + cluster
        (folder / VENUE_FILE).write_text(text, encoding="utf-8")
        balancer = Balancer()
        address = f"http://{HOST}:{await balancer.start(wishes.port)}"
        undo.push_async_callback(balancer.stop)
        floor = await _set_up(folder, address, wishes.bots)
        processes = undo.enter_context(node_processes(folder, nodes))
        stopped, stop = _stop_on_signal(stopping)
        at_work: list[asyncio.Task[None]] = []
        undo.push_async_callback(_end_tasks, at_work)
        await until_ready(processes, wait_s=START_S)
        await _tell_balancer(balancer, processes)
        at_work.append(asyncio.create_task(_keep_telling(balancer, processes)))
        moves = Moves(database, tell)
        await moves.until_spread(nodes, len(floor.tables) + 1, wait_s=SPREAD_S)
        manager = await undo.enter_async_context(StaffClient(address, MANAGER, ssl_context=TLS))
        await patiently(partial(manager.begin, floor.manager_code))
        opened = [table for table in floor.tables if await _is_opened(manager, table)]
        credit = {(table, YOUR_SEAT): YOUR_CREDIT_CENTS for table in opened}
        await begin_work(address, floor.tables, floor.crew, undo, wishes.crew, at_work, credit)
        telling = [asyncio.create_task(one) for one in (moves.follow(), _tell_of_ends(folder, processes, tell))]
        undo.push_async_callback(_end_tasks, telling)
        shown = [process.shown for process in processes]
        announce(
            Running(
                address=address,
                folder=str(folder),
                links=floor.links,
                nodes=shown,
                postgres=database,
                nats=nats.address,
            )
        )
        if wishes.stop_after_s is not None:
            asyncio.get_running_loop().call_later(wishes.stop_after_s, stop)
        await stopped.wait()
        await _end_tasks(telling)
        await _close_betting(manager, floor.tables)
        await drained(processes)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Nobody else's database is taken for what a killed demo has left behind."""
    if (folder / JOURNAL_FILE).exists():
        raise BadInput("other-demo", f"{folder} is the folder of a demo without --nodes: name another one")
    with (folder / MARK).open("a") as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput("demo-runs", f"another demo runs in {folder}: stop it, or name another folder") from None
        yield


@contextmanager
def _engines_folder(folder: Path, *, keep: bool) -> Iterator[Path]:
    """Beside the venue if that stays. Else a place of their own: they run as nobody where we are root."""
    if keep:
        yield folder / ENGINES
    else:
        with scratch_folder() as scratch:
            yield scratch


async def _set_up(folder: Path, address: str, bots: int) -> SetUp:
    """Alone with the records, and before anybody plays: people, devices, and a link for each."""
    house = await House.open(folder, load_venue(folder / VENUE_FILE))
    try:
        house.accounts.devices.held_at = _holds_nothing
        tables = played(house.venue)
        for table in tables:
            await hold_seat(house, table, YOUR_SEAT)  # until your own browser takes its place
        crew = await crew_codes(house, bots)
        manager = await staff_code(house, MANAGER, name="A manager, by program", role=Role.PIT_MANAGER)
        return SetUp(tables, await sign_in_links(house, address, tables=tables), crew, manager.code)
    finally:
        await house.stop("the floor is set up")


async def _holds_nothing(table: str, seats: Sequence[int]) -> list[tuple[Said, ...]]:
    """Nobody plays, so nothing can change hands: what lies at a seat stays with it."""
    return [() for _ in seats]


async def _is_opened(manager: StaffClient, table: str) -> bool:
    """Whether it was closed until now."""
    try:
        await patiently(partial(manager.order, table, staff.OpenTable(), request=f"demo-opens-{token_hex(4)}"))
    except ServerSaidNo as no:
        if no.is_decided:
            return False
        raise BadInput("not-opened", f"{table} cannot be opened: {no.message}") from None
    return True


async def _close_betting(manager: StaffClient, tables: dict[str, TableConfig]) -> None:
    """So that no round in play keeps us waiting for long."""
    for table, config in tables.items():
        if config.mode is Mode.AUTOMATIC:
            with suppress(ServerSaidNo, httpx.HTTPError):
                await manager.order(table, CloseBetting())


async def _keep_telling(balancer: Balancer, processes: list[NodeProcess]) -> None:
    while True:
        await asyncio.sleep(LOOK_S)
        await _tell_balancer(balancer, processes)


async def _tell_balancer(balancer: Balancer, processes: list[NodeProcess]) -> None:
    said = list(zip(processes, await asyncio.gather(*(one.is_ready() for one in processes)), strict=True))
    answering = [process.port for process, is_ready in said if is_ready is not None]
    balancer.learn(ready=[process.port for process, is_ready in said if is_ready], answering=answering)


async def _tell_of_ends(folder: Path, processes: list[NodeProcess], tell: Tell) -> None:
    left = list(processes)
    while left:
        for process in [one for one in left if one.has_ended]:
            left.remove(process)
            again = f"natural9 serve {folder} --node {process.name} --port {process.port}"
            tell(f"{process.name} has ended; to start it again, in another window: {again}")
        await asyncio.sleep(LOOK_S)
    tell("No node is left: all tables wait. Ctrl-C stops the demo.")


def _stop_on_signal(stopping: Callable[[], None]) -> tuple[asyncio.Event, Callable[[], None]]:
    """Ctrl-C closes the betting and lets the rounds end; a second one does not wait for them."""
    loop, main, stopped = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
    assert main is not None

    def stop() -> None:
        if stopped.is_set():
            logging.disable(logging.ERROR)  # what is cut off now is no news
            main.cancel()
            return
        stopping()
        stopped.set()

    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, stop)
    return stopped, stop


async def _end_tasks(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
