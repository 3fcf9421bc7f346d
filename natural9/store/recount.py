"""All that a journal says, counted again entry by entry: how far it goes, the money, the meters and the documents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from natural9.store.balances import Balances, Counts, count, meters_of
from natural9.store.chain import GENESIS, follow_all
from natural9.store.contract import FLOATING, Corrupt, Hashed, Head, Meter, Overdrawn, StreamHead, Written
from natural9.store.documents import DocumentHashes, compare_documents


class StreamsRecount:
    """Some streams: how far each goes, and what their entries move. Several such parts make up a journal."""

    def __init__(self, *, may_go_below_zero: tuple[str, ...] = FLOATING) -> None:
        self.entries = self.transfers = 0
        self.last = (0, GENESIS)  # the place and hash of the last entry
        self.streams: dict[str, StreamHead] = {}
        self.balances = Balances(may_go_below_zero=may_go_below_zero)
        self.counts: Counts = {}

    def add(self, written: Written) -> None:
        self.chain([written])
        self.pay(written)

    def chain(self, page: Sequence[Written]) -> None:
        """All of these but their money; where one does not follow, none is added."""
        self.transfers += follow_all(self.streams, page)
        self.entries += len(page)
        self.last = max(self.last, (page[-1].seq, page[-1].hash))

    def pay(self, written: Written) -> None:
        if transfers := written.transfers:
            try:
                self.balances.move(transfers)
            except Overdrawn as overdrawn:
                raise Corrupt(f"entry {written.seq}: {overdrawn}") from overdrawn
            count(self.counts, written.day, transfers)

    def join(self, other: "StreamsRecount") -> None:
        """Another part, of other streams."""
        self.entries += other.entries
        self.transfers += other.transfers
        self.last = max(self.last, other.last)
        self.streams |= other.streams
        for account, cents in other.balances.items():
            self.balances[account] = self.balances.get(account, 0) + cents
            if not self.balances[account]:
                del self.balances[account]
        for key, more in other.counts.items():
            mine = self.counts.get(key, (0, 0, 0, 0))
            self.counts[key] = [one + another for one, another in zip(mine, more, strict=True)]

    @property
    def reached(self) -> Head:
        """How far a journal goes whose streams these are."""
        return Head(self.entries, self.last[1], self.transfers)


class Recount(StreamsRecount):
    """Begins at the first entry: `add` each in turn, then hold what is stored against it."""

    def __init__(self, *, may_go_below_zero: tuple[str, ...] = FLOATING) -> None:
        super().__init__(may_go_below_zero=may_go_below_zero)
        self.documents = DocumentHashes()

    @property
    def meters(self) -> int:
        return len(self.counts)

    def add_stream_entry(self, written: Written) -> None:
        """One of many streams whose entries are not all added here, but for what it moves."""
        super().chain([written])

    def add(self, written: Written) -> None:
        self.chain([written])
        if written.documents:
            self.add_documents(written.seq, written.stream, written.documents, written.documents_sum)
        self.pay(written)

    def chain(self, page: Sequence[Written]) -> None:
        for due, written in enumerate(page, start=self.entries + 1):
            if written[0] != due:
                raise Corrupt(f"entry {due} is missing: entry {written.seq} comes after entry {due - 1}")
        super().chain(page)

    def chained(self, page: Sequence[Written]) -> Iterator[Sequence[Written]]:
        """These, once their chain holds: all at once, or one by one up to the first that does not follow."""
        try:
            self.chain(page)
        except Corrupt:
            yield from map(self._chained_alone, page)
        else:
            yield page

    def _chained_alone(self, written: Written) -> Sequence[Written]:
        self.chain([written])
        return [written]

    def add_documents(self, seq: int, stream: str, documents: Hashed, documents_sum: str) -> None:
        self.documents.change(stream, documents)
        if documents_sum != self.documents.sum_of(stream):
            raise Corrupt(f"entry {seq}: its sum over documents is not that of the entries of {stream} up to it")

    def compare(self, balances: Mapping[str, int], meters: Iterable[Meter], documents: Mapping[str, str]) -> None:
        """Corrupt names the first of these that does not follow from the entries."""
        _compare_balances(balances, self.balances)
        _compare_meters(meters, meters_of(self.counts))
        compare_documents(documents, self.documents)


def _compare_balances(stored: Mapping[str, int], derived: Mapping[str, int]) -> None:
    for account in sorted(stored.keys() | derived.keys()):
        kept, due = stored.get(account, 0), derived.get(account, 0)
        if kept != due or account not in derived:
            raise Corrupt(f"account {account}: its balance is {kept} cents, but its transfers make {due}")


def _compare_meters(stored: Iterable[Meter], derived: Iterable[Meter]) -> None:
    kept, due = ({meter[:3]: meter[3:] for meter in meters} for meters in (stored, derived))
    for account, day, kind in sorted(kept.keys() | due.keys()):
        key = (account, day, kind)
        if kept.get(key) != due.get(key):
            raise Corrupt(
                f"account {account}: its meter of {kind} on {day} is {kept.get(key, 'missing')},"
                f" but its transfers make {due.get(key, 'none')} (cents in, count, cents out, count)"
            )
