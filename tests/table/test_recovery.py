"""The power is cut after every single step of a round, in all nine games, and comes back: the rules decide what becomes
of the round, and nothing that was acknowledged is lost."""

from dataclasses import replace

import msgspec
import pytest

from natural9.core.completion import established
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.store.contract import Corrupt, Entry, Transfer
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.state.console_view import console_sees
from natural9.table.state.snapshot import VERSION
from natural9.table.state.state import TableState
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from tests.core.round.table import BOTH_DRAW, MBS_GAMES, ONE_GAME_A_DOCUMENT
from tests.store.opening import append
from tests.table.live import (
    DEALER,
    KEYS,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    picture,
    refolded,
    table_config,
    terminal,
)
from tests.table.stores import RememberingStore

NINE_GAMES = (*ONE_GAME_A_DOCUMENT[:3], *MBS_GAMES)
SILENT = ("rws-nc-insurance", "rws-nc-super-six-plus")
CREDIT = 100_000
CARDS = BOTH_DRAW.split()


async def play(table: LiveTable) -> None:
    """A round with every kind of bet command; seat 1 loses on the Player and insures it where that is offered."""
    for seat in (1, 2):
        await table.buy(seat, CREDIT)
    await table.open()
    await table.bet(1, "player", 10_000)
    await table.bet(2, "banker", 5_000)
    await table.bet(2, "banker", 1_000)
    await table.do(taps.TakeBack, terminal(2), round=1, wager="banker", cents=500)
    await table.do(taps.Double, terminal(2), round=1)
    await table.do(taps.Undo, terminal(2), round=1)
    await table.do(round_commands.CloseBetting, DEALER)
    for card in CARDS:
        if table.state.round.window:
            await table.do(round_commands.OpenInsurance, DEALER)
            await table.do(taps.Insure, terminal(1), round=1, hand=Hand.PLAYER, cents=500)
            await table.do(round_commands.CloseInsurance, DEALER)
        await table.do(round_commands.DealCard, DEALER, card=card)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)


async def finish(table: LiveTable) -> None:
    if table.state.round.phase is Phase.BETTING_OPEN:
        await table.do(round_commands.CloseBetting, DEALER)
    if table.state.round.phase is not Phase.SETTLED:
        await table.deal(" ".join(CARDS[len(table.state.round.cards) :]))
        if not table.state.round.declared:
            await table.do(round_commands.DeclareResult, DEALER)
        await table.do(round_commands.Settle, DEALER)


async def comes_back_by_the_rules(before: TableState, table: LiveTable) -> None:
    now = table.state
    if not before.in_play:
        assert picture(now) == picture(before)
        return
    # Real cards: nothing is decided before the pit supervisor has looked at them (interpretation felt-decides).
    [waiting] = everybody_sees(now).waiting
    assert (waiting.kind, waiting.rank) == (Kind.TABLE_INTERRUPTION, "pit-supervisor")
    assert (now.round.seats, now.round.staked_cents) == (before.round.seats, before.round.staked_cents)
    confirm = {"remedy": Remedy.CONFIRM_CARDS, "why": "they lie as they were keyed"}
    assert (await table.refused(round_commands.DecideIrregularity, DEALER, **confirm)).code == "rank-too-low"
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, **confirm)
    if table.config.game.id in SILENT:
        [waiting] = everybody_sees(now).waiting
        assert (waiting.kind, waiting.rank) == (Kind.TABLE_INTERRUPTION, "shift-manager")
        assert (now.round.seats, now.round.staked_cents) == (before.round.seats, before.round.staked_cents)
        await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
        await finish(table)
    elif established(before.round.wagers, before.round.ranks):
        assert now.round._replace(reported=before.round.reported) == before.round
        await finish(table)
    else:
        assert (now.round.phase, now.round.staked_cents) == (Phase.VOID, 0)
        for seat, terminal_before in before.terminals.items():
            assert now.credit_cents(seat) == terminal_before.credit_cents + before.round.seats[seat].staked_cents


