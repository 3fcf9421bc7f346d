"""Verify a journal, trusting nobody: each entry must follow from those before it and from the rule packs.

The store's audit walks the chain, the money, and every document and index beside them; here every table is folded
again from nothing, and for each entry it is asked what it should have said: every bet, card, settlement line, void,
transfer and revealed shoe. The first entry that says something else is named. Nothing but the journal and the rule
packs is needed.
"""

from natural9.store.audit import Walk
from natural9.store.contract import Corrupt, Store, Written
<<<<<<< HEAD
from natural9.table.audit.checkpoint_audit import NotedCheckpoint, audit_checkpoints
from natural9.table.audit.dealers import wrong_shift
from natural9.table.audit.derive import LONGEST_QUOTE, Decision, quote
from natural9.table.audit.drawer_audit import DrawerAudit
from natural9.table.audit.history import earlier_counted, earlier_round
from natural9.table.audit.player_audit import ACCOUNT_TAGS, PlayerAudit, time_goes_back
from natural9.table.audit.session_audit import wrong_session
from natural9.table.audit.shoe_audit import DrawnCards
from natural9.table.audit.visit_audit import VisitAudit
from natural9.table.commands.cage import Voucher
from natural9.table.commands.orders import is_bet
from natural9.table.commands.visiting import TRANSIT
from natural9.table.live.cards_in_play import PLAY
from natural9.table.state.drawers import DRAWER
from natural9.table.state.evolve import another_game, evolve
from natural9.table.state.player_cards import CountedRound, play_counted
from natural9.table.state.postings import transfers, voucher_paid
from natural9.table.state.state import TableState

LoadGame = Callable[[str], Game]

_ABOUT_EARLIER: Final = (round_events.RoundTakenUp.TAG, round_events.IrregularityDecided.TAG)
# What does not happen while the table has a fault.
_PLAY: Final = (
    round_events.BettingOpened,
    round_events.BettingClosed,
    round_events.CardDealt,
    round_events.InsuranceOpened,
    round_events.InsuranceClosed,
    round_events.ResultDeclared,
    round_events.SeatSettled,
    round_events.RoundSettled,
)
_DRAWER_TAGS: Final = tuple(shape.TAG for shape in get_args(venue_events.DrawerEvent))
MOST_NAMED: Final = 20  # rounds that are named when their rules are missing


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """The first entry that does not follow; `entry` is 0 where it is no single one."""

    entry: int
    stream: str = ""
    round: int = 0
    kind: str = ""
    says: str
    should: str = ""

    @property
    def words(self) -> str:
        if not self.should:  # the store's own words, which name the entry
            return self.says
        where = f"entry {self.entry}" if self.entry else "the journal"
        place = ", ".join(filter(None, (self.stream, f"round {self.round}" if self.round else "", self.kind)))
        return f"{where}{f' ({place})' if place else ''} says: {self.says}; it should say: {self.should}"


class NotDerived(msgspec.Struct, frozen=True):
    """A round whose rules this program does not have: its money and chain are checked, its settlement is not."""

    table: str
    round: int
    why: str


class Verified(msgspec.Struct, kw_only=True):
    """What was checked, up to the first fault if there is one. `root` is over all entries: to note down for the next
    time, with their number."""

    entries: int = 0
    transfers: int = 0
    tables: int = 0
    rounds: int = 0
    bets: int = 0
    cards: int = 0
    seats_settled: int = 0
    shoes_revealed: int = 0
    vouchers_outstanding: int = 0
    balances: int = 0  # compared with what the entries make of them, and so are the next three
    meters: int = 0
    documents: int = 0
    index_rows: int = 0
    checkpoints: int = 0  # that were signed of it
    keys: tuple[str, ...] = ()  # that signed them, oldest first
    root: str = ""
    noted_size: int | None = None  # of the checkpoint that was noted earlier, which it goes on from
    not_derived: int = 0
    not_derived_first: list[NotDerived] = []
    fault: Fault | None = None


class DoesNotFollow(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.words)
        self.fault = fault
=======
from natural9.table.audit.examiner import Examiner
from natural9.table.audit.findings import DoesNotFollow, Fault, Verified, fault_of
from natural9.table.audit.rules import LoadGame
>>>>>>> main


async def verify(store: Store, *, load_game: LoadGame, noted: NotedCheckpoint | None = None) -> Verified:
    """Walk the whole journal of a store that does not grow meanwhile: one that was opened read-only."""
    found = Verified()
    examiner = Examiner(load_game, found)
    walk = Walk(store)
    try:
        async for written in walk:
            examiner.examine(written, await examiner.earlier(store, written))
            await _check_asked_once(store, written)
            found.entries, found.transfers = written.seq, found.transfers + len(written.transfers)
<<<<<<< HEAD
        beside_players = await store.documents(PLAY)
        on_its_way = await store.documents(TRANSIT)
        examiner.finish(await store.documents("voucher/"), await store.documents(DRAWER), beside_players, on_its_way)
=======
            found.head = written.hash.hex()
            if written.hash == noted:
                found.noted_head_at = written.seq
        await examiner.finish(store)
>>>>>>> main
        if beside := walk.result:
            found.balances, found.meters = beside.accounts, beside.meters
            found.documents, found.index_rows = beside.documents, beside.index_rows
        signed = await audit_checkpoints(store, noted)
        found.checkpoints, found.keys, found.root = signed.checkpoints, signed.keys, signed.root
        found.noted_size = noted.size if noted else None
    except DoesNotFollow as error:
        found.fault = error.fault
    except Corrupt as error:
        found.fault = Fault(
            entry=0 if found.entries == (await store.head()).seq else found.entries + 1, says=str(error)
        )
    return found


async def _check_asked_once(store: Store, written: Written) -> None:
    if written.request:
        first = (await store.asked([written.request])).get(written.request)
        if first != written:
            where = f"entry {first.seq}" if first else "no entry"
            fault = fault_of(written, 0)
            raise fault(f"it is the answer to {written.request!r}", f"the journal has {where} for that request")
