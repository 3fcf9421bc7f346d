"""`natural9 users`: the staff accounts of a venue whose server is down, or not yet born."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer
from rich.markup import escape

from natural9.cli.records import VenueFolder, at_this_machine, check_venue
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.cli.usage import PlainCommand
from natural9.core.errors import BadInput, did_you_mean
from natural9.server.clock import Clock, machine_ms
from natural9.server.keyring import open_keyring
from natural9.server.people.accounts import Accounts
from natural9.server.people.permissions import Role
from natural9.server.people.records import STAFF, IssuedCode, StaffRecord
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import find_records, open_store
from natural9.table.venue.venue import VENUE_FILE, load_venue

T = TypeVar("T")
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The person's id, such as mei.tan.")]
ONE_ROLE = f"One of {', '.join(Role)}."

users = typer.Typer(
    name="users",
    help="""Manage the staff accounts of a venue.

    Stop the server to change them here. While it runs, an administrator changes them on its page.

    Example: natural9 users list my-venue
    """,
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
)
command = partial(users.command, cls=PlainCommand)


@users.callback()
def _which(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        raise BadInput("no-command", "users needs a command such as list: natural9 users --help shows them all")


@command("list")
def list_users(venue: VenueFolder, json: JsonOption = False) -> None:
    """Show who has an account, even while the server runs.

    Example: natural9 users list my-venue
    """
    check_venue(venue)
    load_venue(venue / VENUE_FILE)
    people = asyncio.run(_read(venue)) if find_records(venue) else []
    if json:
        print_json([_as_data(record) for record in people])
        return
    listed = table("id", "name", "role", "status")
    for record in people:
        listed.add_row(record.id, escape(record.name), record.role, record.status(machine_ms()))
    console().print(listed if people else "Nobody has an account yet: natural9 serve prints a code for the first one.")


@command()
def add(
    venue: VenueFolder,
    id: IdArgument,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The person's name.")],
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help=ONE_ROLE)],
    json: JsonOption = False,
) -> None:
    """Open an account and print its one-time code.

    With the code the person sets their own password.

    Example: natural9 users add my-venue mei.tan --name "Mei Tan" --role pit-supervisor
    """
    _check_role(role)
    _show_code(_change(venue, lambda accounts: accounts.add(id, name=name, role=role, by=at_this_machine())), json=json)


@command()
def disable(venue: VenueFolder, id: IdArgument, json: JsonOption = False) -> None:
    """Close an account; nobody else ever gets its id.

    Example: natural9 users disable my-venue mei.tan
    """
    _show(_change(venue, lambda accounts: accounts.disable(id, by=at_this_machine())), json=json)


@command()
def enable(venue: VenueFolder, id: IdArgument, json: JsonOption = False) -> None:
    """Open a closed account again.

    Example: natural9 users enable my-venue mei.tan
    """
    _show(_change(venue, lambda accounts: accounts.enable(id, by=at_this_machine())), json=json)


@command()
def role(
    venue: VenueFolder,
    id: IdArgument,
    role: Annotated[str, typer.Argument(metavar="ROLE", help=ONE_ROLE)],
    json: JsonOption = False,
) -> None:
    """Give a person another role.

    Example: natural9 users role my-venue mei.tan pit-manager
    """
    _check_role(role)
    _show(_change(venue, lambda accounts: accounts.change_role(id, role=role, by=at_this_machine())), json=json)


@command()
def unlock(venue: VenueFolder, id: IdArgument, json: JsonOption = False) -> None:
    """Unlock an account after three wrong passwords.

    Example: natural9 users unlock my-venue mei.tan
    """
    _show(_change(venue, lambda accounts: accounts.unlock(id, by=at_this_machine())), json=json)


@command("new-code")
def new_code(venue: VenueFolder, id: IdArgument, json: JsonOption = False) -> None:
    """Print a new one-time code for a forgotten password.

    Example: natural9 users new-code my-venue mei.tan
    """
    _show_code(_change(venue, lambda accounts: accounts.new_code(id, by=at_this_machine())), json=json)


def _check_role(role: str) -> None:
    if role not in [*Role] and (hint := did_you_mean(role, Role)):
        raise BadInput("bad-role", f"there is no role {role[:40]!r}{hint}")


async def _read(folder: Path) -> list[StaffRecord]:
    store = _open(folder, Access.READ)
    try:
        documents = await store.documents(STAFF)
    finally:
        await store.close()
    return [msgspec.json.decode(document, type=StaffRecord) for _, document in sorted(documents.items())]


def _change(folder: Path, work: Callable[[Accounts], Awaitable[T]]) -> T:
    check_venue(folder)
    venue = load_venue(folder / VENUE_FILE)

    async def change() -> T:
        store = _open(folder, Access.WRITE, venue.head_copy)
        try:
            key = (await open_keyring(folder, store)).in_use
            clock = await Clock.open(store)
            accounts = await Accounts.open(
                store, key=key, clock_ms=clock.play_ms, record_ms=clock.record_ms, gaming_day=venue.gaming_day
            )
            try:
                return await work(accounts)
            finally:
                accounts.close()
        finally:
            await store.close()

    return asyncio.run(change())


def _open(folder: Path, access: Access, head_copy: Path | None = None) -> Store:
    try:
        return open_store(folder, access, head_copy=head_copy)
    except (StoreFailed, Corrupt) as error:
        hint = "; while the server runs, manage people on its page, as an administrator"
        raise BadInput("store-failed", f"{error}{hint if access is Access.WRITE else ''}") from None


def _as_data(record: StaffRecord) -> dict[str, str]:
    """What may be shown: nothing that a password or a code could be tried against."""
    return {"id": record.id, "name": record.name, "role": record.role, "status": record.status(machine_ms())}


def _show(record: StaffRecord, *, json: bool) -> None:
    if json:
        print_json(_as_data(record))
    else:
        print(f"{record.id} ({record.name}, {record.role}): {record.status(machine_ms())}")


def _show_code(issued: IssuedCode, *, json: bool) -> None:
    if json:
        print_json(issued._asdict())
        return
    expires = datetime.fromtimestamp(issued.expires_ms / 1000, UTC)
    print(f"One-time code for {issued.id}: {issued.code}")
    print(f"It sets their password on the server's page. It works once, until {expires:%Y-%m-%d %H:%M} UTC.")
