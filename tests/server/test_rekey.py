"""A new key for a venue: vouchers keep the codes printed on them, shoes go on, and no kill in the middle loses one."""

import asyncio
import random
import shutil
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from natural9.cli import backup
from natural9.cli.backup import copy_venue, make_folder
from natural9.cli.records import note_in_journal
from natural9.cli.rekey import rekey
from natural9.cli.users import add
from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command
from natural9.journal.line import BY_PROGRAM, JournalLine, Origin, OriginKind, read_line
from natural9.journal.venue_events import KeyChanged, VenueRestored
from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.server.house import House
from natural9.server.keyring import change_key, open_keyring
from natural9.server.people.keys import key_id, subkey, venue_keys
from natural9.server.voucher_slip import VoucherSlip
from natural9.store.contract import Access
from natural9.store.opening import copy_records, open_store
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import DAY_MS, Printed, Voucher, Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.venue.venue import load_venue
from tests.server.enrolling import enrol_terminals
from tests.server.live_server import (
    PEOPLE,
    Terminal,
    Visit,
    new_venue,
    password,
    refusal_to_start,
    running,
    table,
    venue_file,
)
from tests.table.live import CASHIER, MANAGER

ROOT = Path(__file__).parents[2]
SHUFFLER = table("1", "mbs-nc", shoe="shuffler")


# With a real server.


async def printed(terminal: Terminal, cents: int) -> VoucherSlip:
    answer = await terminal.do(taps.CashOut, cents=cents)
    assert answer.voucher
    return answer.voucher


async def inserted(terminal: Terminal, number: str, code: str) -> str:
    answer = await terminal.ask(taps.InsertVoucher, number=number, code=code)
    return answer.code if isinstance(answer, protocol.Refused) else "registered"


async def test_vouchers_and_the_shoe_in_play_go_on_under_the_new_key(tmp_path: Path) -> None:
    folder = new_venue(tmp_path / "venue", SHUFFLER)
    with running(folder) as server:
        async with Visit(server) as visit:
            await visit.begin_round("1")
            player = await visit.sit("1", 1, 10_000)
            await player.bet("banker", 1_000)
            await visit.do("dealer", "1", round_commands.CloseBetting)
            await visit.do("dealer", "1", round_commands.DealCard)
            redeemed, at_terminal, at_desk = [await printed(player, cents) for cents in (300, 400, 500)]
            assert await inserted(player, redeemed.number, redeemed.code) == "registered"
            refused = await asyncio.to_thread(complaint, folder)
            assert (
                f"the key is not changed: {folder / 'journal.db'} is being written by process {server.pid}" in refused
            )
            cookies = player.client.cookies
        assert server.terminate() == 0
        [old] = venue_keys(folder)
        await asyncio.to_thread(rekey, folder)
        new, kept = venue_keys(folder)
        assert kept == old
        assert new != old

        server.start()
        async with Visit(server) as visit:
            with pytest.raises(ServerSaidNo, match="401"):
                await visit.person("cashier")  # a session of the old key is none
            for role in ("dealer", "pit-supervisor", "cashier", "administrator"):
                visit._people[role] = await visit.stranger()
                await visit._people[role].sign_in(PEOPLE[role], password(role))
            player = await visit.connect(await visit.again(cookies), "1")
            fresh = await printed(player, 600)
            for voucher, key in ((fresh, new), (at_terminal, old)):
                assert voucher.code == code_by(key, voucher.number)
            assert await inserted(player, fresh.number, code_by(old, fresh.number)) == "no-such-voucher"
            assert await inserted(player, redeemed.number, redeemed.code) == "voucher-redeemed"
            assert await inserted(player, at_terminal.number, at_terminal.code) == "registered"
            paid = {"request": "pay-1", "number": at_desk.number, "code": at_desk.code}
            assert (await (await visit.person("cashier")).post("/api/vouchers/pay", paid))["cents"] == 500
            assert await inserted(player, fresh.number, fresh.code) == "registered"
            while (await visit.see("1")).table.due:
                await visit.do("dealer", "1", round_commands.DealCard)
            await visit.do("dealer", "1", round_commands.DeclareResult)
            await visit.do("dealer", "1", round_commands.Settle)
            # and the one before it is revealed
            await visit.do("pit-supervisor", "1", staff.LoadNewShoe, why="to see it")
        assert server.terminate() == 0
        assert (await server.check_every_round()).shoes_revealed == 1
        [changed] = [read_line(one) for one in await server.history("venue") if one.kind == KeyChanged.TAG]
        assert changed.event == KeyChanged(shoes=1, vouchers=2, lost=False)
        assert changed.origin.kind is OriginKind.COMMAND_LINE
        server.start()
        assert venue_keys(folder) == (new,), "no voucher needs the old key any more"
        journal = (folder / "journal.db").read_bytes() + (folder / "journal.db-wal").read_bytes()
        assert not any(key in journal or key.hex().encode() in journal for key in (old, new))


def code_by(key: bytes, number: str) -> str:
    return Vouchers({"one": subkey(key, "vouchers")}).code(number)


