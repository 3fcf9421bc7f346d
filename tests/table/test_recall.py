"""Any round ever dealt, recalled: in play order, with credit before and after, and only what each may see."""

from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from natural9.core.errors import BadInput
from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.store.memory import MemoryStore
from natural9.table.audit.check_round import check_chain, check_steps
from natural9.table.audit.history import history_of
from natural9.table.audit.recall import FEW, Viewer, as_a_seat_sees, credits_at, last_rounds, page_of, recall, tables
from natural9.table.commands import terminal as taps
from tests.table.live import DEALER, live_table, terminal
from tests.table.stories import NATURAL, an_evening, an_irregular_round, everything, with_record


async def test_a_round_as_it_was() -> None:
    store = MemoryStore()
    await an_evening(store)
    told = await recall(store, "1", 1)
    assert (told.label, told.table, told.round, told.game) == ("RECALL", "1", 1, "mbs-tiger")
    assert (told.cards, told.player_cards, told.banker_cards) == ("9S 2H KD 6C", "9S KD", "2H 6C")
    assert (told.winner, told.player_total, told.banker_total, told.status) == ("player", 9, 8, "settled")
    assert told.staked_cents == 10_000 + 500 + 20_000 + 4_000
    first, second, third = told.seats
    assert (first.credit_before_cents, first.bets) == (100_000, {"player": 10_000, "tie": 500})
    assert [(line.wager, line.result, line.returned_cents) for line in first.lines] == [
        ("player", "win", 20_000),
        ("tie", "lose", 0),
    ]
    assert all(line.paragraph for line in first.lines)
    assert first.credit_after_cents == 100_000 + 10_000 - 500
    assert (second.credit_before_cents, second.credit_after_cents, second.returned_cents) == (100_000, 80_000, 0)
    assert (third.bets, third.credit_after_cents) == ({"banker": 4_000}, 96_000)


async def test_a_long_round_comes_in_pages() -> None:
    store = MemoryStore()
    await an_evening(store)
    whole = await recall(store, "1", 1)
    assert (whole.first_step, whole.all_steps) == (0, len(whole.steps))
    pages = [page_of(whole, first, most=4) for first in range(0, whole.all_steps, 4)]
    assert all(page.all_steps == whole.all_steps for page in pages)
    assert tuple(step for page in pages for step in page.steps) == whole.steps
    assert page_of(whole, 10**9).steps == ()
    own = as_a_seat_sees(whole, 1)
    assert own.all_steps == len(own.steps) < whole.all_steps


async def test_steps_come_in_play_order_with_the_cards_as_they_lay() -> None:
    store = MemoryStore()
    await an_evening(store)
    steps = (await recall(store, "1", 1)).steps
    assert [step.entry for step in steps] == sorted(step.entry for step in steps)
    assert (steps[0].kind, steps[0].says) == ("betting-opened", "Round 1: betting opens")
    dealt = [(step.says, step.cards) for step in steps if step.kind == "card-dealt"]
    assert dealt[0] == ("9S to the Player hand", "9S")
    assert dealt[3] == ("6C to the Banker hand", "9S 2H KD 6C")
    hands = [(step.player_cards, step.banker_cards, step.player_total, step.banker_total) for step in steps]
    assert hands[0] == ((), (), None, None)
    assert (("9S", "KD"), ("2H",), 9, 2) in hands
    assert hands[-1] == (("9S", "KD"), ("2H", "6C"), 9, 8)
    declared = [step.kind for step in steps].index("result-declared")
    assert [step.winner for step in steps[declared - 1 : declared + 1]] == [None, "player"]
    assert (steps[0].phase, steps[-1].phase) == ("betting-open", "settled")
    assert steps[-1].kind == "late-bet-refused"
    bet = next(step for step in steps if step.kind == "bet-placed")
    assert (bet.by, bet.seat, bet.says) == ("terminal 1-1", 1, "Seat 1 bets 100.00 on Player")
    assert bet.bets == {"player": 10_000}
    assert {step.kind for step in steps if step.bets is None} >= {"betting-opened", "card-dealt"}
    [taken] = [step for step in steps if step.kind == "bet-taken-back"]
    assert taken.bets == {"banker": 4_000}


async def test_a_corrected_round_says_who_and_why() -> None:
    store = MemoryStore()
    await an_evening(store)
    told = await recall(store, "1", 2)
    assert (told.winner, told.cards) == ("tie", "8S 2H KD 6C")
    [corrected] = [step for step in told.steps if step.kind == "cards-corrected"]
    assert (corrected.by, corrected.correction) == ("sam", True)
    assert "misread" in corrected.says
    assert [step.winner for step in told.steps if step.kind == "round-settled"] == ["player", "tie"]
    assert (corrected.winner, corrected.phase) == (None, "complete"), "until it is declared anew"
    assert corrected.paragraph
    [first, _] = told.seats
    assert first.cashed_out_cents == 119_500
    assert (first.credit_before_cents, first.credit_after_cents) == (109_500, 0)
    assert [line.result for line in first.lines] == ["push"]


async def test_a_void_round_shows_what_went_back() -> None:
    store = MemoryStore()
    await an_evening(store)
    told = await recall(store, "1", 3)
    assert (told.status, told.void_why and told.void_why.said) == ("void", "a chair fell on the table")
    [second, third] = told.seats
    assert (second.staked_cents, second.void_returned_cents, second.lines) == (30_000, 30_000, ())
    assert second.credit_after_cents == second.credit_before_cents - 1_000
    assert (third.cashed_out_cents, third.credit_after_cents) == (700, third.credit_before_cents - 700)


