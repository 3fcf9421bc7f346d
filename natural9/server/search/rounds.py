"""Which round an entry belongs to, and how that round ended."""

from collections.abc import Sequence
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.core.round.state import Phase
from natural9.journal.labels import later_label
from natural9.journal.line import read_line
from natural9.server.reports.days import Rounds
from natural9.server.search.query import RoundEnd
from natural9.store.contract import Store, Written
from natural9.table.audit.history import earlier_round

TABLES: Final = "table/"
# What says how a round ends. Of several the last counts; corrected cards lead to a new declaration.
DECIDING: Final = frozenset(
    (round_events.ResultDeclared.TAG, round_events.RoundVoided.TAG, round_events.CardsCorrected.TAG)
)
ENDING: Final = DECIDING - {round_events.CardsCorrected.TAG}


def table_of(written: Written) -> str:
    """ "" outside any table."""
    return written.stream[len(TABLES) :] if written.stream.startswith(TABLES) else ""


class RoundEnds:
    """How rounds ended, each found out once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._taken_up: set[str] = set()  # the labels of rounds that were put right later
        self._rounds: dict[str, Rounds] = {}
        self._ends: dict[tuple[str, int], RoundEnd | None] = {}

    async def number(self, table: str, seq: int) -> int:
        """0 before the first, and outside any table."""
        return await self._of(table).at(seq) if table else 0

    def _of(self, table: str) -> Rounds:
        return self._rounds.setdefault(table, Rounds(self._store, table))

    async def result(self, table: str, number: int) -> RoundEnd | None:
        """None while it is in play."""
        if not number:
            return None
        if (table, number) not in self._ends:
            state = await earlier_round(self._store, table, number, None)
            self._ends[table, number] = _ended(state) if state else None
        return self._ends[table, number]

    async def note(self, page: Sequence[Written], *, to_the_end: bool) -> None:
        """Learn from entries read anyway, oldest first, how the rounds ended that lie among them whole. `to_the_end`:
        of their tables, all later entries have been noted before."""
        self._taken_up.update(one.label for one in page if one.kind == round_events.RoundTakenUp.TAG)
        open_rounds: dict[str, int] = {}
        ends: dict[str, RoundEnd | None] = {}
        for written in page:
            table = table_of(written)
            if written.kind == round_events.BettingOpened.TAG:
                if before := open_rounds.get(table):
                    await self._keep(table, before, ends[table], to_the_end=to_the_end)
                number = open_rounds[table] = int(written.label.rpartition("/")[2])
                self._of(table).know(number, written)
                ends[table] = None
            elif written.kind in DECIDING and table in open_rounds:
                ends[table] = _decided(written)

    async def _keep(self, table: str, number: int, end: RoundEnd | None, *, to_the_end: bool) -> None:
        """Unless it was taken up again later."""
        later = later_label(table, number)
        if later not in self._taken_up and (to_the_end or not await self._store.labelled(later, limit=1)):
            self._ends.setdefault((table, number), end)


def _ended(state: RoundState) -> RoundEnd | None:
    if state.phase is Phase.VOID:
        return RoundEnd.VOID
    try:
        outcome = state.outcome if state.declared else None
    except BadInput:  # no cards that any round could have: `verify` says where
        return None
    return RoundEnd(outcome.winner) if outcome else None


def _decided(written: Written) -> RoundEnd | None:
    match read_line(written).event:
        case round_events.ResultDeclared(winner=winner):
            return RoundEnd(winner)
        case round_events.RoundVoided():
            return RoundEnd.VOID
        case _:
            return None
