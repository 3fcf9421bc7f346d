"""The two clocks of a venue, and what the record says of a machine's clock that was set."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import read_line
from natural9.journal.venue_events import ClockBehind, ClockJumped
from natural9.server.clock import JUMP_MS, Clock, Jump
from natural9.server.house import House
from natural9.server.people.accounts import SignedIn
from natural9.server.people.lock_out import LockOut
from natural9.server.people.permissions import Denied
from natural9.store.contract import Entry
from natural9.store.memory import MemoryStore
from tests.server.opened_house import opened
from tests.server.people.house import PASSWORD
from tests.store.opening import append
from tests.table.stores import SlowStore

START_MS = 1_800_000_000_000
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


class Machine:
    """What a machine's clock says, and what passes."""

    def __init__(self, last_entry_ms: int = 0, *, said_ms: int = START_MS) -> None:
        self.said_ms, self.up_ms = said_ms, 5_000_000
        self.clock = self.another(last_entry_ms)

    def another(self, last_entry_ms: int) -> Clock:
        return Clock(last_entry_ms, machine_ms=lambda: self.said_ms, monotonic_ms=lambda: self.up_ms)

    def pass_ms(self, ms: int) -> None:
        self.said_ms, self.up_ms = self.said_ms + ms, self.up_ms + ms


@given(st.integers(0, 2 * START_MS), st.lists(st.tuples(st.integers(-4 * DAY_MS, 4 * DAY_MS), st.integers(0, HOUR_MS))))
def test_play_goes_on_evenly_and_the_record_never_goes_back(last_entry_ms: int, walk: list[tuple[int, int]]) -> None:
    machine = Machine(last_entry_ms)
    began, recorded = machine.clock.play_ms(), [last_entry_ms, machine.clock.record_ms()]
    assert began == recorded[-1], "both begin at one number"
    for jump_ms, pause_ms in walk:
        machine.said_ms += jump_ms
        machine.pass_ms(pause_ms)
        recorded.append(machine.clock.record_ms())
        assert recorded[-1] == max(recorded[-2], machine.said_ms), "it is the machine's wherever that is not earlier"
    assert recorded == sorted(recorded)
    assert machine.clock.play_ms() - began == sum(pause_ms for _, pause_ms in walk)


def test_a_clock_that_is_held_says_when_that_began_until_nobody_holds_it() -> None:
    machine = Machine()
    machine.pass_ms(10)
    with machine.clock.held():
        machine.pass_ms(10)
        with machine.clock.held():
            machine.pass_ms(10)
        assert machine.clock.record_ms() == START_MS + 10
    assert machine.clock.record_ms() == START_MS + 30


@pytest.mark.parametrize("by_ms", [JUMP_MS + 1, -JUMP_MS - 1, HOUR_MS, -HOUR_MS, 2 * DAY_MS])
def test_a_clock_that_was_set_is_noticed_once(by_ms: int) -> None:
    machine = Machine()
    machine.pass_ms(1_000)
    assert machine.clock.look() is None
    machine.pass_ms(1_000)
    would_say = machine.said_ms
    machine.said_ms += by_ms
    assert machine.clock.look() == Jump(would_say, would_say + by_ms)
    machine.pass_ms(1_000)
    assert machine.clock.look() is None


@pytest.mark.parametrize("by_ms", [JUMP_MS, -JUMP_MS, 1, -1])
def test_a_clock_that_is_moved_slowly_has_not_jumped(by_ms: int) -> None:
    machine = Machine()
    for _ in range(1_000):
        machine.pass_ms(1_000)
        machine.said_ms += by_ms
        assert machine.clock.look() is None


async def test_it_begins_at_the_last_entry_of_a_journal_that_is_ahead() -> None:
    store = MemoryStore()
    assert (await Clock.open(store)).last_entry_ms == 0
    far_ms = 4_000_000_000_000
    for at_ms in (START_MS, far_ms):
        await append(store, [Entry("venue", "program-stopped", b"{}", at_ms, "2096-10-02")])
    clock = await Clock.open(store)
    assert (clock.last_entry_ms, clock.record_ms(), clock.was_behind) == (far_ms, far_ms, True)
    assert clock.play_ms() >= far_ms


async def told(house: House) -> list[object]:
    kept = [read_line(one).event for one in await house.store.labelled(SIGNIFICANT)]
    return [event for event in kept if isinstance(event, ClockJumped | ClockBehind)]


