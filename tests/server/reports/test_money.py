"""Reports of money: what they say is what the evening was, and all of it adds up."""

import csv
import io
from dataclasses import replace

import pytest

from natural9.core.errors import BadInput
from natural9.core.round import commands as round_commands
from natural9.core.saying import verbatim
from natural9.server.reports.asker import Asker
from natural9.server.reports.corrections import correction_report
from natural9.server.reports.days import EVERY_DAY, Days, Rounds, days_of
from natural9.server.reports.debts import debt_report
from natural9.server.reports.desks import desk_report
from natural9.server.reports.events import event_report
from natural9.server.reports.meters import meter_report
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.significant import EventLine
from natural9.server.reports.transactions import transaction_report
from natural9.server.reports.vouchers import voucher_report
from natural9.server.reports.win import WinLine, win_report
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.people.house import house
from tests.table.live import CASHIER, DEALER, SHIFT_MANAGER, START_MS, SUPERVISOR, live_table, table_config, terminal
from tests.table.stories import NATURAL, an_evening
from tests.table.visited import PLAYER_WINS, visited

DAY_MS = 24 * 60 * 60 * 1000
DAY = "2027-01-15"  # of START_MS, in Singapore


async def test_the_win_report_of_an_evening() -> None:
    store = MemoryStore()
    await an_evening(store)
    [line] = await win_report(store, EVERY_DAY)
    # Round 1: seat 1 wins 100.00 and loses 5.00, seats 2 and 3 lose 240.00. Round 2 was put right to a tie.
    assert (line.table, line.day, line.rounds, line.voids) == ("1", DAY, 3, 1)
    assert line.drop_cents == 300_000
    assert line.turnover_cents == 34_500 + 20_000
    assert line.won_by_players_cents == 10_000
    assert line.house_win_cents == 24_500 - 10_000
    assert line.returned_cents == line.turnover_cents - line.house_win_cents
    assert line.wagered_cents == line.turnover_cents + 30_000
    assert line.void_returned_cents == 30_000
    assert (line.hold, line.hold_percent) == ("29/109", 26.6055)
    assert await store.balance("house/1") == line.house_win_cents


async def test_a_ruling_is_part_of_the_win_and_a_voucher_that_is_put_in_of_the_drop() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "banker", 1_000)
    await table.finish(NATURAL)
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, seat=1, wager="banker", returned_cents=400, why="a spill")
    printed = (await table.do(taps.CashOut, terminal(1), cents=2_000)).voucher
    assert printed
    await table.do(taps.InsertVoucher, terminal(2), number=printed.number, code=printed.code)
    [line] = await win_report(store, EVERY_DAY)
    assert (line.house_win_cents, line.drop_cents) == (1_000 - 400, 10_000 + 2_000)
    assert await store.balance("house/1") == line.house_win_cents


async def test_the_win_report_by_gaming_day_and_table() -> None:
    store = MemoryStore()
    one = await live_table(store=store)
    other = await live_table(table_config(id="11"), store)
    for table in (one, other):
        await table.buy(1, 10_000)
    for at_ms in (START_MS, START_MS, START_MS + 3 * DAY_MS):
        for table in (one, other):
            table.now_ms = at_ms
            await table.open()
            await table.do(
                taps.Bet, terminal(1, table.config.id), round=table.state.round.number, wager="banker", cents=1_000
            )
            await table.finish(NATURAL)
    lines = await win_report(store, EVERY_DAY)
    assert [(line.day, line.table, line.rounds, line.house_win_cents) for line in lines] == [
        (DAY, "1", 2, 2_000),
        (DAY, "11", 2, 2_000),
        ("2027-01-18", "1", 1, 1_000),
        ("2027-01-18", "11", 1, 1_000),
    ]
    assert await win_report(store, days_of(day=DAY), table="11") == [lines[1]]
    assert await win_report(store, days_of(first_day="2027-01-16"), table="1") == [lines[2]]
    assert await win_report(store, EVERY_DAY, table="2") == []


