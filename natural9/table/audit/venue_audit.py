"""What all tables of a venue share, and its own streams: vouchers, players, credit on its way, drawers.

Tables are folded each on its own and tell of what others have a part in, entry by entry, in the journal's order.
"""

from base64 import b64encode
from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, Protocol, get_args

from natural9.journal import table_events, venue_events, visit_events
from natural9.journal.card_events import PlayerPlay
from natural9.journal.labels import request_key
from natural9.journal.line import JournalLine
from natural9.store.contract import Store, Transfer, Written
from natural9.table.audit.drawer_audit import DrawerAudit
from natural9.table.audit.findings import DoesNotFollow, Fault, Wrong, fault_of, read_entry, show_moves
from natural9.table.audit.player_audit import ACCOUNT_TAGS, PlayerAudit
from natural9.table.audit.rank_audit import PEOPLE_TAGS, RankAudit
from natural9.table.audit.time_stamp_audit import StampAudit
from natural9.table.audit.transit_audit import TransitAudit
from natural9.table.audit.voucher_audit import VoucherAudit
from natural9.table.commands.cage import VOUCHER, Voucher
from natural9.table.commands.orders import is_bet
from natural9.table.commands.visiting import TRANSIT, Parcel
from natural9.table.live.cards_in_play import PLAY
from natural9.table.state.drawers import DRAWER
from natural9.table.state.postings import voucher_paid
from natural9.table.state.visits import SeatPlace

_ASKED: Final = frozenset(
    (
        venue_events.VoucherPaid.TAG,
        table_events.RequestRefused.TAG,
        *(shape.TAG for shape in get_args(venue_events.DrawerEvent)),
    )
)
Told = ParamSpec("Told")


class Tell(Protocol):
    """How a table tells of something: which of these it is, and what; the answer is what is wrong with it, where that
    is known at once."""

    def __call__(
        self, check: "Callable[Concatenate[VenueAudit, Told], Wrong]", /, *args: Told.args, **kwargs: Told.kwargs
    ) -> Wrong: ...


