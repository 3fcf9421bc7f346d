"""A journal verified by someone who trusts nobody: what was really played passes, what an insider changed is named."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.game import Game
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.saying import verbatim
from natural9.games import load_game
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.journal.people_events import StaffAdded
from natural9.journal.venue_events import VoucherPaid
from natural9.proof.merkle import EMPTY_ROOT
from natural9.server.clock import Clock
from natural9.server.desk import Desk
from natural9.store.contract import Entry, Transfer, Written
from natural9.store.memory import MemoryStore
from natural9.store.streams import SharedStream
from natural9.table.audit.checkpoint_audit import NotedCheckpoint
from natural9.table.audit.findings import Verified
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.venue.file import ShoeSource
from tests.table.live import (
    DEALER,
    SHIFT_MANAGER,
    START_MS,
    SUPERVISOR,
    live_table,
    table_config,
    terminal,
    venue_of,
)
from tests.table.stories import (
    an_evening,
    an_irregular_round,
    everything,
    rewritten,
    shuffled_rounds,
    with_beside,
    with_record,
)

Rewrite = Callable[[list[Written]], list[Written]]


async def evening() -> MemoryStore:
    store = MemoryStore()
    table = await an_evening(store)
    await an_irregular_round(table)
    await table.stop()
    return store


async def found_in(store: MemoryStore, change: Rewrite) -> Verified:
    return await verify(await rewritten(store, change), load_game=load_game)


def the(kind: str, entries: list[Written], place: int = 0) -> int:
    """Where the so-manieth entry of a kind stands."""
    return [at for at, written in enumerate(entries) if written.kind == kind][place]


def changed(kind: str, place: int = 0, **values: object) -> Rewrite:
    """That entry with other values in its record."""
    return lambda entries: _with_one_changed(entries, the(kind, entries, place), with_record, values)


def beside(kind: str, **values: object) -> Rewrite:
    """The first such entry with other values beside its record."""
    return lambda entries: _with_one_changed(entries, the(kind, entries), with_beside, values)


def _with_one_changed(
    entries: list[Written], at: int, change: Callable[..., Written], values: dict[str, object]
) -> list[Written]:
    return [*entries[:at], change(entries[at], **values), *entries[at + 1 :]]


async def test_what_was_played_follows_from_the_rules() -> None:
    store = await evening()
    found = await verify(store, load_game=load_game)
    assert found.fault is None
    entries = await everything(store)
    assert (found.entries, found.rounds, found.tables) == (len(entries), 4, 1)
    assert (found.cards, found.vouchers_outstanding) == (4 + 4 + 2 + 6, 2)
    assert found.seats_settled == sum(written.kind == "seat-settled" for written in entries)
    assert found.root == (await store.tree()).root.hex()
    assert found.not_derived == 0


async def test_an_empty_journal_is_in_order() -> None:
    found = await verify(MemoryStore(), load_game=load_game)
    assert (found.entries, found.fault, found.root) == (0, None, EMPTY_ROOT.hex())


# What an insider may try, with every hash, number, balance and meter made anew: the kind of the entry that is named,
# which of its kind it is, and what is said about it.
LIES: dict[str, tuple[Rewrite, str, int, str]] = {
    "the result": (changed("result-declared", winner="banker"), "result-declared", 0, "The cards show Player"),
    "a card": (changed("card-dealt", 0, card="7S"), "result-declared", 0, "The cards show Banker"),
    "the hand of a card": (changed("card-dealt", 1, hand="player"), "card-dealt", 1, "hand: banker"),
    "a stake": (changed("bet-placed", 0, cents=9_000), "bet-placed", 0, "bet of 9000 cents"),
    "a stake over the limit": (changed("bet-placed", 0, cents=10**9), "bet-placed", 0, "outside its limits"),
    "the close": (changed("betting-closed", 0, staked_cents=1), "betting-closed", 0, "staked_cents: 34500"),
    "the totals": (changed("round-settled", 0, collected_cents=0), "round-settled", 0, "collected_cents: 24500"),
    "a void": (changed("bets-returned", 0, cents=29_000), "bets-returned", 0, "cents: 30000"),
    "a reversal": (changed("settlement-reversed", 0, cents=0), "settlement-reversed", 0, "cents: 20000"),
    "a round's number": (changed("betting-opened", 1, round=7), "betting-opened", 1, "round 2 opens"),
    "a voucher's value": (changed("voucher-issued", 0, cents=1), "voucher-issued", 0, "voucher-out of 1 cents"),
    "a voucher's number": (changed("voucher-issued", 0, number="1-1-9"), "voucher-issued", 0, "voucher 1-1-1"),
    "a debt": (changed("debt-left", 0, cents=1), "debt-left", 0, "cents are owed"),
    "the remedy": (
        changed("irregularity-decided", 0, remedy="void"),
        "irregularity-decided",
        0,
        "should say: remedy: ",
    ),
    "the rank": (beside("irregularity-decided", rank="dealer"), "irregularity-decided", 0, "rank: dealer"),
    "a rank too low": (beside("bets-returned", rank="dealer"), "bets-returned", 0, "may not void a round: it takes a"),
    "no rank": (beside("irregularity-decided", rank=""), "irregularity-decided", 0, "in no rank"),
    "no event at all": (beside("card-dealt", v=9), "card-dealt", 0, "no event 'card-dealt' of version 9"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_lie_is_named(lie: str) -> None:
    change, kind, place, words = LIES[lie]
    store = await evening()
    found = await found_in(store, change)
    assert found.fault is not None
    entries = await everything(store)
    assert (found.fault.kind, found.fault.entry) == (kind, entries[the(kind, entries, place)].seq)
    assert words in found.fault.words


async def test_a_settlement_line_changed_with_its_money() -> None:
    """The line, the seat's total and the transfers agree with each other, and all hashes: the cards do not."""

    def change(entries: list[Written]) -> list[Written]:
        at = the("seat-settled", entries)
        record = msgspec.json.decode(entries[at].body)["record"]
        line = record["lines"][0]
        assert (line["wager"], line["result"], line["returned_cents"]) == ("player", "win", 20_000)
        line["returned_cents"], line["net_cents"] = 120_000, 110_000
        settled = with_record(entries[at], lines=record["lines"], returned_cents=record["returned_cents"] + 100_000)
        moved = tuple(
            one._replace(cents=one.cents + 100_000) if one.kind == "winnings" else one for one in settled.transfers
        )
        return [*entries[:at], settled._replace(transfers=moved), *entries[at + 1 :]]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert (found.fault.kind, found.fault.round) == ("seat-settled", 1)
    assert found.fault.says == "lines 1 (player), returned_cents: 120000"
    assert found.fault.should == "lines 1 (player), returned_cents: 20000"