async def test_a_house_records_each_jump_as_a_significant_event(tmp_path: Path) -> None:
    machine = Machine()
    house = await opened(tmp_path, SlowStore(), machine.clock)
    await house.start()
    for by_ms in (2 * DAY_MS, -2 * DAY_MS):
        machine.said_ms += by_ms
        await house.look_at_clock()
        await house.look_at_clock()
    two_days_on = START_MS + 2 * DAY_MS
    forward = ClockJumped(before_ms=START_MS, after_ms=two_days_on)
    back = ClockJumped(before_ms=two_days_on, after_ms=START_MS)
    assert await told(house) == [back, forward]
    assert forward.describe() == (
        "The machine's clock was set forward by 48 h 0 min 0 s, from 2027-01-15 08:00:00 UTC to 2027-01-17 08:00:00 UTC"
    )
    assert back.describe().startswith("The machine's clock was set back by 48 h 0 min 0 s, from 2027-01-17 ")
    await house.stop("over")
    entries = await house.store.entries()
    assert [one.at_ms for one in entries] == sorted(one.at_ms for one in entries)


async def test_a_start_with_a_clock_behind_the_journal_is_a_significant_event(tmp_path: Path) -> None:
    machine = Machine(START_MS, said_ms=START_MS - HOUR_MS + 61_000)
    house = await opened(tmp_path, SlowStore(), machine.clock)
    await house.start()
    assert await told(house) == [behind := ClockBehind(says_ms=machine.said_ms, last_entry_ms=START_MS)]
    assert behind.describe().startswith(
        "The machine's clock is 0 h 58 min 59 s behind the journal: it says 2027-01-15 "
    )
    assert {one.at_ms for one in await house.store.entries()} == {START_MS}
    await house.stop("over")


async def test_an_office_that_comes_from_another_machine_dates_nothing_before_what_that_one_wrote(
    tmp_path: Path,
) -> None:
    machine, store = Machine(), SlowStore()
    house = await opened(tmp_path, store, machine.clock)
    await house.start()
    await house.office.lose()
    await append(store, [Entry("venue", "program-stopped", b"{}", START_MS + MINUTE_MS, "2027-01-15")])
    await house.office.take()
    await house.stop("over")
    dated = [one.at_ms for one in await store.entries(stream="venue")]
    assert dated == sorted(dated)


async def test_sessions_and_locks_last_as_long_as_they_say_wherever_the_clock_jumps(tmp_path: Path) -> None:
    machine, store = Machine(), SlowStore()
    house = await opened(tmp_path, store, machine.clock, lock_out=LockOut(15))
    accounts = house.accounts
    code = accounts.first_code()
    assert code
    ada = await accounts.claim_administrator(code, id="ada", name="Ada Low", password=PASSWORD, peer="")
    token = accounts.sessions.token(ada.session)
    machine.said_ms += 2 * DAY_MS
    assert accounts.sessions.read(token), "a clock that jumps ahead signs nobody out"
    for _ in range(3):
        assert isinstance(await accounts.sign_in("ada", "a wrong password", peer=""), Denied)
    assert accounts.status(accounts.find("ada")) == "locked"
    machine.said_ms -= 2 * DAY_MS
    machine.pass_ms(15 * MINUTE_MS)
    assert isinstance(await accounts.sign_in("ada", PASSWORD, peer=""), SignedIn), "nor does it keep anybody out"
    machine.pass_ms(15 * MINUTE_MS)
    assert accounts.sessions.read(token) is None, "and one that goes back keeps no session alive"
    await house.stop("over")


async def test_after_a_restart_with_the_clock_set_back_too(tmp_path: Path) -> None:
    """The journal does not say how far play had gone: a session from the future ends, a lock begins again at most."""
    machine, store = Machine(said_ms=START_MS + 2 * DAY_MS), SlowStore()
    house = await opened(tmp_path, store, machine.clock, lock_out=LockOut(15))
    code = house.accounts.first_code()
    assert code
    await house.accounts.claim_administrator(code, id="ada", name="Ada Low", password=PASSWORD, peer="")
    machine.said_ms = START_MS
    machine.pass_ms(DAY_MS)
    signed_in = await house.accounts.sign_in("ada", PASSWORD, peer="")
    assert isinstance(signed_in, SignedIn)
    token = house.accounts.sessions.token(signed_in.session)
    for _ in range(3):
        await house.accounts.sign_in("ada", "a wrong password", peer="")
    last_entry_ms = (await store.entries())[-1].at_ms
    house.accounts.close()
    again = await opened(tmp_path, store, machine.another(last_entry_ms), lock_out=LockOut(15))
    assert again.accounts.sessions.read(token) is None
    assert again.accounts.status(again.accounts.find("ada")) == "locked"
    machine.pass_ms(15 * MINUTE_MS)
    assert again.accounts.status(again.accounts.find("ada")) == "active"
    await again.stop("over")
