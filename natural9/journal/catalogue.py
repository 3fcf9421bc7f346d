"""Every event there is, by its tag: declared in nine files, gathered here, whoever imports what."""

from collections.abc import Mapping
from typing import Final, get_args

from natural9.core.events import Event
from natural9.core.round.events import RoundEvent
from natural9.journal.card_events import CardEvent
from natural9.journal.mix_events import MixEvent
from natural9.journal.people_events import PeopleEvent
from natural9.journal.player_events import PlayerAccountEvent
from natural9.journal.session_events import SessionEvent
from natural9.journal.table_events import TableEvent
from natural9.journal.venue_events import VenueEvent
from natural9.journal.versions import RETIRED
from natural9.journal.visit_events import VisitEvent

ALL_EVENTS: Final[tuple[type[Event], ...]] = get_args(
    RoundEvent
    | TableEvent
    | MixEvent
    | SessionEvent
    | CardEvent
    | VisitEvent
    | VenueEvent
    | PeopleEvent
    | PlayerAccountEvent
)
BY_TAG: Final[Mapping[str, type[Event]]] = {shape.TAG: shape for shape in ALL_EVENTS}
assert len(BY_TAG) == len(ALL_EVENTS), "two events share a tag"


def shape_of(tag: str) -> type[Event] | None:
    """What is declared of an event with this tag, today's or an old one."""
    return BY_TAG.get(RETIRED.get(tag, tag))
