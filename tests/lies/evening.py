"""An evening through the real program, at four tables: what a house has to lie about, and what others have of it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from natural9.core.events import Event
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand
from natural9.journal.export import journal_lines
from natural9.journal.line import by_staff, encode_line
from natural9.journal.people_events import StaffAdded
from natural9.journal.venue_events import VoucherPaid
from natural9.server.clock import Clock
from natural9.server.desk import Desk
from natural9.server.drawers import CLOSE, FILL, OPEN, RETURN, Drawers
from natural9.store.contract import Entry, StreamHead
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import SeatVisitor
from natural9.table.live.recovery import open_vouchers
from natural9.table.shoes.mixing import nonce_commitment
from natural9.table.shoes.shuffler import Shuffled, shuffled_shoe
from natural9.table.state.visits import SeatPlace
from natural9.table.venue.file import ShoeSource
from tests.lies.house import DAY, House, house_keys
from tests.lies.shown import Shown
from tests.lies.witnessing import HouseShown, Watching
from tests.table.live import (
    CASHIER,
    DEALER,
    KEYS,
    MANAGER,
    SHIFT_MANAGER,
    START_MS,
    SUPERVISOR,
    LiveTable,
    table_config,
    terminal,
    venue_of,
)

NATURAL = "9S 2H KD 6C"  # Player 9, Banker 8
STAFF = {"dora": "dealer", "pat": "pit-supervisor", "max": "pit-manager", "sam": "shift-manager", "cass": "cashier"}


@dataclass(frozen=True)
class Script:
    """What a house may wish had happened instead: it can play the evening again, alone, and sign that."""

    seat_1_bets: int = 10_000  # on the Player, who wins, in the first round at table 2
    first_card: str = "9S"  # of that round; the Banker wins with another
    seat_3_insures: bool = True
    voucher_cents: int = 5_000  # that seat 1 of table 1 cashes out
    shoe: int = 1  # which order the house commits to at table 4


class Archive(MemoryStore):
    """It keeps every document that was ever written, by its hash, as an insider would."""

    def __init__(self) -> None:
        super().__init__()
        self.written: dict[str, bytes] = {}

    def append(self, entries: Sequence[Entry], after: StreamHead) -> "asyncio.Future[int]":
        for value in (value for entry in entries for _, value in entry.documents if value is not None):
            self.written[sha256(value).hexdigest()] = value
        return super().append(entries, after)


@dataclass
class Evening:
    """What the house has at its end, and what others took home."""

    shown: Shown
    witness_file: bytes


class Floor:
    """The four tables, the desk, and who watches."""

    tables: dict[str, LiveTable]

    def __init__(self, script: Script, file: Path) -> None:
        self.script = script
        self.store = Archive()
        self.house = House(self.store)
        self.witness = Watching(file)
        self.receipts: list[dict[str, Any]] = []

    async def open(self) -> None:
        self.vouchers, self.carrier = await open_vouchers(self.store, KEYS), await Carrier.open(self.store)
        shoes = {"shoe": ShoeSource.SHUFFLER, "cut_cards": 8 * 52 - 12}
        configs = [
            table_config("rws-nc-insurance", id="1"),
            table_config("mbs-tiger", id="2", takes_visitors=True),
            table_config("mbs-nc", id="3", joint_shoe=True, **shoes),
            table_config("mbs-nc", id="4", **shoes),
        ]
        self.configs = {config.id: config for config in configs}
        self.tables = {}
        clock = Clock(machine_ms=lambda: START_MS, monotonic_ms=lambda: START_MS)
        venue = venue_of(*configs)
        self.desk = Desk(self.store, self.vouchers, self.write, clock, venue)
        self.drawers = Drawers(self.store, self.vouchers, self.write, clock, venue)

    async def start_table(self, name: str) -> LiveTable:
        shuffle = self._shuffler(name)
        table = LiveTable(
            self.configs[name], self.store, shuffle=shuffle, checkpoint=self.house.checkpoints.cosigned_text
        )
        self.tables[name] = await table.start(self.vouchers, self.carrier)
        return table

    def _shuffler(self, table: str) -> Callable[[int], Shuffled]:
        chance = Random(f"{table} {self.script.shoe if table == '4' else 1}")

        def shuffle(decks: int) -> Shuffled:
            return shuffled_shoe(decks, chance.randrange, chance.randbytes)

        return shuffle

    def write(self, event: Event, **beside: Any) -> "asyncio.Future[int]":
        body = encode_line(event, beside.pop("by"), beside.pop("command", None))
        told: dict[str, Any] = {"at_ms": START_MS, "label": "significant", "request": beside.pop("key", ""), **beside}
        return self.house.office.append([Entry("venue", event.TAG, body, day=DAY, **told)])

    async def drawer(self, what: str, cents: int) -> None:
        done = await self.drawers.do(what, cents, by="cass", request=f"{what} {cents}", signed_by="")
        assert not isinstance(done, Refusal), done

    async def sign(self, *, witnessed: bool = False) -> None:
        """A checkpoint; a witness may be looking."""
        note = await self.house.sign()
        if witnessed:
            hashes = [one.hash for one in await self.store.entries(limit=10**6)]
            shown = HouseShown(note, house_keys(), hashes)
            assert "cosigned" in await self.witness.look(shown)
            await self.house.checkpoints.take(len(hashes), "".join(f"{line}\n" for line in shown.taken))

    async def keep_receipt(self) -> None:
        """Of what was written last, by whoever it concerns."""
        self.receipts.append(await self.house.receipt((await self.store.head()).seq))

    async def do(self, table: str, shape: Any, who: Who, **fields: Any) -> Any:
        return await self.tables[table].do(shape, who, **fields)

    async def export(self) -> list[dict[str, Any]]:
        lines = [msgspec.json.decode(line) async for line in journal_lines(self.store, "Marina")]
        lines[0]["exported_at_ms"] = START_MS
        return lines


async def evening(file: Path, script: Script | None = None) -> Evening:
    """All of it; `file` is the witness's."""
    floor = Floor(script or Script(), file)
    await floor.open()
    await _before_opening(floor)
    await _mixed_shoe(floor)
    for name in ("1", "2", "4"):
        await _open_table(floor, name)
    await _insurance(floor)
    await _tiger(floor)
    await floor.house.set_key(2, START_MS)
    await floor.sign(witnessed=True)
    await _irregular(floor)
    await _electronic_shoe(floor)
    await _cash(floor)
    await floor.sign(witnessed=True)
    for table in floor.tables.values():
        await table.stop()
    floor.witness.close()
    shown = Shown.of(await floor.export(), floor.store.written)
    shown.receipts = floor.receipts
    return Evening(shown, file.read_bytes())


