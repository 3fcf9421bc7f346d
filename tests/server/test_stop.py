"""Stopping, starting again, and refusing to start: what was in play waits or is finished, what is wrong is named."""

import asyncio
import shutil
import socket
from importlib import resources
from pathlib import Path

import apsw
import pytest

from natural9.cli.verify import verify
from natural9.core.cards import parse_ranks
from natural9.core.round import commands as round_commands
from natural9.core.settlement import settle_round
from natural9.games import load_game
from natural9.journal import venue_events
from natural9.journal.line import read_line
from natural9.server.house import House
from natural9.store.contract import Corrupt
from tests.server.live_server import (
    Server,
    Visit,
    automatic,
    new_venue,
    refusal_to_start,
    running,
    table,
    venue_file,
    visit,
)


async def tags(server: Server, stream: str) -> list[str]:
    return [entry.kind for entry in await server.history(stream)]


async def test_an_automatic_table_finishes_its_round_and_a_dealers_is_held(tmp_path: Path) -> None:
    tables = automatic("auto", "mbs-nc", betting=2.0, reveal=0.02), table("hand", "rws-nc")
    with running(new_venue(tmp_path / "venue", *tables)) as server:
        async with Visit(server) as visit:
            await visit.open("auto", "hand")
            player, waits = await visit.sit("auto", 1, 10_000), await visit.sit("hand", 1, 10_000)
            number = await visit.begin_round("hand")
            await waits.betting_open(after=number - 1)
            await waits.bet("player", 2_500)
            await visit.do("dealer", "hand", round_commands.CloseBetting)
            await visit.deal("hand", "4S 2H")
            await player.betting_open(after=player.table.round)  # from its beginning: there is time for the bet
            await player.bet("banker", 1_000)
            server.ask_to_stop()
            await player.until(lambda one: one.you.returned_cents is not None, "settlement while it stops")
            await player.until(lambda one: one.table.phase == "settled")
            closed = await player.live.wait_closed()
            assert closed.code == 1012
            ranks = parse_ranks(card.card[:-1] for card in player.table.cards)
            back = settle_round(load_game("mbs-nc"), ranks, {"banker": 1_000}).returned_cents
            assert player.you.credit_cents == 9_000 + back
            cookies = waits.client.cookies
        assert server.wait() == 0
        assert (await tags(server, "venue"))[-1] == "program-stopped"
        assert (await tags(server, "table/auto"))[-1] == "table-held"
        assert (await tags(server, "table/hand"))[-3:] == ["card-dealt", "play-time-noted", "table-held"]
        balances = await server.check_books()
        assert balances["stake/hand"] == 2_500
        assert "stake/auto" not in balances

        server.start()
        started = [read_line(one).event for one in await server.history("venue") if one.kind == "program-started"][-1]
        assert isinstance(started, venue_events.ProgramStarted)
        assert started.stopped_cleanly
        assert not [what for what in started.changed if what != "program_sha256"]  # which a developer may be changing
        async with Visit(server) as visit:
            waits = await visit.connect(await visit.again(cookies), "hand")
            assert [card.card for card in waits.table.cards] == ["4S", "2H"]
            assert waits.table.waiting == ()
            assert waits.you.bets == {"player": 2_500}
            await visit.deal("hand", "5D KC")  # 9 to 2
            await visit.do("dealer", "hand", round_commands.DeclareResult)
            await visit.do("dealer", "hand", round_commands.Settle)
            await waits.until(lambda one: one.you.returned_cents is not None)
            assert waits.you.credit_cents == 12_500
        assert "table-continued" in await tags(server, "table/hand")
        assert server.terminate() == 0
        await server.check_books()