@pytest.mark.parametrize("game", NINE_GAMES)
async def test_a_round_cut_off_after_any_step_is_concluded_or_void_by_its_clause(game: str) -> None:
    store, config = RememberingStore(), table_config(game)
    whole = await live_table(config, store)
    await play(whole)
    await whole.check_history()
    paid = {seat: whole.state.credit_cents(seat) for seat in (1, 2)}
    for appends in range(len(store.appended) + 1):
        left = await store.cut_off_after(appends)
        before = await refolded(left, config)
        before.file_limits = config.limits  # which a new table takes over first of all
        table = await LiveTable(config, left, first_request=10**6).start()  # new ids, not those before the cut
        await comes_back_by_the_rules(before, table)
        if table.state.round.seats == whole.state.round.seats:  # the same bets, and played to the end
            assert {seat: table.state.credit_cents(seat) for seat in (1, 2)} == paid
        await table.check_history()
        await table.crash()


@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
async def test_a_table_stopped_on_purpose_goes_on_where_it_was(game: str) -> None:
    table = await live_table(table_config(game))
    await table.buy(1, CREDIT)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    for card in CARDS:
        if not table.state.round.window:
            await table.do(round_commands.DealCard, DEALER, card=card)
            before = picture(table.state)
            await table.stop()
            assert (await table.journal())[-1].event.TAG == "table-held"
            table = await table.again()
            assert picture(table.state) == before
            assert (await table.journal())[-1].event.TAG == "table-continued"
        else:
            await table.deal(card)
    await finish(table)
    await table.check_history()


