"""Verify derives carded play again: who played, what they brought and what it counted as."""

import json

import pytest

from natural9.games import load_game
from natural9.journal.line import OriginKind, by_staff, encode_line
from natural9.journal.player_events import PlayerRenamed
from natural9.store.contract import Entry, Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from tests.store.opening import append
from tests.table.carded import MEI, TAN, floor
from tests.table.stories import everything
from tests.table.test_verify import Rewrite, changed, found_in, the

PLAYER_WINS = "4C 2D 5D 2S"


async def played() -> MemoryStore:
    """Mei plays at two tables with a limit of her own, Tan at one until he is barred."""
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(loss_cents=5_000)
    await on.card_in(TAN, "1", 2)
    await on.tables["1"].buy(2, 10_000)
    await on.tables["1"].bet(1, "banker", 1_000)
    await on.tables["1"].bet(2, "player", 2_000)
    await on.tables["1"].finish(PLAYER_WINS)
    bar = taps.BarCard(request="b", player=TAN)
    await on.tables["1"].writer.answer(bar, Who("", seat=2, kind=OriginKind.PROGRAM))
    await on.collect("1", 2)
    await on.collect()
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    await on.collect("2")
    await on.stop()
    assert isinstance(on.store, MemoryStore)
    return on.store


def without(kind: str, place: int = 0) -> Rewrite:
    def left_out(entries: list[Written]) -> list[Written]:
        at = the(kind, entries, place)
        return [*entries[:at], *entries[at + 1 :]]

    return left_out


def told(kind: str, before: str, **values: object) -> Rewrite:
    """An account's event is written right before the first entry of another kind."""

    def added(entries: list[Written]) -> list[Written]:
        first = entries[the("player-added", entries)]
        record = {"event": kind, "v": 1, "record": {"player": MEI, **values}, "from": "staff", "by": "cass"}
        one = first._replace(kind=kind, body=json.dumps(record, separators=(",", ":")).encode(), label="significant")
        at = the(before, entries)
        return [*entries[:at], one, *entries[at:]]

    return added


EXCLUDED: dict[str, object] = {"until_day": "", "own": False, "why": "x"}
LIES: list[tuple[str, Rewrite, str, str]] = [
    ("another's card", changed("player-carded-in", player="10009"), "player-carded-in", "no such account"),
    ("an account that was closed", told("player-closed", "player-carded-in"), "player-carded-in", "it is closed"),
    (
        "somebody excluded",
        told("player-excluded", "player-carded-in", **EXCLUDED),
        "player-carded-in",
        "the player is excluded",
    ),
    (
        "an exclusion in the middle of play",
        told("player-excluded", "betting-closed", **EXCLUDED),
        "player-excluded",
        "no card of theirs bets at table 1, seat 1",
    ),
    ("two cards of one player", changed("player-carded-in", 1, player=MEI), "player-carded-in", "table 1, seat 1"),
    ("more points", changed("play-counted", points=9_999), "play-counted", '"points":100'),
    ("a loss hidden", changed("play-counted", returned_cents=1_000), "play-counted", '"returned_cents":0'),
    ("a round that nobody counted", without("play-counted"), "seat-settled", '"player":"10001"'),
    (
        "no limit taken along",
        changed(
            "player-carded-out",
            1,
            play={"own": False, "since_ms": 1},
        ),
        "player-carded-out",
        "loss_cents=5000",
    ),
    ("a session of somebody else", changed("session-started", owner="seat"), "session-started", "for player 10001"),
    ("a table's time that goes back", changed("player-carded-out", 1, table_ms=-5), "player-carded-out", "or more"),
]


async def test_what_was_played_with_cards_follows() -> None:
    assert (await verify(await played(), load_game=load_game)).fault is None


@pytest.mark.parametrize(("change", "kind", "should"), [one[1:] for one in LIES], ids=[one[0] for one in LIES])
async def test_a_lie_about_carded_play_is_named(change: Rewrite, kind: str, should: str) -> None:
    fault = (await found_in(await played(), change)).fault
    assert fault is not None
    assert fault.kind == kind
    assert should in fault.words


async def test_what_a_player_took_along_is_kept_as_the_journal_says() -> None:
    store = await played()
    last = (await everything(store))[-1]
    body = encode_line(PlayerRenamed(player=MEI), by_staff("cass"))
    other = ((f"play/{MEI}", b'{"own":false}'),)
    await append(store, [Entry("venue", PlayerRenamed.TAG, body, last.at_ms, last.day, "significant", documents=other)])
    fault = (await verify(store, load_game=load_game)).fault
    assert fault is not None
    assert fault.words.startswith(f"the journal says: of play/{MEI}")
