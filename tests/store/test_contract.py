"""What every store promises, told once and asked of each."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from pathlib import Path

import pytest

from natural9.store import streams
from natural9.store.audit import audit
from natural9.store.chain import GENESIS, STREAM_START, follow
from natural9.store.contract import (
    MOST_CENTS,
    Access,
    Checkpoint,
    Corrupt,
    Entry,
    Head,
    Meter,
    NotTheHead,
    NumberedTransfer,
    Overdrawn,
    Store,
    StoreFailed,
    StreamHead,
    Transfer,
    Tree,
)
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.store.streams import SharedStream, Stream
from tests.store.opening import DAY, STORES, append, as_sent, bet, buy, closing_store, entry


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with closing_store(STORES[request.param](tmp_path)) as one:
        yield one


async def test_a_new_store_is_empty(store: Store) -> None:
    assert await store.head() == Head(0, GENESIS, 0)
    assert await store.entries() == []
    assert await store.balances() == {}
    assert await store.meters() == []
    assert await store.transfers() == []
    assert await store.documents("") == {}
    assert await store.document("snapshot") is None
    assert await store.balance("terminal/1") == 0


async def test_what_no_record_can_be_called_is_not_there(store: Store) -> None:
    """A database keeps no such text, and says so by an error."""
    nowhere = "table/\0"
    found: list[object] = [
        await store.entries(stream=nowhere),
        await store.labelled(nowhere),
        await store.entry(nowhere, 1),
    ]
    found += [await store.document(nowhere), await store.documents(nowhere), await store.asked([nowhere])]
    found += [await store.balance(nowhere), await store.balances(nowhere), await store.meters(nowhere)]
    found += [await store.transfers(account=nowhere), await store.count_transfers(nowhere, through=9)]
    assert not any(found)
    await append(store, [entry(buy(1, 500))])
    assert (await store.head()).seq == 1


async def test_entries_come_back_as_they_were_written_numbered_and_chained(store: Store) -> None:
    first = [entry(buy(1, 500), buy(2, 300)), entry(kind="opened", body=b"", label="round/1", request="a 1")]
    assert await append(store, first) == 1
    assert await append(store, [entry(bet(1, 200))]) == 3
    written = await store.entries()
    assert [(w.seq, w.number, w.first_transfer, len(w.transfers)) for w in written] == [
        (1, 1, 1, 2), (2, 2, 3, 0), (3, 3, 3, 1)
    ]  # fmt: skip
    for sent, kept in zip([*first, entry(bet(1, 200))], written, strict=True):
        assert as_sent(kept) == sent
    head = STREAM_START
    for one in written:
        head = follow(head, one)
    assert store.stream_head("table/1") == head == StreamHead(3, written[-1].hash, 3)
    assert await store.head() == Head(3, written[-1].hash, 3)


async def test_each_stream_has_its_own_numbers_and_its_own_chain(store: Store) -> None:
    """The place of an entry among those of all streams is no part of its hash."""
    one, two = (entry(buy(1, 5), stream=stream) for stream in ("table/1", "venue"))
    answers = [append(store, [one]), append(store, [two, two]), append(store, [one])]
    assert await asyncio.gather(*answers) == [1, 1, 2]
    written = await store.entries()
    assert [(w.seq, w.stream, w.number, w.first_transfer) for w in written] == [
        (1, "table/1", 1, 1), (2, "venue", 1, 1), (3, "venue", 2, 2), (4, "table/1", 2, 2)
    ]  # fmt: skip
    assert await store.stream_heads() == {
        "table/1": StreamHead(2, written[3].hash, 2),
        "venue": StreamHead(2, written[2].hash, 2),
    }
    assert [t.number for t in await store.transfers()] == [1, 2, 3, 4]
    assert [await store.transfers_through(seq) for seq in (-1, 0, 1, 3, 4, 99)] == [0, 0, 1, 3, 4, 4]
    alone = MemoryStore()
    await append(alone, [one])
    await append(alone, [one])
    assert alone.stream_head("table/1") == store.stream_head("table/1")
    await audit(store)


async def test_an_entry_is_found_by_its_number_in_its_stream(store: Store) -> None:
    for stream, many in (("table/1", 3), ("venue", 40), ("table/1", 5), ("table/2", 1), ("venue", 3)):
        await append(store, [entry(stream=stream) for _ in range(many)])
    for written in await store.entries():
        assert await store.entry(written.stream, written.number) == written
    for stream, number in (("table/1", 0), ("table/1", 9), ("table/3", 1), ("table/2", 2), ("venue", -1)):
        assert await store.entry(stream, number) is None


async def test_an_append_continues_the_head_that_it_names_and_no_other(store: Store) -> None:
    await store.append([entry()], STREAM_START)
    first = store.stream_head("table/1")
    other = first._replace(hash=bytes(32))
    for stale in (STREAM_START, StreamHead(2, None, 0), other):
        with pytest.raises(NotTheHead, match="table/1 ends with entry 1, and not with the entry"):
            await store.append([entry(bet(1, 1))], stale)
    answers = [store.append([entry()], first), store.append([entry()], StreamHead(2, None, 0))]
    assert await asyncio.gather(*answers) == [2, 3]
    assert store.stream_head("table/1").number == 3
    for stale in (first, StreamHead(1, None, 0)):
        with pytest.raises(NotTheHead):
            await store.append([entry()], stale)
    assert store.can_write  # it is that writer who must stop
    assert (await audit(store)).entries == 3


async def test_what_follows_a_refused_append_of_the_same_writer_is_refused_too(store: Store) -> None:
    """It was decided on what never came to be."""
    stream = Stream(store, "table/1")
    good, bad, later = stream.append([entry()]), stream.append([entry(bet(1, 1))]), stream.append([entry()])
    answers = await asyncio.gather(good, bad, later, return_exceptions=True)
    assert answers[0] == 1
    assert [type(answer) for answer in answers[1:]] == [Overdrawn, NotTheHead]
    assert (await store.head()).seq == 1


async def test_those_who_share_a_stream_do_not_suffer_for_each_other(store: Store) -> None:
    shared = SharedStream(store, "table/1")
    answers = [shared.append(entries) for entries in ([entry()], [entry(bet(1, 1))], [], [entry()], [entry()])]
    given_up = answers[3]
    given_up.cancel()
    found = await asyncio.gather(*answers, return_exceptions=True)
    assert (found[0], found[4]) == (1, 3)
    assert [type(found[place]) for place in (1, 2)] == [Overdrawn, ValueError]
    shared.append([entry()])
    await shared.rest()
    await shared.rest()
    assert store.stream_head("table/1").number == 4


async def test_a_refusal_that_nobody_waits_for_any_more_is_no_mistake(store: Store) -> None:
    """Whoever asked has gone: the loop does not complain of an error that nobody has looked at."""
    complaints: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, about: complaints.append(about["message"]))
    shared = SharedStream(store, "table/1")
    shared.append([entry(bet(1, 1))]).cancel()
    await shared.rest()
    gc.collect()
    assert complaints == []


async def test_a_shared_stream_that_does_not_keep_up_stops_for_good(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came before is written; what was refused may be counted on already by whoever asked, so nothing follows."""
    monkeypatch.setattr(streams, "MOST_WAITING", 2)
    shared = SharedStream(store, "table/1")
    found = await asyncio.gather(*[shared.append([entry()]) for _ in range(4)], return_exceptions=True)
    assert found[:3] == [1, 2, 3]
    assert isinstance(found[3], StoreFailed)
    assert str(found[3]) == "table/1: more than 2 appends wait to be written: the journal does not keep up"
    await shared.rest()
    with pytest.raises(StoreFailed, match="does not keep up"):
        await shared.append([entry()])
    assert store.stream_head("table/1").number == 3


