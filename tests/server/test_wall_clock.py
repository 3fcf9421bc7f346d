"""A real server whose machine's clock is set while it plays: an hour back, two days ahead, and right again."""

import subprocess
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from natural9.journal.line import read_line
from natural9.journal.venue_events import ClockJumped
from natural9.server import protocol
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Terminal, Visit, automatic, new_venue

HOUR_S = 3_600
DAY_S = 24 * HOUR_S
# The program as it is, on a machine whose clock says something else: by as many seconds as the file has now.
SERVE = """
import sys, time
from pathlib import Path
real, ahead = time.time_ns, Path(sys.argv[1])
time.time_ns = lambda: real() + int(ahead.read_text()) * 10**9
from natural9.cli.main import main
sys.argv[1:] = ["serve", sys.argv[2]]
main()
"""


class OtherTime(Server):
    """A server whose machine's clock this test sets."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._ahead = folder / "ahead"
        self.set(0)

    def set(self, ahead_s: int) -> None:
        aside = self._ahead.with_suffix(".new")
        aside.write_text(str(ahead_s))
        aside.rename(self._ahead)

    def begin(self) -> tuple[subprocess.Popen[str], TextIO]:
        command = [sys.executable, "-c", SERVE, str(self._ahead), str(self.folder)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        assert isinstance(process.stderr, TextIOWrapper)
        return process, process.stderr


async def test_the_tables_play_on_whatever_the_clock_on_the_wall_says(tmp_path: Path) -> None:
    server = OtherTime(new_venue(tmp_path, automatic("1", "rws-nc")))
    server.start()
    try:
        async with Visit(server) as visit:
            await visit.open("1")
            player = await visit.sit("1", 1, 100_000)
            for ahead_s, jumps in ((-HOUR_S, 1), (2 * DAY_S, 2), (0, 3)):
                await player.betting_open(player.table.round)
                server.set(ahead_s)
                await jumped(server, player, jumps)
                await bets_again(player, after=player.table.round + 1)
        assert server.terminate() == 0
    finally:
        if server.running:
            server.kill()
    await server.check_every_round()
    await server.check_books()
    entries = await server.history()
    assert [one.at_ms for one in entries] == sorted(one.at_ms for one in entries)
    assert [one.day for one in entries] == sorted(one.day for one in entries)
    events = [read_line(one).event for one in entries]
    jumps_s = [round((one.after_ms - one.before_ms) / 1000) for one in events if isinstance(one, ClockJumped)]
    assert jumps_s == [-HOUR_S, HOUR_S + 2 * DAY_S, -2 * DAY_S]


async def bets_again(player: Terminal, after: int) -> None:
    """In a round later than this. The window is short, and on a slow machine a bet may miss it: then in the next."""
    while True:
        after = await player.betting_open(after)
        answer = await player.ask(taps.Bet, wager="player", cents=1_000)
        if isinstance(answer, protocol.Registered):
            return
        assert isinstance(answer, protocol.Refused)
        assert answer.code in ("no-more-bets", "other-round"), answer


async def jumped(server: Server, player: Terminal, times: int) -> None:
    """Until the record says so; rounds go by meanwhile."""
    while sum(one.kind == ClockJumped.TAG for one in await server.history("venue")) < times:
        await player.betting_open(player.table.round)
