"""How long the auditor's search takes on a long journal, for each way to ask, and how many entries it reads a second.

Four tables with seven seats; a round is 36 entries of the program's own events, some of which move money.
`python -m bench.search [ENTRIES]`, 300,000 unless told.
"""

import sys
import tempfile
import time
from pathlib import Path

import uvloop

from natural9.core.events import Event
from natural9.core.outcome import Winner
from natural9.core.round import events as of_round
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.journal import table_events as of_table
from natural9.journal.accounts import credit_account, house_account, stake_account, voucher_account
from natural9.journal.labels import label_of
from natural9.journal.line import Origin, OriginKind, encode_line
from natural9.server.search.found import search
from natural9.server.search.query import RoundEnd, SearchQuery
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import Stream

ENTRIES = 300_000
TABLES, SEATS = ("1", "2", "3", "4"), range(1, 8)
START_MS, ROUND_MS, DAY = 1_795_000_000_000, 40_000, "2026-11-18"
DEALER = Origin(OriginKind.STAFF, "dan", rank="dealer")
DEALT = {Winner.PLAYER: "9S 2H KD 6C", Winner.BANKER: "2H 9S 6C KD", Winner.TIE: "9S 9H KD KC"}
WINNERS = (Winner.BANKER, Winner.PLAYER, Winner.BANKER, Winner.PLAYER, Winner.TIE)


def round_at(table: str, number: int) -> list[Entry]:
    at_ms, stream = START_MS + number * ROUND_MS, f"table/{table}"
    entries: list[Entry] = []

    def add(event: Event, origin: Origin = DEALER, *moved: Transfer) -> None:
        line = encode_line(event, origin)
        entries.append(Entry(stream, event.TAG, line, at_ms + len(entries) * 500, DAY, label_of(table, event), moved))

    opened = of_round.BettingOpened(
        round=number, shoe=1, game="mbs-tiger", rules_sha256="0" * 64, held=(), from_old_set=0,
        offered=("player", "banker", "tie"), betting_unit_cents=100, limits={}, boxes=None, paragraph="mbs 4.1",
    )  # fmt: skip
    add(opened)
    for seat in SEATS:
        credit, by = credit_account(table, seat), Origin(OriginKind.TERMINAL, f"{table}-{seat}")
        for wager, cents in (("player", 10_000), ("tie", 500), ("banker", 2_000)):
            placed = of_round.BetPlaced(seat=seat, wager=wager, cents=cents)
            add(placed, by, Transfer("bet", credit, stake_account(table), cents))
    add(of_round.BettingClosed(staked_cents=87_500, paragraph="mbs 4.2"))
    winner = WINNERS[number % len(WINNERS)]
    for place, card in enumerate(DEALT[winner].split()):
        hand = Hand.BANKER if place % 2 else Hand.PLAYER
        phase = Phase.COMPLETE if place == 3 else Phase.INITIAL_DEAL
        add(of_round.CardDealt(card=card, hand=hand, put_at=hand, phase=phase, paragraph="mbs 4.3"))
    add(of_round.ResultDeclared(winner=winner, player_total=9, banker_total=8, won=(), paragraph="mbs 4.7"))
    for seat in SEATS:
        settled = of_round.SeatSettled(seat=seat, lines=(), insurance=(), staked_cents=12_500, returned_cents=12_500)
        add(settled, DEALER, Transfer("stake-returned", stake_account(table), credit_account(table, seat), 12_500))
    ended = of_round.RoundSettled(
        staked_cents=87_500, stakes_returned_cents=87_500, collected_cents=0, winnings_cents=0, paragraph="mbs 4.8"
    )
    add(ended)
    if number % 10 == 0:
        paper = f"{table}-3-{number // 10}"
        issued = of_table.VoucherIssued(number=paper, seat=3, cents=100, expires_at_ms=at_ms)
        moved = Transfer("voucher-out", credit_account(table, 3), voucher_account(paper), 100)
        add(issued, Origin(OriginKind.TERMINAL, f"{table}-3"), moved)
    return entries


async def make(store: Store, entries: int) -> int:
    buys = [
        Transfer("buy-in", house_account(table), credit_account(table, seat), 10**10)
        for table in TABLES
        for seat in SEATS
    ]
    await Stream(store, "venue").append(
        [Entry("venue", "program-stopped", b"{}", START_MS, DAY, transfers=tuple(buys))]
    )
    streams = {table: Stream(store, f"table/{table}") for table in TABLES}
    written, number = 1, 0
    while written < entries:
        number += 1
        for table, stream in streams.items():
            entries_of_it = list(round_at(table, number))
            await stream.append(entries_of_it)
            written += len(entries_of_it)
    return number


async def measure(folder: Path, entries: int) -> None:
    store = open_store(folder, Access.WRITE)
    rounds = await make(store, entries)
    await store.close()
    middle = START_MS + rounds // 2 * ROUND_MS
    asked = {
        "a voucher": SearchQuery(voucher="2-3-7"),
        "ten minutes at a table": SearchQuery(since_ms=middle, until_ms=middle + 600_000, table="2"),
        "a seat of a table": SearchQuery(table="2", seat=5),
        "a seat of any table": SearchQuery(seat=5),
        "a person": SearchQuery(person="dan"),
        "a person who did nothing": SearchQuery(person="nobody"),
        "an amount": SearchQuery(least_cents=12_500, most_cents=12_500),
        "an amount that is nowhere": SearchQuery(least_cents=13_000, most_cents=13_500),
        "all ties": SearchQuery(result=RoundEnd.TIE),
        "a seat in ties": SearchQuery(result=RoundEnd.TIE, table="2", seat=5),
    }
    store = open_store(folder, Access.READ)
    head = (await store.head()).seq
    print(f"{head:,} entries, {rounds * len(TABLES):,} rounds")
    for name, query in asked.items():
        start = time.perf_counter()
        found = await search(store, query)
        spent = time.perf_counter() - start
        whole = "" if found.complete else "  (not complete)"
        print(f"{name:26} {found.count:9,} found in {spent:6.3f} s{whole}")
    await store.close()


def main() -> None:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        uvloop.run(measure(Path(folder), entries))


if __name__ == "__main__":
    main()
