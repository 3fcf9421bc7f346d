"""`natural9 verify`: whether a journal is what the rules and the cards make of it."""

import string
from typing import Annotated

import msgspec
import typer

from natural9.cli.progress import progress_bar
from natural9.cli.records import VenueArgument, journal_of
from natural9.cli.shared import JsonOption, print_json
from natural9.core.errors import BadInput
from natural9.server.reports.examination import verify_records
from natural9.store.contract import StoreFailed
from natural9.table.audit.findings import Verified

HASH_DIGITS = 64


def verify(
    venue: VenueArgument,
    head: Annotated[
        str, typer.Option("--head", metavar="HASH", help="A head printed earlier, which the journal must contain.")
    ] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Fail too if the rules of a round are missing.")] = False,
    json: JsonOption = False,
) -> int:
    """Check a journal: its chain, its money and every settlement.

    It trusts nothing: it derives every line again from the cards and the rules, and compares every balance, meter,
    document and index with it, on every core. It works while the server runs. Exit 0:
    everything holds. Exit 1: the first line that does not is named.

    Keep the head that it prints in a safe place. With --head even a journal rewritten from start to end is found out.

    Example: natural9 verify my-venue
    """
    journal = journal_of(venue)
    if head and (len(head) != HASH_DIGITS or not set(head) <= set(string.hexdigits)):
        raise BadInput(
            "bad-hash", f"{head[:70]!r} is not a head: give the {HASH_DIGITS} hexadecimal digits that verify printed"
        )
    try:
        with progress_bar("entries") as advance:
            found = verify_records(venue, head.lower(), advance=advance)
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    holds = found.fault is None and not (strict and found.not_derived)
    if json:
        print_json({"holds": holds, "words": found.fault.words if found.fault else "", **msgspec.structs.asdict(found)})
    else:
        _show(journal, found, head)
    return 0 if holds else 1


def _show(where: str, found: Verified, head: str) -> None:
    if found.fault:
        print(f"{where} does NOT hold. The first line that is wrong:")
        print(f"  {found.fault.words}")
        if found.entries:
            print(f"  ({found.entries:,} entries before it hold)")
        return
    chained = f"{found.entries:,} entries and {found.transfers:,} transfers"
    print(f"{where} holds: {chained}, each chained to the one before.")
    played = f"{found.bets:,} bets, {found.cards:,} cards"
    print(f"  {found.rounds:,} rounds at {found.tables:,} tables follow the rules: {played}")
    print(f"  {found.seats_settled:,} seats settled again from the cards, line by line, to the cent")
    print(f"  {found.shoes_revealed:,} shoes are as promised and as dealt")
    print(f"  {found.vouchers_outstanding:,} vouchers are outstanding")
    print(f"  {found.balances:,} balances and {found.meters:,} meters add up")
    print(f"  {found.documents:,} documents (staff, devices, vouchers, shoes, snapshots) are as they were written")
    print(f"  {found.index_rows:,} rows of indexes lead to what they should")
    if head:
        print(f"  the head given is that of entry {found.noted_head_at:,}")
    if found.not_derived:
        print(f"  {found.not_derived:,} rounds are checked for chain and money only, because their rules are missing:")
        for one in found.not_derived_first:
            print(f"    table {one.table}, round {one.round}: {one.why}")
    print(f"Head: {found.head or '(empty journal)'}")
