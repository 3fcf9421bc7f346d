"""A fast dealer at the console: looks at the line, presses as soon as a press counts, and lets every key bounce."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from playwright.sync_api import Page

from natural9.core.round import events
from natural9.journal.line import read_line
from tests.server.live_server import PEOPLE, Server
from tests.web.console import QUICK_MS, answered
from tests.web.windows import aside

A_KEY_MS = 30  # between the keys of a card: two are down in the time that an order takes
LINE = "was => { const line = document.querySelector('#next-step')?.textContent; return line !== was && line; }"


class Pressed(NamedTuple):
    """What must stand in the journal for it, and nothing else."""

    event: str
    card: str = ""


STEPS = {
    "Open betting": events.BettingOpened.TAG,
    "Close bets": events.BettingClosed.TAG,
    "Declare": events.ResultDeclared.TAG,
    "Settle": events.RoundSettled.TAG,
}


def cards_of_a_shoe(seed: int) -> Iterator[str]:
    cards = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"] * 8
    Random(seed).shuffle(cards)
    return iter(cards)


def play(page: Page, rounds: int, cards: Iterator[str]) -> list[Pressed]:
    """From "Close bets" of one round to that of the last but so many."""
    pressed: list[Pressed] = []

    def moved_on(line: str) -> str:
        return str(page.wait_for_function(LINE, arg=line, polling="raf").json_value())

    line = moved_on("")
    while rounds:
        step = next((tag for words, tag in STEPS.items() if line.startswith(words)), None)
        if step:
            answered(page)
            page.wait_for_timeout(QUICK_MS)
            page.keyboard.press("Space")
            page.keyboard.press("Space")  # it bounces
            pressed.append(Pressed(step))
            rounds -= step == events.BettingOpened.TAG
            line = moved_on(line)
        else:
            dealt = [next(cards) for _ in range(4 if line.startswith("Deal to") else 1)]
            page.keyboard.type("".join(dealt).lower(), delay=A_KEY_MS)
            pressed += [Pressed(events.CardDealt.TAG, card) for card in dealt]
            line = moved_on(line)
            while line.startswith("Deal to"):
                line = moved_on(line)
    return pressed


def recorded(server: Server, table: str) -> list[Pressed]:
    """What the journal has of the dealer's presses, in order."""
    entries = aside(lambda: asyncio.run(server.history(f"table/{table}")))
    lines = [line for line in map(read_line, entries) if line.origin.by == PEOPLE["dealer"]]
    return [
        Pressed(line.event.TAG, getattr(line.event, "card", ""))
        for line in lines
        if line.event.TAG in (*STEPS.values(), events.CardDealt.TAG)
    ]
