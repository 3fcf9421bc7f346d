"""Thirty rounds at the console by a dealer who presses as soon as a press counts and keys cards ahead of the answers,
while sixty terminals bet: how long a round takes, and whether the journal has exactly what was pressed."""

import sys
import tempfile
import time
from pathlib import Path

from bench.browser import chromium
from tests.server.live_server import new_venue, running, table
from tests.web.crowd import crowd
from tests.web.typist import cards_of_a_shoe, play, recorded
from tests.web.windows import Windows

TABLE = "typist"
TERMINALS = 60
ROUNDS = 30


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        new_venue(Path(folder), table(TABLE, "rws-nc", seats=TERMINALS))
        with running(Path(folder)) as server, chromium() as browser:
            windows = Windows(browser, server)
            windows.tell(lambda one: one.begin_round(TABLE))
            before = recorded(server, TABLE)
            dealer = windows.staff("dealer", f"/console/{TABLE}")
            with crowd(server, TABLE, seats=TERMINALS, pause_s=1) as registered:
                began = time.perf_counter()
                pressed = play(dealer, ROUNDS, cards_of_a_shoe(9))
                took = time.perf_counter() - began
            found = recorded(server, TABLE)[len(before) :]
            windows.close()
    print(f"{ROUNDS} rounds, {len(pressed)} presses and cards, {registered():,} bets of {TERMINALS} terminals")
    print(f"{took / ROUNDS:.2f} s a round")
    if windows.wrong or found != pressed:
        sys.exit("\n".join(["the journal has something else than was pressed", *windows.wrong]))
    print("the journal has exactly what was pressed")


if __name__ == "__main__":
    main()
