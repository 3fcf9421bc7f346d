"""Bill acceptors at a table: no bill and no voucher is lost or becomes credit twice, whatever is cut or said twice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from natural9.core.saying import verbatim
from natural9.games import load_game
from natural9.journal.line import read_line
from natural9.journal.sentence import Sentence
from natural9.server import bill_acceptors
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.audit.verify import verify
from tests.security.floor import PEER, VENUE, Floor, empty_floor
from tests.server.acceptor import Device, device
from tests.server.people.house import PASSWORD
from tests.verifier.lines import exported, outside

CREDIT = "credit/a-1"
SIGNED = {"id": "max", "password": PASSWORD}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bill_acceptors, "LOOK_S", 0.01)


@asynccontextmanager
async def with_bills(folder: Path, store: Store, one: Device, more: str = "") -> AsyncIterator[Floor]:
    written = f'{VENUE}\n[bill_acceptor]\naddress = "{one.address}"\nat_tables = ["a"]\n{more}'
    async with empty_floor(folder, store, written=written) as floor:
        await floor.house.drawers.load()  # as `House.of` does
        yield floor


async def until(found: Callable[[], object]) -> None:
    while not found():
        await asyncio.sleep(0.005)


async def staffed(floor: Floor) -> None:
    """Staff, a terminal at seat 1, and an open table."""
    await floor.house.accounts.claim_administrator(
        floor.house.accounts.first_code() or "", id="ada", name="Ada", password=PASSWORD, peer=PEER
    )
    for id, role in (("max", "pit-manager"), ("cass", "cashier")):
        floor.knows(id, await floor.hire(id, role))
    floor.knows("terminal", await floor.enrol("terminal", "a", 1))
    await command(floor, "max", "open", type="open-table")


async def command(floor: Floor, who: str, request: str, why: str = "", **command: object) -> str:
    order = {"request": request, "command": command, "why": why}
    return (await floor.ask(who, "POST", "/api/tables/a/commands", order)).words


async def change_box(floor: Floor, request: str = "box", **changed: Any) -> Any:
    asked = {"request": request, "table": "a", "seat": 1, "signature": SIGNED} | changed
    return await floor.ask("cass", "POST", "/api/cash-boxes/change", asked)


async def count_box(floor: Floor, box: str, cents: int, request: str = "count", **changed: Any) -> Any:
    asked = {"request": request, "box": box, "cents": cents, "signature": SIGNED} | changed
    return await floor.ask("cass", "POST", "/api/cash-boxes/count", asked)


async def all_holds(store: Store) -> None:
    """By our own verifier and by the outside one."""
    assert (await verify(store, load_game=load_game)).fault is None
    assert outside(await exported(store)) == ""


async def test_a_bill_becomes_credit_before_it_is_stacked_and_is_counted_in_its_box(tmp_path: Path) -> None:
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        refused = await one.asks("BILL 50 SGD first-01")
        assert refused.startswith("RETURN first-01 No cash box is in the bill acceptor")
        assert (await change_box(floor, signature=None)).words == "409 signature-required"
        assert (await change_box(floor, "one")).status == 200
        assert await one.asks("BILL 50 SGD first-01") == refused, "what was refused stays so"
        assert await one.asks("BILL 50 SGD first-02") == "STACK first-02"
        assert await store.balance(CREDIT) == 5_000
        assert await store.balance("desk/box:a-1:1") == -5_000
        assert await one.asks("BILL 10.00 SGD first-03") == "STACK first-03"
        await one.say("STACKED first-02")
        [line] = [read_line(written) for written in await store.entries() if written.kind == "credit-bought"][:1]
        assert (line.origin.sender, line.origin.request) == ("acceptor/a-1", "first-02")
        assert str(line.origin.words) == "the bill acceptor at a-1"

        assert (await change_box(floor, "two")).json["number"] == 2
        assert await one.asks("BILL 5 SGD first-04") == "STACK first-04"
        [boxes] = (await floor.ask("cass", "GET", "/api/cash-boxes")).json
        assert [(box["box"], box["in_acceptor"]) for box in boxes["boxes"]] == [
            ("box:a-1:1", False),
            ("box:a-1:2", True),
        ]
        counted = (await count_box(floor, "box:a-1:1", 5_500)).json["close_out"]
        assert (counted["taken_in_cents"], counted["expected_cents"], counted["over_cents"]) == (6_000, 6_000, -500)
        assert (await count_box(floor, "box:a-1:1", 5_500)).json["close_out"] == counted, "asked again"
        assert (await count_box(floor, "box:a-1:1", 5_500, "again")).words == "409 drawer-not-open"
        assert (await change_box(floor, "three")).json["number"] == 1, "counted and empty, it goes in again"
        assert await store.balance("short/box:a-1:1") == -500
        said = [str(read_line(one).event.describe()) for one in await store.entries() if one.kind == "drawer-closed"]
        assert said == ["55.00 counted in cash box 1 of table a, seat 1, 5.00 short, signed by max"]
    await all_holds(store)


async def test_one_request_at_several_boxes_at_once_is_answered_once(tmp_path: Path) -> None:
    """And the records have one answer to it, or nobody could verify them."""
    store = open_store(tmp_path, Access.SERVE)
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        for request in ("one", "two"):
            assert (await change_box(floor, request)).status == 200
        for signed, statuses in ((None, [409, 409]), (SIGNED, [200, 409])):
            request = f"same, {signed}"
            counts = [count_box(floor, f"box:a-1:{box}", 0, request, signature=signed) for box in (1, 2)]
            assert sorted(answer.status for answer in await asyncio.gather(*counts)) == statuses
            assert not await store.asked_twice()
        await all_holds(store)


async def test_the_same_bill_again_is_answered_the_same_over_every_cut_and_a_restart(tmp_path: Path) -> None:
    async with device() as one:
        async with with_bills(tmp_path, open_store(tmp_path, Access.SERVE), one) as floor:
            await staffed(floor)
            await change_box(floor)
            await one.say("BILL 50 SGD bill-0001\nBILL 50 SGD bill-0001\r\nBILL 50 SGD bill-0001")
            assert await one.told(3) == ["STACK bill-0001"] * 3
            one.cut()
            assert await one.asks("BILL 50 SGD bill-0001") == "STACK bill-0001"
            assert (await one.asks("BILL 100 SGD bill-0001")).startswith("RETURN bill-0001 ")
            await one.say(b"BILL 20 SGD bill-")  # and the power is cut before the rest
            one.cut()
        one.connected.clear()
        async with with_bills(tmp_path, open_store(tmp_path, Access.SERVE), one):
            assert await one.asks("BILL 50 SGD bill-0001") == "STACK bill-0001"
            assert await one.asks("BILL 20 SGD bill-0002") == "STACK bill-0002"
    store = open_store(tmp_path, Access.READ)
    assert await store.balance(CREDIT) == 7_000
    await all_holds(store)
    await store.close()


async def test_what_is_no_credit_goes_back_to_the_player_and_why(tmp_path: Path) -> None:
    store = MemoryStore()
    more = "most_credit = 100\n[cage]\nceiling = 100\nsecond_signature = 60\n"
    async with device() as one, with_bills(tmp_path, store, one, more) as floor:
        await staffed(floor)
        await change_box(floor)

        async def goes_back(line: str, *why: str) -> None:
            id = line.split()[-1]
            told = await one.asks(line)
            assert told.startswith(f"RETURN {id} "), told
            assert all(word in told for word in why), told

        await goes_back("BILL 50 USD dollars-1", "Only SGD is taken here")
        await goes_back("BILL 0 SGD nothing-1", "no amount")
        await goes_back("BILL 999999999 SGD too-much-1", "the ceiling is 100.00")
        await goes_back("BILL 70 SGD signed-1", "a second signature")
        assert await one.asks("BILL 60 SGD good-0001") == "STACK good-0001"
        await goes_back("BILL 50 SGD over-0001", "up to 100.00 of credit")
        await command(floor, "max", "lock", "a quarrel", type="lock-terminal", seat=1)
        await goes_back("BILL 10 SGD locked-1", "locked")
        await command(floor, "max", "unlock", type="unlock-terminal", seat=1)
        floor.house.room("a").writer.raise_fault("reading-shoe", verbatim("a test"))
        await goes_back("BILL 10 SGD fault-01", "The table has a fault")
        await command(floor, "max", "clear", "seen to", type="clear-fault", fault="reading-shoe")
        await command(floor, "max", "close", type="close-table")
        await goes_back("BILL 10 SGD closed-1", "The table is closed")
        await command(floor, "max", "open again", type="open-table")
        assert await one.asks("BILL 10 SGD good-0002") == "STACK good-0002"
        await goes_back("BILL 10 SGD closed-1", "The table is closed")  # what was refused stays so
    assert await store.balance(CREDIT) == 7_000
    await all_holds(store)


async def test_a_break_that_a_player_takes_holds_for_bills_too(tmp_path: Path) -> None:
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        await change_box(floor)
        assert await one.asks("BILL 50 SGD good-0001") == "STACK good-0001"
        line = await floor.enter("terminal", "/ws/table/a")
        tap(floor, line, type="take-break", request="rest", minutes=30)
        await until(lambda: any("rest" in str(told) for told in line.told[1:]))
        assert "You take a break" in await one.asks("BILL 50 SGD break-01")
    assert await store.balance(CREDIT) == 5_000


async def test_a_ticket_goes_the_way_of_a_typed_voucher(tmp_path: Path) -> None:
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        await change_box(floor)
        assert await one.asks("BILL 50 SGD good-0001") == "STACK good-0001"
        line = await floor.enter("terminal", "/ws/table/a")
        tap(floor, line, type="cash-out", request="out", cents=5_000)
        await until(lambda: floor.house.vouchers.outstanding)
        [number] = floor.house.vouchers.outstanding
        text = f"natural9:{number}:{floor.house.vouchers.code(number)}"
        assert "no voucher of this venue" in await one.asks("TICKET https://example.com ticket-0")
        assert "validation code" in await one.asks(f"TICKET natural9:{number}:AAAA-AAAA-AAAA-AAAA ticket-1")
        assert await one.asks(f"TICKET {text} ticket-2") == "STACK ticket-2"
        assert await one.asks(f"TICKET {text} ticket-2") == "STACK ticket-2"
        assert "already redeemed" in await one.asks(f"TICKET {text} ticket-3")
        kept = b"".join([written.body for written in await store.entries(limit=1_000)])
        assert text.rpartition(":")[2].encode() not in kept, "the journal may be given to anyone"
        voided = await floor.ask("cass", "POST", "/api/vouchers/pay", {"request": "p", "number": number, "code": "A"})
        assert voided.status == 409
    assert await store.balance(CREDIT) == 5_000
    await all_holds(store)


async def test_a_bill_that_is_credit_and_comes_back_locks_the_terminal(tmp_path: Path) -> None:
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        await change_box(floor)
        assert (await one.asks("BILL 50 USD dollars-1")).startswith("RETURN")
        assert await one.asks("BILL 50 SGD good-0001") == "STACK good-0001"
        await one.say("RETURNED dollars-1", "RETURNED never-asked")
        assert await one.asks("BILL 50 SGD good-0002") == "STACK good-0002"
        await one.say("RETURNED good-0001", "RETURNED good-0001")
        assert "locked" in await one.asks("BILL 50 SGD good-0003")
        [trouble] = (await floor.ask("max", "GET", "/api/floor/bill-acceptors")).json
        assert (trouble["table"], trouble["seat"]) == ("a", 1)
        assert in_words(trouble["why"]) == "a bill of 50.00 is credit, and the device gave it back"
        locked = [read_line(one) for one in await store.entries() if one.kind == "terminal-locked"]
        assert [str(line.origin.kind) for line in locked] == ["acceptor"], "once"
    await all_holds(store)


async def test_a_device_in_trouble_is_told_at_the_pit_and_stops_no_table(tmp_path: Path) -> None:
    async with device() as one, with_bills(tmp_path, MemoryStore(), one) as floor:
        await staffed(floor)

        async def troubles() -> list[str]:
            return [in_words(one["why"]) for one in (await floor.ask("max", "GET", "/api/floor/bill-acceptors")).json]

        assert (await one.asks("hello")).startswith("ERROR 'hello'")
        assert await troubles() == []
        await one.say("TROUBLE the box is full")
        await one.asks("?")
        assert await troubles() == ["it reports: the box is full"]
        await one.say("OK")
        await one.asks("?")
        assert await troubles() == []
        one.refuses = True
        one.cut()
        while not await troubles():
            await asyncio.sleep(0.005)
        assert (await troubles())[0].startswith("it does not answer: ")
        assert not floor.house.room("a").writer.state.faults
        one.refuses = False
        await one.connected.wait()
        while await troubles():
            await asyncio.sleep(0.005)
        await floor.house.accounts.devices.revoke(floor.sessions["terminal"].id, by="ada")
        while await one.is_connected():
            await asyncio.sleep(0.005)


async def test_while_nobody_knows_what_became_of_it_the_device_holds_the_bill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails as the bill is written: it may be there. Back at work, the table knows."""
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        await change_box(floor)
        monkeypatch.setattr(store, "append", _fails)
        assert await one.asks("BILL 50 SGD held-0001") == "WAIT held-0001"
        assert await one.asks("BILL 50 SGD held-0001") == "WAIT held-0001"
        one.cut()


