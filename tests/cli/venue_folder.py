"""A venue in a folder with an evening behind it, and its commands run in this process."""

import asyncio
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
import typer

from natural9.cli.accept_loss import accept_loss
from natural9.cli.backup import backup
from natural9.cli.dispute import dispute
from natural9.cli.drill import drill
from natural9.cli.export import export
from natural9.cli.move import move
from natural9.cli.replay import replay
from natural9.cli.report import report
from natural9.cli.restore import restore
from natural9.cli.search import search
from natural9.cli.verify import verify
from natural9.core.errors import BadInput
from natural9.server.keyring import open_keyring
from natural9.store.contract import Access, Written
from natural9.store.opening import open_store
from natural9.table.commands import staff
from tests.store.opening import append, as_sent
from tests.table.live import DEALER
from tests.table.stories import an_evening, an_irregular_round, everything, with_record

app = typer.Typer(add_completion=False, rich_markup_mode=None)
app.add_typer(report)
for command in (verify, export, replay, search, dispute, backup, restore, drill, move, accept_loss):
    app.command()(command)


def run(*arguments: object) -> int:
    """The exit code; what is printed goes to capsys. Bad input is raised."""
    return app([str(argument) for argument in arguments], standalone_mode=False) or 0


def complaint(*arguments: object) -> str:
    with pytest.raises((BadInput, typer.TyperException)) as complained:
        run(*arguments)
    return str(complained.value)


def an_evenings_venue(folder: Path) -> Path:
    """The venue as its server left it."""
    folder.mkdir()
    example = files("natural9.table.venue").joinpath("example.toml").read_bytes()
    (folder / "venue.toml").write_bytes(example)

    async def evening() -> None:
        store = open_store(folder, Access.WRITE)
        await open_keyring(folder, store)
        table = await an_evening(store)
        await table.do(staff.SignOn, DEALER)
        await an_irregular_round(table)
        await table.stop()
        await store.close()

    asyncio.run(evening())  # the tests of commands are not async: a command runs an event loop of its own
    return folder


def rewritten_journal(venue: Path, folder: Path, change: Callable[[list[Written]], list[Written]]) -> Path:
    """A copy of the venue whose journal an insider has written anew from start to end, hashes and all."""
    shutil.copytree(venue, folder)
    for name in ("journal.db", "journal.db-wal", "journal.db-shm", "journal.db.lock", "journal.head"):
        (folder / name).unlink(missing_ok=True)

    async def rewrite() -> None:
        store = open_store(venue, Access.READ)
        copy = open_store(folder, Access.WRITE)
        documents = tuple((await store.documents("")).items())
        entries = change(await everything(store))
        sent = [as_sent(entries[0], documents), *map(as_sent, entries[1:])]
        await asyncio.gather(*[append(copy, [one]) for one in sent])
        await store.close()
        await copy.close()

    asyncio.run(rewrite())
    return folder


def lied(entries: list[Written]) -> list[Written]:
    """The second seat of the first round is said to have staked less."""
    at = [place for place, one in enumerate(entries) if one.kind == "seat-settled"][1]
    return [*entries[:at], with_record(entries[at], staked_cents=1), *entries[at + 1 :]]
