"""Every stream of one journal, entry by entry in its order, by one process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Concatenate, Final

from natural9.core.round import RoundState
from natural9.core.round import events as round_events
from natural9.store.contract import Store, Written
from natural9.store.recount import StreamsRecount
from natural9.table.audit.findings import DoesNotFollow, Verified, Wrong, fault_of, read_entry, show_moment
from natural9.table.audit.history import earlier_counted, earlier_round
from natural9.table.audit.rules import LoadGame, Rules
from natural9.table.audit.table_audit import TableAudit
from natural9.table.audit.venue_audit import Tell, Told, VenueAudit

_ABOUT_EARLIER: Final = (round_events.RoundTakenUp.TAG, round_events.IrregularityDecided.TAG)
TABLE: Final = "table"  # what the streams of tables begin with


_stream_of: Final = itemgetter(Written._fields.index("stream"))


def runs(page: Sequence[Written]) -> Iterator[Sequence[Written]]:
    """Entries that follow each other in one stream."""
    return (list(run) for _, run in groupby(page, _stream_of))


def by_stream(page: Iterable[Written]) -> Iterable[Sequence[Written]]:
    """The entries of each stream, whatever lies between: where the order over all streams does not matter."""
    found: dict[str, list[Written]] = {}
    for written in page:
        stream = written[1]
        if stream in found:
            found[stream].append(written)
        else:
            found[stream] = [written]
    return found.values()


class Examiner:
    """It holds the open round of each table, and what all of them share; what each moves goes into the recount."""

    def __init__(
        self,
        load_game: LoadGame,
        found: Verified,
        recount: StreamsRecount,
        *,
        tell: Tell | None = None,
        by_bytes: bool = True,
    ) -> None:
        """`tell`: to whom tables tell of what others have a part in, if it is not looked at here. `by_bytes`: what is
        plain is known by its bytes."""
        self._rules = Rules(load_game, found)
        self._found, self._recount = found, recount
        self.tables: dict[str, TableAudit] = {}  # by stream
        self._venue = VenueAudit()
        self._tell = tell or self.told
        self._by_bytes = by_bytes
        self._last_ms: dict[str, int] = {}  # when the entry before was written in each stream

    def plain(self, run: Sequence[Written], place: int) -> int:
        """How many of these entries of one stream, from this place on, follow, as their bytes show: then their money is
        counted; `examine` has a closer look at the next. Their chain holds already."""
        table = self.tables.get(run[0].stream) if self._by_bytes else None
        return table.plain.take(run, place) if table else 0

    async def earlier(self, store: Store, written: Written) -> RoundState | None:
        """The earlier round that an entry takes up or decides about, as it stood before."""
        if written.kind not in _ABOUT_EARLIER:
            return None
        table = self.tables.get(written.stream)
        number = table.earlier_meant(read_entry(written).event) if table else None
        if table is None or number is None:
            return None
        table.earlier_counted = await earlier_counted(store, table.state.table, number, before=written.seq)
        return await earlier_round(store, table.state.table, number, table.state.round.rules, before=written.seq)

    def examine(self, written: Written, earlier: RoundState | None = None) -> None:
        """Its money, and all that it says."""
        stream = written.stream
        table = self.tables.get(stream)
        if table:
            table.catch_up()
        if written.transfers:
            self._catch_up_others(written)
            self._recount.pay(written)
        last_ms = table.plain.last_ms if table else self._last_ms.get(stream, 0)
        if written.at_ms < last_ms:
            raise self._goes_back(written, last_ms, table)
        self._last_ms[stream] = written.at_ms
        if table is None:
            room, _, name = stream.partition("/")
            if room != TABLE:
                self._venue.examine(written)
                return
            table = self.tables[stream] = TableAudit(name, self._rules, self._tell, self._found, self._recount)
            self._found.tables += 1
        table.examine(written, earlier)

    def _catch_up_others(self, written: Written) -> None:
        """No honest entry moves another table's money: then that table's is counted first."""
        for _, source, target, _ in written.transfers:
            for account in (source, target):
                name = account.partition("/")[2]
                for owner in (name, name.rpartition("-")[0]):
                    if table := self.tables.get(f"{TABLE}/{owner}"):
                        table.catch_up()

    def told(
        self, check: Callable[Concatenate[VenueAudit, Told], Wrong], /, *args: Told.args, **kwargs: Told.kwargs
    ) -> Wrong:
        """By a table, of what others have a part in."""
        return check(self._venue, *args, **kwargs)

    def _goes_back(self, written: Written, last_ms: int, table: TableAudit | None) -> DoesNotFollow:
        """The record clock never goes back."""
        should = f"entry {written.number - 1} of {written.stream} was written then, and the time never goes back"
        says = f"it was written at {show_moment(written.at_ms)}"
        last = show_moment(last_ms)
        return fault_of(written, table.state.round.number if table else 0)(says, f"{last} or later: {should}")

    def catch_up(self) -> None:
        """All money is counted, however its entries were known to follow."""
        for table in self.tables.values():
            table.catch_up()

    def finish_tables(self) -> None:
        """No decision was cut in half."""
        for table in self.tables.values():
            table.finish()

    async def finish(self, store: Store) -> None:
        """And what stands beside the journal agrees with it."""
        await self._venue.compare(store)
        self.finish_tables()
        self._found.time_stamps = self._venue.time_stamps
        self._found.vouchers_outstanding = self._venue.vouchers_out
        await self._venue.compare_vouchers(store)