async def test_two_people_and_only_they_change_and_count_a_box(tmp_path: Path) -> None:
    store = MemoryStore()
    async with device() as one, with_bills(tmp_path, store, one) as floor:
        await staffed(floor)
        assert (await change_box(floor, "a", seat=2)).words == "400 no-acceptor"
        assert (await change_box(floor, "b", signature={"id": "cass", "password": PASSWORD})).status in (400, 403, 409)
        assert (await change_box(floor, "c")).status == 200
        assert (await change_box(floor, "c", seat=1)).json["number"] == 1, "asked again"
        assert (await count_box(floor, "cass", 0)).words == "400 no-cash-box"
        assert (await count_box(floor, "box:a-1:1", 0, signature=None)).words == "409 signature-required"
        assert (await count_box(floor, "box:a-1:1", 0, "d")).json["close_out"]["over_cents"] == 0
        assert "No cash box" in await one.asks("BILL 10 SGD good-0001")
        for number in range(1, 10):
            assert (await change_box(floor, f"box {number}")).status == 200
        assert (await change_box(floor, "one too many")).words == "409 drawer-open"
        assert (await floor.ask("max", "GET", "/api/reports/close-outs")).status in (200, 403)
    await all_holds(store)


def in_words(why: object) -> str:
    return str(msgspec.convert(why, Sentence).said)