class VenueAudit:
    def __init__(self) -> None:
        self._vouchers = VoucherAudit()
        self._players = PlayerAudit()
        self._transit = TransitAudit()
        self._drawers = DrawerAudit()
        self._ranks = RankAudit()
        self._stamps = StampAudit()
        self._mixed_with: list[tuple[int, str]] = []

    @property
    def vouchers_out(self) -> int:
        return len(self._vouchers)

    @property
    def time_stamps(self) -> int:
        return len(self._stamps)

    # What a table tells.

    def issued(self, voucher: Voucher) -> Wrong:
        return self._vouchers.issued(voucher)

    def inserted(self, number: str, cents: int, at_ms: int) -> Wrong:
        return self._vouchers.inserted(number, cents, at_ms)

    def voided(self, number: str, cents: int, table: str, seat: int) -> Wrong:
        return self._vouchers.voided(number, cents, table, seat)

    def acted(self, person: str, rank: str) -> Wrong:
        return self._ranks.acted(person, rank)

    def mixed_with(self, seq: int, checkpoint: str) -> Wrong:
        """The tree can only be asked once the walk is over."""
        self._mixed_with.append((seq, checkpoint))
        return None

    def carded_in(self, player: str, place: SeatPlace, play: PlayerPlay, table_ms: int, *, is_taken: bool) -> Wrong:
        return self._players.carded_in(player, place, play, table_ms, is_taken=is_taken)

    def carded_out(self, player: str, play: PlayerPlay) -> Wrong:
        return self._players.carded_out(player, play)

    def barred(self, player: str) -> Wrong:
        return self._players.barred(player)

    def seated(self, place: SeatPlace, home: SeatPlace) -> Wrong:
        return self._transit.seated(place, home)

    def taken_along(self, parcel: Parcel, event: visit_events.CreditTakenAlong, otherwise: Wrong) -> Wrong:
        return self._transit.taken_along(parcel, event, otherwise)

    def sent(self, parcel: Parcel, event: visit_events.CreditSentHome) -> Wrong:
        return self._transit.sent(parcel, event)

    def received(self, table: str, event: visit_events.CreditBrought | visit_events.CreditCameHome) -> Wrong:
        return self._transit.received(table, event)

    def cash_moved(self, transfers: tuple[Transfer, ...]) -> Wrong:
        self._drawers.note(transfers)
        return None

    # The venue's own streams.

    def examine(self, written: Written) -> None:
        """They move no money, but for vouchers paid at the desk and the drawers."""
        self._look_at(written)
        self._drawers.note(written.transfers)

    def _look_at(self, written: Written) -> None:
        if written.kind in ACCOUNT_TAGS and (unsound := self._players.account(read_entry(written).event)):
            raise fault_of(written, 0)(*unsound)
        if written.kind in PEOPLE_TAGS:
            self._ranks.account(read_entry(written).event)
        if written.kind == venue_events.TimeStampKept.TAG:
            stamp = read_entry(written).event
            assert isinstance(stamp, venue_events.TimeStampKept)
            if wrong := self._stamps.wrong(written, stamp):
                raise fault_of(written, 0)(*wrong)
        if not written.transfers and not written.request and written.kind not in _ASKED:
            return
        fault = fault_of(written, 0)
        line = read_entry(written) if written.kind in _ASKED else None
        if wrong := wrong_request(written, line):
            raise fault(*wrong)
        if isinstance(event := line and line.event, table_events.RequestRefused) and not written.transfers:
            return
        if isinstance(event, venue_events.DrawerEvent):
            if wrong := signed_alone(event) or self._drawers.wrong(event, written, line.origin.by if line else ""):
                raise fault(*wrong)
            return
        if not isinstance(event, venue_events.VoucherPaid):
            raise fault(f"{show_moves(written.transfers)} moved", "no money moves here")
        if wrong := signed_alone(event):
            raise fault(*wrong)
        if written.transfers != voucher_paid(event):
            raise fault(show_moves(written.transfers), show_moves(voucher_paid(event)))
        if wrong := self._vouchers.redeemed(event.number, event.cents):
            raise fault(*wrong)

    # What stands beside the journal agrees with it.

    async def compare(self, store: Store) -> None:
        wrong = self._drawers.wrong_beside(await store.documents(DRAWER))
        wrong = wrong or self._players.wrong_beside(await store.documents(PLAY))
        if wrong := wrong or self._transit.wrong_beside(await store.documents(TRANSIT)):
            raise DoesNotFollow(Fault(entry=0, says=wrong[0], should=wrong[1]))
        await self._compare_mixes(store)
        await self._stamps.compare(store)

    async def _compare_mixes(self, store: Store) -> None:
        """What shoes were mixed with is what the journal was then."""
        for seq, checkpoint in self._mixed_with:
            size, _, root = checkpoint.partition(" ")
            known = size.isdecimal() and 0 < int(size) < seq
            due = (await store.tree_hashes([(0, int(size))]))[0] if known else b""
            if not known or root != b64encode(due).decode():
                says = f"a shoe is mixed with the checkpoint {checkpoint}"
                raise DoesNotFollow(Fault(entry=seq, says=says, should="one of the entries before it, and their root"))

    async def compare_vouchers(self, store: Store) -> None:
        self._vouchers.compare(await store.documents(VOUCHER))


def signed_alone(
    event: table_events.CreditBought | table_events.HandPaid | venue_events.VoucherPaid | venue_events.DrawerEvent,
) -> Wrong:
    """Nobody signs for themselves."""
    if event.signed_by == event.desk != "":
        return f"{event.desk} signed for {event.desk}", "another person signed, or nobody"
    return None


def wrong_request(written: Written, line: JournalLine | None) -> Wrong:
    """An entry is found by the request whose command stands beside it, if it is no bet's."""
    due = ""
    if line and line.command is not None and line.origin.request and not is_bet(line.origin.command):
        due = request_key(written.stream, line.origin.sender, line.origin.request)
    return None if written.request == due else (f"it was asked as {written.request!r}", f"it was asked as {due!r}")
