"""A whole other evening: the house plays it alone, with the real program, and signs it with its own keys. No rule is
broken anywhere, so no verifier can object: only what others have kept can."""

import asyncio
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.lies.evening import Script, evening
from tests.lies.lie import Lie
from tests.lies.shown import Shown, make_anew


def _played_again(shown: Shown, **changes: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        other = asyncio.run(evening(Path(folder) / "unused.jsonl", replace(Script(), **changes)))
    shown.lines, shown.end, shown.written = other.shown.lines, other.shown.end, other.shown.written
    make_anew(shown)  # without the cosignatures, which nobody gave


def _other(name: str, **changes: Any) -> Lie:
    return Lie(name, partial(_played_again, **changes), careless=False)


LIES = (
    _other("a bet was smaller, and so was what it won", seat_1_bets=1_000),
    _other("a card was another one, and all was paid by it", first_card="7S"),
    _other("insurance that was taken and won was never taken", seat_3_insures=False),
    _other("a voucher was for less, and the rest was never there", voucher_cents=4_000),
    _other("the house committed to another order of an electronic shoe", shoe=2),
)
