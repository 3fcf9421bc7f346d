"""A venue of several nodes under its nemesis, judged by what the database itself has noted."""

import signal
from collections.abc import Mapping, Sequence

from tests.cluster.faults import FAULTS, ClusterNemesis, left_out_here
from tests.cluster.floor import Floor
from tests.cluster.records import PostgresJournal
from tests.nemesis.story import SHORT_S, NemesisStory, Size
from tests.outside.server import Server

NODES = ("a", "b", "c")


class ClusterStory(NemesisStory):
    """`await ClusterStory(floor, seed, size).tell(faults)`."""

    journal: PostgresJournal
    nemesis: ClusterNemesis

    def __init__(self, floor: Floor, seed: int, size: Size | None = None, nodes: Sequence[str] = NODES) -> None:
        super().__init__(seed, size)
        self.floor, self._names = floor, nodes
        self.journal = PostgresJournal(floor.database, self.books.wrong, short_ms=SHORT_S * 1000)
        self.nemesis = ClusterNemesis(floor, self.chance_of_its_own(), self.books.step)
        self.left_out = left_out_here(floor)
        self.faults_here = [name for name in FAULTS if name not in self.left_out]

    async def open(self) -> Server:
        """The first node alone; the others come with its keys."""
        self.floor.make_nodes(self._names, self.make_venue(self.floor.folder / "venue"))
        first = self._names[0]
        await self.floor.start(first)
        await self.journal.watch()
        return self.floor.nodes[first]

    async def open_more(self) -> None:
        first, *others = self._names
        if others:
            self.floor.copy_keys(first)
            await self.floor.start(*others)

    def addresses(self, sender: str) -> Sequence[str]:
        return self.floor.addresses

    async def could_read_on(self) -> bool:
        return await self.journal.could_read_on()

    async def run_verify(self) -> tuple[int, str]:
        return await self.floor.run("verify", self.floor.database)

    @property
    def starts(self) -> int:
        return sum(node.lives for node in self.floor.nodes.values())

    def figures(self) -> Mapping[str, int]:
        return {"tables moved": self.journal.moves}

    async def stop(self) -> None:
        for node in self.floor.nodes.values():
            node.signal([node.pid], signal.SIGTERM)
        for name, node in self.floor.nodes.items():
            if status := await node.ended():
                said = node.log.read_text(errors="replace")[-800:]
                self.books.wrong("a node did not end well", f"{name}: exit status {status}: {said}")