async def test_an_opening_with_other_limits_than_the_last_change_made() -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = the("betting-opened", entries)
        limits = msgspec.json.decode(entries[at].body)["record"]["limits"]
        higher = {wager: [least, 2 * most] for wager, (least, most) in limits.items()}
        return [*entries[:at], with_record(entries[at], limits=higher), *entries[at + 1 :]]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert found.fault.kind == "betting-opened"
    assert "as last changed" in found.fault.should


async def test_a_voucher_that_is_put_in_a_moment_after_it_has_expired() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.buy(1, 5_000)
    printed = (await table.do(taps.CashOut, terminal(1))).voucher
    assert printed
    await table.do(taps.InsertVoucher, terminal(2), number=printed.number, code=printed.code)
    await table.stop()
    [put_in] = [one for one in await everything(store) if one.kind == "voucher-inserted"]
    found = await found_in(store, changed("voucher-issued", expires_at_ms=put_in.at_ms))
    assert found.fault is not None
    assert (found.fault.entry, found.fault.should) == (put_in.seq, "nothing: it had expired")
    assert (await found_in(store, changed("voucher-issued", expires_at_ms=put_in.at_ms + 1))).fault is None


async def test_a_transfer_changed() -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = the("seat-settled", entries)
        first, *rest = entries[at].transfers
        return [
            *entries[:at],
            entries[at]._replace(transfers=(first._replace(cents=first.cents + 1), *rest)),
            *entries[at + 1 :],
        ]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert found.fault.kind == "seat-settled"
    assert "stake-lost of 501 cents" in found.fault.says
    assert "stake-lost of 500 cents" in found.fault.should


async def test_a_bet_after_the_close() -> None:
    def change(entries: list[Written]) -> list[Written]:
        bet, close = entries[the("bet-placed", entries)], the("card-dealt", entries)
        late = with_record(bet, seat=3, wager="player", cents=100)
        late = late._replace(transfers=(Transfer("bet", "credit/1-3", "stake/1", 100),))
        return [*entries[: close + 1], late, *entries[close + 1 :]]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert found.fault.kind == "bet-placed"
    assert "No more bets" in found.fault.should


@pytest.mark.parametrize("kind", ["seat-settled", "bet-placed", "card-dealt", "round-settled", "bets-returned"])
async def test_an_entry_left_out(kind: str) -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = the(kind, entries)
        return [*entries[:at], *entries[at + 1 :]]

    assert (await found_in(await evening(), change)).fault is not None


