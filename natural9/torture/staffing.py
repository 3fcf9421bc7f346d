"""Who is on the floor of a story: a crew and a console at every table, the pit, the devices that read cards, visitors
from other tables, and onlookers."""

from functools import partial
from typing import TYPE_CHECKING

from natural9.table.shoes.reader import read_cards
from natural9.torture.carded import CardedPlayers
from natural9.torture.cashiers import cashiers_of
from natural9.torture.consoles import Consoles, ConsoleScreen, Patrol
from natural9.torture.crew import FloorPit, TableCrew
from natural9.torture.managers import managers_of
from natural9.torture.onlookers import Onlookers
from natural9.torture.pay_rows import RareRounds
from natural9.torture.reader import SimulatedReader, SimulatedReaders
from natural9.torture.table_staff import TableStaff
from natural9.torture.visitors import Visitors

if TYPE_CHECKING:
    from natural9.torture.story import Actor, Story

AT_THE_SCREENS = "pat"  # whose badge the consoles show


def staff_of(story: "Story") -> list["Actor"]:
    """Everybody who is needed at the tables of this story."""
    floor, faults = story.floor, story.mix.staff
    watched = {table.id for table in story.mix.tables if table.is_watched or table.deals != "electronic"}
    screens = {
        table: ConsoleScreen(floor, story.decoder, table, AT_THE_SCREENS, story.chance(f"console {table}"))
        if table in watched
        else Patrol(floor, table, AT_THE_SCREENS, story.chance(f"console {table}"))
        for table in floor.venue.tables
    }
    consoles, readers = Consoles(story.orders, screens), SimulatedReaders()
    crews = list[TableCrew]()
    for table, config in floor.venue.tables.items():
        device = None
        if config.reader:
            chance = story.chance(f"reader {table}")
            device = SimulatedReader(chance, partial(_at, story, table), share=faults.reader)
            readers.add(config.reader, device)
            floor.readers[table] = partial(read_cards, config.reader, opened=readers.opened)
        at = TableStaff(
            config,
            consoles,
            consoles,
            story.chance(f"crew {table}"),
            story.tell,
            share=faults.mistakes if table in watched else 0.0,
            never=frozenset(faults.never),
            rare_cards=story.mix.rare_cards,
            rare=RareRounds([config.game.id], story.chance(f"pay rows {table}")),
        )
        crews.append(TableCrew(at, device))
    at_work = [crew.at for crew in crews if crew.at.id in watched]
    pit = [FloorPit(at_work, story.chance("pit"))] if at_work and faults.mistakes else []
    visitors, onlookers = Visitors(story, story.chance("visitors")), Onlookers(floor, story.chance("onlookers"))
    felts = {crew.at.id: crew.at.felt for crew in crews if crew.at.has_real_cards}
    away = [*cashiers_of(story), *managers_of(story, consoles, felts)]
    return [consoles, *crews, *pit, visitors, CardedPlayers(story, story.chance("cards")), onlookers, *away]


def _at(story: "Story", table: str, words: str) -> None:
    story.tell(f"table {table}: {words}")
