"""What the nemesis does, one thing after another; each ends with everything whole again, as an operator makes it."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable

from tests.cluster.floor import NATS, POSTGRES, Floor
from tests.nemesis.disk import fill, make_room
from tests.nemesis.links import CUT, DEAF, HELD, MUTE, OPEN, State
from tests.nemesis.node import GO_ON, KILL, STOP, Node, fake_clock

LEASE_S = 2.0
TRIES = 5  # to start a node
AWAY_S = (0.0, 0.3, 1.0, 2.5)  # how long something that was killed is away
OFFSETS_S = (-86_400, -3_600, -7, 7, 3_600, 86_400)  # of a clock that is wrong

Fault = Callable[["ClusterNemesis"], Awaitable[None]]


class ClusterNemesis:
    """`await strike(name)`; `told` hears what is done."""

    def __init__(self, floor: Floor, chance: random.Random, told: Callable[[str], None]) -> None:
        self.floor, self.chance, self._told = floor, chance, told
        self.gave_up: list[str] = []  # nodes that ended without having been told to
        self._ended: set[str] = set()  # by us

    async def strike(self, name: str) -> None:
        try:
            await FAULTS[name](self)
        finally:
            await self.heal()

    async def heal(self) -> None:
        """Whatever was done; and a node that has ended, for whatever reason, is started again."""
        floor = self.floor
        for name in floor.nodes:
            self.set_links(name, OPEN)
        if floor.disk:
            make_room(floor.disk)
        if floor.postgres.pid is None:
            floor.postgres.stop()
            await asyncio.to_thread(floor.postgres.start)
        if floor.nats.pid is None:
            floor.nats.stop()
            await asyncio.to_thread(floor.nats.start)
        again = []
        for name, node in floor.nodes.items():
            if node.is_running:
                node.signal(node.processes(), GO_ON)
                continue
            if name not in self._ended:
                self.gave_up.append(f"{name}: {node.log.read_text(errors='replace')[-1500:]}")
            again.append(name)
        self._ended.clear()
        for name in again:
            floor.begin(name)
        for name in again:
            await self.up(name)

    async def up(self, name: str) -> None:
        """If it ends instead, that is told, and it is started once more."""
        for _ in range(TRIES):
            try:
                await self.floor.nodes[name].up()
                return
            except AssertionError as ended:
                self.gave_up.append(f"{name} would not start: {ended}")
                self.floor.begin(name)

    # Its hands.

    def say(self, what: str) -> None:
        self._told(what)

    def any(self) -> Node:
        return self.chance.choice([node for node in self.floor.nodes.values() if node.is_running])

    async def owner(self) -> Node:
        """Of some stream; it is no use to kill only those that have nothing."""
        owners = [one for one in (await self.floor.owners()).values() if one in self.floor.nodes]
        node = self.floor.nodes[self.chance.choice(owners)] if owners else self.any()
        return node if node.is_running else self.any()

    async def wait(self, *seconds: float) -> None:
        await asyncio.sleep(self.chance.uniform(*seconds) if len(seconds) == 2 else self.chance.choice(seconds))

    def end(self, node: Node, *pids: int, how: signal.Signals = KILL) -> None:
        self.say(f"{how.name} to node {node.name}, {len(pids)} of its processes")
        self._ended.add(node.name)
        node.signal(pids, how)

    def set_links(self, node: str, state: State, *engines: str) -> None:
        for engine in engines or (POSTGRES, NATS):
            self.floor.links.set(self.floor.link(node, engine), state)


async def kill(nemesis: ClusterNemesis) -> None:
    """The node alone: the process that writes for it ends by itself."""
    node = await nemesis.owner()
    nemesis.end(node, node.pid)
    await node.ended()
    await nemesis.wait(*AWAY_S)


async def kill_machine(nemesis: ClusterNemesis) -> None:
    node = await nemesis.owner()
    nemesis.end(node, *node.processes())
    await nemesis.wait(*AWAY_S)
    await node.ended()


async def kill_writer(nemesis: ClusterNemesis) -> None:
    """The process that writes its journal: the node may go on with another, or end."""
    node = await nemesis.owner()
    nemesis.end(node, *node.processes()[1:])
    await nemesis.wait(0.5, 3.0)


async def kill_two(nemesis: ClusterNemesis) -> None:
    for node in nemesis.chance.sample([*nemesis.floor.nodes.values()], 2):
        nemesis.end(node, *node.processes())
        await nemesis.wait(0.0, 0.5)
    await nemesis.wait(*AWAY_S)
    for node in nemesis.floor.nodes.values():
        if not node.is_running:
            await node.ended()


async def drain(nemesis: ClusterNemesis) -> None:
    """As in a rolling upgrade."""
    node = await nemesis.owner()
    nemesis.end(node, node.pid, how=signal.SIGTERM)
    await node.ended()


async def _pause(nemesis: ClusterNemesis, node: Node, pids: list[int], *seconds: float) -> None:
    nemesis.say(f"node {node.name} is stopped, {len(pids)} of its processes")
    node.signal(pids, STOP)
    await nemesis.wait(*seconds)
    nemesis.say(f"node {node.name} goes on")
    node.signal(pids, GO_ON)
    await nemesis.wait(0.0, 1.0)


async def pause(nemesis: ClusterNemesis) -> None:
    """Past its lease: a zombie."""
    node = await nemesis.owner()
    await _pause(nemesis, node, node.processes(), LEASE_S + 0.2, LEASE_S * 2)


async def pause_node(nemesis: ClusterNemesis) -> None:
    node = await nemesis.owner()
    await _pause(nemesis, node, [node.pid], LEASE_S + 0.2, LEASE_S * 2)


async def pause_writer(nemesis: ClusterNemesis) -> None:
    node = await nemesis.owner()
    await _pause(nemesis, node, node.processes()[1:], LEASE_S + 0.2, LEASE_S * 2)


async def pause_briefly(nemesis: ClusterNemesis) -> None:
    """Within its lease."""
    node = await nemesis.owner()
    await _pause(nemesis, node, node.processes(), 0.2, LEASE_S * 0.6)


async def stop_postgres(nemesis: ClusterNemesis) -> None:
    nemesis.say("PostgreSQL is stopped, immediate")
    await asyncio.to_thread(nemesis.floor.postgres.stop, immediate=True)
    await nemesis.wait(*AWAY_S)


async def restart_postgres(nemesis: ClusterNemesis) -> None:
    nemesis.say("PostgreSQL is stopped in order")
    await asyncio.to_thread(nemesis.floor.postgres.stop)
    await nemesis.wait(*AWAY_S)


async def kill_nats(nemesis: ClusterNemesis) -> None:
    nemesis.say("NATS is killed")
    await asyncio.to_thread(nemesis.floor.nats.stop, immediate=True)
    await nemesis.wait(*AWAY_S)


async def kill_nats_and_node(nemesis: ClusterNemesis) -> None:
    node = await nemesis.owner()
    await asyncio.to_thread(nemesis.floor.nats.stop, immediate=True)
    nemesis.end(node, *node.processes())
    await nemesis.wait(*AWAY_S)
    await node.ended()


def _link(engine: str, state: State, *seconds: float) -> Fault:
    async def fault(nemesis: ClusterNemesis) -> None:
        node = await nemesis.owner()
        nemesis.say(f"the link of node {node.name} to {engine or 'both'} is {state}")
        nemesis.set_links(node.name, state, *([engine] if engine else []))
        await nemesis.wait(*seconds)

    return fault


async def fill_disk(nemesis: ClusterNemesis) -> None:
    assert nemesis.floor.disk, "only where there is a small one"
    nemesis.say("PostgreSQL's disk is full")
    await asyncio.to_thread(fill, nemesis.floor.disk)
    await nemesis.wait(1.0, 3.0)
    make_room(nemesis.floor.disk)
    await nemesis.wait(0.0, 1.0)


async def wrong_clock(nemesis: ClusterNemesis) -> None:
    """A machine whose clock is wrong comes up, has tables, and goes."""
    node = await nemesis.owner()
    nemesis.end(node, *node.processes())
    await node.ended()
    offset_s = nemesis.chance.choice(OFFSETS_S)
    nemesis.say(f"node {node.name} starts with a clock that is {offset_s} s off")
    node.set_clock(offset_s)
    try:
        nemesis.floor.begin(node.name)
        await nemesis.up(node.name)
        await nemesis.wait(3.0, 6.0)
        nemesis.end(node, *node.processes())
        await node.ended()
    finally:
        node.set_clock(0)


PAST_THE_LEASE = (LEASE_S + 0.2, LEASE_S * 3)
FAULTS: dict[str, Fault] = {
    "kill a node": kill,
    "kill a machine": kill_machine,
    "kill a journal's writer": kill_writer,
    "kill two machines": kill_two,
    "drain a node": drain,
    "stop a machine past its lease": pause,
    "stop a node past its lease": pause_node,
    "stop a writer past its lease": pause_writer,
    "stop a machine briefly": pause_briefly,
    "PostgreSQL stopped, immediate": stop_postgres,
    "PostgreSQL restarted": restart_postgres,
    "NATS killed": kill_nats,
    "NATS and a machine killed": kill_nats_and_node,
    "PostgreSQL cut off": _link(POSTGRES, CUT, 0.2, 4.0),
    "PostgreSQL silent both ways": _link(POSTGRES, HELD, *PAST_THE_LEASE),
    "PostgreSQL hears nothing": _link(POSTGRES, MUTE, *PAST_THE_LEASE),
    "PostgreSQL is not heard": _link(POSTGRES, DEAF, *PAST_THE_LEASE),
    "PostgreSQL slow": _link(POSTGRES, State(slow_s=0.15), 2.0, 4.0),
    "NATS cut off": _link(NATS, CUT, 0.2, 4.0),
    "NATS silent both ways": _link(NATS, HELD, *PAST_THE_LEASE),
    "NATS hears nothing": _link(NATS, MUTE, *PAST_THE_LEASE),
    "NATS is not heard": _link(NATS, DEAF, *PAST_THE_LEASE),
    "NATS slow": _link(NATS, State(slow_s=0.15), 2.0, 4.0),
    "a machine cut off": _link("", CUT, 0.5, 4.0),
    "a machine out of reach": _link("", HELD, *PAST_THE_LEASE),
    "a wrong clock": wrong_clock,
    "a disk full": fill_disk,
}


def left_out_here(floor: Floor) -> dict[str, str]:
    """What cannot be done on this machine, and why."""
    left_out = {}
    if not fake_clock():
        left_out["a wrong clock"] = "libfaketime is not installed"
    if not floor.disk:
        left_out["a disk full"] = "a small disk cannot be mounted here"
    return left_out