async def test_a_journal_cut_off_inside_a_decision() -> None:
    def change(entries: list[Written]) -> list[Written]:
        return entries[: the("seat-settled", entries) + 1]

    store = await rewritten(await evening(), change)
    found = await verify(store, load_game=load_game)
    assert found.fault is not None
    assert "seat-settled" in found.fault.should


@pytest.mark.parametrize("kind", ["credit-bought", "bet-placed", "voucher-paid", "request-refused"])
async def test_an_entry_is_found_by_the_request_that_it_answers_and_by_no_other(kind: str) -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = next(place for place, one in enumerate(entries) if one.kind == kind)
        other = "" if entries[at].request else "table/1 terminal/1-1 r1"
        return [*entries[:at], entries[at]._replace(request=other), *entries[at + 1 :]]

    store = await desk_evening()
    assert (await verify(store, load_game=load_game)).fault is None
    found = await verify(await rewritten(store, change), load_game=load_game)
    assert found.fault
    assert found.fault.kind == kind
    assert found.fault.says.startswith("it was asked as ")


async def test_a_request_that_was_carried_out_twice_is_named() -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = next(place for place, one in enumerate(entries) if one.kind == "credit-bought")
        return [*entries[: at + 1], entries[at], *entries[at + 1 :]]

    found = await verify(await rewritten(await desk_evening(), change), load_game=load_game)
    assert found.fault
    assert found.fault.kind == "credit-bought"
    assert found.fault.should.endswith("for that request")


async def desk_evening() -> MemoryStore:
    """A bet, a voucher that the desk pays, and one that it refuses."""
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "banker", 1_000)
    voucher = (await table.do(taps.CashOut, terminal(1), cents=1_000)).voucher
    assert voucher

    office = SharedStream(store, "venue")

    def write(event: Event, **beside: Any) -> "asyncio.Future[int]":
        body, key = encode_line(event, beside.pop("by"), beside.pop("command")), beside.pop("key")
        beside["at_ms"] = beside.pop("at_ms", table.now_ms)
        return office.append([Entry("venue", event.TAG, body, day="2027-01-15", request=key, **beside)])

    clock = Clock(machine_ms=lambda: table.now_ms, monotonic_ms=lambda: table.now_ms)
    desk = Desk(store, table.vouchers, write, clock, venue_of(table.state.config))
    assert isinstance(await desk.pay(voucher.number, voucher.code, by="cass", request="p1"), VoucherPaid)
    assert isinstance(await desk.pay(voucher.number, voucher.code, by="cass", request="p2"), Refusal)
    await table.stop()
    return store


@pytest.mark.parametrize(("kind", "before"), [("bet-placed", "5 of table/1"), ("request-refused", "1 of venue")])
async def test_no_entry_is_older_than_the_one_before_it(kind: str, before: str) -> None:
    """In its own stream: a table's, or the venue's."""
    store = await desk_evening()
    at = the(kind, await everything(store))

    def dated(at_ms: int, place: int = at) -> Rewrite:
        return lambda entries: [*entries[:place], entries[place]._replace(at_ms=at_ms), *entries[place + 1 :]]

    before_ms = (await everything(store))[at - 1].at_ms
    assert before_ms == START_MS
    assert (await found_in(store, dated(before_ms))).fault is None
    found = await found_in(store, dated(before_ms - 1))
    assert found.fault
    assert (found.entries, found.fault.entry, found.fault.kind) == (at, at + 1, kind)
    assert found.fault.words.endswith(
        f"{kind}) says: it was written at 2027-01-15 07:59:59.999 UTC; it should say: 2027-01-15 08:00:00.000 UTC or "
        f"later: entry {before} was written then, and the time never goes back"
    )
    assert ("round 1" in found.fault.words) == (kind == "bet-placed")
    found = await found_in(store, dated(2**63 - 1, at - 1))
    assert found.fault
    assert found.fault.entry == at + 1
    assert "9223372036854775807 ms after 1970 or later" in found.fault.words, "a time that no calendar has"


async def test_a_label_taken_off_would_hide_a_round() -> None:
    def change(entries: list[Written]) -> list[Written]:
        at = the("betting-opened", entries)
        return [*entries[:at], entries[at]._replace(label=""), *entries[at + 1 :]]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert found.fault.should == "its label is 'round/1/1'"