def one_line(said: str) -> str:
    """What the command line says to bad input: after its log, one line and no traceback."""
    lines = [line for line in said.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, said
    assert lines[0].startswith("natural9: ")
    return lines[0]


async def test_a_second_process_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "rws-nc"))) as server:
        code, said = refusal_to_start(server.folder)
        assert code == 2
        assert "journal" in one_line(said)
        async with Visit(server) as visit:
            assert (await visit.see("a")).table.table == "a"


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        folder = new_venue(tmp_path / "venue", table("a", "rws-nc"))
        (folder / "venue.toml").write_text(venue_file(table("a", "rws-nc")).replace("port = 0", f"port = {port}"))
        code, said = refusal_to_start(folder)
    assert code == 2
    assert str(port) in one_line(said)
    (folder / "venue.toml").write_text(venue_file(table("a", "rws-nc")))  # another program may take that port at once
    with running(folder) as server:  # and the folder is as good as before
        assert server.terminate() == 0


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose server was killed with a bet of 2,500 on the table."""
    folder = tmp_path_factory.mktemp("killed") / "venue"
    with running(new_venue(folder, table("a", "rws-nc"))) as server:

        async def story(visit: Visit) -> None:
            terminal = await visit.sit("a", 1, 10_000)
            number = await visit.begin_round("a")
            await terminal.betting_open(after=number - 1)
            await terminal.bet("player", 2_500)

        visit(server, story)
        server.kill()
    return folder


@pytest.fixture
def cut_off(killed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(killed, tmp_path / "venue")


def change(folder: Path, statement: str) -> None:
    """What somebody with the file and a tool could do to it."""
    connection = apsw.Connection(str(folder / "journal.db"))
    try:
        triggers = list(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'"))
        for trigger, _ in triggers:
            connection.execute(f'DROP TRIGGER "{trigger}"')
        connection.execute(statement)
        assert connection.changes()
        for _, made in triggers:
            connection.execute(made)
    finally:
        connection.close()


def test_a_changed_entry_stops_the_start_and_is_named(cut_off: Path) -> None:
    last = "(SELECT max(seq) FROM journal WHERE kind = 'bet-placed')"
    change(cut_off, f"UPDATE journal SET body = replace(body, '2500', '3500') WHERE seq = {last}")
    code, said = refusal_to_start(cut_off)
    assert code == 2
    assert "entry " in one_line(said)


def test_a_changed_balance_stops_the_start_and_is_named(cut_off: Path) -> None:
    moved = "CASE account WHEN 'credit/a-1' THEN 100 ELSE -100 END"
    change(cut_off, f"UPDATE balance SET cents = cents + {moved} WHERE account IN ('credit/a-1', 'house/a', 'stake/a')")
    code, said = refusal_to_start(cut_off)
    assert code == 2
    assert "credit/a-1" in one_line(said)


PEOPLES_RECORDS = {
    "UPDATE document SET value = CAST(replace(value, '\"cashier\"', '\"shift-manager\"') AS BLOB)"
    " WHERE key = 'staff/cass'": "the staff record of cass is not what the journal says was written",
    "UPDATE document SET value = (SELECT value FROM document WHERE key = 'staff/cass') WHERE key = 'staff/dora'": (
        "the staff record of dora is not what the journal says was written"
    ),
    "INSERT INTO document SELECT 'device/mine', value FROM document WHERE key LIKE 'device/%'": (
        "the device record of mine is there, though the journal says that there is none"
    ),
    "DELETE FROM document WHERE key = 'table/a'": "the table record of a is missing",
    "DELETE FROM document WHERE key = 'key'": "the key record is missing",
    "DELETE FROM document WHERE key LIKE 'staff/%'": "the staff record of ",
    "UPDATE document SET value = X'FF'": "is not what the journal says was written",
}


@pytest.mark.parametrize("statement", PEOPLES_RECORDS)
def test_a_changed_record_of_people_or_devices_is_named_by_the_start_and_by_verify(
    cut_off: Path, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(cut_off, statement)
    with pytest.raises(Corrupt) as found:
        asyncio.run(House.open(cut_off))
    assert PEOPLES_RECORDS[statement] in str(found.value)
    assert verify(cut_off) == 1
    said = capsys.readouterr().out
    assert "does NOT hold" in said
    assert PEOPLES_RECORDS[statement] in said


def test_no_play_with_a_record_that_was_changed(cut_off: Path) -> None:
    change(cut_off, "DELETE FROM document WHERE key = 'staff/cass'")
    code, said = refusal_to_start(cut_off)
    assert code == 2
    assert "no play: the staff record of cass is missing" in one_line(said)


def test_a_flipped_byte_of_the_file_stops_the_start(cut_off: Path) -> None:
    journal = cut_off / "journal.db"
    connection = apsw.Connection(str(journal))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(journal.read_bytes())
    place = content.rindex(b'"event":"bet-placed"')
    content[place + 12] ^= 1
    journal.write_bytes(content)
    code, said = refusal_to_start(cut_off)
    assert code == 2
    assert "entry " in one_line(said)


def test_a_file_that_is_no_journal_is_refused(cut_off: Path) -> None:
    for rest in cut_off.glob("journal.db*"):
        rest.unlink()
    (cut_off / "journal.db").write_bytes(b"not a database at all" * 1000)
    code, said = refusal_to_start(cut_off)
    assert code == 2
    assert "journal.db" in one_line(said)


async def test_other_rules_for_a_round_in_play_are_refused_and_named(tmp_path: Path) -> None:
    """The rules of a table lie in a file of the venue's own; somebody changes the odds while a round is held."""
    folder = new_venue(tmp_path / "venue", table("a", "packs/rws-nc.toml"))
    pack = (resources.files("natural9.games") / "packs" / "rws-nc.toml").read_text()
    (folder / "packs").mkdir()
    (folder / "packs/rws-nc.toml").write_text(pack)
    with running(folder) as server:
        async with Visit(server) as visit:
            await visit.begin_round("a")
        assert server.terminate() == 0
    (folder / "packs/rws-nc.toml").write_text(pack + "\n# a remark changes no rule, but nobody can be sure of it\n")
    code, said = refusal_to_start(folder)
    assert code == 2
    assert "round 1" in one_line(said)
    assert "rules" in one_line(said)
    (folder / "packs/rws-nc.toml").write_text(pack)
    with running(folder) as server:
        async with Visit(server) as visit:
            assert (await visit.see("a")).table.phase == "betting-open"
