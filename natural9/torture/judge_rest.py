"""Liveness: once the faults have stopped and everybody behaves, everything goes on, and comes to rest when told."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from natural9.torture.replica import Replica
from natural9.torture.seen import Violation

TOLD_MS: Final = 60_000  # a house whose disk has failed is started anew by then, and its last messages are there
WELCOME_MS: Final = 45_000  # a line whose other end is gone may be silent for two pings


class Quiet(NamedTuple):
    """What the floor knew when its faults stopped, and how it ended."""

    since_ms: int  # the faults have stopped
    at_ms: int  # everything has had its time
    rounds: Mapping[str, int]  # of each table, when the faults stopped
    must_play: frozenset[str] = frozenset()  # tables that were open and should have gone on by themselves
    must_rest: frozenset[str] = frozenset()  # tables that somebody with every rank has brought to rest
    is_up: bool = True  # the server


class RestJudge:
    def __init__(self, wrong: Callable[[Violation], None]) -> None:
        self.wrong = wrong
        self.halted: dict[str, str] = {}  # tables, by what was last shown; and to whom
        self.may_halt_ms: int | None = None  # when its disk failed last, or it was told to end
        self.unwelcome: dict[str, int] = {}  # lines that came and were shown nothing, since when

    def halts(self, table: str, who: str, at_ms: int) -> None:
        self.halted[table] = who
        if self.may_halt_ms is None or at_ms > self.may_halt_ms + TOLD_MS:
            self.wrong(Violation("halted without need", f"table {table}, and its disk is as it should be", at_ms, who))

    def judge(self, quiet: Quiet, replicas: Mapping[str, Replica], money: Mapping[str, int]) -> None:
        if not quiet.is_up:
            self._wrong("server not back", "nobody answers", quiet)
        for table, replica in replicas.items():
            self._table(table, replica, quiet)
        for table, who in self.halted.items():
            self._wrong("table halted", f"table {table}", quiet, who)
        for who, at_ms in self.unwelcome.items():
            if at_ms + WELCOME_MS < quiet.at_ms:
                self._wrong("nobody let in", f"since {at_ms}", quiet, who)
        for account, cents in money.items():
            table = account.partition("/")[2]
            if account.startswith("transit/"):
                self._wrong("money on its way", f"{cents} cents in {account}", quiet)
            elif account.startswith("stake/") and not replicas[table].now.in_play:
                self._wrong("money on its way", f"{cents} cents lie at table {table}, where no round is in play", quiet)

    def _table(self, table: str, replica: Replica, quiet: Quiet) -> None:
        now = replica.now
        where = f"table {table}, round {now.round}, {now.phase}"
        if table in quiet.must_play and now.round < quiet.rounds.get(table, 0) + 2:
            self._wrong("table stuck", f"{where}: {now.round - quiet.rounds.get(table, 0)} rounds since", quiet)
        if table in quiet.must_rest:
            if now.pending:
                self._wrong("report not decided", f"{where}: {now.pending[0]['kind']} waits", quiet)
            elif now.in_play:
                self._wrong("table stuck", f"{where}: the round does not end", quiet)

    def _wrong(self, kind: str, words: str, quiet: Quiet, who: str = "") -> None:
        self.wrong(Violation(kind, words, quiet.at_ms, who))
