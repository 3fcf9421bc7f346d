"""The mix of a seed: which tables there are, who plays how, and which faults come how often. All of it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, NamedTuple

from natural9.torture.chance import chance_of, now_and_then
from natural9.torture.disk import NO_DISK_FAULTS, DiskFaults
from natural9.torture.habits import NO_HABITS, Habits, draw_habits
from natural9.torture.mistakes import MISTAKES
from natural9.torture.network import NO_NETWORK_FAULTS, NetworkFaults


class SimulatedTable(NamedTuple):
    """One of the floor: its game, who deals it, where its cards come from, and how many terminals it has."""

    id: str
    game: str
    deals: str  # "electronic", "dealer", "keyed" (a dealer with real cards) or "read" (with a reading shoe)
    seats: int
    joint_shoe: bool = False
    squeeze_s: float = 0
    burns: bool = False
    is_watched: bool = False  # an electronic one: staff stand there, who report and decide; at others they always do
    seat_least: int = 0  # what a seat must stake in all, and may, and all seats together, in dollars; 0 for any
    seat_most: int = 0
    table_most: int = 0


GAMES: Final = (
    "rws-nc",
    "mbs-tiger",
    "mbs-fortune-six-nc",
    "mbs-tiger-nc",
    "mbs-super-6-nc",
    "mbs-nc",
    "rws-nc-super-six-plus",
    "rws-nc-insurance",
    "mbs-super-six-nc",
    "rws-nc-insurance",  # twice: no other has so many steps
)
BY_THEMSELVES: Final = tuple(game for game in GAMES if game != "rws-nc-insurance")  # which a dealer must announce
DEALS: Final = ("electronic", "dealer", "keyed", "read")
TAPS: Final = {
    "bet": 60.0,
    "lay-bets": 10.0,
    "take-back": 4.0,
    "undo": 4.0,
    "double": 4.0,
    "re-bet": 8.0,
    "clear": 2.0,
    "cash-out": 4.0,
    "call-attendant": 1.0,
    "lie": 3.0,
    "click-twice": 4.0,
    "use-id-again": 2.0,
    "own-limits": 0.5,
    "vanish": 1.0,
}


class ProcessFaults(NamedTuple):
    """Seconds between two of a kind, on the average; 0 for never."""

    crash_s: float = 0
    long_outage: float = 0  # how likely a crash is one that lasts longer than the venue calls short
    at_start: float = 0  # how likely it is killed again while it starts
    clock_jump_s: float = 0
    stop_s: float = 0  # stopped in good order and started again


NO_PROCESS_FAULTS: Final = ProcessFaults()


class StaffFaults(NamedTuple):
    """Of the crews at the tables."""

    mistakes: float = 0.1  # how likely one is, at each thing that they do
    reader: float = 0.0  # how likely a reading shoe stutters, with each card
    never: tuple[str, ...] = ()  # mistakes that nobody makes, by their names


SOME_MISTAKES: Final = StaffFaults()


@dataclass(frozen=True, kw_only=True)
class Mix:
    seed: int
    tables: tuple[SimulatedTable, ...]
    disk: DiskFaults = NO_DISK_FAULTS
    network: NetworkFaults = NO_NETWORK_FAULTS
    process: ProcessFaults = NO_PROCESS_FAULTS
    staff: StaffFaults = SOME_MISTAKES
    habits: Habits = NO_HABITS
    taps: Mapping[str, float] = field(default_factory=lambda: dict(TAPS))
    taps_a_round: float = 2.0  # of a terminal, on the average; 0: always one
    bets_at_once: tuple[int, int] = (1, 4)  # that are laid together: at least and at most, some on the same wager
    betting_s: float = 3.0
    lobby_tables: int = 1
    rare_cards: float = 0.0  # how likely a shoe is one in which rare rounds come first
    longest_s: float = 100_000.0  # simulated: then the faults stop, however few rounds there were

    def describe(self) -> str:
        """All that the seed expands to."""
        lines = [f"seed {self.seed}"]
        for table in self.tables:
            more = "".join(
                [
                    ", joint shoe" if table.joint_shoe else "",
                    f", squeeze {table.squeeze_s:g} s" if table.squeeze_s else "",
                    ", burns" if table.burns else "",
                    ", watched" if table.is_watched else "",
                    f", at least {table.seat_least} a seat" if table.seat_least else "",
                    f", at most {table.seat_most} a seat" if table.seat_most else "",
                    f", at most {table.table_most} in all" if table.table_most else "",
                ]
            )
            lines.append(f"table {table.id}: {table.game}, {table.deals}, {table.seats} terminals{more}")
        for name, part in (("disk", self.disk), ("network", self.network), ("process", self.process)):
            lines.append(f"{name}: {_drawn(part._asdict()) or 'no faults'}")
        for name, habit in self.habits._asdict().items():
            lines.append(f"{name}: {_drawn(habit._asdict()) or 'as usual'}")
        never = f", never {', '.join(self.staff.never)}" if self.staff.never else ""
        lines.append(f"staff: mistakes {self.staff.mistakes:g}, reading shoes {self.staff.reader:g}{never}")
        taps = ", ".join(f"{name} {weight:g}" for name, weight in self.taps.items() if weight)
        lines.append(f"terminals: {self.taps_a_round:g} taps a round: {taps}")
        lines.append(f"betting {self.betting_s:g} s, {self.lobby_tables} tables at a time")
        lines.append(f"shoes in which rare rounds come first: {self.rare_cards:g}")
        return "\n".join(lines)


def _drawn(values: Mapping[str, float]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {value:g}" for key, value in values.items() if value)


def _insured_near(game: str, seat_most: int, chance: Random) -> int:
    """Where insurance comes on top of what is staked, at times so little that a seat reaches it."""
    return chance.choice((seat_most, seat_most, 20)) if game not in BY_THEMSELVES else seat_most


def draw_mix(seed: int) -> Mix:
    """Each kind of fault is on or off, and often or rare: what is never together in one seed is in another."""
    chance, limits, near = (chance_of(seed, part) for part in ("mix", "limits and shoes", "near the limits"))
    some = partial(now_and_then, chance)

    def table(number: int) -> SimulatedTable:
        game = chance.choice(GAMES)
        deals = chance.choice(DEALS if game in BY_THEMSELVES else DEALS[1:])
        return SimulatedTable(
            f"t{number}",
            game,
            deals,
            chance.randint(1, 8),
            joint_shoe=chance.random() < 0.3,
            squeeze_s=chance.choice((0, 0, 0, 2)),
            burns=chance.random() < 0.3,
            is_watched=chance.random() < 0.3,
            seat_least=limits.choice((0, 0, 0, 3)),
            seat_most=_insured_near(game, limits.choice((0, 10, 30, 200)), near),
            table_most=limits.choice((0, 0, 30, 300)),
        )

    tables = tuple([table(number) for number in range(1, chance.randint(1, 3) + 1)])
    staff = StaffFaults(
        mistakes=some(0.8, 0.02, 0.3),
        reader=some(0.8, 0.01, 0.3),
        never=tuple([mistake.name for mistake in MISTAKES if chance.random() < 0.2]),
    )
    disk = DiskFaults(
        slow=some(0.5, 0.001, 0.2),
        late_answer=some(0.5, 0.001, 0.2),
        fails=some(0.3, 0.0002, 0.02),
    )
    network = NetworkFaults(
        late=some(0.6, 0.001, 0.3),
        cut=some(0.6, 0.001, 0.05),
        half_open=some(0.5, 0.05, 0.8),
        stutter=some(0.3, 0.0002, 0.01),
    )
    process = ProcessFaults(
        crash_s=some(0.8, 2.0, 60.0),
        long_outage=some(0.5, 0.05, 0.5),
        at_start=some(0.5, 0.05, 0.5),
        clock_jump_s=some(0.3, 10.0, 100.0),
        stop_s=some(0.3, 20.0, 200.0),
    )
    taps = {name: round(weight * chance.choice((0, 0.3, 1, 1, 3)), 3) for name, weight in TAPS.items()}
    taps["bet"] = max(taps["bet"], TAPS["bet"])
    return Mix(
        seed=seed,
        tables=tables,
        disk=disk,
        network=network,
        process=process,
        staff=staff,
        habits=draw_habits(seed),
        taps=taps,
        taps_a_round=round(chance.uniform(0.5, 5.0), 2),
        betting_s=chance.choice((1.0, 3.0, 8.0)),
        lobby_tables=chance.choice((1, 1, 2, 4)),
        rare_cards=limits.choice((0.0, 0.5, 0.9, 0.9)),
    )