async def test_an_automatic_round_that_is_established_is_played_out() -> None:
    table = await live_table(table_config("mbs-nc", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.buy(1, CREDIT)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    await table.bet(1, "player", 1_000)
    await table.pass_ms(15_000)
    while len(table.state.round.cards) < 4:
        await table.pass_ms(1_000)
    cards = table.state.round.cards
    table = await table.restart()
    assert (table.round, table.state.round.cards) == (1, cards)
    for _ in range(20):
        if table.state.round.phase is not Phase.SETTLED:
            await table.pass_ms(500)
    assert (table.round, table.state.round.phase) == (1, Phase.SETTLED)
    await table.check_history()


@pytest.mark.parametrize(("away_ms", "goes_on"), [(0, True), (10_000, True), (10_001, False)])
async def test_an_electronic_table_that_is_back_at_once_goes_on_with_its_full_time(away_ms: int, goes_on: bool) -> None:
    """Interpretation short-interruption: nothing is established, nothing is missing, and everybody is told."""
    table = await live_table(table_config("mbs-nc", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.buy(1, CREDIT)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    await table.bet(1, "player", 1_000)
    await table.pass_ms(14_000)  # one second of betting is left
    seen_ms = table.now_ms
    await table.crash()
    table.now_ms += away_ms
    table = await table.again(seen_ms=seen_ms)
    [interrupted] = await table.happened("round-interrupted")
    assert (interrupted.away_ms, interrupted.goes_on) == (away_ms, goes_on)
    assert everybody_sees(table.state).interrupted_ms == away_ms
    if goes_on:
        assert table.state.round.phase is Phase.BETTING_OPEN
        assert everybody_sees(table.state).closes_at_ms == table.now_ms + 15_000
        await table.bet(1, "player", 1_000)
    else:
        assert (table.state.round.phase, table.state.credit_cents(1)) == (Phase.VOID, CREDIT)
    await table.check_history()


async def test_an_interruption_is_not_short_where_nobody_knows_how_long_it_was() -> None:
    table = await live_table(table_config("mbs-nc", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    await table.crash()
    table = await table.again(seen_ms=0)
    [interrupted] = await table.happened("round-interrupted")
    assert (interrupted.away_ms, interrupted.brief, table.state.round.phase) == (0, False, Phase.VOID)


async def test_without_its_sealed_order_an_electronic_table_is_not_whole_however_short_it_was_away() -> None:
    table = await live_table(table_config("mbs-nc", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.buy(1, CREDIT)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    await table.bet(1, "player", 1_000)
    await table.crash()
    store = table.store
    assert isinstance(store, MemoryStore)
    for key in [key for key in store._documents if key.startswith("shoe/")]:
        del store._documents[key]
    table = await table.again(seen_ms=table.now_ms)
    [interrupted] = await table.happened("round-interrupted")
    assert (interrupted.away_ms, interrupted.brief) == (0, False)
    assert table.state.round.phase is Phase.VOID


async def test_only_what_was_durable_is_there() -> None:
    """A bet that was decided and not stored was not acknowledged, and is not charged."""
    store = RememberingStore()
    table = await live_table(table_config(), store)
    await table.buy(1, CREDIT)
    await table.open()
    await table.bet(1, "player", 1_000)
    durable = len(store.appended)
    await table.bet(1, "player", 500)
    after = await LiveTable(table_config(), await store.cut_off_after(durable), first_request=10**6).start()
    await after.do(
        round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies on the felt"
    )
    [returned] = await after.happened("bets-returned")
    assert (returned.cents, after.state.credit_cents(1)) == (1_000, CREDIT)


async def test_many_rounds_come_back_from_the_last_opening() -> None:
    table = await live_table()
    await table.buy(1, CREDIT)
    for _ in range(4):
        await table.open()
        await table.bet(1, "tie", 100)
        await table.finish("4S 2H KD 9C 5H 5D")
    before = picture(table.state)
    table = await table.restart()
    assert picture(table.state) == before
    await table.check_history()


async def _recover(store: MemoryStore, game: str = "mbs-tiger") -> TableState:
    state, _ = await recover(store, table_config(game), await open_vouchers(store, KEYS))
    return state


async def test_what_does_not_hold_together_is_named_and_nothing_is_played() -> None:
    table = await live_table()
    await table.buy(1, CREDIT)
    await table.open()
    await table.bet(1, "tie", 100)
    await table.crash()
    store = table.store
    assert isinstance(store, MemoryStore)
    place, good = "table/1", await store.document("table/1")
    assert good
    kept = msgspec.json.decode(good)
    for broken, why in (
        (msgspec.json.encode({**kept, "number": 7}), "of round 7, which was never opened"),
        (
            msgspec.json.encode({**kept, "terminals": [[1, 5]]}),
            "credit/1-1 holds 99900 cents, and the journal says -95",
        ),
        (msgspec.json.encode({**kept, "terminals": []}), "credit/1-1 holds 99900"),
    ):
        store._documents[place] = broken
        with pytest.raises(Corrupt, match=why):
            await _recover(store)
    store._documents[place] = msgspec.json.encode({**kept, "game": "mbs-none"})
    with pytest.raises(BadInput, match="has round 1 of mbs-none open under the rules"):
        await _recover(store)
    store._documents[place] = good
    assert (await _recover(store)).credit_cents(1) == CREDIT - 100


@pytest.mark.parametrize(
    "stale",
    ["another version", "damaged", "half a shape", "not text", "too deep", "no card", "too few kinds", "negative"],
)
async def test_a_snapshot_that_cannot_be_used_is_made_again_from_the_journal(
    stale: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Slower, and the log says so; limits, locks, the shoe and the open round are all as they were."""
    table = await live_table()
    await play(table)
    await finish(table)
    await table.do(
        staff.ChangeLimits,
        MANAGER,
        limits={"tie": staff.LimitChange(min_cents=200, max_cents=5_000)},
        why="a quiet night",
    )
    await table.do(staff.LockTerminal, SUPERVISOR, seat=2, why="coffee")
    await table.open()
    await table.bet(1, "tie", 200)
    await table.crash()
    store = table.store
    assert isinstance(store, MemoryStore)
    good = store._documents["table/1"]
    expected = picture(await _recover(store))
    assert not caplog.records
    kept = msgspec.json.decode(good)
    store._documents["table/1"] = {
        "another version": msgspec.json.encode({**kept, "v": VERSION + 1}),
        "damaged": good[: len(good) // 2],
        "half a shape": msgspec.json.encode({"v": VERSION, "number": kept["number"]}),
        "not text": good.replace(b"mbs-tiger", b"mbs-\xff"),
        "too deep": b"[" * 100_000,
        "no card": msgspec.json.encode({**kept, "held": ["1X"]}),
        "too few kinds": msgspec.json.encode({**kept, "counts": kept["counts"][:40]}),
        "negative": msgspec.json.encode({**kept, "counts": [-1] * 52}),
    }[stale]
    assert picture(await _recover(store)) == expected
    assert "its snapshot is of another version or damaged" in caplog.text


async def test_another_games_limits_do_not_come_back_with_a_snapshot_made_again() -> None:
    """The pit changed them, then the table changed its game: folding the whole journal finds the file's own."""
    table = await live_table(table_config("mbs-tiger"))
    change = {"tie": staff.LimitChange(min_cents=200, max_cents=5_000)}
    await table.do(staff.ChangeLimits, MANAGER, limits=change, why="a quiet night")
    await play(table)
    await table.stop()
    other = table_config("mbs-nc")
    again = await table.restart(other)
    await again.open()
    await again.bet(2, "player", 100)
    await again.crash()
    store = again.store
    assert isinstance(store, MemoryStore)
    expected = picture((await recover(store, other, await open_vouchers(store, KEYS)))[0])
    store._documents["table/1"] = b"{}"
    found, _ = await recover(store, other, await open_vouchers(store, KEYS))
    told = picture(found)
    assert told == expected
    assert found.limits == found.file_limits == other.limits
    last = await again.restart(other)
    await last.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    await last.settle_down()  # the round that was cut off is void
    taken = [one.limits for one in await last.happened("limits-changed") if one.from_file]
    assert taken == [table.config.limits.by_wager, other.limits.by_wager]
    await last.stop()


@pytest.mark.parametrize("ends", ["settled", "void"])
async def test_a_game_that_lost_a_wager_between_rounds_is_played_on(ends: str) -> None:
    config = table_config("mbs-tiger")
    table = await live_table(config)
    if ends == "settled":
        await play(table)
    else:
        await table.open()
        await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a spill")
    await table.stop()
    wagers = tuple(wager for wager in config.game.wagers if wager.id != "tiger-pair")
    by_wager = {wager: limit for wager, limit in config.limits.by_wager.items() if wager != "tiger-pair"}
    game = replace(config.game, wagers=wagers, sha256="0" * 64)
    again = await table.restart(replace(config, game=game, limits=replace(config.limits, by_wager=by_wager)))
    assert everybody_sees(again.state).phase == ends
    assert console_sees(again.state).commands
    assert not again.writer.halted
    await again.stop()


@pytest.mark.parametrize(
    ("body", "moves", "why"),
    [
        (b"nonsense", (), "is not a line of the journal"),
        (b'{"event":"no-such","v":1,"record":{},"from":"staff","by":"x"}', (), "no event 'no-such'"),
        (
            b'{"event":"credit-bought","v":1,"record":{"seat":1,"cents":5,"desk":"cass"},"from":"staff","by":"cass"}',
            (Transfer("buy-in", "desk/cass", "credit/1-1", 6),),
            "the money it moved is not what its credit-bought moves",
        ),
    ],
)
async def test_a_line_that_does_not_follow_is_named(body: bytes, moves: tuple[Transfer, ...], why: str) -> None:
    table = await live_table()
    await table.open()
    await table.crash()
    await append(table.store, [Entry("table/1", "credit-bought", body, 5, "2026-11-16", "", moves)])
    assert isinstance(table.store, MemoryStore)
    with pytest.raises(Corrupt, match=f"entry 5: .*{why}"):
        await _recover(table.store)


async def test_credit_that_the_journal_knows_nothing_of_is_named() -> None:
    table = await live_table()
    await table.open()
    await table.crash()
    stray = (Transfer("buy-in", "desk/x", "credit/1-9", 500), Transfer("buy-in", "desk/x", "credit/1-2-9", 500))
    await append(table.store, [Entry("venue", "x", b"{}", 5, "2026-11-16", "", stray)])
    assert isinstance(table.store, MemoryStore)
    with pytest.raises(Corrupt, match="credit/1-9 holds 500 cents, and the journal says 0"):
        await _recover(table.store)


async def test_a_round_is_never_finished_under_other_rules() -> None:
    table = await live_table()
    await table.open()
    await table.crash()
    assert isinstance(table.store, MemoryStore)
    with pytest.raises(BadInput, match="start with the old rules"):
        await _recover(table.store, "mbs-nc")
    changed = replace(table.config, game=replace(table.config.game, sha256="0" * 64))
    with pytest.raises(BadInput, match="start with the old rules"):
        await recover(table.store, changed, table.vouchers)


async def test_between_rounds_a_table_may_change_its_game() -> None:
    table = await live_table()
    await table.buy(1, CREDIT)
    await table.open()
    await table.finish("4S 2H KD 9C 5H 5D")
    table = await table.restart(table_config("mbs-nc"))
    assert (table.state.credit_cents(1), table.round, table.state.round.shoe) == (CREDIT, 1, None)
    await table.open()
    await table.bet(1, "player", 100)
    await table.finish("4S 2H KD 9C 5H 5D")
    assert table.round == 2
