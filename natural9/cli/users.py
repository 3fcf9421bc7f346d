"""`natural9 users`: the staff accounts of a venue whose server is down, or not yet born."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer
from rich.markup import escape

from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.core.errors import BadInput
from natural9.server.people.accounts import Accounts
from natural9.server.people.keys import venue_key
from natural9.server.people.permissions import Role
from natural9.server.people.records import STAFF, IssuedCode, StaffRecord
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import find_records, open_store
from natural9.table.venue import VENUE_FILE, load_venue

T = TypeVar("T")
VenueArgument = Annotated[Path, typer.Argument(metavar="VENUE", help="The folder of the venue.")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The person's own id, such as mei.tan.")]
RoleOption = Annotated[str, typer.Option("--role", help=f"One of {', '.join(Role)}.")]

users = typer.Typer(
    name="users",
    help="""Staff accounts of a venue. While its server runs, an administrator manages them at its page instead.

    Example: natural9 users list my-venue
    """,
    rich_markup_mode=None,
    no_args_is_help=True,
)


@users.command("list")
def list_users(venue: VenueArgument, json: JsonOption = False) -> None:
    """Who has an account; works while the server runs, too.

    Example: natural9 users list my-venue
    """
    load_venue(venue / "venue.toml")
    people = asyncio.run(_read(venue)) if find_records(venue) else []
    if json:
        print_json([_as_data(record) for record in people])
        return
    listed = table("id", "name", "role", "status")
    for record in people:
        listed.add_row(record.id, escape(record.name), record.role, record.status(_now_ms()))
    console().print(listed if people else "Nobody has an account yet: the server prints a code for the first one.")


@users.command()
def add(
    venue: VenueArgument,
    id: IdArgument,
    name: Annotated[str, typer.Option("--name", help="As colleagues know them.")],
    role: RoleOption,
    json: JsonOption = False,
) -> None:
    """Open an account; prints the one-time code by which that person sets a password of their own.

    Example: natural9 users add my-venue mei.tan --name "Mei Tan" --role pit-supervisor
    """
    _show_code(_change(venue, lambda accounts: accounts.add(id, name=name, role=role, by=_by())), json=json)


@users.command()
def disable(venue: VenueArgument, id: IdArgument, json: JsonOption = False) -> None:
    """Close the account of someone who leaves; the id stays theirs for ever."""
    _show(_change(venue, lambda accounts: accounts.disable(id, by=_by())), json=json)


@users.command()
def enable(venue: VenueArgument, id: IdArgument, json: JsonOption = False) -> None:
    """Open a closed account again."""
    _show(_change(venue, lambda accounts: accounts.enable(id, by=_by())), json=json)


@users.command()
def role(
    venue: VenueArgument,
    id: IdArgument,
    role: Annotated[str, typer.Argument(metavar="ROLE", help=f"One of {', '.join(Role)}.")],
    json: JsonOption = False,
) -> None:
    """Give a person another role."""
    _show(_change(venue, lambda accounts: accounts.change_role(id, role=role, by=_by())), json=json)


@users.command()
def unlock(venue: VenueArgument, id: IdArgument, json: JsonOption = False) -> None:
    """Let someone try again after three wrong passwords."""
    _show(_change(venue, lambda accounts: accounts.unlock(id, by=_by())), json=json)


@users.command("new-code")
def new_code(venue: VenueArgument, id: IdArgument, json: JsonOption = False) -> None:
    """A new one-time code, for someone who forgot their password."""
    _show_code(_change(venue, lambda accounts: accounts.new_code(id, by=_by())), json=json)


async def _read(folder: Path) -> list[StaffRecord]:
    store = _open(folder, Access.READ)
    try:
        documents = await store.documents(STAFF)
    finally:
        await store.close()
    return [msgspec.json.decode(document, type=StaffRecord) for _, document in sorted(documents.items())]


def _change(folder: Path, work: Callable[[Accounts], Awaitable[T]]) -> T:
    venue = load_venue(folder / VENUE_FILE)
    key = venue_key(folder)

    async def change() -> T:
        store = _open(folder, Access.WRITE)
        try:
            accounts = await Accounts.open(store, key=key, clock_ms=_now_ms, gaming_day=venue.gaming_day)
            try:
                return await work(accounts)
            finally:
                accounts.close()
        finally:
            await store.close()

    return asyncio.run(change())


def _open(folder: Path, access: Access) -> Store:
    try:
        return open_store(folder, access)
    except (StoreFailed, Corrupt) as error:
        hint = "; while the server runs, sign in to it as an administrator and manage people there"
        raise BadInput("store-failed", f"{error}{hint if access is Access.WRITE else ''}") from None


def _as_data(record: StaffRecord) -> dict[str, str]:
    """What may be shown: nothing that a password or a code could be tried against."""
    return {"id": record.id, "name": record.name, "role": record.role, "status": record.status(_now_ms())}


def _show(record: StaffRecord, *, json: bool) -> None:
    if json:
        print_json(_as_data(record))
    else:
        print(f"{record.id} ({record.name}, {record.role}): {record.status(_now_ms())}")


def _show_code(issued: IssuedCode, *, json: bool) -> None:
    if json:
        print_json(issued._asdict())
        return
    expires = datetime.fromtimestamp(issued.expires_ms / 1000, UTC)
    print(f"One-time code for {issued.id}: {issued.code}")
    print(f"With it they set a password of their own at the server's page, once, before {expires:%Y-%m-%d %H:%M} UTC.")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _by() -> str:
    """Whoever is at this machine's command line, for the journal."""
    try:
        return f"cli:{getuser()}"
    except (KeyError, OSError):  # an account without a name, as containers have
        return "cli:unknown"