def tap(floor: Floor, line: Any, **said: object) -> None:
    floor.house.hub.message(line, msgspec.json.encode(said))


def _fails(*_: object, **__: object) -> asyncio.Future[int]:
    failed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    failed.set_exception(StoreFailed("the disk is gone"))
    return failed


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_a_device_says_each_bill_is_credit_once_and_stays_what_it_was_told(
    seed: int, tmp_path: Path
) -> None:
    """Bills asked again, in pieces, beside rubbish, over cuts; some under a lock."""
    chance, store = Random(seed), MemoryStore()
    bills = {f"bill-{number:04}": chance.choice((2, 5, 10, 50)) for number in range(12)}
    async with device() as one, with_bills(tmp_path, store, one, "most_credit = 200\n") as floor:
        await staffed(floor)
        await change_box(floor)
        for step in range(60):
            id = chance.choice([*bills])
            match chance.randrange(8):
                case 0:
                    await one.say(chance.randbytes(chance.randrange(300)), "")
                case 1:
                    await one.say(f"BILL {bills[id]} SGD {id}"[: chance.randrange(1, 20)].encode())
                    one.cut()
                case 2:
                    lock, why = chance.choice((("lock-terminal", "a test"), ("unlock-terminal", "")))
                    await command(floor, "max", f"lock {step}", why, type=lock, seat=1)
                case _:
                    await one.say("", f"BILL {bills[id]} SGD {id}")
        await one.asks("\nthe end")
        told: dict[str, set[str]] = {}
        for word, id in (line.split(" ")[:2] for line in one.heard if not line.startswith("ERROR")):
            told.setdefault(id, set()).add(word)
        assert told
        assert all(len(words) == 1 for words in told.values()), told
        credited = [
            read_line(written) for written in await store.entries(limit=10_000) if written.kind == "credit-bought"
        ]
        ids = [line.origin.request for line in credited]
        assert len(ids) == len(set(ids))
        assert {id for id, words in told.items() if words == {"STACK"}} <= set(ids)
        assert not {id for id, words in told.items() if words == {"RETURN"}} & set(ids)
        assert await store.balance(CREDIT) == sum(100 * bills[id] for id in ids)
    await all_holds(store)
