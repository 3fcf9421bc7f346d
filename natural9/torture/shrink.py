"""The shortest story that still goes wrong in the same way: fewer rounds, tables, seats, faults and habits."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from natural9.torture.disk import NO_DISK_FAULTS
from natural9.torture.mix import NO_PROCESS_FAULTS, Mix, StaffFaults
from natural9.torture.network import NO_NETWORK_FAULTS
from natural9.torture.story import Told, tell

MOST_TRIES: Final = 60
NO_MISTAKES: Final = StaffFaults(mistakes=0.0)
NOTHING: Final = {
    "disk": NO_DISK_FAULTS,
    "network": NO_NETWORK_FAULTS,
    "process": NO_PROCESS_FAULTS,
    "staff": NO_MISTAKES,
}

Tell = Callable[[Mix, int], Told]


class Shrunk(NamedTuple):
    mix: Mix
    rounds: int
    told: Told
    tries: int


def kinds_of(told: Told) -> frozenset[str]:
    """In which ways it went wrong, whoever it was."""
    return frozenset(one.partition(":")[0] for one in told.violations)


def tell_mix(mix: Mix, rounds: int) -> Told:
    return tell(mix.seed, rounds, mix=mix, step_by_step=True)


def shrink(mix: Mix, rounds: int, told: Told, tell: Tell = tell_mix, most_tries: int = MOST_TRIES) -> Shrunk:
    """Whatever can be left out is, as long as one of the same things goes wrong."""
    wrong, tries = kinds_of(told), 0
    is_shorter = True
    while is_shorter and tries < most_tries:
        is_shorter = False
        for smaller, fewer in _smaller(mix, rounds):
            if tries >= most_tries:
                break
            tries += 1
            again = tell(smaller, fewer)
            if kinds_of(again) & wrong:
                mix, rounds, told, is_shorter = smaller, fewer, again, True
                break
    return Shrunk(mix, rounds, told, tries)


def _smaller(mix: Mix, rounds: int) -> Iterator[tuple[Mix, int]]:
    """What leaves out most comes first."""
    for fewer in (1, rounds // 4, rounds // 2, rounds - 1):
        if 0 < fewer < rounds:
            yield mix, fewer
    if len(mix.tables) > 1:
        for table in mix.tables:
            yield replace(mix, tables=tuple(one for one in mix.tables if one is not table)), rounds
    for part, nothing in NOTHING.items():
        if getattr(mix, part) != nothing:
            yield _with(mix, part, nothing), rounds
    for place, table in enumerate(mix.tables):
        for seats in (1, table.seats // 2, table.seats - 1):
            if 0 < seats < table.seats:
                yield _with_table(mix, place, seats=seats), rounds
        for name, plain in (("joint_shoe", False), ("squeeze_s", 0), ("burns", False)):
            if getattr(table, name) != plain:
                yield _with_table(mix, place, **{name: plain}), rounds
    for part in ("disk", "network", "process"):
        drawn = getattr(mix, part)
        for name, value in drawn._asdict().items():
            if value and not name.startswith(("longest", "latest")):
                yield _with(mix, part, drawn._replace(**{name: 0})), rounds
    for tap, weight in mix.taps.items():
        if weight and tap != "bet":
            yield replace(mix, taps={**mix.taps, tap: 0.0}), rounds
    for part, habit in mix.habits._asdict().items():
        if any(habit):
            yield replace(mix, habits=mix.habits._replace(**{part: type(habit)()})), rounds
        for name, value in habit._asdict().items():
            if value:
                yield replace(mix, habits=mix.habits._replace(**{part: habit._replace(**{name: 0})})), rounds
    if mix.lobby_tables > 1:
        yield replace(mix, lobby_tables=1), rounds


def _with(mix: Mix, part: str, value: Any) -> Mix:
    return replace(mix, **{part: value})


def _with_table(mix: Mix, place: int, **changes: Any) -> Mix:
    tables = list(mix.tables)
    tables[place] = tables[place]._replace(**changes)
    return replace(mix, tables=tuple(tables))