async def test_credit_follows_from_round_to_round() -> None:
    """What a seat had after one round is what it had before the next: over days, and whatever came after."""
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 50_000)
    for number in range(1, 7):
        await table.open()
        await table.bet(1, "player" if number % 2 else "banker", 1_000)
        await table.finish(NATURAL)
        if number % 2:
            table.now_ms += 20 * 60 * 60 * 1000
            await table.do(taps.CashOut, terminal(1), cents=10)
    found = [(await recall(store, "1", number)).seats[0] for number in range(1, 7)]
    assert found[0].credit_before_cents == 50_000
    for earlier, later in pairwise(found):
        assert earlier.credit_after_cents == later.credit_before_cents
    assert found[-1].credit_after_cents == await store.balance("credit/1-1") == table.state.credit_cents(1)
    assert len({entry.day for entry in await everything(store)}) == 3


async def test_credit_at_every_transfer_is_what_the_transfers_make() -> None:
    """Looked up one by one, or all at once."""
    store = MemoryStore()
    table = await an_evening(store)
    for seat in range(4, 120):
        await table.buy(seat, 100 * seat)
    table.now_ms += 24 * 60 * 60 * 1000
    await table.buy(2, 5)
    accounts = [f"credit/1-{seat}" for seat in range(1, 120)]
    assert len(accounts) > FEW
    held: Counter[str] = Counter()
    for one in await store.transfers():
        held[one.transfer.target] += one.transfer.cents
        held[one.transfer.source] -= one.transfer.cents
        expected = {account: held[account] for account in accounts}
        assert await credits_at(store, accounts, one.number, one.day) == expected
        assert await credits_at(store, accounts[1:2], one.number, one.day) == {accounts[1]: held[accounts[1]]}


async def test_the_last_rounds_and_further_back() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    for place in range(12):
        await table.open()
        await table.finish("9D 2C KH 6S" if place % 2 else "9C 2D KC 6H")
    last = await last_rounds(store, "1", 10)
    assert [one.round for one in last] == list(range(15, 5, -1))
    assert {one.label for one in last} == {"RECALL"}
    further = await last_rounds(store, "1", 10, before=6)
    assert [(one.round, one.status) for one in further][-3:] == [(3, "void"), (2, "settled"), (1, "settled")]
    assert await tables(store) == {"1": 15}
    assert await last_rounds(store, "9", 10) == []


async def test_a_round_still_open_is_recalled_as_far_as_it_is() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 1_000)
    await table.open()
    await table.bet(1, "player", 500)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S")
    told = await recall(store, "1", 1)
    assert (told.status, told.cards, told.winner) == ("initial-deal", "9S", None)
    assert told.seats[0].credit_after_cents == 500


async def test_a_terminal_recalls_its_own_seat_and_what_is_public() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    await an_irregular_round(table)
    for number in range(1, 5):
        whole = await recall(store, "1", number)
        for seat in (1, 2, 3, 9, None):
            seen = as_a_seat_sees(whole, seat)
            text = msgspec.json.encode(seen).decode()
            assert {one.seat for one in seen.seats} <= {seat}
            assert {step.seat for step in seen.steps} <= {seat, None}
            for other in {1, 2, 3} - {seat}:
                assert f"Seat {other} " not in text
                assert f"terminal 1-{other}" not in text
            for name in ("dora", "sam", "cass", "pat", "misread", "stuck"):
                assert name not in text
            assert (seen.cards, seen.winner, seen.status) == (whole.cards, whole.winner, whole.status)
    own = as_a_seat_sees(await recall(store, "1", 1), 2)
    assert (own.staked_cents, own.returned_cents, own.seats[0].credit_after_cents) == (20_000, 0, 80_000)
    assert [one.staked_cents for one in await last_rounds(store, "1", 3, seen_by=Viewer(3))] == [0, 0, 0]
    void = as_a_seat_sees(await recall(store, "1", 3), 1)
    assert "Round void: a chair fell on the table" in [step.says for step in void.steps]


async def test_what_was_never_dealt_cannot_be_recalled() -> None:
    store = MemoryStore()
    await an_evening(store)
    with pytest.raises(BadInput, match="table '1' has no round 99: the last one is 3"):
        await recall(store, "1", 99)
    with pytest.raises(BadInput, match="none was ever dealt there"):
        await recall(store, "nowhere", 1)


async def test_a_round_is_checked_on_its_own() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    await an_irregular_round(table)
    for number in range(1, 5):
        history = await history_of(store, "1", number)
        assert check_steps(history, load_game) == ""
        assert await check_chain(store, history[0].stream, history[0].seq, history[-1].seq) == ""
    history = await history_of(store, "1", 1)
    lied = [with_record(one, card="7S") if one.kind == "card-dealt" else one for one in history]
    assert "it should say" in check_steps(lied, load_game)
    store._streams["table/1"][history[3].number - 1] = history[3]._replace(at_ms=1)
    assert await check_chain(store, history[0].stream, history[0].seq, history[-1].seq) == (
        f"entry {history[3].seq}: its hash does not follow from entry {history[2].number} of table/1"
    )
