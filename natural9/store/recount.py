"""All that a journal says, counted again entry by entry: how far it goes, the money, the meters and the documents."""

from collections.abc import Iterable, Mapping

from natural9.store.balances import Balances, Counts, count, meters_of
from natural9.store.chain import START, STREAM_START, follow
from natural9.store.contract import Corrupt, Head, Meter, Overdrawn, StreamHead, Written
from natural9.store.documents import DocumentHashes, compare_documents


class Recount:
    """Begins at the first entry: `add` each in turn, then hold what is stored against it."""

    def __init__(self) -> None:
        self.reached = START
        self.streams: dict[str, StreamHead] = {}
        self.balances = Balances()
        self.documents = DocumentHashes()
        self._counts: Counts = {}

    @property
    def meters(self) -> int:
        return len(self._counts)

    def add(self, written: Written) -> None:
        seq, stream = written.seq, written.stream
        if seq != self.reached.seq + 1:
            raise Corrupt(f"entry {self.reached.seq + 1} is missing: entry {seq} comes after entry {self.reached.seq}")
        self.streams[stream] = follow(self.streams.get(stream, STREAM_START), written)
        self.reached = Head(seq, written.hash, self.reached.transfers + len(written.transfers))
        try:
            self.balances.move(written.transfers)
        except Overdrawn as overdrawn:
            raise Corrupt(f"entry {seq}: {overdrawn}") from overdrawn
        count(self._counts, written.day, written.transfers)
        if written.documents:
            self.documents.change(stream, written.documents)
            if written.documents_sum != self.documents.sum_of(stream):
                raise Corrupt(f"entry {seq}: its sum over documents is not that of the entries of {stream} up to it")

    def compare(self, balances: Mapping[str, int], meters: Iterable[Meter], documents: Mapping[str, str]) -> None:
        """Corrupt names the first of these that does not follow from the entries."""
        _compare_balances(balances, self.balances)
        _compare_meters(meters, meters_of(self._counts))
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