async def test_a_voucher_redeemed_twice_and_one_that_was_never_issued() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 5_000)
    await table.do(staff.OpenTable, SUPERVISOR)
    printed = (await table.do(taps.CashOut, terminal(1))).voucher
    assert printed is not None
    await table.do(taps.InsertVoucher, terminal(2), number=printed.number, code=printed.code)
    assert (await verify(store, load_game=load_game)).fault is None

    def twice(entries: list[Written]) -> list[Written]:
        again = with_record(entries[-1], seat=1)
        return [*entries, again._replace(transfers=(Transfer("voucher-in", "voucher/1-1-1", "credit/1-1", 5_000),))]

    twice_found = await found_in(store, twice)
    assert twice_found.fault is not None
    never = await rewritten(store, lambda entries: [one for one in entries if one.kind != "voucher-issued"])
    assert (await verify(never, load_game=load_game)).fault is not None


async def test_money_in_the_venues_stream() -> None:
    def change(entries: list[Written]) -> list[Written]:
        gift = (Transfer("gift", "house/1", "credit/1-1", 1),)
        return [*entries, entries[0]._replace(stream="venue", kind="sign-in", body=b"{}", label="", transfers=gift)]

    found = await found_in(await evening(), change)
    assert found.fault is not None
    assert found.fault.should == "no money moves here"


async def test_a_voucher_document_that_no_entry_issued() -> None:
    store = await evening()
    copy = await rewritten(store, list)
    documents = await copy.documents("voucher/")
    [first, *_] = documents
    copy._documents[first] = documents[first].replace(b'"cents":', b'"cents":9')
    found = await verify(copy, load_game=load_game)
    assert found.fault is not None
    assert first.removeprefix("voucher/") in found.fault.words


async def test_revealed_shoes_hold_what_was_dealt() -> None:
    store = MemoryStore()
    table = await shuffled_rounds(store)
    await table.stop()
    found = await verify(store, load_game=load_game)
    assert (found.fault, found.shoes_revealed, found.rounds) == (None, 1, 3)

    def another_card(entries: list[Written]) -> list[Written]:
        """A card of another suit: no settlement changes by it, only the promise is broken."""
        at = the("card-dealt", entries, 2)
        card = msgspec.json.decode(entries[at].body)["record"]["card"]
        other = card[:-1] + ("H" if card[-1] != "H" else "S")
        return [*entries[:at], with_record(entries[at], card=other), *entries[at + 1 :]]

    entries = await everything(store)
    named = (await found_in(store, another_card)).fault
    assert named is not None
    assert named.entry == entries[the("card-dealt", entries, 2)].seq
    assert "by the order that entry" in named.should
    for values, words in (
        ({"salt": "00" * 32}, "as promised"),
        ({"dealt": 1}, "of its cards were drawn"),
        ({"commitment": "ab" * 32}, "committed to and in use"),
    ):
        fault = (await found_in(store, changed("shoe-revealed", 0, **values))).fault
        assert fault is not None
        assert fault.kind == "shoe-revealed"
        assert words in fault.words


async def test_a_checkpoint_that_was_noted_earlier() -> None:
    store = await evening()
    [root] = await store.tree_hashes([(0, 10)])
    noted = NotedCheckpoint(10, root.hex())
    assert (await verify(store, load_game=load_game, noted=noted)).noted_size == 10
    # The insider makes a whole and consistent history of his own: only what was noted elsewhere shows it.
    other = await rewritten(store, lambda every: [one._replace(day="2026-01-01") for one in every])
    assert (await verify(other, load_game=load_game)).fault is None
    fault = (await verify(other, load_game=load_game, noted=noted)).fault
    assert fault is not None
    assert noted.root in fault.words


def other_rules(game_id: str) -> Game:
    return replace(load_game(game_id), sha256="0" * 64)


def no_rules(game_id: str) -> Game:
    raise BadInput("unknown-game", f"there is no game {game_id!r}")


@pytest.mark.parametrize("load", [other_rules, no_rules])
async def test_other_rules_than_the_rounds_own_are_said_not_guessed(load: Callable[[str], Game]) -> None:
    store = await evening()
    found = await verify(store, load_game=load)
    assert (found.fault, found.not_derived) == (None, 4)
    assert "cannot be re-derived: rules changed" in found.not_derived_first[0].why
    assert found.not_derived_first[0].round == 1


async def test_a_link_of_the_chain() -> None:
    store = await evening()
    store._journal[11] = store._journal[11]._replace(day="2026-01-01")
    fault = (await verify(store, load_game=load_game)).fault
    assert fault is not None
    assert (fault.entry, fault.words) == (
        12,
        "entry 12: its hash does not follow from entry 11 of table/1 (table/1, its entry 12)",
    )


