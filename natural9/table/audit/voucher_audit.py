"""Every voucher over the whole venue: issued once, redeemed once and only once, and whole."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from natural9.table.audit.findings import DoesNotFollow, Fault, Wrong
from natural9.table.commands.cage import Voucher


class VoucherAudit:
    def __init__(self) -> None:
        self._out: dict[str, Voucher] = {}

    def __len__(self) -> int:
        return len(self._out)

    def issued(self, voucher: Voucher) -> Wrong:
        """Its table has seen to its number, which is its own."""
        self._out[voucher.number] = voucher
        return None

    def inserted(self, number: str, cents: int, at_ms: int) -> Wrong:
        voucher = self._out.get(number)
        if voucher and at_ms >= voucher.expires_at_ms:
            return f"voucher {number} is inserted", "nothing: it had expired"
        return self.redeemed(number, cents)

    def redeemed(self, number: str, cents: int) -> Wrong:
        voucher = self._out.pop(number, None)
        if voucher is None:
            return f"voucher {number} is redeemed", "nothing: it is not out"
        if voucher.cents != cents:
            return f"voucher {number} is worth {cents} cents", f"it was issued for {voucher.cents} cents"
        return None

    def voided(self, number: str, cents: int, table: str, seat: int) -> Wrong:
        """Its money goes back to where it came from."""
        voucher = self._out.get(number)
        if voucher and (voucher.table, voucher.seat) != (table, seat):
            due = f"table {voucher.table}, seat {voucher.seat}, where it was issued"
            return f"voucher {number} goes back to table {table}, seat {seat}", due
        return self.redeemed(number, cents)

    def compare(self, stored: Mapping[str, bytes]) -> None:
        """What is kept beside the journal is what is out."""
        for number in sorted({key.partition("/")[2] for key in stored} | self._out.keys()):
            kept = stored.get(f"voucher/{number}")
            due = self._out.get(number)
            if kept and due:
                due = replace(due, key=_key_of(kept))  # which of the venue's keys printed it, no journal says
            if kept is None or due is None or kept != msgspec.json.encode(due):
                says = "it is not kept" if kept is None else kept.decode(errors="replace")
                should = "no such voucher is out" if due is None else msgspec.json.encode(due).decode()
                raise DoesNotFollow(Fault(entry=0, says=f"of voucher {number}: {says}", should=should))


def _key_of(kept: bytes) -> str:
    try:
        return msgspec.json.decode(kept, type=Voucher).key
    except msgspec.DecodeError:
        return ""