async def test_an_append_is_to_one_stream(store: Store) -> None:
    with pytest.raises(ValueError, match="to one stream, not to table/1 and venue"):
        await append(store, [entry(), entry(stream="venue")])
    assert await append(store, [entry()]) == 1


def plain_root(leaves: list[bytes]) -> bytes:
    """As RFC 6962 defines it."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + plain_root(leaves[:left]) + plain_root(leaves[left:])).digest()


async def test_all_entries_are_the_leaves_of_one_tree(store: Store) -> None:
    assert await store.tree() == Tree(0, plain_root([]))
    for many in (1, 2, 254, 1, 600, 7):
        await append(store, [entry(body=b"%d" % place) for place in range(many)])
        await append(store, [entry(stream="venue")])
    leaves = [one.hash for one in await store.entries(limit=2000)]
    assert await store.tree() == Tree(871, plain_root(leaves))
    ranges = [(0, 1), (0, 256), (256, 512), (0, 512), (512, 768), (768, 871), (512, 871), (3, 4), (256, 257), (0, 300)]
    assert await store.tree_hashes(ranges) == [plain_root(leaves[start:end]) for start, end in ranges]
    async with store.moment() as still:
        await append(store, [entry()])
        assert await still.tree() == Tree(871, plain_root(leaves))


async def test_checkpoints_are_kept_and_gain_signatures(store: Store) -> None:
    assert await store.checkpoint() is None
    await store.keep_checkpoint(Checkpoint(0, "empty"))
    await append(store, [entry()])
    kept = asyncio.gather(store.keep_checkpoint(Checkpoint(1, "one")), append(store, [entry()]))
    await kept
    await store.keep_checkpoint(Checkpoint(2, "two"))
    await store.keep_checkpoint(Checkpoint(1, "one, and a witness"))
    assert await store.checkpoint() == Checkpoint(2, "two")
    assert await store.checkpoint(1) == Checkpoint(1, "one, and a witness")
    assert await store.checkpoint(7) is None
    assert [one.size for one in await store.checkpoints()] == [0, 1, 2]
    assert [one.size for one in await store.checkpoints(after=0, limit=1)] == [1]
    assert (await store.head()).seq == 2
    async with store.moment() as still:
        assert await still.checkpoint() == Checkpoint(2, "two")
        with pytest.raises(StoreFailed, match="open for reading only"):
            await still.keep_checkpoint(Checkpoint(2, "three"))


async def test_what_was_asked_is_found_by_its_request(store: Store) -> None:
    first = append(store, [entry(buy(1, 500), buy(2, 300), request="cass pay-1"), entry(), entry(request="a\0b")])
    again = append(store, [entry(body=b"again", request="cass pay-1"), entry(bet(1, 5), request="筹 r")])
    assert [await first, await again] == [1, 4]
    [one, _, two, _, three] = await store.entries()
    assert await store.asked(["筹 r", "cass pay-1", "nobody", "", "a\0b", "cass pay-1"]) == {
        "cass pay-1": one,  # and not the second of that name
        "a\0b": two,
        "筹 r": three,
    }
    assert await store.asked([]) == {}
    async with store.moment() as still:
        assert await still.asked(["cass pay-1"]) == {"cass pay-1": one}


@pytest.mark.parametrize("order", ["3124", "654321", "216", "46", "135", "51"])
async def test_what_was_asked_is_found_in_whatever_order_it_is_asked_for(store: Store, order: str) -> None:
    await append(store, [entry(buy(seat, 500), buy(seat, 100), request=f"r{seat}") for seat in range(1, 7)])
    written = await store.entries()
    found = await store.asked([f"r{seat}" for seat in order])
    assert found == {f"r{seat}": written[int(seat) - 1] for seat in order}


async def test_whether_any_request_was_answered_twice(store: Store) -> None:
    await append(store, [entry(request="a"), entry(), entry(request="b"), entry()])
    assert not await store.asked_twice()
    await append(store, [entry(request="a", stream="venue")])
    assert await store.asked_twice()


async def test_entries_of_several_streams_come_in_their_order(store: Store) -> None:
    for stream in ("table/1", "venue", "table/2", "table/1", "venue"):
        await append(store, [entry(stream=stream)])
    assert [w.seq for w in await store.entries(stream=("table/1", "table/2"))] == [1, 3, 4]
    assert [w.seq for w in await store.entries(stream=("venue", "table/2"), after=2, limit=1)] == [3]
    assert await store.entries(stream=()) == []


async def test_a_request_is_part_of_the_chain(store: Store) -> None:
    await append(store, [entry(request="cass pay-1")])
    [written] = await store.entries()
    with pytest.raises(Corrupt, match="its hash does not follow"):
        follow(STREAM_START, written._replace(request="cass pay-2"))


async def test_all_stores_make_the_same_chain(tmp_path: Path) -> None:
    heads = set[Head]()
    for name, opened in STORES.items():
        folder = tmp_path / name
        folder.mkdir()
        async with closing_store(opened(folder)) as store:
            await append(store, [entry(buy(1, 500)), entry(label="round/1")])
            await append(store, [entry(bet(1, 500))])
            heads.add(await store.head())
    assert len(heads) == 1


async def test_the_order_of_calls_is_the_order_in_the_journal(store: Store) -> None:
    answers = [append(store, [entry(body=b"%d" % place), entry(body=b"-")]) for place in range(300)]
    assert await asyncio.gather(*answers) == list(range(1, 600, 2))
    assert [w.body for w in await store.entries()][::2] == [b"%d" % place for place in range(300)]


async def test_an_overdrawn_append_is_refused_whole_and_alone(store: Store) -> None:
    """It stands between others that wait for the same commit; its second entry is the one that cannot be paid."""
    good = append(store, [entry(buy(1, 500))])
    bad = append(store, [entry(bet(1, 400), documents=(("seen", b"1"),)), entry(bet(1, 101))])
    later = append(store, [entry(bet(1, 500), stream="table/2")])
    answers = await asyncio.gather(good, bad, later, return_exceptions=True)
    assert answers[0] == 1
    assert answers[2] == 1
    assert isinstance(answers[1], Overdrawn)
    assert (answers[1].account, answers[1].cents) == ("terminal/1", -1)
    assert str(answers[1]) == "terminal/1 would fall to -1 cents"
    assert await store.balances() == {"desk/1": -500, "stake/1": 500}
    assert await store.document("seen") is None
    assert (await audit(store)).transfers == 2


async def test_transfers_happen_in_their_order(store: Store) -> None:
    with pytest.raises(Overdrawn, match="terminal/1 would fall to -5 cents"):
        await append(store, [entry(bet(1, 5), buy(1, 5))])
    with pytest.raises(Overdrawn, match="terminal/1 would fall to -1 cents"):
        await append(store, [entry(buy(1, 5), bet(1, 6))])  # and what it bought is not there either
    assert await append(store, [entry(buy(1, 5), bet(1, 5))]) == 1
    assert await store.balances() == {"desk/1": -5, "stake/1": 5}


async def test_the_house_the_desk_and_what_is_owed_may_be_short(store: Store) -> None:
    for account in ("house/bank", "desk/1", "owed/tax"):
        await append(store, [entry(Transfer("pay", account, "terminal/1", 10))])
    with pytest.raises(Overdrawn):
        await append(store, [entry(Transfer("pay", "voucher/9", "terminal/1", 10))])
    short = {"desk/1": -10, "house/bank": -10, "owed/tax": -10, "terminal/1": 30}
    assert await store.balances() == short
    assert list(await store.balances()) == list(short)


async def test_an_account_without_money_is_not_kept(store: Store) -> None:
    await append(store, [entry(buy(1, 5))])
    await append(store, [entry(bet(1, 5))])
    assert await store.balances("terminal/") == {}
    await append(store, [entry(Transfer("return", "stake/1", "desk/1", 5))])
    assert await store.balances() == {}
    assert (await audit(store)).accounts == 0


UNKEPT: dict[str, Callable[[], list[Entry]]] = {
    "nothing": list,
    "no cents": lambda: [entry(buy(1, 0))],
    "negative cents": lambda: [entry(buy(1, -5))],
    "half cents": lambda: [entry(buy(1, 0.5))],  # type: ignore[arg-type]
    "true cents": lambda: [entry(buy(1, True))],
    "too many cents": lambda: [entry(buy(1, MOST_CENTS + 1))],
    "to itself": lambda: [entry(Transfer("pay", "desk/1", "desk/1", 5))],
    "no UTF-8": lambda: [entry(body=b"\xff")],
    "no Unicode": lambda: [entry(stream="\ud800")],
    "no Unicode in an account": lambda: [entry(buy(1, 5)), entry(Transfer("pay", "desk/1", "\ud800", 5))],
    "no Unicode in a key": lambda: [entry(documents=(("\ud800", b""),))],
    "no time": lambda: [entry()._replace(at_ms=-1)],
    "beyond time": lambda: [entry()._replace(at_ms=2**63)],
}
SAID = {
    "nothing": "needs at least one entry",
    "no cents": "buy: 0 is no amount to transfer: whole cents from 1",
    "negative cents": "buy: -5 is no amount",
    "half cents": r"buy: 0\.5 is no amount|Expected `int`, got `float`",
    "true cents": "buy: True is no amount|Expected `int`, got `bool`",
    "too many cents": "buy: 1000000000000001 is no amount",
    "to itself": "pay: desk/1 cannot transfer 5 cents to itself",
    "no UTF-8": "invalid start byte",
    "no time": "noted: -1 is no time",
    "beyond time": "noted: 9223372036854775808 is no time",
}


@pytest.mark.parametrize("what", UNKEPT)
async def test_what_cannot_be_kept_is_refused_alone(store: Store, what: str) -> None:
    before = append(store, [entry(buy(1, 5))])
    with pytest.raises(ValueError, match=SAID.get(what, "surrogates not allowed")):
        await append(store, UNKEPT[what]())
    assert await before == 1
    assert await append(store, [entry()]) == 2
    assert await store.balances() == {"desk/1": -5, "terminal/1": 5}
    await audit(store)


async def test_entries_are_found_by_stream_and_in_pages(store: Store) -> None:
    for n in range(1, 11):
        await append(store, [entry(buy(n, 5), stream=f"table/{n % 2}", body=b"%d" % n)])
    odd = await store.entries(stream="table/1")
    assert [w.seq for w in odd] == [1, 3, 5, 7, 9]
    assert [w.transfers for w in odd] == [(buy(n, 5),) for n in (1, 3, 5, 7, 9)]
    assert [w.seq for w in await store.entries(after=3, stream="table/1", limit=2)] == [5, 7]
    assert [w.seq for w in await store.entries(after=8)] == [9, 10]
    assert await store.entries(after=10) == []
    assert await store.entries(limit=0) == []
    assert await store.entries(limit=-1) == []
    assert await store.entries(stream="table/3") == []
    assert [w.seq for w in await store.entries(after=2, before=7, stream="table/1")] == [3, 5]
    assert [w.seq for w in await store.entries(after=2, before=6, limit=2)] == [3, 4]
    assert await store.entries(before=1) == await store.entries(after=5, before=6) == []


async def test_labelled_entries_come_newest_first(store: Store) -> None:
    await append(store, [entry(buy(n, 5), label=f"round/{n % 2}" if n % 3 else "") for n in range(1, 11)])
    assert [w.seq for w in await store.labelled("round/1")] == [7, 5, 1]
    assert [w.seq for w in await store.labelled("round/1", before=7)] == [5, 1]
    assert [w.seq for w in await store.labelled("round/1", limit=1)] == [7]
    assert (await store.labelled("round/1"))[1].transfers == (buy(5, 5),)
    assert await store.labelled("") == []
    assert await store.labelled("round") == []


async def test_documents_are_overwritten_and_taken_away(store: Store) -> None:
    await append(store, [entry(documents=(("shoe/1", b"a"), ("shoe/2", b"\xff\x00"), ("shoes", b"")))])
    last = append(store, [entry(documents=(("shoe/1", b"b"),)), entry(documents=(("shoe/1", b"c"),))])
    gone = append(store, [entry(documents=(("shoe/2", None), ("never", None)))])
    await asyncio.gather(last, gone)
    assert await store.document("shoe/1") == b"c"
    assert await store.document("shoe/2") is None
    assert await store.documents("shoe/") == {"shoe/1": b"c"}
    assert await store.documents("") == {"shoe/1": b"c", "shoes": b""}


async def test_meters_count_both_sides_by_day_and_kind(store: Store) -> None:
    await append(store, [entry(buy(1, 500), buy(1, 100)), entry(bet(1, 50), day="2026-11-17")])
    await append(store, [entry(bet(1, 70), day="2026-11-17"), entry(buy(12, 5))])
    assert await store.meters("terminal/1") == [
        Meter("terminal/1", DAY, "buy", 600, 2, 0, 0),
        Meter("terminal/1", "2026-11-17", "bet", 0, 0, 120, 2),
        Meter("terminal/12", DAY, "buy", 5, 1, 0, 0),
    ]
    assert await store.meters("terminal/1", last_day=DAY, first_day=DAY) == [
        Meter("terminal/1", DAY, "buy", 600, 2, 0, 0),
        Meter("terminal/12", DAY, "buy", 5, 1, 0, 0),
    ]
    assert await store.meters("stake/") == [Meter("stake/1", "2026-11-17", "bet", 120, 2, 0, 0)]
    assert await store.meters("desk/1") == [Meter("desk/1", DAY, "buy", 0, 0, 605, 3)]
    assert await store.meters(first_day="2026-11-18") == []


async def test_transfers_are_numbered_and_found_by_account(store: Store) -> None:
    await append(store, [entry(buy(1, 500), buy(2, 100)), entry(), entry(bet(2, 50), day="2026-11-17")])
    every = await store.transfers()
    assert [(t.number, t.seq) for t in every] == [(1, 1), (2, 1), (3, 3)]
    assert every[2] == NumberedTransfer(3, 3, 1_795_000_000_000, "2026-11-17", bet(2, 50))
    assert await store.transfers(account="terminal/2") == every[1:]
    assert await store.transfers(account="desk/1", limit=1) == every[:1]
    assert await store.transfers(account="desk/1", after=1) == every[1:2]
    assert await store.transfers(after=1, limit=1) == every[1:2]
    assert await store.transfers(account="terminal/") == []
    assert await store.transfers(limit=0) == []


async def test_transfers_of_an_account_are_found_however_many_there_are(store: Store) -> None:
    """More than are sorted in at once, so that some are and some are not."""
    for _ in range(9):
        await append(store, [entry(*(buy(n, 1) for n in range(1, 1001)))])
    await append(store, [entry(bet(7, 9))])
    numbers = [7, 1007, 2007, 3007, 4007, 5007, 6007, 7007, 8007, 9001]
    assert [t.number for t in await store.transfers(account="terminal/7")] == numbers
    assert [t.number for t in await store.transfers(account="terminal/7", after=7007)] == numbers[-2:]
    assert [t.number for t in await store.transfers(account="terminal/7", limit=3)] == numbers[:3]
    await audit(store)


async def test_a_caller_that_stops_waiting_changes_nothing(store: Store) -> None:
    given_up = asyncio.ensure_future(store.append([entry(buy(1, 5))], STREAM_START))
    given_up.cancel()
    while not await store.entries():  # or the next would not know what it continues
        await asyncio.sleep(0.001)
    await store.keep_checkpoint(Checkpoint(1, ""))  # answered after it
    assert await append(store, [entry(bet(1, 5))]) == 2


async def test_a_closed_store_says_so(store: Store) -> None:
    answer = append(store, [entry()])
    await store.close()
    assert await answer == 1
    with pytest.raises(StoreFailed, match="closed"):
        await append(store, [entry()])
    await store.close()


async def all_of(store: Store) -> tuple[object, ...]:
    """All that can be read."""
    return (
        await store.head(),
        await store.entries(),
        await store.labelled("round/1"),
        await store.transfers(account="terminal/1"),
        await store.balances(),
        await store.balance("terminal/1"),
        await store.meters(),
        await store.documents(""),
        await store.document("shoe/1"),
    )


async def test_a_moment_stays_as_it_was_while_the_store_is_written(store: Store) -> None:
    """What changes later is new, counted on, overwritten, taken away and paid out."""
    documents = (("shoe/1", b"a"), ("shoe/2", b"b"))
    await append(store, [entry(buy(1, 500), label="round/1", documents=documents)])
    before = await all_of(store)
    async with store.moment() as still:
        gone = (("shoe/1", b"c"), ("shoe/2", None))
        await append(store, [entry(buy(1, 5)), entry(bet(1, 505), label="round/1", documents=gone)])
        assert await all_of(still) == before
        assert (await audit(still)).entries == 1
        async with still.moment() as same:
            assert await all_of(same) == before
        assert await all_of(still) == before
    async with store.moment() as later:
        assert await all_of(later) == await all_of(store) != before


async def test_a_moment_is_for_reading_only(store: Store) -> None:
    assert store.can_write
    async with store.moment() as still:
        assert not still.can_write
        with pytest.raises(StoreFailed, match="open for reading only"):
            await append(still, [entry()])
    assert await append(store, [entry()]) == 1


async def test_a_closed_store_has_no_moment(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreFailed, match="closed"):
        async with store.moment():
            pass


async def test_another_process_finds_the_same_records_at_its_place(store: Store) -> None:
    await append(store, [entry(buy(1, 5))])
    if store.place is None:
        assert isinstance(store, MemoryStore)
        return
    other = open_store(store.place, Access.READ)
    assert await other.head() == await store.head()
    assert other.place == store.place
    await other.close()


async def test_what_accounts_had_a_part_in_is_counted_by_how_their_names_start(store: Store) -> None:
    await append(store, [entry(buy(1, 500), buy(2, 300)), entry(bet(1, 200))])
    await append(store, [entry(Transfer("moved", "terminal/1", "terminal/2", 50))])
    assert [await store.count_transfers("terminal/", through=number) for number in (0, 1, 2, 3, 4, 99)] == [
        0, 1, 2, 3, 5, 5
    ]  # fmt: skip
    assert await store.count_transfers("terminal/1", through=99) == 3
    assert await store.count_transfers("nobody/", through=99) == 0
