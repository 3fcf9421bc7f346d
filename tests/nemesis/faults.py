"""What the nemesis does to one machine, one thing after another; each ends with everything whole again."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle

from tests.nemesis.links import CUT, DEAF, HELD, MUTE, OPEN, State
from tests.nemesis.machine import Machine
from tests.nemesis.node import GO_ON, STOP
from tests.nemesis.player import NOBODY
from tests.outside.moments import JOURNAL, MOMENTS, ON_THE_WAY_UP, SERVER, STARTING, Plan, Trap, plans

AWAY_S = (0.0, 0.0, 0.3, 1.0, 2.5)  # how long a server that was killed is away
MOMENT_S = 5.0  # a moment that has not come by then comes now
PAUSE_S = (0.2, 1.0, 3.0, 6.0)
FULL_S = 10.0  # by then it has noticed, or there was still room in its files
SYNC_MS = (20, 100, 400)  # of a slow disk
LINE_S = (0.3, 1.0, 3.0, 6.0)  # how long a link is not what it should be

Fault = Callable[["MachineNemesis"], Awaitable[None]]


class MachineNemesis:
    """`await strike(name)`; `told` hears what is done, and whoever plays is told of the trap by `set_trap`."""

    def __init__(
        self, machine: Machine, chance: random.Random, told: Callable[[str], None], set_trap: Callable[[Trap], None]
    ) -> None:
        self.machine, self.chance, self.say, self._set_trap = machine, chance, told, set_trap
        every_moment = plans(chance, 2 * len(MOMENTS))
        self._plans: dict[str, Iterator[Plan]] = {
            victim: cycle([plan for plan in every_moment if plan.victim == victim]) for victim in (SERVER, JOURNAL)
        }
        self.moments = 0  # that came by themselves
        self.longest_s = 60.0  # that anything is left as it is

    @property
    def gave_up(self) -> list[str]:
        return self.machine.gave_up

    async def strike(self, name: str) -> None:
        try:
            await FAULTS[name](self)
        finally:
            self.heal()

    def heal(self) -> None:
        """Whatever was done. The server is started again by what looks after it."""
        machine = self.machine
        for name in machine.links.ports:
            machine.links.set(name, OPEN)
        machine.make_room()
        if machine.slow:
            machine.slow.set(0)
        if machine.is_running:
            machine.signal(machine.processes(), GO_ON)
        machine.is_looked_after = True

    # Its hands.

    async def wait(self, seconds: tuple[float, ...]) -> None:
        await asyncio.sleep(min(self.chance.choice(seconds), self.longest_s))

    async def spring(self, victim: str) -> None:
        """Kill one of the two processes, at the next moment of the protocol that is due."""
        machine, plan = self.machine, next(self._plans[victim])
        self.say(str(plan))
        machine.away_s = self.chance.choice(AWAY_S)
        if plan.name == STARTING:
            return await self._kill_while_starting(victim)
        trap = Trap(plan, lambda: self._kill(victim))
        self._set_trap(trap)
        try:
            self.moments += await trap.wait(MOMENT_S)
        finally:
            self._set_trap(NOBODY)

    def _kill(self, victim: str) -> None:
        server, *journal = self.machine.processes()
        self.say(f"the {victim} is killed")
        self.machine.end([server] if victim == SERVER else journal)

    async def _kill_while_starting(self, victim: str) -> None:
        """On its way up, when the log has come so far."""
        machine = self.machine
        machine.is_looked_after = False
        machine.end(machine.processes())
        await machine.ended()
        machine.begin()
        await machine.says(self.chance.choice(ON_THE_WAY_UP))
        self._kill(victim)


async def kill_both(nemesis: MachineNemesis) -> None:
    """As a machine that fails; its disk keeps what was written to it."""
    nemesis.say("both processes are killed")
    nemesis.machine.away_s = nemesis.chance.choice(AWAY_S)
    nemesis.machine.end(nemesis.machine.processes())


async def restart(nemesis: MachineNemesis) -> None:
    nemesis.say("the server is told to end")
    nemesis.machine.is_looked_after = False
    await nemesis.machine.ends_when_told()


def _pause(which: slice) -> Fault:
    async def fault(nemesis: MachineNemesis) -> None:
        machine = nemesis.machine
        pids = machine.processes()[which]
        nemesis.say(f"{len(pids)} processes are stopped")
        machine.signal(pids, STOP)
        await nemesis.wait(PAUSE_S)
        nemesis.say("they go on")
        machine.signal(pids, GO_ON)

    return fault


async def fill_disk(nemesis: MachineNemesis) -> None:
    nemesis.say("the disk is full")
    await asyncio.to_thread(nemesis.machine.fill_disk)
    await nemesis.machine.until_it_stops(FULL_S)
    await nemesis.wait((0.0, 1.0, 3.0))


async def slow_disk(nemesis: MachineNemesis) -> None:
    assert nemesis.machine.slow, "only where there is one"
    ms = nemesis.chance.choice(SYNC_MS)
    nemesis.say(f"every sync takes {ms} ms longer")
    nemesis.machine.slow.set(ms)
    await nemesis.wait((2.0, 4.0))


def _links(state: State) -> Fault:
    async def fault(nemesis: MachineNemesis) -> None:
        """Of one, of some or of all, the desks among them."""
        links = nemesis.machine.links
        names = list(links.ports)
        some = nemesis.chance.sample(names, nemesis.chance.choice((1, len(names) // 2, len(names))))
        nemesis.say(f"the links of {', '.join(some)} are {state}")
        for name in some:
            links.set(name, state)
        await nemesis.wait(LINE_S)

    return fault


async def kill_while_cut_off(nemesis: MachineNemesis) -> None:
    """What was done and could not be told is asked for at the next process."""
    await _links(DEAF)(nemesis)
    nemesis.machine.end(nemesis.machine.processes()[:1])


FAULTS: dict[str, Fault] = {
    "kill the server": lambda nemesis: nemesis.spring(SERVER),
    "kill the journal's process": lambda nemesis: nemesis.spring(JOURNAL),
    "kill both processes": kill_both,
    "restart": restart,
    "stop the server for a while": _pause(slice(0, 1)),
    "stop the journal's process for a while": _pause(slice(1, 2)),
    "stop both for a while": _pause(slice(0, 2)),
    "a full disk": fill_disk,
    "a slow disk": slow_disk,
    "terminals cut off": _links(CUT),
    "terminals silent both ways": _links(HELD),
    "terminals not heard": _links(MUTE),
    "terminals hear nothing": _links(DEAF),
    "terminals slow": _links(State(slow_s=0.3)),
    "killed while nobody hears it": kill_while_cut_off,
}


def left_out_here(machine: Machine) -> dict[str, str]:
    """What cannot be done on this machine, and why."""
    left_out = {}
    if not machine.disk:
        left_out["a full disk"] = "a small disk cannot be mounted here"
    if not machine.slow:
        left_out["a slow disk"] = "there is no C compiler"
    return left_out