async def test_meters_of_a_terminal_that_plays_elsewhere_agree_with_credit_at_both_tables() -> None:
    store = MemoryStore()
    floor = await visited(store=store)
    await floor.bet("2", "player", 2_500)
    await floor.finish("2", PLAYER_WINS)
    await floor.bet("3", "tie", 1_000)
    lines = {(line.table, line.seat): line for line in await meter_report(store, EVERY_DAY)}
    for at, moved in ((("1", 7), 1_500), (("2", 10_001), -2_500), (("3", 10_001), 1_000)):
        line = lines[at]
        assert line.moved_cents == moved
        credit = line.in_cents + moved - line.wagered_cents + line.won_cents + line.stakes_returned_cents
        assert credit == line.credit_now_cents == await store.balance(f"credit/{at[0]}-{at[1]}")


async def test_meters_of_terminals_and_table_agree_with_credit() -> None:
    store = MemoryStore()
    await an_evening(store)
    lines = await meter_report(store, EVERY_DAY)
    assert [(line.table, line.seat) for line in lines] == [("1", 1), ("1", 2), ("1", 3), ("1", 0)]
    for line in lines[:3]:
        moved = line.in_cents - line.out_cents - line.wagered_cents + line.won_cents
        moved += line.stakes_returned_cents + line.cancelled_cents + line.owed_cents
        assert moved == line.credit_now_cents == await store.balance(f"credit/1-{line.seat}")
    first, second, third, whole = lines
    assert (first.vouchers_out, first.vouchers_out_cents, first.owed_cents) == (1, 119_500, 10_000)
    assert second.cancelled_cents == 30_000
    assert (third.cancelled_cents, third.hand_paid_cents) == (1_000, 700)
    assert whole.in_cents == 300_000
    assert whole.wagered_cents == sum(line.wagered_cents for line in lines[:3])


async def test_vouchers_outstanding_with_age_and_expiry() -> None:
    store = MemoryStore()
    await an_evening(store)
    early = await voucher_report(store, Asker(START_MS + 2 * DAY_MS + 1))
    assert [(one.number, one.cents, one.age_days, one.expired) for one in early] == [
        ("1-1-1", 119_500, 2, False),
        ("1-2-1", 1_000, 2, False),
    ]
    assert [one.expired for one in await voucher_report(store, Asker(START_MS + 30 * DAY_MS))] == [True, True]
    assert await voucher_report(store, Asker(START_MS), table="9") == []
    assert sum((await store.balances("voucher/")).values()) == sum(one.cents for one in early)


async def test_who_owes_what() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    [line] = await debt_report(store)
    assert (line.table, line.seat, line.owed_cents, line.credit_now_cents) == ("1", 1, 10_000, 0)
    assert await debt_report(store, table="9") == []
    await table.buy(1, 50_000)
    await table.open()
    await table.bet(1, "player", 20_000)
    await table.finish(NATURAL)
    assert await debt_report(store) == [], "the next return paid it off"


async def test_desks_and_their_drawers() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    table.now_ms += DAY_MS
    await table.do(staff.CreditTerminal, replace(CASHIER, id="carl"), seat=3, cents=500)
    lines = await desk_report(store, Asker(0), EVERY_DAY)
    assert [(one.desk, one.taken_in_cents, one.hand_paid_cents, one.drawer_now_cents) for one in lines] == [
        ("cass", 300_000, 700, 299_300),
        ("carl", 500, 0, 500),
    ]
    assert [one.desk for one in await desk_report(store, Asker(0), EVERY_DAY, desk="carl")] == ["carl"]
    cashier = Asker(0, desk="carl", sees_every_desk=False)
    assert [one.desk for one in await desk_report(store, cashier, EVERY_DAY)] == ["carl"]
    assert await desk_report(store, cashier, EVERY_DAY, desk="cass") == []


async def test_transactions_are_numbered_without_gaps() -> None:
    store = MemoryStore()
    await an_evening(store)
    lines = await transaction_report(store, after=0)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert (lines[0].kind, lines[0].source, lines[0].target) == ("buy-in", "desk/cass", "credit/1-1")
    assert [line.number for line in await transaction_report(store, after=3, limit=2)] == [4, 5]
    assert [line.number for line in await transaction_report(store, after=3, before=6)] == [4, 5]
    assert await transaction_report(store) == lines[::-1], "newest first, unless it goes on from a number"
    assert [line.number for line in await transaction_report(store, before=6, limit=2)] == [5, 4]
    assert await transaction_report(store, days_of(day=DAY)) == lines[::-1]
    assert await transaction_report(store, days_of(first_day="2027-01-16")) == []
    assert await transaction_report(store, table="9") == []
    own = await transaction_report(store, account="credit/1-3")
    assert own
    assert all("credit/1-3" in (line.source, line.target) for line in own)