def complaint(folder: Path, *, lost: bool = False) -> str:
    with pytest.raises(BadInput) as refused:
        rekey(folder, lost=lost)
    return str(refused.value)


# With the parts of one, so that it can be cut off often.


async def in_play(folder: Path) -> list[Printed]:
    """A venue that was stopped in the middle of a round, and two vouchers that are out."""
    folder.mkdir()
    (folder / "venue.toml").write_text(venue_file(SHUFFLER))
    house = await House.open(folder)
    await house.start()
    writer, request = house.room("1").writer, count(1)

    async def do(command: Command, who: Who = MANAGER) -> None:
        answer = await writer.answer(Order(f"r{next(request)}", command), who)
        assert isinstance(answer, Accepted), answer

    await do(staff.OpenTable())
    await enrol_terminals(house, "1", 1)
    await do(staff.CreditTerminal(seat=1, cents=10_000), CASHIER)
    await do(staff.LoadNewShoe())
    await do(staff.StartRound())
    await do(round_commands.CloseBetting())
    await do(round_commands.DealCard())
    slips = []
    for cents in (100, 200):
        answer = await writer.answer(taps.CashOut(request=f"r{next(request)}", cents=cents), Who.terminal("1", 1))
        assert isinstance(answer, Accepted)
        assert answer.voucher
        slips.append(answer.voucher)
    await house.stop("over")
    return slips


async def check_whole(folder: Path, slips: list[Printed]) -> list[JournalLine]:
    """Every voucher is good with its code, the shoe opens, and of keys only those are kept that something rests on."""
    config = load_venue(folder / "venue.toml").tables["1"]
    store = open_store(folder, Access.WRITE)
    try:
        keyring = await open_keyring(folder, store)
        vouchers = await open_vouchers(store, keyring.vouchers)
        for slip in slips:
            found = vouchers.find(slip.number, slip.code, at_ms=slip.expires_at_ms - 1)
            assert isinstance(found, Voucher), found
        state, _ = await recover(store, config, vouchers)
        assert state.in_play
        shoebox = Shoebox(table="1", decks=config.decks, key=keyring.shoes)
        await shoebox.open(store, state)
        assert shoebox.in_use(state)
        assert venue_keys(folder) == (keyring.in_use, *keyring.former)
        assert not [path.name for path in folder.iterdir() if path.name.startswith("venue.key.")]
        rests_on = {key_id(keyring.in_use), *[voucher.key for voucher in vouchers.outstanding.values()]}
        assert {key_id(key) for key in venue_keys(folder)} == rests_on
        return [read_line(one) for one in await store.entries(stream="venue") if one.kind == KeyChanged.TAG]
    finally:
        await store.close()


async def test_cut_off_before_any_step_it_is_as_before_or_done(tmp_path: Path) -> None:
    slips = await in_play(tmp_path / "venue")
    [old] = venue_keys(tmp_path / "venue")
    command = [sys.executable, "-m", "tests.server.rekeyer", "each-step", str(tmp_path / "venue")]
    await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True, capture_output=True)
    copies = sorted((path for path in tmp_path.iterdir() if path.name != "venue"), key=lambda path: int(path.name))
    ended = []
    for copy in copies:
        held = len(venue_keys(copy))
        changed = await check_whole(copy, slips)
        assert (venue_keys(copy) == (old,)) is not bool(changed), "the journal says which"
        ended.append((held, bool(changed)))
        if not changed:
            await asyncio.to_thread(rekey, copy)
            assert len(await check_whole(copy, slips)) == 1
    assert ended == sorted(ended, key=ended.index)
    # A new key is not yet there; it is there and nothing rests on it; and it is in use.
    assert list(dict.fromkeys(ended)) == [(1, False), (2, False), (2, True)]


@pytest.mark.parametrize("seed", range(3))
async def test_no_voucher_or_shoe_is_lost_to_kill_9(tmp_path: Path, seed: int) -> None:
    slips = await in_play(tmp_path / "venue")
    chance = random.Random(seed)
    told = 0
    for _ in range(3):
        command = [sys.executable, "-m", "tests.server.rekeyer", "for-ever", str(tmp_path / "venue")]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
        assert process.stdout
        for _ in range(chance.randrange(1, 12)):
            told += (await process.stdout.readline()).startswith(str(tmp_path).encode())
        await asyncio.sleep(chance.random() / 50)  # somewhere in the next one
        process.kill()
        told += (await process.stdout.read()).count(b"has a new key")
        assert await process.wait() == -signal.SIGKILL
        changed = await check_whole(tmp_path / "venue", slips)
        assert len(changed) >= told, "what was told is in the journal"


