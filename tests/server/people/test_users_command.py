"""`natural9 users`: accounts of a venue whose server is down."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from natural9.cli.init import init
from natural9.cli.users import users
from natural9.core.errors import BadInput
from natural9.journal.line import JournalLine, OriginKind, read_body
from natural9.server.people.accounts import Accounts, SignedIn
from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.server.people.house import CHEAP, PASSWORD, PEER, Clock

# The command runs an event loop of its own, so no test here is an `async def`.
app = typer.Typer()
app.add_typer(users)


@pytest.fixture
def venue(tmp_path: Path) -> Path:
    init(tmp_path / "venue")
    return tmp_path / "venue"


def command(*words: str | Path) -> str:
    """What it prints; whatever it raises comes out as it is."""
    result = CliRunner().invoke(app, ["users", *map(str, words)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*words: str | Path) -> Any:
    return json.loads(command(*words, "--json"))


def add(venue: Path, id: str = "mei", role: str = "dealer") -> Any:
    return answer("add", venue, id, "--name", "Mei [Tan]", "--role", role)


def test_from_nobody_to_somebody(venue: Path) -> None:
    assert answer("list", venue) == []
    assert "Nobody has an account yet" in command("list", venue)
    issued = add(venue)
    assert set(issued) == {"id", "code", "expires_ms"}
    assert answer("list", venue) == [{"id": "mei", "name": "Mei [Tan]", "role": "dealer", "status": "no-password"}]
    assert "Mei [Tan]" in command("list", venue)


def test_the_code_it_prints_sets_a_password_at_the_server(venue: Path) -> None:
    shown = command("add", venue, "mei", "--name", "Mei", "--role", "dealer")
    code = shown.partition("One-time code for mei: ")[2].split()[0]

    async def play() -> None:
        store = open_store(venue, Access.WRITE)
        accounts = await Accounts.open(
            store, key=bytes(32), clock_ms=Clock(), gaming_day=lambda at_ms: "2026-09-21", hasher=CHEAP
        )
        await accounts.set_password(code, PASSWORD, peer=PEER)
        assert isinstance(await accounts.sign_in("mei", PASSWORD, peer=PEER), SignedIn)
        await store.close()

    asyncio.run(play())
    assert answer("list", venue)[0]["status"] == "active"


def test_each_change_is_made_and_says_who_made_it(venue: Path) -> None:
    add(venue)
    assert answer("role", venue, "mei", "pit-manager")["role"] == "pit-manager"
    assert answer("disable", venue, "mei")["status"] == "disabled"
    assert answer("enable", venue, "mei")["status"] == "no-password"
    assert answer("unlock", venue, "mei")["id"] == "mei"
    assert "One-time code for mei" in command("new-code", venue, "mei")
    assert command("unlock", venue, "mei") == "mei (Mei [Tan], pit-manager): no-password\n"

    async def history() -> list[JournalLine]:
        store = open_store(venue, Access.READ)
        entries = await store.entries()
        await store.close()
        return [read_body(entry.body) for entry in entries]

    lines = asyncio.run(history())
    assert [line.event.TAG for line in lines] == [
        "staff-added", "role-changed", "staff-disabled", "staff-enabled", "unlocked", "code-issued", "unlocked",
    ]  # fmt: skip
    assert all(line.origin.kind is OriginKind.COMMAND_LINE and line.origin.by for line in lines)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["disable", "nobody"], "nobody has the id 'nobody'"),
        (["role", "mei", "boss"], "no role 'boss'"),
        (["add", "mei", "--name", "Mei", "--role", "dealer"], "mei is taken"),
        (["add", "MEI", "--name", "Mei", "--role", "dealer"], "not a staff id"),
    ],
)
def test_bad_input_is_named(venue: Path, words: list[str], complaint: str) -> None:
    add(venue)
    with pytest.raises(BadInput, match=complaint):
        command(words[0], venue, *words[1:])


def test_a_folder_without_a_venue_is_named_and_left_as_it_was(tmp_path: Path) -> None:
    for words in (["list"], ["disable", "mei"]):
        with pytest.raises(BadInput, match=r"venue\.toml"):
            command(words[0], tmp_path, *words[1:])
    assert list(tmp_path.iterdir()) == []


def test_while_the_server_runs_it_says_so_and_still_lists(venue: Path) -> None:
    add(venue)

    async def run_beside_a_server() -> None:
        store = open_store(venue, Access.WRITE)
        try:
            with pytest.raises(BadInput, match="while the server runs, manage people on its page"):
                await asyncio.to_thread(command, "disable", venue, "mei")
            listed = await asyncio.to_thread(answer, "list", venue)
            assert [one["id"] for one in listed] == ["mei"]
        finally:
            await store.close()

    asyncio.run(run_beside_a_server())


def test_a_key_that_others_can_read_stops_it(venue: Path) -> None:
    add(venue)
    (venue / "venue.key").chmod(0o644)
    with pytest.raises(BadInput, match="can be read by others"):
        command("unlock", venue, "mei")