async def test_corrections_say_who_and_why_in_which_round() -> None:
    store = MemoryStore()
    await an_evening(store)
    lines = await correction_report(store)
    assert [(line.kind, line.round, line.by, line.why) for line in lines] == [
        ("limits-changed", 3, "max", "quiet"),
        ("hand-paid", 3, "cass", "wants cash"),
        ("round-voided", 3, "sam", "a chair fell on the table"),
        ("debt-left", 2, "the program", ""),
        ("cards-corrected", 2, "sam", "misread"),
        ("limits-changed", 0, "the program", ""),
    ]
    assert lines[2].paragraph
    assert await correction_report(store, table="9") == []
    assert await correction_report(store, Days("2000-01-01", "2000-12-31")) == []


async def test_a_fault_outlives_a_power_cut_and_who_cleared_it_is_reported() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    table.writer.raise_fault("printer", verbatim("no paper"))
    await table.settle_down()
    await table.crash()
    again = await live_table(store=store)
    assert again.state.faults == {"printer": "no paper"}
    assert (await again.refused(staff.StartRound, DEALER)).code == "fault"
    await again.do(staff.ClearFault, SUPERVISOR, fault="printer", why="a new roll")
    await again.do(staff.StartRound, DEALER)
    [cleared] = [line for line in await correction_report(store) if line.kind == "fault-cleared"]
    assert (cleared.by, cleared.why, cleared.says) == ("pat", "a new roll", "Fault cleared, Printer: a new roll")


async def test_significant_events_of_people_and_tables_newest_first() -> None:
    store = MemoryStore()
    await an_evening(store)
    venue = await house(store)
    await venue.administrator()
    lines = await event_report(store)
    assert [line.entry for line in lines] == sorted((line.entry for line in lines), reverse=True)
    kinds = [line.kind for line in lines]
    assert kinds[0] == "administrator-claimed"
    assert {"table-opened", "credit-bought", "limits-changed", "round-voided"} <= set(kinds)
    assert (lines[0].by, lines[0].table) == ("ada", "")
    further = await event_report(store, before=lines[2].entry, limit=2)
    assert [line.entry for line in further] == [lines[3].entry, lines[4].entry]
    for secret in venue.secrets:
        assert secret not in as_csv(EventLine, lines)


def test_a_sheet_is_no_program() -> None:
    """What somebody typed as a reason is never a formula in a spreadsheet."""
    line = EventLine(
        entry=1, at_ms=2, day=DAY, table="1", round=3, kind="round-voided", by="sam", rank="", why='=HYPERLINK("x")',
        paragraph="", says="a, b", said={},
    )  # fmt: skip
    [names, values] = csv.reader(io.StringIO(as_csv(EventLine, [line])))
    assert names == [name for name in EventLine.__struct_fields__ if name != "said"]
    assert values[names.index("why")] == '\'=HYPERLINK("x")'
    assert values[names.index("says")] == "a, b"
    assert as_csv(WinLine, []).startswith("table,day,rounds")


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "2026-1-1", "20261116aa", ""])
def test_a_day_that_is_none(day: str) -> None:
    with pytest.raises(BadInput, match="is not a gaming day"):
        days_of(day=day)


def test_days_the_wrong_way_round() -> None:
    with pytest.raises(BadInput, match="comes after"):
        days_of(first_day="2026-02-01", last_day="2026-01-01")
    with pytest.raises(BadInput, match="not both"):
        days_of(day="2026-02-01", last_day="2026-03-01")


async def test_the_round_of_any_entry() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    for _ in range(5):
        await table.open()
        await table.finish("9C 2D KC 6H")
    rounds, number = Rounds(store, "1"), 0
    for written in await store.entries(limit=10_000):
        number += written.kind == "betting-opened"
        assert await rounds.at(written.seq) == number
    assert await rounds.dealt_on(DAY) == number == 8
    assert await rounds.dealt_on("2027-01-14") == await rounds.dealt_on("2027-01-16") == 0
