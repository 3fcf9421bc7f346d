"""The most that a spot takes, as the screens are tested against, is what the table takes: a unit more is refused.

`python -m tests.table.test_most_golden` writes the file anew.
"""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from natural9.core.round import Refusal
from natural9.core.round.state import Limit
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Facts, decide
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import everybody_sees
from natural9.table.venue.protection import PlayLimits, Protection
from tests.table.live import LiveTable, live_table, table_config, terminal

GOLDEN = Path(__file__).parents[2] / "web" / "src" / "screens" / "terminal" / "most.golden.json"
WAGERS = ("player", "banker", "tie")
OF_TABLE = (
    "laid",
    "betting_unit_cents",
    "seat_min_cents",
    "seat_max_cents",
    "table_max_cents",
)


async def test_the_golden_file_of_the_screens_is_true() -> None:
    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == json.loads(json.dumps(await cases()))


async def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for seed in range(18):
        chance = Random(seed)
        table = await _table(chance)
        for _ in range(2):
            await table.open()
            for _ in range(4):
                seat, wager, units = chance.choice((1, 1, 2)), chance.choice(WAGERS), chance.randrange(1, 16)
                await table.ask(
                    taps.Bet(request=table.request(), round=table.round, wager=wager, cents=units * 100), terminal(seat)
                )
                found.append(_case(table, chance.choice(WAGERS)))
            await table.finish(chance.choice(("9S KH KD 5C", "2S 9H KD KC")))
    return found


async def _table(chance: Random) -> LiveTable:
    least = chance.choice((100, 500))
    usual = table_config().limits
    limits = replace(
        usual,
        by_wager={wager: Limit(least, chance.choice((2_000, 3_000, 5_000))) for wager in usual.by_wager},
        seat_min_cents=chance.choice((0, 0, 1_000)),
        seat_max_cents=chance.choice((None, 4_000)),
        table_max_cents=chance.choice((None, None, 5_000)),
    )
    own = PlayLimits(loss_cents=chance.choice((None, 2_500)), stake_cents=chance.choice((None, 3_300)))
    table = await live_table(table_config(limits=limits, protection=Protection(default=own)))
    await table.buy(1, chance.choice((650, 2_550, 6_000, 20_000)))
    await table.buy(2, 100_000)
    return table


def _case(table: LiveTable, wager: str) -> dict[str, Any]:
    everybody, you = (
        msgspec.to_builtins(view) for view in (everybody_sees(table.state), one_seat_sees(table.state, 1))
    )
    session = you["session"] and {name: you["session"][name] for name in ("net_cents", "loss_cents", "stake_cents")}
    return {
        "wager": wager,
        "table": {name: everybody[name] for name in OF_TABLE} | {"limits": {wager: everybody["limits"][wager]}},
        "you": {name: you[name] for name in ("bets", "credit_cents", "staked_cents")} | {"session": session},
        "most": max([0, *[cents for cents in range(100, 6_000, 100) if _takes(table, wager, cents)]]),
    }


def _takes(table: LiveTable, wager: str, cents: int) -> bool:
    tap = taps.Bet(request="?", round=table.round, wager=wager, cents=cents)
    return not isinstance(decide(table.state, tap, terminal(1), Facts(at_ms=0)), Refusal)


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in asyncio.run(cases()))
    GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