async def _before_opening(floor: Floor) -> None:
    await floor.house.set_key(1, START_MS)
    for id, role in STAFF.items():
        await floor.write(StaffAdded(id=id, name=id.title(), role=role, signed_by=""), by=by_staff("ada"))
    await floor.drawer(OPEN, 500_000)
    await _open_table(floor, "3")
    await floor.sign(witnessed=True)


async def _open_table(floor: Floor, name: str) -> None:
    table = await floor.start_table(name)
    await table.do(staff.OpenTable, MANAGER)
    for seat in (1, 2, 3):
        await table.buy(seat, 100_000)


def nonce_of(seat: int) -> str:
    return f"{seat:064x} my words"


async def _mixed_shoe(floor: Floor) -> None:
    """Three seats commit and two reveal; some rounds; then the house shows its order."""
    table = floor.tables["3"]
    for seat in (1, 2, 3):
        made = nonce_commitment(table="3", shoe=1, seat=seat, nonce=nonce_of(seat))
        await table.do(taps.CommitNonce, terminal(seat, "3"), shoe=1, commitment=made)
    await table.do(staff.LoadNewShoe, DEALER)
    for seat in (1, 2):
        await table.do(taps.RevealNonce, terminal(seat, "3"), shoe=1, nonce=nonce_of(seat))
    await table.pass_ms(5_000)
    await _play_shoe(floor, "3")


async def _play_shoe(floor: Floor, name: str) -> None:
    table = floor.tables[name]
    while not table.state.round.cut_card_out:
        await table.do(staff.StartRound, DEALER)
        await table.bet(1, "player", 1_000)
        await table.bet(2, "banker", 2_000)
        await table.do(round_commands.CloseBetting, DEALER)
        while table.state.round.due:
            await table.do(round_commands.DealCard, DEALER)
        await table.do(round_commands.DeclareResult, DEALER)
        await table.do(round_commands.Settle, DEALER)
    await floor.sign()
    await table.do(staff.LoadNewShoe, DEALER)


async def _insurance(floor: Floor) -> None:
    """Banker leads with 5 to 4, and two seats insure; it draws, and a second window follows."""
    table = floor.tables["1"]
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(1, "banker", 2_000)
    await table.bet(2, "banker-pair", 500)
    await table.bet(3, "banker", 6_000)
    await floor.keep_receipt()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    await table.do(round_commands.OpenInsurance, DEALER)
    await table.do(taps.Insure, terminal(1, "1"), round=1, hand=Hand.BANKER, cents=200)
    if floor.script.seat_3_insures:
        await table.do(taps.Insure, terminal(3, "1"), round=1, hand=Hand.BANKER, cents=500)
        await floor.keep_receipt()
    await table.do(round_commands.CloseInsurance, DEALER)
    await table.finish("4H 6D")


