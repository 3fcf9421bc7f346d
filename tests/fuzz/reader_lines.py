"""What a reading shoe writes: lines in any pieces, and what each means for rounds in any state."""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Final

from natural9.core.round import Refusal, RoundState, decide, fold
from natural9.core.staff import NOBODY
from natural9.table.shoes.reader import LONGEST_SHOWN, Drawn, Foreign, interpret, readings
from tests.core.commands_at_random import sequence
from tests.fuzz.mutation import spoilt
from tests.fuzz.target import Target, Wrong

CARD: Final = re.compile(rb"(10|[a2-9tjqk])([cdhs]|\xe2\x99[\xa0\xa3\xa5\xa6])", re.IGNORECASE)
VALID: Final = (b"9H\n", b"10h\r\n", b"KD\n2c\nCUT\n", b"EMPTY\n", b"A\xe2\x99\xa0\n", b"\x009D\n4S\r5S\r")


class ReaderLines(Target):
    """A line that is a card is dealt; whatever else comes is a report that the round takes or refuses."""

    name = "reader-lines"
    share = 80
    states: list[RoundState]

    async def open(self, folder: Path) -> None:
        games = ("mbs-tiger", "rws-nc-insurance")
        self.states = [step.before for game in games for step in sequence(game, seed=4, length=300)]

    def make(self, chance: Random) -> tuple[int, list[bytes]]:
        written = spoilt(chance, b"".join(chance.choices(VALID, k=chance.randrange(1, 4))), VALID)
        cut = chance.randrange(len(written) + 1)
        return chance.randrange(10**6), [written[:cut], written[cut:]]

    async def feed(self, given: tuple[int, list[bytes]]) -> bool:
        at, pieces = given
        state = self.states[at % len(self.states)]
        stream = asyncio.StreamReader()
        for piece in pieces:
            stream.feed_data(piece)
        stream.feed_eof()
        lines = [line.strip(b" \t\0") for line in re.split(rb"[\r\n]", b"".join(pieces))[:-1]]
        drawn = 0
        async for reading in readings(stream):
            if isinstance(reading, Foreign):
                if len(reading.text) > LONGEST_SHOWN or not reading.text.isprintable():
                    raise Wrong(f"shown as {reading.text!r}")
                self._ask(state, interpret(state, reading))
                continue
            drawn += isinstance(reading, Drawn)
            self._ask(state, interpret(state, reading))
        if drawn != sum(CARD.fullmatch(line) is not None for line in lines):
            raise Wrong(f"{drawn} cards were read from {lines}")
        return drawn > 0

    def _ask(self, state: RoundState, command: object) -> None:
        if command is not None:
            decided = decide(state, command, NOBODY)  # type: ignore[arg-type]
            if not isinstance(decided, Refusal):
                fold(state, decided)
