"""A dispute pack: the round on paper, with its bets, settlement, decisions, rules, papers and seal."""

from zoneinfo import ZoneInfo

import pytest

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.games.citations import citation
from natural9.server.dispute.pack import DisputePack, VenueFacts, dispute_pack
from natural9.server.dispute.pdf import pack_pdf
from natural9.store.contract import Entry, Store
from natural9.store.memory import MemoryStore
from natural9.table.audit.recall import recall
from natural9.table.commands import staff
from tests.server.people.house import Clock, house
from tests.store.opening import append
from tests.table.live import START_MS, SUPERVISOR
from tests.table.stories import an_evening, an_irregular_round, shuffled_rounds

FACTS = VenueFacts("The Merlion Room", "SGD", ZoneInfo("Asia/Singapore"), "Tiger 1")


async def evening() -> Store:
    store = MemoryStore()
    table = await an_evening(store)
    await an_irregular_round(table)
    await table.do(staff.FreezeRound, SUPERVISOR, round=4, why="seat 2 disputes the order")
    await table.open()
    await table.do(staff.FreezeRound, SUPERVISOR, round=4, why="once more")
    return store


async def pack_of(store: Store, number: int, seat: int | None = None) -> DisputePack:
    return await dispute_pack(store, "1", number, seat=seat, facts=FACTS, load_game=load_game)


async def test_the_strip_shows_the_cards_as_they_came() -> None:
    store = await evening()
    frames = (await pack_of(store, 1)).frames
    dealt = [(one.player, one.banker) for one in frames if one.title == "Card dealt"]
    assert dealt == [(("9S",), ()), (("9S",), ("2H",)), (("9S", "KD"), ("2H",)), (("9S", "KD"), ("2H", "6C"))]
    assert (frames[-1].title, frames[-1].winner, frames[-1].player_total) == ("Round settled", "player", 9)
    assert frames[0].time == "16:00:00", "by the venue's own clock"


async def test_every_seat_or_one_with_its_lines_and_the_words_of_their_rules() -> None:
    store = await evening()
    told = await recall(store, "1", 1)
    pack = await pack_of(store, 1)
    assert [one.seat for one in pack.seats] == [1, 2, 3]
    assert pack.seats[0].lines[0][:5] == ("Player", "100.00", "win", "1:1", "200.00")
    words = dict(pack.rules)
    for seat in told.seats:
        for line in seat.lines:
            assert len(words[citation(line.paragraph)].split()) > 5
    alone = await pack_of(store, 1, seat=3)
    assert [one.seat for one in alone.seats] == [3]
    assert not any("Seat 1 " in row[2] or "Seat 2 " in row[2] for row in alone.steps)
    assert alone.subtitle == "Dispute pack, seat 3"


async def test_decisions_name_who_in_which_rank_and_later_disputes_too() -> None:
    store = await evening()
    pack = await pack_of(store, 4)
    told = " | ".join(" ".join(row) for row in pack.decisions)
    assert "Irregularity reported" in told
    assert "sam (Shift Manager)" in told
    assert "seat 2 disputes the order" in told
    assert "once more" in told
    assert any(frame.irregular for frame in pack.frames)
    void = await pack_of(store, 3)
    assert void.notes == ("This round is void: a chair fell on the table",)
    assert void.seats[0].besides == ("300.00 went back: the round is void", "Cashed out 10.00")


async def test_vouchers_and_receipts_of_the_seats() -> None:
    store = await evening()
    papers = (await pack_of(store, 3)).papers
    assert [(row[0], row[2].partition(":")[0]) for row in papers] == [("", "Seat 2"), ("4", "Seat 3")]
    assert [row[0] for row in (await pack_of(store, 3, seat=3)).papers] == ["4"], "the fourth movement of cash"


async def test_the_seal_says_what_was_verified() -> None:
    store = await evening()
    pack = await pack_of(store, 2)
    assert [holds for holds, _ in pack.checks] == [True, True]
    seal = dict(pack.seal)
    tree = await store.tree()
    assert (seal["Root over all of them"], seal["Entries of the journal"]) == (tree.root.hex(), str(tree.size))
    assert seal["Hash of the last"] == (await recall(store, "1", 2)).last_hash
    electronic = MemoryStore()
    await shuffled_rounds(electronic, rounds=1)
    sealed = dict((await pack_of(electronic, 1)).seal)
    assert len(sealed["Shoe commitment"]) == 64
    assert sealed["Its order"].startswith("revealed")


async def test_the_same_moment_makes_the_same_bytes_and_another_moment_others() -> None:
    store = await evening()
    one = pack_pdf(await pack_of(store, 4))
    assert one.startswith(b"%PDF-")
    assert pack_pdf(await pack_of(store, 4)) == one
    await append(store, [Entry("venue", "later", b"{}", START_MS + 1, "2027-01-15")])
    assert pack_pdf(await pack_of(store, 4)) != one


async def test_people_have_their_names() -> None:
    store = await evening()
    venue = await house(store, clock=Clock(START_MS))
    await venue.administrator()
    await venue.accounts.add("sam", name="陈美玲", role="shift-manager", by="ada", signed_by="")
    pack = await pack_of(store, 4)
    assert "sam (陈美玲, Shift Manager)" in {row[2] for row in pack.decisions}


async def test_a_seat_without_a_part_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="seat 7 had no part in round 1: leave it out, or name another"):
        await pack_of(await evening(), 1, seat=7)


async def test_a_round_in_play_has_a_pack_as_well() -> None:
    store = await evening()
    pack = await pack_of(store, 5)
    assert ("Result", "not over yet") in pack.facts
    assert pack_pdf(pack).startswith(b"%PDF-")