async def test_a_dealer_does_not_bet_for_a_seat() -> None:
    store = await desk_evening()
    found = await found_in(store, beside("bet-placed", **{"from": "staff", "by": "dora", "rank": "dealer"}))
    assert found.fault
    assert found.fault.words.endswith("dora bets for seat 1; it should say: its own terminal does")
    found = await found_in(store, beside("bet-placed", by="1-2"))
    assert found.fault
    assert found.fault.words.endswith("bets for seat 1; it should say: its own terminal does")


async def test_a_name_that_comes_twice_is_no_line() -> None:
    """One reader takes the first amount, another the last."""
    store = await desk_evening()

    def doubled(entries: list[Written]) -> list[Written]:
        at = the("bet-placed", entries)
        body = entries[at].body.replace(b'"cents":1000', b'"cents":9000,"cents":1000', 1)
        assert body != entries[at].body
        return [*entries[:at], entries[at]._replace(body=body), *entries[at + 1 :]]

    found = await found_in(store, doubled)
    assert found.fault
    assert found.fault.words.endswith("each name once, and no sign that means nothing")


async def test_nobody_acts_in_a_rank_that_they_never_had() -> None:
    """What the office says of its people is held against what they did at tables."""
    store = await desk_evening()
    entries = await everything(store)
    by, rank = next((b["by"], b["rank"]) for b in (msgspec.json.decode(e.body) for e in entries) if b.get("rank"))

    def with_office(role: str) -> Rewrite:
        added = encode_line(StaffAdded(id=by, name=by, role=role, signed_by=""), BY_PROGRAM)
        first = entries[0]
        said = first._replace(
            stream="venue", kind=StaffAdded.TAG, body=added, label="significant", transfers=(), documents=(), request=""
        )
        return lambda every: [said, *every]

    assert (await found_in(store, with_office(rank))).fault is None
    found = await found_in(store, with_office("cashier"))
    assert found.fault
    assert found.fault.words.endswith(f"says: {by} acts as {rank}; it should say: {by} is cashier")


async def test_a_voided_voucher_goes_back_to_where_it_came_from() -> None:
    table = await live_table(store=MemoryStore())
    await table.buy(1, 3_000)
    voucher = (await table.do(taps.CashOut, terminal(1), cents=1_000)).voucher
    assert voucher
    await table.do(staff.VoidVoucher, SHIFT_MANAGER, why="a misprint", number=voucher.number)
    await table.stop()
    assert isinstance(table.store, MemoryStore)

    def elsewhere(entries: list[Written]) -> list[Written]:
        at = the("voucher-voided", entries)
        [moved] = entries[at].transfers
        forged = with_record(entries[at], seat=2)._replace(transfers=(moved._replace(target="credit/1-2"),))
        return [*entries[:at], forged, *entries[at + 1 :]]

    assert (await found_in(table.store, lambda entries: entries)).fault is None
    found = await found_in(table.store, elsewhere)
    assert found.fault
    assert "goes back to table 1, seat 2; it should say: table 1, seat 1, where it was issued" in found.fault.words


async def test_a_shoe_has_the_decks_that_were_committed_to() -> None:
    table = await live_table(table_config(shoe=ShoeSource.SHUFFLER))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await table.stop()
    assert isinstance(table.store, MemoryStore)
    assert (await found_in(table.store, lambda entries: entries)).fault is None
    found = await found_in(table.store, changed("shoe-loaded", decks=6))
    assert found.fault
    assert found.fault.words.endswith("says: shoe 1 is loaded with 6 decks; it should say: it has 8 decks")


async def test_a_shoe_that_is_not_revealed_is_named_unless_its_seal_is_broken() -> None:
    """Who has cheated with a shoe would rather not show it; an order that nobody can read cannot be shown."""
    store = MemoryStore()
    table = await shuffled_rounds(store)
    await table.stop()
    entries = await everything(store)
    revealed = the("shoe-revealed", entries)

    def hidden(entries: list[Written]) -> list[Written]:
        return [*entries[:revealed], *entries[revealed + 1 :]]

    fault = (await found_in(store, hidden)).fault
    assert fault
    assert (fault.kind, fault.should) == ("shoe-loaded", "shoe 1 is revealed first")

    table = await live_table(table_config(shoe=ShoeSource.SHUFFLER))
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    table.writer.raise_fault("shoe-seal", verbatim("it was changed"))
    table.shoebox.forget(table.shoebox.in_use(table.state))  # type: ignore[arg-type]
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="the order is lost")
    await table.do(staff.ClearFault, SUPERVISOR, fault="shoe-seal", why="another shoe")
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="the order is lost")
    assert not await table.happened("shoe-revealed")
    assert (await verify(table.store, load_game=load_game)).fault is None
