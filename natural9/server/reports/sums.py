"""The store's meters of one account, added up by kind of transfer."""

from collections import defaultdict

from natural9.journal.accounts import TransferKind
from natural9.store.contract import Meter


class Sums(defaultdict[str, int]):
    """What went into an account less what went out of it, by kind; and how often."""

    def __init__(self) -> None:
        super().__init__(int)
        self.count: defaultdict[str, int] = defaultdict(int)

    def add(self, meter: Meter) -> None:
        self[meter.kind] += meter.in_cents - meter.out_cents
        self.count[meter.kind] += meter.in_count + meter.out_count

    def of(self, *kinds: TransferKind) -> int:
        return sum(self[kind] for kind in kinds)
