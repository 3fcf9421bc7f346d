"""A long journal, as a floor of automatic tables writes it, made as fast as the program decides.

Every entry comes from the program's own recorder: tables that shuffle, deal and settle by themselves, terminals that
buy, bet, cash out and insert vouchers of other tables, sessions. Only network and time are left out.
`python -m bench.long_journal FOLDER [ROUNDS]` leaves a venue there, 1,000,000 rounds unless told.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import uvloop

from natural9.core.round import Refusal
from natural9.core.round.commands import Command
from natural9.core.round.state import Phase
from natural9.journal.labels import label_of
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.journal.venue_events import ProgramStarted
from natural9.store.contract import Access, Entry, Store
from natural9.store.opening import open_store
from natural9.store.streams import Stream
from natural9.table.commands import staff, terminal
from natural9.table.commands.automatic import next_step
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.visiting import Transit
from natural9.table.live.answers import Answers
from natural9.table.live.outside import Outside
from natural9.table.live.recorder import Recorder
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.state.state import TableState
from natural9.table.venue.tables import TableConfig
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue

ROUNDS: Final = 1_000_000
TABLES, SEATS, BETS_EACH = 8, 3, 1.5
START_MS, TURN_MS = 1_795_000_000_000, 30_000  # all tables play one round in a turn
DAY: Final = "2026-11-18"
BUY_CENTS: Final = 500_000
KEY: Final = bytes(range(32))
SUPERVISOR: Final = Who("pat")
CASHIER: Final = Who("cass")
WAGERS: Final = ("banker", "player", "tie", "small-tiger", "tiger-pair")
OFTEN: Final = (45, 40, 5, 5, 5)
VENUE: Final = """\
[venue]
name = "A long journal"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"
voucher_days = 30
"""
TABLE: Final = """
[[table]]
id = "{id}"
game = "mbs-tiger"
decks = 8
seats = {seats}
minimum = 5
maximum = 5000
mode = "automatic"
shoe = "shuffler"
timers = {{ betting = 10, reveal = 1, result = 3 }}
"""


class AutomaticTable:
    """One table and those who play there; `play_turn` gives what the journal gets of a round."""

    def __init__(self, config: TableConfig, venue: Venue, vouchers: Vouchers, chance: Random, seats: int) -> None:
        self.state = TableState.new(config)
        self._vouchers, self._chance, self._seats = vouchers, chance, range(1, seats + 1)
        self._requests = count(1)
        self._answers = Answers()
        self._recorder = Recorder(
            self.state,
            outside=Outside(
                venue=venue, vouchers=vouchers, shoebox=Shoebox(table=config.id, decks=config.decks, key=KEY)
            ),
            answers=self._answers,
            transit=Transit(),
        )
        self._at_ms = START_MS

    def open(self) -> list[Entry]:
        self._recorder.come_back(self._at_ms, 0)
        self._order(staff.OpenTable(), SUPERVISOR)
        return self._taken()

    def play_turn(self, starts_ms: int) -> list[Entry]:
        """From one settlement to the next."""
        self._wait_until(starts_ms)
        self._look_after_credit()
        has_bet = False
        while step := next_step(self.state, seated=1):
            self._wait_until(max(step.due_ms, self._at_ms))
            answer = self._recorder.by_itself(step.command, self._at_ms)
            assert not isinstance(answer, Refusal), answer
            if self.state.round.phase is Phase.BETTING_OPEN and not has_bet:
                has_bet = True
                self._bet()
            if has_bet and self.state.round.phase is Phase.SETTLED:
                break
        return self._taken()

    def _wait_until(self, at_ms: int) -> None:
        self._at_ms = self._recorder.play_ms = at_ms
        self._recorder.let_time_pass(at_ms)

    def _bet(self) -> None:
        number = self.state.round.number
        for seat in self._seats:
            session = self.state.terminal(seat).session
            if session and session.waits_for:
                self._tap(terminal.ContinuePlay(request=self._request()), seat)
            for _ in range(1 + (self._chance.random() < BETS_EACH - 1)):
                [wager] = self._chance.choices(WAGERS, OFTEN)
                bet = terminal.Bet(
                    request=self._request(), round=number, wager=wager, cents=500 * self._chance.randint(1, 8)
                )
                self._tap(bet, seat)
        if self._chance.random() < 0.05:
            self._tap(terminal.Undo(request=self._request(), round=number), 1)

    def _look_after_credit(self) -> None:
        """Now and then somebody cashes out; who has too little inserts a voucher of another table, or buys."""
        for seat in self._seats:
            credit = self.state.credit_cents(seat)
            if credit >= BUY_CENTS // 2 and self._chance.random() < 0.01:
                self._tap(terminal.CashOut(request=self._request()), seat)
                credit = 0
            if credit < 10_000:
                if self._vouchers.outstanding and self._chance.random() < 0.8:
                    number = next(iter(self._vouchers.outstanding))
                    code = self._vouchers.code(number)
                    self._tap(terminal.InsertVoucher(request=self._request(), number=number, code=code), seat)
                else:
                    self._order(staff.CreditTerminal(seat=seat, cents=BUY_CENTS), CASHIER)

    def _request(self) -> str:
        return f"r{next(self._requests)}"

    def _tap(self, tap: terminal.Tap, seat: int) -> None:
        answer = self._recorder.answer(tap, Who.terminal(self.state.table, seat), self._at_ms)
        assert not isinstance(answer, Refusal), answer

    def _order(self, command: Command, who: Who) -> None:
        answer = self._recorder.answer(Order(self._request(), command), who, self._at_ms)
        assert not isinstance(answer, Refusal), answer

    def _taken(self) -> list[Entry]:
        """What is recorded counts as durable: nobody waits for it here."""
        recorder = self._recorder
        entries, recorder.entries = recorder.entries, []
        for done in recorder.once_durable:
            done()
        recorder.once_durable = []
        recorder.happened.clear()
        recorder.seats.clear()
        return entries


def turns(venue: Venue, rounds: int, seats: int, seed: int = 9) -> Iterator[list[Entry]]:
    """What each table adds to the journal, turn by turn; each list is of one stream."""
    vouchers, chance = Vouchers({"one": KEY}), Random(seed)
    started = ProgramStarted(
        version="bench", program_sha256="", venue_sha256="", rules={}, changed=(), stopped_cleanly=True
    )
    yield [Entry("venue", started.TAG, encode_line(started, BY_PROGRAM), START_MS, DAY, label_of("", started))]
    tables = [AutomaticTable(config, venue, vouchers, chance, seats) for config in venue.tables.values()]
    for table in tables:
        yield table.open()
    for turn in range(1, -(-rounds // len(tables)) + 1):
        for table in tables:
            yield table.play_turn(START_MS + turn * TURN_MS)


async def make_journal(
    folder: Path, rounds: int, *, tables: int = TABLES, seats: int = SEATS, together: int = 2_000
) -> int:
    """Returns how many entries there are; so many appends share a commit."""
    folder.mkdir(parents=True, exist_ok=True)
    text = VENUE + "".join(TABLE.format(id=f"t{number}", seats=seats) for number in range(1, tables + 1))
    (folder / VENUE_FILE).write_text(text)
    store: Store = open_store(folder, Access.WRITE)
    streams: dict[str, Stream] = {}
    waiting: list[Awaitable[int]] = []
    for entries in turns(load_venue(folder / VENUE_FILE), rounds, seats):
        name = entries[0].stream
        if name not in streams:
            streams[name] = Stream(store, name)
        waiting.append(streams[name].append(entries))
        if len(waiting) >= together:
            await asyncio.gather(*waiting)
            waiting = []
    await asyncio.gather(*waiting)
    written = (await store.head()).seq
    await store.close()
    return written


def main() -> None:
    folder = Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    start = time.perf_counter()
    written = uvloop.run(make_journal(folder, rounds))
    print(f"{rounds:,} rounds, {written:,} entries in {time.perf_counter() - start:.0f} s: {folder}")


if __name__ == "__main__":
    main()
