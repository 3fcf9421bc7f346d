"""A player calls an attendant: seen at once, taken and cleared by staff, kept over a power cut."""

from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.attendant import MOST_PRESSES
from natural9.table.live.answers import Accepted
from natural9.table.state.console_view import CallView
from natural9.table.state.seat_view import one_seat_sees
from tests.table.live import CASHIER, DEALER, SUPERVISOR, LiveTable, live_table, terminal


async def call(table: LiveTable, seat: int, *, wanted: bool = True) -> None:
    await table.do(taps.CallAttendant, terminal(seat), wanted=wanted)


def told(table: LiveTable) -> tuple[CallView, ...]:
    """What the pit was told last, and the console with it."""
    news = table.ears.told[-1]
    assert news.console
    assert news.calls == news.console.calls
    return news.calls


def seen(table: LiveTable, seat: int) -> tuple[bool, bool]:
    view = one_seat_sees(table.state, seat)
    return view.calls, view.call_taken


async def test_a_call_is_seen_taken_and_cleared() -> None:
    table = await live_table()  # closed, and nobody has any credit: a player may still need somebody
    await call(table, 3)
    first = table.now_ms
    assert (told(table), seen(table, 3)) == ((CallView(seat=3, at_ms=first, taken_by=""),), (True, False))
    await table.pass_ms(5_000)
    await call(table, 1)
    assert [one.seat for one in told(table)] == [3, 1], "the oldest first"
    await table.do(staff.TakeCall, DEALER, seat=3)
    assert (told(table)[0], seen(table, 3)) == (CallView(seat=3, at_ms=first, taken_by="dora"), (True, True))
    assert (await table.refused(staff.TakeCall, DEALER, seat=3)).code == "call-stands"
    await table.do(staff.TakeCall, SUPERVISOR, seat=3)  # who is nearer goes
    assert told(table)[0].taken_by == "pat"
    await table.do(staff.ClearCall, SUPERVISOR, seat=3)
    await table.do(staff.ClearCall, DEALER, seat=1)  # without a word
    assert (told(table), seen(table, 3)) == ((), (False, False))
    for shape in (staff.TakeCall, staff.ClearCall):
        assert (await table.refused(shape, DEALER, seat=3)).code == "no-such-call"
        assert (await table.refused(shape, DEALER, seat=999)).code == "no-such-seat"
    await table.check_history()


async def test_a_second_press_takes_it_back_and_the_same_request_is_done_once() -> None:
    table = await live_table()
    press = taps.CallAttendant(request="press", wanted=True)
    assert isinstance(await table.ask(press, terminal(2)), Accepted)
    assert isinstance(await table.ask(press, terminal(2)), Accepted)
    assert len(await table.happened("attendant-called")) == 1
    assert (await table.refused(taps.CallAttendant, terminal(2))).code == "call-stands"
    await call(table, 2, wanted=False)
    assert told(table) == ()
    assert (await table.refused(taps.CallAttendant, terminal(2), wanted=False)).code == "no-such-call"
    assert isinstance(await table.ask(press, terminal(2)), Accepted), "late, it calls nobody again"
    assert told(table) == ()


async def test_a_locked_terminal_may_call_and_staff_may_not() -> None:
    table = await live_table()
    await table.do(staff.LockTerminal, SUPERVISOR, seat=2, why="coins in the tray")
    await call(table, 2)
    assert (await table.refused(taps.CallAttendant, terminal(999))).code == "no-such-seat"
    assert (await table.refused(taps.CallAttendant, CASHIER)).code == "not-a-terminal"


async def test_it_outlives_a_power_cut_with_its_age_also_behind_a_snapshot() -> None:
    table = await live_table()
    await call(table, 3)
    called_ms = table.now_ms
    await table.do(staff.TakeCall, DEALER, seat=3)
    table = await table.restart()
    await table.open()  # the state is kept as a snapshot when betting opens
    await table.crash()
    table.now_ms += 60_000
    table = await table.again()
    assert told(table) == (CallView(seat=3, at_ms=called_ms, taken_by="dora"),)
    await table.check_history()


async def test_a_key_that_is_pressed_all_the_time_fills_no_journal() -> None:
    table = await live_table()
    for press in range(MOST_PRESSES):
        await call(table, 3, wanted=press % 2 == 0)
    entries = len(await table.journal())
    refusal = await table.ask(taps.CallAttendant(request="again"), terminal(3))
    assert getattr(refusal, "code", "") == "too-many-requests"
    assert len(await table.journal()) == entries
    await call(table, 4)  # another seat's key is another key
    await table.pass_ms(60_000)
    assert isinstance(await table.ask(taps.CallAttendant(request="again"), terminal(3)), Accepted)
