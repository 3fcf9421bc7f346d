"""Every lie, told to each of the four."""

import asyncio
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.lies import (
    about_bets,
    about_cards,
    about_checkpoints,
    about_entries,
    about_histories,
    about_insurance,
    about_money,
    about_receipts,
    about_rules,
    about_settlement,
    about_shoes,
    about_staff,
)
from tests.lies.catchers import ours, outside, receipts, witness
from tests.lies.evening import Evening, evening
from tests.lies.lie import Lie
from tests.lies.shown import Shown, make_anew

SUBJECTS: dict[str, tuple[Lie, ...]] = {
    "Cards and results": about_cards.LIES,
    "Settlement": about_settlement.LIES,
    "Insurance": about_insurance.LIES,
    "Bets": about_bets.LIES,
    "Who decided": about_staff.LIES,
    "Money": about_money.LIES,
    "Electronic shoes": about_shoes.LIES,
    "Rules": about_rules.LIES,
    "Entries and documents": about_entries.LIES,
    "Checkpoints, keys, cosignatures": about_checkpoints.LIES,
    "Receipts": about_receipts.LIES,
    "A whole other evening": about_histories.LIES,
}


class Caught(NamedTuple):
    """What each of the four says, in words; nothing where it sees nothing."""

    verify: str
    outside: str
    receipt: str
    witness: str

    @property
    def letters(self) -> str:
        return " ".join(letter for letter, words in zip("VORW", self, strict=True) if words)


async def told(shown: Shown, true: Evening) -> Caught:
    return Caught(await ours(shown), outside(shown), receipts(shown), await witness(shown, true))


@cache
def the_evening() -> Evening:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(evening(Path(folder) / "witness.jsonl"))


def tell(lie: Lie, *, anew: bool) -> Caught:
    true = the_evening()
    shown = true.shown.copied()
    lie.tell(shown)
    if anew:
        make_anew(shown)
        lie.then(shown)
    return asyncio.run(told(shown, true))


@cache
def results() -> dict[str, tuple[Caught | None, Caught | None]]:
    """By its name: told carelessly, and with everything made anew."""
    return {
        lie.name: (
            tell(lie, anew=False) if lie.careless else None,
            tell(lie, anew=True) if lie.anew else None,
        )
        for lies in SUBJECTS.values()
        for lie in lies
    }