async def test_a_key_is_dropped_with_the_last_voucher_that_needs_it(tmp_path: Path) -> None:
    folder = tmp_path / "venue"
    slips = await in_play(folder)
    [first] = venue_keys(folder)
    await asyncio.to_thread(rekey, folder)
    [second, _] = venue_keys(folder)
    await asyncio.to_thread(rekey, folder)
    assert venue_keys(folder)[1:] == (first,), "no voucher was printed with the second"
    house = await House.open(folder)
    await house.start()
    for slip in slips:
        paid = await house.desk.pay(slip.number, slip.code, by="cass", request=slip.number)
        assert not isinstance(paid, Refusal), paid
    await house.stop("over")
    assert first in venue_keys(folder)
    await (await House.open(folder)).stop("over")
    assert len(venue_keys(folder)) == 1
    assert not {first, second} & {*venue_keys(folder)}


async def test_a_voucher_that_has_expired_keeps_no_key(tmp_path: Path) -> None:
    folder = tmp_path / "venue"
    [slip, _] = await in_play(folder)
    store = open_store(folder, Access.WRITE)
    venue, late = load_venue(folder / "venue.toml"), slip.expires_at_ms + DAY_MS
    changed = await change_key(folder, store, venue, by=Origin(OriginKind.COMMAND_LINE, "ada"), at_ms=late, lost=False)
    assert changed == KeyChanged(shoes=1, vouchers=0, lost=False)
    assert len(venue_keys(folder)) == 1
    vouchers = await open_vouchers(store, (await open_keyring(folder, store)).vouchers)
    await store.close()
    refused = vouchers.find(slip.number, slip.code, at_ms=late)
    assert isinstance(refused, Refusal)
    assert refused.code == "voucher-expired", "and it is still told what to do with it"
    refused = vouchers.find(slip.number, slip.code, at_ms=slip.expires_at_ms - 1)
    assert isinstance(refused, Refusal)
    assert refused.code == "no-such-voucher"


async def as_restored(folder: Path) -> None:
    store = open_store(folder, Access.WRITE, accept_loss=True)
    await note_in_journal(folder, store, VenueRestored(last=1), BY_PROGRAM)
    await store.close()


async def test_a_backup_taken_meanwhile_has_the_keys_of_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slips = await in_play(tmp_path / "venue")

    def copy_after_a_change(source: Path, target: Path) -> Path:
        rekey(source)
        return copy_records(source, target)

    monkeypatch.setattr(backup, "copy_records", copy_after_a_change)
    make_folder(tmp_path / "copy")
    await asyncio.to_thread(copy_venue, tmp_path / "venue", tmp_path / "copy")
    monkeypatch.undo()
    make_folder(tmp_path / "again")
    await asyncio.to_thread(copy_venue, tmp_path / "copy", tmp_path / "again")
    for name in ("copy", "again"):
        await as_restored(tmp_path / name)
    for name in ("copy", "again", "venue"):
        assert len(await check_whole(tmp_path / name, slips)) == 1


async def test_without_its_key_a_venue_does_not_start_until_the_key_is_given_up(tmp_path: Path) -> None:
    folder = tmp_path / "venue"
    slips = await in_play(folder)
    shutil.copy(folder / "venue.key", tmp_path / "saved")
    assert "is not lost: leave out --lost" in await asyncio.to_thread(lambda: complaint(folder, lost=True))
    (folder / "venue.key").unlink()
    way_out = f"natural9 rekey --lost {folder} makes a new one"
    for refused in (await asyncio.to_thread(complaint, folder), refusal_to_start(folder)[1]):
        assert "does not hold the key that this venue was last run with: restore it from the backup" in refused
        assert way_out in refused
    assert not (folder / "venue.key").exists(), "none is made in its place"
    shutil.copy(tmp_path / "saved", folder / "venue.key")
    await check_whole(folder, slips)
    (folder / "venue.key").unlink()
    await asyncio.to_thread(lambda: rekey(folder, lost=True))
    house = await House.open(folder)
    await house.start()
    assert set(house.room("1").writer.state.faults) == {"shoe-seal"}
    paid = await house.desk.pay(slips[0].number, slips[0].code, by="cass", request="1")
    assert isinstance(paid, Refusal)
    assert paid.code == "no-such-voucher"
    await house.stop("over")


async def test_a_key_is_made_only_where_nothing_was_recorded(tmp_path: Path) -> None:
    """The first account is made before the first start names the key: its key is missed all the same."""
    (tmp_path / "venue.toml").write_text(venue_file(SHUFFLER))
    await asyncio.to_thread(add, tmp_path, "ada", "Ada", "administrator")
    (tmp_path / "venue.key").unlink()
    refusal = f"{tmp_path / 'venue.key'} does not hold the key that this venue was last run with"
    for refused in (await asyncio.to_thread(complaint, tmp_path), refusal_to_start(tmp_path)[1]):
        assert refusal in refused
    assert not (tmp_path / "venue.key").exists()
    await asyncio.to_thread(lambda: rekey(tmp_path, lost=True))
    assert "is not lost" in await asyncio.to_thread(lambda: complaint(tmp_path, lost=True))
    await (await House.open(tmp_path)).stop("over")


def test_what_is_no_venue_or_was_never_run(tmp_path: Path) -> None:
    assert "is not a venue" in complaint(tmp_path)
    (tmp_path / "venue.toml").write_text(venue_file(SHUFFLER))
    assert "nothing was played yet" in complaint(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["venue.toml"]
