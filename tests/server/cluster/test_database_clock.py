"""What a node believes to be the database's time, after answers that took long and short ways."""

from natural9.server.cluster.database_clock import DatabaseClock
from natural9.store.postgres.leases import Renewed

DAY_MS = 1_795_000_000_000


class Machine:
    """Its monotonic clock, in seconds; the database's runs beside it."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.set_ahead_ms = 0  # somebody sets the database's clock
        self.clock = DatabaseClock(lambda: self.now_s)

    @property
    def database_ms(self) -> int:
        return DAY_MS + self.set_ahead_ms + int(self.now_s * 1000)

    def ask(self, there_s: float, back_s: float) -> None:
        sent = self.now_s
        self.now_s += there_s
        now_ms = self.database_ms
        self.now_s += back_s
        self.clock.set(Renewed({}, now_ms, sent, ""))

    @property
    def behind_ms(self) -> int:
        return self.database_ms - self.clock.now_ms()


def test_it_is_behind_by_no_more_than_an_answers_way_and_never_ahead() -> None:
    machine = Machine()
    machine.ask(0.004, 0.003)
    assert 0 <= machine.behind_ms <= 4
    for there_s, back_s in ((2.0, 0.0), (0.0, 2.0), (1.0, 1.0), (0.001, 0.001)):
        machine.ask(there_s, back_s)
        assert 0 <= machine.behind_ms <= 4, "what is known already holds"


def test_a_first_answer_that_took_long_is_mended_by_the_next() -> None:
    machine = Machine()
    machine.ask(0.1, 1.5)
    assert machine.behind_ms >= 1_000
    machine.ask(0.001, 0.001)
    assert 0 <= machine.behind_ms <= 2


def test_a_database_whose_clock_is_set_is_followed() -> None:
    machine = Machine()
    machine.ask(0.001, 0.001)
    for ahead_ms in (60_000, -60_000):
        machine.set_ahead_ms = ahead_ms
        machine.ask(0.001, 0.001)
        assert abs(machine.behind_ms) <= 2