async def _tiger(floor: Floor) -> None:
    """Commission, a tie, bets taken back, a visitor from table 1, a refusal, a ruling, a correction, a debt."""
    table, home = floor.tables["2"], floor.tables["1"]
    await table.open()
    await table.bet(1, "player", floor.script.seat_1_bets)
    await floor.keep_receipt()
    await table.bet(1, "tie", 500)
    await table.bet(2, "banker", 20_000)
    await table.bet(3, "banker", 5_000)
    await table.do(taps.TakeBack, terminal(3, "2"), round=1, wager="banker", cents=1_000)
    seat = await table.writer.carry_out(SeatVisitor(SeatPlace("1", 2)))
    await table.ask(taps.Bet(request=table.request(), round=1, wager="player", cents=2_500), terminal(seat, "2"))
    await home.settle_down()
    await table.settle_down()
    await table.finish(f"{floor.script.first_card} 2H KD 6C")
    await home.settle_down()
    await table.refused(taps.Bet, terminal(2, "2"), round=1, wager="banker", cents=100)
    await table.open()
    await table.bet(1, "banker", 10_000)
    await table.bet(2, "player", 10_000)
    await table.finish("2H 9S 6C KD")  # Banker 9, Player 8: the commission is due
    await floor.sign()
    await table.do(
        round_commands.RuleOnBet, SHIFT_MANAGER, seat=2, wager="player", returned_cents=10_000, why="he was misled"
    )
    await table.open()
    await table.bet(2, "player", 10_000)
    await table.bet(3, "banker", 10_000)
    await table.finish(NATURAL)
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="8S", why="misread")
    await floor.keep_receipt()
    await table.open()
    await table.bet(3, "player", 10_000)
    await table.finish("9H 2D KC 6S")
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="7S", round=3, why="seen on the film")


async def _irregular(floor: Floor) -> None:
    """Two cards drawn together, decided by the pit; a late bet; a void with a clause, and one by authority."""
    table = floor.tables["2"]
    await table.open()
    await table.bet(2, "banker", 1_000)
    await table.bet(3, "player", 2_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H KD 9C")
    both = ("5H", "6D")
    report = round_commands.ReportIrregularity
    await table.do(report, DEALER, kind=Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards=both, detail="stuck")
    decide = round_commands.DecideIrregularity
    await table.do(decide, SUPERVISOR, remedy=Remedy.RECONSTRUCT, why="as they lay", cards=both)
    await table.do(report, DEALER, kind=Kind.LATE_BET, seat=3, wager="player", cents=500, detail="after the call")
    await table.do(decide, SUPERVISOR, remedy=Remedy.REFUSE_BET, why="it was late")
    await table.finish("5H 6D")
    await table.open()
    await table.bet(2, "banker", 30_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H")
    await table.do(report, DEALER, kind=Kind.FOREIGN_CARD, detail="a joker")
    await table.do(decide, SUPERVISOR, remedy=Remedy.VOID, why="a joker in the shoe")
    await table.do(staff.LoadNewShoe, DEALER)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a chair fell on the table")
    less = {"tie": staff.LimitChange(min_cents=100, max_cents=5_000)}
    await table.do(staff.ChangeLimits, MANAGER, limits=less, why="quiet")


async def _electronic_shoe(floor: Floor) -> None:
    """An order that the house alone has chosen, dealt and shown."""
    await floor.do("4", staff.LoadNewShoe, DEALER)
    await _play_shoe(floor, "4")


async def _cash(floor: Floor) -> None:
    """Vouchers: one paid at the desk, one put in at another table, one void, one still out. The drawer is counted."""
    first = (await floor.do("1", taps.CashOut, terminal(1, "1"), cents=floor.script.voucher_cents)).voucher
    await floor.keep_receipt()
    second = (await floor.do("1", taps.CashOut, terminal(2, "1"), cents=7_000)).voucher
    third = (await floor.do("2", taps.CashOut, terminal(3, "2"), cents=1_000)).voucher
    await floor.do("1", taps.CashOut, terminal(3, "1"), cents=3_000)
    await floor.keep_receipt()
    assert isinstance(await floor.desk.pay(first.number, first.code, by="cass", request="pay-1"), VoucherPaid)
    assert isinstance(await floor.desk.pay(first.number, first.code, by="cass", request="pay-2"), Refusal)
    await floor.do("2", taps.InsertVoucher, terminal(2, "2"), number=second.number, code=second.code)
    await floor.do("2", staff.VoidVoucher, MANAGER, number=third.number, why="printed twice")
    await floor.do("1", staff.HandPay, CASHIER, seat=1, cents=700, why="wants cash")
    await floor.drawer(FILL, 20_000)
    await floor.drawer(RETURN, 40_000)
    await floor.drawer(CLOSE, -await floor.store.balance("desk/cass") - 100)
